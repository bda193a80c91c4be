/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/lockstep/oracle.h"
#include "kernel/text/text.h"
#include "reference/lockstep/player.h"

static void note_situation(const struct player *p)
{
    u32 situation = (p->cpl ? SITUATION_CPL_3 : 0) | (p->o->lvtpc & LVT_MASKED ? SITUATION_MASKED : 0) |
                    ((p->o->lvtpc & LVT_DELIVERY_MASK) == LVT_DELIVERY_NMI ? SITUATION_NMI : 0) |
                    (model_pmi_on_its_way(p->m) ? SITUATION_ON_ITS_WAY : 0);
    p->o->reached->now = (u16)BIT(situation);
}

/* While interrupts are closed the trace does not tell when a PMI on its way arrives. */
static bool arrives_unseen(const struct player *p)
{
    return (player_waits_for_software(p, VECTOR_PMI) || p->nmi_blocked) && model_pmi_on_its_way(p->m) &&
           model_arrival_shows(p->m);
}

static void execute(struct player *p)
{
    p->o->unsure |= arrives_unseen(p);
    player_traces_target(p);
    void (*executes_this)(struct player * p) = player_executes[p->row->kind];
    p->shadow = false;
    p->o->retold++;
    (executes_this ? executes_this : player_goes_on)(p);
}

static void play(struct player *p)
{
    p->m = p->o->model;
    promises_begin(&p->promises);
    p->step = p->run->body;
    player_know_registers(p->o, p->run);
    p->row = player_rows_of(p->step->op, 0);
    while (!p->over && p->pmis < LOCKSTEP_PMIS) {
        if (p->o->reached)
            note_situation(p);
        if (p->o->between)
            p->o->between(p->o);
        if (p->plays && player_deliverable(p))
            player_enter_pmi(p, p->o->nmi && !p->nmi_blocked ? VECTOR_NMI : p->o->vector);
        else if (!p->plays && player_pmi_here(p))
            player_take_pmi(p);
        else
            execute(p);
    }
}

/* An unknown word may have any value; but an unknown time is not 0. The flags of the first branch record since the
 * oracle's start, also in a record of PEBS, tell of unknown cycles. */
static bool may_be(u64 want, u64 got)
{
    return (player_is_unknown(want) && (want == UNKNOWN || got)) || promises_unknown_cycles(want);
}

/* The offset of the first word from `offset` on in which they differ, or `bytes`. */
static u32 next_other(const u8 *want, const u8 *got, u32 offset, u32 bytes)
{
    const u64 *a = (const void *)want, *b = (const void *)got;
    u32 n = offset / 8;
    while (n < bytes / 8 && a[n] == b[n])
        n++;
    return n * 8;
}

/* Compares memory from this offset in LOCKSTEP_MEMORY on; unknown words become what the CPU has. */
static void compare_memory(struct player *p, const u8 *found, u32 first, u32 bytes)
{
    u8 *expected = p->o->memory + first;
    for (u32 offset = 0; (offset = next_other(expected, found, offset, bytes)) < bytes; offset += 8) {
        u64 want, got;
        memcpy(&want, expected + offset, 8);
        memcpy(&got, found + offset, 8);
        if (may_be(want, got)) {
            memcpy(expected + offset, &got, 8);
            continue;
        }
        player_differs(p, DIFFERENCE_RECORD, want, got);
        p->difference->number = 0;
        p->difference->step = first + offset;
        return;
    }
}

static void compare_all_memory(struct player *p)
{
    const struct lockstep_run *run = p->run;
    if (player_on_hardware(p)) {
        player_compare_samples(p);
        if (!p->difference->kind)
            player_compare_trace(p);
        return;
    }
    if (run->area && p->o->places.records)
        compare_memory(p, run->area, 0, LOCKSTEP_AREA);
    if (run->traces && p->o->places.trace && !p->difference->kind)
        compare_memory(p, run->traced, LOCKSTEP_AREA, LOCKSTEP_TRACE);
}

u32 oracle_retell(struct oracle *oracle, const struct lockstep_run *run, const u64 *end, bool storm, u64 choices,
                  u32 *used, struct difference *difference)
{
    struct player p = {
        .o = oracle,
        .promises = {.info_kept = oracle->info_kept, .info_told = oracle->info_told, .modelled = oracle->modelled},
        .run = run,
        .trace = run->trace,
        .end = end,
        .choices = choices,
        .difference = difference};
    *difference = (struct difference){0};
    play(&p);
    bool storms = p.pmis >= LOCKSTEP_PMIS;
    if (!difference->kind && storm != storms)
        player_differs(&p, DIFFERENCE_STORM, 0, p.pmis);
    *used = p.used;
    if (storms)
        return p.done;
    if (!difference->kind && p.trace != p.end)
        player_differs(&p, DIFFERENCE_PLACE, 0, player_pmi_next(&p) ? p.trace[1] : *p.trace);
    if (!difference->kind)
        compare_all_memory(&p);
    return p.done;
}

u64 *oracle_play(struct oracle *oracle, struct lockstep_run *run)
{
    struct difference unused;
    struct player p = {.o = oracle,
                       .run = run,
                       .plays = true,
                       .end = run->trace + RUN_TRACE,
                       .write = run->trace,
                       .difference = &unused};
    play(&p);
    return p.pmis >= LOCKSTEP_PMIS ? NULL : p.write;
}

const char *difference_name(enum difference_kind kind)
{
    static const char *const names[DIFFERENCE_KINDS] = {
        [DIFFERENCE_NONE] = "none",         [DIFFERENCE_VALUE] = "value", [DIFFERENCE_FAULT] = "fault",
        [DIFFERENCE_NO_FAULT] = "no-fault", [DIFFERENCE_PMI] = "pmi",     [DIFFERENCE_NO_PMI] = "no-pmi",
        [DIFFERENCE_PLACE] = "place",       [DIFFERENCE_STORM] = "storm", [DIFFERENCE_RECORD] = "record",
    };
    return kind < DIFFERENCE_KINDS ? names[kind] : "?";
}
