/* A kernel that becomes loops: its words (tokens.c), what is known of its names (names.c), whether all of it is understood
 * (understood.c, calls.c), what it calls (inline.c), the loops (write.c), what the lanes of a warp do together in them (lanes.c),
 * and rows of threads that are neighbours in memory (lines.c).
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_KERNEL_H
#define HIP_CPU_TRANSLATE_KERNEL_H

#include "../source/text.h"
#include "loops.h"

#define VARIABLES 64
#define TYPES     4
#define DEPTH     8 /* of constants that are made of constants */
#define CALLS     3 /* of functions, one in another */

struct token {
    size_t begin, end;
    char *word;            /* its text */
    size_t match;          /* of a bracket */
    unsigned region, also; /* also: behind an operation to which it is given */
    unsigned exchange;     /* the number of a warp operation, from 1 on */
    bool is_name, is_type, hoisted;
    bool alone; /* a variable that threads change each for itself */
    bool step;  /* the first of a statement that changes a variable of all threads */
};

enum life {
    CHANGES, /* as long as it is not known that it is one of the others */
    AGAIN,   /* computed again in each region */
    UNIFORM, /* the same for all threads */
    STEPS,   /* the same, and changed between regions */
    KEPT     /* in an array */
};
/* A parameter, or a variable that is not inside of a region's own statements. */
struct variable {
    const char *name;
    size_t type, type_end; /* tokens of the type without its *; none: a parameter */
    size_t at, end;        /* the declarator, up to its = */
    size_t value, value_end;
    unsigned region, depth; /* depth: of the loops around it */
    enum life life;
    bool pointer, ended; /* its scope has ended */
    bool hoisted;        /* it is defined where the loop over warps begins */
};

struct loops {
    const struct sources *all;
    struct source s;
    char *own; /* the text, if it is not the caller's */
    struct token *token;
    size_t count;
    struct variable variable[VARIABLES];
    size_t variables;
    unsigned region;
    bool waits, unknown, writes, returns;
    bool again; /* a variable became `alone` */
    unsigned depth, warps_depth;
    size_t warps_begin, warps_end; /* tokens of what warps do one after the other */
    bool casts;                    /* of pointers */
    bool meets, in_warp;           /* there are warp operations; inside of a loop over warps */
    unsigned exchanges;            /* that were read or written */
    size_t inlined;                /* calls */
    char *group;                   /* its block, as cooperative groups have it */
    struct text checks;            /* before the first statement, whether this block may run as loops */
    const char *name, *file;       /* of the kernel */
    size_t line;                   /* of its parameters */
    size_t most, most_end;         /* threads of a block: tokens */
    char *type_name[TYPES], *value_name[TYPES + 1]; /* parameters of its template */
    size_t type_names, value_names, template_end;
    struct text before, inside, out; /* of the region that is being written */
};

/* ---- Words of a kernel ---- */

/* The tokens of the text; what is in a #pragma is none. False: another directive, or a bracket too many. */
bool tokenize(struct loops *l);
/* The text is another one, which is its own then. */
bool read_again(struct loops *l, const struct text *text);
void free_words(struct loops *l);
bool is(const struct loops *l, size_t i, const char *text);
bool is_any_of(const struct loops *l, size_t i, const char *const *list);
bool is_type(const struct loops *l, size_t i);
bool is_type_word(const char *word);
bool is_vector(const char *word);
bool is_number_type(const char *word);
/* A struct or a typedef of the author's. */
bool is_author_type(const struct sources *all, const char *word);
/* threadIdx and its like. */
bool is_place(const char *word);
bool is_number(const char *word);
/* Behind a number: 1.5e-3f is one. */
size_t number_end(const struct source *s, size_t at);
/* Behind the statement at a token. */
size_t statement_end(const struct loops *l, size_t i);
bool has(const struct loops *l, size_t first, size_t last, const char *word);

/* ---- What is known of a name ---- */

