/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A region of the table of physical addresses whose entry has INT raises a PMI when it is full, delivered as LVTPC
 * says: bit 55 of IA32_PERF_GLOBAL_STATUS tells the handler that it came from the trace, and can be cleared. One region
 * raises one PMI.
 *
 * The first of two regions has INT, with fixed delivery, with NMI and with LVTPC masked in turn; then the second one,
 * which also has STOP: it ends the trace and raises its PMI as well. Then the first region is larger than 4 KiB: 8 and
 * 16 KiB. If the table has only one region the PMI comes somewhat before it is full; then the position is not judged.
 * When the PMI comes is never judged: it is not precise.
 */
#include "harness/chapter/tracing.h"

#define STRETCH 256 /* turns of the loop between two looks at the position */

enum { FIXED, NMI, MASKED, WAYS };

/* Which region has INT, and the first one's size: 4 KiB << size. */
static const struct kind {
    bool at_end;
    unsigned size;
} kinds[] = {{false, 0}, {true, 0}, {false, 1}, {false, 2}};

static void count_pmis(struct test *t, bool masked, u64 room)
{
    const struct pmi_log *log = pmi_log();
    u32 told = 0, known = log->count < PMI_RECORDS ? log->count : PMI_RECORDS;
    for (u32 i = 0; i < known; i++)
        told += (log->record[i].status & STATUS_TRACE_TOPA_PMI) != 0;
    if (masked) {
        check_equal(t, "delivered-masked", log->count, 0, 0);
        check_bit(t, "no-status-bit-masked", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true);
        return;
    }
    if (!check_true(t, "not-delivered", log->count, room, "1 PMI or more after so many bytes", 0))
        return;
    check_true(t, "no-status-bit", told, room, "bit 55 in a PMI's IA32_PERF_GLOBAL_STATUS after so many bytes",
               MSR_PERF_GLOBAL_STATUS);
    check_range(t, "more-than-one", told, 0, 1, 0);
    check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
}

static bool behind(u64 room)
{
    struct trace_position at = trace_position();
    return at.index || at.offset >= room;
}

/* Without pauses: the write gate lets no trace begin behind the first page. One byte for each turn is very little. */
static bool fill_large(struct test *t, const struct tracing *tracing, u64 room, unsigned size)
{
    trace_put_region(&tracing->area, 0, TOPA_INT | TOPA_SIZE_OF(size) | (tracing->regions == 1 ? TOPA_STOP : 0));
    trace_on(TRACE_CONTROL);
    for (u64 turns = 0; turns < room && !behind(room); turns += STRETCH)
        trace_branches(STRETCH);
    trace_branches(STRETCH);
    trace_off();
    return behind(room) || trace_stopped(t);
}

static bool fill(struct test *t, const struct tracing *tracing, u64 room, unsigned size)
{
    if (size)
        return fill_large(t, tracing, room, size);
    return trace_until(room) >= room || trace_stopped(t);
}

static bool topa_pmi(struct test *t)
{
    unsigned way = t->turn % WAYS;
    const struct kind *kind = &kinds[t->turn / WAYS % ARRAY_SIZE(kinds)];
    struct tracing tracing = tracing_begin(t, kind->at_end ? 0 : TOPA_INT, kind->at_end ? TOPA_INT : 0);
    u64 room = kind->at_end ? tracing_room(&tracing) : TRACE_REGION_BYTES << kind->size;
    pmi_listen(way == NMI ? PMI_NMI : PMI_FIXED, PMI_ACK);
    if (way == MASKED)
        apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    bool filled = check_true(t, "not-filled", fill(t, &tracing, room, kind->size), tracing_bytes(), "a full region",
                             MSR_RTIT_OUTPUT_MASK_PTRS);
    pmi_settled();
    check_bits(t, "error", MSR_RTIT_STATUS, RTIT_STATUS_ERROR, 0);
    if (filled)
        count_pmis(t, way == MASKED, room);
    pmi_close();
    tracing_end(t);
    return more_samples_of(t, WAYS * ARRAY_SIZE(kinds));
}

TEST("trace.topa-pmi", .title = "A full region of a trace raises one PMI, and STATUS says that it came from the trace",
     .spec = "SDM 3C, Table of Physical Addresses (ToPA)", .needs = {.version = 2, .apic = true}, .scope = EACH_CPU,
     .prepare = need_trace, .repeat = topa_pmi, .alone = "bit 55 of STATUS, which could stand, is its subject");
