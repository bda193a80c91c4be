/* SPDX-License-Identifier: BSD-2-Clause */
/* XML and HTML by libxml2's writer, in the words that the commands need. */
#pragma once

#include <libxml/xmlwriter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is written goes to `out`, in parts; all of it has gone when it is closed. Indented, each element has a line. */
xmlTextWriterPtr xml_open(FILE *out, bool indented);
void xml_close(xmlTextWriterPtr xml);

/* Begins an element: its name, then names and values of its attributes. One whose value is NULL is left out. */
#define xml_begin(xml, ...)                                 \
    xml_begin_of((xml), (const char *const[]){__VA_ARGS__}, \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void xml_begin_of(xmlTextWriterPtr xml, const char *const *words, size_t count);
void xml_attribute(xmlTextWriterPtr xml, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends it: as <name/> if it is empty, or always by a tag, which most elements of HTML need. */
void xml_end(xmlTextWriterPtr xml);
void xml_end_tag(xmlTextWriterPtr xml);
/* Text, whose marks are written so that they mean themselves; and markup as it is. */
void xml_text(xmlTextWriterPtr xml, const char *text);
void xml_print(xmlTextWriterPtr xml, const char *format, ...) __attribute__((format(printf, 2, 3)));
void xml_markup(xmlTextWriterPtr xml, const char *format, ...) __attribute__((format(printf, 2, 3)));
