/* Which elements of an array, in words.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arrays.h"

void lost_note(struct lost *l, const char *format, ...)
{
    char text[600];
    va_list arguments;

    if (l->notes == LOST_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    l->notes += report_note(l->report, text);
}

/* Runs of one length at equal distances; the end may cut the last one off. At both ends alone: a border. */
bool pattern_find(const unsigned char *is_in, size_t count, struct pattern *p)
{
    size_t before = 0, length = 0;
    bool is_regular = true;

    *p = (struct pattern){.count = count};
    for (size_t i = 0; i < count;) {
        if (!is_in[i]) {
            i++;
            continue;
        }
        size_t begin = i;
        while (i < count && is_in[i])
            i++;
        p->runs++;
        p->total += i - begin;
        if (p->runs == 1) {
            p->first = begin;
            p->last = i - 1;
            length = i - begin;
        } else {
            if (p->runs == 2)
                p->second = begin;
            bool cut = i == count && i - begin < length;
            if ((i - begin != length && !cut) || begin - before != p->second - p->first)
                is_regular = false;
        }
        before = begin;
    }
    p->to_end = p->runs == 1 && p->last + 1 == count;
    bool is_border = p->runs == 2 && p->first == 0 && p->second + length == count;
    return p->runs > 0 && is_regular && !is_border;
}

static void add_element(char *text, size_t size, const struct array *a, size_t i)
{
    size_t used = strlen(text);

    if (a->is_packed)
        snprintf(text + used, size - used, "%s[%zu].%c", a->name, i / 2, i % 2 ? 'y' : 'x');
    else if (a->members > 1)
        snprintf(text + used, size - used, "%s[%zu]%s[%zu]", a->name, i / a->members, a->member, i % a->members);
    else
        snprintf(text + used, size - used, "%s[%zu]", a->name, i);
}

static void add(char *text, size_t size, const struct array *a, size_t first, size_t last)
{
    if (*text)
        snprintf(text + strlen(text), size - strlen(text), ", ");
    add_element(text, size, a, first);
    if (first == last)
        return;
    snprintf(text + strlen(text), size - strlen(text), " to ");
    add_element(text, size, a, last);
}

void pattern_elements(const struct pattern *p, const struct array *a, size_t origin, char *text, size_t size)
{
    size_t length = p->last - p->first;

    *text = '\0';
    add(text, size, a, origin + p->first, origin + p->last);
    if (p->runs > 1) {
        size_t last = p->second + length < p->count ? p->second + length : p->count - 1;
        add(text, size, a, origin + p->second, origin + last);
    }
    if (p->runs > 2)
        snprintf(text + strlen(text), size - strlen(text), " and so on");
}

void pattern_of_array(const struct pattern *p, const struct array *a, char *text, size_t size)
{
    const uint64_t parts[] = {
        a->threads, a->all_threads, 2 * (uint64_t)a->threads, 4 * (uint64_t)a->threads, a->warp_size, 4, 2, 8, 16};
    size_t count = p->count / a->members, total = p->total / a->members;

    *text = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts && p->to_end && !*text; i++)
        if (count > parts[i] && count % parts[i] == total)
            snprintf(text, size, ", the last n %% %llu", (unsigned long long)parts[i]);
    if (p->to_end && !*text)
        snprintf(text, size, ", the last %zu of %zu", total, count);
    if (p->runs == 1)
        return;
    size_t period = p->second - p->first, first = p->first % period;
    size_t last = first + p->last - p->first;
    if (period == 2)
        snprintf(text, size, ", every second one");
    else if (period == a->threads && first * 2 == period && last + 1 == period)
        snprintf(text, size, ", the upper half of each block's %zu", period);
    else if (period == a->warp_size && last < period)
        snprintf(text, size, ", lanes %zu to %zu of each warp", first, last);
    else if (period == a->threads && last < period)
        snprintf(text, size, ", threads %zu to %zu of each block", first, last);
    else
        snprintf(text, size, ", %zu of each %zu", p->last - p->first + 1, period);
}

void pattern_of_threads(const struct pattern *p, unsigned warp_size, char *text, size_t size)
{
    size_t period = p->second - p->first, last = p->last;

    if (p->runs > 1 && period == warp_size)
        snprintf(text, size, "lanes %zu to %zu of each warp", p->first % period, last % period);
    else if (p->runs > 1)
        snprintf(text, size, "%zu of each %zu threads, from thread %zu", last - p->first + 1, period, p->first);
    else if (p->first == last)
        snprintf(text, size, "thread %zu", last);
    else if (p->first % warp_size == 0 && (last + 1) % warp_size == 0 && last - p->first < warp_size)
        snprintf(text, size, "threads %zu to %zu, warp %zu", p->first, last, last / warp_size);
    else if (p->first % warp_size == 0 && (last + 1) % warp_size == 0)
        snprintf(text, size, "threads %zu to %zu, warps %zu to %zu", p->first, last, p->first / warp_size,
                 last / warp_size);
    else
        snprintf(text, size, "threads %zu to %zu", p->first, last);
}
