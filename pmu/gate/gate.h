/*
 * The write gate: which WRMSRs this image may make at all. An allow-list by register, bits and CPU, as data; what no
 * row allows is refused, because writing reserved bits or registers that a CPU does not define has hung real machines.
 * The decision is pure; the rows are those of pmu/registers.def. Every write (kernel/register/msr.c) asks it first,
 * with the calling CPU's capabilities. SDM 2B, "WRMSR-Write to Model Specific Register": reserved bits must be written
 * as they were read.
 */
#pragma once

#include "pmu/gate/own.h"
#include "pmu/state/register.h"

/* What a decision may need besides the capabilities. gate_wants() says which of it a row needs; the rest may stay 0. */
struct gate_context {
    bool intel; /* vendor and family of the calling CPU, before its capabilities are known */
    u32 family;
    bool svm; /* SVM under a hypervisor: where the reference PMU can run */
    bool x2apic;
    bool starting;         /* the calling CPU has no number yet */
    bool counters_stopped; /* IA32_PERF_GLOBAL_CTRL reads 0; NetBurst: no CCCR is enabled */
    bool sampling;         /* a counter was last made to sample: IA32_PEBS_ENABLE, or the counter's CFG_C */
    bool own_area;         /* where its records go, as the registers read, is one of this CPU's own areas */
    bool area_offered;     /* the value to be written is one of this CPU's own areas */
    bool trace_kept_in;    /* whatever is written, a trace stays within this CPU's own pages, and it is nobody else's */
    bool records_kept_in;  /* whatever is written, records of architectural PEBS stay within this CPU's own pages */
    bool update_offered;   /* the value is the update of microcode that this CPU is being given */
    bool current_known;
    u64 current;   /* what the register reads now */
    bool walking;  /* gate_walk() is open on the calling CPU */
    bool unlocked; /* dangerous=matrix */
    bool handoff_known;
    u64 handoff; /* what it read when the image was started, before anything was written */
};

enum gate_want {
    GATE_CAPS = 1,      /* the capabilities: without them (NULL) the write is refused */
    GATE_IDENTITY = 2,  /* intel, family, svm */
    GATE_CURRENT = 4,   /* current */
    GATE_STOPPED = 8,   /* counters_stopped: only 0 may be written while counters run */
    GATE_SAMPLING = 16, /* sampling, own_area: records must have a place to go to before counters may be started */
    GATE_AREA = 128,    /* area_offered */
    GATE_TRACE = 256,   /* trace_kept_in */
    GATE_RECORDS = 512, /* records_kept_in */
    GATE_UPDATE = 1024, /* update_offered */
    GATE_WALK = 64,     /* walking, and then current and counters_stopped: one bit may be tried, whatever it is */
    GATE_HANDOFF = 32,  /* handoff: that value may be written back, whatever its bits */
};

/* What a row wants. */
unsigned gate_wants(const struct register_row *row);
/*
 * True if `value` may be written to `msr`, which is of `row` (NULL: of none). caps may be NULL: not read yet. Else
 * *rule (never NULL) names what forbids it: a text that lives for ever.
 */
bool gate_allows(const struct register_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                 u32 msr, u64 value, const char **rule);
/* The bits of a PMU register that may be set on this CPU; 0 if it may not be written or is not decided by bits. */
u64 gate_bits(const struct pmu_caps *caps, u32 msr);

/* The last write that was refused to the calling CPU; rule is NULL if there was none since gate_forget(). */
struct gate_refusal {
    u32 msr;
    u64 value;
    const char *rule;
};
struct gate_refusal gate_refusal(void);
/*
 * A change by somebody else to a control register of the counters, found as the image was about to overwrite it: the
 * first on the calling CPU since this was asked last; msr 0: none.
 */
struct gate_foreign {
    u32 msr;
    u64 programmed, found;
};
struct gate_foreign gate_foreign_overwritten(void);
/* What was written through the gate on the calling CPU; forgotten by gate_forget(). */
const struct own *gate_own(void);
/*
 * A write that code of one's own is about to make on the calling CPU among others, none of which may be looked at in
 * between. Asked and recorded here, before the first of them, in their order; `then` tells of the moment of this one
 * what the row may want of it. False: it is refused, and must not be made.
 */
bool gate_planned(const struct gate_context *then, u32 msr, u64 value);
/*
 * Opens and closes the walk on the calling CPU: while it is open and no counter is on, a register of the architectural
 * PMU may be written with any one bit changed from what it reads, on the classes whose silicon is known to bear that.
 * Held open for a single write each time.
 */
void gate_walk(bool open);
/* Forgets writes and refusals of the calling CPU: its registers have been reset or belong to another PMU now. */
void gate_forget(void);
