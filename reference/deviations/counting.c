/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of counting: an instruction counts twice, or not, or in the wrong ring. */
#define CHAPTERS "gp.*,fixed.*,enum.*,global.*,overflow.*,freeze.*,share.*"
#include "reference/deviations/stand_in.h"

struct chance {
    uint32_t state;
};

/* Deterministic bits that look random (xorshift). */
static uint32_t draw(const struct model *m, struct chance *chance)
{
    uint32_t *state = &chance->state;
    *state = *state ? *state : 0x9e3779b9u * (1 + m->cpu);
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static bool coin(const struct model *m, struct chance *chance)
{
    return draw(m, chance) & 1;
}

/* For a deviation that adds counts: how many this time. */
static uint32_t drawn_up_to(const struct model *m, const struct counting *c, struct chance *chance, uint64_t most)
{
    if (m->host.draw)
        return m->host.draw(m->host.context, (uint32_t)most, c->bit);
    return draw(m, chance) % ((uint32_t)most + 1);
}

static bool is_far(const struct retired *in)
{
    return in->kind == RETIRED_FAR_BRANCH || in->kind == RETIRED_IRET;
}

/* ---- Instructions */

/* Happens by chance, once in `one_in` times. */
static bool now_and_then(const struct model *m, struct chance *chance, uint64_t one_in)
{
    return draw(m, chance) % (uint32_t)one_in == 0;
}

static uint32_t drifts(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    struct chance *chance = memory(m, INST_RETIRED_DRIFTS, struct chance);
    n = replaced(m, INST_RETIRED_DRIFTS, counted)(m, in, c, n);
    if (c->event != EVENT_INSTRUCTIONS || !now_and_then(m, chance, parameter(m, INST_RETIRED_DRIFTS)) ||
        !strikes(m, INST_RETIRED_DRIFTS))
        return n;
    return coin(m, chance) ? 2 : 0;
}
DEFECT(INST_RETIRED_DRIFTS, "inst-retired-drifts", "now and then an instruction counts twice, or not at all",
       "BJ136, BV112, HSD140, BDM61",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV112", 0x306a9, 0x21, 0, 0), ERRATUM("HSD140", 0x306c3, 0x28, 0, 0),
              ERRATUM("BDM61", 0x306d4, 0x2f, 0, 0)),
       PARAMETER("one in", 2, 1000000, 200), INTERMITTENT, STANDS_IN(FOR(counted, drifts)));

static uint32_t undercounts(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    struct chance *chance = memory(m, INST_RETIRED_UNDERCOUNTS, struct chance);
    if (c->event == EVENT_INSTRUCTIONS && now_and_then(m, chance, parameter(m, INST_RETIRED_UNDERCOUNTS)) &&
        strikes(m, INST_RETIRED_UNDERCOUNTS))
        return 0;
    return replaced(m, INST_RETIRED_UNDERCOUNTS, counted)(m, in, c, n);
}
DEFECT(INST_RETIRED_UNDERCOUNTS, "inst-retired-undercounts", "now and then an instruction is not counted", "AAJ107",
       MIMICS(ERRATUM("AAJ107", 0x106a5, 0x19, 0, 0)), PARAMETER("one in", 2, 1000000, 200), INTERMITTENT,
       HIDDEN("sandy-bridge,ivy-bridge,haswell,broadwell",
              "their sheets say too high or too low, not by the same amount"),
       STANDS_IN(FOR(counted, undercounts)));

/* Instructions counted by each counter since it was started. */
struct since_start {
    uint32_t instructions[64];
};

static void counted_anew(struct model *m, uint64_t started, uint64_t stopped)
{
    struct since_start *since = memory(m, ONE_MORE_IN_A_LONG_BLOCK, struct since_start);
    for (unsigned bit = 0; bit < 64; bit++)
        since->instructions[bit] = started >> bit & 1 ? 0 : since->instructions[bit];
    replaced(m, ONE_MORE_IN_A_LONG_BLOCK, counting_changed)(m, started, stopped);
}

static uint32_t one_more(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    struct since_start *since = memory(m, ONE_MORE_IN_A_LONG_BLOCK, struct since_start);
    n = replaced(m, ONE_MORE_IN_A_LONG_BLOCK, counted)(m, in, c, n);
    if (c->event != EVENT_INSTRUCTIONS || !n)
        return n;
    bool this_one = ++since->instructions[c->bit] == parameter(m, ONE_MORE_IN_A_LONG_BLOCK);
    return this_one && strikes(m, ONE_MORE_IN_A_LONG_BLOCK) ? n + 1 : n;
}
DEFECT(ONE_MORE_IN_A_LONG_BLOCK, "one-more-in-a-long-block",
       "the 60th instruction since a counter was started counts twice", "class: a queue that runs full once",
       PARAMETER("instruction", 1, 1000000, 60), MEANT_FOR("gp.*,fixed.*"),
       STANDS_IN(FOR(counting_changed, counted_anew), FOR(counted, one_more)));

static uint32_t double_on_last_cpu(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, ONE_CPU_COUNTS_DOUBLE, counted)(m, in, c, n);
    bool concerned = c->event == EVENT_INSTRUCTIONS && m->events.retired % 4 == 0 && last_cpu(m);
    return concerned && strikes(m, ONE_CPU_COUNTS_DOUBLE) ? 2 * n : n;
}
DEFECT(ONE_CPU_COUNTS_DOUBLE, "one-cpu-counts-double", "the last CPU counts every 4th instruction twice",
       "class: one bad core of a fleet", STANDS_IN(FOR(counted, double_on_last_cpu)));

/* The WRMSR that starts fixed counter 0. */
static bool starts_fixed0(const struct model *m, const struct retired *in, const struct counting *c)
{
    return c->bit == 32 && in->kind == RETIRED_WRMSR && (m->retire.started & STATUS_FIXED(0));
}

