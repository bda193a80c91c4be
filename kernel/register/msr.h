/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Model-specific registers: accesses with faults as return values, the record of the last ones, and the kernel's own.
 */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"
#include "boot/cpuid.h"

/*
 * A fault as one value: 0 means that nothing happened; otherwise it holds bit 31, the vector and the error code. This
 * makes it easy to compare faults and to print "#GP[0000]". Pure.
 */

typedef u32 fault_t;

#define NO_FAULT 0u
#define FAULT(vector, error) (0x80000000u | ((u32)(vector) << 16) | ((error)&0xffffu))
#define FAULT_VECTOR(fault) (((fault) >> 16) & 0xffu)
#define FAULT_ERROR(fault) ((fault)&0xffffu)
#define FAULT_GP FAULT(13, 0)
/* Not a hardware fault: the write gate refused the WRMSR, so it was not executed. */
#define FAULT_REFUSED 0x40000000u

#define FAULT_TEXT_SIZE 16
/* Writes "#GP[0000]", "#UD", "refused" or "nothing" into text (FAULT_TEXT_SIZE bytes) and returns it. */
const char *fault_text(fault_t fault, char *text);

/*
 * Reads of model-specific registers and performance counters by index, with faults returned to the caller. No function
 * here turns a fault into a zero. Registers of the PMU are written by pmu/gate/write.h, those of the processor that the
 * runtime needs by kernel/register/msr.h.
 */

/* Reads MSR `msr` into *value; on a fault *value is left alone and the fault returned. */
fault_t rdmsr_try(u32 msr, u64 *value);
/* RDPMC of `index` at the current privilege level. */
fault_t rdpmc_try(u32 index, u64 *value);
/* The same for a read whose fault would be a bug of ours: it is dumped and ends the test or the run. */
u64 rdmsr(u32 msr);

/* If set, these functions call it before each access; it may name the access in the log. */
extern void (*msr_access_begins)(u32 msr, bool write);

/*
 * The register access that each CPU is executing: written to memory, past the caches, before the access, and removed
 * after it. If the machine resets in between, the next start finds it (kernel/cpu/previous.h). Done only while a place
 * for it is set, because it costs two memory writes per access.
 */

/* One per CPU, each in a cache line of its own. `inverted` shows whether `what` is complete. */
struct msr_record {
    u64 what, inverted;
    u64 unused[6];
};
#define MSR_RECORD_MADE BIT(63)
#define MSR_RECORD_WRITE BIT(62)
#define MSR_RECORD_BLOCK BIT(61) /* a counted block, which switches the counters by writing this register */

/* From here on accesses are recorded in `records`, one per CPU number; NULL: no more. */
void msr_record_to(struct msr_record *records);
/* A counted block begins: it makes its register accesses itself, as no other code may run in it. */
void msr_record_block(u32 msr);
/* The code that made an access was aborted. */
void msr_record_forget(void);

/*
 * An access begins, which is announced if somebody asked for that (msr_access_begins), and has ended. The second takes
 * the first one's result.
 */

u64 msr_access_begin(u32 msr, bool write);
u64 msr_record_begin(u32 msr, bool write);
void msr_record_end(u64 outer);

/*
 * The registers of the processor, not of the PMU, that the runtime writes by WRMSR: an allow-list, as data. Nothing
 * else is written from kernel/; all other registers are behind the write gate of pmu/gate. SDM 4, "Model-Specific
 * Registers (MSRs)".
 */

/* Writes it if a row allows the value: FAULT_REFUSED if not, the hardware's fault if it faults. */
fault_t system_wrmsr_try(u32 msr, u64 value);
/* The same where a failure would be a bug of ours: it is dumped and ends the test or the run. */
void system_wrmsr(u32 msr, u64 value);

/* What a decision needs besides the value. */
struct system_write {
    u32 msr;
    u64 value;
    u64 current; /* what the register reads */
    bool current_known;
    bool starting;   /* the calling CPU has no number yet */
    u32 lvtpc_found; /* LVTPC as the firmware left it */
    struct cpuid_regs leaf0, leaf1;
};
/* NULL: it may be written; else the rule that forbids it, a constant text. Pure. */
const char *system_refuses(const struct system_write *write);
/* What a decision about this register depends on besides: what it reads, or the leaves of CPUID. Pure. */
enum system_needs { NEEDS_NOTHING, NEEDS_CURRENT, NEEDS_IDENTITY };
enum system_needs system_needs(u32 msr);
/* LVTPC as the firmware left it, which is what is written back in the end. */
void system_lvtpc_found(u32 value);

/* PMIs are delivered as interrupts or NMIs. No test asks for SMIs, INITs or interrupts of the 8259's. */
static inline bool system_lvtpc_delivers(u64 value)
{
    u64 delivery = value & LVT_DELIVERY_MASK;
    return delivery == LVT_DELIVERY_FIXED || delivery == LVT_DELIVERY_NMI;
}

/*
 * Which memory the CPU caches: the MTRRs as firmware has set them. Old firmware sets MTRRs that end below the top of
 * the memory in its own map; memory above that end is a hundred times slower. SDM 3A, "Memory Type Range Registers
 * (MTRRs)".
 */

#define MTRR_RANGES 16

/* Variable ranges only: the fixed ones end at 1 MiB. */
struct mtrrs {
    bool enabled; /* false: nothing is cached */
    u8 other;     /* type of memory outside all ranges */
    unsigned count;
    struct {
        u64 base, mask; /* the registers' values: IA32_MTRR_PHYSBASEn and PHYSMASKn */
    } range[MTRR_RANGES];
};

/* Is all of [at, end), which starts at 1 MiB or above, write-back? Pure. */
bool mtrrs_cache(const struct mtrrs *mtrrs, u64 at, u64 end);
/* The same for the calling CPU; true if it has no MTRRs. */
bool mtrr_caches(u64 at, u64 end);
