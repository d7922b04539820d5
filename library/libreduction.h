/* libreduction: sums, minima and maxima of arrays in the memory of a GPU, for C, C++, Fortran and Python.
 *
 *   lr_handle *handle;
 *   double *d_sum;                                       // device memory, or mapped host memory
 *   int status = lr_create(&handle, 0);                  // for device 0
 *   if (status == LR_OK)
 *       status = lr_sum(handle, LR_DOUBLE, d_x, n, d_sum, stream);
 *   if (status != LR_OK)
 *       puts(lr_text(status));
 *   ...                                                  // once the stream has got here, *d_sum is the sum
 *   lr_destroy(handle);
 *
 * Arrays      n contiguous elements in memory that the device can read. The address is a multiple of the element's size;
 *             a multiple of 16 is faster. n may exceed 2^31; it may be 0, and then x may be NULL. Arrays are only read.
 * Results     have the type of the elements; for LR_HALF and LR_BFLOAT16, which are added and compared as float, they are
 *             floats. They lie in memory that the device can write: its own, or pinned and mapped host memory,
 *             aligned to their size. A result must not lie in an array of the same call, nor in the handle's workspace.
 * Streams     a cudaStream_t or a hipStream_t; NULL is the default stream. A stream belongs to the device of the
 *             handle; the current device of the calling thread may be another one, and stays as it is. Functions that take a
 *             result start work in the stream and return: they do not wait, and can be captured into a graph. They allocate
 *             nothing, though a runtime may when it loads a kernel for its first launch. Later work in the stream finds the result, and so does the host once it has waited for the stream. Earlier work in the stream
 *             is complete before the array is read; see lr_input_ready().
 *             Functions whose name ends in _value wait for the value and return it; they cannot be captured. On a GPU
 *             the library cannot recognize a pointer that is not a stream, which may end the program; a library for the
 *             CPU returns LR_RUNTIME.
 * Handles     own device memory, which their reductions use one after the other. A handle therefore belongs to the stream
 *             of its first call; a call with another stream returns LR_OTHER_STREAM, until lr_leave_stream(). Replays of a
 *             graph must not overlap other work of the handles captured in it, and these handles must exist as long as
 *             the graph is used. After lr_destroy() a handle must not be used; the library cannot detect that.
 * Threads     a handle is used by one thread at a time. Different handles share nothing.
 * Errors      every function returns LR_OK or another LR_ code. If it returns an error it has done nothing, except for
 *             LR_RUNTIME: then results may have been written, and the next call starts afresh. Addresses of pageable memory
 *             of the host, where the device cannot read it, and of another device without access between the two are
 *             LR_MEMORY, before anything is launched (on AMD memory of another device is not recognized). How long an array
 *             is the library cannot see: one that ends too early causes an error of the runtime, perhaps in a later call.
 *             Errors of the program's own calls stay with the program, except after LR_MEMORY. A function with _value returns
 *             LR_RUNTIME in a stream that is being captured. The library never ends the program and never prints.
 * Bits        the same call on the same device with the same array, at the same offset from a multiple of 16 bytes, gives
 *             the same bits on each run, and in a graph. lr_sum_tree(), lr_sum_binned() and LR_OP_SUM_BINNED do so on all devices.
 * Integers    sums wrap.
 * NaN, zeros  minimum and maximum are NaN if any element is, and -0 is below +0. A result that is NaN always has the same
 *             bits: 0x7fc00000, or 0x7ff8000000000000.
 *
 * The library is built from the kernels of reduction_single_pass, reduction_reproducible, reduction_rows and
 * reduction_segmented. lr_targets() names the targets that it was built for; nothing was measured on AMD.
 *
 * A library for the CPU contains its own HIP runtime, with its own threads and streams. A program that is also linked with
 * that runtime (as the programs of this project are) passes NULL as stream: the library does not know the program's streams
 * and graphs. The program must wait for its own work before a call. Arrays and workspaces may be any memory; an invalid
 * address is a fault of the program, as in C.
 * SPDX-License-Identifier: MIT */
#ifndef LIBREDUCTION_H
#define LIBREDUCTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LR_API __attribute__((visibility("default")))
#else
#define LR_API
#endif

