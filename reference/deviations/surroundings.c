/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what surrounds the PMU: SMIs and their firmware, foreign agents, accesses that never come back. */
#define CHAPTERS "handoff.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Events at regular numbers of instructions */

static bool period_ends_anyhow(uint64_t *seen, uint64_t instructions)
{
    return ++*seen % instructions == 0;
}

/* Counts only while a counter counts: while branches are recorded, instructions are seen in long waits, too. */
static bool period_ends(const struct model *m, uint64_t *seen, uint64_t instructions)
{
    return m->active.count && period_ends_anyhow(seen, instructions);
}

#define SMI_PERIOD 40009

/* True at the end of each period, and makes an SMI then. */
static bool smi_comes(uint64_t *seen, struct model *m)
{
    bool ends = period_ends_anyhow(seen, SMI_PERIOD);
    if (ends)
        model_smi(m, 0);
    return ends;
}

VARIATION(smi_during_blocks,
          ALL(NOTED(after_instruction, period_ends(m, memory(uint64_t), parameter()), model_smi(m, 0)),
              IS(each_matters, true)),
          "an SMI every 40009 instructions, its own are not counted", "legacy USB; SMI count moves", ALSO_ON("conroe"),
          PARAMETER("every", 50, 10000000, SMI_PERIOD));
HAZARD(smi_during_every_block,
       ALL(NOTED(after_instruction, period_ends_anyhow(memory(uint64_t), parameter()), model_smi(m, 0)),
           IS(each_matters, true)),
       "an SMI every 97 instructions", "a stuck SMI source", PARAMETER("every", 50, 10000000, 97));
VARIATION(smi_counted,
          ALL(NOTED(after_instruction, period_ends(m, memory(uint64_t), SMI_PERIOD),
                    model_smi(m, (uint32_t)parameter())),
              IS(each_matters, true)),
          "an SMI every 40009 instructions, its own 500 are counted", "rr #3045 on client firmware",
          PARAMETER("instructions", 1, 100000, 500));

VARIATION(freeze_bit_cleared_by_smi,
          ALL(IS(each_matters, true), AFTER(after_instruction, m->active.count && (smi_comes(memory(uint64_t), m)),
                                            m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI)),
          "while a counter counts, an SMI every 40009 instructions clears DEBUGCTL[12]", "HSD52; Haswell",
          ON("haswell"));
DEFECT(asked_smi_clears_freeze_bit,
       AFTER(smi_asked, true, m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI),
       "an SMI that software asked for clears IA32_DEBUGCTL[12]", "HSD52; Haswell",
       MIMICS(ERRATUM_ON("haswell", "HSD52", 0x306c3, 0x28, 0, 0), ERRATUM_ON("haswell", "HSM53", 0x40651, 0x26, 0, 0)),
       MEANT_FOR("freeze.*"));
DEFECT(asked_smi_sets_status, AFTER(smi_asked, m->p.gp_count, m->status.bits |= BIT(0)),
       "an SMI that software asked for sets the overflow bit of counter 0", "class: state over RSM",
       MEANT_FOR("freeze.*"));

static void found_changed(struct model *m)
{
    m->p.status |= STATUS_COND_CHGD;
}

VARIATION(condchgd_sticky,
          ALL(IS(each_matters, true), AFTER(after_instruction, m->active.count && (smi_comes(memory(uint64_t), m)),
                                            m->status.bits |= STATUS_COND_CHGD)),
          "STATUS[63] is set, can be cleared, and is set again by an SMI every 40009 instructions", "i7-3820QM; class",
          PREPARED(found_changed));

/* Counters are enabled, and DEBUGCTL[14] was set to stop them in SMM: an SMI comes now. */
static bool armed_for_smm(const struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    return which == STORED_DEBUGCTL && (value & ~was & DEBUGCTL_FREEZE_WHILE_SMM) &&
           m->controls.stored[STORED_GLOBAL_CTRL];
}

VARIATION(smi_sets_enables,
          AFTER(stored_kept, armed_for_smm(m, which, was, good), model_smi(m, 0);
                m->controls.stored[STORED_GLOBAL_CTRL] |= width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap
                                                                                          << 32),
          "an SMI comes once DEBUGCTL[14] is set together with an enable of GLOBAL_CTRL, and RSM sets all enables",
          "SDM 3B, FREEZE_WHILE_SMM", ALSO_ON("haswell", "lunar-lake"));

