/* Prints a Fortran module: a template, whose lines @...@ become what the header declares, or what there is for each type.
 *
 *   fortran TEMPLATE HEADER
 *
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "r");

    if (!file) {
        perror(name);
        exit(3);
    }
    return file;
}

/* ---- a header, by iso_c_binding ---- */

/* Constants for enumerators, and for #define LR_NAME number. */
static void print_enumerators(const char *header)
{
    FILE *file = open_file(header);
    char line[1024], name[128];
    bool inside = false;
    int value = 0;

    while (fgets(line, sizeof line, file)) {
        char *found = strstr(line, "LR_"), *equals = strchr(line, '='), end = '\0';
        if (strncmp(line, "enum ", 5) == 0 && strchr(line, '{')) {
            inside = true;
            value = 0;
        }
        if (inside && found) {
            if (equals && isdigit((unsigned char)equals[1 + strspn(equals + 1, " ")]))
                value = atoi(equals + 1);
            printf("    integer(c_int), parameter :: %.*s = %d\n",
                   (int)strspn(found, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"), found, value++);
        }
        if (strncmp(line, "};", 2) == 0)
            inside = false;
        if (sscanf(line, "#define %127[A-Z0-9_] %d%c", name, &value, &end) == 3 && end == '\n' &&
            strncmp(name, "LR_", 3) == 0)
            printf("    integer(c_int), parameter :: %s = %d\n", name, value);
    }
    fclose(file);
}

static const char *kind_of(const char *argument)
{
    return strstr(argument, "**")                                   ? "type(c_ptr), intent(out)"
           : strstr(argument, "size_t *")                           ? "integer(c_size_t), intent(out)"
           : strchr(argument, '*') || strstr(argument, "lr_stream") ? "type(c_ptr), value"
           : strstr(argument, "size_t")                             ? "integer(c_size_t), value"
                                                                    : "integer(c_int), value";
}

static char *last_word(char *text)
{
    char *word = text + strlen(text);

    while (!strchr(" *", word[-1]))
        word--;
    return word;
}

/* Of a declaration on one line, which is taken apart. */
static void print_interface(char *c)
{
    char *open = strchr(c, '('), *name, names[1024] = "", lines[4096] = "";
    bool is_handle = strstr(open, "MPI_Fint");

    if (strstr(open, "MPI_Comm ")) /* only for C: the one with MPI_Fint takes its name */
        return;
    *strrchr(open, ')') = '\0';
    *open = '\0';
    name = last_word(c);
    bool is_text = strstr(c, "const char");
    for (char *argument = strtok(open + 1, ","); argument && strcmp(argument, "void") != 0;
         argument = strtok(NULL, ",")) {
        char *word = last_word(argument);
        sprintf(names + strlen(names), "%s%s", *names ? ", " : "", word);
        sprintf(lines + strlen(lines), "            %s :: %s\n", kind_of(argument), word);
    }
    /* The module has a function that makes text of it. */
    printf("        %s function %.*s%s(%s) &\n            bind(c, name='%s')\n            import\n%s        end "
           "function\n",
           is_text ? "type(c_ptr)" : "integer(c_int)", (int)strlen(name) - (is_handle ? 2 : 0), name,
           is_text ? "_c" : "", names, name, lines);
}

static void print_interfaces(const char *header)
{
    FILE *file = open_file(header);
    char line[1024], declaration[4096] = "";

    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "LR_API", 6) != 0 && !*declaration)
            continue;
        line[strcspn(line, "\n")] = '\0';
        sprintf(declaration + strlen(declaration), " %s", line + strspn(line, " "));
        if (strchr(line, ';')) {
            print_interface(declaration);
            *declaration = '\0';
        }
    }
    fclose(file);
}

/* ---- arrays of Fortran, by their type ---- */

static const char *const functions[] = {"sum", "min", "max", "argmin", "argmax", "dot", "asum", "nrm2"};
static const struct kind {
    const char *name, *type;
    bool is_real, is_complex;
} kinds[] = {
    {"float", "real(c_float)", true, false},
    {"double", "real(c_double)", true, false},
    {"int32", "integer(c_int32_t)", false, false},
    {"int64", "integer(c_int64_t)", false, false},
    {"complex_float", "complex(c_float_complex)", false, true},
    {"complex_double", "complex(c_double_complex)", false, true},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)