/* What every function returns. */
enum lr_status {
    LR_OK = 0,
    LR_NULL = 1, /* a pointer is NULL that must not be */
    LR_TYPE = 2, /* no such element type, or not for this function */
    /* an address is not a multiple of the size of its elements (a workspace: of 256) */
    LR_MISALIGNED = 3,
    /* a result overlaps an array, another result or the workspace, or an array the workspace */
    LR_OVERLAP = 4,
    LR_TOO_LARGE = 5,    /* more than 4 TiB */
    LR_OTHER_STREAM = 6, /* the handle belongs to another stream */
    LR_WORKSPACE = 7,    /* the workspace is smaller than lr_workspace_bytes() */
    LR_NO_MEMORY = 8,    /* of the host or of the device, in lr_create() */
    LR_NO_DEVICE = 9,    /* no such device, no code for it, or a wrong HIP_CPU_ variable */
    LR_RUNTIME = 10,     /* HIP or CUDA reports an error, also of memory: lr_runtime_error() */
    LR_SHAPE = 11,       /* rows, columns and stride do not describe a matrix */
    LR_OTHER_RANK = 12,  /* of libreduction_mpi: another rank has an error */
    LR_MPI = 13,         /* of libreduction_mpi: MPI reports an error */
    LR_MEMORY = 14,      /* the device cannot use the memory of an array or result */
    LR_RANKS = 15,       /* of libreduction_mpi: ranks call different functions or types */
    LR_NCCL = 16,        /* NCCL or RCCL reports an error */
};

/* Types of elements. */
enum lr_type {
    LR_FLOAT = 0,    /* 4 bytes */
    LR_DOUBLE = 1,   /* 8 bytes */
    LR_INT32 = 2,    /* int32_t */
    LR_INT64 = 3,    /* int64_t */
    LR_HALF = 4,     /* IEEE 754 binary16, 2 bytes */
    LR_BFLOAT16 = 5, /* the upper half of a float, 2 bytes */
    /* Of lr_reduce() alone; their values are int64_t: */
    LR_UINT8 = 6,
    LR_INT8 = 7,
    LR_UINT32 = 8,
    LR_BOOL = 9, /* a byte; all but 0 are 1 */
    /* Pairs of real and imaginary part, at a multiple of their size; of sum, asum, nrm2 and dot alone: */
    LR_COMPLEX_FLOAT = 10,
    LR_COMPLEX_DOUBLE = 11,
    LR_TYPE_COUNT = 12,
};

typedef struct lr_handle lr_handle;
typedef void *lr_stream;

/* ---- handles ------------------------------------------------------------------------------------------------- */

/* Creates a handle for a device, counted from 0, with its own memory: about 64 KiB per compute unit on the device, and a
 * little pinned memory on the host. Allocates and waits. *handle is NULL after an error. A stream that is being captured does
 * not notice it. */
LR_API int lr_create(lr_handle **handle, int device);

/* The same with device memory of the caller: at least *bytes, at a multiple of 256. It belongs to the handle until
 * lr_destroy(), which does not free it. */
LR_API int lr_workspace_bytes(int device, size_t *bytes);
LR_API int lr_create_in(lr_handle **handle, int device, void *workspace, size_t bytes);

/* Call it after all work that uses the handle has ended. NULL is allowed, and does nothing. */
LR_API int lr_destroy(lr_handle *handle);

/* Lets the next call use another stream. Before it, all work of the handle in the old stream must have ended, or the new
 * stream must wait for it, for example with an event. */
LR_API int lr_leave_stream(lr_handle *handle);

/* With ready other than 0 the caller promises, for each later call, that no unfinished work of the stream writes to the
 * arrays of that call. Then a small reduction may read while earlier ones still run; results are still written in the order
 * of the stream. This matters on NVIDIA from sm_90 on, for consecutive reductions of up to 128 KiB. An array that an
 * unfinished kernel of the stream computes, or that holds results of earlier calls, breaks the promise. With ready 0, as
 * after lr_create(), nothing is promised. */
LR_API int lr_input_ready(lr_handle *handle, int ready);

/* The device whose memory has this address; -1: none, or any (host memory). */
LR_API int lr_device_of(const void *address, int *device);

/* ---- what happened ------------------------------------------------------------------------------------------- */

/* One line in English for a status, without a newline; never NULL. */
LR_API const char *lr_text(int status);

/* After LR_RUNTIME: the error of the runtime (hipError_t, cudaError_t), and its name; else 0. */
LR_API int lr_runtime_error(const lr_handle *handle);
LR_API const char *lr_runtime_text(const lr_handle *handle);