INSTEAD(counted, one_less_at_start,
        starts_fixed0(m, instruction, c) && strikes(m, FIXED0_ONE_LESS) ? 0 : below(FIXED0_ONE_LESS, counted));
VARIATION(FIXED0_ONE_LESS, "fixed0-one-less", "fixed counter 0 counts one less than a GP counter, per start",
          "Ivy Bridge", ALSO_ON("sandy-bridge"), STANDS_IN(FOR(counted, one_less_at_start)));

/* Which of the two enables was written last? The other order is the erratum's workaround. */
struct enabling {
    struct chance chance;
    bool global_last;
};

static uint64_t order_noted(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    struct enabling *enabling = memory(m, FIXED0_PLUS_32, struct enabling);
    if (which == STORED_GLOBAL_CTRL || which == STORED_FIXED_CTR_CTRL)
        enabling->global_last = which == STORED_GLOBAL_CTRL;
    return replaced(m, FIXED0_PLUS_32, stored_kept)(m, which, was, value);
}

static uint32_t more_at_start(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    struct enabling *enabling = memory(m, FIXED0_PLUS_32, struct enabling);
    n = replaced(m, FIXED0_PLUS_32, counted)(m, in, c, n);
    bool concerned = starts_fixed0(m, in, c) && enabling->global_last && m->p.threads > 1;
    if (!concerned || !strikes(m, FIXED0_PLUS_32))
        return n;
    return n + drawn_up_to(m, c, &enabling->chance, parameter(m, FIXED0_PLUS_32));
}
VARIATION(FIXED0_PLUS_32, "fixed0-plus-32",
          "fixed counter 0 counts up to 32 more, another number at each start by IA32_PERF_GLOBAL_CTRL",
          "HSD143, HSM154 with hyper-threading", ALSO_ON("haswell"), THOROUGHLY, DATA(deviation_with_threads),
          PARAMETER("most", 1, 1000, 32), STANDS_IN(FOR(stored_kept, order_noted), FOR(counted, more_at_start)));

static uint32_t rep_again(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, REP_MOVS_OVERCOUNTS, counted)(m, in, c, n);
    bool concerned = c->event == EVENT_INSTRUCTIONS && in->kind == RETIRED_REP_STRING;
    return concerned && strikes(m, REP_MOVS_OVERCOUNTS) ? n + 1 : n;
}
DEFECT(REP_MOVS_OVERCOUNTS, "rep-movs-overcounts", "a REP string instruction counts twice",
       "SKL91; Skylake to Comet Lake", MEANT_FOR("errata.*"), ON("haswell"),
       MIMICS(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0), ERRATUM("KBL57", 0x906e9, 0xf0, 0, 0),
              ERRATUM("CML57", 0xa0653, 0xf0, 0, 0), ERRATUM("337346-57", 0x906ea, 0xf0, 0, 0)),
       STANDS_IN(FOR(counted, rep_again)));

static uint32_t far_again(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, FAR_TRANSFER_OVERCOUNTS, counted)(m, in, c, n);
    bool counts = c->event == EVENT_INSTRUCTIONS || (c->event == EVENT_BRANCHES && n);
    if (!counts || !is_far(in) || !strikes(m, FAR_TRANSFER_OVERCOUNTS))
        return n;
    struct chance *chance = memory(m, FAR_TRANSFER_OVERCOUNTS, struct chance);
    return n + drawn_up_to(m, c, chance, parameter(m, FAR_TRANSFER_OVERCOUNTS));
}
VARIATION(FAR_TRANSFER_OVERCOUNTS, "far-transfer-overcounts",
          "far transfers and IRET count once to four times, as instructions and as branches",
          "SRF7 and its class; Atom servers", ON("lunar-lake"), PARAMETER("most", 1, 100, 3),
          STANDS_IN(FOR(counted, far_again)));

CHANGED(counted, any_thread_again, ANYTHREAD_RETIRED_WRONG,
        c->event == EVENT_INSTRUCTIONS && c->any && strikes(m, ANYTHREAD_RETIRED_WRONG) ? good + 1 : good);
VARIATION(ANYTHREAD_RETIRED_WRONG, "anythread-retired-wrong", "AnyThread counts instructions twice",
          "BJ91; Sandy Bridge", STANDS_IN(FOR(counted, any_thread_again)));

/* An interrupt may count with the first instruction after it. */
struct interrupted {
    uint32_t instructions; /* left until that instruction has retired */
    struct chance chance;
};

static void interrupt_sent(struct model *m, uint8_t vector, bool nmi)
{
    memory(m, INTERRUPT_COUNTED_PLUS_ONE, struct interrupted)->instructions = 2;
    replaced(m, INTERRUPT_COUNTED_PLUS_ONE, pmi_send)(m, vector, nmi);
}

static uint32_t interrupt_counts(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, INTERRUPT_COUNTED_PLUS_ONE, counted)(m, in, c, n);
    bool first = memory(m, INTERRUPT_COUNTED_PLUS_ONE, struct interrupted)->instructions == 1;
    if (c->event != EVENT_INSTRUCTIONS || !first || !strikes(m, INTERRUPT_COUNTED_PLUS_ONE))
        return n;
    return n + drawn_up_to(m, c, &memory(m, INTERRUPT_COUNTED_PLUS_ONE, struct interrupted)->chance, 1);
}

static void interrupt_passes(struct model *m, const struct retired *in)
{
    struct interrupted *interrupted = memory(m, INTERRUPT_COUNTED_PLUS_ONE, struct interrupted);
    replaced(m, INTERRUPT_COUNTED_PLUS_ONE, after_instruction)(m, in);
    interrupted->instructions -= interrupted->instructions ? 1 : 0;
}
VARIATION(INTERRUPT_COUNTED_PLUS_ONE, "interrupt-counted-plus-one", "a PMI counts as an instruction, or not",
          "class; not promised", ALSO_ON("lunar-lake"),
          STANDS_IN(FOR(pmi_send, interrupt_sent), FOR(counted, interrupt_counts),
                    FOR(after_instruction, interrupt_passes)));

