/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processor trace for tests. All act on the calling CPU; tracing_end() leaves the trace off, IA32_RTIT_STATUS clear and
 * bit 55 of IA32_PERF_GLOBAL_STATUS clear.
 */
#pragma once

#include "harness/test.h"
#include "pmu/area/trace_area.h"
#include "pmu/sampling/trace.h"

/* Skips the test unless this CPU can trace into a table and no other software traces. */
void need_trace(struct test *t);

struct tracing {
    struct trace_area area;
    unsigned regions; /* number of regions in the table */
    u64 untold;       /* bytes that a position may lag behind, 0 to 15: some CPUs keep no lower bits */
};
/* Sets up pages and table, with these entry bits for the first and the last region; the last one also has TOPA_STOP. */
struct tracing tracing_begin(struct test *t, u64 first, u64 last);
void tracing_end(struct test *t);

/* Fills the regions with zeros instead of the pattern: bytes that are not written then read as padding packets. */
void tracing_blank(const struct tracing *tracing);
/* Leaves few bytes of the first region, which a short trace fills; its PMI comes meanwhile. */
void tracing_leave_little(struct test *t);
/* Bytes of all regions before the position; bytes of a whole trace. */
u64 tracing_bytes(void);
u64 tracing_room(const struct tracing *tracing);
/*
 * Traces branches, with pauses, until so many bytes are written, the trace ends or is stuck, or many attempts were
 * made: bounded by branches, not by time. In a pause the trace is off: all of it gets to memory, and a trace that an
 * erratum has stopped resumes (SKL171). There are no pauses near the end of these bytes: a PMI that is pending while
 * the trace is being turned off may be lost, and CPUID.14H:EBX[6] would have nothing to preserve. Returns
 * tracing_bytes(). SDM 3C, "Detection of Intel Processor Trace and Capability Enumeration".
 */
u64 trace_until(u64 bytes);
/* Traces once, with this control. */
void trace_once(u64 control);
bool trace_stopped(struct test *t);