#define KINDS     (sizeof kinds / sizeof *kinds)

static bool has_length(const char *function) { return strcmp(function, "asum") == 0 || strcmp(function, "nrm2") == 0; }

static bool takes(const char *function, const struct kind *k)
{
    bool is_sum = has_length(function) || strcmp(function, "sum") == 0 || strcmp(function, "dot") == 0;

    return k->is_real || (k->is_complex ? is_sum : !has_length(function));
}

static void print_renamed(void)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        printf("        lr_%s_on_device => lr_%s, value_%s => lr_%s_value%s\n", functions[i], functions[i],
               functions[i], functions[i], i + 1 < FUNCTIONS ? ", &" : "");
}

static void print_names(const char *function)
{
    for (size_t k = 0; k < KINDS; k++)
        if (takes(function, &kinds[k]))
            printf("%s%s_%s", k == 0 ? "" : ", ", function, kinds[k].name);
}

static void print_generic(void)
{
    for (size_t i = 0; i < FUNCTIONS; i++) {
        printf("    interface lr_%s\n        module procedure ", functions[i]);
        print_names(functions[i]);
        printf("\n    end interface\n    private :: ");
        print_names(functions[i]);
        printf(", value_%s\n", functions[i]);
    }
}

static void print_subroutine(const char *function, const struct kind *k)
{
    bool finds = strncmp(function, "arg", 3) == 0, two = strcmp(function, "dot") == 0;
    bool is_length = k->is_complex && has_length(function);
    const char *precision = strchr(k->name, '_') ? strchr(k->name, '_') + 1 : k->name;

    printf("    subroutine %s_%s(handle, x, %stotal, %sstatus, stream)\n", function, k->name, two ? "y, " : "",
           finds ? "index, " : "");
    printf("        type(c_ptr), intent(in) :: handle\n        %s, intent(in), target :: x(..)%s\n", k->type,
           two ? ", y(..)" : "");
    printf("        %s%s%s, intent(out), target :: total\n", is_length ? "real(c_" : k->type,
           is_length ? precision : "", is_length ? ")" : "");
    if (finds)
        printf("        integer(c_int64_t), intent(out), target :: index\n");
    printf("        integer(c_int), intent(out) :: status\n        type(c_ptr), intent(in), optional :: stream\n");
    printf("        status = LR_SHAPE\n        if (is_contiguous(x)%s) &\n",
           two ? " .and. is_contiguous(y) .and. size(x) == size(y)" : "");
    printf("            status = value_%s(handle, LR_", function);
    for (const char *letter = k->name; *letter; letter++)
        putchar(toupper((unsigned char)*letter));
    printf(", c_loc(x)%s, size(x, kind=c_size_t), &\n                c_loc(total)%s, stream_of(stream))\n",
           two ? ", c_loc(y)" : "", finds ? ", c_loc(index)" : "");
    if (finds)
        printf("        if (status == LR_OK .and. index >= 0) index = index + 1\n");
    printf("    end subroutine\n");
}

static void print_subroutines(void)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        for (size_t k = 0; k < KINDS; k++)
            if (takes(functions[i], &kinds[k]))
                print_subroutine(functions[i], &kinds[k]);
}

int main(int argc, char **argv)
{
    FILE *template = argc == 3 ? open_file(argv[1]) : NULL;
    char line[1024];

    while (template && fgets(line, sizeof line, template))
        if (strcmp(line, "@ENUMERATORS@\n") == 0)
            print_enumerators(argv[2]);
        else if (strcmp(line, "@INTERFACES@\n") == 0)
            print_interfaces(argv[2]);
        else if (strcmp(line, "@RENAMED@\n") == 0)
            print_renamed();
        else if (strcmp(line, "@GENERIC@\n") == 0)
            print_generic();
        else if (strcmp(line, "@SUBROUTINES@\n") == 0)
            print_subroutines();
        else
            fputs(line, stdout);
    return !template || fflush(stdout) != 0;
}
