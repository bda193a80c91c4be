/* The image's one log: a writer, the sinks that want its lines, and a memory for sinks that come late. */
#include "kernel/log/log.h"
#include "kernel/log/log_line.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"

#define MEMORY_SIZE 65536u
/* Below the 10 s that a reader may rely on: poll points are not evenly spaced. */
#define HEARTBEAT_MS 8000

static void emit(const char *text, size_t length);

static struct log_writer writer = {.emit = emit};
static struct sink *sinks;
static char memory[MEMORY_SIZE];
static size_t memory_used;
static u32 memory_lost_lines;
static u64 last_heartbeat_ms;
static u64 (*clock_ms)(void);
static bool writing;

static void emit(const char *text, size_t length)
{
    if (!memory_lost_lines && length <= MEMORY_SIZE - memory_used) {
        memcpy(memory + memory_used, text, length);
        memory_used += length;
    } else {
        memory_lost_lines++; /* from the first line lost on nothing is kept: one hole, at a known place */
    }
    for (struct sink *sink = sinks; sink; sink = sink->next)
        sink->write(text, length);
}

void log_add_sink(struct sink *sink)
{
    for (const struct sink *known = sinks; known; known = known->next)
        if (known == sink) /* a second time would make the list endless */
            return;
    sink->write(memory, memory_used);
    if (memory_lost_lines) {
        char text[64];
        int length = format_text(text, sizeof(text), "# log lost-lines=%u\r\n", memory_lost_lines);
        sink->write(text, (size_t)length);
    }
    sink->next = sinks;
    sinks = sink;
}

void log_set_clock(u64 (*uptime_ms)(void))
{
    clock_ms = uptime_ms;
}

void log_start(void)
{
    log_writer_start(&writer);
    last_heartbeat_ms = clock_ms ? clock_ms() : 0;
}

void log_line(const char *format, ...)
{
    va_list args;
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
    char name[96];
    if (now - last_heartbeat_ms < HEARTBEAT_MS)
        return;
    last_heartbeat_ms = now;
    log_line("# heartbeat running=%s uptime=%lu", format_quoted(name, sizeof(name), running),
             (unsigned long)(now / 1000));
}

void log_finding(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    format_args(text, sizeof(text), format, args);
    va_end(args);
    for (struct sink *sink = sinks; sink; sink = sink->next)
        if (sink->finding)
            sink->finding(text);
}

void log_abandon(const char *reason)
{
    for (struct sink *sink = sinks; sink; sink = sink->next)
        if (sink->abandoned)
            sink->abandoned(reason);
    log_end("verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1");
}

void log_drain(void)
{
    for (struct sink *sink = sinks; sink; sink = sink->next)
        if (sink->drain)
            sink->drain();
}

void log_end(const char *text, ...)
{
    va_list args;
    va_start(args, text);
    log_writer_end(&writer, text, args);
    va_end(args);
}
