/* SPDX-License-Identifier: BSD-2-Clause */
/* What a CPU's PMU is used for, from its registers. */
#pragma once

#include "pmu/cpu/caps.h"

struct pmu_state {
    u64 in_use;   /* IA32_PERF_GLOBAL_INUSE, or computed if it does not exist: GLOBAL_CTRL bits, and INUSE_PMI */
    u64 computed; /* what INUSE should say by the registers that it summarises: both must agree */
    u64 left;     /* counters whose control is 0 and whose value is not */
    u64 evtsel[GP_COUNTERS_MAX];
    u64 fixed_control, global_ctrl, debugctl;
    u64 pebs_enable; /* only the bits that let a counter sample */
    u64 latency;     /* IA32_PEBS_ENABLE[35:32], if these are the bits of load latency */
    u64 offcore[2];  /* MSR_OFFCORE_RSP_0 and 1; 0 if not known to exist */
    u64 lbr_filter;  /* IA32_LBR_CTL with architectural records, else MSR_LBR_SELECT; 0 if not known to exist */
    bool frozen;     /* version 4: nothing counts until IA32_PERF_GLOBAL_STATUS[59] is cleared */
};

/* What IA32_PERF_GLOBAL_INUSE must read for these registers. Pure. */
u64 in_use_computed(const struct pmu_caps *caps, const struct pmu_state *state);
