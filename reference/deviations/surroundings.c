/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what surrounds the PMU: SMIs and their firmware, foreign agents, accesses that never come back. */
#define CHAPTERS "handoff.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Events at regular numbers of instructions */

struct period {
    uint64_t instructions; /* seen so far */
};

static bool period_ends_anyhow(struct period *period, uint64_t instructions)
{
    return ++period->instructions % instructions == 0;
}

/* Counts only while a counter counts: while branches are recorded, instructions are seen in long waits, too. */
static bool period_ends(const struct model *m, struct period *period, uint64_t instructions)
{
    return m->active.count && period_ends_anyhow(period, instructions);
}

/* A deviation that acts after instructions needs each of them, not runs. */
static bool each(struct model *m)
{
    (void)m;
    return true;
}
#define SMI_PERIOD 40009

static void smi(struct model *m, const struct retired *instruction)
{
    replaced(m, SMI_DURING_BLOCKS, after_instruction)(m, instruction);
    if (period_ends(m, memory(m, SMI_DURING_BLOCKS, struct period), parameter(m, SMI_DURING_BLOCKS)))
        model_smi(m, 0);
}
VARIATION(SMI_DURING_BLOCKS, "smi-during-blocks", "an SMI every 40009 instructions, its own are not counted",
          "legacy USB; SMI count moves", ALSO_ON("conroe"), PARAMETER("every", 50, 10000000, SMI_PERIOD),
          STANDS_IN(FOR(after_instruction, smi), FOR(each_matters, each)));

static void smi_storm(struct model *m, const struct retired *instruction)
{
    replaced(m, SMI_DURING_EVERY_BLOCK, after_instruction)(m, instruction);
    if (period_ends_anyhow(memory(m, SMI_DURING_EVERY_BLOCK, struct period), parameter(m, SMI_DURING_EVERY_BLOCK)))
        model_smi(m, 0);
}
HAZARD(SMI_DURING_EVERY_BLOCK, "smi-during-every-block", "an SMI every 97 instructions", "a stuck SMI source",
       PARAMETER("every", 50, 10000000, 97), STANDS_IN(FOR(after_instruction, smi_storm), FOR(each_matters, each)));

static void smi_that_counts(struct model *m, const struct retired *instruction)
{
    replaced(m, SMI_COUNTED, after_instruction)(m, instruction);
    if (period_ends(m, memory(m, SMI_COUNTED, struct period), SMI_PERIOD))
        model_smi(m, (uint32_t)parameter(m, SMI_COUNTED));
}
VARIATION(SMI_COUNTED, "smi-counted", "an SMI every 40009 instructions, its own 500 are counted",
          "rr #3045 on client firmware", PARAMETER("instructions", 1, 100000, 500),
          STANDS_IN(FOR(after_instruction, smi_that_counts), FOR(each_matters, each)));

static void smi_clears_freeze_bit(struct model *m, const struct retired *instruction)
{
    replaced(m, FREEZE_BIT_CLEARED_BY_SMI, after_instruction)(m, instruction);
    if (!period_ends_anyhow(memory(m, FREEZE_BIT_CLEARED_BY_SMI, struct period), SMI_PERIOD))
        return;
    model_smi(m, 0);
    if (strikes(m, FREEZE_BIT_CLEARED_BY_SMI))
        m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}
VARIATION(FREEZE_BIT_CLEARED_BY_SMI, "freeze-bit-cleared-by-smi", "an SMI every 40009 instructions clears DEBUGCTL[12]",
          "HSD52; Haswell", ON("haswell"),
          STANDS_IN(FOR(after_instruction, smi_clears_freeze_bit), FOR(each_matters, each)));

static void asked_smi_clears(struct model *m)
{
    replaced(m, ASKED_SMI_CLEARS_FREEZE_BIT, smi_asked)(m);
    if (strikes(m, ASKED_SMI_CLEARS_FREEZE_BIT))
        m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}
DEFECT(ASKED_SMI_CLEARS_FREEZE_BIT, "asked-smi-clears-freeze-bit",
       "an SMI that software asked for clears IA32_DEBUGCTL[12]", "HSD52; Haswell",
       MIMICS(ERRATUM_ON("haswell", "HSD52", 0x306c3, 0x28, 0, 0), ERRATUM_ON("haswell", "HSM53", 0x40651, 0x26, 0, 0)),
       MEANT_FOR("freeze.*"), STANDS_IN(FOR(smi_asked, asked_smi_clears)));

static void asked_smi_overflows(struct model *m)
{
    replaced(m, ASKED_SMI_SETS_STATUS, smi_asked)(m);
    if (m->p.gp_count && strikes(m, ASKED_SMI_SETS_STATUS))
        m->status.bits |= BIT(0);
}
DEFECT(ASKED_SMI_SETS_STATUS, "asked-smi-sets-status",
       "an SMI that software asked for sets the overflow bit of counter 0", "class: state over RSM",
       MEANT_FOR("freeze.*"), STANDS_IN(FOR(smi_asked, asked_smi_overflows)));

static void found_changed(struct model *m)
{
    m->p.status |= STATUS_COND_CHGD;
}

