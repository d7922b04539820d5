# SPDX-License-Identifier: MIT
"""libreduction for Python 3.8 and newer: reductions of arrays on a GPU, or of host arrays where the library was built
for the CPU. One module, by ctypes; nothing is copied.

    import libreduction
    libreduction.sum(x)                    # a number: waits for it
    libreduction.sum(x, out=y)             # starts work in the stream; y is an array of one element on the same device
    libreduction.argmax(x)                 # (value, index)
    libreduction.dot(x, y)
    libreduction.max(x, axis=1)
    libreduction.dots(v, x)                # of each row of v with x, in one pass
    libreduction.sum_by_key(x, keys, 10)   # of sorted keys 0 ... 9
    libreduction.softmax(x)                # of each row

x is an array, of any shape: what has __cuda_array_interface__ (CuPy, torch, Numba), __array_interface__ (NumPy), DLPack or
the buffer protocol (array.array). Its type is float32, float64, int32, int64, float16 or bfloat16 (of these two, results are
float32); for sum, asum, nrm2 and dot also complex64 or complex128; for functions with axis= also uint8, int8, uint32 or bool
(results are int64). An array is reduced as a whole; along an axis (max(x, axis=1), into an array of the same module, or
out=); by rows or columns (sum_rows(x), sum_rows(x, (rows, columns)) ...), or by segments (sum_segments(x, offsets)). It must
be row-major; any dense layout will do for a whole array, except for an index. Lists of results have DLPack, too:
numpy.from_dlpack(libreduction.max(x, axis=1)).
The stream is stream=, an address; else the current one of torch or CuPy for their arrays, the one that
__cuda_array_interface__ names, or the default stream. Each thread, device and stream has a handle, which is kept.
libreduction.h says what each function computes.

The library is $LIBREDUCTION; or that of the wheel or the installed tree that has this file; or where the system finds it.
"""
import ctypes
import ctypes.util
import os
import pathlib
import sys
import threading

__all__ = ['sum', 'min', 'max', 'asum', 'nrm2', 'dot', 'argmin', 'argmax', 'sum_tree', 'sum_binned', 'moments', 'Moments',
           'sum_rows', 'min_rows', 'max_rows', 'sum_columns', 'min_columns', 'max_columns', 'sum_segments',
           'min_segments', 'max_segments', 'sum_by_key', 'offsets_of_keys', 'dots', 'softmax', 'Ranks', 'Values', 'Error', 'version', 'targets']

class _Lines(ctypes.Structure):  # struct lr_lines
    _fields_ = [(name, ctypes.c_size_t) for name in ('lines', 'length', 'lead', 'step', 'batch', 'batch_lead', 'y_lead', 'y_step')]
    _fields_ += [('offsets', ctypes.c_void_p), ('offset_type', ctypes.c_int), ('length_at', ctypes.c_void_p)]


class _Complex(ctypes.Structure):
    @property
    def value(self):
        return complex(self.re, self.im)


class _ComplexFloat(_Complex):
    _fields_ = [('re', ctypes.c_float), ('im', ctypes.c_float)]


class _ComplexDouble(_Complex):
    _fields_ = [('re', ctypes.c_double), ('im', ctypes.c_double)]


_WIDE = {('u', 1): 6, ('i', 1): 7, ('u', 4): 8, ('b', 1): 9}  # their results are int64
_NAMES = {0: 'float32', 1: 'float64', 2: 'int32', 3: 'int64', 4: 'float16', 5: 'bfloat16', 10: 'complex64', 11: 'complex128'}  # of results
_SCALARS = {0: ctypes.c_float, 1: ctypes.c_double, 2: ctypes.c_int32, 3: ctypes.c_int64, 10: _ComplexFloat, 11: _ComplexDouble}
_TYPES = {('f', 4): (0, ctypes.c_float), ('f', 8): (1, ctypes.c_double),
          ('i', 4): (2, ctypes.c_int32), ('i', 8): (3, ctypes.c_int64),
          ('f', 2): (4, ctypes.c_float), ('b', 2): (5, ctypes.c_float),  # half and bfloat16, whose results are floats
          ('c', 8): (10, _ComplexFloat), ('c', 16): (11, _ComplexDouble)}
_ON_HOST, _PINNED = 1, (3, 11)  # of DLPack's kinds of devices