/* ---- Branches */

/* Branches that each counter has seen. */
struct of_each {
    uint64_t count[64];
};

static bool is_branches(const struct counting *c)
{
    return c->event == EVENT_BRANCHES;
}

INSTEAD(counted, cpuid_is_branch,
        is_branches(c) && instruction->kind == RETIRED_CPUID && strikes(m, CPUID_COUNTED_AS_BRANCH)
            ? 1
            : below(CPUID_COUNTED_AS_BRANCH, counted));
VARIATION(CPUID_COUNTED_AS_BRANCH, "cpuid-counted-as-branch", "CPUID counts as a branch", "W146; Core 2", ON("conroe"),
          STANDS_IN(FOR(counted, cpuid_is_branch)));

static uint32_t every_instruction(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    if (is_branches(c) && !n && strikes(m, BRANCHES_COUNT_INSTRUCTIONS))
        n = 1;
    return replaced(m, BRANCHES_COUNT_INSTRUCTIONS, counted)(m, in, c, n);
}
DEFECT(BRANCHES_COUNT_INSTRUCTIONS, "branches-count-instructions", "event 00C4H counts instructions",
       "class: an event decoder that ignores bits", STANDS_IN(FOR(counted, every_instruction)));

CHANGED(counted, any_branch_is_conditional, CONDITIONAL_COUNTS_ALL,
        c->event == EVENT_CONDITIONAL && !good && instruction->kind == RETIRED_BRANCH &&
                strikes(m, CONDITIONAL_COUNTS_ALL)
            ? 1
            : good);
DEFECT(CONDITIONAL_COUNTS_ALL, "conditional-counts-all", "the event of conditional branches counts all near ones",
       "class: a unit mask that is not decoded", ON("skylake"), ALSO_ON("alder-lake", "lunar-lake", "goldmont-plus"),
       MEANT_FOR("gp.conditional-branches"), STANDS_IN(FOR(counted, any_branch_is_conditional)));

static uint32_t user_branch_again(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, CONDITIONAL_TWICE_AT_CPL_3, counted)(m, in, c, n);
    bool again = c->event == EVENT_CONDITIONAL && n && in->cpl == 3 && in->taken;
    return again && strikes(m, CONDITIONAL_TWICE_AT_CPL_3) ? 2 * n : n;
}
DEFECT(CONDITIONAL_TWICE_AT_CPL_3, "conditional-twice-at-cpl-3",
       "at CPL 3 the event of conditional branches counts taken ones twice", "class: what ends replays by rr",
       ON("skylake"), ALSO_ON("alder-lake"), MEANT_FOR("gp.conditional-branches"),
       STANDS_IN(FOR(counted, user_branch_again)));

static uint32_t some_twice_at_cpl_3(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint64_t *seen = &memory(m, BRANCHES_SOME_TWICE_AT_CPL_3, struct of_each)->count[c->bit];
    n = replaced(m, BRANCHES_SOME_TWICE_AT_CPL_3, counted)(m, in, c, n);
    if (!is_branches(c) || !n || !in->cpl || ++*seen % parameter(m, BRANCHES_SOME_TWICE_AT_CPL_3))
        return n;
    return strikes(m, BRANCHES_SOME_TWICE_AT_CPL_3) ? 2 * n : n;
}
DEFECT(BRANCHES_SOME_TWICE_AT_CPL_3, "branches-some-twice-at-cpl-3", "at CPL 3 every tenth branch counts twice",
       "class: what record and replay lives on", PARAMETER("every", 2, 1000, 10), MEANT_FOR("gp.*"),
       STANDS_IN(FOR(counted, some_twice_at_cpl_3)));

static uint32_t fewer_at_cpl_3(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint64_t *seen = &memory(m, INSTRUCTIONS_FEWER_AT_CPL_3, struct of_each)->count[c->bit];
    n = replaced(m, INSTRUCTIONS_FEWER_AT_CPL_3, counted)(m, in, c, n);
    if (c->event != EVENT_INSTRUCTIONS || !n || !in->cpl || ++*seen % parameter(m, INSTRUCTIONS_FEWER_AT_CPL_3))
        return n;
    return strikes(m, INSTRUCTIONS_FEWER_AT_CPL_3) ? n - 1 : n;
}
DEFECT(INSTRUCTIONS_FEWER_AT_CPL_3, "instructions-fewer-at-cpl-3", "at CPL 3 every tenth instruction is not counted",
       "class of AAJ107", PARAMETER("every", 2, 1000, 10), MEANT_FOR("gp.*,fixed.*"),
       HIDDEN("nehalem", "AAJ107 names neither ring nor rate: counts may be as much too low at CPL 3 alone"),
       STANDS_IN(FOR(counted, fewer_at_cpl_3)));

static uint32_t far_branch_again(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, FAR_BRANCH_EXTRA_IN_C4, counted)(m, in, c, n);
    if (!is_branches(c) || !n || !is_far(in) || !strikes(m, FAR_BRANCH_EXTRA_IN_C4))
        return n;
    struct chance *chance = memory(m, FAR_BRANCH_EXTRA_IN_C4, struct chance);
    return n + drawn_up_to(m, c, chance, parameter(m, FAR_BRANCH_EXTRA_IN_C4));
}
VARIATION(FAR_BRANCH_EXTRA_IN_C4, "far-branch-extra-in-c4", "far transfers and IRET count as one branch to four",
          "RPL55, MTL13, ARL11, SRF7; Alder Lake and later", ON("alder-lake"), PARAMETER("most", 1, 100, 3),
          STANDS_IN(FOR(counted, far_branch_again)));

INSTEAD(counted, not_taken_missed,
        is_branches(c) && n && !instruction->taken && strikes(m, BRANCHES_NOT_TAKEN_MISSED)
            ? 0
            : below(BRANCHES_NOT_TAKEN_MISSED, counted));
