/* Reads what the programs write with --format json: an array of flat objects. Strict: what is not JSON
 * (RFC 8259) fails.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_JSON_H
#define TESTS_JSON_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#define JSON_FIELDS_MAX 96
#define JSON_TEXT_MAX   256

struct json_field {
    char name[64];
    char text[JSON_TEXT_MAX]; /* a string without its quotes and escapes */
    char kind;                /* 's'tring, 'n'umber, 'l'iteral */
};

struct json_object {
    struct json_field fields[JSON_FIELDS_MAX];
    size_t count;
};

static inline const char *json_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static inline const char *json_string(const char *at, char *text, size_t size)
{
    size_t length = 0;

    ck_assert_msg(*at == '"', "a string was expected: %.40s", at);
    for (at++; *at != '"'; at++) {
        char c = *at;
        ck_assert_msg((unsigned char)c >= 0x20, "a control character in a string");
        if (c == '\\') {
            at++;
            ck_assert_msg(*at != '\0' && strchr("\"\\/bfnrtu", *at) != NULL, "bad escape: %.10s",
                          at);
            c = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
            if (*at == 'u') {
                char digits[5] = "";
                strncpy(digits, at + 1, 4);
                ck_assert_uint_eq(strspn(digits, "0123456789abcdefABCDEF"), 4);
                c = (char)strtol(digits, NULL, 16);
                at += 4;
            }
        }
        ck_assert_uint_lt(length + 1, size);
        text[length++] = c;
    }
    text[length] = '\0';
    return at + 1;
}

static inline const char *json_digits(const char *at)
{
    ck_assert_msg(isdigit((unsigned char)*at), "a digit was expected: %.40s", at);
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)? */
static inline const char *json_number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : json_digits(at);
    if (*at == '.')
        at = json_digits(at + 1);
    if (*at == 'e' || *at == 'E') {
        at++;
        at = json_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

static inline const char *json_value(const char *at, struct json_field *f)
{
    static const char *const literals[] = {"null", "true", "false"};
    const char *end = NULL;

    f->kind = 's';
    if (*at == '"')
        return json_string(at, f->text, sizeof f->text);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, literals[i], strlen(literals[i])) == 0)
            end = at + strlen(literals[i]);
    f->kind = end != NULL ? 'l' : 'n';
    if (end == NULL)
        end = json_number(at);
    snprintf(f->text, sizeof f->text, "%.*s", (int)(end - at), at);
    return end;
}

static inline const char *json_object(const char *at, struct json_object *o)
{
    o->count = 0;
    ck_assert_msg(*at == '{', "an object was expected: %.40s", at);
    do {
        ck_assert_uint_lt(o->count, JSON_FIELDS_MAX);
        struct json_field *f = &o->fields[o->count++];
        at = json_space(json_string(json_space(at + 1), f->name, sizeof f->name));
        ck_assert_msg(*at == ':', "a colon was expected: %.40s", at);
        at = json_space(json_value(json_space(at + 1), f));
    } while (*at == ',');
    ck_assert_msg(*at == '}', "the end of an object was expected: %.40s", at);
    return at + 1;
}

/* Reads all of text; returns how many objects there are, the first max of them in objects. */
static inline size_t json_read(const char *text, struct json_object *objects, size_t max)
{
    size_t count = 0;
    const char *at = json_space(text);

    ck_assert_msg(*at == '[', "an array was expected: %.80s", at);
    do {
        ck_assert_uint_lt(count, max);
        at = json_space(json_object(json_space(at + 1), &objects[count++]));
    } while (*at == ',');
    ck_assert_msg(*at == ']', "the end of the array was expected: %.40s", at);
    ck_assert_msg(*json_space(at + 1) == '\0', "something follows the array: %.40s", at);
    return count;
}

static inline const struct json_field *json_field(const struct json_object *o, const char *name)
{
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->fields[i].name, name) == 0)
            return &o->fields[i];
    ck_abort_msg("there is no field %s", name);
    return NULL;
}

static inline const char *json_text(const struct json_object *o, const char *name)
{
    return json_field(o, name)->text;
}

#endif