/* The version of this header, 10000 major + 100 minor + patch, and that of the library. The soname has the part that calls
 * depend on: libreduction.so.0.1 up to 0.x, where each minor version may change them, and from 1.0 on libreduction.so.1. */
#define LR_VERSION (10000 * 0 + 100 * 1 + 0)
LR_API int lr_version_number(void);
/* "0.1.0", and the targets that the library was built for: "cpu", "sm_90", "gfx90a gfx942". */
LR_API const char *lr_version(void);
LR_API const char *lr_targets(void);

/* ---- an array as a whole -------------------------------------------------------------------------------------- */

/* x[0] + x[1] + ...; 0 for n = 0. A floating-point sum, unless a sum of some elements overflows, is within c u (|x[0]| +
 * |x[1]| + ...) of the true one, where u is 2^-53 for LR_DOUBLE and else 2^-24, and c is 60 plus the bytes of n results
 * divided by 16 KiB and by the number of compute units of the device. */
LR_API int lr_sum(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
/* The smallest and the largest element; for n = 0 inf and -inf, or the largest and the smallest integer. */
LR_API int lr_min(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
LR_API int lr_max(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
/* |x[0]| + |x[1]| + ..., for floating-point types. Its error bound is that of lr_sum(). For complex types, as in the BLAS, the
 * magnitudes of both parts; the result is a float or a double. */
LR_API int lr_asum(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);

/* The same, but they wait and return the value to the host; *value is in any host memory, not on the device. The kernel
 * writes to memory that the host watches, which is faster than copying the result and waiting for the stream. */
LR_API int lr_sum_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_min_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_max_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_asum_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);

/* ---- where an element is, products, norms --------------------------------------------------------------------------- */

/* The smallest and the largest element, as from lr_min() and lr_max(), and the index of the first such element, counted from
 * 0; with NaN, that of the first NaN. For n = 0 *index is -1. index must be device or mapped host memory, as result must,
 * which may be NULL. */
LR_API int lr_argmin(lr_handle *handle, int type, const void *x, size_t n, void *result, int64_t *index,
                     lr_stream stream);
LR_API int lr_argmax(lr_handle *handle, int type, const void *x, size_t n, void *result, int64_t *index,
                     lr_stream stream);
LR_API int lr_argmin_value(lr_handle *handle, int type, const void *x, size_t n, void *value, int64_t *index,
                           lr_stream stream);
LR_API int lr_argmax_value(lr_handle *handle, int type, const void *x, size_t n, void *value, int64_t *index,
                           lr_stream stream);

/* x[0] y[0] + x[1] y[1] + ...; x and y may be the same array. LR_DOUBLE is within c u (|x[0] y[0]| + |x[1] y[1]| + ...),
 * c and u as in lr_sum(), if no product underflows; all other floating-point types are added in double and rounded once
 * at the end. Of complex types x[i] is conjugated, as in zdotc(), and the bound is that of each part. Products of
 * LR_BFLOAT16 are floats: inf from 2^128 on, and multiples of 2^-149 below 2^-126. Fastest where x and y lie at the same
 * offset from a multiple of 16 bytes. */
LR_API int lr_dot(lr_handle *handle, int type, const void *x, const void *y, size_t n, void *result, lr_stream stream);
LR_API int lr_dot_value(lr_handle *handle, int type, const void *x, const void *y, size_t n, void *value,
                        lr_stream stream);

/* sqrt(|x[0]|^2 + |x[1]|^2 + ...), for floating-point types and, as a float or a double, for complex ones. It does not
 * overflow or underflow unless its result does. inf if an element is infinite and none is NaN. */
LR_API int lr_nrm2(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
LR_API int lr_nrm2_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);

/* Products of several vectors with one, in one launch: results[k] is lr_dot() of vector k and y. Vector k has the n elements
 * from x + k * lead on. */
LR_API int lr_dots(lr_handle *handle, int type, const void *x, size_t vectors, size_t lead, const void *y, size_t n,
                   void *results, lr_stream stream);
LR_API int lr_dots_value(lr_handle *handle, int type, const void *x, size_t vectors, size_t lead, const void *y,
                         size_t n, void *values, lr_stream stream);

/* ---- rows and columns of a matrix ----------------------------------------------------------------------------- */

/* One result for each row or column of a matrix whose element (row, column) is x[row * stride + column]; results are
 * contiguous, in the order of the rows or columns. There must be at least one column and stride >= columns, else LR_SHAPE;
 * stride must be at most 2^40, else LR_TOO_LARGE. With 0 rows, functions for rows write no results, which may then be NULL,
 * and functions for columns return LR_SHAPE. Rules and bounds are those of lr_sum(), lr_min() and lr_max() for an array as
 * long as a row or column. */
LR_API int lr_sum_rows(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                       void *results, lr_stream stream);
LR_API int lr_min_rows(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                       void *results, lr_stream stream);
LR_API int lr_max_rows(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                       void *results, lr_stream stream);
LR_API int lr_sum_columns(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                          void *results, lr_stream stream);
LR_API int lr_min_columns(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                          void *results, lr_stream stream);
LR_API int lr_max_columns(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                          void *results, lr_stream stream);

/* The same, but they wait and return the values to any host memory; they wait once for each 16 KiB of values. */
LR_API int lr_sum_rows_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                             void *values, lr_stream stream);
LR_API int lr_min_rows_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                             void *values, lr_stream stream);
LR_API int lr_max_rows_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                             void *values, lr_stream stream);
LR_API int lr_sum_columns_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                                void *values, lr_stream stream);
LR_API int lr_min_columns_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                                void *values, lr_stream stream);
LR_API int lr_max_columns_value(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, size_t stride,
                                void *values, lr_stream stream);

