/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what firmware leaves behind. All of them change data only. */
#include "reference/deviations/stand_in.h"

static void global_ctrl_zero(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].reset = 0;
}
VARIATION(HANDOFF_ZERO, "handoff-zero", "GLOBAL_CTRL is 0", "the 2016 manual's reset value", DATA(global_ctrl_zero));

static void fixed_enabled(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].reset |= (uint64_t)m->p.fixed_bitmap << 32;
}
VARIATION(HANDOFF_FIXED_ON, "handoff-fixed-on", "GLOBAL_CTRL enables the fixed counters too", "AAJ83; seen under Linux",
          DATA(fixed_enabled));

static void status_0(struct model *m)
{
    m->p.status = STATUS_GP(0);
}
VARIATION(HANDOFF_STATUS_0, "handoff-status-0", "STATUS[0] is set", "seen on an i7-6700K", DATA(status_0));

static void cond_chgd(struct model *m)
{
    m->p.status = STATUS_COND_CHGD;
}
VARIATION(HANDOFF_CONDCHGD, "handoff-condchgd", "STATUS[63] is set", "seen on an i7-3820QM", DATA(cond_chgd));

/* Only on some CPUs: a CPU on which they are off proves nothing for the next. */
static void fixed_run(struct model *m)
{
    if (m->cpu % 2 == 0 && m->cpus > 1)
        return;
    m->p.stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1) | GLOBAL_FIXED(2);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset = 0x330;
}
VARIATION(FIRMWARE_COUNTERS_RUN, "firmware-counters-run",
          "on every other CPU FIXED_CTR_CTRL is 330H: fixed counters 1 and 2 run", "HP firmware", ALSO_ON("lunar-lake"),
          DATA(fixed_run));

static void lbrs_on(struct model *m)
{
    m->p.stored[STORED_DEBUGCTL].reset |= DEBUGCTL_LBR;
}
VARIATION(LBR_ENABLED_AT_POWER_UP, "lbr-enabled-at-power-up", "DEBUGCTL[0] is set", "AAJ120 and its class",
          DATA(lbrs_on));

/* Sets bits that this CPU's profile may lack: a bit that is found set does exist. */
static void debugctl_found(struct model *m, uint64_t bits)
{
    struct write_rule *debugctl = &m->p.stored[STORED_DEBUGCTL];
    debugctl->faults &= ~bits;
    debugctl->dropped &= ~bits;
    debugctl->reset |= bits;
}

static void bus_locks_trap(struct model *m)
{
    debugctl_found(m, DEBUGCTL_BUS_LOCK);
}
VARIATION(HANDOFF_BUS_LOCK, "handoff-bus-lock", "DEBUGCTL[2], bus-lock detection, is set",
          "Linux with split_lock_detect=ratelimit, which has started this image by kexec", ALSO_ON("tiger-lake"),
          DATA(bus_locks_trap));

static void uncore_asks(struct model *m)
{
    debugctl_found(m, DEBUGCTL_UNCORE_PMI);
}
VARIATION(HANDOFF_UNCORE_PMI, "handoff-uncore-pmi", "DEBUGCTL[13] is set: the uncore's PMIs come to this CPU",
          "profilers of the uncore", ALSO_ON("nehalem"), DATA(uncore_asks));

static void stepping_by_branches(struct model *m)
{
    debugctl_found(m, DEBUGCTL_BTF);
}
VARIATION(HANDOFF_BTF, "handoff-btf", "DEBUGCTL[1] is set: single steps are of branches", "a debugger before",
          DATA(stepping_by_branches));

static void branches_traced(struct model *m)
{
    debugctl_found(m, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT);
    m->p.stored[STORED_DS_AREA].reset = 0x7a5c1000;
}
VARIATION(HANDOFF_BRANCH_TRACE, "handoff-branch-trace",
          "DEBUGCTL[8:6] are set: branches are stored to the area that IA32_DS_AREA names, with an interrupt",
          "a tracer before, found by a kernel started by kexec", ALSO_ON("nehalem"), DATA(branches_traced));

static void branch_trace_filtered(struct model *m)
{
    debugctl_found(m, DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR);
}
VARIATION(HANDOFF_BRANCH_TRACE_OFF, "handoff-branch-trace-off", "DEBUGCTL[10:9] are set: no branch is stored",
          "a tracer before", DATA(branch_trace_filtered));

static void freezing_found(struct model *m)
{
    debugctl_found(m, DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM);
}
VARIATION(HANDOFF_FREEZING, "handoff-freezing", "DEBUGCTL[11], [12] and [14] are set: a PMI and SMM freeze",
          "Linux, which sets them while it counts, has started this image by kexec",
          ALSO_ON("nehalem", "haswell", "goldmont-plus"), DATA(freezing_found));

static void transactions_debugged(struct model *m)
{
    debugctl_found(m, DEBUGCTL_RTM);
}
VARIATION(HANDOFF_RTM_DEBUG, "handoff-rtm-debug", "DEBUGCTL[15], debugging of transactions, is set",
          "a debugger before", ALSO_ON("haswell"), DATA(transactions_debugged));