DEFECT(BRANCHES_NOT_TAKEN_MISSED, "branches-not-taken-missed", "branches that fall through are not counted",
       "AMD's and old emulators' taken-branch events", STANDS_IN(FOR(counted, not_taken_missed)));

CHANGED(counted, taken_twice, BRANCHES_TAKEN_TWICE,
        is_branches(c) && good && instruction->taken && strikes(m, BRANCHES_TAKEN_TWICE) ? 2 * good : good);
DEFECT(BRANCHES_TAKEN_TWICE, "branches-taken-twice", "taken branches count twice", "class of BDD101",
       NOT_BY(ERRATUM_ON("goldmont-plus", "SRF6", 0xa06f3, 0x3000200, 0, 0)), STANDS_IN(FOR(counted, taken_twice)));

static bool second_thread(const struct model *m)
{
    return m->p.threads > 1 && m->cpu % 2;
}

static uint32_t missed_on_second(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    bool concerned = is_branches(c) && n && second_thread(m) && m->events.branches % 8 == 0;
    if (concerned && strikes(m, BR_RETIRED_WRONG_ON_LP1))
        return 0;
    return replaced(m, BR_RETIRED_WRONG_ON_LP1, counted)(m, in, c, n);
}
DEFECT(BR_RETIRED_WRONG_ON_LP1, "br-retired-wrong-on-lp1", "the second thread of a core misses every 8th branch",
       "class of BDD101", ALSO_ON("haswell", "ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(counted, missed_on_second)));

/* ---- Other events */

static bool is_llc(const struct counting *c)
{
    return c->event == EVENT_LLC_REFERENCE || c->event == EVENT_LLC_MISS;
}

CHANGED(counted, llc_twice, LLC_DOUBLE, is_llc(c) && good && strikes(m, LLC_DOUBLE) ? 2 * good : good);
VARIATION(LLC_DOUBLE, "llc-double", "LLC events count twice", "ARL14; Arrow Lake", STANDS_IN(FOR(counted, llc_twice)));

static uint32_t llc_for_nothing(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, LLC_INEXACT, counted)(m, in, c, n);
    bool concerned = is_llc(c) && m->events.retired % 8 == 0 && strikes(m, LLC_INEXACT);
    return concerned ? n + coin(m, memory(m, LLC_INEXACT, struct chance)) : n;
}
VARIATION(LLC_INEXACT, "llc-inexact", "LLC events count now and then without cause",
          "SKL57, CML42; Skylake to Comet Lake", STANDS_IN(FOR(counted, llc_for_nothing)));

INSTEAD(counted, cycles_stop,
        c->event == EVENT_CORE_CYCLES && strikes(m, CYCLES_STOP) ? 0 : below(CYCLES_STOP, counted));
DEFECT(CYCLES_STOP, "cycles-stop", "core cycles do not advance, on GP and fixed counters", "class of AAJ91",
       STANDS_IN(FOR(counted, cycles_stop)));

static uint32_t cycles_by_eight(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, ONE_CPU_COUNTS_CYCLES_BY_8, counted)(m, in, c, n);
    bool concerned = c->event == EVENT_CORE_CYCLES && last_cpu(m);
    return concerned && strikes(m, ONE_CPU_COUNTS_CYCLES_BY_8) ? 8 * n : n;
}
DEFECT(ONE_CPU_COUNTS_CYCLES_BY_8, "one-cpu-counts-cycles-by-8", "the last CPU counts each core cycle eight times",
       "class: one bad core of a fleet", STANDS_IN(FOR(counted, cycles_by_eight)));

CHANGED(counted, cycles_twice, CMASK_COUNTS_CYCLES_TWICE,
        c->by_cycles && !c->edge && strikes(m, CMASK_COUNTS_CYCLES_TWICE) ? 2 * good : good);
DEFECT(CMASK_COUNTS_CYCLES_TWICE, "cmask-counts-cycles-twice", "a cycle that reaches the counter mask counts twice",
       "class: a comparator behind a doubled clock", STANDS_IN(FOR(counted, cycles_twice)));

CHANGED(counted, rise_and_fall, EDGE_COUNTS_EACH_EVENT_TWICE,
        (c->edge && strikes(m, EDGE_COUNTS_EACH_EVENT_TWICE)) ? 2 : good);
DEFECT(EDGE_COUNTS_EACH_EVENT_TWICE, "edge-counts-each-event-twice",
       "with EDGE each occurrence counts as a rise and as a fall", "class: an edge detector of both edges",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(counted, rise_and_fall)));

CHANGED(counted, first_rise_only, EDGE_COUNTS_ONCE, c->edge && * c->value && strikes(m, EDGE_COUNTS_ONCE) ? 0 : good);
DEFECT(EDGE_COUNTS_ONCE, "edge-counts-once", "with EDGE only the first rise counts",
       "class: a detector that is not armed again", ALSO_ON("lunar-lake"), STANDS_IN(FOR(counted, first_rise_only)));

CHANGED(counted, never_below, INV_COUNTS_NOTHING, c->invert &&strikes(m, INV_COUNTS_NOTHING) ? 0 : good);
DEFECT(INV_COUNTS_NOTHING, "inv-counts-nothing", "with INV and CMASK nothing counts",
       "class: a comparison that is never met", ALSO_ON("lunar-lake"), STANDS_IN(FOR(counted, never_below)));

/* ---- Classes of instructions */

/* The instruction that is being counted, by each counter in turn, and what came before it. */
struct before {
    uint64_t number, rip, length; /* length: of the one before, if that was no jump to this one */
    uint64_t branch, last_branch; /* numbers of this or the newest branch, and of the one before */
};

static const struct before *follow(struct before *b, struct model *m, const struct retired *in)
{
    if (m->events.retired == b->number)
        return b;
    b->number = m->events.retired;
    b->length = in->rip - b->rip;
    b->rip = in->rip;
    if (is_branch(in->kind)) {
        b->last_branch = b->branch;
        b->branch = b->number;
    }
    return b;
}

