#include "kernel/text/glob.h"
#include "pmu/errata.h"
#include "pmu/registers.h"

/* A signature without its stepping, and a whole one. */
#define MODEL(signature) (signature), 0x0fff0ff0
#define STEPPING(signature) (signature), 0x0fff0fff

/* Miscounts are of a few instructions in a hundred; a filter that leaks a whole block is none of them. */
#define INEXACT_MOST 16
#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

/* All checks that rest on exact counts of instructions: differences of blocks, and values after a wrap. */
static const struct erratum_place exact_counts[] = {
    {"gp.instructions", "*", .most = INEXACT_MOST},
    {"gp.filters", "*-at-cpl-3", .most = INEXACT_MOST},
    {"gp.classes", "plain", .most = INEXACT_MOST},
    {"gp.inv-without-cmask", "inverted", .most = INEXACT_MOST},
    {"gp.cmask", "*", .most = INEXACT_MOST},
    {"fixed.instructions", "*", .most = INEXACT_MOST},
    {"fixed.filters", "*-at-cpl-3", .most = INEXACT_MOST},
    {"global.rings", "both-at-cpl-0", .most = INEXACT_MOST},
    {"overflow.edges", "value", .most = INEXACT_MOST},
    {"overflow.value", "value", .most = INEXACT_MOST},
    {"pebs.spacing", "not-constant", .bits = 0},
    {0},
};
static const struct erratum_place branch_counts[] = {
    {"gp.branches", "*", .bits = 0},
    {"share.counts-untouched", "count-disturbed", .bits = 0},
    {0},
};
/* A bit that stays shows wherever it should be 0, not only in the test that made it stay. */
static const struct erratum_place status_bits[] = {
    {"access.status-set", "not-restored", .bits = OVERFLOW_BITS},
    {"freeze.flow-cost", "not-acknowledged", .bits = OVERFLOW_BITS},
    {"global.int-later", "no-status-bit", .bits = OVERFLOW_BITS},
    {"global.reset-running", "not-cleared", .bits = 0},
    {"global.status-bits", "not-exactly-*", .bits = OVERFLOW_BITS},
    {"overflow.clear", "not-cleared", .bits = OVERFLOW_BITS},
    {"overflow.edges", "set-from-0", .bits = OVERFLOW_BITS},
    {"overflow.status", "other-bits", .bits = OVERFLOW_BITS},
    {"overflow.status", "too-early", .bits = OVERFLOW_BITS},
    {"overflow.status-set", "*", .bits = OVERFLOW_BITS},
    {"overflow.zero-distance", "stays-for-good", .bits = 0},
    {"pmi.all-cpus", "wrong-status", .bits = OVERFLOW_BITS},
    {"share.pmi-handler", "own-bit-left", .bits = OVERFLOW_BITS},
    {"share.pmi-handler", "overflow-not-taken", .bits = OVERFLOW_BITS},
    {0},
};
static const struct erratum_place fixed_overflows[] = {
    {"freeze.two-fixed", "*", .bits = 0},
    {0},
};
static const struct erratum_place halted[] = {
    {"pmi.halted", "not-delivered", .bits = 0},
    {0},
};
static const struct erratum_place rewritten[] = {
    {"pmi.masked-on-the-way", "by-masked-vector", .bits = 0},
    {0},
};
static const struct erratum_place fixed_ctr1[] = {
    {"fixed.read-back", "value", .msr = MSR_FIXED_CTR(1)},
    {0},
};
static const struct erratum_place event_selects_4_7[] = {
    {"access.event-select", "*", .gp_from = 4},
    {0},
};
static const struct erratum_place usr_4_7[] = {
    {"gp.filters", "usr-at-cpl-3", .gp_from = 4},
    {0},
};
static const struct erratum_place frozen_4_7[] = {
    {"freeze.gating", "frozen-counts", .gp_from = 4},
    {"freeze.on-pmi", "not-frozen", .gp_from = 4},
    {"freeze.software", "not-frozen", .gp_from = 4},
    {0},
};
static const struct erratum_place freezing[] = {
    {"freeze.flow-cost", "*", .bits = 0}, {"freeze.gating", "*frozen*", .bits = 0}, {"freeze.on-pmi", "*", .bits = 0},
    {"freeze.scope", "*", .bits = 0},     {"freeze.software", "*", .bits = 0},      {0},
};
static const struct erratum_place freeze_bit[] = {
    {"freeze.*", "*debugctl*", .bits = 0},
    {0},
};
static const struct erratum_place in_use_3[] = {
    {"inuse.*", "*", .bits = INUSE_GP(3)},
    {"share.in-use-agrees", "*", .bits = INUSE_GP(3)},
    {"share.misbehaviour", "hidden-user-unseen", .msr = MSR_PERFEVTSEL(3)},
    {0},
};

