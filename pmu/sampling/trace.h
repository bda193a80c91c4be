/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processor trace of the calling CPU into its own pages (trace_area.h): two regions of 4 KiB, or one on CPUs whose
 * table may have only one. The last region always has STOP, so that the trace ends there in any case. SDM 3C, "Intel
 * Processor Trace".
 */
#pragma once

#include "kernel/register/msr.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/caps.h"

/* The usual control of this image's traces: all branches at CPL 0. */
#define TRACE_CONTROL (RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN)

/*
 * Fills the pages with their pattern, builds the table of regions with these TOPA_INT flags, and points the registers
 * to its start. Returns the outcome of the WRMSRs: a fault means that the registers cannot be used after all. *memory
 * false: there is no memory for it.
 */
fault_t trace_prepare(const struct pmu_caps *caps, u64 first, u64 last, struct trace_area *area, bool *memory);
/* Makes entry `n` of the table a region, or the end of the table, with these further bits. Takes effect when the trace
 * is turned on. */
void trace_put_region(const struct trace_area *area, unsigned n, u64 bits);
void trace_put_end(const struct trace_area *area, unsigned n, u64 bits);
/* Turns the trace on with this control; turns it off and waits until all packets are in memory. */
void trace_on(u64 control);
void trace_off(void);
/* Turns the trace off and clears its registers, also after a test that ended early. Nothing if no trace was set up. */
void trace_release(void);

/* The position of the next byte; while the trace is on, the value read may be old. */
struct trace_position {
    u64 index, offset;
};
struct trace_position trace_position(void);

/* Runs at least so many turns of a loop with an indirect branch, whose target only the trace shows. */
void trace_branches(unsigned turns);