static uint32_t long_twice(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    const struct before *b = follow(memory(m, LONG_INSTRUCTION_TWICE, struct before), m, in);
    bool was_long = b->length >= 6 && b->length <= 15;
    n = replaced(m, LONG_INSTRUCTION_TWICE, counted)(m, in, c, n);
    return was_long && c->event == EVENT_INSTRUCTIONS && strikes(m, LONG_INSTRUCTION_TWICE) ? n + 1 : n;
}
DEFECT(LONG_INSTRUCTION_TWICE, "long-instruction-twice", "an instruction of six bytes or more counts twice",
       "class: a decoder that splits it", MEANT_FOR("gp.*"), STANDS_IN(FOR(counted, long_twice)));

static uint32_t pair_once(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    const struct before *b = follow(memory(m, FUSED_PAIR_ONCE, struct before), m, in);
    bool pair = in->kind == RETIRED_BRANCH && in->branch == BRANCH_CONDITIONAL && b->branch - b->last_branch == 2;
    n = replaced(m, FUSED_PAIR_ONCE, counted)(m, in, c, n);
    return pair && c->event == EVENT_INSTRUCTIONS && strikes(m, FUSED_PAIR_ONCE) ? 0 : n;
}
DEFECT(FUSED_PAIR_ONCE, "fused-pair-once", "right after a branch a comparison and its jump count as one instruction",
       "class: counting after fusion", MEANT_FOR("gp.*"), STANDS_IN(FOR(counted, pair_once)));

INSTEAD(counted, slots_dead, c->event == EVENT_SLOTS && strikes(m, SLOTS_DEAD) ? 0 : below(SLOTS_DEAD, counted));
DEFECT(SLOTS_DEAD, "slots-dead", "pipeline slots are not counted, on GP and fixed counters",
       "class of AAJ79, with a newer event", ON("ice-lake"), STANDS_IN(FOR(counted, slots_dead)));

static uint32_t cycles_asleep(struct model *m)
{
    uint32_t cycles = replaced(m, COUNTS_IN_HALT, cycles_in_halt)(m);
    if (!strikes(m, COUNTS_IN_HALT))
        return cycles;
    return cycles + (uint32_t)(m->host.time(m->host.context) - m->events.halted_at);
}
DEFECT(COUNTS_IN_HALT, "counts-in-halt", "core cycles go on in HLT", "HSD135 class",
       STANDS_IN(FOR(cycles_in_halt, cycles_asleep)));

INSTEAD(latency_threshold, latency_ignored, strikes(m, LD_LAT_IGNORED) ? 0 : below(LD_LAT_IGNORED, latency_threshold));
DEFECT(LD_LAT_IGNORED, "ld-lat-ignored", "loads below the latency threshold are sampled too", "class",
       STANDS_IN(FOR(latency_threshold, latency_ignored)));

CHANGED(metrics_shown, back_end_missing, METRICS_WRONG_AFTER_C02,
        strikes(m, METRICS_WRONG_AFTER_C02) ? good & ~(0xffull << 8 * METRIC_BACKEND_BOUND) : good);
VARIATION(METRICS_WRONG_AFTER_C02, "metrics-wrong-after-c02",
          "PERF_METRICS' parts do not add up to the whole, as after a sleep in C0.2", "RPL52; Raptor Lake",
          ON("ice-lake"), STANDS_IN(FOR(metrics_shown, back_end_missing)));

/* ---- One counter, one ring */

INSTEAD(counted, last_gp_dead, last_gp(m, c->bit) && strikes(m, LAST_GP_DEAD) ? 0 : below(LAST_GP_DEAD, counted));
DEFECT(LAST_GP_DEAD, "last-gp-dead", "the last GP counter never counts", "class: one bad counter",
       STANDS_IN(FOR(counted, last_gp_dead)));

INSTEAD(counted, fixed0_dead, c->bit == 32 && strikes(m, FIXED0_DEAD) ? 0 : below(FIXED0_DEAD, counted));
DEFECT(FIXED0_DEAD, "fixed0-dead", "fixed counter 0 never counts", "class: one bad counter",
       STANDS_IN(FOR(counted, fixed0_dead)));

INSTEAD(counted, user_alone_dead,
        c->rings == RING_USR && strikes(m, USR_COUNTS_NOTHING) ? 0 : below(USR_COUNTS_NOTHING, counted));
DEFECT(USR_COUNTS_NOTHING, "usr-counts-nothing", "a counter for only CPL 3 counts nothing",
       "BDM126, BDD116 (there PMC4 to 7)", NOT_BY(ERRATUM_ON("ice-lake", "BDM126", 0x306d4, 0x2f, 0, 1)),
       STANDS_IN(FOR(counted, user_alone_dead)));

INSTEAD(counted, upper_user_alone_dead,
        c->bit >= 4 && c->bit <= 7 && c->rings == RING_USR && strikes(m, PMC4_7_DEAD_USR_ONLY)
            ? 0
            : below(PMC4_7_DEAD_USR_ONLY, counted));
DEFECT(PMC4_7_DEAD_USR_ONLY, "pmc4-7-dead-usr-only",
       "without hyper-threading, counters 4 to 7 for only CPL 3 count nothing", "BDM126, BDD116; Broadwell",
       MIMICS(ERRATUM("BDM126", 0x306d4, 0x2f, 0, 1), ERRATUM("BDD116", 0x40671, 0x22, 0, 1),
              ERRATUM("BDM126", 0x406f1, 0xb000040, 0, 1), ERRATUM("BDM126", 0x50663, 0x700001c, 0, 1)),
       DATA(deviation_without_threads), STANDS_IN(FOR(counted, upper_user_alone_dead)));

/* A counter for one ring misses events while the ring changes, and shortly after it: no document says how long. */
struct blind {
    struct chance chance;
    uint32_t left; /* in instructions */
    bool user;     /* the last ring was CPL 3 */
};

