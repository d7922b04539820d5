/* Memory beyond hipMalloc and hipMemcpy: managed, pools, rows with a pitch, variables of the device; part of api.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_MEMORY_H
#define HIP_CPU_API_MEMORY_H

#define hipHostMallocNumaUser      0x20000000
#define hipHostMallocCoherent      0x40000000
#define hipHostMallocNonCoherent   0x80000000
#define hipHostAllocDefault        hipHostMallocDefault
#define hipHostAllocPortable       hipHostMallocPortable
#define hipHostAllocMapped         hipHostMallocMapped
#define hipHostAllocWriteCombined  hipHostMallocWriteCombined
#define hipHostRegisterDefault     0x0
#define hipHostRegisterIoMemory    0x4
#define hipHostRegisterReadOnly    0x8
#define hipMemAttachGlobal         0x1
#define hipMemAttachHost           0x2
#define hipMemAttachSingle         0x4
#define hipDeviceMallocDefault     0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory      0x2
#define hipDeviceMallocUncached    0x3
#define hipCpuDeviceId             (-1)
#define hipInvalidDeviceId         (-2)

typedef void *hipDeviceptr_t;
typedef struct hip_cpu_pool *hipMemPool_t;

typedef enum hipMemoryAdvise {
    hipMemAdviseSetReadMostly = 1,
    hipMemAdviseUnsetReadMostly,
    hipMemAdviseSetPreferredLocation,
    hipMemAdviseUnsetPreferredLocation,
    hipMemAdviseSetAccessedBy,
    hipMemAdviseUnsetAccessedBy,
    hipMemAdviseSetCoarseGrain = 100,
    hipMemAdviseUnsetCoarseGrain = 101
} hipMemoryAdvise;

typedef enum hipMemoryType {
    hipMemoryTypeUnregistered,
    hipMemoryTypeHost,
    hipMemoryTypeDevice,
    hipMemoryTypeManaged
} hipMemoryType;
typedef struct hipPointerAttribute_t {
    union {
        hipMemoryType type, memoryType; /* the second until HIP 5 and CUDA 10 */
    };
    int device;
    void *devicePointer, *hostPointer;
    int isManaged;
    unsigned allocationFlags;
} hipPointerAttribute_t;

typedef enum hipMemPoolAttr {
    hipMemPoolReuseFollowEventDependencies = 1,
    hipMemPoolReuseAllowOpportunistic,
    hipMemPoolReuseAllowInternalDependencies,
    hipMemPoolAttrReleaseThreshold,
    hipMemPoolAttrReservedMemCurrent,
    hipMemPoolAttrReservedMemHigh,
    hipMemPoolAttrUsedMemCurrent,
    hipMemPoolAttrUsedMemHigh
} hipMemPoolAttr;
typedef enum hipMemLocationType {
    hipMemLocationTypeInvalid,
    hipMemLocationTypeDevice,
    hipMemLocationTypeHost
} hipMemLocationType;
typedef struct hipMemLocation {
    hipMemLocationType type;
    int id;
} hipMemLocation;
typedef enum hipMemAccessFlags {
    hipMemAccessFlagsProtNone,
    hipMemAccessFlagsProtRead,
    hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;
typedef struct hipMemAccessDesc {
    hipMemLocation location;
    hipMemAccessFlags flags;
} hipMemAccessDesc;
typedef enum hipMemAllocationType { hipMemAllocationTypeInvalid, hipMemAllocationTypePinned } hipMemAllocationType;
typedef enum hipMemAllocationHandleType { hipMemHandleTypeNone } hipMemAllocationHandleType;
typedef struct hipMemPoolProps {
    hipMemAllocationType allocType;
    hipMemAllocationHandleType handleTypes;
    hipMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned char reserved[56];
} hipMemPoolProps;

typedef struct hipPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} hipPitchedPtr;
typedef struct hipExtent {
    size_t width, height, depth; /* width in bytes */
} hipExtent;
typedef struct hipPos {
    size_t x, y, z;
} hipPos;
typedef struct hipMemcpy3DParms {
    void *srcArray; /* hipArray_t: its extent counts elements; NULL: srcPtr */
    hipPos srcPos;
    hipPitchedPtr srcPtr;
    void *dstArray;
    hipPos dstPos;
    hipPitchedPtr dstPtr;
    hipExtent extent;
    hipMemcpyKind kind;
} hipMemcpy3DParms;

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the host and the device alike. */
hipError_t hipMallocManaged(void **pointer, size_t bytes, unsigned flags);
hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned flags);
hipError_t hipMallocHost(void **pointer, size_t bytes);
hipError_t hipHostAlloc(void **pointer, size_t bytes, unsigned flags);
hipError_t hipFreeHost(void *pointer);
hipError_t hipHostGetFlags(unsigned *flags, void *host);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer);
hipError_t hipMemGetAddressRange(hipDeviceptr_t *start, size_t *bytes, hipDeviceptr_t pointer);
/* Hints: nothing moves here. */
hipError_t hipMemAdvise(const void *pointer, size_t bytes, hipMemoryAdvise advice, int device);
hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, int device, hipStream_t stream HIP_CPU_DEFAULT(0));

/* In the order of a stream, from a pool. A device has one pool, and others are as good as it. */
hipError_t hipMallocAsync(void **pointer, size_t bytes, hipStream_t stream);
hipError_t hipFreeAsync(void *pointer, hipStream_t stream);
hipError_t hipMallocFromPoolAsync(void **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream);
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device);
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device);
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);
hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties);
hipError_t hipMemPoolDestroy(hipMemPool_t pool);
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes);
/* The only device always has access: hipErrorInvalidDevice for others, hipErrorInvalidValue if it shall not. */
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *list, size_t count);
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);