bool is_parameter(const struct variable *v);
struct variable *add_variable(struct loops *l, const char *name);
/* A declaration in the tokens [first, last) at the level of barriers. */
void add_declaration(struct loops *l, size_t first, size_t last, enum life control);
/* Whether threads may change a variable together. */
bool may_step(const struct loops *l, const struct variable *v);
/* The type at a token, of known words alone: behind it; `i` if it is none. */
size_t type_end(const struct loops *l, size_t i);
/* Whether * and & are unary here. */
bool is_operand(const struct loops *l, size_t i);
/* The end of a declarator, its = if it has one, or the , or ; behind it. */
size_t declarator(const struct loops *l, size_t i, size_t last, size_t *name, size_t *equals);
/* Whether something may change what has this name, in the tokens [first, last). */
bool is_changed(const struct loops *l, const char *name, size_t first, size_t last);
bool is_constant(const struct sources *all, const char *name, unsigned depth);
struct variable *find_variable(struct loops *l, const char *name);
/* Whether the tokens are an expression of what never changes, and if `uniform` is the same for all threads. */
bool is_fixed(struct loops *l, size_t first, size_t last, bool uniform);

/* ---- Whether each word of a kernel is known ---- */

/* From the { of the kernel on. */
bool is_understood(struct loops *l, size_t first);
/* A function that waits for nothing and does not ask which thread calls it. */
bool is_harmless(const char *word);
/* The same of a __device__ function of the author's, whose words are all known; nor does it change what it is given. */
bool is_harmless_function(const struct sources *all, const char *name, unsigned depth);
bool is_keyword(const char *word);
/* __syncthreads(); */
bool is_barrier(const struct loops *l, size_t i);
bool is_shared(const struct loops *l, size_t i);

bool is_macro(const struct sources *all, const char *name);
/* #pragma nogpu harmless NAME ...: functions and values of whose definitions the translator need not know more. */
bool is_promised(const struct sources *all, const char *word);
/* One whose words are all known, and which changes nothing. */
bool is_harmless_macro(const struct sources *all, const char *name, unsigned depth);
/* One without parameters, defined once, which is a call of `name` and nothing else. */
bool is_called_by_macro(const struct sources *all, const char *macro, const char *name);
/* One that says that a function is for the device. */
bool is_device_macro(const struct sources *all, const char *name);
/* int x = 0, *p; wherever it stands: so that its names are known. */
void add_names(const struct loops *l, size_t first, struct text *names);
bool is_named(const struct text *names, const char *word);

/* A function of the author's. */
struct function {
    const struct source *source;
    size_t file, head, name, open, close, end; /* ( and behind ) and } */
};
/* The only one of this name, if it is for the device. */
bool find_function(const struct sources *all, const char *name, struct function *f);
/* Writes out what it calls; false: it became too long. */
bool write_calls(struct loops *l);

/* ---- What lanes do together ---- */

/* __shfl_down(...) and its like. */
bool is_exchange(const struct loops *l, size_t i);
bool exchanges(const struct loops *l, size_t first, size_t last);
/* Whether a warp operation comes in these statements before a barrier does. */
bool exchanges_first(const struct loops *l, size_t first, size_t last);
/* A statement with one operation, which all lanes reach. */
void exchange(struct loops *l, size_t first, size_t last);
/* What stands instead of the operation at a token; its last token. */
size_t write_exchange(struct loops *l, struct text *to, size_t i);
/* The head of an if whose condition has to be the same for all lanes of each warp. */
void write_warp_condition(struct loops *l, size_t open);
void add_warp_condition(struct loops *l, size_t open);

/* ---- Its statements ---- */

/* A statement that is not split. */
void plain_statement(struct loops *l, size_t first, size_t last);
void write_line(struct loops *l, struct text *to, size_t i);
/* Variables that are computed again in the region that begins here. */
void write_again(struct loops *l, struct text *to);
/* A variable that has one value, wherever it is computed. */
void write_definition(struct loops *l, struct text *to, const struct variable *v);
/* Reads the tokens [first, last), or writes their loops where l->writes. */
void statements(struct loops *l, size_t first, size_t last);
/* Which variables live across barriers. */
void find_kept(struct loops *l);
/* The barrier behind what was written. */
void end_region(struct loops *l);
void write_text(struct loops *l, struct text *to, size_t first, size_t last);
/* The type of a variable, without const; and its declarator, where `instead` is its name. */
void write_variable(struct loops *l, struct text *to, const struct variable *v, const char *constant,
                    const char *instead);

/* ---- Threads that are neighbours in memory ---- */

/* Of a kernel without barriers, whose statements are the tokens [first, last): its loops for such blocks, before the others. */
bool write_lines(struct loops *l, size_t first, size_t last, struct text *to);

#endif