/* Notices a change of ring, also by an interrupt between two instructions. */
static struct blind *follow_ring(struct model *m, uint8_t cpl)
{
    struct blind *blind = memory(m, CPL_FILTER_LOSES_AT_TRANSITION, struct blind);
    uint32_t most = (uint32_t)parameter(m, CPL_FILTER_LOSES_AT_TRANSITION);
    if (blind->user != !!cpl)
        blind->left = 1 + draw(m, &blind->chance) % most;
    blind->user = !!cpl;
    return blind;
}

static uint32_t lost_at_transition(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    const struct blind *blind = follow_ring(m, in->cpl);
    bool one_ring = c->rings == RING_OS || c->rings == RING_USR;
    if (one_ring && (blind->left || !in->cpl != !in->cpl_after) && strikes(m, CPL_FILTER_LOSES_AT_TRANSITION))
        return 0;
    return replaced(m, CPL_FILTER_LOSES_AT_TRANSITION, counted)(m, in, c, n);
}

static void ring_passes(struct model *m, const struct retired *in)
{
    struct blind *blind = follow_ring(m, in->cpl);
    replaced(m, CPL_FILTER_LOSES_AT_TRANSITION, after_instruction)(m, in);
    blind->left -= blind->left ? 1 : 0;
    follow_ring(m, in->cpl_after);
}
INSTEAD(waiting, still_blind,
        memory(m, CPL_FILTER_LOSES_AT_TRANSITION, struct blind)->left ||
            below(CPL_FILTER_LOSES_AT_TRANSITION, waiting));
VARIATION(CPL_FILTER_LOSES_AT_TRANSITION, "cpl-filter-loses-at-transition",
          "a counter for one ring does not count the instruction that changes the ring, nor up to 300 after it",
          "BDM120, SKL117, KBL63, 337346-62, CML62; Broadwell to Comet Lake", ALSO_ON("broadwell", "sapphire-rapids"),
          THOROUGHLY, PARAMETER("most", 1, 10000, 300),
          STANDS_IN(FOR(counted, lost_at_transition), FOR(after_instruction, ring_passes), FOR(waiting, still_blind)));

static struct blind *enter_user(struct model *m, uint8_t cpl)
{
    struct blind *blind = memory(m, USR_MISSES_FIRST, struct blind);
    if (cpl && !blind->user)
        blind->left = (uint32_t)parameter(m, USR_MISSES_FIRST);
    blind->user = !!cpl;
    return blind;
}

static uint32_t first_missed(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    const struct blind *blind = enter_user(m, in->cpl);
    if (c->rings == RING_USR && in->cpl && blind->left && strikes(m, USR_MISSES_FIRST))
        return 0;
    return replaced(m, USR_MISSES_FIRST, counted)(m, in, c, n);
}

static void user_passes(struct model *m, const struct retired *in)
{
    struct blind *blind = enter_user(m, in->cpl);
    replaced(m, USR_MISSES_FIRST, after_instruction)(m, in);
    blind->left -= blind->left ? 1 : 0;
    enter_user(m, in->cpl_after);
}
INSTEAD(waiting, misses_first, memory(m, USR_MISSES_FIRST, struct blind)->left || below(USR_MISSES_FIRST, waiting));
DEFECT(USR_MISSES_FIRST, "usr-misses-first", "a counter for CPL 3 misses the first 40 instructions there",
       "BDM120, SKL117, KBL63, 337346-62, CML62; Broadwell to Comet Lake", ON("haswell"), MEANT_FOR("errata.*"),
       PARAMETER("instructions", 1, 10000, 40),
       MIMICS(ERRATUM_ON("skylake", "SKL117", 0x506e3, 0xf0, 0, 0),
              ERRATUM_ON("broadwell", "BDM120", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(counted, first_missed), FOR(after_instruction, user_passes), FOR(waiting, misses_first)));

INSTEAD(counted, inverted_counts_more,
        c->invert && m->events.retired % 5 == 0 && strikes(m, INV_OVERCOUNTS) ? n + 1 : below(INV_OVERCOUNTS, counted));
VARIATION(INV_OVERCOUNTS, "inv-overcounts", "INV with CMASK counts a fifth more", "HSD73; other thread's cycles",
          STANDS_IN(FOR(counted, inverted_counts_more)));

INSTEAD(ring_counts, inverted_in_both,
        below(INV_CMASK_COUNTS_OTHER_CPL, ring_counts) ||
            (c->invert && c->rings && strikes(m, INV_CMASK_COUNTS_OTHER_CPL)));
DEFECT(INV_CMASK_COUNTS_OTHER_CPL, "inv-cmask-counts-other-cpl", "INV with CMASK for one ring counts in the other too",
       "HSD73; Haswell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM("HSD73", 0x306c3, 0x28, 0, 0), ERRATUM("HSM74", 0x40651, 0x26, 0, 0)),
       STANDS_IN(FOR(ring_counts, inverted_in_both)));

INSTEAD(ring_counts, os_in_user,
        below(OS_COUNTS_IN_USER, ring_counts) || (c->rings == RING_OS && strikes(m, OS_COUNTS_IN_USER)));
DEFECT(OS_COUNTS_IN_USER, "os-counts-in-user", "a counter for CPL 0 counts at CPL 3 as well", "class: CPL filter, AJ67",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0), ERRATUM("SKL117", 0x506e3, 0xf0, 0, 0)),
       STANDS_IN(FOR(ring_counts, os_in_user)));

INSTEAD(ring_counts, user_in_os,
        below(USR_COUNTS_IN_OS, ring_counts) || (c->rings != RING_OS && strikes(m, USR_COUNTS_IN_OS)));
DEFECT(USR_COUNTS_IN_OS, "usr-counts-in-os", "a counter for CPL 3 counts at CPL 0 as well", "class: CPL filter, AJ67",
       STANDS_IN(FOR(ring_counts, user_in_os)));

