/* SPDX-License-Identifier: MIT */
#ifndef NOGPU_JSON_TEXT_H
#define NOGPU_JSON_TEXT_H

/* Prints a text as JSON's. "<" is an escape, so that it can stand in a page; bytes that are no UTF-8 become '?'. */
void json_text(const char *text);

#endif