class Error(RuntimeError):
    """An error that the library reports; status is its LR_ code."""

    def __init__(self, status, text):
        super().__init__(status, text)  # both, for pickle
        self.status = status

    def __str__(self):
        return self.args[1]


def _load():
    names = [os.environ.get('LIBREDUCTION')]  # then: in a wheel, beside this file; in an installed tree, above it
    names += [str(pathlib.Path(tree, 'lib', 'libreduction.so')) for tree in list(pathlib.Path(__file__).resolve().parents)[:4]]
    names += [ctypes.util.find_library('reduction'), 'libreduction.so.0.1']
    for name in filter(None, names):
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            if name == names[0]:
                raise ImportError(f'LIBREDUCTION={name}: {error}') from None
    else:
        raise ImportError('libreduction.so not found: set LIBREDUCTION to its path')
    for text in ('lr_text', 'lr_version', 'lr_targets', 'lr_runtime_text'):
        getattr(library, text).restype = ctypes.c_char_p
    library.lr_runtime_text.argtypes = [ctypes.c_void_p]
    library.lr_destroy.argtypes = [ctypes.c_void_p]
    return library


_library = _load()


def version():
    return _library.lr_version().decode()


def targets():
    """The targets that the library was built for, as a list."""
    return _library.lr_targets().decode().split()


_is_cpu = targets() == ['cpu']


class _Handle:
    def __init__(self, device):
        self.address = ctypes.c_void_p()
        _check(_library.lr_create(ctypes.byref(self.address), device), None)

    def __del__(self):
        _library.lr_destroy(self.address)


_of_thread = threading.local()


def _forget_handles():
    """After fork: the handles are the parent's. Python must not destroy them here, where the device's threads are missing."""
    for handle in _of_thread.__dict__.pop('handles', {}).values():
        handle.address = None


os.register_at_fork(after_in_child=_forget_handles)


def _handle(device, stream):
    handles = _of_thread.__dict__.setdefault('handles', {})
    if (device, stream) not in handles:
        handles[device, stream] = _Handle(device)
    return handles[device, stream]


def _check(status, handle):
    if status == 0:
        return
    text = _library.lr_text(status).decode()
    if handle is not None and status == 10:
        text += ': ' + _library.lr_runtime_text(handle.address).decode()
    raise Error(status, text)


class _Tensor(ctypes.Structure):  # DLPack's DLTensor
    _fields_ = [('data', ctypes.c_void_p), ('kind', ctypes.c_int32), ('device', ctypes.c_int32), ('ndim', ctypes.c_int32),
                ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16),
                ('shape', ctypes.POINTER(ctypes.c_int64)), ('strides', ctypes.POINTER(ctypes.c_int64)),
                ('offset', ctypes.c_uint64)]


def _device_of(address, otherwise):
    """The device whose memory has this address."""
    device = ctypes.c_int()
    status = _library.lr_device_of(ctypes.c_void_p(address), ctypes.byref(device))
    return device.value if status == 0 and device.value >= 0 else otherwise


