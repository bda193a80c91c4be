/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling on hardware. No manual says when a record comes, so it must not matter to anything else: one counter samples
 * alone at the end of a walk, when all others have stopped and everything was read, with interrupts closed and LVTPC
 * masked. OP_SAMPLE of a walk says what is sampled; here it becomes steps of the run.
 */
#include "pmu/area/ds.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "reference/lockstep/scene.h"

#define PERIOD 1024 /* with low six bits 0: BDM55. And longer than any skid that is known. */
#define BEFORE_MOST 2048
#define TURNS_LEAST 64
#define TURNS_MOST 2048
#define AROUND 64 /* events besides the loop's, at most: of the two writes, of the way between, to CPL 3 and back */

/* ---- The fields of OP_SAMPLE: any number and value are sensible. */

static u32 field(const struct walk_step *sample, u32 high, u32 low)
{
    return (u32)FIELD_GET(sample->number, high, low);
}

/* An event of which each occurrence can be recorded, whatever else counts; false: there is none. */
static bool event_of(const struct space *s, const struct walk_step *sample, struct pebs_event *event)
{
    struct pebs_event found;
    u32 count = 0;
    for (unsigned i = 0; pebs_event(s->caps, i, &found); i++)
        if (found.kind <= PEBS_BRANCHES && found.care == PEBS_ANY_TIME && found.counters &&
            count++ <= field(sample, 3, 0))
            *event = found;
    return count;
}

static unsigned counter_of(const struct walk_step *sample, u64 counters)
{
    unsigned count = 0;
    for (u64 bits = counters; bits; bits &= bits - 1)
        count++;
    for (unsigned n = field(sample, 7, 4) % count; n; n--)
        counters &= counters - 1;
    return (unsigned)__builtin_ctzll(counters);
}

/* 0: they are beyond all records. */
static u32 records_to_threshold(const struct walk_step *sample)
{
    return field(sample, 8, 8) ? 1 + field(sample, 11, 10) : 0;
}

static u32 records_to_maximum(const struct walk_step *sample)
{
    return field(sample, 9, 9) ? 1 + field(sample, 13, 12) : 0;
}

/* Of a fixed size, and without anything that other counters or branches decide. */
static u64 groups_of(const struct space *s, const struct walk_step *sample)
{
    u64 architectural = (field(sample, 17, 17) ? CFG_C_GPR : 0) | (field(sample, 16, 16) ? CFG_C_AUX : 0);
    if (s->apebs)
        return architectural & apebs_config_bits(s->caps);
    return pebs_adaptive(s->caps) ? field(sample, 18, 16) & (PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM) : 0;
}

/* Both levels, or one, which may be the one that the loop is not at. */
static u64 levels_of(const struct walk_step *sample)
{
    static const u64 levels[] = {EVTSEL_OS | EVTSEL_USR, EVTSEL_OS | EVTSEL_USR, EVTSEL_OS, EVTSEL_USR};
    return levels[field(sample, 21, 20)];
}

static bool at_user(const struct walk_step *sample)
{
    return field(sample, 23, 22) == 3;
}

/* ---- The scene. */

static u64 width_of(const struct space *s, unsigned bit)
{
    return counter_mask(bit < 32 ? s->caps->gp_width : s->caps->fixed_width);
}

static u32 size_of(const struct run_sampling *scene)
{
    return scene->format == PEBS_FORMAT_ARCHITECTURAL ? apebs_record_size(scene->groups)
                                                      : pebs_record_size(scene->format, scene->groups);
}

