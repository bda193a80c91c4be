/*
 * Processor trace of the calling CPU into its own pages (trace_area.h): two regions of 4 KiB or, on CPUs whose table
 * has room for one alone, one. The last one always has STOP, so that the trace ends there whatever happens. SDM 3C,
 * "Intel Processor Trace".
 */
#pragma once

#include "kernel/register/msr.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/caps.h"

/* What the image traces with: all branches at CPL 0. */
#define TRACE_CONTROL (RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN)

/*
 * Fills the pages with their pattern, makes the table of regions with these TOPA_INT flags, and points the registers at
 * its start. What a WRMSR answers: a fault says that the registers cannot be used after all. False in *memory: there is
 * no memory for it.
 */
fault_t trace_prepare(const struct pmu_caps *caps, u64 first, u64 last, struct trace_area *area, bool *memory);
/* Entry `n` of the table as a region, or as its end, with these further bits; what is written has effect once the trace
 * is turned on. */
void trace_put_region(const struct trace_area *area, unsigned n, u64 bits);
void trace_put_end(const struct trace_area *area, unsigned n, u64 bits);
/* On, with this control; off, and whatever has been on its way is in memory. */
void trace_on(u64 control);
void trace_off(void);
/* Off, and the registers at rest: what a test that ended early left on goes, too. Nothing where none was set. */
void trace_release(void);

/* Where the next byte goes; while the trace is on what is read may be old. */
struct trace_position {
    u64 index, offset;
};
struct trace_position trace_position(void);

/* Takes so many turns of a loop with a branch that is told by its target, at least. */
void trace_branches(unsigned turns);