class _Array:
    """An array's address, n, the code and size of its elements, and its device."""

    def __init__(self, x, stream, is_out=False):
        self.kept = x
        self.stream = stream
        self.device = 0
        self.is_out = is_out
        if hasattr(x, '__cuda_array_interface__'):
            self._interface(x.__cuda_array_interface__)
            self._current(x)
            if not _is_cpu:
                self.device = _device_of(self.address, self.device)
            if self.stream is None:
                self.stream = x.__cuda_array_interface__.get('stream')
            on_host = False
        elif hasattr(x, '__array_interface__'):
            self._interface(x.__array_interface__)
            on_host = True
        elif hasattr(x, '__dlpack__'):
            self._current(x)
            on_host = self._dlpack(x)
        else:
            self._buffer(x)
            on_host = True
        if on_host != _is_cpu:
            where, wanted = ('host', 'device') if on_host else ('device', 'host')
            raise TypeError(f'the array is in memory of the {where}, and this libreduction, for {" ".join(targets())}, '
                            f'takes arrays of the {wanted}')
        if (self.code, self.size) in _WIDE:
            self.type, self.scalar, self.result = _WIDE[self.code, self.size], ctypes.c_int64, 3
            return
        if (self.code, self.size) not in _TYPES:
            raise TypeError(f'elements of kind {self.code!r}, {self.size} bytes each; libreduction takes float32, float64, '
                            'int32, int64, float16 and bfloat16')
        self.type, self.scalar = _TYPES[self.code, self.size]
        self.result = 0 if self.size == 2 else self.type  # the type of its sum

    def _may_write(self, possible):
        if self.is_out and not possible:
            raise ValueError('out must not be written')

    def _shape(self, shape, strides):
        """strides in bytes, None: contiguous"""
        self.n, self.order, self.shape, self.strides = 1, None, tuple(shape), None  # None: row-major
        for extent in shape:
            self.n *= extent
        if self.n <= 1 or strides is None:
            return
        step = self.size  # any order of the axes in which the elements are contiguous
        axes = [(s, e) for s, e in zip(strides, shape) if e != 1]
        for stride, extent in sorted(axes):
            if stride != step:
                self.strides = tuple(strides)
                return
            step *= extent
        self.order = axes if axes != sorted(axes, reverse=True) else None
        self.strides = tuple(strides) if self.order else None

    def dense(self):
        if self.strides and not self.order:
            raise ValueError('the array is not contiguous: copy it first')
        return self

    def in_rows(self, name):
        if self.dense().order:
            raise ValueError(f'{name}: the elements lie in another order than row by row (a transposed array?): copy it first')
        return self

    def _interface(self, interface):
        if interface.get('mask') is not None or hasattr(self.kept, 'mask'):
            raise TypeError('an array with a mask: fill it first')
        if not interface['shape'] and not hasattr(self.kept, '__setitem__'):
            raise TypeError(f'{type(self.kept).__name__} is not an array')  # a NumPy scalar, whose memory is gone by now
        if interface['typestr'][0] == ('>' if sys.byteorder == 'little' else '<'):
            raise TypeError('the bytes of the elements are swapped')
        self.code, size = interface['typestr'][1], interface['typestr'][2:]
        self.size = int(size) if size.isdigit() else 0
        if self.code == 'V' and str(getattr(self.kept, 'dtype', '')).endswith('bfloat16'):
            self.code = 'b'  # the spelling of torch and ml_dtypes
        if not isinstance(interface.get('data'), tuple):  # bytes, as from Pillow, or nothing
            raise TypeError(f'{type(self.kept).__name__} does not say where its elements are: convert it to an array first')
        self.address, is_constant = interface['data']
        self._may_write(not is_constant)
        self._shape(interface['shape'], interface.get('strides'))

    def _dlpack(self, x):
        capsule = x.__dlpack__(stream=self.stream) if self.stream and not _is_cpu else x.__dlpack__()
        self.kept = (x, capsule)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        t = _Tensor.from_address(pointer(capsule, b'dltensor'))
        self.code, self.size = {0: 'i', 1: 'u', 2: 'f', 4: 'b', 5: 'c', 6: 'b'}.get(t.code, '?'), t.bits * t.lanes // 8
        self.address = (t.data or 0) + t.offset
        self.device = t.device
        strides = [t.strides[k] * self.size for k in range(t.ndim)] if t.strides else None
        self._shape([t.shape[k] for k in range(t.ndim)], strides)
        return t.kind == _ON_HOST or t.kind in _PINNED

    def _buffer(self, x):
        try:
            view = memoryview(x)
        except TypeError:
            raise TypeError(f'{type(x).__name__} is not an array of numbers: give one of NumPy, torch, CuPy or '
                            'array.array') from None
        if not view.c_contiguous:
            raise ValueError('the array is not contiguous: copy it first')
        self._may_write(not view.readonly)
        self.kept = (x, view)
        letter = view.format.lstrip('@=' + ('<' if sys.byteorder == 'little' else '>'))
        self.code = {'e': 'f', 'f': 'f', 'd': 'f', 'i': 'i', 'l': 'i', 'q': 'i', 'b': 'i', 'B': 'u', 'I': 'u', '?': 'b'}.get(letter, view.format)
        self.size = view.itemsize
        self._shape(view.shape, None)
        holder = ctypes.py_object(x)
        buffer = (ctypes.c_byte * 256)()  # a Py_buffer, whose first member is the address
        ctypes.pythonapi.PyObject_GetBuffer(holder, buffer, 0x18)  # PyBUF_STRIDES
        self.address = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_void_p))[0] or 0
        ctypes.pythonapi.PyBuffer_Release(buffer)  # view keeps it where it is

    def _current(self, x):
        """The device and, if no stream was given, the one that torch or CuPy use."""
        module = type(x).__module__.split('.')[0]
        if module == 'torch' and x.is_cuda:
            self.device = x.device.index
            if self.stream is None:
                self.stream = sys.modules['torch'].cuda.current_stream(x.device).cuda_stream
        elif module == 'cupy':
            self.device = x.device.id
            if self.stream is None:
                self.stream = sys.modules['cupy'].cuda.get_current_stream().ptr