static void smi_sets_cond_chgd(struct model *m, const struct retired *instruction)
{
    replaced(m, CONDCHGD_STICKY, after_instruction)(m, instruction);
    if (!period_ends(m, memory(m, CONDCHGD_STICKY, struct period), SMI_PERIOD))
        return;
    model_smi(m, 0);
    if (strikes(m, CONDCHGD_STICKY))
        m->status.bits |= STATUS_COND_CHGD;
}
VARIATION(CONDCHGD_STICKY, "condchgd-sticky",
          "STATUS[63] is set, can be cleared, and is set again by an SMI every 40009 instructions", "i7-3820QM; class",
          DATA(found_changed), STANDS_IN(FOR(after_instruction, smi_sets_cond_chgd), FOR(each_matters, each)));

/* Counters are enabled, and DEBUGCTL[14] was set to stop them in SMM: an SMI comes now. */
static bool armed_for_smm(const struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    return which == STORED_DEBUGCTL && (value & ~was & DEBUGCTL_FREEZE_WHILE_SMM) &&
           m->controls.stored[STORED_GLOBAL_CTRL];
}

static uint64_t rsm_enables(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, SMI_SETS_ENABLES, stored_kept)(m, which, was, value);
    if (armed_for_smm(m, which, was, value) && strikes(m, SMI_SETS_ENABLES)) {
        model_smi(m, 0);
        m->controls.stored[STORED_GLOBAL_CTRL] |= width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
    }
    return value;
}
VARIATION(SMI_SETS_ENABLES, "smi-sets-enables",
          "an SMI comes once DEBUGCTL[14] is set together with an enable of GLOBAL_CTRL, and RSM sets all enables",
          "SDM 3B, FREEZE_WHILE_SMM", ALSO_ON("haswell", "lunar-lake"), STANDS_IN(FOR(stored_kept, rsm_enables)));

static uint64_t firmware_unfreezes(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, SMI_DROPS_SMM_FREEZE, stored_kept)(m, which, was, value);
    if (!armed_for_smm(m, which, was, value) || !strikes(m, SMI_DROPS_SMM_FREEZE))
        return value;
    model_smi(m, 0);
    return value & ~DEBUGCTL_FREEZE_WHILE_SMM;
}
VARIATION(SMI_DROPS_SMM_FREEZE, "smi-drops-smm-freeze",
          "an SMI comes once DEBUGCTL[14] is set together with an enable of GLOBAL_CTRL, and firmware clears the bit",
          "the PMU Sharing Guide forbids it to firmware", STANDS_IN(FOR(stored_kept, firmware_unfreezes)));

#define AGENT_EVENT (ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR)

static void agent_reclaims(struct model *m, const struct retired *instruction)
{
    replaced(m, SMM_AGENT_RECLAIMS, after_instruction)(m, instruction);
    if (!period_ends_anyhow(memory(m, SMM_AGENT_RECLAIMS, struct period), SMI_PERIOD))
        return;
    model_smi(m, 0);
    if (m->p.gp_count && strikes(m, SMM_AGENT_RECLAIMS)) {
        m->controls.evtsel[0] = AGENT_EVENT;
        m->counters.pmc[0] = 0;
    }
}
HAZARD(SMM_AGENT_RECLAIMS, "smm-agent-reclaims",
       "every 40009 instructions an SMI rewrites IA32_PERFEVTSEL0 and its counter",
       "firmware agents that share the PMU",
       STANDS_IN(FOR(after_instruction, agent_reclaims), FOR(each_matters, each)));

static void found_running(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset |= FIXED_OS(1) | FIXED_USR(1);
}

static void starts_again(struct model *m, const struct retired *instruction)
{
    replaced(m, FIRMWARE_COUNTER_IMMOVABLE, after_instruction)(m, instruction);
    if (!period_ends_anyhow(memory(m, FIRMWARE_COUNTER_IMMOVABLE, struct period), SMI_PERIOD))
        return;
    model_smi(m, 0);
    if (strikes(m, FIRMWARE_COUNTER_IMMOVABLE)) {
        m->controls.stored[STORED_FIXED_CTR_CTRL] |= FIXED_OS(1) | FIXED_USR(1);
        m->controls.stored[STORED_GLOBAL_CTRL] |= GLOBAL_FIXED(1);
    }
}
HAZARD(FIRMWARE_COUNTER_IMMOVABLE, "firmware-counter-immovable",
       "fixed counter 1 is found running, and every 40009 instructions an SMI starts it again",
       "firmware that keeps its counter", DATA(found_running),
       STANDS_IN(FOR(after_instruction, starts_again), FOR(each_matters, each)));

static void foreign_nmi(struct model *m, const struct retired *instruction)
{
    replaced(m, FOREIGN_NMI, after_instruction)(m, instruction);
    if (period_ends(m, memory(m, FOREIGN_NMI, struct period), parameter(m, FOREIGN_NMI)) && strikes(m, FOREIGN_NMI))
        m->host.nmi(m->host.context);
}
VARIATION(FOREIGN_NMI, "foreign-nmi", "an NMI from elsewhere every 50021 instructions", "BMC, SERR, watchdog",
          ALSO_ON("lunar-lake"), PARAMETER("every", 50, 10000000, 50021),
          STANDS_IN(FOR(after_instruction, foreign_nmi), FOR(each_matters, each)));