static void trace_found(struct model *m)
{
    m->trace.value[TRACE_CTL] = RTIT_CTL_TRACE_EN | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN | RTIT_CTL_OS | RTIT_CTL_USER;
}
VARIATION(HANDOFF_TRACE_ON, "handoff-trace-on", "IA32_RTIT_CTL[0] is set: another program traces",
          "firmware that traces; a kernel started by kexec while a trace went on",
          ALSO_ON("broadwell", "ice-lake", "alder-lake", "lunar-lake"), DATA(trace_found));

static void watchdog_left(struct model *m)
{
    fixed_enabled(m);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset = FIXED_OS(1) | FIXED_USR(1) | FIXED_PMI(1);
    m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_NMI);
}
VARIATION(HANDOFF_WATCHDOG, "handoff-watchdog",
          "FIXED_CTR_CTRL is 0B0H, fixed counter 1 runs, LVTPC is in NMI mode, masked",
          "Linux' NMI watchdog, found by a kernel started by kexec after a crash", ALSO_ON("lunar-lake"),
          DATA(watchdog_left));

static void last_gp_programmed(struct model *m)
{
    m->p.last_evtsel = ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR;
    m->p.last_pmc = 0x1234567;
}
VARIATION(FIRMWARE_PROGRAMMED, "firmware-programmed", "EVTSEL3 and PMC3 hold firmware's values, stopped",
          "firmware agents", DATA(last_gp_programmed));

static void perfmon_off(struct model *m)
{
    m->p.stored[STORED_MISC_ENABLE].reset &= ~MISC_ENABLE_PERFMON;
}
VARIATION(PERFMON_OFF, "perfmon-off", "IA32_MISC_ENABLE[7] is 0 although leaf 0AH tells of a PMU",
          "SDM 4, IA32_MISC_ENABLE: firmware or a fuse has switched it off", DATA(perfmon_off));

static void lvtpc_nmi(struct model *m)
{
    m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_NMI);
}
VARIATION(LVTPC_FOUND_NMI, "lvtpc-found-nmi", "LVTPC is found in NMI mode, masked",
          "a profiling boot loader or firmware", DATA(lvtpc_nmi));

static void lvtpc_smi(struct model *m)
{
    m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_SMI);
}
VARIATION(LVTPC_FOUND_SMI, "lvtpc-found-smi", "LVTPC is found in SMI mode, masked", "firmware that samples",
          DATA(lvtpc_smi));

static void x2apic_available(struct model *m)
{
    m->p.apic_x2_available = true;
}
VARIATION(APIC_X2_AVAILABLE, "apic-x2-available", "x2APIC mode exists and is not used", "older firmware",
          DATA(x2apic_available));

static void x2apic_mode(struct model *m)
{
    m->p.apic_x2 = m->p.apic_x2_available = true;
}
VARIATION(APIC_X2, "apic-x2", "the local APIC is in x2APIC mode", "firmware of servers and newer clients",
          DATA(x2apic_mode));

static void high_ids(struct model *m)
{
    if (!m->tsc_khz)
        return;
    x2apic_mode(m);
    m->p.apic_ids_above = 256;
}
VARIATION(APIC_IDS_HIGH, "apic-ids-high",
          "in x2APIC mode; except its boot CPU, a hosted kernel's CPUs have APIC ids above 256",
          "servers with many CPUs, or ids with gaps", DATA(high_ids));

#define TSC_SECONDS PARAMETER("seconds", 1, 100000, 30)
#define WRITES_TSC "firmware that writes a TSC; the reason for Linux's check of IA32_TSC_ADJUST"

static void tsc_ahead(struct model *m)
{
    m->p.tsc_ahead_s = (int32_t)parameter(m, TSC_AHEAD);
}
VARIATION(TSC_AHEAD, "tsc-ahead", "the TSC of a hosted kernel's CPU, which has its own, was set ahead by 30 seconds",
          WRITES_TSC, TSC_SECONDS, DATA(tsc_ahead));

static void tsc_behind(struct model *m)
{
    m->p.tsc_ahead_s = -(int32_t)parameter(m, TSC_BEHIND);
}
VARIATION(TSC_BEHIND, "tsc-behind", "likewise back by 30 seconds, so that it passes its highest value", WRITES_TSC,
          TSC_SECONDS, DATA(tsc_behind));

static void tsc_of_second_half(struct model *m)
{
    if (2 * m->cpu >= m->cpus)
        m->p.tsc_ahead_s = (int32_t)parameter(m, TSC_OF_SOCKET_AHEAD);
}
VARIATION(TSC_OF_SOCKET_AHEAD, "tsc-of-socket-ahead",
          "the TSCs of the second half of a hosted kernel's CPUs were set ahead by 30 seconds",
          "sockets that leave reset one after another", TSC_SECONDS, DATA(tsc_of_second_half));

static void debug_store_left(struct model *m)
{
    m->p.stored[STORED_DS_AREA].reset = 0x7a5c1000;
    m->p.stored[STORED_PEBS_DATA_CFG].reset = BIT(1);
}
VARIATION(HANDOFF_DEBUG_STORE, "handoff-debug-store",
          "IA32_DS_AREA and MSR_PEBS_DATA_CFG hold values of earlier sampling, but nothing samples",
          "Linux keeps both while its PMU is up, and a kernel started from it finds them", ALSO_ON("ice-lake"),
          DATA(debug_store_left));
