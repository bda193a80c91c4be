/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this image last wrote to each control register of each CPU. Firmware agents and SMM handlers write these
 * registers too: if a register no longer reads as written, other software has changed it, and what was counted
 * meanwhile is meaningless. The gate sees every write and records it here. Pure.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/microcode.h"
#include "pmu/state/register.h"

/* At least as many slots as there are registers that pmu/registers.def has watched. */
#define OWN_REGISTERS 96

struct own_value {
    bool known;
    u64 written;
    bool known_before; /* was a value recorded before it? */
    u64 before;        /* that value: it is still in the register if the last write faulted */
};

struct own {
    struct own_value value[OWN_REGISTERS];
};

/* The slot of a register; OWN_REGISTERS for one that is not a control. */
unsigned own_slot(u32 msr);
/* Records a write that is about to be made, of the register in this slot. Ignores OWN_REGISTERS. */
void own_record(struct own *own, unsigned slot, u64 value);
/* Takes the last record of this slot back: the CPU has refused the write. Ignores OWN_REGISTERS. */
void own_take_back(struct own *own, unsigned slot);
/* The value last written to a control register; 0 if there was none. */
u64 own_written(const struct own *own, u32 msr);
/* The register of slot `index`; 0 if this CPU does not have it, or if it may read back other values. */
u32 own_register(const struct pmu_caps *caps, unsigned index);
/*
 * Does `found` agree with the written value? True if none was written. Does not compare bits that a CPU may drop, nor
 * bits that the legacy freeze on PMI clears.
 */
bool own_agrees(const struct pmu_caps *caps, const struct own *own, unsigned index, u64 found);
/* The counters whose control was last written with its PMI bit set, as bits of IA32_PERF_GLOBAL_STATUS. */
u64 own_interrupting(const struct own *own);
/* Was any counter's CFG_C last written with the bit that turns on architectural PEBS? */
bool own_samples(const struct own *own);
/* Does the register of this slot say what a counter counts? */
bool own_selects(unsigned slot);

/*
 * The write gate: which WRMSRs this image may make at all. It is an allow-list, as data, by register, bits and CPU;
 * whatever no row allows is refused, because writing reserved bits or undefined registers has hung real machines. The
 * decision is pure; the rows are those of pmu/registers.def. Every write (pmu/gate/write.c) asks it first, with
 * the calling CPU's capabilities. SDM 2B, "WRMSR-Write to Model Specific Register": reserved bits must be written as
 * they were read.
 */

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
/* Does the register of this slot (pmu/gate/gate.h) no longer read as the calling CPU wrote it? */
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
bool gate_allows_now(u32 msr, u64 value, const char **rule);
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

/* ---- What the write gate's decision needs to know about the calling CPU, read when it is asked. */

/* The parts that `wants` names, for a write of `value` to `msr`. `walking`: gate_walk() is open. */
struct gate_context gate_context_of(const struct own *own, bool walking, u32 msr, u64 value, struct gate_wants wants);
/* The update of microcode that is being loaded into the calling CPU, by the address of its data; NULL: none. */
void gate_offer_update(const void *data);

/*
 * Which bits of IA32_PERF_GLOBAL_STATUS may be set because of what was written on the calling CPU: a bit is set by an
 * overflow of its counter, which must have been enabled or written, by a PMI that freezes, by sampling, by a trace, or
 * by IA32_PERF_GLOBAL_STATUS_SET. All others have no cause. SDM 3B, "IA32_PERF_GLOBAL_STATUS MSR".
 */

/* Pure: the bits that a write of `value` to `msr` may cause. */
u64 caused_by(u32 msr, u64 value);
/* From now on only the bits that stand now have a cause, and those that firmware's settings may set. */
void caused_begin(void);
/* The calling CPU is about to write this. */
void caused_note(u32 msr, u64 value);
/* The bits with a cause since caused_begin(). */
u64 caused_bits(void);
/*
 * These bits were set by software and read as 1: from now on they stay, until a write of IA32_PERF_GLOBAL_STATUS_RESET
 * clears them or caused_begin() is called. caused_kept(): those that must still be set.
 */
void caused_keep(u64 bits);
u64 caused_kept(void);