/* ---- segments ---------------------------------------------------------------------------------------------------- */

/* One result for each segment of an array of n elements: segment k has the elements offsets[k] ... offsets[k + 1] - 1, and may
 * be empty. The segments + 1 offsets are on the device. They must not decrease, and must lie between 0 and n: the library does
 * not check them, and would read outside the array. Results are contiguous, in the order of the segments. Rules and bounds are
 * those of lr_sum(), lr_min() and lr_max() for an array of n elements. For rows of equal length, lr_sum_rows() is faster. */
LR_API int lr_sum_segments(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                           size_t segments, void *results, lr_stream stream);
LR_API int lr_min_segments(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                           size_t segments, void *results, lr_stream stream);
LR_API int lr_max_segments(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                           size_t segments, void *results, lr_stream stream);
LR_API int lr_sum_segments_value(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                                 size_t segments, void *values, lr_stream stream);
LR_API int lr_min_segments_value(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                                 size_t segments, void *values, lr_stream stream);
LR_API int lr_max_segments_value(lr_handle *handle, int type, const void *x, size_t n, const int64_t *offsets,
                                 size_t segments, void *values, lr_stream stream);

/* Segments of n sorted keys of key_type LR_INT32 or LR_INT64: segment k has the elements whose key is k. offsets[k], for
 * k = 0 ... segments, becomes the number of keys below k; the segments + 1 offsets are on the device. Keys below 0 and from
 * `segments` on belong to no segment. The library does not check that keys are sorted: if they are not, offsets may decrease,
 * and functions of segments read outside the array. */
LR_API int lr_offsets_of_keys(lr_handle *handle, int key_type, const void *keys, size_t n, size_t segments,
                              int64_t *offsets, lr_stream stream);
/* sums[k] is the sum of all x[i] whose key is k: lr_offsets_of_keys(), then LR_OP_SUM of these segments. For another function,
 * or rows of a matrix instead of elements, call lr_reduce() with the offsets. For keys that are not small numbers, or not
 * sorted, sort them or take CUB's or rocPRIM's reduce_by_key. */
LR_API int lr_sum_by_key(lr_handle *handle, int type, const void *x, int key_type, const void *keys, size_t n,
                         size_t segments, int64_t *offsets, void *sums, lr_stream stream);

/* ---- softmax ------------------------------------------------------------------------------------------------------- */

/* y = exp(x - m) / (the sum of these), m the largest x, for each row of a contiguous matrix of floating-point numbers.
 * y has as many elements of the same type, and is another array. With u as in lr_sum(), y is within
 * (m - x + 1000 + columns / 300) u y of the true one, and of less than three times the smallest normal number. Of LR_HALF and
 * LR_BFLOAT16 that holds of the float which is then rounded to the nearest such number. NaN makes a whole row NaN; equal infinities count as equal numbers.
 * LR_SHAPE if there are no columns. */
