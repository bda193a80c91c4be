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

DEFECT(inst_retired_drifts,
       MAKES(counted, c->event == EVENT_INSTRUCTIONS && now_and_then(m, memory(struct chance), parameter()) && strikes()
                          ? coin(m, memory(struct chance)) ? 2 : 0
                          : good),
       "now and then an instruction counts twice, or not at all", "BJ136, BV112, HSD140, BDM61",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV112", 0x306a9, 0x21, 0, 0), ERRATUM("HSD140", 0x306c3, 0x28, 0, 0),
              ERRATUM("BDM61", 0x306d4, 0x2f, 0, 0)),
       PARAMETER("one in", 2, 1000000, 200), INTERMITTENT);
DEFECT(inst_retired_undercounts,
       INSTEAD(counted, c->event == EVENT_INSTRUCTIONS && now_and_then(m, memory(struct chance), parameter()), 0),
       "now and then an instruction is not counted", "AAJ107", MIMICS(ERRATUM("AAJ107", 0x106a5, 0x19, 0, 0)),
       PARAMETER("one in", 2, 1000000, 200), INTERMITTENT,
       HIDDEN("sandy-bridge,ivy-bridge,haswell,broadwell",
              "their sheets say too high or too low, not by the same amount"));

/* Instructions counted by each counter since it was started. */
struct since_start {
    uint32_t instructions[64];
};

STAND_IN(one_more_in_a_long_block, counting_changed)
{
    struct since_start *since = memory(struct since_start);
    for (unsigned bit = 0; bit < 64; bit++)
        since->instructions[bit] = started >> bit & 1 ? 0 : since->instructions[bit];
    below(counting_changed);
}

STAND_IN(one_more_in_a_long_block, counted)
{
    struct since_start *since = memory(struct since_start);
    n = below(counted);
    if (c->event != EVENT_INSTRUCTIONS || !n)
        return n;
    bool this_one = ++since->instructions[c->bit] == parameter();
    return this_one && strikes() ? n + 1 : n;
}
DEFECT(one_more_in_a_long_block, FUNCTIONS, "the 60th instruction since a counter was started counts twice",
       "class: a queue that runs full once", PARAMETER("instruction", 1, 1000000, 60), MEANT_FOR("gp.*,fixed.*"));
DEFECT(one_cpu_counts_double,
       CHANGED(counted, (c->event == EVENT_INSTRUCTIONS && m->events.retired % 4 == 0 && last_cpu(m)), 2 * good),
       "the last CPU counts every 4th instruction twice", "class: one bad core of a fleet");

/* The WRMSR that starts fixed counter 0. */
static bool starts_fixed0(const struct model *m, const struct retired *in, const struct counting *c)
{
    return c->bit == 32 && in->kind == RETIRED_WRMSR && (m->retire.started & STATUS_FIXED(0));
}

VARIATION(fixed0_one_less, INSTEAD(counted, starts_fixed0(m, instruction, c), 0),
          "fixed counter 0 counts one less than a GP counter, per start", "Ivy Bridge", ALSO_ON("sandy-bridge"));

/* Which of the two enables was written last? The other order is the erratum's workaround. */
struct enabling {
    struct chance chance;
    bool global_last;
};

VARIATION(fixed0_plus_32,
          ALL(NOTES(stored_kept, which == STORED_GLOBAL_CTRL || which == STORED_FIXED_CTR_CTRL,
                    memory(struct enabling)->global_last = which == STORED_GLOBAL_CTRL),
              CHANGED(counted,
                      starts_fixed0(m, instruction, c) && memory(struct enabling)->global_last && m->p.threads > 1,
                      good + drawn_up_to(m, c, &memory(struct enabling)->chance, parameter()))),
          "fixed counter 0 counts up to 32 more, another number at each start by IA32_PERF_GLOBAL_CTRL",
          "HSD143, HSM154 with hyper-threading", ALSO_ON("haswell"), THOROUGHLY, PREPARED(deviation_with_threads),
          PARAMETER("most", 1, 1000, 32));