/* Sampling. */
static const struct erratum_place sampled_rings[] = {
    {"pebs.rings", "*", .bits = 0},
    {"pebs.no-overflow", "*", .bits = 0},
    {0},
};
static const struct erratum_place buffer_bit[] = {
    {"pebs.threshold", "no-buffer-bit", .bits = 0},
    {"pebs.two-pmis", "no-buffer-pmi", .bits = 0},
    {0},
};
static const struct erratum_place late_threshold[] = {
    {"pebs.threshold", "not-delivered-at-once", .bits = 0},
    {0},
};
static const struct erratum_place full_buffer[] = {
    {"pebs.full", "pmi", .bits = 0},
    {0},
};
static const struct erratum_place strays[] = {
    {"pebs.reconfigure", "stray-*", .bits = 0},
    {"pebs.reconfigure-in-a-row", "lost-or-doubled", .most = 1},
    {"pebs.clear-enable", "recorded-although-off", .bits = 0},
    {0},
};
static const struct erratum_place redundant[] = {
    {"pebs.odd-period", "redundant", .bits = 0},
    {0},
};

#define INEXACT .places = exact_counts, .what = "instructions retired are now and then counted wrong"
#define LP1 .places = branch_counts, .what = "the second thread's branch count is wrong"
#define STUCK \
    .places = status_bits, .what = "a status bit cannot be cleared after its counter was disabled as it overflowed"
#define CORRUPT .places = fixed_ctr1, .what = "a write to IA32_FIXED_CTR1 close to its overflow leaves a wrong value"
#define DROPPED                \
    .places = fixed_overflows, \
    .what = "of two fixed counters that overflow close together one is dropped while freezing on PMI"
#define LOST_IN_C6 .places = halted, .what = "a PMI that comes while the core enters a deep sleep is lost"
#define NEW_VECTOR       \
    .places = rewritten, \
    .what = "rewriting an LVT entry while its interrupt is pending may deliver it on the new vector"
#define READS_WRONG .places = event_selects_4_7, .what = "IA32_PERFEVTSEL4 to 7 do not always read as they were written"
#define NO_USR .places = usr_4_7, .what = "PMC4 to PMC7 do not count what happens at CPL 3 only"
#define UNFROZEN .places = freezing, .what = "counters are not frozen reliably before this microcode"
#define FROZEN_4_7 .places = frozen_4_7, .what = "CTR_FRZ does not stop PMC4 to PMC7"
#define ALL_RINGS .places = sampled_rings, .what = "sampling does not heed the privilege levels asked for"
#define NO_BUFFER_BIT .places = buffer_bit, .what = "STATUS[62] is not set unless IA32_DEBUGCTL[12] is"
#define ONE_LATE .places = late_threshold, .what = "the threshold's PMI comes one record late"
#define PMI_WHEN_FULL .places = full_buffer, .what = "a record that finds the buffer full raises a PMI"
#define AFTER_DISABLE .places = strays, .what = "a record may be written after PEBS was disabled"
#define REDUNDANT .places = redundant, .what = "records come twice unless the low six bits of the reset value are 0"
#define SMI_CLEARS .places = freeze_bit, .what = "an SMI clears IA32_DEBUGCTL[12]"
#define FOREIGN         \
    .places = in_use_3, \
    .what = "with TSX, microcode may use PMC3, its event select and its bits of the global registers"

/*
 * Only what these tests can run into: errata of instructions that no counted block contains (REP, VMASKMOV, far
 * transfers, IRET, TSX), of what is measured only, and of starting costs, which differences cancel (HSD143), excuse
 * nothing.
 */
