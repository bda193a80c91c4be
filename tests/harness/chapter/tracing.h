/*
 * Processor trace in tests. All act on the calling CPU; what a test does between tracing_begin() and tracing_end()
 * leaves the trace off, IA32_RTIT_STATUS empty and bit 55 of IA32_PERF_GLOBAL_STATUS clear.
 */
#pragma once

#include "harness/test.h"
#include "pmu/area/topa.h"
#include "pmu/sampling/trace.h"

/* Skips the test unless this CPU can trace into a table, and nobody else does. */
void need_trace(struct test *t);

struct tracing {
    struct trace_area area;
    unsigned regions; /* of the table */
    u64 untold;       /* bytes behind it that a position cannot tell of, 0 to 15: some CPUs keep no lower bits */
};
/* The pages and the table, whose first and last region have these bits of an entry; the last one has TOPA_STOP, too. */
struct tracing tracing_begin(struct test *t, u64 first, u64 last);
void tracing_end(struct test *t);

/* Fills the regions with zeros instead of the pattern: what is not written then reads as packets of padding. */
void tracing_blank(const struct tracing *tracing);
/* Leaves few bytes of the first region to be written, which a short trace fills; its PMI comes while it does. */
void tracing_leave_little(struct test *t);
/* Bytes of all regions in front of the position, and of a whole trace. */
u64 tracing_bytes(void);
u64 tracing_room(const struct tracing *tracing);
/*
 * Traces branches, with pauses, until so many bytes have been written, the trace has ended or got stuck, or it has been
 * tried often enough: bounded by branches, not by time. A pause, in which the trace is off, has everything in memory,
 * and ends what errata may have stopped (SKL171). There is none near the end of these bytes: a PMI that is asked for
 * while the trace is being turned off may be lost, or CPUID.14H:EBX[6] had nothing to preserve. Returns
 * tracing_bytes(). SDM 3C, "Detection of Intel Processor Trace and Capability Enumeration".
 */
u64 trace_until(u64 bytes);
/* Traces once, with this control. */
void trace_once(u64 control);
bool trace_stopped(struct test *t);
