/* SPDX-License-Identifier: BSD-2-Clause */
/* The errata of this machine's CPUs as a run meets them. */
#include "harness/core/place.h"
#include "harness/report/report.h"
#include "harness/run/worker.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"

static struct errata_book book;

void errata_notes_begin(void)
{
    errata_book_clear(&book);
}

void errata_notes_take(const struct test_declaration *test, u32 cpu, const struct results *results)
{
    errata_book_note(&book, pmu_caps_of(cpu), topology_group(cpu), test->id, results);
}

void errata_notes_each(void (*tell)(u32 core_type, const struct erratum_entry *entry))
{
    struct erratum_entry entry;
    for (unsigned group = 0; group < book.groups; group++)
        for (unsigned i = 0; i < errata_book_size(); i++)
            if (errata_book_entry(&book, group, pmu_caps_of(book.group[group]), i, &entry))
                tell(book.group[group], &entry);
}

static u32 states[ERRATUM_STATES]; /* number of errata in each state */
static char seen_ones[200];        /* for the screen: their numbers, as many as there is room for */

static void tell_one(u32 core_type, const struct erratum_entry *entry)
{
    static char line[REPORT_LINE];
    size_t used = strlen(seen_ones);
    states[entry->state]++;
    if (entry->state == ERRATUM_SEEN || entry->state == ERRATUM_NOT_FIXED)
        format_text(seen_ones + used, sizeof(seen_ones) - used, " %s%s", entry->number,
                    entry->state == ERRATUM_NOT_FIXED ? " (unfixed)" : "");
    log_line("%s", report_erratum(line, core_type, entry));
}

void errata_notes_tell(void)
{
    u32 known = 0, seen;
    memset(states, 0, sizeof(states));
    seen_ones[0] = 0;
    errata_notes_each(tell_one);
    for (unsigned i = 0; i < ERRATUM_STATES; i++)
        known += states[i];
    seen = states[ERRATUM_SEEN] + states[ERRATUM_NOT_FIXED];
    if (seen)
        screen_finding("published errata of this CPU seen: %u of %u, see the log:%s", seen, known, seen_ones);
}
