/*
 * The log, format 1: KTAP lines and `# name key=value ...` comments, 7-bit, CRLF, append-only, with a running CRC-32,
 * sync lines and the END line. Only the boot CPU writes. Formatting is pure (kernel/text/format.h); sinks are
 * registered.
 */
#pragma once

#include "boot/bits.h"

struct sink {
    const char *name; /* in the log, should it be switched off */
    /* Whole lines with their CRLF. A text that lies in log_kept() stays there. */
    void (*write)(const char *text, size_t length);
    /* What a person must be shown besides, and how it ends; NULL: a sink of lines only. */
    void (*finding)(const char *text);
    void (*abandoned)(const char *reason);
    void (*drain)(void); /* waits, within a bound, until all has left the machine; NULL: nothing is kept back */
    bool off;            /* its code faulted: nothing is asked of it any more */
    struct sink *next;
};
/* Adds a sink after those that there are; everything logged so far is replayed into it first (up to the size of the
 * memory buffer). */
void log_add_sink(struct sink *sink);

/* The lines so far from the first on, up to where the memory was full. */
struct log_kept {
    const char *text;
    size_t length;
};
struct log_kept log_kept(void);

/* One whole line, without its line end. Characters outside 7-bit printable ASCII become '?'. */
__attribute__((format(printf, 1, 2))) void log_line(const char *format, ...);
/* Runs a sink's own code outside of its functions here, such as drawing, unless it is switched off. */
void log_sink_run(struct sink *sink, void (*work)(void));
/* A fault came: if a sink was at work, it is switched off, which the next line tells. Boot CPU only. */
void log_sink_faulted(void);
/* What has nothing to do with a sink ended the code that wrote a line: the line ends here, and the next begins anew.
 * Boot CPU only. */
void log_interrupted(void);
/* Switches all sinks off: the last resort of code that faults while it tells of a fault. */
void log_silence(void);
/* Is a line being written? For code that may have interrupted just that. */
bool log_busy(void);
/* All lines from now on begin with two spaces a level: nested KTAP subtests. */
void log_indent(int levels);
/*
 * Prints `# heartbeat running=... uptime=SECONDS` when due: at least every 10 s if polled twice a second. Cheap. After
 * log_set_timeless() there is no uptime, and they come when that clock says.
 */
void log_heartbeat(const char *running);
/* Restarts the heartbeat clock, line counter and CRC; called once before "KTAP version 1". */
void log_start(void);
/* A finding for the sinks that show those; the log's own lines are another matter. */
__attribute__((format(printf, 1, 2))) void log_finding(const char *format, ...);
/* The END line of a run that cannot go on: verdict=error, and the reason for the sinks that show it. */
void log_abandon(const char *reason);
/* Waits for all sinks. For the end of the machine. */
void log_drain(void);
/* The clock of heartbeats, in milliseconds since the image started; without one there are none. */
void log_set_clock(u64 (*uptime_ms)(void));
/* Nobody knows how fast that clock goes: what it says is told no more. */
void log_set_timeless(void);
/* The END line with `text` between "# end " and " crc32=...". Nothing may be logged after it. */
__attribute__((format(printf, 1, 2))) void log_end(const char *text, ...);