STAND_IN(smi_drops_smm_freeze, stored_kept)
{
    value = below(stored_kept);
    if (!armed_for_smm(m, which, was, value) || !strikes())
        return value;
    model_smi(m, 0);
    return value & ~DEBUGCTL_FREEZE_WHILE_SMM;
}
VARIATION(smi_drops_smm_freeze, FUNCTIONS,
          "an SMI comes once DEBUGCTL[14] is set together with an enable of GLOBAL_CTRL, and firmware clears the bit",
          "the PMU Sharing Guide forbids it to firmware");

#define AGENT_EVENT (ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR)

HAZARD(smm_agent_reclaims,
       ALL(IS(each_matters, true), AFTER(after_instruction, smi_comes(memory(uint64_t), m) && m->p.gp_count,
                                         m->controls.evtsel[0] = AGENT_EVENT;
                                         m->counters.pmc[0] = 0)),
       "every 40009 instructions an SMI rewrites IA32_PERFEVTSEL0 and its counter",
       "firmware agents that share the PMU");

static void found_running(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset |= FIXED_OS(1) | FIXED_USR(1);
}

HAZARD(firmware_counter_immovable,
       ALL(IS(each_matters, true), AFTER(after_instruction, smi_comes(memory(uint64_t), m),
                                         m->controls.stored[STORED_FIXED_CTR_CTRL] |= FIXED_OS(1) | FIXED_USR(1);
                                         m->controls.stored[STORED_GLOBAL_CTRL] |= GLOBAL_FIXED(1))),
       "fixed counter 1 is found running, and every 40009 instructions an SMI starts it again",
       "firmware that keeps its counter", PREPARED(found_running));
VARIATION(foreign_nmi,
          ALL(AFTER(after_instruction, period_ends(m, memory(uint64_t), parameter()), m->host.nmi(m->host.context)),
              IS(each_matters, true)),
          "an NMI from elsewhere every 50021 instructions", "BMC, SERR, watchdog", ALSO_ON("lunar-lake"),
          PARAMETER("every", 50, 10000000, 50021));

#define FOREIGN_EVENT 0x1d2

/* Microcode that uses the fourth counter itself. */
STAND_IN(perfevtsel3_foreign, after_instruction)
{
    below(after_instruction);
    bool now = period_ends_anyhow(memory(uint64_t), parameter());
    if (!now || m->p.gp_count <= 3 || !strikes())
        return;
    m->controls.evtsel[3] = FOREIGN_EVENT | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN;
    m->counters.pmc[3] = 0;
    m->controls.stored[STORED_GLOBAL_CTRL] |= GLOBAL_GP(3);
    mark_stale(m);
}
HAZARD(perfevtsel3_foreign, ALL(IS(each_matters, true), FUNCTIONS),
       "every 50021 instructions microcode takes the fourth counter: event select, value, GLOBAL_CTRL[3]",
       "SKL179, with TSX; Skylake to Comet Lake", PARAMETER("every", 50, 10000000, 50021));
VARIATION(smi_while_idle, NOTES(smi_count_shown, ++noted % parameter() == 0, model_smi_counted(m)),
          "one of 11 reads of the SMI count finds one SMI more: they also come while nothing counts", "legacy USB",
          ALSO_ON("lunar-lake"), PARAMETER("every", 2, 10000000, 11));
DEFECT(smi_count_runs_back, BEFORE(smi_count_shown, true, m->machine.smi_count--),
       "the SMI count falls by one at every read", "class");

/* ---- One access hangs, on one CPU. */

static bool concerned(const struct model *m)
{
    return m->cpus <= 1 || last_cpu(m);
}

HAZARD(msr_write_hangs,
       INSTEAD(never_returns, (concerned(m) && write && msr == MSR_PERFEVTSEL(m->p.gp_count - 1u)), true),
       "a WRMSR of the last event select never returns, on the last CPU", "HSD79 class");
HAZARD(rdmsr_hangs, INSTEAD(never_returns, (concerned(m) && !write && msr == MSR_PMC(m->p.gp_count - 1u)), true),
       "an RDMSR of the last GP counter never returns, on the last CPU", "HSD79 class");

#define PAGE 4096

static bool over_one_page(struct model *m)
{
    struct pebs_buffer buffer;
    uint64_t area = m->controls.stored[STORED_DS_AREA];
    return area && m->controls.stored[STORED_PEBS_ENABLE] && m->host.memory_read &&
           rule(m, pebs_buffer)(m, area, &buffer) && buffer.maximum - buffer.base > PAGE;
}

/* The write to GLOBAL_CTRL that would start sampling. */
HAZARD(buffer_over_one_page_hangs,
       INSTEAD(never_returns, (concerned(m) && write && msr == MSR_PERF_GLOBAL_CTRL && over_one_page(m)), true),
       "on the last CPU, starting to sample into a buffer of more than a page never returns",
       "Core 2, a comment in Linux");
