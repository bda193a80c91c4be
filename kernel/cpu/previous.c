/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/cpu/previous.h"
#include "kernel/core/option.h"
#include "kernel/log/kept.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"

#define TAIL 3072       /* characters of the old log that are shown: some forty lines */
#define CPUS_MOST 1024  /* CPUs whose accesses are recorded */
#define ACCESSES_MOST 8 /* that are shown; the same access on many CPUs counts once */
#define CACHE_LINE 64

/* At the end of the block, after the log. */
struct beside {
    struct msr_record access[CPUS_MOST];
    struct hung hung;
    u64 watched; /* 1 if the watchdog was armed: then it ended the run */
    u64 more[PREVIOUS_MORE / sizeof(u64)];
};

struct access {
    u64 what;
    unsigned cpu, cpus; /* the first CPU, and how many CPUs */
};

static struct kept *kept;
static struct beside *beside;
static size_t kept_size;
static struct {
    char tail[TAIL], running[HUNG_NAME], step[HUNG_NAME];
    size_t length; /* of the tail; 0: no unfinished log was found */
    bool watched, survived;
    struct access access[ACCESSES_MOST];
    unsigned accesses;
} found;

/* A reset discards the content of the caches. */
static void flush(const void *from, size_t length)
{
    for (u64 at = (u64)from & ~(CACHE_LINE - 1ul); at < (u64)from + length; at += CACHE_LINE)
        flush_line((void *)at);
}

static void keep(const char *text, size_t length)
{
    if (!kept)
        return;
    size_t before = kept->state >> 32;
    kept_add(kept, kept_size, text, length);
    size_t now = kept->state >> 32;
    size_t from = now > before ? before : 0; /* otherwise the older half was dropped */
    flush(kept->text + from, now - from);
    flush(kept, sizeof(*kept));
}

static struct sink sink = {.name = "kept", .write = keep};

static void note_access(unsigned cpu, u64 what)
{
    for (struct access *a = found.access; a < found.access + found.accesses; a++)
        if (a->what == what) {
            a->cpus++;
            return;
        }
    if (found.accesses < ACCESSES_MOST)
        found.access[found.accesses++] = (struct access){what, cpu, 1};
}

static void look_beside(void)
{
    hung_begin(&beside->hung);
    if (!found.length) {
        hung_clear(&beside->hung);
        return;
    }
    found.watched = beside->watched == 1;
    /* A hang before the tests is handled by leaving out the step, not a test. */
    if (found.watched && (!found.step[0] || !strcmp(found.step, START_STEP_TESTS)))
        hung_add(&beside->hung, found.running);
    for (unsigned cpu = 0; cpu < CPUS_MOST; cpu++) {
        const struct msr_record *record = &beside->access[cpu];
        if (record->what & MSR_RECORD_MADE && record->inverted == ~record->what)
            note_access(cpu, record->what);
    }
}

static void look(void)
{
    size_t length = kept_unfinished(kept, kept_size);
    const char *tail = kept_tail(kept->text, length, TAIL);
    found.length = (size_t)(kept->text + length - tail);
    memcpy(found.tail, tail, found.length);
    kept_running(kept->text, length, found.running, sizeof(found.running));
    kept_step(kept->text, length, found.step, sizeof(found.step));
    start_step_hung(found.step);
}

void previous_init(void *block, size_t size)
{
    if (!block)
        return;
    kept = block;
    kept_size = size - sizeof(struct beside) / CACHE_LINE * CACHE_LINE - CACHE_LINE;
    beside = (struct beside *)((u8 *)block + kept_size);
    found.survived = kept_is(kept);
    look();
    look_beside();
    beside->watched = 0;
    memset(beside->access, 0, sizeof(beside->access));
    flush(beside, sizeof(*beside));
    kept_begin(kept, kept_size);
    flush(kept, sizeof(*kept));
    log_add_sink(&sink);
}

/* An MSR number as the manual writes it: "38EH". */
static void number_text(u32 number, char text[12])
{
    int length = format_text(text, 12, "%x", number);
    for (char *at = text; *at; at++)
        if (*at >= 'a')
            *at = (char)(*at - 'a' + 'A');
    memcpy(text + length, "H", 2);
}

static void print_access(const struct access *access)
{
    const char *how = access->what & MSR_RECORD_BLOCK   ? "a block switched by WRMSR"
                      : access->what & MSR_RECORD_WRITE ? "WRMSR"
                                                        : "RDMSR";
    char msr[12];
    number_text((u32)access->what, msr);
    if (access->cpus == 1)
        log_line("# previous-run ended in %s on CPU %u at %s %s", found.running, access->cpu, how, msr);
    else
        log_line("# previous-run ended in %s on %u CPUs, the first CPU %u, at %s %s", found.running, access->cpus,
                 access->cpu, how, msr);
}

void previous_print(void)
{
    if (!found.length)
        return;
    log_line("# previous-run ended=no running=%s step=%s watchdog=%s", found.running,
             found.step[0] ? found.step : KEPT_NO_TEST, found.watched ? "reset" : "off");
    for (unsigned i = 0; i < found.accesses; i++)
        print_access(&found.access[i]);
    for (const char *at = found.tail, *end = at + found.length; at < end;) {
        const char *line = at;
        while (at < end && *at != '\r' && *at != '\n')
            at++;
        if (at > line)
            log_line("# previous-run | %.*s", (int)(at - line), line);
        at++;
    }
}

bool previous_watched(void)
{
    if (!kept || beside->hung.count == HUNG_MOST)
        return false;
    beside->watched = 1;
    flush(&beside->watched, sizeof(beside->watched));
    msr_record_to(beside->access);
    return true;
}

bool previous_hopeless(void)
{
    return kept && (beside->hung.count == HUNG_MOST || hung_has(&beside->hung, KEPT_NO_TEST));
}

bool previous_hung(const char *test)
{
    return kept && beside->watched && hung_has(&beside->hung, test);
}

void *previous_more(void)
{
    return kept ? beside->more : NULL;
}

bool previous_survived(void)
{
    return found.survived;
}

void previous_plan_reset(bool planned)
{
    kept->ended = planned;
    flush(kept, sizeof(*kept));
    flush(beside->more, sizeof(beside->more));
}

void previous_stop(void)
{
    msr_record_to(NULL);
    if (kept) {
        beside->watched = 0;
        flush(&beside->watched, sizeof(beside->watched));
    }
    kept = NULL;
}