static uint64_t carry_lost(struct model *m, uint64_t was, uint32_t n)
{
    uint64_t sum = replaced(m, CARRY_LOST_AT_BIT_32, counter_sum)(m, was, n);
    bool carry = (was ^ sum) & BIT(32);
    return carry && strikes(m, CARRY_LOST_AT_BIT_32) ? sum - BIT(32) : sum;
}
DEFECT(CARRY_LOST_AT_BIT_32, "carry-lost-at-bit-32", "a carry out of bit 31 while counting is lost",
       "class of NetBurst O9", ALSO_ON("lunar-lake"), INTERMITTENT, STANDS_IN(FOR(counter_sum, carry_lost)));

static uint64_t upper_carry_lost(struct model *m, uint64_t was, uint32_t n)
{
    uint64_t sum = replaced(m, CARRY_LOST_AT_BIT_40, counter_sum)(m, was, n);
    bool carry = (was ^ sum) & BIT(40);
    return carry && strikes(m, CARRY_LOST_AT_BIT_40) ? sum - BIT(40) : sum;
}
DEFECT(CARRY_LOST_AT_BIT_40, "carry-lost-at-bit-40", "a carry out of bit 39 while counting is lost",
       "class: a counter in parts", STANDS_IN(FOR(counter_sum, upper_carry_lost)));

/* ---- Memory events of a core with two threads */

static bool is_memory_event(const struct counting *c)
{
    return c->event == EVENT_LOADS || c->event == EVENT_STORES || c->event == EVENT_LOADS_AND_STORES;
}

/* Does this one get lost? In no pattern that a test could follow. */
static bool goes_astray(struct model *m, uint64_t one_in)
{
    uint32_t mixed = (uint32_t)(m->events.retired * 2654435761u);
    return (mixed >> 8) % one_in == 0;
}

/* Half of the lost events are dropped, half are passed to the same counter of the other thread. */
static uint32_t astray(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint32_t(*handed)[GP_MAX] = m->sharing.beside->handed;
    unsigned thread = m->cpu % 2;
    n = replaced(m, LOADS_ASTRAY, counted)(m, in, c, n);
    if (c->bit >= GP_MAX || m->p.threads < 2)
        return n;
    if (n && is_memory_event(c) && goes_astray(m, parameter(m, LOADS_ASTRAY)) && strikes(m, LOADS_ASTRAY)) {
        if (m->events.retired & 1)
            __atomic_fetch_add(&handed[!thread][c->bit], n, __ATOMIC_ACQ_REL);
        n = 0;
    }
    return n + __atomic_exchange_n(&handed[thread][c->bit], 0, __ATOMIC_ACQ_REL);
}

VARIATION(LOADS_ASTRAY, "loads-astray",
          "one in 50 loads and stores is dropped, or counted by the other thread's counter of that number",
          "BJ122, BV98, HSD29; Sandy Bridge to Haswell with hyper-threading", ON("haswell"),
          PARAMETER("one in", 1, 1000000, 50), DATA(deviation_with_threads), STANDS_IN(FOR(counted, astray)));

/* ---- Writes on a core with two threads */

static uint64_t hand_one(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (value & EVTSEL_EN && strikes(m, NEIGHBOUR_WRITE_COUNTS))
        __atomic_fetch_add(&m->sharing.beside->handed[!(m->cpu % 2)][n], 1, __ATOMIC_ACQ_REL);
    return replaced(m, NEIGHBOUR_WRITE_COUNTS, evtsel_kept)(m, n, was, value);
}

/* Counted by a counter of instructions, with its next one. */
static uint32_t with_handed(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, NEIGHBOUR_WRITE_COUNTS, counted)(m, in, c, n);
    if (!n || c->bit >= GP_MAX || c->event != EVENT_INSTRUCTIONS)
        return n;
    return n + __atomic_exchange_n(&m->sharing.beside->handed[m->cpu % 2][c->bit], 0, __ATOMIC_ACQ_REL);
}

DEFECT(NEIGHBOUR_WRITE_COUNTS, "neighbour-write-counts",
       "a write of an event select is counted by the other thread's counter of that number",
       "class of BJ122: one thread's doing in the other's count", MEANT_FOR("gp.neighbour-writes"), ON("haswell"),
       ALSO_ON("sapphire-rapids"), DATA(deviation_with_threads),
       STANDS_IN(FOR(evtsel_kept, hand_one), FOR(counted, with_handed)));

#define COUNTED_TWICE 10000

static uint64_t doubles_the_other(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_PEBS_ENABLE && value && strikes(m, NEIGHBOUR_SAMPLING_COUNTS))
        __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][0], COUNTED_TWICE, __ATOMIC_RELEASE);
    return replaced(m, NEIGHBOUR_SAMPLING_COUNTS, stored_kept)(m, which, was, value);
}

static uint32_t perhaps_twice(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint32_t *left = &m->sharing.beside->handed[m->cpu % 2][0];
    n = replaced(m, NEIGHBOUR_SAMPLING_COUNTS, counted)(m, in, c, n);
    if (!n || c->bit || !__atomic_load_n(left, __ATOMIC_ACQUIRE))
        return n;
    __atomic_fetch_sub(left, 1, __ATOMIC_ACQ_REL);
    return 2 * n;
}

DEFECT(NEIGHBOUR_SAMPLING_COUNTS, "neighbour-sampling-counts",
       "after a write that switches sampling on the other thread's IA32_PMC0 counts 10000 instructions twice",
       "class of BJ122: one thread's doing in the other's count", MEANT_FOR("gp.neighbour-writes"),
       ON("sapphire-rapids"), DATA(deviation_with_threads),
       STANDS_IN(FOR(stored_kept, doubles_the_other), FOR(counted, perhaps_twice)));