/* Rows of `width` bytes that begin `pitch` bytes after each other. */
hipError_t hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
hipError_t hipMalloc3D(hipPitchedPtr *pointer, hipExtent extent);
hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind);
hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
hipError_t hipMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height,
                            hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemcpy3D(const hipMemcpy3DParms *copy);
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *copy, hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemset3D(hipPitchedPtr to, int byte, hipExtent extent);
hipError_t hipMemset3DAsync(hipPitchedPtr to, int byte, hipExtent extent, hipStream_t stream HIP_CPU_DEFAULT(0));

/* Copies under other names, and fills by elements. */
hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes);
hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void *from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                              hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count);
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count);
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count);

hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream);
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream);
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream);
/* Memory belongs to no stream here. */
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *pointer, size_t bytes HIP_CPU_DEFAULT(0),
                                   unsigned flags HIP_CPU_DEFAULT(hipMemAttachSingle));

/* From now on a copy may name it as memory of the device. */
void hip_cpu_know_symbol(const void *start, size_t bytes);

static inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth)
{
    hipExtent extent = {width, height, depth};
    return extent;
}
static inline hipPos make_hipPos(size_t x, size_t y, size_t z)
{
    hipPos pos = {x, y, z};
    return pos;
}
static inline hipPitchedPtr make_hipPitchedPtr(void *pointer, size_t pitch, size_t x, size_t y)
{
    hipPitchedPtr pitched = {pointer, pitch, x, y};
    return pitched;
}

#ifdef __cplusplus
}

/* ---- typed pointers, default arguments ---- */

template <typename T>
static inline hipError_t hipMallocManaged(T **pointer, size_t bytes, unsigned flags = hipMemAttachGlobal)
{
    return hipMallocManaged((void **)pointer, bytes, flags);
}
template <typename T> static inline hipError_t hipExtMallocWithFlags(T **pointer, size_t bytes, unsigned flags = 0)
{
    return hipExtMallocWithFlags((void **)pointer, bytes, flags);
}
template <typename T>
static inline hipError_t hipMallocHost(T **pointer, size_t bytes, [[maybe_unused]] unsigned flags = 0)
{
    return hipMallocHost((void **)pointer, bytes);
}
template <typename T> static inline hipError_t hipHostAlloc(T **pointer, size_t bytes, unsigned flags = 0)
{
    return hipHostAlloc((void **)pointer, bytes, flags);
}
template <typename T> static inline hipError_t hipMallocAsync(T **pointer, size_t bytes, hipStream_t stream)
{
    return hipMallocAsync((void **)pointer, bytes, stream);
}
template <typename T>
static inline hipError_t hipMallocAsync(T **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream)
{
    return hipMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <typename T>
static inline hipError_t hipMallocFromPoolAsync(T **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream)
{
    return hipMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <typename T> static inline hipError_t hipMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return hipMallocPitch((void **)pointer, pitch, width, height);
}
template <typename T> static inline hipError_t hipHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return hipHostGetDevicePointer((void **)device, host, flags);
}
/* As CUDA 13 has them. */
static inline hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, hipMemLocation location, unsigned,
                                             hipStream_t stream = nullptr)
{
    return hipMemPrefetchAsync(pointer, bytes, location.id, stream);
}
static inline hipError_t hipMemAdvise(const void *pointer, size_t bytes, hipMemoryAdvise advice,
                                      hipMemLocation location)
{
    return hipMemAdvise(pointer, bytes, advice, location.id);
}

/* ---- a __constant__ or __device__ variable is a variable here ---- */

#define HIP_SYMBOL(name) name
template <typename U, typename T> static inline hipError_t hipGetSymbolAddress(U **pointer, const T &symbol)
{
    hip_cpu_know_symbol((const void *)&symbol, sizeof symbol);
    *pointer = (U *)(void *)&symbol;
    return hipSuccess;
}
template <typename T> static inline hipError_t hipGetSymbolSize(size_t *bytes, const T &)
{
    *bytes = sizeof(T);
    return hipSuccess;
}
/* Beyond its end: hipErrorInvalidValue, as for a null pointer. */
template <typename T>
static inline hipError_t hipMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           hipMemcpyKind = hipMemcpyHostToDevice)
{
    char *to = (char *)(void *)&symbol + offset;
    return hipMemcpy(offset + bytes <= sizeof symbol ? to : nullptr, from, bytes, hipMemcpyDefault);
}
template <typename T>
static inline hipError_t hipMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                             hipMemcpyKind = hipMemcpyDeviceToHost)
{
    const char *from = (const char *)(const void *)&symbol + offset;
    return hipMemcpy(to, offset + bytes <= sizeof symbol ? from : nullptr, bytes, hipMemcpyDefault);
}
template <typename T>
static inline hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                hipMemcpyKind = hipMemcpyHostToDevice, hipStream_t stream = nullptr)
{
    char *to = (char *)(void *)&symbol + offset;
    return hipMemcpyAsync(offset + bytes <= sizeof symbol ? to : nullptr, from, bytes, hipMemcpyDefault, stream);
}
template <typename T>
static inline hipError_t hipMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                  hipMemcpyKind = hipMemcpyDeviceToHost, hipStream_t stream = nullptr)
{
    const char *from = (const char *)(const void *)&symbol + offset;
    return hipMemcpyAsync(to, offset + bytes <= sizeof symbol ? from : nullptr, bytes, hipMemcpyDefault, stream);
}
#endif

#endif
