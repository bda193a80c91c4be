/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a log line is written, format 1: sanitised, indented, ended by CRLF, with the CRCs that make a hole visible. The
 * CRC-32 runs over each line's text plus one LF, so that it does not depend on how a terminal changed the line ends.
 *
 *   # sync seq=N crc32=X   X covers the lines after the last sync line, through this line's own "crc32="
 *   # end ... crc32=X      X covers all lines from log_writer_start(), through this line's own "crc32="
 *
 * Pure.
 */
#pragma once

#include "boot/bits.h"
#include <stdarg.h>

#define LOG_LINE_SIZE 1024  /* a longer line is cut and ends in "..." */
#define LOG_SYNC_LINES 50   /* a sync line comes after at most this many lines */
#define LOG_SYNC_BYTES 4096 /* a sync line comes after at most this much text */

struct log_writer {
    /* Gets whole lines with their CRLF. */
    void (*emit)(struct log_writer *writer, const char *text, size_t length);
    unsigned indent; /* levels of two spaces */
    bool counting, ended;
    u32 crc, block_crc; /* of all lines; of the lines after the last sync line */
    u32 block_lines, block_bytes;
    u32 syncs;
};

/* Starts the CRCs and sync lines from the next line on. */
void log_writer_start(struct log_writer *writer);
/* Writes one line, and a sync line after it if one is due. Does nothing after the END line. */
void log_writer_line(struct log_writer *writer, const char *format, va_list args);
/* Writes the END line, never indented. */
void log_writer_end(struct log_writer *writer, const char *format, va_list args);
