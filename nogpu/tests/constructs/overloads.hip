/* Functions for the host and for the device of one name and the same parameters: the caller's side chooses.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "construct.h"

/* The host's is no constant, the device's is one; and behind a macro. */
struct lanes {
    static __host__ int count(void)
    {
        static const int read = 1;
        return read;
    }
    static __device__ constexpr int count(void) { return 2; }
};
#define LANES lanes::count()

/* Declared first; without a word for the host; defaults; a name that is left out; what is returned in a register or not. */
__device__ float scaled(float x, int by);
float scaled(float x, int by = 10) { return x * (float)by; }
__device__ float scaled(float x, int) { return -x; }
__host__ void put(int *where) { *where = 1; }
__device__ void put(int *there) { *there = 2; }
/* The same name, another type: no such pair. */
__host__ __device__ int put(double) { return 3; }

namespace inner
{
template <typename T, int N = 4> __host__ T times(const T &x) { return x * N; }
template <typename T, int N = 4> __device__ T times(const T &y) { return y * (10 * N); }
} // namespace inner
template <typename... T> __host__ int many(T... x) { return (0 + ... + x); }
template <typename... T> __device__ int many(T... x) { return (100 + ... + x); }

template <typename To, typename From> __host__ To cast(From x) { return (To)x; }
template <typename To, typename From> __device__ To cast(From x) { return (To)(x + 1); }
template <> __host__ short cast<short, int>(int x) { return (short)(x + 2); }
template <> __device__ short cast<short, int>(int x) { return (short)(x + 3); }

/* Operators, and members that are defined outside. */
struct doubles {
    int by;
    __host__ int operator()(int x) const { return x * by; }
    __device__ int operator()(int x) const { return -x * by; }
    __host__ int side() const;
    __device__ int side() const;
    int by_one(int x) const; /* not of a pair: another class has one */
};
int doubles::side() const { return 1; }
__device__ int doubles::side() const { return 2 + by; }
int doubles::by_one(int x) const { return x + by; }
struct others {
    __device__ int by_one(int x) const { return x + 2; }
};

/* One body for each side. */
#define FOR_BOTH __host__ __device__ inline
FOR_BOTH int side_of(int x)
{
#ifdef __HIP_DEVICE_COMPILE__
    if (x > 5)
        return 2 * x;
    return 2;
#else
    return x;
#endif
}
struct sided {
    int side = 0;
    template <typename T> __host__ __device__ constexpr int with(T x) const
    {
#if !defined(__HIP_DEVICE_COMPILE__)
        return side + x;
#else
        return side - x;
#endif
    }
    __host__ __device__ void set()
    {
#if __HIP_DEVICE_COMPILE__
        side = 20;
#else
        side = 10;
#endif
    }
};

/* A function for both calls that of the side where it runs. */
__host__ __device__ int both(int *where)
{
    put(where);
    return LANES;
}
template <typename F> __host__ __device__ int apply(F f, int x) { return f(x); }

__global__ void on_device(int *wrong)
{
    __shared__ int array[lanes::count()];
    constexpr int constant = LANES;
    int x = 0;

    HOLDS(sizeof array == 8 && constant == 2 && LANES == 2 && scaled(3, 10) == -3);
    put(&x);
    HOLDS(x == 2 && put(1.0) == 3 && both(&x) == 2 && x == 2);
    HOLDS((inner::times(2) == 80 && inner::times<int, 1>(2) == 20) && many(1, 2) == 103);
    HOLDS(cast<float>(1) == 2 && cast<short>(1) == 4);
    HOLDS(doubles{2}(3) == -6 && apply(doubles{2}, 3) == -6 && doubles{3}.side() == 5 && others{}.by_one(1) == 3);
    sided s;
    HOLDS(side_of(1) == 2 && side_of(6) == 12 && s.with(3) == -3);
    s.set();
    HOLDS(s.side == 20);
}

int main()
{
    const int constant = lanes::count();
    int x = 0;
    float (*address)(float, int) = scaled;

    EXPECT(constant == 1 && LANES == 1 && scaled(3) == 30 && address(3, 1) == 3);
    put(&x);
    EXPECT(x == 1 && put(1.0) == 3 && both(&x) == 1 && x == 1);
    EXPECT((inner::times(2) == 8 && inner::times<int, 1>(2) == 2) && many(1, 2) == 3);
    EXPECT(cast<float>(1) == 1 && cast<short>(1) == 3);
    EXPECT(doubles{2}(3) == 6 && apply(doubles{2}, 3) == 6 && doubles{3}.side() == 1 && (doubles{2}.by_one(1)) == 3);
    sided s;
    constexpr int by = sided{}.with(3);
    EXPECT(side_of(1) == 1 && side_of(6) == 6 && s.with(3) == 3 && by == 3);
    s.set();
    EXPECT(s.side == 10);
    RUN(on_device, 2, 64);
}
