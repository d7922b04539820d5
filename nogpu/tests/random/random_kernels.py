#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with defined behaviour: what each thread computes is computed again on the host, statement by statement
for all threads, and compared bit for bit.

  random_kernels.py --write FILE SEED COUNT    a program for nvcc, hipcc and nogpu's; it names the first difference
  random_kernels.py --run SEED COUNT [--jobs J] [--each N] [--configurations a,b] [--spread]   builds, runs them with nogpu

A seed makes one kernel, always the same. Build for a GPU with hipcc -ffp-contract=off or nvcc -fmad=false
-Xcompiler -frounding-math (GCC takes 0.0 - n for -n).
FILE.hip has HIP's warp operations without a mask, too; nvcc needs -arch=sm_80 or newer.
Not in it, since it is undefined or differs by definition: signed overflow, casts that do not fit, bits of a NaN, signs of
a zero that fmin chooses, or a < b ? b : a, the order of atomic operations, what a shuffle reads from a lane that takes another branch."""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

INTS = {'signed char': 8, 'unsigned char': 8, 'short': 16, 'unsigned short': 16, 'int': 32, 'unsigned': 32,
        'long long': 64, 'unsigned long long': 64}
FLOATS = ('float', 'double')
VECTORS = {'int4': ('int', 'xyzw'), 'float2': ('float', 'xy'), 'uchar4': ('unsigned char', 'xyzw'),
           'short2': ('short', 'xy'), 'double2': ('double', 'xy'), 'uint2': ('unsigned', 'xy')}

HEAD = '''#if defined(__CUDACC__)
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define gpu(name) cuda##name
typedef cudaDeviceProp device_properties;
typedef unsigned mask_t;
#define FULL 0xffffffffu
#define FIRST(mask) (__ffs((int)(mask)) - 1)
#define COUNT(mask) __popc(mask)
#else
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#define gpu(name) hip##name
typedef hipDeviceProp_t device_properties;
typedef unsigned long long mask_t;
#define FULL (warpSize == 64 ? ~0ull : 0xffffffffull)
#define FIRST(mask) (__ffsll((long long)(mask)) - 1)
#define COUNT(mask) __popcll(mask)
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long u64;
#if !defined(__HIP_PLATFORM_CPU__) /* else what is compared is compiled without optimization: another way to the same bits */
#define HOST static
#elif defined(__clang__)
#define HOST __attribute__((optnone, noinline)) static
#else
#define HOST __attribute__((optimize("O0"))) static
#endif
#define BOTH __host__ __device__ static inline
#define OK(call) do { if ((call) != gpu(Success)) { printf("%s failed\\n", #call); exit(3); } } while (0)
template <typename T> BOTH u64 bits(T x) { u64 b = 0; if (x != x) return 0x7ff8; memcpy(&b, &x, sizeof x); return b; }
BOTH int whole(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }
BOTH float half_of(float x) { return __half2float(__float2half(x > -6e4f && x < 6e4f ? x : 1.5f)); }
BOTH u64 mix(u64 x) { x ^= x >> 31; x *= 0x9e3779b97f4a7c15ull; return x ^ x >> 29; }
struct record { int a; short b; unsigned char c[3]; double d; };
BOTH record changed(record r, int x) { r.a ^= x; r.b = (short)((unsigned)r.b + (unsigned)x); r.c[x & 1] = (unsigned char)x; r.d += r.c[2]; return r; }
HOST int first_of(const bool *is) { int i = 0; while (!is[i]) i++; return i; }
static int compare(const char *name, const u64 *got, const u64 *want, int threads, int values, int block)
{
    for (int i = 0; i < threads * values; i++)
        if (got[i] != want[i])
            return printf("%s: block %d, thread %d, v%d: %llx on the device, %llx on the host\\n", name, i / values / block,
                          i / values % block, i % values, got[i], want[i]);
    return 0;
}
'''


class Kernel:
    """Statements in which {v0}, {t}, {b} stand for a thread's values, its index, its block's."""

    def __init__(self, seed, hip):
        self.r = random.Random(seed)
        self.seed, self.hip = seed, hip
        # Who is here: on the host, in an array; on the device by this test of a lane; as a mask, if one is known.
        self.each, self.here, self.lanes, self.mask = 'EACH', '', '', 'FULL'
        self.block = self.r.choice([64, 128, 192, 256, 64, 128, 31, 1, 100])
        self.grid = self.r.choice([1, 2, 3, 5])
        self.warps = self.block % 64 == 0
        self.types = [self.r.choice(list(INTS) + list(FLOATS)) for _ in range(self.r.randint(3, 6))]
        self.types += ['int', 'unsigned', 'float', 'long long']
        self.device, self.host, self.shared, self.depth, self.counters, self.shared_loop = [], [], 0, 0, '', False
        for _ in range(self.r.randint(6, 14)):
            self.statement()

    # ---- expressions of a type, with defined behaviour ----

    def value(self, kind=None):
        """The name of a value, of these types."""
        names = [i for i, t in enumerate(self.types) if kind is None or t in kind]
        i = self.r.choice(names)
        return '{v%d}' % i, self.types[i]

    def integer(self, depth=2):
        """An expression of any integer type that does not overflow: in unsigned long long."""
        r, c = self.r, self.r.randrange(11 if depth else 2)
        if c == 0:
            return '%dull' % r.choice([0, 1, 2, 3, 7, 31, 255, 65535, 1 << 31, (1 << 64) - 1, r.getrandbits(40)])
        if c == 1 or depth == 0:
            return r.choice(['(u64){t}', '(u64){b}', '(u64)%s' % self.value(INTS)[0]])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        kind = r.choice(list(INTS))
        if c < 6:
            return '((%s) %s (%s))' % (a, r.choice('+-*&|^'), b)
        if c == 6:
            return '((%s) %s ((%s) & 63))' % (a, r.choice(['<<', '>>']), b)
        if c == 7:
            return '((%s) %s ((%s) | 1))' % (a, r.choice('/%'), b)
        if c == 8:
            return '(u64)((%s)(%s) >> ((%s) & %d))' % (kind, a, b, INTS[kind] - 1)
        if c == 9:
            return '((%s)(%s) %s (%s)(%s) ? (%s) : (%s))' % (kind, a, r.choice(['<', '==', '>=']), kind, b, b, a)
        return r.choice(['(u64)whole(%s)' % self.real(depth - 1), 'mix(%s)' % a, '(u64)(%s)(%s)' % (kind, a)])

    def real(self, depth=2):
        r, c = self.r, self.r.randrange(8 if depth else 2)
        if c == 0:
            return r.choice(['0.5', '3.0', '-1.25', '1e10', '0.1f', '7.0f'])
        if c == 1 or depth == 0:
            return r.choice(['(double)(int)(%s)' % self.integer(0), self.value(FLOATS + ('float',))[0]])
        a, b, kind = self.real(depth - 1), self.real(depth - 1), r.choice(FLOATS)
        if c < 5:
            return '((%s)(%s) %s (%s)(%s))' % (kind, a, r.choice('+-*/'), kind, b)
        if c == 5:
            return 'half_of((float)(%s))' % a
        if c == 6:
            return '(float)(%s)' % a
        return '(((%s) < (%s) ? (%s) : (double)(%s)) + 0.0)' % (a, b, b, a) # nvcc makes a maximum of it: of 0 and -0 either

    def expression(self, kind):
        return '(%s)(%s)' % (kind, self.integer() if kind in INTS else self.real())

    # ---- statements ----

    def local(self, text):
        """What a thread does alone."""
        self.device.append(text)
        self.host.append('%s {{ %s }}' % (self.each, text))

    def meet(self, device, host):
        """What threads do together; on the host for all of them."""
        self.device.append(device)
        self.host.append(host)

    def statement(self):
        choices = [self.assign, self.assign, self.loop, self.branch, self.vector, self.struct]
        if not self.depth:
            choices += [self.exchange, self.exchange, self.atomics] + [self.together] * (not self.shared_loop)
        if self.warps:
            choices += [self.shuffle, self.vote] * (1 + self.depth)
        if self.warps and self.depth < 2 and self.mask:
            choices += [self.part, self.part, self.turns]
        if self.mask != 'FULL' and self.mask:
            choices += [self.reduce, self.through_memory]
        if self.counters:
            choices.append(self.count)
        self.r.choice(choices)()

    def assign(self):
        name, kind = self.value()
        self.local('%s = %s;' % (name, self.expression(kind)))

    def branch(self):
        (a, x), (b, y) = self.value(), self.value()
        self.local('if ((%s) & %d) %s = %s; else %s = %s;' % (self.integer(1), self.r.choice([1, 2, 4, 255]), a,
                                                              self.expression(x), b, self.expression(y)))

    def loop(self):
        name, kind = self.value(INTS)
        other = self.value(FLOATS)[0]
        stop = self.r.choice(['', 'if (i == %d) break;' % self.r.randint(1, 5), 'if ((i & 1) != 0) continue;'])
        self.local('for (int i = 0; i < (int)(%s & 7); i++) {{ %s = (%s)(%s + (u64)i); %s %s = %s * 0.5f; }}' % (
            self.integer(1), name, kind, self.integer(1), stop, other, other))

    def together(self):
        """A loop of all threads, who change its counters together."""
        n, (name, kind), self.shared_loop = self.number(), self.value(INTS), True
        begin = '{{ int c%d = %d, k%d = 0;' % (n, self.r.randint(2, 9), n)
        loop = self.r.choice(['while (c%d > 1)', 'for (; c%d > 1;)']) % n + ' {{ int h%d = (c%d + 1) / 2;' % (n, n)
        mine = '%s = (%s)(%s + (u64)(h%d * 3 + k%d));' % (name, kind, name, n, n)
        self.meet(begin + loop, begin + loop)
        self.local(mine)
        for _ in range(self.r.randint(1, 3)):
            self.statement()
        step = 'c%d = h%d; k%d += 2;' % (n, n, n)
        self.meet('__syncthreads(); %s }}' % step, '%s }}' % step)
        self.local('%s = (%s)(%s + (u64)(c%d + k%d));' % (name, kind, name, n, n))
        self.meet('}}', '}}')
        self.shared_loop = False

    def vector(self):
        kind, (element, parts) = self.r.choice(list(VECTORS.items()))
        name, to = self.value()
        a, b = self.r.choice(parts), self.r.choice(parts)
        fields = ', '.join(self.expression(element) for _ in parts)
        self.local('{{ %s x = make_%s(%s), y = x; y.%s = x.%s; x.%s = %s; %s = (%s)whole((double)(x.%s) + (double)y.%s); }}' % (
            kind, kind, fields, a, b, b, self.expression(element), name, to, a, a))

    def struct(self):
        name, kind = self.value(INTS)
        self.local('{{ record x = {{(int)(%s), (short){t}, {{1, 2, (unsigned char)(%s)}}, 0.5}}, *p = &x; *p = changed(x, (int)(%s)); '
                   '%s = (%s)((u64)p->a + (u64)p->b + p->c[0] + p->c[1] + (u64)whole(p->d)); }}' % (
                       self.integer(1), self.integer(0), self.integer(1), name, kind))

    def exchange(self):
        """Through shared memory: each thread writes one element, and reads another's."""
        name, kind = self.value()
        to, n, dynamic = self.r.randrange(self.block), self.block, self.r.random() < 0.4
        step = self.r.choice([1, 3, 5, 7])
        x = 's%d' % self.shared
        self.shared += 1
        memory = '%s *%s = (%s *)dynamic;' % (kind, x, kind) if dynamic else '__shared__ %s %s[%d];' % (kind, x, n)
        write, read = '%s[({t} + %d) %% %d] = %s;' % (x, to, n, name), '%s = %s[{t} * %d %% %d];' % (name, x, step, n)
        self.meet('{{ %s %s __syncthreads(); %s __syncthreads(); }}' % (memory, write, read),
                  '{{ static %s %s[%d]; EACH {{ %s }} EACH {{ %s }} }}' % (kind, x, n, write, read))

    def atomics(self):
        """Their order must not matter, so nobody looks at what they return."""
        call, step = self.r.choice([('atomicAdd', 'm += x'), ('atomicMax', 'm = x > m ? x : m'), ('atomicMin', 'm = x < m ? x : m'),
                                    ('atomicAnd', 'm &= x'), ('atomicOr', 'm |= x'), ('atomicXor', 'm ^= x')])
        kind = self.r.choice(['unsigned', 'unsigned long long'] + (['int'] if call != 'atomicAdd' else []))
        name, to = self.value(INTS)
        x = 's%d' % self.shared
        self.shared += 1
        index, value = '(int)(%s & 3)' % self.integer(1), '(%s)(%s)' % (kind, self.integer(1))
        read = '%s = (%s)(%s[{t} & 3] + (u64)%s);' % (name, to, x, name)
        self.meet('{{ __shared__ %s %s[4]; for (int i = {t}; i < 4; i += %d) %s[i] = 5; __syncthreads(); %s(&%s[%s], %s); '
                  '__syncthreads(); %s }}' % (kind, x, self.block, x, call, x, index, value, read),
                  '{{ %s %s[4] = {{5, 5, 5, 5}}; EACH {{ %s &m = %s[%s], x = %s; %s; }} EACH {{ %s }} }}' % (
                      kind, x, kind, x, index, value, step, read))

    # ---- what lanes of a warp do together ----

    def number(self):
        self.shared += 1
        return self.shared

    def call(self, name, arguments):
        """An operation of the lanes that are here: with their mask, or in HIP's form without one."""
        if not self.mask or (self.hip and not self.depth and self.r.random() < 0.5):
            return '__%s(%s)' % (name, arguments)
        return '__%s_sync(%s, %s)' % (name, self.mask, arguments)

    def shuffle(self):
        """In sections of a width; a source outside of them is the lane itself. What a lane has that is not here counts for nothing."""
        name, kind = self.value(('int', 'unsigned', 'long long', 'unsigned long long', 'float', 'double'))
        width, by, n = self.r.choice([2, 8, 16, 32]), self.r.choice([0, 1, 2, 4, 8, self.r.randint(0, 9)]), self.number()
        calls = [('shfl', '{t} * %d' % by, 'l / %d * %d + ({t} * %d) %% %d' % (width, width, by, width)),
                 ('shfl_down', by, 'l %% %d + %d < %d ? l + %d : l' % (width, by, width, by)),
                 ('shfl_up', by, 'l %% %d >= %d ? l - %d : l' % (width, by, by)),
                 ('shfl_xor', by, '(l ^ %d) < l / %d * %d + %d ? l ^ %d : l' % (by, width, width, width, by))]
        operation, operand, source = self.r.choice(calls)
        call = self.call(operation, 'x%d, %s, %d' % (n, operand, width))
        if not self.mask: # HIP without a mask: lanes that are elsewhere are not read
            step = self.r.choice([1, 2, 4, 8, 16, 31])
            source = '(l ^ %d)' % step
            call, source = '__shfl(x%d, to%d)' % (n, n), '(%s[{t} - l + %s] ? %s : l)' % (self.lanes, source, source)
            take = 'const int l{0} = {{t}} % warpSize, s{0} = l{0} ^ {1}, to{0} = {2} ? s{0} : l{0}; '.format(
                n, step, self.here.replace('- l + s', '- l%d + s%d' % (n, n)))
            self.meet('{{ %s x%d = %s; %s%s = %s; }}' % (kind, n, name, take, name, call), self.host_shuffle(kind, name, source))
            return
        if self.lanes and self.r.random() < 0.4: # the first of them is always here
            call, source = '__shfl_sync(%s, x%d, FIRST(%s))' % (self.mask, n, self.mask), '(int)FIRST_OF(%s)' % self.lanes
            take = ''
        else:
            take = 'int l = {t} %% warpSize, s = %s; if (%s) ' % (source, self.here) if self.here else ''
        self.meet('{{ %s x%d = %s; %s y%d = %s; %s%s = y%d; }}' % (kind, n, name, kind, n, call, take, name, n),
                  self.host_shuffle(kind, name, source))

    def host_shuffle(self, kind, name, source):
        return '{{ static %s x[%d]; %s {{ x[{t}] = %s; }} %s {{ int l = {t} %% warp, s = %s; %s%s = x[{t} - l + s]; }} }}' % (
            kind, self.block, self.each, name, self.each, source, 'if (%s[{t} - l + s]) ' % self.lanes if self.lanes else '', name)

    def vote(self):
        name, kind = self.value(INTS)
        test, n = '((%s) & 1) != 0' % self.integer(1), self.number()
        here = self.lanes + '[{t}]' if self.lanes else 'true'
        call, got, of = self.r.choice([('ballot', 'COUNT(b%d)', 'count'), ('any', 'b%d != 0', 'count > 0'), ('all', 'b%d != 0', 'count == all')])
        self.meet('{{ bool is%d = %s; const mask_t b%d = %s; %s = (%s)(%s); }}' % (
            n, test, n, self.call(call, 'is%d' % n), name, kind, got % n),
                  '{{ for (int w = 0; w < %d; w += warp) {{ int count = 0, all = 0; EACH_OF_WARP if (%s) {{ all++; count += %s; }} '
                  'EACH_OF_WARP if (%s) {{ %s = (%s)(%s); }} }} }}' % (self.block, here, test, here, name, kind, of))

    def reduce(self):
        """Of the lanes of a mask: all that have the same number, and what all numbers together make."""
        (name, kind), n = self.value(INTS), self.number()
        number, call, begin, step = self.r.choice([
            ('int', '__reduce_max_sync', '-2147483647 - 1', 'm = x > m ? x : m'), ('unsigned', '__reduce_add_sync', '0', 'm += x'),
            ('unsigned', '__reduce_xor_sync', '0', 'm ^= x'), ('int', '__reduce_min_sync', '2147483647', 'm = x < m ? x : m'),
            ('unsigned', '__reduce_and_sync', '~0u', 'm &= x'), ('unsigned', '__match_any_sync', '0', 'm += x == mine')])
        value = '(%s)(%s)' % (number, self.integer(1))
        if 'match' in call:
            value, call = '((%s) & 3)' % value, 'COUNT(__match_any_sync'
        self.meet('{{ %s x%d = %s; %s = (%s)%s(%s, x%d)%s; }}' % (number, n, value, name, kind, call, self.mask, n, ')' * ('match' in call)),
                  '{{ static %s all[%d]; %s {{ all[{t}] = %s; }} for (int w = 0; w < %d; w += warp) for (int mine_is = w; mine_is < w + warp; '
                  'mine_is++) {{ %s m = %s, mine = all[mine_is]; (void)mine; EACH_OF_WARP if (%s[{t}]) {{ %s x = all[{t}]; %s; }} '
                  'EACH_OF_WARP if (%s[{t}] && {t} == mine_is) %s = (%s)m; }} }}' % (
                      number, self.block, self.each, value, self.block, number, begin, self.lanes, number, step, self.lanes, name, kind))

    def through_memory(self):
        """Lanes of a mask read what the first of them has written."""
        (name, kind), n = self.value(), self.number()
        self.meet('{{ __shared__ %s w%d[%d]; w%d[{t}] = %s; __syncwarp(%s); %s = w%d[{t} - {t} %% warpSize + FIRST(%s)]; __syncwarp(%s); }}' % (
            kind, n, self.block, n, name, self.mask, name, n, self.mask, self.mask),
                  '{{ static %s x[%d]; %s {{ x[{t}] = %s; }} %s {{ int l = {t} %% warp; %s = x[{t} - l + FIRST_OF(%s)]; }} }}' % (
                      kind, self.block, self.each, name, self.each, name, self.lanes))

    def count(self):
        text = '%s[(int)(%s & 3)], (unsigned)(%s)' % (self.counters, self.integer(1), self.integer(1))
        self.meet('atomicAdd(&%s);' % text, '%s {{ %s; }}' % (self.each, text.replace('], ', '] += ')))

    def part(self):
        """A branch that some lanes take, and perhaps another one for the others; both count in shared memory."""
        n, before = self.number(), (self.each, self.here, self.lanes, self.mask)
        known = self.r.random() < 0.5 # before the kernel runs
        bit = self.r.randint(0, 6)
        test = self.r.choice(['({t} >> %d & 1) == %d' % (bit, self.r.randrange(2)), '({t} & 31) < %d' % self.r.randint(1, 31),
                              '({t} & 7) == %d' % self.r.randrange(8), '{t} < %d' % self.r.randint(1, self.block),
                              '({t} & 63) >= %d' % self.r.randint(1, 63)])
        if not known:
            test = '((%s) & 3) %s %d' % (self.integer(1), self.r.choice(['==', '!=']), self.r.randrange(4))
        bare = known and self.hip and not self.depth and self.r.random() < 0.8 # the others wait at a barrier
        other = not bare and self.r.random() < 0.4
        counts = not self.depth and self.r.random() < 0.3
        if counts:
            self.counters = 'c%d' % n
            self.meet('__shared__ unsigned c%d[4]; for (int i = {t}; i < 4; i += %d) c%d[i] = 5; __syncthreads();' % (n, self.block, n),
                      '{{ unsigned c%d[4] = {{5, 5, 5, 5}};' % n)
        if bare:
            self.device.append('{{ if (%s) {{' % test)
        elif known and '&' in test and '63' not in test and bit < 5 and not self.depth and self.r.random() < 0.5: # the same in each warp
            lanes = sum(1 << t for t in range(64) if eval(test.format(t=t)))
            self.device.append('{{ const bool is%d = %s; const mask_t m%d = %#xull & FULL, n%d = ~%#xull & FULL; if (is%d) {{' % (
                n, test, n, lanes, n, lanes, n))
        else:
            self.device.append('{{ const bool is%d = %s; const mask_t m%d = %s%s; if (is%d) {{' % (
                n, test, n, self.call('ballot', 'is%d' % n), ', n%d = %s' % (n, self.call('ballot', '!is%d' % n)) if other else '', n))
        self.host.append('{{ static bool is%d[%d]; EACH is%d[{t}] = false; %s is%d[{t}] = %s;' % (n, self.block, n, self.each, n, test))
        for way in 'mn' if other else 'm':
            if way == 'n':
                self.device.append('}} else {{')
                self.host.append('%s is%d[{t}] = !is%d[{t}];' % (before[0], n, n))
            self.each, self.lanes, self.mask = 'EACH if (is%d[{t}])' % n, 'is%d' % n, '%s%d' % (way, n)
            self.here = '(%s >> s & 1) != 0' % self.mask
            if bare:
                self.here, self.mask = '(%s)' % test.replace('{t}', '({t} - l + s)'), None
            self.depth += 1
            for _ in range(self.r.randint(1, 3)):
                self.statement()
            self.depth -= 1
        self.device.append('}} }}' + ' __syncthreads();' * bare)
        self.host.append('}}')
        self.each, self.here, self.lanes, self.mask = before
        if counts:
            self.counters, (name, kind) = '', self.value(INTS)
            read = '%s = (%s)(c%d[{t} & 3] + (u64)%s);' % (name, kind, n, name)
            self.meet('__syncthreads(); ' + read, 'EACH {{ %s }} }}' % read)

    def turns(self):
        """A loop that lanes leave one after the other."""
        n, before = self.number(), (self.each, self.here, self.lanes, self.mask)
        most = self.r.choice(['{t} & 3', '({t} >> 3) % 4', '(int)(%s & 3)' % self.integer(1)])
        self.device.append('{{ const int n%d = %s; mask_t m%d = %s; for (int i%d = 0; i%d < n%d;) {{' % (
            n, most, n, self.call('ballot', '0 < n%d' % n), n, n, n))
        self.host.append('{{ static int n%d[%d]; EACH n%d[{t}] = 0; %s n%d[{t}] = %s; for (int i = 0; i < 3; i++) {{ static bool is%d[%d]; '
                         'EACH is%d[{t}] = i < n%d[{t}];' % (n, self.block, n, self.each, n, most, n, self.block, n, n))
        self.each, self.lanes, self.mask, self.here = 'EACH if (is%d[{t}])' % n, 'is%d' % n, 'm%d' % n, '(m%d >> s & 1) != 0' % n
        self.depth += 1
        for _ in range(self.r.randint(1, 2)):
            self.statement()
        self.device.append('i%d++; m%d = %s; }} }}' % (n, n, self.call('ballot', 'i%d < n%d' % (n, n))))
        self.depth -= 1
        self.host.append('}} }}')
        self.each, self.here, self.lanes, self.mask = before

    # ---- the program ----

    def text(self):
        names, n = range(len(self.types)), len(self.types)
        begin = ' '.join('{v%d} = (%s)(int)(mix({t} + {b} * 131 + %d) & 1023);' % (i, k, i) for i, k in enumerate(self.types))
        end = ' '.join('out[({b} * %d + {t}) * %d + %d] = bits({v%d});' % (self.block, n, i, i) for i in names)
        device = dict({'v%d' % i: 'v%d' % i for i in names}, t='(int)threadIdx.x', b='(int)blockIdx.x')
        host = dict({'v%d' % i: 'me[t].v%d' % i for i in names}, t='t', b='b')
        values = ' '.join('%s v%d;' % (k, i) for i, k in enumerate(self.types))
        lines = ['namespace kernel_%d' % self.seed, '{', '__global__ void k(u64 *out)', '{',
                 '    extern __shared__ double2 dynamic[]; (void)dynamic;', '    ' + values]
        lines += ['    ' + s.format(**device) for s in [begin] + self.device + [end]]
        lines += ['}', 'HOST void on_host(u64 *out, int warp)', '{', '    static struct { %s } me[%d]; (void)warp;' % (values, self.block),
                  '    for (int b = 0; b < %d; b++) {' % self.grid, '#define EACH for (int t = 0; t < %d; t++)' % self.block]
        lines += ['        ' + s.format(**host) for s in ['EACH {{ %s }}' % begin] + self.host + ['EACH {{ %s }}' % end]]
        lines += ['    }', '#undef EACH', '}', 'HOST int run(int warp)', '{', '    const int n = %d;' % (self.grid * self.block * n),
                  '    static u64 got[n], want[n]; u64 *d;', '    OK(gpu(Malloc)(&d, sizeof got));',
                  '    k<<<%d, %d, %d>>>(d);' % (self.grid, self.block, 16 * self.block), '    OK(gpu(GetLastError)());',
                  '    OK(gpu(Memcpy)(got, d, sizeof got, gpu(MemcpyDeviceToHost)));', '    OK(gpu(Free)(d)); on_host(want, warp);',
                  '    return compare("seed %d", got, want, %d, %d, %d);' % (self.seed, self.grid * self.block, n, self.block), '}', '}']
        return '\n'.join(lines) + '\n'