DEFECT(rep_movs_overcounts,
       CHANGED(counted, (c->event == EVENT_INSTRUCTIONS && instruction->kind == RETIRED_REP_STRING), good + 1),
       "a REP string instruction counts twice", "SKL91; Skylake to Comet Lake", MEANT_FOR("errata.*"), ON("haswell"),
       MIMICS(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0), ERRATUM("KBL57", 0x906e9, 0xf0, 0, 0),
              ERRATUM("CML57", 0xa0653, 0xf0, 0, 0), ERRATUM("337346-57", 0x906ea, 0xf0, 0, 0)));

VARIATION(far_transfer_overcounts,
          CHANGED(counted,
                  (c->event == EVENT_INSTRUCTIONS || (c->event == EVENT_BRANCHES && good)) && is_far(instruction),
                  good + drawn_up_to(m, c, memory(struct chance), parameter())),
          "far transfers and IRET count once to four times, as instructions and as branches",
          "SRF7 and its class; Atom servers", ON("lunar-lake"), PARAMETER("most", 1, 100, 3));
VARIATION(anythread_retired_wrong, CHANGED(counted, c->event == EVENT_INSTRUCTIONS && c->any, good + 1),
          "AnyThread counts instructions twice", "BJ91; Sandy Bridge");

/* An interrupt may count with the first instruction after it. */
struct interrupted {
    uint32_t instructions; /* left until that instruction has retired */
    struct chance chance;
};

VARIATION(interrupt_counted_plus_one,
          ALL(NOTES(pmi_send, true, memory(struct interrupted)->instructions = 2),
              NOTED(after_instruction, true,
                    memory(struct interrupted)->instructions -= memory(struct interrupted)->instructions ? 1 : 0),
              CHANGED(counted, c->event == EVENT_INSTRUCTIONS && memory(struct interrupted)->instructions == 1,
                      good + drawn_up_to(m, c, &memory(struct interrupted)->chance, 1))),
          "a PMI counts as an instruction, or not", "class; not promised", ALSO_ON("lunar-lake"));

/* ---- Branches */

/* Branches that each counter has seen. */
struct of_each {
    uint64_t count[64];
};

static bool is_branches(const struct counting *c)
{
    return c->event == EVENT_BRANCHES;
}

VARIATION(cpuid_counted_as_branch, INSTEAD(counted, is_branches(c) && instruction->kind == RETIRED_CPUID, 1),
          "CPUID counts as a branch", "W146; Core 2", ON("conroe"));
DEFECT(emulated_uncounted, INSTEAD(counted, c->event == EVENT_INSTRUCTIONS && instruction->kind == RETIRED_CPUID, 0),
       "CPUID, which a hypervisor carries out, is not counted", "KVM before Linux 5.17",
       MEANT_FOR("gp.emulated,gp.classes"));
DEFECT(branches_count_instructions, BEFORE(counted, is_branches(c) && !n, n = 1), "event 00C4H counts instructions",
       "class: an event decoder that ignores bits");
DEFECT(conditional_counts_all,
       CHANGED(counted, c->event == EVENT_CONDITIONAL && !good && instruction->kind == RETIRED_BRANCH, 1),
       "the event of conditional branches counts all near ones", "class: a unit mask that is not decoded",
       ON("skylake"), ALSO_ON("alder-lake", "lunar-lake", "goldmont-plus"), MEANT_FOR("gp.conditional-branches"));
DEFECT(conditional_twice_at_cpl_3,
       CHANGED(counted, (c->event == EVENT_CONDITIONAL && good && instruction->cpl == 3 && instruction->taken),
               2 * good),
       "at CPL 3 the event of conditional branches counts taken ones twice", "class: what ends replays by rr",
       ON("skylake"), ALSO_ON("alder-lake"), MEANT_FOR("gp.conditional-branches"));