def _call(name, x, others, out, stream, index=False):
    x = _Array(x, stream)
    if index:
        x.in_rows(name)
    arrays = [x.dense()] + [_Array(y, stream).dense() for y in others]
    for y in arrays[1:]:
        if (y.type, y.n) != (x.type, x.n):
            raise ValueError(f'{name}: arrays of different types or lengths')
        if y.order != x.order:
            raise ValueError(f'{name}: the elements of the arrays lie in different orders: copy one of them')
    handle = _handle(x.device, x.stream or 0)
    kind = x.type - 10 if x.type >= 10 and name in ('asum', 'nrm2') else x.result
    value, place = _SCALARS[kind](), ctypes.c_int64()
    results = [ctypes.byref(value)] + [ctypes.byref(place)] * index
    if out is not None:
        outs = [_Array(o, stream, True).dense() for o in (out if index else [out])]
        if [(o.n, o.type) for o in outs] != [(1, kind), (1, 3)][:1 + index]:
            raise ValueError(f'{name}: out has to be one element of the type of the array, or float32 of float16' +
                             (', and one int64 for the index' if index else ''))
        results = [ctypes.c_void_p(o.address) for o in outs]
    function = getattr(_library, f'lr_{name}' + ('_value' if out is None else ''))
    _check(function(handle.address, x.type, *(ctypes.c_void_p(a.address) for a in arrays), ctypes.c_size_t(x.n), *results,
                    ctypes.c_void_p(x.stream or 0)), handle)
    if out is not None:
        return out
    return (value.value, place.value) if index else value.value


_library.lr_function_name.restype = _library.lr_function_text.restype = ctypes.c_char_p
_NUMBERS = {}
while _library.lr_function_name(len(_NUMBERS)):
    _NUMBERS[_library.lr_function_name(len(_NUMBERS)).decode()] = len(_NUMBERS)


def _empty(x, shape, kind):
    """A new array like x: of its module and device, of the type of results; None: x has no such module."""
    module = sys.modules.get(type(x).__module__.split('.')[0])
    name = getattr(module, '__name__', '')
    if name == 'torch':
        return module.empty(shape, dtype=getattr(module, _NAMES[kind]), device=x.device)
    if name in ('numpy', 'cupy'):
        return module.empty(shape, x.dtype if kind == 5 else _NAMES[kind])  # bfloat16 has its own module
    return None


def _merged(axes):
    """Axes, (extent, step in bytes), of which neighbours that one step describes are one."""
    merged = []
    for extent, step in axes:
        if extent == 1:
            continue
        if merged and merged[-1][1] == extent * step:
            merged[-1] = (merged[-1][0] * extent, step)
        else:
            merged.append((extent, step))
    return merged


def _nested(values, shape):
    if len(shape) <= 1:
        return values if shape else values[0]
    size = len(values) // shape[0] if shape[0] else 0
    return [_nested(values[k * size:(k + 1) * size], shape[1:]) for k in range(shape[0])]