def program(seed, count, hip):
    kernels = [Kernel(seed + i, hip).text() for i in range(count)]
    each = '#define EACH_OF_WARP for (int t = w; t < w + warp; t++)\n#define FIRST_OF(is) first_of(is + (t - t % warp))\n'
    runs = ''.join('    wrong += kernel_%d::run(p.warpSize) != 0;\n' % (seed + i) for i in range(count))
    return '%s%s%s\nint main()\n{\n    int wrong = 0; device_properties p;\n    OK(gpu(GetDeviceProperties)(&p, 0));\n%s    return wrong > 0;\n}\n' % (
        HEAD, each, '\n'.join(kernels), runs)


# Who compiles, with which options, and how it runs.
CONFIGURATIONS = {'nvcc-O0': ('nvcc', '-O0', {}), 'nvcc-O2': ('nvcc', '-O2', {'HIP_CPU_SCHEDULE': 'reverse'}),
                  'loops': ('nvcc', '-O2', {}),
                  'hipcc-O1': ('hipcc', '-O1', {'HIP_CPU_WARP_SIZE': '64'}),
                  'hipcc-O3': ('hipcc', '-O3', {'HIP_CPU_WARP_SIZE': '32', 'HIP_CPU_SCHEDULE': 'random:3'}),
                  'traced': ('nvcc', '', {'HIP_CPU_TRACE': 'races'}), 'traced64': ('hipcc', '', {'HIP_CPU_TRACE': 'races'})}