DEFECT(branches_some_twice_at_cpl_3,
       CHANGED(counted,
               is_branches(c) && good && instruction->cpl && ++memory(struct of_each)->count[c->bit] % parameter() == 0,
               2 * good),
       "at CPL 3 every tenth branch counts twice", "class: what record and replay lives on",
       PARAMETER("every", 2, 1000, 10), MEANT_FOR("gp.*"));

DEFECT(instructions_fewer_at_cpl_3,
       CHANGED(counted,
               c->event == EVENT_INSTRUCTIONS && good && instruction->cpl &&
                   ++memory(struct of_each)->count[c->bit] % parameter() == 0,
               good - 1),
       "at CPL 3 every tenth instruction is not counted", "class of AAJ107", PARAMETER("every", 2, 1000, 10),
       MEANT_FOR("gp.*,fixed.*"),
       HIDDEN("nehalem", "AAJ107 names neither ring nor rate: counts may be as much too low at CPL 3 alone"));

VARIATION(far_branch_extra_in_c4,
          CHANGED(counted, is_branches(c) && good && is_far(instruction),
                  good + drawn_up_to(m, c, memory(struct chance), parameter())),
          "far transfers and IRET count as one branch to four", "RPL55, MTL13, ARL11, SRF7; Alder Lake and later",
          ON("alder-lake"), PARAMETER("most", 1, 100, 3));
DEFECT(branches_not_taken_missed, INSTEAD(counted, is_branches(c) && n && !instruction->taken, 0),
       "branches that fall through are not counted", "AMD's and old emulators' taken-branch events");
DEFECT(branches_taken_twice, CHANGED(counted, is_branches(c) && good && instruction->taken, 2 * good),
       "taken branches count twice", "class of BDD101",
       NOT_BY(ERRATUM_ON("goldmont-plus", "SRF6", 0xa06f3, 0x3000200, 0, 0)));

static bool second_thread(const struct model *m)
{
    return m->p.threads > 1 && m->cpu % 2;
}

DEFECT(br_retired_wrong_on_lp1,
       INSTEAD(counted, is_branches(c) && n && second_thread(m) && m->events.branches % 8 == 0, 0),
       "the second thread of a core misses every 8th branch", "class of BDD101", ALSO_ON("haswell", "ice-lake"),
       PREPARED(deviation_with_threads));

/* ---- Other events */

static bool is_llc(const struct counting *c)
{
    return c->event == EVENT_LLC_REFERENCE || c->event == EVENT_LLC_MISS;
}

VARIATION(llc_double, CHANGED(counted, is_llc(c) && good, 2 * good), "LLC events count twice", "ARL14; Arrow Lake");
VARIATION(llc_inexact, CHANGED(counted, is_llc(c) && m->events.retired % 8 == 0, good + coin(m, memory(struct chance))),
          "LLC events count now and then without cause", "SKL57, CML42; Skylake to Comet Lake");
DEFECT(cycles_stop, INSTEAD(counted, c->event == EVENT_CORE_CYCLES, 0),
       "core cycles do not advance, on GP and fixed counters", "class of AAJ91");
DEFECT(one_cpu_counts_cycles_by_8, CHANGED(counted, (c->event == EVENT_CORE_CYCLES && last_cpu(m)), 8 * good),
       "the last CPU counts each core cycle eight times", "class: one bad core of a fleet");
DEFECT(cmask_counts_cycles_twice, CHANGED(counted, c->by_cycles && !c->edge, 2 * good),
       "a cycle that reaches the counter mask counts twice", "class: a comparator behind a doubled clock");
DEFECT(edge_counts_each_event_twice, CHANGED(counted, c->edge, 2),
       "with EDGE each occurrence counts as a rise and as a fall", "class: an edge detector of both edges",
       ALSO_ON("lunar-lake"));
DEFECT(edge_counts_once, CHANGED(counted, c->edge && * c->value, 0), "with EDGE only the first rise counts",
       "class: a detector that is not armed again", ALSO_ON("lunar-lake"));