LR_API int lr_softmax_rows(lr_handle *handle, int type, const void *x, size_t rows, size_t columns, void *y,
                           lr_stream stream);

/* ---- any function along any axis ---------------------------------------------------------------------------------- */

/* Functions of lr_reduce(). The types of their elements and results: lr_result_type(). */
enum lr_function {
    LR_OP_SUM = 0,    /* lr_sum(); floats are added as doubles */
    LR_OP_SUM_BINNED, /* lr_sum_binned() */
    LR_OP_PROD,       /* product; 1 for no elements */
    LR_OP_MIN,        /* lr_min() */
    LR_OP_MAX,        /* lr_max() */
    LR_OP_ARGMIN,     /* lr_argmin() */
    LR_OP_ARGMAX,     /* lr_argmax() */
    LR_OP_ASUM,       /* lr_asum() */
    LR_OP_AMAX,       /* largest magnitude; NaN if an element is */
    LR_OP_IAMAX,      /* the same, and the index of the first one */
    LR_OP_NRM2,       /* lr_nrm2() */
    LR_OP_SUMSQ,      /* sum of squares */
    LR_OP_DOT,        /* lr_dot() */
    LR_OP_MEAN,       /* mean, a double */
    LR_OP_MOMENTS,    /* lr_moments(): a struct lr_moments_t */
    LR_OP_ANY,        /* 1 if an element is not 0, else 0: an int64_t */
    LR_OP_ALL,        /* 1 if no element is 0, else 0: an int64_t */
    LR_OP_COUNT,      /* elements that are not 0: an int64_t */
    LR_OP_LOGSUMEXP,  /* log(exp(x[0]) + exp(x[1]) + ...); -inf for no elements */
    LR_OP_NANSUM,     /* the same without the elements that are NaN */
    LR_OP_NANMIN,
    LR_OP_NANMAX,
    LR_OP_NANMEAN,   /* NaN if there is no other element */
    LR_OP_NANARGMIN, /* index -1 if there is no other element */
    LR_OP_NANARGMAX,
    LR_FUNCTION_COUNT
};

/* Which elements make up which result. Element i of line k is x[k * lead + i * step]: a matrix whose rows begin `stride`
 * elements apart has rows {.lines = rows, .length = columns, .lead = stride, .step = 1} and columns {.lines = columns, .length =
 * rows, .lead = 1, .step = stride}. An array as a whole is one line.
 *
 * batch       if it is not 0, line k begins at x[k / batch * batch_lead + k % batch * lead]: an axis in the middle.
 * y_lead ...  the same for y, which only LR_OP_DOT has. With y_lead 0 all lines have the same y. No batches.
 * offsets     NULL, or segments: line k has the elements offsets[k] * step ... (offsets[k + 1] - 1) * step of an array of
 *             `length` elements. The lines + 1 offsets are on the device, of offset_type LR_INT32 or LR_INT64, and not checked.
 *             With a batch, line k belongs to segment k / batch, and its elements are k % batch * lead further on: of a
 *             contiguous matrix, {.lines = segments * columns, .length = rows, .lead = 1, .step = columns, .batch = columns,
 *             .offsets = ...} gives one row of results for each segment of rows.
 * length_at   NULL, or an address on the device: when the kernel runs, lines have *length_at elements, none if that is
 *             negative, and `length` if it is more. So the replays of one graph may have different lengths. Not with offsets. */
struct lr_lines {
    size_t lines, length, lead, step;
    size_t batch, batch_lead;
    size_t y_lead, y_step;
    const void *offsets;
    int offset_type;
    const int64_t *length_at;
};

/* A result for each line, contiguous: an element for LR_OP_SUM and its like. LR_OP_ARGMIN and its like also have an index for
 * each line, counted from 0 within it; -1 for a line without elements. Of these, results or indices may be NULL; for others
 * indices must be NULL. y is NULL except for LR_OP_DOT. LR_SHAPE if step is 0, or batches do not divide the lines. Bits are the
 * same on each run. The bound of sums is that of lr_sum(), with c = 60 + length / 8. */
LR_API int lr_reduce(lr_handle *handle, int function, int type, const void *x, const void *y,
                     const struct lr_lines *lines, void *results, int64_t *indices, lr_stream stream);
/* The same, but it waits, and returns the values to any host memory. */
LR_API int lr_reduce_value(lr_handle *handle, int function, int type, const void *x, const void *y,
                           const struct lr_lines *lines, void *values, int64_t *indices, lr_stream stream);

