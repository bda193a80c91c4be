/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The right column of the table "Requirements to Program PEBS", row by row: CCCR disabled, MSR_PEBS_ENABLE cleared, OVF
 * cleared, sample-after value, ESCRs and CCCR, buffer, IA32_DS_AREA, its fields, MSR_PEBS_ENABLE and
 * MSR_PEBS_MATRIX_VERT, and the CCCR's enable bit last. Front-end tagging of loads and stores, and replay tagging of
 * loads that miss, come in turn, each with CCCR.OVF_PMI clear and, as in the table, set, with LVTPC masked. How many
 * records each gives, and how many of them lie in the code that ran and hold the right registers, is measured: no log
 * of such a CPU exists.
 *
 * MSR_PEBS_MATRIX_VERT is written before MSR_PEBS_ENABLE and, as drivers do, after it.
 *
 * Judged is that the records up to the index have 144 bytes each, that nothing is written past it, and that all events
 * together give at least one record, however many are lost. Also, an event that gives records in the first order each
 * of TRIES times gives some in the second order, tried in between.
 */
#include "harness/chapter/netburst.h"

#define TRIES 4

static u32 records_seen[MAX_CPUS];

static bool registers_hold(const struct sampled *block, const struct pebs_record *r)
{
    for (unsigned i = 0; i < PEBS_REGISTERS; i++)
        if (i != SAMPLED_CLOCK && r->reg[i] != block->reg[i])
            return false;
    return true;
}

static void measure_content(struct test *t, const struct netburst_setup *setup, const struct sampled *block)
{
    struct pebs_record record;
    for (u64 offset = 0; netburst_next(setup, &offset, &record);) {
        measure(t, "ip-in-the-code", "0-or-1", sampled_holds(record.ip));
        if (sampled_in_loop(record.ip))
            measure(t, "registers-hold", "0-or-1", registers_hold(block, &record));
    }
}

/* Only the first run is measured. */
static u32 one_way(struct test *t, bool pmi, bool matrix_last, bool first)
{
    struct netburst_setup setup = netburst_setup_of(t, t->turn);
    struct sampled block;
    u64 end;
    setup.pmi = pmi;
    setup.matrix_last = matrix_last;
    netburst_sample(t, &setup, &block, NETBURST_ROUNDS);
    u32 count = netburst_count(&setup, &end);
    if (first) {
        measure(t, pmi ? "all with OVF_PMI" : setup.event->name, "records", count);
        measure_content(t, &setup, &block);
    }
    netburst_check_bounds(t, &setup);
    return count;
}

/* In turn: the first runs may miss caches that later ones do not. */
static u32 both_orders(struct test *t, bool pmi)
{
    u32 first, last, count = 0;
    unsigned try = 0;
    do {
        first = one_way(t, pmi, false, !try);
        last = one_way(t, pmi, true, false);
        count += first + last;
    } while (first && !last && ++try < TRIES);
    check_true(t, "no-record-matrix-last", last || !first, first, "a record with the matrix written last, too", 0);
    return count;
}

static bool one_event(struct test *t)
{
    u32 count = both_orders(t, false) + both_orders(t, true);
    records_seen[t->cpu] = (t->turn ? records_seen[t->cpu] : 0) + count;
    if (t->turn + 1 >= netburst_event_count)
        check_true(t, "no-record", records_seen[t->cpu] > 0, 0, "1 record or more", 0);
    return sampling_more(t, netburst_event_count);
}

TEST("netburst.records", .title = "Sampling by CCCR and ESCR writes whole records",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_event, .measures = true);