DEFECT(edge_of_both_levels_dead, CHANGED(counted, c->edge && c->rings == (RING_OS | RING_USR), 0),
       "with EDGE, OS and USR nothing counts", "class: an edge detector behind a level's filter",
       ALSO_ON("lunar-lake"));
DEFECT(inv_counts_nothing, CHANGED(counted, c->invert, 0), "with INV and CMASK nothing counts",
       "class: a comparison that is never met", ALSO_ON("lunar-lake"));

DEFECT(inv_ignored_at_1, INSTEAD(counted, (c->invert && c->threshold == 1 && !c->edge), 1),
       "with a counter mask of 1 INV has no effect", "class: a comparison with 0 that is wired apart",
       MEANT_FOR("gp.complements"));
DEFECT(inv_edge_dead, CHANGED(counted, c->edge && c->invert, 0), "with EDGE and INV nothing counts",
       "class: an edge detector before the comparison", MEANT_FOR("gp.complements"));

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

STAND_IN(long_instruction_twice, counted)
{
    const struct before *b = follow(memory(struct before), m, instruction);
    bool was_long = b->length >= 6 && b->length <= 15;
    n = below(counted);
    return was_long && c->event == EVENT_INSTRUCTIONS && strikes() ? n + 1 : n;
}
DEFECT(long_instruction_twice, FUNCTIONS, "an instruction of six bytes or more counts twice",
       "class: a decoder that splits it", MEANT_FOR("gp.*"));

STAND_IN(fused_pair_once, counted)
{
    const struct before *b = follow(memory(struct before), m, instruction);
    bool pair = instruction->kind == RETIRED_BRANCH && instruction->branch == BRANCH_CONDITIONAL &&
                b->branch - b->last_branch == 2;
    n = below(counted);
    return pair && c->event == EVENT_INSTRUCTIONS && strikes() ? 0 : n;
}
DEFECT(fused_pair_once, FUNCTIONS, "right after a branch a comparison and its jump count as one instruction",
       "class: counting after fusion", MEANT_FOR("gp.*"));
DEFECT(slots_dead, INSTEAD(counted, c->event == EVENT_SLOTS, 0),
       "pipeline slots are not counted, on GP and fixed counters", "class of AAJ79, with a newer event",
       ON("ice-lake"));
DEFECT(counts_in_halt,
       CHANGED(cycles_in_halt, true, good + (uint32_t)(m->host.time(m->host.context) - m->events.halted_at)),
       "core cycles go on in HLT", "HSD135 class");
DEFECT(ld_lat_ignored, INSTEAD(latency_threshold, true, 0), "loads below the latency threshold are sampled too",
       "class", MEANT_FOR("pebs.latency"));
VARIATION(metrics_wrong_after_c02, CHANGED(metrics_shown, true, good & ~(0xffull << 8 * METRIC_BACKEND_BOUND)),
          "PERF_METRICS' parts do not add up to the whole, as after a sleep in C0.2", "RPL52; Raptor Lake",
          ON("ice-lake"));

/* ---- One counter, one ring */

DEFECT(last_gp_dead, INSTEAD(counted, last_gp(m, c->bit), 0), "the last GP counter never counts",
       "class: one bad counter");
DEFECT(fixed0_dead, INSTEAD(counted, c->bit == 32, 0), "fixed counter 0 never counts", "class: one bad counter");
DEFECT(usr_counts_nothing, INSTEAD(counted, c->rings == RING_USR, 0), "a counter for only CPL 3 counts nothing",
       "BDM126, BDD116 (there PMC4 to 7)", NOT_BY(ERRATUM_ON("ice-lake", "BDM126", 0x306d4, 0x2f, 0, 1)));