/* The type of the results of such elements, or LR_MOMENTS_STRUCT; -1 if the function does not take them. */
#define LR_MOMENTS_STRUCT 100
LR_API int lr_result_type(int function, int type);
/* "argmax", "the largest element and its first index"; NULL: there is no such function. */
LR_API const char *lr_function_name(int function);
LR_API const char *lr_function_text(int function);
/* Whether it has an index. */
LR_API int lr_finds(int function);

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

/* Count, mean, variance, minimum and maximum of all elements, in one pass. Mean and variance, which is the mean of
 * (x - mean)^2, are doubles; they are NaN if n is 0 or an element is not finite. With c as in lr_sum(), u = 2^-53, variance V
 * and mean m, the variance is within 8 c u V of the true one, however large m / sqrt(V) is, and the mean within
 * u |m| + c u sqrt(V); of LR_DOUBLE both also within 2^-1060. The mean lies between min and max, which are those of lr_min()
 * and lr_max() as doubles: int64_t beyond 2^53 are rounded. */
struct lr_moments_t {
    int64_t count;
    double mean, variance, min, max;
};
LR_API int lr_moments(lr_handle *handle, int type, const void *x, size_t n, struct lr_moments_t *result,
                      lr_stream stream);
LR_API int lr_moments_value(lr_handle *handle, int type, const void *x, size_t n, struct lr_moments_t *value,
                            lr_stream stream);

/* ---- reproducible sums ------------------------------------------------------------------------------------------ */

/* The sum with the same bits on every device, AMD, NVIDIA or CPU, for the same n and elements, wherever the array begins.
 *
 * _tree     adds in an order that depends on n alone. All types. Its error bound is that of lr_sum().
 * _binned   adds floating-point types without rounding until the end, in three bins below the largest |x|, so that
 *           the order of the elements makes no difference either. Within n 2^-80 max|x| of the true sum, and then rounded
 *           once.
 *
 * (reduction_reproducible/README.md says how.) */
LR_API int lr_sum_tree(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
LR_API int lr_sum_binned(lr_handle *handle, int type, const void *x, size_t n, void *result, lr_stream stream);
LR_API int lr_sum_tree_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_sum_binned_value(lr_handle *handle, int type, const void *x, size_t n, void *value, lr_stream stream);

/* ---- over the ranks of NCCL or RCCL -------------------------------------------------------------------------------- */

/* The communicator, and the program's ncclAllReduce(): the library itself does not need NCCL. After #include <nccl.h> or
 * <rccl/rccl.h>, struct lr_nccl_ranks ranks = LR_NCCL_RANKS(communicator); */
typedef int lr_all_reduce(const void *from, void *to, size_t count, int type, int operation, void *communicator,
                          lr_stream stream);
struct lr_nccl_ranks {
    lr_all_reduce *all_reduce;
    void *communicator;
};
#define LR_NCCL_RANKS(communicator)                                                                                    \
    {                                                                                                                  \
        (lr_all_reduce *)(void (*)(void))ncclAllReduce, (communicator)                                                 \
    }

/* The result for the arrays of all ranks together, on the device of each, in stream order: nothing waits, and all of it can be
 * captured. Every rank calls the same function with the same type, each from its own thread or process, not between
 * ncclGroupStart() and ncclGroupEnd(). An error is one of this rank alone: the others wait for it until their communicators are
 * aborted.
 *
 * Sums of floating-point numbers are doubles between ranks, which NCCL adds in an order of its own; integers wrap. Minimum and
 * maximum are NaN if any element is, and -0 is below +0. nrm2 does not overflow unless its result does. */
LR_API int lr_nccl_sum(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,
                       void *result, lr_stream stream);
LR_API int lr_nccl_min(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,
                       void *result, lr_stream stream);
LR_API int lr_nccl_max(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,
                       void *result, lr_stream stream);
LR_API int lr_nccl_asum(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,
                        void *result, lr_stream stream);
LR_API int lr_nccl_nrm2(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,
                        void *result, lr_stream stream);
LR_API int lr_nccl_dot(lr_handle *handle, const struct lr_nccl_ranks *ranks, int type, const void *x, const void *y,
                       size_t n, void *result, lr_stream stream);

#ifdef __cplusplus
}
#endif

#endif
