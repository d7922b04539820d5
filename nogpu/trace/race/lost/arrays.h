/* Arrays in global memory, and who reads them.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_LOST_ARRAYS_H
#define TRACE_LOST_ARRAYS_H

#include "lost.h"

#define ARRAY_BYTES_MAX ((size_t)8 << 20) /* a million elements; larger arrays are not examined */
#define NUMBERS_MAX     16
#define GRANULE         4 /* bytes */
#define ARRAY_BITS      8

/* The first access of a launch to a granule. */
struct first {
    unsigned launch, block, place;
    uint16_t thread;
    bool write;
};

enum filled {
    BY_HOST = 1,
    BY_KERNEL = 2,
    TOUCHED = 4 /* written by a kernel since the host filled it */
};

/* An allocation, or a variable. */
struct array {
    uintptr_t start;
    size_t bytes;
    unsigned char *state; /* [bytes]: enum filled; NULL: the array is not examined */
    unsigned char *reads; /* [bytes]: how often */
    struct first *first;  /* [bytes / GRANULE], of launches that are tried; NULL: none */
    /* Of the launch that has read it last: */
    unsigned launch;
    char name[80], kernel[80];
    unsigned element; /* bytes: of one half of a half2, of one v[i] of struct { float v[4]; } */
    bool is_integer;
    unsigned parts;   /* 1, or what a load of the array takes at once */
    unsigned members; /* 1, or how many elements the source has as one; */
    char member[40];  /* what it calls them: ".v"; is_packed: they are .x and .y */
    bool is_packed;
    bool is_raw; /* bytes that are loaded as something wider */
    const struct trace_place *place;
    unsigned threads;     /* of a block */
    uint64_t all_threads; /* of the grid */
    unsigned warp_size;
    unsigned number[NUMBERS_MAX]; /* arguments of launches that may be a number of elements */
    unsigned numbers;
    bool many_results; /* a launch that read it wrote more than an eighth as much */
    bool by_several;   /* kernels, one of which may read what another does as well */
    bool by_host;      /* some of it is filled */
    unsigned writer;   /* the last launch that wrote it; */
    bool is_handed;    /* a later one has read it */
    bool by_data;      /* with other values a launch reads other elements */
    /* An index array names them all, and: */
    size_t unread_from; /* the launch has left out its last entries, so that these rows are not read; 0: it has not */
    size_t rows;        /* it is a permutation of so many rows */
    uint64_t *offset;   /* or where each row begins, and the last one ends */
    size_t offsets;
    /* Elements that are read twice: what changing one does, if that is known. */
    enum { NOT_WEIGHED, COUNTS_ONCE, COUNTS_TWICE } twice;
};

#define LOST_MAX 8 /* notes */

struct tickets;
struct trials;
struct lost {
    struct report *report;
    struct replay *replay;
    struct array **array;
    size_t arrays, room;
    struct {
        uintptr_t page;
        struct array *array;
    } cached[1 << ARRAY_BITS];
    unsigned notes;

    /* The launch in progress. */
    const struct trace_launch *launch;
    uint64_t accesses;
    struct tickets *tickets;
    struct trials *trials;
};

/* tickets.c */
struct tickets *tickets_create(void);
void tickets_launch_begin(struct tickets *t, const struct trace_launch *launch);
void tickets_update(struct tickets *t, uintptr_t address, unsigned size);
void tickets_store(struct tickets *t, uintptr_t address, unsigned size, const struct trace_place *place);
void tickets_launch_end(struct lost *l);

/* trials.c */
struct trials *trials_create(void);
/* Whether the launch that begins will run again. */
bool trials_launch_begin(struct trials *t, const struct trace_launch *launch);
bool trials_wanted(const struct trials *t);
bool trials_again(struct lost *l);
/* A trial reads an element that the launch has not accessed. */
void trials_read_more(struct lost *l, const struct array *a);

/* arrays.c: how often an element is read; whether the launch has been given this number; whether the launch has few results and
 * has been given the number of elements of the array. */
unsigned char array_reads_of(const struct array *a, size_t element);
bool array_has_number(const struct array *a, size_t number);
bool array_is_told(const struct array *a, size_t count);
/* How often most of its elements are read, and how often the others: twice that, or half. 0: there are none, or not all are. */
unsigned array_other_reads(const struct array *a, unsigned *usual);

/* rows.c: what index arrays of the launch say about the rows of arrays that it reads by them. */
void rows_find(struct lost *l);
/* A note if of each row the same number of elements at its end is not read. */
void rows_judge(struct lost *l, const struct array *a);

/* words.c */
/* One note, at most LOST_MAX in all. */
void lost_note(struct lost *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Elements of a set that form a pattern. */
struct pattern {
    size_t first, last; /* of its first run */
    size_t second;      /* first of the second run; 0: there is one run */
    size_t runs, total, count;
    bool to_end; /* one run, to the last element */
};
/* False: they form none. */
bool pattern_find(const unsigned char *is_in, size_t count, struct pattern *p);
/* "x[128] to x[255], x[384] to x[511] and so on" */
void pattern_elements(const struct pattern *p, const struct array *a, size_t origin, char *text, size_t size);
/* ", the last n % 256", ", lanes 32 to 63 of each 64"; or "". */
void pattern_of_array(const struct pattern *p, const struct array *a, char *text, size_t size);
/* "threads 128 to 191, warps 4 and 5" */
void pattern_of_threads(const struct pattern *p, unsigned warp_size, char *text, size_t size);

#endif