DEFECT(pmc4_7_dead_usr_only, INSTEAD(counted, c->bit >= 4 && c->bit <= 7 && c->rings == RING_USR, 0),
       "without hyper-threading, counters 4 to 7 for only CPL 3 count nothing", "BDM126, BDD116; Broadwell",
       MIMICS(ERRATUM("BDM126", 0x306d4, 0x2f, 0, 1), ERRATUM("BDD116", 0x40671, 0x22, 0, 1),
              ERRATUM("BDM126", 0x406f1, 0xb000040, 0, 1), ERRATUM("BDM126", 0x50663, 0x700001c, 0, 1)),
       PREPARED(deviation_without_threads));

/* A counter for one ring misses events while the ring changes, and shortly after it: no document says how long. */
struct blind {
    struct chance chance;
    uint32_t left; /* in instructions */
    bool user;     /* the last ring was CPL 3 */
};

/* Notices a change of ring, also by an interrupt between two instructions. */
static struct blind *follow_ring(struct at_work *self, struct model *m, uint8_t cpl)
{
    struct blind *blind = memory(struct blind);
    uint32_t most = (uint32_t)parameter();
    if (blind->user != !!cpl)
        blind->left = 1 + draw(m, &blind->chance) % most;
    blind->user = !!cpl;
    return blind;
}

STAND_IN(cpl_filter_loses_at_transition, counted)
{
    const struct blind *blind = follow_ring(self, m, instruction->cpl);
    bool one_ring = c->rings == RING_OS || c->rings == RING_USR;
    if (one_ring && (blind->left || !instruction->cpl != !instruction->cpl_after) && strikes())
        return 0;
    return below(counted);
}

STAND_IN(cpl_filter_loses_at_transition, after_instruction)
{
    struct blind *blind = follow_ring(self, m, instruction->cpl);
    below(after_instruction);
    blind->left -= blind->left ? 1 : 0;
    follow_ring(self, m, instruction->cpl_after);
}
VARIATION(cpl_filter_loses_at_transition, ALL(IS(waiting, memory(struct blind)->left || below(waiting)), FUNCTIONS),
          "a counter for one ring does not count the instruction that changes the ring, nor up to 300 after it",
          "BDM120, SKL117, KBL63, 337346-62, CML62; Broadwell to Comet Lake", ALSO_ON("broadwell", "sapphire-rapids"),
          THOROUGHLY, PARAMETER("most", 1, 10000, 300));

static struct blind *enter_user(struct at_work *self, uint8_t cpl)
{
    struct blind *blind = memory(struct blind);
    if (cpl && !blind->user)
        blind->left = (uint32_t)parameter();
    blind->user = !!cpl;
    return blind;
}

STAND_IN(usr_misses_first, counted)
{
    const struct blind *blind = enter_user(self, instruction->cpl);
    if (c->rings == RING_USR && instruction->cpl && blind->left && strikes())
        return 0;
    return below(counted);
}

STAND_IN(usr_misses_first, after_instruction)
{
    struct blind *blind = enter_user(self, instruction->cpl);
    below(after_instruction);
    blind->left -= blind->left ? 1 : 0;
    enter_user(self, instruction->cpl_after);
}
DEFECT(usr_misses_first, ALL(IS(waiting, memory(struct blind)->left || below(waiting)), FUNCTIONS),
       "a counter for CPL 3 misses the first 40 instructions there",
       "BDM120, SKL117, KBL63, 337346-62, CML62; Broadwell to Comet Lake", ON("haswell"), MEANT_FOR("errata.*"),
       PARAMETER("instructions", 1, 10000, 40),
       MIMICS(ERRATUM_ON("skylake", "SKL117", 0x506e3, 0xf0, 0, 0),
              ERRATUM_ON("broadwell", "BDM120", 0x306d4, 0x2f, 0, 0)));
VARIATION(inv_overcounts, INSTEAD(counted, c->invert && m->events.retired % 5 == 0, n + 1),
          "INV with CMASK counts a fifth more", "HSD73; other thread's cycles");