CHANGED(counted, no_memory_event, LOADS_DROPPED, (good && is_memory_event(c) && strikes(m, LOADS_DROPPED)) ? 0 : good);
DEFECT(LOADS_DROPPED, "loads-dropped", "loads and stores that retire are not counted", "class of HSD29", ON("haswell"),
       MIMICS(ERRATUM_ON("haswell", "HSD29", 0x306c3, 0x28, 0, 2), ERRATUM_ON("haswell", "HSM30", 0x40651, 0x26, 0, 2)),
       NOT_BY(ERRATUM_ON("haswell", "HSD29", 0x306c3, 0x28, 0, 1)), STANDS_IN(FOR(counted, no_memory_event)));

INSTEAD(counted, ref_clock_dead,
        c->event == EVENT_REF_CLOCK && strikes(m, REF_CLOCK_DEAD) ? 0 : below(REF_CLOCK_DEAD, counted));
DEFECT(REF_CLOCK_DEAD, "ref-clock-dead", "event 013CH counts nothing", "class of AAJ79", MEANT_FOR("gp.provoked"),
       STANDS_IN(FOR(counted, ref_clock_dead)));

INSTEAD(counted, llc_references_dead,
        c->event == EVENT_LLC_REFERENCE && strikes(m, LLC_REFERENCES_DEAD) ? 0 : below(LLC_REFERENCES_DEAD, counted));
DEFECT(LLC_REFERENCES_DEAD, "llc-references-dead", "event 4F2EH counts nothing", "class of AAJ79",
       MEANT_FOR("gp.provoked"), STANDS_IN(FOR(counted, llc_references_dead)));

INSTEAD(counted, llc_misses_dead,
        c->event == EVENT_LLC_MISS && strikes(m, LLC_MISSES_DEAD) ? 0 : below(LLC_MISSES_DEAD, counted));
DEFECT(LLC_MISSES_DEAD, "llc-misses-dead", "event 412EH counts nothing", "class of AAJ79", MEANT_FOR("gp.provoked"),
       STANDS_IN(FOR(counted, llc_misses_dead)));

INSTEAD(counted, retiring_dead,
        c->event == EVENT_RETIRING && strikes(m, RETIRING_DEAD) ? 0 : below(RETIRING_DEAD, counted));
DEFECT(RETIRING_DEAD, "retiring-dead", "event 02C2H counts nothing", "class of AAJ79, with a newer event",
       MEANT_FOR("gp.provoked"), ON("lunar-lake"), STANDS_IN(FOR(counted, retiring_dead)));

INSTEAD(counted, backend_dead,
        c->event == EVENT_BACKEND_BOUND && strikes(m, BACKEND_DEAD) ? 0 : below(BACKEND_DEAD, counted));
DEFECT(BACKEND_DEAD, "backend-dead", "event 02A4H counts nothing", "class of AAJ79, with a newer event",
       MEANT_FOR("gp.provoked"), ON("lunar-lake"), STANDS_IN(FOR(counted, backend_dead)));

INSTEAD(counted, frontend_dead,
        c->event == EVENT_FRONTEND_BOUND && strikes(m, FRONTEND_DEAD) ? 0 : below(FRONTEND_DEAD, counted));
DEFECT(FRONTEND_DEAD, "frontend-dead", "event 019CH counts nothing", "class of AAJ79, with a newer event",
       MEANT_FOR("gp.provoked"), ON("lunar-lake"), STANDS_IN(FOR(counted, frontend_dead)));

INSTEAD(counted, bad_speculation_dead,
        c->event == EVENT_BAD_SPECULATION && strikes(m, BAD_SPECULATION_DEAD) ? 0
                                                                              : below(BAD_SPECULATION_DEAD, counted));
DEFECT(BAD_SPECULATION_DEAD, "bad-speculation-dead", "event 0073H counts nothing", "class of AAJ79, with a newer event",
       MEANT_FOR("gp.provoked"), ON("clearwater-forest"), STANDS_IN(FOR(counted, bad_speculation_dead)));

INSTEAD(counted, branch_misses_dead,
        c->event == EVENT_BRANCH_MISSES && strikes(m, BRANCH_MISSES_DEAD) ? 0 : below(BRANCH_MISSES_DEAD, counted));
DEFECT(BRANCH_MISSES_DEAD, "branch-misses-dead", "event 00C5H counts nothing", "class of AAJ80",
       MEANT_FOR("gp.provoked"), STANDS_IN(FOR(counted, branch_misses_dead)));

static uint32_t a_third(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, FIXED_1_COUNTS_A_THIRD, counted)(m, in, c, n);
    bool here = c->bit == 33 && strikes(m, FIXED_1_COUNTS_A_THIRD);
    uint64_t *rest = memory(m, FIXED_1_COUNTS_A_THIRD, uint64_t), sum = *rest + n;
    if (!here)
        return n;
    *rest = sum % 3;
    return (uint32_t)(sum / 3);
}
DEFECT(FIXED_1_COUNTS_A_THIRD, "fixed-1-counts-a-third", "fixed counter 1 counts every third cycle",
       "class: another clock", MEANT_FOR("fixed.*"), STANDS_IN(FOR(counted, a_third)));

static uint32_t half_on_first(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, PMC0_COUNTS_HALF_THE_CYCLES, counted)(m, in, c, n);
    bool here = c->bit == 0 && c->event == EVENT_CORE_CYCLES && strikes(m, PMC0_COUNTS_HALF_THE_CYCLES);
    uint64_t *rest = memory(m, PMC0_COUNTS_HALF_THE_CYCLES, uint64_t), sum = *rest + n;
    if (!here)
        return n;
    *rest = sum % 2;
    return (uint32_t)(sum / 2);
}
DEFECT(PMC0_COUNTS_HALF_THE_CYCLES, "pmc0-counts-half-the-cycles", "counter 0 counts every second cycle",
       "class: another clock", MEANT_FOR("fixed.*"), STANDS_IN(FOR(counted, half_on_first)));