static const struct erratum errata[] = {
    /* Core 2 of 65 nm */
    {"AJ67", MODEL(0x006f0), ALL_RINGS},
    {"AJ67", MODEL(0x10660), ALL_RINGS},
    {"AJ69", MODEL(0x006f0), NO_BUFFER_BIT},
    {"AJ69", MODEL(0x10660), NO_BUFFER_BIT},
    {"AJ68", MODEL(0x006f0), ONE_LATE},
    {"AJ68", MODEL(0x10660), ONE_LATE},
    /* Nehalem */
    {"AAJ35", MODEL(0x106a0), NEW_VECTOR},
    {"AAJ107", MODEL(0x106a0), INEXACT},
    {"AAJ113", MODEL(0x106a0), LOST_IN_C6},
    {"AAJ143", MODEL(0x106a0), STUCK},
    {"AAJ148", MODEL(0x106a0), DROPPED},
    /* Sandy Bridge, Ivy Bridge */
    {"BJ136", MODEL(0x206a0), INEXACT},
    {"BJ58", MODEL(0x206a0), STUCK},
    {"BJ54", MODEL(0x206a0), CORRUPT},
    {"BJ74", MODEL(0x206a0), DROPPED},
    {"BJ101", MODEL(0x206a0), PMI_WHEN_FULL},
    {"BV51", MODEL(0x306a0), PMI_WHEN_FULL},
    {"BV112", MODEL(0x306a0), INEXACT},
    {"BV85", MODEL(0x306a0), STUCK},
    {"BV36", MODEL(0x306a0), CORRUPT},
    {"BV72", MODEL(0x306a0), DROPPED},
    {"BV80", MODEL(0x306a0), READS_WRONG, .eight_counters = true},
    /* Haswell, Broadwell */
    {"HSD140", MODEL(0x306c0), INEXACT},
    {"HSD52", MODEL(0x306c0), SMI_CLEARS},
    {"HSD159", MODEL(0x306c0), AFTER_DISABLE},
    {"BDM61", MODEL(0x306d0), INEXACT},
    {"BDM126", MODEL(0x306d0), NO_USR, .eight_counters = true},
    {"BDM114", MODEL(0x306d0), AFTER_DISABLE},
    {"BDM55", MODEL(0x306d0), REDUNDANT},
    {"BDD53", MODEL(0x50660), REDUNDANT},
    {"BDD101", MODEL(0x50660), LP1, .smt = true},
    {"BDD116", MODEL(0x50660), NO_USR, .eight_counters = true},
    /* Skylake to Comet Lake */
    {"SKL90", MODEL(0x506e0), FROZEN_4_7, .eight_counters = true},
    {"SKL90", MODEL(0x406e0), FROZEN_4_7, .eight_counters = true},
    {"SKL104", MODEL(0x506e0), AFTER_DISABLE},
    {"SKL104", MODEL(0x406e0), AFTER_DISABLE},
    {"SKL179", MODEL(0x506e0), FOREIGN, .rtm = true},
    {"SKL179", MODEL(0x406e0), FOREIGN, .rtm = true},
    {"CML56", MODEL(0xa0650), FROZEN_4_7, .eight_counters = true},
    /* Goldmont, Denverton, Goldmont Plus: fixed by microcode */
    {"freeze-ucode", STEPPING(0x506c2), UNFROZEN, .microcode_fixed = 0x0e},
    {"freeze-ucode", STEPPING(0x506c9), UNFROZEN, .microcode_fixed = 0x2e},
    {"freeze-ucode", STEPPING(0x506ca), UNFROZEN, .microcode_fixed = 0x08},
    {"freeze-ucode", STEPPING(0x506f1), UNFROZEN, .microcode_fixed = 0x28},
    {"freeze-ucode", STEPPING(0x706a1), UNFROZEN, .microcode_fixed = 0x28},
    {"freeze-ucode", STEPPING(0x706a8), UNFROZEN, .microcode_fixed = 0x06},
};

static bool present(const struct erratum *row, const struct pmu_caps *caps)
{
    return (caps->signature & row->mask) == row->signature &&
           (!row->microcode_fixed || caps->microcode < row->microcode_fixed) &&
           (!row->eight_counters || caps->gp_count == 8) && (!row->smt || caps->threads_per_core != 1) &&
           (!row->rtm || caps->rtm);
}

/* Is it the register of a GP counter from this one on? Each has three. */
static bool of_counter(u32 msr, u32 from)
{
    static const u32 first[] = {MSR_PERFEVTSEL(0), MSR_PMC(0), MSR_A_PMC(0)};
    for_each_row (first, base)
        if (msr >= *base + from && msr < *base + GP_COUNTERS_MAX)
            return true;
    return false;
}

static bool like(const struct erratum_place *place, const struct symptom *symptom)
{
    return glob_match(place->test, symptom->test) && glob_match(place->label, symptom->label) &&
           (!place->msr || symptom->msr == place->msr) &&
           (!place->gp_from || of_counter(symptom->msr, place->gp_from)) &&
           (!place->most || symptom->distance <= place->most) &&
           (!place->bits || (!symptom->clear && !(symptom->set & ~place->bits)));
}

const struct erratum *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom)
{
    if (!caps->intel)
        return NULL;
    for_each_row (errata, row)
        for (const struct erratum_place *place = row->places; present(row, caps) && place->test; place++)
            if (like(place, symptom))
                return row;
    return NULL;
}
