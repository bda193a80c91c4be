/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what firmware leaves behind. All of them change data only. */
#include "reference/deviations/stand_in.h"

VARIATION(handoff_zero, DATA(m->p.stored[STORED_GLOBAL_CTRL].reset = 0), "GLOBAL_CTRL is 0",
          "the 2016 manual's reset value");

static void fixed_enabled(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].reset |= (uint64_t)m->p.fixed_bitmap << 32;
}
VARIATION(handoff_fixed_on, NO_RULE, "GLOBAL_CTRL enables the fixed counters too", "AAJ83; seen under Linux",
          PREPARED(fixed_enabled));
VARIATION(handoff_status_0, DATA(m->p.status = STATUS_GP(0)), "STATUS[0] is set", "seen on an i7-6700K");
VARIATION(handoff_condchgd, DATA(m->p.status = STATUS_COND_CHGD), "STATUS[63] is set", "seen on an i7-3820QM");

/* Only on some CPUs: a CPU on which they are off proves nothing for the next. */
static void fixed_run(struct model *m)
{
    if (m->cpu % 2 == 0 && m->cpus > 1)
        return;
    m->p.stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1) | GLOBAL_FIXED(2);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset = 0x330;
}
VARIATION(firmware_counters_run, NO_RULE, "on every other CPU FIXED_CTR_CTRL is 330H: fixed counters 1 and 2 run",
          "HP firmware", ALSO_ON("lunar-lake"), PREPARED(fixed_run));
VARIATION(lbr_enabled_at_power_up, DATA(m->p.stored[STORED_DEBUGCTL].reset |= DEBUGCTL_LBR), "DEBUGCTL[0] is set",
          "AAJ120 and its class");

/* Sets bits that this CPU's profile may lack: a bit that is found set does exist. */
static void debugctl_found(struct model *m, uint64_t bits)
{
    struct write_rule *debugctl = &m->p.stored[STORED_DEBUGCTL];
    debugctl->faults &= ~bits;
    debugctl->dropped &= ~bits;
    debugctl->reset |= bits;
}

VARIATION(handoff_bus_lock, DATA(debugctl_found(m, DEBUGCTL_BUS_LOCK)), "DEBUGCTL[2], bus-lock detection, is set",
          "Linux with split_lock_detect=ratelimit, which has started this image by kexec", ALSO_ON("tiger-lake"));
VARIATION(handoff_uncore_pmi, DATA(debugctl_found(m, DEBUGCTL_UNCORE_PMI)),
          "DEBUGCTL[13] is set: the uncore's PMIs come to this CPU", "profilers of the uncore", ALSO_ON("nehalem"));
VARIATION(handoff_btf, DATA(debugctl_found(m, DEBUGCTL_BTF)), "DEBUGCTL[1] is set: single steps are of branches",
          "a debugger before");

static void branches_traced(struct model *m)
{
    debugctl_found(m, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT);
    m->p.stored[STORED_DS_AREA].reset = 0x7a5c1000;
}
VARIATION(handoff_branch_trace, NO_RULE,
          "DEBUGCTL[8:6] are set: branches are stored to the area that IA32_DS_AREA names, with an interrupt",
          "a tracer before, found by a kernel started by kexec", ALSO_ON("nehalem"), PREPARED(branches_traced));
VARIATION(handoff_branch_trace_off, DATA(debugctl_found(m, DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)),
          "DEBUGCTL[10:9] are set: no branch is stored", "a tracer before");
VARIATION(handoff_freezing,
          DATA(debugctl_found(m, DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI |
                                     DEBUGCTL_FREEZE_WHILE_SMM)),
          "DEBUGCTL[11], [12] and [14] are set: a PMI and SMM freeze",
          "Linux, which sets them while it counts, has started this image by kexec",
          ALSO_ON("nehalem", "haswell", "goldmont-plus"));
VARIATION(handoff_rtm_debug, DATA(debugctl_found(m, DEBUGCTL_RTM)), "DEBUGCTL[15], debugging of transactions, is set",
          "a debugger before", ALSO_ON("haswell"));
VARIATION(handoff_trace_on,
          DATA(m->trace.value[TRACE_CTL] = RTIT_CTL_TRACE_EN | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN | RTIT_CTL_OS |
                                           RTIT_CTL_USER),
          "IA32_RTIT_CTL[0] is set: another program traces",
          "firmware that traces; a kernel started by kexec while a trace went on",
          ALSO_ON("broadwell", "ice-lake", "alder-lake", "lunar-lake"));