DEFECT(inv_cmask_counts_other_cpl, CHANGED(ring_counts, !good && c->invert && c->rings, true),
       "INV with CMASK for one ring counts in the other too", "HSD73; Haswell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM("HSD73", 0x306c3, 0x28, 0, 0), ERRATUM("HSM74", 0x40651, 0x26, 0, 0)));
DEFECT(os_counts_in_user, CHANGED(ring_counts, !good && c->rings == RING_OS, true),
       "a counter for CPL 0 counts at CPL 3 as well", "class: CPL filter, AJ67",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0), ERRATUM("SKL117", 0x506e3, 0xf0, 0, 0)));
DEFECT(usr_counts_in_os, CHANGED(ring_counts, !good && c->rings != RING_OS, true),
       "a counter for CPL 3 counts at CPL 0 as well", "class: CPL filter, AJ67");
DEFECT(carry_lost_at_bit_32, CHANGED(counter_sum, ((was ^ good) & BIT(32)), good - BIT(32)),
       "a carry out of bit 31 while counting is lost", "class of NetBurst O9", ALSO_ON("lunar-lake"), INTERMITTENT);
DEFECT(carry_lost_into_bit, CHANGED(counter_sum, ((was ^ good) & BIT(parameter())), good - BIT(parameter())),
       "a carry into one bit while counting is lost", "counters off by exactly 2^31, in reports",
       PARAMETER("bit", 1, 63, 20));
DEFECT(carry_lost_at_bit_40, CHANGED(counter_sum, ((was ^ good) & BIT(40)), good - BIT(40)),
       "a carry out of bit 39 while counting is lost", "class: a counter in parts");

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
STAND_IN(loads_astray, counted)
{
    uint32_t(*handed)[GP_MAX] = m->sharing.beside->handed;
    unsigned thread = m->cpu % 2;
    n = below(counted);
    if (c->bit >= GP_MAX || m->p.threads < 2)
        return n;
    if (n && is_memory_event(c) && goes_astray(m, parameter()) && strikes()) {
        if (m->events.retired & 1)
            __atomic_fetch_add(&handed[!thread][c->bit], n, __ATOMIC_ACQ_REL);
        n = 0;
    }
    return n + __atomic_exchange_n(&handed[thread][c->bit], 0, __ATOMIC_ACQ_REL);
}

VARIATION(loads_astray, FUNCTIONS,
          "one in 50 loads and stores is dropped, or counted by the other thread's counter of that number",
          "BJ122, BV98, HSD29; Sandy Bridge to Haswell with hyper-threading", ON("haswell"),
          PARAMETER("one in", 1, 1000000, 50), PREPARED(deviation_with_threads));

/* ---- Writes on a core with two threads */

/* Counted by a counter of instructions, with its next one. */
DEFECT(neighbour_write_counts,
       ALL(BEFORE(evtsel_kept, value &EVTSEL_EN,
                  __atomic_fetch_add(&m->sharing.beside->handed[!(m->cpu % 2)][n], 1, __ATOMIC_ACQ_REL)),
           NOTED(counted, good && c->bit < GP_MAX && c->event == EVENT_INSTRUCTIONS,
                 good += __atomic_exchange_n(&m->sharing.beside->handed[m->cpu % 2][c->bit], 0, __ATOMIC_ACQ_REL))),
       "a write of an event select is counted by the other thread's counter of that number",
       "class of BJ122: one thread's doing in the other's count", MEANT_FOR("gp.neighbour-writes"), ON("haswell"),
       ALSO_ON("sapphire-rapids"), PREPARED(deviation_with_threads));

#define COUNTED_TWICE 10000

STAND_IN(neighbour_sampling_counts, counted)
{
    uint32_t *left = &m->sharing.beside->handed[m->cpu % 2][0];
    n = below(counted);
    if (!n || c->bit || !__atomic_load_n(left, __ATOMIC_ACQUIRE))
        return n;
    __atomic_fetch_sub(left, 1, __ATOMIC_ACQ_REL);
    return 2 * n;
}

