/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes logs of format 1 line by line, with their check sums, for tests of log readers. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static struct {
    char text[32768];
    unsigned long crc, block;
    unsigned syncs;
} made;

static inline void made_clear(void)
{
    memset(&made, 0, sizeof(made));
}

static inline unsigned long made_sum(unsigned long crc, const char *text)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)strlen(text));
}

/* Text that is not part of the log. */
static inline void made_noise(const char *content)
{
    size_t used = strlen(made.text);
    snprintf(made.text + used, sizeof(made.text) - used, "%s\r\n", content);
}

static inline void made_line(const char *content)
{
    made.crc = made_sum(made_sum(made.crc, content), "\n");
    made.block = made_sum(made_sum(made.block, content), "\n");
    made_noise(content);
}

__attribute__((format(printf, 1, 2))) static inline void made_print(const char *format, ...)
{
    char content[512];
    va_list args;
    va_start(args, format);
    vsnprintf(content, sizeof(content), format, args);
    va_end(args);
    made_line(content);
}

static inline void made_list(const char *const *lines)
{
    for (; *lines; lines++)
        made_line(*lines);
}
#define made_lines(...) made_list((const char *const[]){__VA_ARGS__, NULL})

/* A log with its first line alone. */
static inline void made_begin(void)
{
    made_clear();
    made_line("KTAP version 1");
}

static inline void made_sync(void)
{
    char content[80];
    int length = snprintf(content, sizeof(content), "# sync seq=%u crc32=", ++made.syncs);
    snprintf(content + length, sizeof(content) - (size_t)length, "%08lx", made_sum(made.block, content));
    made_line(content);
    made.block = 0;
}

/* NULL: the log is cut before it. */
static inline void made_end(const char *content)
{
    if (!content)
        return;
    char whole[160];
    int length = snprintf(whole, sizeof(whole), "# end %s crc32=", content);
    snprintf(whole + length, sizeof(whole) - (size_t)length, "%08lx", made_sum(made.crc, whole));
    made_line(whole);
}

/* A whole log: its first line, these lines, and the END line with these totals. */
#define made_log(end, ...) (made_begin(), made_lines(__VA_ARGS__), made_end(end))

/* Reads it in place of the log that `file` held before; zeroed, it held none. */
static inline void made_read(struct log_file *file, const char *path)
{
    log_free(file);
    log_read(file, path, made.text, strlen(made.text));
}