static struct run_sampling scene_of(const struct space *s, const struct walk_step *sample,
                                    const struct pebs_event *event)
{
    struct run_sampling scene = {
        .bit = counter_of(sample, event->counters),
        .before = AROUND + 1 + sample->value % BEFORE_MOST,
        .period = PERIOD * (1 + FIELD_GET(sample->value, 13, 12)),
        .turns = TURNS_LEAST + (u32)(sample->value >> 16) % TURNS_MOST,
        .around = AROUND,
        .format = s->apebs ? PEBS_FORMAT_ARCHITECTURAL : pebs_format(s->caps),
        .groups = groups_of(s, sample),
        .there = true,
    };
    bool counts = levels_of(sample) & (at_user(sample) ? EVTSEL_USR : EVTSEL_OS);
    scene.events = counts ? scene.turns * (event->kind == PEBS_INSTRUCTIONS ? 2 : 1) : 0;
    scene.start = width_of(s, scene.bit) - (scene.before - 1);
    scene.reset = (0 - scene.period) & width_of(s, scene.bit);
    scene.threshold = records_to_threshold(sample) * size_of(&scene);
    scene.whole = s->apebs ? 0 : records_to_maximum(sample);
    scene.one_more = pebs_maximum_included(s->caps);
    scene.strange = needs_select_sequence(s->caps) && scene.bit < 32;
    return scene;
}

/* ---- The steps. */

struct writing {
    const struct space *s;
    const struct walk_step *sample;
    const struct pebs_event *event;
    struct run_sampling *scene;
    struct scene_steps steps;
};

static void rests(struct writing *w, u32 msr)
{
    u64 rest = 0;
    if (space_rest(w->s, msr, &rest))
        scene_writes(&w->steps, msr, rest);
}

/* No bit of STATUS is left that sampling sets, or that freezes counters; and no overflow reloads the counter. Skylake
 * is reported to freeze once more after overflows and the freeze are cleared together. */
static void clears(struct writing *w)
{
    u64 bits = gate_bits(w->s->caps, MSR_PERF_GLOBAL_STATUS_RESET), frozen = STATUS_LBR_FRZ | STATUS_CTR_FRZ;
    scene_writes(&w->steps, MSR_PERF_GLOBAL_STATUS_RESET,
                 bits & (caps_counter_bits(w->s->caps) | STATUS_OVF_BUFFER | STATUS_ARCH_PEBS | frozen));
    if (bits & frozen) {
        scene_step(&w->steps, OP_SETTLE, w->s->settle, 0);
        scene_writes(&w->steps, MSR_PERF_GLOBAL_STATUS_RESET, bits & frozen);
    }
    rests(w, alias_cfg_b(w->scene->bit));
}

static u32 control(const struct writing *w)
{
    return w->scene->bit < 32 ? MSR_PERFEVTSEL(w->scene->bit) : MSR_FIXED_CTR_CTRL;
}

static u32 value_register(const struct writing *w)
{
    unsigned bit = w->scene->bit;
    return bit >= 32 ? MSR_FIXED_CTR(bit - 32) : w->s->caps->full_width ? MSR_A_PMC(bit) : MSR_PMC(bit);
}

static void counter_on(struct writing *w)
{
    unsigned i = w->scene->bit - 32;
    u64 levels = levels_of(w->sample), start = w->scene->start;
    bool adaptive = w->scene->groups && !w->s->apebs;
    if (w->scene->bit < 32)
        scene_writes(&w->steps, control(w), w->event->event | levels | EVTSEL_EN | (adaptive ? EVTSEL_ADAPTIVE : 0));
    else
        scene_writes(&w->steps, control(w),
                     (levels & EVTSEL_OS ? FIXED_OS(i) : 0) | (levels & EVTSEL_USR ? FIXED_USR(i) : 0) |
                         (adaptive ? FIXED_ADAPTIVE(i) : 0));
    scene_writes(&w->steps, value_register(w),
                 w->scene->bit >= 32 || w->s->caps->full_width ? start : start & MASK(31, 0));
}

static void loop(struct writing *w)
{
    bool user = at_user(w->sample);
    if (user)
        scene_step(&w->steps, OP_TO_USER, 0, 0);
    scene_step(&w->steps, OP_LOOP, w->scene->turns, 0);
    if (user)
        scene_step(&w->steps, OP_FROM_USER, 0, 0);
}

