#include "harness/run/errata.h"
#include "pmu/registers.h"

/* A signature without its stepping, and a whole one. */
#define MODEL(signature) (signature), 0x0fff0ff0
#define STEPPING(signature) (signature), 0x0fff0fff

/* Miscounts are of a few instructions in a hundred; a filter that leaks a whole block is none of them. */
#define INEXACT_MOST 16
#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

#define INEXACT \
    .aspects = ASPECT_INSTRUCTIONS, .most = INEXACT_MOST, .what = "instructions retired are now and then counted wrong"
#define LP1 .aspects = ASPECT_BRANCHES, .what = "the second thread's branch count is wrong"
/* A bit that stays shows wherever it should be 0, not only in the test that made it stay. */
#define STUCK                                            \
    .aspects = ASPECT_STATUS_BIT, .bits = OVERFLOW_BITS, \
    .what = "a status bit cannot be cleared after its counter was disabled as it overflowed"
#define CORRUPT                                               \
    .aspects = ASPECT_COUNTER_VALUE, .msr = MSR_FIXED_CTR(1), \
    .what = "a write to IA32_FIXED_CTR1 close to its overflow leaves a wrong value"
#define DROPPED                       \
    .aspects = ASPECT_FIXED_OVERFLOW, \
    .what = "of two fixed counters that overflow close together one is dropped while freezing on PMI"
#define LOST_IN_C6 .aspects = ASPECT_PMI_IN_HALT, .what = "a PMI that comes while the core enters a deep sleep is lost"
#define NEW_VECTOR                   \
    .aspects = ASPECT_MASKED_VECTOR, \
    .what = "rewriting an LVT entry while its interrupt is pending may deliver it on the new vector"
#define READS_WRONG                               \
    .aspects = ASPECT_EVENT_SELECT, .gp_from = 4, \
    .what = "IA32_PERFEVTSEL4 to 7 do not always read as they were written"
#define NO_USR .aspects = ASPECT_USR_ALONE, .gp_from = 4, .what = "PMC4 to PMC7 do not count what happens at CPL 3 only"
#define UNFROZEN \
    .aspects = ASPECT_FREEZE | ASPECT_STAYS_FROZEN, .what = "counters are not frozen reliably before this microcode"
#define FROZEN_4_7 .aspects = ASPECT_STAYS_FROZEN, .gp_from = 4, .what = "CTR_FRZ does not stop PMC4 to PMC7"
#define ALL_RINGS .aspects = ASPECT_SAMPLED_LEVEL, .what = "sampling does not heed the privilege levels asked for"
#define NO_BUFFER_BIT .aspects = ASPECT_BUFFER_BIT, .what = "STATUS[62] is not set unless IA32_DEBUGCTL[12] is"
#define ONE_LATE .aspects = ASPECT_THRESHOLD_PMI, .what = "the threshold's PMI comes one record late"
#define PMI_WHEN_FULL .aspects = ASPECT_FULL_BUFFER, .what = "a record that finds the buffer full raises a PMI"
#define AFTER_DISABLE .aspects = ASPECT_DISABLED_RECORDS, .what = "a record may be written after PEBS was disabled"
/* Such a record is counted with those of the next set-up. */
#define ONE_MORE .aspects = ASPECT_EACH_RECORD, .most = 1, .what = "a record may be written after PEBS was disabled"
#define REDUNDANT \
    .aspects = ASPECT_ODD_PERIOD, .what = "records come twice unless the low six bits of the reset value are 0"
#define SMI_CLEARS .aspects = ASPECT_FREEZE_ENABLE, .what = "an SMI clears IA32_DEBUGCTL[12]"
#define FOREIGN_WHAT "with TSX, microcode may use PMC3, its event select and its bits of the global registers"
#define FOREIGN_BIT .aspects = ASPECT_IN_USE, .bits = INUSE_GP(3), .what = FOREIGN_WHAT
#define FOREIGN_CONTROL .aspects = ASPECT_CONTROL_SEEN, .msr = MSR_PERFEVTSEL(3), .what = FOREIGN_WHAT

/*
 * Only what tests can run into: errata of instructions that no counted block contains (REP, VMASKMOV, far
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
    {"HSD159", MODEL(0x306c0), ONE_MORE},
    {"BDM61", MODEL(0x306d0), INEXACT},
    {"BDM126", MODEL(0x306d0), NO_USR, .eight_counters = true},
    {"BDM114", MODEL(0x306d0), AFTER_DISABLE},
    {"BDM114", MODEL(0x306d0), ONE_MORE},
    {"BDM55", MODEL(0x306d0), REDUNDANT},
    {"BDD53", MODEL(0x50660), REDUNDANT},
    {"BDD101", MODEL(0x50660), LP1, .smt = true},
    {"BDD116", MODEL(0x50660), NO_USR, .eight_counters = true},
    /* Skylake to Comet Lake */
    {"SKL90", MODEL(0x506e0), FROZEN_4_7, .eight_counters = true},
    {"SKL90", MODEL(0x406e0), FROZEN_4_7, .eight_counters = true},
    {"SKL104", MODEL(0x506e0), AFTER_DISABLE},
    {"SKL104", MODEL(0x506e0), ONE_MORE},
    {"SKL104", MODEL(0x406e0), AFTER_DISABLE},
    {"SKL104", MODEL(0x406e0), ONE_MORE},
    {"SKL179", MODEL(0x506e0), FOREIGN_BIT, .rtm = true},
    {"SKL179", MODEL(0x506e0), FOREIGN_CONTROL, .rtm = true},
    {"SKL179", MODEL(0x406e0), FOREIGN_BIT, .rtm = true},
    {"SKL179", MODEL(0x406e0), FOREIGN_CONTROL, .rtm = true},
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

static bool like(const struct erratum *row, const struct symptom *symptom)
{
    bool bounded = !symptom->in_words;
    return (symptom->aspects & row->aspects) && (!row->msr || symptom->msr == row->msr) &&
           (!row->gp_from || of_counter(symptom->msr, row->gp_from)) &&
           (!bounded || !row->most || symptom->distance <= row->most) &&
           (!bounded || !row->bits || (!symptom->clear && !(symptom->set & ~row->bits)));
}

const struct erratum *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom)
{
    if (!caps->intel)
        return NULL;
    for_each_row (errata, row)
        if (present(row, caps) && like(row, symptom))
            return row;
    return NULL;
}