def run(seed, count, name):
    """What went wrong, in one line and what it said; '' if nothing did."""
    bin_folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'bin')
    driver, options, settings = CONFIGURATIONS[name]
    traced = {k: v for k, v in settings.items() if k == 'HIP_CPU_TRACE'}
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, 'k.cu' if driver == 'nvcc' else 'k.hip'), os.path.join(folder, 'k')
        with open(source, 'w') as file:
            file.write(program(seed, count, driver == 'hipcc'))
        try:
            done = subprocess.run([os.path.join(bin_folder, driver), *options.split(), '-w', '-o', out, source],
                                  env=dict(os.environ, **traced), capture_output=True, text=True)
            if done.returncode == 0:
                done = subprocess.run([out], env=dict(os.environ, **settings), capture_output=True, text=True, timeout=600)
            said, code = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            said, code = 'no end after 600 s', 1
    return code and '%s, seeds %d to %d: %s' % (name, seed, seed + count - 1, '\n'.join(said.splitlines()[:12]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('seed', type=int)
    parser.add_argument('count', type=int)
    parser.add_argument('--write', metavar='FILE')
    parser.add_argument('--run', action='store_true')
    parser.add_argument('--jobs', type=int, default=1, help='programs at a time')
    parser.add_argument('--each', type=int, default=20, help='kernels in one program')
    parser.add_argument('--spread', action='store_true', help='each program in one configuration, and not in all')
    parser.add_argument('--configurations', default=','.join(CONFIGURATIONS))
    a = parser.parse_args()
    if a.write:
        with open(a.write, 'w') as file:
            file.write(program(a.seed, a.count, a.write.endswith('.hip')))
        return
    names, work = a.configurations.split(','), []
    for i, seed in enumerate(range(a.seed, a.seed + a.count, a.each)):
        for name in [names[i % len(names)]] if a.spread else names:
            work.append((seed, min(a.each, a.seed + a.count - seed), name))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for wrong in filter(None, pool.map(lambda w: run(*w), work)):
            print(wrong, flush=True)
            failed += 1
    print('%d kernels, %d configurations, %d of %d programs wrong' % (a.count, len(names), failed, len(work)))
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