/*
 * Side effects of accesses. While IA32_PERF_GLOBAL_CTRL is 0 no access changes the value of a counter but a write of
 * that counter, and none changes the overflow bits but a write of the registers that reset and set them: SDM 3B,
 * "Architectural Performance Monitoring Version 2". The gate sees each write: what a counter, or
 * IA32_PERF_GLOBAL_STATUS, holds once it was written is compared with what it holds right before counters are started,
 * except for the overflow bits of counters that were written, in which known CPUs differ. And a write that the CPU
 * refuses changes nothing, not even a control: SDM 2B, "WRMSR-Write to Model Specific Register". Version 1 and NetBurst
 * have no such register, so that their counters are not looked at.
 */

struct side_effect {
    u32 msr; /* the register that changed; 0: none has */
    u64 from, to;
    u32 written; /* what was written last before this was found */
    bool exact;  /* and that write did it, or a read after it; else something since the register was written */
};

/* The calling CPU is about to write `msr`; or to run a counted block, which starts counters by itself. */
void side_effect_before_write(u32 msr);
void side_effect_before_start(void);
/* The write that side_effect_before_write() was told of last was refused. */
void side_effect_after_refusal(u32 msr);
/* A refused write of `written` has changed a control. */
void side_effect_tell(u32 msr, u64 from, u64 to, u32 written);
/* From now on the calling CPU's registers are looked at. Before and after that none is read: one that never answers
 * would hang a CPU outside of any test. */
void side_effect_begin(void);
/* Until now. The first change since side_effect_begin(), or one of which is known what did it. */
struct side_effect side_effect_end(void);
/* Forgets what the calling CPU has written: its registers have been reset, or belong to another PMU now. */
void side_effect_forget(void);

/* The writes that counted blocks (pmu/workload) make themselves, and how they ask the write gate about them. */

/* A set of counters, started and stopped with one WRMSR each. */
struct switch_write {
    u32 msr, reserved;
    u64 on, off;
};
/*
 * Every counted block begins with a call of this; it asks about both writes and records them, each time the block runs.
 * A refused write ends the test as in wrmsr(), for every struct and every block.
 */
void counted_ask(const struct switch_write *sw);
/* Like counted_ask(), for the third write of a block that makes one after the start; msr 0: there is no such write. */
void counted_ask_then(u32 msr, u64 value);

/* Experiments that have hurt machines, or could: off unless the user names them in the option dangerous=NAME,... */

/* All names, separated by commas. */
extern const char dangerous_names[];
/* Is this experiment unlocked? */
bool dangerous(const char *name);
/* Is it unlocked, or is the PMU a model, which cannot be hurt? */
bool dangerous_allowed(const char *name);
/* Is the PMU a model from now on, or the machine's own again? */
void dangerous_harmless(bool model);
/* The first name in the option that does not exist; NULL if all exist. */
const char *dangerous_unknown(char *text, size_t size);
/* The option's text; "" without the option. */
const char *dangerous_given(void);

/* ---- The one write that loads an update of microcode, which the gate allows for the update that is offered. */

/*
 * Loads the chosen update into the calling CPU, after another check of the whole file, which a test may have
 * overwritten. Nothing else may run on the core meanwhile. Returns NULL, or why nothing was written, in `text` of
 * MICROCODE_TEXT bytes. Only microcode_revision() shows whether it worked: a CPU that refuses an update need not fault.
 */
const char *microcode_load(const struct microcode_update *update, char *text, fault_t *fault);

/*
 * Nehalem and Westmere: under certain circumstances a general-purpose counter counts core cycles, or nothing, instead
 * of its event (AAJ91, AAK100, AAP53, AAT43, BD53). Their specification updates give a sequence of writes to make each
 * time before event selects are programmed; drivers do so whenever an event was added. Every write to an event select
 * passes the write gate, so the gate runs the sequence.
 */

/* How a register is written: by the gate itself. */
typedef void (*nehalem_write)(u32 msr, u64 value);

/*
 * Runs the sequence on the calling CPU, if it is one of these CPUs and `value`, about to be written to register `msr`,
 * enables an event. It restores what the sequence overwrites: IA32_PERFEVTSEL0 to 3 and IA32_PMC0 to 3.
 *
 * It is skipped if it would disturb the image: while counters count or sample, since it begins by stopping them, and
 * while a counter holds a value that cannot be written back (these CPUs extend the sign of bit 31).
 */
void nehalem_before_select(const struct pmu_caps *caps, u32 msr, u64 value, nehalem_write write);
