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

/*
 * The log, format 1: KTAP lines and `# name key=value ...` comments, 7-bit, CRLF, append-only, with a running CRC-32,
 * sync lines and the END line. Only the boot CPU writes. Formatting is pure (kernel/text/text.h); sinks are
 * registered.
 */

struct sink {
    const char *name; /* name in the log line that reports it switched off */
    /* Takes whole lines with their CRLF. A text that lies in log_kept() does not move. */
    void (*write)(const char *text, size_t length);
    /* Shows a person a finding or the end of the log; NULL for a sink that takes only lines. */
    void (*finding)(const char *text);
    void (*abandoned)(const char *reason);
    void (*drain)(void); /* waits, within a bound, until all text has left the machine; NULL: it does not buffer */
    bool off;            /* its code faulted: the sink is not called any more */
    struct sink *next;
};
/* Adds a sink after the existing ones. Everything logged so far, as far as the memory holds it, is written to it
 * first. */
void log_add_sink(struct sink *sink);

/* The lines so far, from the first one up to where the memory was full. */
struct log_kept {
    const char *text;
    size_t length;
};
struct log_kept log_kept(void);

/* One whole line, without its line end. Characters outside 7-bit printable ASCII become '?'. */
__attribute__((format(printf, 1, 2))) void log_line(const char *format, ...);
/* Runs other code of a sink, such as drawing, unless the sink is switched off. */
void log_sink_run(struct sink *sink, void (*work)(void));
/* For a fault: if a sink was running, switches it off; the next line says so. Boot CPU only. */
void log_sink_faulted(void);
/* For an interruption that is not a sink's fault: if it ended the code that wrote a line, that line ends here, and the
 * next line starts afresh. Boot CPU only. */
void log_interrupted(void);
/* Switches all sinks off: the last resort of code that faults while it reports a fault. */
void log_silence(void);
/* Is a line being written? For code that may have interrupted it. */
bool log_busy(void);
/* All lines from now on begin with two spaces per level: nested KTAP subtests. */
void log_indent(int levels);
/*
 * Prints `# heartbeat running=... uptime=SECONDS` when due: at least every 10 s if polled twice a second. Cheap. After
 * log_set_timeless() they have no uptime, and come by a clock of unknown rate.
 */
void log_heartbeat(const char *running);
/* Restarts the heartbeat clock, line counter and CRC; called once before "KTAP version 1". */
void log_start(void);
/* A finding for the sinks that show findings; the log's own line is written separately. */
__attribute__((format(printf, 1, 2))) void log_finding(const char *format, ...);
/* The END line of a run that cannot go on: verdict=error; sinks that show findings also show the reason. */
void log_abandon(const char *reason);
/* Waits for all sinks, before the machine is left. */
void log_drain(void);
/* Sets the clock of heartbeats, in milliseconds since the image started. Without a clock there are no heartbeats. */
void log_set_clock(u64 (*uptime_ms)(void));
/* The rate of that clock is unknown: its time is no longer logged. */
void log_set_timeless(void);
/* The END line with `text` between "# end " and " crc32=...". Nothing may be logged after it. */
__attribute__((format(printf, 1, 2))) void log_end(const char *text, ...);