#define FOREIGN_EVENT 0x1d2

/* Microcode that uses the fourth counter itself. */
static void fourth_counter_taken(struct model *m, const struct retired *instruction)
{
    replaced(m, PERFEVTSEL3_FOREIGN, after_instruction)(m, instruction);
    bool now = period_ends_anyhow(memory(m, PERFEVTSEL3_FOREIGN, struct period), parameter(m, PERFEVTSEL3_FOREIGN));
    if (!now || m->p.gp_count <= 3 || !strikes(m, PERFEVTSEL3_FOREIGN))
        return;
    m->controls.evtsel[3] = FOREIGN_EVENT | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN;
    m->counters.pmc[3] = 0;
    m->controls.stored[STORED_GLOBAL_CTRL] |= GLOBAL_GP(3);
    mark_stale(m);
}
HAZARD(PERFEVTSEL3_FOREIGN, "perfevtsel3-foreign",
       "every 50021 instructions microcode takes the fourth counter: event select, value, GLOBAL_CTRL[3]",
       "SKL179, with TSX; Skylake to Comet Lake", PARAMETER("every", 50, 10000000, 50021),
       STANDS_IN(FOR(after_instruction, fourth_counter_taken), FOR(each_matters, each)));

static uint32_t smi_while_idle(struct model *m)
{
    uint64_t *looks = memory(m, SMI_WHILE_IDLE, uint64_t);
    if (++*looks % parameter(m, SMI_WHILE_IDLE) == 0)
        model_smi_counted(m);
    return replaced(m, SMI_WHILE_IDLE, smi_count_shown)(m);
}
VARIATION(SMI_WHILE_IDLE, "smi-while-idle",
          "one of 11 reads of the SMI count finds one SMI more: they also come while nothing counts", "legacy USB",
          ALSO_ON("lunar-lake"), PARAMETER("every", 2, 10000000, 11), STANDS_IN(FOR(smi_count_shown, smi_while_idle)));

static uint32_t smi_count_falls(struct model *m)
{
    if (strikes(m, SMI_COUNT_RUNS_BACK))
        m->machine.smi_count--;
    return replaced(m, SMI_COUNT_RUNS_BACK, smi_count_shown)(m);
}
DEFECT(SMI_COUNT_RUNS_BACK, "smi-count-runs-back", "the SMI count falls by one at every read", "class",
       STANDS_IN(FOR(smi_count_shown, smi_count_falls)));

/* ---- One access hangs, on one CPU. */

static bool concerned(const struct model *m)
{
    return m->cpus <= 1 || last_cpu(m);
}

static bool last_evtsel_hangs(struct model *m, uint32_t msr, bool write)
{
    bool last = concerned(m) && write && msr == MSR_PERFEVTSEL(m->p.gp_count - 1u);
    return (last && strikes(m, MSR_WRITE_HANGS)) || replaced(m, MSR_WRITE_HANGS, never_returns)(m, msr, write);
}
HAZARD(MSR_WRITE_HANGS, "msr-write-hangs", "a WRMSR of the last event select never returns, on the last CPU",
       "HSD79 class", STANDS_IN(FOR(never_returns, last_evtsel_hangs)));

static bool last_counter_hangs(struct model *m, uint32_t msr, bool write)
{
    bool last = concerned(m) && !write && msr == MSR_PMC(m->p.gp_count - 1u);
    return (last && strikes(m, RDMSR_HANGS)) || replaced(m, RDMSR_HANGS, never_returns)(m, msr, write);
}
HAZARD(RDMSR_HANGS, "rdmsr-hangs", "an RDMSR of the last GP counter never returns, on the last CPU", "HSD79 class",
       STANDS_IN(FOR(never_returns, last_counter_hangs)));

#define PAGE 4096

static bool over_one_page(struct model *m)
{
    struct pebs_buffer buffer;
    uint64_t area = m->controls.stored[STORED_DS_AREA];
    return area && m->controls.stored[STORED_PEBS_ENABLE] && m->host.memory_read &&
           rule(m, pebs_buffer)(m, area, &buffer) && buffer.maximum - buffer.base > PAGE;
}

/* The write to GLOBAL_CTRL that would start sampling. */
static bool big_buffer_hangs(struct model *m, uint32_t msr, bool write)
{
    bool starts = concerned(m) && write && msr == MSR_PERF_GLOBAL_CTRL && over_one_page(m);
    return (starts && strikes(m, BUFFER_OVER_ONE_PAGE_HANGS)) ||
           replaced(m, BUFFER_OVER_ONE_PAGE_HANGS, never_returns)(m, msr, write);
}
HAZARD(BUFFER_OVER_ONE_PAGE_HANGS, "buffer-over-one-page-hangs",
       "on the last CPU, starting to sample into a buffer of more than a page never returns",
       "Core 2, a comment in Linux", STANDS_IN(FOR(never_returns, big_buffer_hangs)));