DEFECT(neighbour_sampling_counts,
       ALL(BEFORE(stored_kept, which == STORED_PEBS_ENABLE && value,
                  __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][0], COUNTED_TWICE, __ATOMIC_RELEASE)),
           FUNCTIONS),
       "after a write that switches sampling on the other thread's IA32_PMC0 counts 10000 instructions twice",
       "class of BJ122: one thread's doing in the other's count", MEANT_FOR("gp.neighbour-writes"),
       ON("sapphire-rapids"), PREPARED(deviation_with_threads));
DEFECT(loads_dropped, CHANGED(counted, is_memory_event(c) && good, 0), "loads and stores that retire are not counted",
       "class of HSD29", ON("haswell"),
       MIMICS(ERRATUM_ON("haswell", "HSD29", 0x306c3, 0x28, 0, 2), ERRATUM_ON("haswell", "HSM30", 0x40651, 0x26, 0, 2)),
       NOT_BY(ERRATUM_ON("haswell", "HSD29", 0x306c3, 0x28, 0, 1)));
DEFECT(ref_clock_dead, INSTEAD(counted, c->event == EVENT_REF_CLOCK, 0), "event 013CH counts nothing", "class of AAJ79",
       MEANT_FOR("gp.provoked"));
DEFECT(llc_references_dead, INSTEAD(counted, c->event == EVENT_LLC_REFERENCE, 0), "event 4F2EH counts nothing",
       "class of AAJ79", MEANT_FOR("gp.provoked"));
DEFECT(llc_misses_dead, INSTEAD(counted, c->event == EVENT_LLC_MISS, 0), "event 412EH counts nothing", "class of AAJ79",
       MEANT_FOR("gp.provoked"));
DEFECT(retiring_dead, INSTEAD(counted, c->event == EVENT_RETIRING, 0), "event 02C2H counts nothing",
       "class of AAJ79, with a newer event", MEANT_FOR("gp.provoked"), ON("lunar-lake"));
DEFECT(backend_dead, INSTEAD(counted, c->event == EVENT_BACKEND_BOUND, 0), "event 02A4H counts nothing",
       "class of AAJ79, with a newer event", MEANT_FOR("gp.provoked"), ON("lunar-lake"));
DEFECT(frontend_dead, INSTEAD(counted, c->event == EVENT_FRONTEND_BOUND, 0), "event 019CH counts nothing",
       "class of AAJ79, with a newer event", MEANT_FOR("gp.provoked"), ON("lunar-lake"));
DEFECT(bad_speculation_dead, INSTEAD(counted, c->event == EVENT_BAD_SPECULATION, 0), "event 0073H counts nothing",
       "class of AAJ79, with a newer event", MEANT_FOR("gp.provoked"), ON("clearwater-forest"));
DEFECT(branch_misses_dead, INSTEAD(counted, c->event == EVENT_BRANCH_MISSES, 0), "event 00C5H counts nothing",
       "class of AAJ80", MEANT_FOR("gp.provoked"));

STAND_IN(fixed_1_counts_a_third, counted)
{
    n = below(counted);
    bool here = c->bit == 33 && strikes();
    uint64_t *rest = memory(uint64_t), sum = *rest + n;
    if (!here)
        return n;
    *rest = sum % 3;
    return (uint32_t)(sum / 3);
}
DEFECT(fixed_1_counts_a_third, FUNCTIONS, "fixed counter 1 counts every third cycle", "class: another clock",
       MEANT_FOR("fixed.*"));

STAND_IN(pmc0_counts_half_the_cycles, counted)
{
    n = below(counted);
    bool here = c->bit == 0 && c->event == EVENT_CORE_CYCLES && strikes();
    uint64_t *rest = memory(uint64_t), sum = *rest + n;
    if (!here)
        return n;
    *rest = sum % 2;
    return (uint32_t)(sum / 2);
}
DEFECT(pmc0_counts_half_the_cycles, FUNCTIONS, "counter 0 counts every second cycle", "class: another clock",
       MEANT_FOR("fixed.*"));