/* Counts a loop, and waits for a record that is still to come. Reads the index before and after STATUS. */
static void samples(struct writing *w, u32 op, u32 index)
{
    counter_on(w);
    w->scene->starts = w->steps.count;
    scene_writes(&w->steps, MSR_PERF_GLOBAL_CTRL, BIT(w->scene->bit));
    loop(w);
    scene_writes(&w->steps, MSR_PERF_GLOBAL_CTRL, 0);
    scene_step(&w->steps, OP_SETTLE, w->s->settle_record, 0);
    w->scene->reads = w->steps.count;
    scene_step(&w->steps, op, index, 0);
    scene_step(&w->steps, OP_RDMSR, MSR_PERF_GLOBAL_STATUS, 0);
    scene_step(&w->steps, op, index, 0);
    scene_step(&w->steps, OP_RDMSR, value_register(w), 0);
}

static void puts_management(struct writing *w)
{
    struct ds_layout layout = ds_layout(true, pebs_format(w->s->caps));
    unsigned bit = w->scene->bit;
    u64 base = w->s->areas.records + LOCKSTEP_BUFFER, room = LOCKSTEP_AREA - LOCKSTEP_BUFFER;
    u64 maximum = w->scene->whole ? w->scene->whole * w->scene->size : room;
    const u64 words[] = {base, base, base + maximum, base + (w->scene->threshold ? w->scene->threshold : room)};
    for (u32 i = 0; i < ARRAY_SIZE(words); i++)
        scene_step(&w->steps, OP_POKE, 8 * (DS_PEBS_BASE + i), words[i]);
    scene_step(&w->steps, OP_POKE, bit < 32 ? layout.gp_reset + 8 * bit : layout.fixed_reset + 8 * (bit - 32),
               w->scene->reset);
}

static void by_debug_store(struct writing *w)
{
    bool adaptive = pebs_adaptive(w->s->caps);
    puts_management(w);
    if (adaptive)
        scene_writes(&w->steps, MSR_PEBS_DATA_CFG, w->scene->groups);
    scene_writes(&w->steps, MSR_DS_AREA, w->s->areas.records);
    scene_writes(&w->steps, MSR_PEBS_ENABLE, BIT(w->scene->bit));
    samples(w, OP_PEEK, 8 * DS_PEBS_INDEX);
    scene_writes(&w->steps, MSR_PEBS_ENABLE, 0);
    scene_step(&w->steps, OP_SETTLE, w->s->settle_record, 0);
    rests(w, control(w));
    scene_writes(&w->steps, MSR_DS_AREA, 0);
    if (adaptive)
        scene_writes(&w->steps, MSR_PEBS_DATA_CFG, 0);
}

static void architectural(struct writing *w)
{
    u64 room = apebs_buffer_bytes(0), threshold = w->scene->threshold ? w->scene->threshold : room;
    u32 cfg_c = alias_cfg_c(w->scene->bit);
    scene_writes(&w->steps, MSR_PEBS_BASE, w->s->areas.records);
    scene_writes(&w->steps, MSR_PEBS_INDEX, apebs_index(0, threshold) | PEBS_INDEX_EN);
    scene_writes(&w->steps, cfg_c, CFG_C_PEBS_EN | w->scene->groups | (w->scene->reset & CFG_C_RELOAD));
    samples(w, OP_RDMSR, MSR_PEBS_INDEX);
    scene_writes(&w->steps, cfg_c, 0);
    scene_step(&w->steps, OP_SETTLE, w->s->settle_record, 0);
    rests(w, control(w));
    scene_writes(&w->steps, MSR_PEBS_INDEX, 0);
    scene_writes(&w->steps, MSR_PEBS_BASE, 0);
}

u32 sampling_steps(const struct space *s, const struct walk_step *sample, struct walk_step to[SCENE_STEPS],
                   struct run_sampling *scene)
{
    struct pebs_event event;
    struct writing w = {.s = s, .sample = sample, .event = &event, .scene = scene, .steps = {.to = to}};
    if (!s->careful || !s->areas.records || !event_of(s, sample, &event))
        return 0;
    *scene = scene_of(s, sample, &event);
    scene->size = s->apebs ? 0 : size_of(scene); /* architectural records may come in pieces */
    clears(&w);
    if (s->apebs)
        architectural(&w);
    else
        by_debug_store(&w);
    return w.steps.count;
}
