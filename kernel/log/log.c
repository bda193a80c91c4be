/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's only log: a writer, the sinks that take its lines, and a memory for sinks that are added later. */
#include "kernel/log/log.h"
#include "kernel/text/text.h"

#define MEMORY_SIZE (1u << 19) /* enough for a run or two on many CPUs; soak and proofs write more */
/* Less than the 10 s that a reader may rely on, because polls are not evenly spaced. */
#define HEARTBEAT_MS 8000

static void emit(struct log_writer *to, const char *text, size_t length);
static void write_to(struct sink *sink, const char *text, size_t length);

static struct log_writer writer = {.emit = emit};
static struct sink *sinks, *at_work;
static const struct sink *switched_off; /* but not yet reported */
static char memory[MEMORY_SIZE];
static size_t memory_used;
static u32 memory_lost_lines;
static u64 last_heartbeat_ms;
static u64 (*clock_ms)(void);
static bool timeless, writing;

void log_sink_run(struct sink *sink, void (*work)(void))
{
    struct sink *outer = at_work;
    if (sink->off)
        return;
    at_work = sink;
    work();
    at_work = outer;
}

void log_sink_faulted(void)
{
    if (!at_work)
        return;
    at_work->off = true;
    switched_off = at_work;
    at_work = NULL;
}

void log_interrupted(void)
{
    static const char line_end[] = "\r\n";
    struct sink *sink = at_work;
    writing = false;
    if (sink)
        write_to(sink, line_end, sizeof(line_end) - 1);
}

void log_silence(void)
{
    for (struct sink *sink = sinks; sink; sink = sink->next)
        sink->off = true;
}

static void write_to(struct sink *sink, const char *text, size_t length)
{
    if (sink->off)
        return;
    at_work = sink;
    sink->write(text, length);
    at_work = NULL;
}

static void show_to(struct sink *sink, void (*show)(const char *text), const char *text)
{
    if (sink->off || !show)
        return;
    at_work = sink;
    show(text);
    at_work = NULL;
}

static void emit(struct log_writer *to, const char *text, size_t length)
{
    (void)to; /* the only one */
    if (!memory_lost_lines && length <= MEMORY_SIZE - memory_used) {
        text = memcpy(memory + memory_used, text, length);
        memory_used += length;
    } else {
        memory_lost_lines++; /* after the first lost line no more are stored, so the gap is at a known place */
    }
    for (struct sink *sink = sinks; sink; sink = sink->next)
        write_to(sink, text, length);
}

void log_add_sink(struct sink *sink)
{
    for (const struct sink *known = sinks; known; known = known->next)
        if (known == sink) /* adding it twice would make the list endless */
            return;
    write_to(sink, memory, memory_used);
    if (memory_lost_lines) {
        char text[64];
        int length = format_text(text, sizeof(text), "# log lost-lines=%u\r\n", memory_lost_lines);
        write_to(sink, text, (size_t)length);
    }
    struct sink **last = &sinks;
    while (*last)
        last = &(*last)->next;
    *last = sink;
}

struct log_kept log_kept(void)
{
    return (struct log_kept){memory, memory_used};
}

void log_set_clock(u64 (*uptime_ms)(void))
{
    clock_ms = uptime_ms;
}

void log_set_timeless(void)
{
    timeless = true;
}

void log_start(void)
{
    log_writer_start(&writer);
    last_heartbeat_ms = clock_ms ? clock_ms() : 0;
}

static void tell_switched_off(void)
{
    const struct sink *sink = switched_off;
    switched_off = NULL;
    if (sink)
        log_line("# log sink=%s state=off reason=fault", sink->name);
}

void log_line(const char *format, ...)
{
    va_list args;
    tell_switched_off();
    va_start(args, format);
    writing = true;
    log_writer_line(&writer, format, args);
    writing = false;
    va_end(args);
}

bool log_busy(void)
{
    return writing;
}

void log_indent(int levels)
{
    writer.indent = levels > 0 ? (unsigned)levels : 0;
}

void log_heartbeat(const char *running)
{
    u64 now = clock_ms ? clock_ms() : 0;
    char name[96], uptime[32] = "";
    if (now - last_heartbeat_ms < HEARTBEAT_MS)
        return;
    last_heartbeat_ms = now;
    if (!timeless)
        format_text(uptime, sizeof(uptime), " uptime=%lu", (unsigned long)(now / 1000));
    log_line("# heartbeat running=%s%s", format_quoted(name, sizeof(name), running), uptime);
}

void log_finding(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    format_args(text, sizeof(text), format, args);
    va_end(args);
    for (struct sink *sink = sinks; sink; sink = sink->next)
        show_to(sink, sink->finding, text);
}

void log_abandon(const char *reason)
{
    for (struct sink *sink = sinks; sink; sink = sink->next)
        show_to(sink, sink->abandoned, reason);
    log_end("verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1");
}

void log_drain(void)
{
    for (struct sink *sink = sinks; sink; sink = sink->next)
        if (sink->drain)
            log_sink_run(sink, sink->drain);
}

void log_end(const char *text, ...)
{
    va_list args;
    tell_switched_off();
    va_start(args, text);
    log_writer_end(&writer, text, args);
    va_end(args);
}
