/*
 * Which bits the write gate lets be set in each register of the PMU: the manual's defined bits of enumerated counters.
 * Each answers for register n of its family: false if this CPU has no such register, else *bits. Pure.
 */
#pragma once

#include "pmu/caps.h"

bool evtsel_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool a_pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool fixed_ctr_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool fixed_control_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool global_ctrl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool status_reset_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool status_set_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool debugctl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool pebs_data_cfg_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool pebs_latency_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);

/* ---- NetBurst. */
bool netburst_counter_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool cccr_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool escr_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool netburst_pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool matrix_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
bool netburst_ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits);
