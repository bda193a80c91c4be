/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Option resets=: warm resets in a row by each way that the machine has, and what each of them hands over, compared
 * with the first start. A start that finds nothing left in memory, as after power-on, makes no reset: if a machine
 * preserved no memory, the resets would have no end.
 */
#include "harness/mode/modes.h"
#include "harness/mode/resets/resets_book.h"
#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/power.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

OPTION(resets, .kind = OPTION_NUMBER, .argument = "N", .minimum = 1, .maximum = 20,
       .help = "before the tests: N warm resets by each way that the machine has, and what differs after them; the "
               "first start after power-on makes none: reset the machine by hand then");

_Static_assert(sizeof(struct resets_book) <= PREVIOUS_MORE, "kept over a reset");
_Static_assert(RESET_WAY_COUNT <= RESETS_WAYS, "each way has a place");

static bool requested(void)
{
    return option_resets.given;
}

/* ---- What a start found. */

/* Branch records, and what changes by itself, differ anyway. */
static void find_registers(struct resets_book *book, u32 cpu)
{
    const struct snapshot *found = handoff_of(cpu);
    for (unsigned i = 0; i < found->count; i++) {
        const struct snapshot_entry *entry = &found->entry[i];
        if (entry->readable && !entry->moved && entry->part != SNAPSHOT_RECORDS)
            resets_book_found(book, cpu, entry->msr, entry->value);
    }
    resets_book_found(book, cpu, MSR_BIOS_SIGN_ID, handoff_caps(cpu)->microcode);
}

static void find_all(struct resets_book *book)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (handoff_of(cpu))
            find_registers(book, cpu);
}

/* ---- The log. */

static void log_difference(const struct resets_difference *d)
{
    char name[REGISTER_NAME_SIZE];
    log_line("# reset-differs way=%s reset=%u cpu=%u reg=%s first=0x%lx now=0x%lx", power_reset_name[d->way], d->made,
             d->first.cpu, register_name(handoff_caps(d->first.cpu), d->first.number, name), d->first.value, d->now);
}

static void log_way(const struct resets_book *book, u32 number)
{
    const struct resets_way *way = &book->ways[number];
    const char *state = way->absent ? "absent" : way->ignored ? "ignored" : "works";
    log_line("# resets way=%s state=%s made=%u differences=%u", power_reset_name[number], state, way->made,
             way->differences);
}

static void log_all(const struct resets_book *book)
{
    u32 made = 0, differences = 0;
    for (u32 i = 0; i < book->differences; i++)
        log_difference(&book->difference[i]);
    for (u32 way = 0; way < RESET_WAY_COUNT; way++) {
        log_way(book, way);
        made += book->ways[way].made;
        differences += book->ways[way].differences;
    }
    if (book->left_out)
        log_line("# resets left-out=%u reason=\"no room in the memory that resets keep\"", book->left_out);
    log_finding("resets: %u warm resets, %u registers compared, %u differences", made, book->registers, differences);
}

static void refuse(const char *state, const char *why)
{
    log_line("# resets state=%s reason=\"%s\"", state, why);
    log_finding("resets %s: %s", state, why);
}

/* ---- The series. */

static void make_next(struct resets_book *book)
{
    u32 way;
    while ((way = resets_book_next(book, RESET_WAY_COUNT)) < RESETS_WAYS) {
        log_line("# reset way=%s number=%u of=%u", power_reset_name[way], book->ways[way].made + 1, book->each);
        resets_book_close(book);
        previous_plan_reset(true);
        bool tried = power_reset((enum reset_way)way);
        previous_plan_reset(false);
        resets_book_failed(book, !tried);
    }
    resets_book_close(book);
}

/* Compares this start's hand-off, and resets the machine if the series is not over; else logs all of it. */
static void make(void)
{
    struct resets_book *book = previous_more();
    if (!book) {
        refuse("refused", "no memory is kept over a reset");
        return;
    }
    if (!previous_survived()) {
        resets_book_begin(book, 0); /* what memory holds after power-on is nobody's book */
        refuse("cold", "nothing was left in memory, as after power-on: reset the machine by hand to begin");
        return;
    }
    if (resets_book_continues(book))
        resets_book_came_back(book);
    else
        resets_book_begin(book, (u32)option_resets.number);
    find_all(book);
    make_next(book);
    log_all(book);
}

MODE(resets, .name = "resets=", .asked = requested, .before = make);