static void watchdog_left(struct model *m)
{
    fixed_enabled(m);
    m->p.stored[STORED_FIXED_CTR_CTRL].reset = FIXED_OS(1) | FIXED_USR(1) | FIXED_PMI(1);
    m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_NMI);
}
VARIATION(handoff_watchdog, NO_RULE, "FIXED_CTR_CTRL is 0B0H, fixed counter 1 runs, LVTPC is in NMI mode, masked",
          "Linux' NMI watchdog, found by a kernel started by kexec after a crash", ALSO_ON("lunar-lake"),
          PREPARED(watchdog_left));

static void last_gp_programmed(struct model *m)
{
    m->p.last_evtsel = ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR;
    m->p.last_pmc = 0x1234567;
}
VARIATION(firmware_programmed, NO_RULE, "EVTSEL3 and PMC3 hold firmware's values, stopped", "firmware agents",
          PREPARED(last_gp_programmed));
VARIATION(perfmon_off, DATA(m->p.stored[STORED_MISC_ENABLE].reset &= ~MISC_ENABLE_PERFMON),
          "IA32_MISC_ENABLE[7] is 0 although leaf 0AH tells of a PMU",
          "SDM 4, IA32_MISC_ENABLE: firmware or a fuse has switched it off");
VARIATION(lvtpc_found_nmi, DATA(m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_NMI)),
          "LVTPC is found in NMI mode, masked", "a profiling boot loader or firmware");
VARIATION(lvtpc_found_smi, DATA(m->p.lvtpc = (uint32_t)(LVT_MASKED | LVT_DELIVERY_SMI)),
          "LVTPC is found in SMI mode, masked", "firmware that samples");
VARIATION(apic_x2_available, DATA(m->p.apic_x2_available = true), "x2APIC mode exists and is not used",
          "older firmware");

static void x2apic_mode(struct model *m)
{
    m->p.apic_x2 = m->p.apic_x2_available = true;
}
VARIATION(apic_x2, NO_RULE, "the local APIC is in x2APIC mode", "firmware of servers and newer clients",
          PREPARED(x2apic_mode));

static void high_ids(struct model *m)
{
    if (!m->tsc_khz)
        return;
    x2apic_mode(m);
    m->p.apic_ids_above = 256;
}
VARIATION(apic_ids_high, NO_RULE, "in x2APIC mode; except its boot CPU, a hosted kernel's CPUs have APIC ids above 256",
          "servers with many CPUs, or ids with gaps", PREPARED(high_ids));

#define TSC_SECONDS PARAMETER("seconds", 1, 100000, 30)
#define WRITES_TSC "firmware that writes a TSC; the reason for Linux's check of IA32_TSC_ADJUST"

static void tsc_ahead(struct model *m)
{
    m->p.tsc_ahead_s = (int32_t)at_work(m, &deviation_tsc_ahead)->parameter;
}
VARIATION(tsc_ahead, NO_RULE, "the TSC of a hosted kernel's CPU, which has its own, was set ahead by 30 seconds",
          WRITES_TSC, TSC_SECONDS, PREPARED(tsc_ahead));

static void tsc_behind(struct model *m)
{
    m->p.tsc_ahead_s = -(int32_t)at_work(m, &deviation_tsc_behind)->parameter;
}
VARIATION(tsc_behind, NO_RULE, "likewise back by 30 seconds, so that it passes its highest value", WRITES_TSC,
          TSC_SECONDS, PREPARED(tsc_behind));

static void tsc_of_second_half(struct model *m)
{
    if (2 * m->cpu >= m->cpus)
        m->p.tsc_ahead_s = (int32_t)at_work(m, &deviation_tsc_of_socket_ahead)->parameter;
}
VARIATION(tsc_of_socket_ahead, NO_RULE,
          "the TSCs of the second half of a hosted kernel's CPUs were set ahead by 30 seconds",
          "sockets that leave reset one after another", TSC_SECONDS, PREPARED(tsc_of_second_half));

static void debug_store_left(struct model *m)
{
    m->p.stored[STORED_DS_AREA].reset = 0x7a5c1000;
    m->p.stored[STORED_PEBS_DATA_CFG].reset = BIT(1);
}
VARIATION(handoff_debug_store, NO_RULE,
          "IA32_DS_AREA and MSR_PEBS_DATA_CFG hold values of earlier sampling, but nothing samples",
          "Linux keeps both while its PMU is up, and a kernel started from it finds them", ALSO_ON("ice-lake"),
          PREPARED(debug_store_left));