class _Managed(ctypes.Structure):  # DLPack's DLManagedTensor
    _fields_ = [('tensor', _Tensor), ('context', ctypes.c_void_p), ('deleter', ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


_exported = {}  # by address, until their consumers delete them
_delete = _Managed._fields_[2][1](lambda address: _exported.pop(address, None) and None)


class Values(list):
    """Results on the host, as nested lists, which other modules take by DLPack without a copy."""

    def __init__(self, values, shape):
        super().__init__(_nested([getattr(v, 'value', v) for v in values], shape))
        self._values, self.shape = values, shape

    def __dlpack_device__(self):
        return _ON_HOST, 0

    def __dlpack__(self, **_):
        kind = next(k for k, scalar in _SCALARS.items() if scalar is self._values._type_)
        managed, sizes = _Managed(), (ctypes.c_int64 * len(self.shape))(*self.shape)
        managed.tensor = _Tensor(ctypes.addressof(self._values), _ON_HOST, 0, len(self.shape), {'f': 2, 'i': 0, 'c': 5}[_NAMES[kind][0]],
                                 8 * ctypes.sizeof(self._values._type_), 1, sizes, None, 0)
        managed.deleter, address = _delete, ctypes.addressof(managed)
        _exported[address] = managed, sizes, self._values
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(address, b'dltensor', None)


def _steps(a, name):
    strides = a.strides
    if strides is None:
        strides, step = [], a.size
        for extent in reversed(a.shape):
            strides.insert(0, step)
            step *= extent
    for step, extent in zip(strides, a.shape):
        if extent > 1 and (step < 0 or step % a.size):
            raise ValueError(f'{name}: a negative step, or one that is not a multiple of the element: copy the array first')
    return strides


def _along(name, x, y, axis, out, stream):
    """One result for each line along the axis; None: of the whole array, however it lies."""
    a, b = _Array(x, stream), _Array(y, stream) if y is not None else None
    number, kind = _NUMBERS[name], _library.lr_result_type(_NUMBERS[name], a.type)
    finds = bool(_library.lr_finds(number))
    if kind < 0:
        raise Error(2, f'{name}: ' + _library.lr_text(2).decode())
    if b is not None and (b.type, b.shape) != (a.type, a.shape):
        raise ValueError(f'{name}: arrays of different types or shapes')
    if axis is not None and not -len(a.shape) <= axis < len(a.shape):
        raise ValueError(f'{name}: no axis {axis} of {len(a.shape)}')
    steps = [_steps(c, name) for c in (a, b) if c is not None]
    if axis is None:
        whole = [_merged(list(zip(a.shape, s))) for s in steps]
        if a.order and not finds and b is None:  # dense, in another order
            whole = [[(a.n, a.size)]]
        if len(whole[0]) > 1 or len(whole[-1]) > 1:
            raise ValueError(f'{name}: the array lies in pieces: give an axis, or copy it first')
        shape, length, rest = (), a.n, [[] for _ in steps]
        ahead = [w[0][1] // a.size if w else 1 for w in whole]
    else:
        axis %= len(a.shape)
        shape, length = a.shape[:axis] + a.shape[axis + 1:], a.shape[axis]
        ahead = [s[axis] // a.size for s in steps]
        rest = [list(zip(shape, list(s[:axis]) + list(s[axis + 1:]))) for s in steps]
        rest = [_merged(r) for r in rest] if b is None else rest
    count = 1
    for extent in shape:
        count *= extent
    moments = kind == 100
    results = [out] if out is not None and not finds else list(out) if out is not None else []
    if out is None and not moments:
        results = [_empty(x, shape, kind)] + ([_empty(x, shape, 3)] if finds else [])
        results = [] if results[0] is None or not shape else results
    scalar = Moments if moments else _SCALARS[kind]
    addresses = []
    for result, of_kind in zip(results, (kind, 3)):
        o = _Array(result, stream, True).dense()
        if (o.n, o.type) != (count, of_kind):
            raise ValueError(f'{name}: out needs {count} elements of {_NAMES[of_kind]}')
        addresses.append((o.address, _SCALARS[of_kind]))
    values = None
    if not results:
        values = [(scalar * count)(), (ctypes.c_int64 * count)()][:1 + finds]
        addresses = [(ctypes.addressof(v), t) for v, t in zip(values, (scalar, ctypes.c_int64))]
    function = _library.lr_reduce if results else _library.lr_reduce_value
    handle = _handle(a.device, a.stream or 0)

    def call(offsets, rest, first, lines):
        """The last two axes of the rest at once, the others one by one."""
        if len(rest[0]) > (2 if b is None else 1):
            inner = lines // rest[0][0][0]
            for k in range(rest[0][0][0]):
                call([o + k * r[0][1] for o, r in zip(offsets, rest)], [r[1:] for r in rest], first + k * inner, inner)
            return
        l = _Lines(lines=lines, length=length, step=ahead[0] or 1, lead=rest[0][-1][1] // a.size if rest[0] else 0)
        if ahead[0] == 0 and length > 1:
            raise ValueError(f'{name}: an axis that repeats one element: copy the array first')
        if len(rest[0]) == 2:
            l.batch, l.batch_lead = rest[0][1][0], rest[0][0][1] // a.size
        if b is not None:
            l.y_lead, l.y_step = rest[1][-1][1] // a.size if rest[1] else 0, ahead[1] or 1
        to = [ctypes.c_void_p(address + first * ctypes.sizeof(t)) for address, t in addresses] + [None] * (1 - finds)
        _check(function(handle.address, number, a.type, ctypes.c_void_p(offsets[0]),
                        ctypes.c_void_p(offsets[1]) if b is not None else None, ctypes.byref(l), *to,
                        ctypes.c_void_p(a.stream or 0)), handle)
    if count > 0:
        call([c.address for c in (a, b) if c is not None], rest, 0, count)
    if out is not None:
        return out
    if values:
        results = [Values(v, shape) if shape and not moments else _nested([getattr(e, 'value', e) for e in v], shape)
                   for v in values]
    return tuple(results) if finds else results[0]


def _function(name, text):
    def function(x, *, axis=None, out=None, stream=None):
        if axis is None and name in _WHOLE and (out is None or name != 'moments'):
            a = _Array(x, stream)
            if not 6 <= a.type < 10 and (a.strides is None or a.order):
                return _call(name, x, [], out, stream, name in ('argmin', 'argmax'))
        return _along(name, x, None, axis, out, stream)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


_WHOLE = ('sum', 'sum_binned', 'min', 'max', 'asum', 'nrm2', 'argmin', 'argmax')  # with functions of their own
for _name in _NUMBERS:  # those of lr_reduce()
    if _name not in ('dot', 'moments'):
        globals()[_name] = _function(_name, _library.lr_function_text(_NUMBERS[_name]).decode().capitalize() +
                                     ': of all elements, or along an axis. int32 wrap, which NumPy would add as int64.')
__all__ += [_name for _name in _NUMBERS if _name not in __all__]


def sum_tree(x, *, out=None, stream=None):
    """The sum, with the same bits on every device; those of sum_binned() do not even depend on the order of the elements."""
    return _call('sum_tree', x, [], out, stream)


def dot(x, y, *, axis=None, out=None, stream=None):
    """The sum of x[i] y[i], of all elements or along an axis; of complex numbers x is conjugated."""
    a = _Array(x, stream)
    if axis is None and not 6 <= a.type < 10 and (a.strides is None or a.order):
        return _call('dot', x, [y], out, stream)
    return _along('dot', x, y, axis, out, stream)


def _many(name, a, sizes, count, out, stream):
    """Starts a function with `count` results, into out or, without it, a list; sizes come between x and the results."""
    handle = _handle(a.device, a.stream or 0)
    values = (a.scalar * count)() if out is None else None
    if out is not None:
        o = _Array(out, stream, True).dense()
        if (o.type, o.n) != (a.result, count):
            raise ValueError(f'{name}: out needs one element for each result, of the type of x, or float32 of float16')
    function = getattr(_library, f'lr_{name}' + ('_value' if out is None else ''))
    _check(function(handle.address, a.type, ctypes.c_void_p(a.address), *sizes,
                    values if out is None else ctypes.c_void_p(o.address), ctypes.c_void_p(a.stream or 0)), handle)
    return list(values) if out is None else out


def _row_stride(a, transposed=False):
    """From row to row, in elements, if those of a row are contiguous; transposed: of the columns."""
    rows, columns = (1, 0) if transposed else (0, 1)
    stride = a.strides[rows] // a.size
    whole = a.strides[rows] % a.size == 0 and stride >= a.shape[columns]
    return stride if whole and (a.strides[columns] == a.size or a.shape[columns] == 1) else None


def _other_axis(name):
    return name.replace('rows', 'columns') if 'rows' in name else name.replace('columns', 'rows')


def _matrix(name, axis, text):
    def function(x, shape=None, out=None, *, stream=None):
        a = _Array(x, stream)
        if shape is None and len(a.shape) == 2 and a.strides:
            called, (rows, columns), stride = name, a.shape, _row_stride(a)
            if stride is None:  # of a transposed matrix the columns are rows
                called, columns, rows = _other_axis(name), rows, columns
                stride = _row_stride(a, True)
            if stride is None:
                raise ValueError(f'{name}: neither rows nor columns are contiguous: copy the array first')
            return _many(called, a, [ctypes.c_size_t(size) for size in (rows, columns, stride)],
                         columns if 'columns' in called else rows, out, stream)
        a.in_rows(name)
        shape = a.shape if shape is None else shape
        if len(shape) != 2:
            raise ValueError(f'{name}: x is not a matrix: give (rows, columns)')
        rows, columns = shape
        if a.n != rows * columns:
            raise ValueError(f'{name}: x needs rows x columns elements')
        return _many(name, a, [ctypes.c_size_t(size) for size in (rows, columns, columns)], (rows, columns)[axis], out, stream)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f'{text} of a matrix of (rows, columns) = shape, or its own, row by row: to out, or as a list.'
    return function


sum_rows = _matrix('sum_rows', 0, 'The sum of each row')
min_rows = _matrix('min_rows', 0, 'The minimum of each row')
max_rows = _matrix('max_rows', 0, 'The maximum of each row')
sum_columns = _matrix('sum_columns', 1, 'The sum of each column')
min_columns = _matrix('min_columns', 1, 'The minimum of each column')
max_columns = _matrix('max_columns', 1, 'The maximum of each column')


def _segments(name, text):
    def function(x, offsets, out=None, *, stream=None):
        a, o = _Array(x, stream).in_rows(name), _Array(offsets, stream).in_rows(name)
        if o.type != 3 or o.n == 0:
            raise ValueError(f'{name}: offsets are int64, one more than there are segments')
        sizes = [ctypes.c_size_t(a.n), ctypes.c_void_p(o.address), ctypes.c_size_t(o.n - 1)]
        return _many(name, a, sizes, o.n - 1, out, stream)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f'{text} of each segment x[offsets[k]:offsets[k + 1]], which are not checked: to out, or as a list.'
    return function


sum_segments = _segments('sum_segments', 'The sum')
min_segments = _segments('min_segments', 'The minimum')
max_segments = _segments('max_segments', 'The maximum')


def _new(x, shape, kind, out, stream, name):
    """out, or a new array for results that stay where x is: (it, its address)."""
    count = 1
    for extent in shape:
        count *= extent
    result = out if out is not None else _empty(x, shape, kind)
    if result is None and _is_cpu and kind in _SCALARS:
        result = (_SCALARS[kind] * count)()
        return Values(result, shape), ctypes.addressof(result)
    if result is None:
        raise ValueError(f'{name}: out is needed for an array of {type(x).__module__}')
    o = _Array(result, stream, True).dense()
    if (o.type, o.n) != (kind, count):
        raise ValueError(f'{name}: out needs {count} elements of {_NAMES[kind]}')
    return result, o.address


def _values(result, handle, stream):
    """A list waits for what the library writes to it."""
    if not isinstance(result, Values):
        return result
    _check(_library.lr_sum_value(handle.address, 1, None, ctypes.c_size_t(0), ctypes.byref(ctypes.c_double()),
                                 ctypes.c_void_p(stream or 0)), handle)
    return Values(result._values, result.shape)


def offsets_of_keys(keys, segments, *, out=None, stream=None):
    """How many of the sorted keys, int32 or int64, are below k, for k = 0 ... segments: the offsets of segments of equal keys."""
    k = _Array(keys, stream).in_rows('offsets_of_keys')
    result, address = _new(keys, (segments + 1,), 3, out, stream, 'offsets_of_keys')
    handle = _handle(k.device, k.stream or 0)
    _check(_library.lr_offsets_of_keys(handle.address, k.type, ctypes.c_void_p(k.address), ctypes.c_size_t(k.n), ctypes.c_size_t(segments),
                                       ctypes.c_void_p(address), ctypes.c_void_p(k.stream or 0)), handle)
    return _values(result, handle, k.stream)


def sum_by_key(x, keys, segments, *, offsets=None, out=None, stream=None):
    """The sums of elements with the same key, for sorted keys 0 ... segments - 1; offsets=: where to leave offsets_of_keys()."""
    a, k = _Array(x, stream).in_rows('sum_by_key'), _Array(keys, stream).in_rows('sum_by_key')
    if a.n != k.n:
        raise ValueError('sum_by_key: each element needs a key')
    kept, at = _new(x, (segments + 1,), 3, offsets, stream, 'sum_by_key, offsets')
    result, address = _new(x, (segments,), a.result, out, stream, 'sum_by_key')
    handle = _handle(a.device, a.stream or 0)
    _check(_library.lr_sum_by_key(handle.address, a.type, ctypes.c_void_p(a.address), k.type, ctypes.c_void_p(k.address),
                                  ctypes.c_size_t(a.n), ctypes.c_size_t(segments), ctypes.c_void_p(at), ctypes.c_void_p(address),
                                  ctypes.c_void_p(a.stream or 0)), handle)
    return _values(result, handle, a.stream)


def dots(x, y, *, out=None, stream=None):
    """The products of each row of x with y, in one pass over x."""
    a, b = _Array(x, stream), _Array(y, stream).in_rows('dots')
    if len(a.shape) != 2 or b.n != a.shape[1] or b.type != a.type:
        raise ValueError('dots: x needs rows of as many elements as y has, of its type')
    lead = _row_stride(a) if a.strides else a.shape[1]
    if lead is None:
        raise ValueError('dots: the rows of x are not contiguous: copy it first')
    result, address = _new(x, (a.shape[0],), a.result, out, stream, 'dots')
    handle = _handle(a.device, a.stream or 0)
    _check(_library.lr_dots(handle.address, a.type, ctypes.c_void_p(a.address), ctypes.c_size_t(a.shape[0]), ctypes.c_size_t(lead),
                            ctypes.c_void_p(b.address), ctypes.c_size_t(b.n), ctypes.c_void_p(address),
                            ctypes.c_void_p(a.stream or 0)), handle)
    return _values(result, handle, a.stream)


def softmax(x, *, out=None, stream=None):
    """The softmax of each row (of the last axis) of floating-point numbers, to out, or as a new array of the same type."""
    a = _Array(x, stream).in_rows('softmax')
    if a.type not in (0, 1, 4, 5) or not a.shape:
        raise ValueError('softmax: x needs floating-point numbers, and an axis')
    result, address = _new(x, a.shape, a.type, out, stream, 'softmax')
    columns = a.shape[-1]
    handle = _handle(a.device, a.stream or 0)
    _check(_library.lr_softmax_rows(handle.address, a.type, ctypes.c_void_p(a.address), ctypes.c_size_t(a.n // columns if columns else 0),
                                    ctypes.c_size_t(columns), ctypes.c_void_p(address), ctypes.c_void_p(a.stream or 0)), handle)
    return _values(result, handle, a.stream)


class Ranks(ctypes.Structure):
    """Of NCCL or RCCL: the address of the program's ncclAllReduce() and a communicator's, as from cupy.cuda.nccl or ctypes."""
    _fields_ = [('all_reduce', ctypes.c_void_p), ('communicator', ctypes.c_void_p)]


def _of_ranks(name, arrays):
    def function(*given, out, stream=None):
        *inputs, ranks = given
        a = [_Array(x, stream).dense() for x in inputs]
        if not a or [(b.type, b.n) for b in a] != [(a[0].type, a[0].n)] * arrays:
            raise ValueError(f'{name}: {arrays} array and Ranks, of one type and length')
        _, address = _new(inputs[0], (1,), _library.lr_result_type(_NUMBERS[name[5:]], a[0].type), out, stream, name)
        handle = _handle(a[0].device, a[0].stream or 0)
        _check(getattr(_library, 'lr_' + name)(handle.address, ctypes.byref(ranks), a[0].type, *(ctypes.c_void_p(b.address) for b in a),
                                               ctypes.c_size_t(a[0].n), ctypes.c_void_p(address),
                                               ctypes.c_void_p(a[0].stream or 0)), handle)
        return out
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f'{name[5:]} over all ranks, in stream order, to out: (x, ranks, out=y), and for dot (x, y, ranks, out=z).'
    return function


for _name, _arrays in (('nccl_sum', 1), ('nccl_min', 1), ('nccl_max', 1), ('nccl_asum', 1), ('nccl_nrm2', 1), ('nccl_dot', 2)):
    globals()[_name] = _of_ranks(_name, _arrays)
    __all__.append(_name)


class Moments(ctypes.Structure):
    """Moments of all elements; variance is the mean of (x - mean)^2."""
    _fields_ = [('count', ctypes.c_int64), ('mean', ctypes.c_double), ('variance', ctypes.c_double),
                ('min', ctypes.c_double), ('max', ctypes.c_double)]

    def __repr__(self):
        return f'Moments({", ".join(f"{name}={getattr(self, name)}" for name, _ in self._fields_)})'


def moments(x, *, axis=None, stream=None):
    """Count, mean, variance, minimum and maximum in one pass; along an axis a list of them."""
    return _along('moments', x, None, axis, None, stream)
