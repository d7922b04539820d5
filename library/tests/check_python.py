#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module of libreduction, built for the CPU: every function, kinds of arrays, arguments that are wrong.

usage: check_python.py [numpy|torch]
"""
import array
import ctypes
import math
import multiprocessing
import pickle
import sys
import threading

import libreduction as lr


def raises(kind, function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except kind as error:
        return str(error)
    raise AssertionError(f'{function.__name__}{arguments}: no {kind.__name__}')


def check_functions(make):
    """make(code, values): an array"""
    for code in 'fdiq':
        values = [((7919 * i) % 1013) % 13 - 6 for i in range(10007)]
        x = make(code, values)
        assert lr.sum(x) == sum(values), code
        assert lr.sum_tree(x) == sum(values)
        assert lr.min(x) == min(values)
        assert lr.max(x) == max(values)
        assert lr.argmin(x) == (min(values), values.index(min(values)))
        assert lr.argmax(x) == (max(values), values.index(max(values)))
        assert lr.dot(x, x) == sum(v * v for v in values)
        m = lr.moments(x)
        mean = sum(values) / len(values)
        assert (m.count, m.min, m.max) == (len(values), min(values), max(values))
        assert math.isclose(m.mean, mean, rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(m.variance, sum((v - mean) ** 2 for v in values) / len(values), rel_tol=1e-9)
        out, place = make(code, [0]), make('q', [0])
        assert lr.sum(x, out=out) is out and out[0] == sum(values)
        lr.argmax(x, out=(out, place))
        assert (out[0], place[0]) == lr.argmax(x)
        sums = make(code, [0] * 100)
        lr.sum_rows(make(code, values[:3000]), (100, 30), sums)
        assert list(sums) == [sum(values[30 * k:30 * k + 30]) for k in range(100)]
        lr.max_columns(make(code, values[:3000]), (30, 100), sums)
        assert list(sums) == [max(values[k:3000:100]) for k in range(100)]
        raises(ValueError, lr.sum_rows, make(code, values[:3000]), (30, 100), sums)
        assert lr.max_columns(make(code, values[:3000]), (30, 100)) == list(sums)
        assert lr.sum_rows(x, (10007, 1)) == values
        offsets = [0, 0, 1, 7, 7, 4000, 10007]
        segments = [values[i:j] for i, j in zip(offsets, offsets[1:])]
        assert lr.sum_segments(x, make('q', offsets)) == [sum(s) for s in segments]
        least = make(code, [0])
        assert lr.min_segments(x, make('q', [7, 10007]), least) is least and least[0] == min(values[7:])
        raises(ValueError, lr.sum_segments, x, make('d', offsets))
        raises(ValueError, lr.sum_segments, x, make('q', []))
        if code in 'fd':
            assert lr.asum(x) == sum(abs(v) for v in values)
            assert lr.sum_binned(x) == sum(values)
            assert math.isclose(lr.nrm2(x), math.sqrt(sum(v * v for v in values)), rel_tol=1e-7)
        else:
            raises(lr.Error, lr.asum, x)
    assert lr.sum(make('d', [])) == 0 and lr.argmin(make('d', []))[1] == -1
    assert math.isnan(lr.max(make('d', [1, math.nan, 3])))
    raises(ValueError, lr.dot, make('d', [1]), make('d', [1, 2]))
    raises(ValueError, lr.dot, make('d', [1]), make('f', [1]))
    raises(ValueError, lr.sum, make('d', [1]), out=make('f', [1]))
    raises(ValueError, lr.sum, make('d', [1]), out=make('d', [1, 2]))
    assert 'int is not an array' in raises(TypeError, lr.sum, 3)
    x = make('d', [1, 2, 3])
    error = raises(lr.Error, lr.sum, x, out=x[1:2]) if hasattr(x, 'shape') else 'overlaps'
    assert 'overlaps' in error


class Foreign:
    """A protocol and nothing else."""

    def __init__(self, values, name, **more):
        self.values = (ctypes.c_double * len(values))(*values)
        interface = {'shape': (len(values),), 'typestr': '<f8', 'data': (ctypes.addressof(self.values), False), 'version': 3}
        setattr(self, name, dict(interface, **more))


def check_protocols():
    assert lr.sum(Foreign([1, 2, 4], '__array_interface__')) == 7
    assert lr.sum(Foreign([1, 2, 4, 8], '__array_interface__', shape=(2, 2), strides=(8, 16))) == 15
    assert lr.sum(Foreign([1, 2, 4, 8], '__array_interface__', shape=(2,), strides=(16,))) == 5
    raises(TypeError, lr.sum, Foreign([1, 2], '__array_interface__', typestr='>f8'))
    raises(TypeError, lr.sum, Foreign([1, 2], '__array_interface__', typestr='<u8'))
    assert 'Foreign does not say where' in raises(TypeError, lr.sum, Foreign([1], '__array_interface__', data=b'12345678'))
    of_device = Foreign([1], '__cuda_array_interface__', stream=12345)
    assert 'memory of the device' in raises(TypeError, lr.sum, of_device)
    lr._is_cpu = False
    assert 'InvalidHandle' in raises(lr.Error, lr.sum, of_device)  # its stream, which is none
    assert lr.sum(of_device, stream=0) == 1
    lr._is_cpu = True
    raises(ValueError, lr.sum, memoryview(array.array('d', [1, 2, 3, 4]))[::2])
    assert lr.sum(b'123') == 49 + 50 + 51
    assert lr.sum((ctypes.c_float * 3)(1, 2, 4)) == lr.sum((ctypes.c_longlong * 3)(1, 2, 4)) == 7
    raises(TypeError, lr.sum, (ctypes.c_double.__ctype_be__ * 3)(1, 2, 4))
    raises(TypeError, lr.sum, Foreign([1, 2], '__array_interface__', mask=Foreign([0, 1], 'm')))
    raises(ValueError, lr.sum_rows, array.array('d', [1, 2]))
    raises(TypeError, lr.sum, Foreign([1, 2], '__array_interface__', typestr='<M8[s]'))
    raises(ValueError, lr.sum, array.array('d', [1]), out=memoryview(array.array('d', [0])).toreadonly())
    raises(ValueError, lr.sum, array.array('d', [1]), out=Foreign([0], '__array_interface__', data=(8, True)))
    raises(ValueError, lr.argmax, array.array('d', [1]), out=[array.array('d', [0])])


def check_threads():
    wrong = []

    def work(first):
        x = array.array('q', range(first, first + 5000))
        for _ in range(100):
            if lr.sum(x) != sum(x):
                wrong.append(first)
    threads = [threading.Thread(target=work, args=(k * 1000,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_child(code):
    return lr.sum(array.array(code, [1, 2, 4])), lr.asum(array.array(code, [1, 2, 4]))


def check_processes():
    """After fork, where the parent has handles; and an error comes back, as itself."""
    error = pickle.loads(pickle.dumps(lr.Error(2, 'a text')))
    assert (type(error), error.status, str(error)) == (lr.Error, 2, 'a text')
    lr.sum(array.array('d', range(100000)))
    with multiprocessing.get_context('fork').Pool(1) as pool:
        assert pool.apply_async(in_child, 'd').get(60) == (7, 7)
        try:
            pool.apply_async(in_child, 'i').get(60)
        except lr.Error as error:
            assert error.status == 2 and 'element type' in str(error)
        else:
            raise AssertionError('no error')
    assert lr.sum(array.array('d', range(100000))) == 4999950000


def check_strides():
    """Matrices as they lie in larger ones, or transposed."""
    values = [float(k * k % 101) for k in range(60)]
    rows = [values[k:k + 4] for k in range(0, 60, 10)]

    def matrix(shape, *strides):
        return Foreign(values, '__array_interface__', shape=shape, strides=strides)
    assert lr.sum_rows(matrix((6, 4), 80, 8)) == [sum(r) for r in rows]
    assert lr.max_columns(matrix((6, 4), 80, 8)) == [max(c) for c in zip(*rows)]
    assert lr.sum_columns(matrix((4, 6), 8, 80)) == [sum(r) for r in rows]
    assert lr.min_rows(matrix((4, 6), 8, 80)) == [min(c) for c in zip(*rows)]
    assert lr.sum_rows(matrix((6, 1), 80, 16)) == values[::10]
    for strides in ((80, 16), (4, 8), (8, 8), (-80, 8)):
        raises(ValueError, lr.sum_rows, matrix((6, 4), *strides))
    raises(ValueError, lr.sum, matrix((6, 4), 80, 8))


def check_axes():
    """Along each axis of 3 x 4 x 5 elements, in several layouts."""
    values = [float(k * 7919 % 61 - 30) for k in range(60)]
    plain = {'sum': sum, 'min': min, 'max': max, 'argmax': lambda v: v.index(max(v)), 'argmin': lambda v: v.index(min(v)),
             'prod': math.prod, 'count': lambda v: len(v) - v.count(0), 'any': any, 'all': all, 'mean': lambda v: sum(v) / len(v),
             'sumsq': lambda v: sum(e * e for e in v), 'amax': lambda v: max(map(abs, v)),
             'logsumexp': lambda v: math.log(sum(map(math.exp, v))), 'nrm2': lambda v: math.sqrt(sum(e * e for e in v))}
    for strides in ((160, 40, 8), (8, 24, 96), (40, 120, 8)):
        x = Foreign(values, '__array_interface__', shape=(3, 4, 5), strides=strides)

        def at(*place):
            return values[sum(p * s for p, s in zip(place, strides)) // 8]
        for axis in (0, 1, 2, -1):
            others = [k for k in range(3) if k != axis % 3]
            extents = [(3, 4, 5)[k] for k in others]
            for name, of in plain.items():
                got = getattr(lr, name)(x, axis=axis)
                got = got[1] if name.startswith('arg') else got
                for p in range(extents[0]):
                    for q in range(extents[1]):
                        place = {others[0]: p, others[1]: q}
                        line = [at(*(place.get(k, e) for k in range(3))) for e in range((3, 4, 5)[axis])]
                        assert math.isclose(got[p][q], of(line), rel_tol=1e-12), (name, strides, axis, p, q)
        assert lr.dot(x, x, axis=1) == lr.sumsq(x, axis=1)
        assert lr.moments(x, axis=0)[3][4].count == 3 and lr.moments(x).count == 60
    assert lr.sum(Foreign(values, '__array_interface__', shape=(20,), strides=(24,))) == sum(values[::3])
    assert lr.sum(array.array('B', [255] * 9)) == 2295 and lr.max(array.array('b', [-3, -7])) == -3
    assert lr.sum(Foreign([], '__array_interface__', shape=(3, 0)), axis=1) == [0, 0, 0]
    assert lr.sum(Foreign([], '__array_interface__', shape=(0, 3)), axis=0) == [0, 0, 0]
    assert lr.max(Foreign([], '__array_interface__', shape=(0, 3)), axis=1) == []
    assert lr.prod(array.array('i', [2, 3, 7])) == 42
    out = array.array('d', [0] * 5)
    assert lr.mean(Foreign(values, '__array_interface__', shape=(12, 5)), axis=0, out=out) is out and out[0] == sum(values[::5]) / 12
    raises(ValueError, lr.sum, Foreign(values, '__array_interface__', shape=(12, 5)), axis=2)
    raises(ValueError, lr.sum, Foreign(values, '__array_interface__', shape=(12, 5)), axis=0, out=array.array('d', [0] * 4))
    raises(ValueError, lr.prod, Foreign(values, '__array_interface__', shape=(4,), strides=(-8,)))
    raises(lr.Error, lr.nrm2, array.array('i', [1]), axis=0)
    x, keys = array.array('d', [1, 2, 4, 8]), array.array('i', [0, 2, 2, 7])
    assert lr.sum_by_key(x, keys, 4) == [1, 0, 6, 0] and lr.offsets_of_keys(keys, 3) == [0, 1, 1, 3]
    assert lr.dots(memoryview(x).cast('B').cast('d', (2, 2)), x[:2]) == [5, 20]
    assert [round(y, 12) for y in lr.softmax(array.array('d', [0, math.log(3)]))] == [0.25, 0.75]
    all_reduce = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 7)(lambda *_: 0)  # NCCL with one rank
    ranks, y = lr.Ranks(ctypes.cast(all_reduce, ctypes.c_void_p), None), array.array('d', [0])
    assert lr.nccl_sum(x, ranks, out=y) is y and y[0] == 15 and lr.nccl_dot(x, x, ranks, out=y)[0] == 85
    assert lr.nccl_nrm2(x[:1], ranks, out=y)[0] == 1 and lr.nccl_min(x, ranks, out=y)[0] == 1
    raises(ValueError, lr.sum_by_key, x, keys[:3], 4)
    raises(lr.Error, lr.sum_by_key, x, x, 4)


def check_bfloat16(bits):
    """NumPy has no bfloat16: an object with DLPack and nothing else, and one that names its type."""
    import numpy
    bits = bits.astype(numpy.uint16)

    class Capsule:
        def __dlpack__(self, **keywords):
            capsule = bits.__dlpack__()
            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            lr._Tensor.from_address(pointer(capsule, b'dltensor')).code = 4
            return capsule
    if hasattr(bits, '__dlpack__'):
        assert lr.sum(Capsule()) == 1770 and lr.max(Capsule()) == 59

    class Named:
        dtype = 'bfloat16'
        __array_interface__ = dict(bits.__array_interface__, typestr='<V2')
    assert lr.sum(Named()) == 1770
    Named.dtype = 'other'
    raises(TypeError, lr.sum, Named())


def check_numpy():
    import numpy
    codes = {'f': numpy.float32, 'd': numpy.float64, 'i': numpy.int32, 'q': numpy.int64}
    check_functions(lambda code, values: numpy.array(values, codes[code]))
    x = numpy.arange(60.0).reshape(3, 4, 5)
    assert lr.sum(x) == lr.sum(x.transpose(2, 0, 1)) == 1770
    c = numpy.arange(64.0).reshape(4, 4, 4)[..., ::2]
    assert lr.sum(c) == c.sum() and 'pieces' in raises(ValueError, lr.sum, x[..., ::2])
    for axis in range(3):
        assert (lr.sum(x, axis=axis) == x.sum(axis)).all() and (lr.argmax(x.T, axis=axis)[1] == x.T.argmax(axis)).all()
        assert lr.mean(x[::2], axis=axis).shape == x[::2].mean(axis).shape
    assert lr.sum(x > 3, axis=0).dtype == numpy.int64 and (lr.sum(x > 3, axis=0) == (x > 3).sum(0)).all()
    raises(TypeError, lr.sum, numpy.ma.array([1.0, 2.0], mask=[0, 1]))
    raises(TypeError, lr.sum, x[0, 0, 0])
    t, m = x.transpose(2, 0, 1), x.reshape(12, 5)
    assert lr.dot(t, t) == lr.dot(x, x) and lr.sum_rows(m[1:3], (2, 5)) == lr.sum_rows(m[1:3]) == [35, 60]
    for call in ((lr.dot, x, t), (lr.argmax, t), (lr.sum_rows, m.T, (5, 12)), (lr.sum_segments, m.T, numpy.array([0, 7]))):
        assert 'order' in raises(ValueError, *call), call
    z = x * (1 + 2j)
    assert lr.sum(z) == z.sum() and lr.dot(z, x + 1j) == numpy.vdot(z, x + 1j) and lr.nrm2(z) == numpy.linalg.norm(z)
    assert (lr.sum(z.astype(numpy.complex64), axis=1) == z.sum(1)).all() and (lr.asum(z, axis=0) == abs(z.real).sum(0) + abs(z.imag).sum(0)).all()
    raises(lr.Error, lr.max, z)
    assert (lr.dots(m[1:3], m[5]) == m[1:3] @ m[5]).all() and (lr.dots(m[::2], m[5]) == m[::2] @ m[5]).all()
    keys = numpy.array([0, 0, 2, 5, 5, 5])
    assert list(lr.sum_by_key(x.ravel()[:6], keys, 4)) == [1, 0, 2, 0] and list(lr.offsets_of_keys(keys, 6)) == [0, 2, 2, 3, 3, 3, 6]
    powers = numpy.exp(m / 9)
    assert numpy.allclose(lr.softmax(m / 9), powers / powers.sum(1, keepdims=True), rtol=1e-13, atol=0)
    if hasattr(numpy, 'from_dlpack'):
        rows = lr.max(memoryview(x), axis=1)
        taken = numpy.from_dlpack(rows)
        del rows
        assert (taken == x.max(1)).all()
    h = x.astype(numpy.float16)
    assert lr.sum(h) == 1770 and lr.argmax(h) == (59, 59) and lr.dot(h, h) == sum(i * i for i in range(60))
    out = numpy.zeros(1, numpy.float32)
    assert lr.sum(h, out=out) is out and out[0] == 1770
    raises(ValueError, lr.sum, h, out=h[0, 0, :1])
    assert lr.sum_tree(h) == lr.sum_binned(h) == 1770 and abs(lr.moments(h).mean - 29.5) < 1e-12
    rows = numpy.zeros(3, numpy.float32)
    assert list(lr.sum_rows(h, (3, 20), rows)) == [190, 590, 990] and lr.max_columns(h, (3, 20)) == list(range(40, 60))
    assert lr.min_segments(h, numpy.array([0, 7, 60])) == [0, 7]
    raises(ValueError, lr.sum_rows, h, (3, 20), rows.astype(numpy.float16))
    check_bfloat16(x.astype(numpy.float32).view(numpy.uint32) >> 16)

    class Capsule:  # DLPack and nothing else
        def __dlpack__(self, **keywords):
            return x.__dlpack__()
    if hasattr(x, '__dlpack__'):
        assert lr.sum(Capsule()) == 1770


def check_torch():
    import torch
    for type in torch.float32, torch.float64, torch.int32, torch.int64, torch.float16, torch.bfloat16:
        x = torch.arange(60).to(type).reshape(3, 4, 5)

        class Capsule:  # DLPack and nothing else
            def __dlpack__(self, **keywords):
                return x.__dlpack__()
        for tensor in x, Capsule():
            assert lr.sum(tensor) == 1770 and lr.argmax(tensor) == (59, 59), type
            assert lr.sum_rows(tensor, (3, 20)) == [190, 590, 990] and lr.moments(tensor).mean == 29.5
        out = torch.zeros(1, dtype=torch.float32 if x.element_size() == 2 else type)
        assert lr.sum(x, out=out) is out and out[0] == 1770
        assert 'order' in raises(ValueError, lr.argmax, x.permute(2, 0, 1))
        if type.is_floating_point:
            powers = torch.softmax(x.double() / 8, 2).to(type)
            assert torch.allclose(lr.softmax(x / 8), powers, rtol=2 * torch.finfo(type).eps), type
        assert (lr.sum(x, axis=1) == x.float().sum(1)).all() and lr.argmax(x, axis=0)[1].dtype == torch.int64
    assert lr.sum(torch.ones(3).to(torch.complex64)) == 3
    rows = lr.max(memoryview(bytes(range(6))).cast('B', (2, 3)), axis=1)
    assert torch.from_dlpack(rows).tolist() == [2, 5]


assert lr.targets() == ['cpu'] and lr.version()[0].isdigit()
if sys.argv[1:]:
    {'numpy': check_numpy, 'torch': check_torch}[sys.argv[1]]()
else:
    check_functions(array.array)
    check_protocols()
    check_threads()
    check_processes()
    check_strides()
    check_axes()
print('all right')
