/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The write gate: which WRMSRs this image may make at all. It is an allow-list, as data, by register, bits and CPU;
 * whatever no row allows is refused, because writing reserved bits or undefined registers has hung real machines. The
 * decision is pure; the rows are those of pmu/registers.def. Every write (pmu/gate/write.c) asks it first, with
 * the calling CPU's capabilities. SDM 2B, "WRMSR-Write to Model Specific Register": reserved bits must be written as
 * they were read.
 */
#pragma once

#include "pmu/gate/own.h"
#include "pmu/state/register.h"

/* What a decision may need besides the capabilities. gate_wants() says which parts a row needs; others may be 0. */
struct gate_context {
    bool svm; /* SVM under a hypervisor, where the reference PMU can run */
    bool x2apic;
    bool counters_stopped; /* IA32_PERF_GLOBAL_CTRL reads 0; on NetBurst no CCCR is enabled */
    bool sampling;         /* the last write of IA32_PEBS_ENABLE, or of a counter's CFG_C, turned sampling on */
    bool own_area;         /* the registers say that records go to one of this CPU's own areas */
    bool area_offered;     /* the value to be written names one of this CPU's own areas */
    bool trace_kept_in;    /* after the write a trace stays within this CPU's own pages, and no other software traces */
    bool records_kept_in;  /* after the write records of architectural PEBS stay within this CPU's own pages */
    bool update_offered;   /* the value names the update of microcode that is being loaded into this CPU */
    bool current_known;
    u64 current;   /* what the register reads now */
    bool walking;  /* gate_walk() is open on the calling CPU */
    bool unlocked; /* dangerous=matrix */
    bool handoff_known;
    u64 handoff; /* the register's value when the image started, before any write */
};

/* The parts of the context that a row needs. */
struct gate_wants {
    bool caps; /* the capabilities: without them (NULL) the write is refused */
    bool svm;
    bool current;
    bool stopped;  /* counters_stopped: while counters run only 0 may be written */
    bool sampling; /* sampling, own_area: counters may only be started when their records go to an area of ours */
    bool area;     /* area_offered */
    bool trace;    /* trace_kept_in */
    bool records;  /* records_kept_in */
    bool update;   /* update_offered */
    bool walk;     /* walking; then also current and counters_stopped: any single bit may be tried */
    bool handoff;  /* the value at the hand-off may be written back, whatever its bits */
};
struct gate_wants gate_wants(const struct register_row *row);
/*
 * May `value` be written to `msr`, which belongs to `row` (NULL: to none)? caps may be NULL: not read yet. If false,
 * *rule (never NULL) names the rule that forbids it, a constant text.
 */
bool gate_allows(const struct register_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                 u32 msr, u64 value, const char **rule);
/* The bits that may be set in a PMU register of this CPU; 0 if it may not be written, or if not its bits decide. */
u64 gate_bits(const struct pmu_caps *caps, u32 msr);

/* The last write that the calling CPU was refused; rule is NULL if there was none since gate_forget(). */
struct gate_refusal {
    u32 msr;
    u64 value;
    const char *rule;
};
struct gate_refusal gate_refusal(void);
struct gate_foreign {
    u32 msr;
    u64 programmed, found;
};
/*
 * A change to a control register of the counters by other software, found just before the image overwrote it: the first
 * on the calling CPU since the last call; msr 0: none.
 */
struct gate_foreign gate_foreign_overwritten(void);
/* Does the register of this slot (pmu/gate/own.h) no longer read as the calling CPU wrote it? */
bool gate_changed(unsigned slot, struct gate_foreign *changed);
/* What was written through the gate on the calling CPU since gate_forget(). */
const struct own *gate_own(void);
/*
 * A write that a piece of code is about to make on the calling CPU between others without a pause for questions. All of
 * them are asked about and recorded beforehand, in their order; `then` describes the situation in which this one will
 * be made. False: it is refused, and must not be made.
 */
bool gate_planned(const struct gate_context *then, u32 msr, u64 value);
/* ---- For pmu/gate/write.c: before each write, the question, and what is recorded of it; after a fault. */

/* May the calling CPU write this now? If not, *rule says why, and gate_refusal() remembers it. */
bool gate_asked(u32 msr, u64 value, const char **rule);
/* The write is about to be made. */
void gate_record(u32 msr, u64 value);
/*
 * After a write that the CPU refused: its register still holds what was written before, and each other one what was
 * written to it. What does not is told, and from now on taken as it is.
 */
void gate_faulted(u32 msr);
/* Is a walk open on the calling CPU? */
bool gate_walking(void);

/*
 * Opens and closes the walk on the calling CPU. While it is open and no counter is on, a register of the architectural
 * PMU may be written with any one bit changed from its present value, also together with bits that its row allows
 * anyway, on classes whose silicon is known to tolerate that. Callers keep it open for a single write only.
 */
void gate_walk(bool open);
/* Forgets writes and refusals of the calling CPU: its registers were reset, or now belong to another PMU. */
void gate_forget(void);
