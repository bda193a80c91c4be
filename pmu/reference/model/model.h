/*
 * The reference PMU: a software model of one logical processor's Intel PMU, in pure C. It is written from the manual
 * and knows nothing of the tests. What drives it (the monitor in the image, a host test, an emulator or hypervisor
 * that links the library of `make model`) reports each retired instruction and asks it for CPUID, RDMSR, WRMSR and
 * RDPMC; it calls back for memory, time and interrupts.
 *
 * It allocates nothing, has no variables of its own and calls nothing but the callbacks (and memcpy, memset, memmove
 * and memcmp, which compilers put into freestanding code). It never waits. One instance is one logical processor and is
 * used by one thread at a time; different instances, those of one core included, may be used at the same time.
 *
 * Units: MSR values, addresses and times are 64 bits; `time` is in ticks of the TSC; counts are instructions retired.
 * Errors: a function that can fail returns false, which stands for #GP(0), and has then changed nothing. Nothing else
 * can fail; pointers are not checked, and are never kept but those of model_reset().
 * Sources: SDM means Intel's Software Developer's Manual, by volume and section title. Values of a CPU come from its
 * profile, where each says where it was found; docs/reference-pmu.md tells which rule each register follows.
 */
#pragma once

#include "pmu/registers.h"
#include <stdbool.h>
#include <stdint.h>

struct model;
struct model_core;
struct profile;

/*
 * What a PEBS record shows of the CPU: the state after the instruction just reported. SDM 3B, "PEBS Record Format".
 */
struct model_registers {
    uint64_t rip, rflags;
    uint64_t general[16]; /* by number: RAX RCX RDX RBX RSP RBP RSI RDI R8 .. R15 */
    uint64_t xmm[16][2];
};

/*
 * What the model needs from its surroundings. All take `context` first, and none may call the model's functions: what
 * must be told it is told after the call that called back. Where NULL is allowed, it is said. For lvtpc_read,
 * lvtpc_write, interrupt, nmi and time it is not.
 */
struct model_host {
    void *context;
    /* The LVT performance-counter entry of the local APIC, offset 340H. SDM 3A, "Local Vector Table". */
    uint32_t (*lvtpc_read)(void *context);
    void (*lvtpc_write)(void *context, uint32_t value);
    void (*interrupt)(void *context, uint8_t vector); /* request a fixed interrupt on this CPU; 16 or above */
    void (*nmi)(void *context);                       /* pend an NMI on this CPU */
    uint64_t (*time)(void *context);                  /* the TSC's ticks; never goes back */
    /* Either may be NULL: no good PMU asks for it, and in the library no other is. Another CPU gets the interrupt; this
     * one gets it whatever IF and TPR say. */
    void (*interrupt_other)(void *context, uint32_t cpu, uint8_t vector, bool nmi);
    void (*interrupt_forced)(void *context, uint8_t vector);
    /* What the threads of a core share has changed: that CPU is to ask model_stepping() soon. NULL: it asks by itself.
     */
    void (*wake_other)(void *context, uint32_t cpu);
    void (*machine_check)(void *context);         /* a machine check arrives on this CPU; NULL likewise allowed */
    void (*stall)(void *context, uint32_t ticks); /* an SMI takes so many TSC ticks; NULL: SMIs take no time */
    /* Local APIC registers by xAPIC offset, for x2APIC mode; NULL: the model can present none. */
    uint32_t (*apic_read)(void *context, uint32_t offset);
    void (*apic_write)(void *context, uint32_t offset, uint32_t value);
    /*
     * IA32_APIC_BASE was written. `page`: the registers are at the page from here on, else it is memory like any other.
     * `forgets`: the APIC was disabled, or INIT came, and what is requested or in service there, and the command
     * register, become 0; the registers that can be written are by then. NULL: nobody looks.
     */
    void (*apic_mode)(void *context, bool page, bool forgets);
    /* What chance decides in a CPU that varies, of the counter with this bit in GLOBAL_CTRL: 0 to `most`, as somebody
     * has seen it. NULL: it is drawn. */
    uint32_t (*draw)(void *context, uint32_t most, uint8_t counter);
    /* For PEBS, and the first for updates of microcode; NULL, each of them: no record is ever written, no update comes.
     * Memory by linear address; false: not all of it can be accessed. */
    bool (*memory_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*memory_write)(void *context, uint64_t address, const void *from, uint32_t count);
    void (*registers)(void *context, struct model_registers *registers);
    /* For processor trace; NULL, each of them: no byte is ever written. Memory by physical address; false: there is
     * none. */
    bool (*physical_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*physical_write)(void *context, uint64_t address, const void *from, uint32_t count);
};

/* SDM 3B, "Pre-defined Architectural Performance Events", says which of these are branches. */
enum retired_kind {
    RETIRED_PLAIN,      /* whatever is none of the others */
    RETIRED_BRANCH,     /* near jump, conditional or not, near call, near return, LOOP, JRCXZ */
    RETIRED_FAR_BRANCH, /* far jump, call, return, INT n, SYSCALL, SYSRET */
    RETIRED_IRET,
    RETIRED_REP_STRING,
    RETIRED_CPUID,
    RETIRED_WRMSR, /* reported after model_wrmsr() for the same instruction, when that returned true */
    RETIRED_HLT,
    RETIRED_PAUSE,
};

/* Kinds of near branches. LOOP and JRCXZ are conditional ones. */
enum branch_type {
    BRANCH_OTHER,
    BRANCH_CONDITIONAL,
    BRANCH_CALL,
    BRANCH_CALL_INDIRECT,
    BRANCH_RETURN,
    BRANCH_JUMP,
    BRANCH_JUMP_INDIRECT,
};

/* What an instruction does with its memory operand. */
enum memory_access { ACCESS_NONE = 0, ACCESS_LOAD = 1, ACCESS_STORE = 2 };

/* What it computes with: the kinds that NetBurst can tell apart as it executes them. */
enum execution {
    EXECUTION_OTHER,
    EXECUTION_PACKED_SP,
    EXECUTION_PACKED_DP,
    EXECUTION_SCALAR_SP,
    EXECUTION_SCALAR_DP,
    EXECUTION_MMX_64,
    EXECUTION_MMX_128,
    EXECUTION_X87,
};

/* One retired instruction. Those that fault do not retire; a repeated string instruction retires once. */
struct retired {
    enum retired_kind kind;
    uint8_t cpl;       /* privilege level at which the instruction started, 0 to 3 */
    uint8_t cpl_after; /* and after it */
    bool taken;        /* a branch that did not fall through */
    uint8_t branch;    /* enum branch_type, of a RETIRED_BRANCH; else BRANCH_OTHER */
    uint8_t access;    /* enum memory_access, both for one that reads and writes; only if model_wants_memory() */
    uint8_t execution; /* enum execution; likewise only then */
    uint64_t rip;      /* its address */
    uint64_t address;  /* linear, of the memory operand */
};

/*
 * The profile of this name, as "skylake": the data of one real CPU. NULL: there is none. It lives as long as the
 * program. pmu/reference/model/profiles has them all, each value with its source.
 */
const struct profile *model_profile(const char *name);
/* The n-th profile from 0, the default one first; NULL: there are no more. And a profile's name. */
const struct profile *model_profile_at(unsigned n);
const char *model_profile_name(const struct profile *profile);

/* Everything a run chooses. */
struct model_setup {
    const struct profile *profile;
    uint32_t cpu, cpus; /* this logical processor, from 0, and how many there are, at least 1; a hybrid's have its
                           two or three kinds of core in equal parts */
    /* Of CPU 2n and 2n + 1 the same, where threads of a core share counters: NetBurst. model_core_size() bytes, zeroed
     * before the first of them is reset, 8-byte aligned; NULL: shares nothing. */
    struct model_core *core;
    /* Called by each reset, and when another microcode has come, for an instance that is not to be a good PMU; NULL: it
     * is one. */
    void (*change)(struct model *model, const void *how);
    const void *how;
    /* What host->time ticks at, if it stands still with the instructions that are reported and is this CPU's TSC in
     * all: registers and leaves that tell frequencies tell this one. 0: it is some other machine's, and those leaves
     * are empty.
     */
    uint32_t tsc_khz;
    /* A PMI on its way arrives when model_pmi_arrives() says so, and not by itself some instructions later: for who
     * retells what some CPU has done, and knows when it came there. */
    bool arrivals_told;
};

/*
 * Bytes of a struct model and of a struct model_core, whose room is the caller's: 16-byte aligned. For a room of fixed
 * size, neither is ever more than the second number.
 */
uint64_t model_size(void);
uint64_t model_core_size(void);
#define MODEL_SIZE_MOST 28672
#define MODEL_CORE_SIZE_MOST 1280

/*
 * Makes the room of `model` an instance, or one anew: the state of its profile at hand-off, with everything stopped or
 * as the profile says. Copies *setup and *host; what they point to must stay. Calls host->lvtpc_write() if the profile
 * says how the firmware leaves that entry. Needs about 3 KB of stack, all others less than 2 KB.
 */
void model_reset(struct model *model, const struct model_setup *setup, const struct model_host *host);

/*
 * `to`, which has just been reset, goes on from where `from` is, as a CPU of its own rules and data. Both are of one
 * profile, and share no core.
 */
void model_take_over(struct model *to, const struct model *from);

/*
 * INIT has come to this CPU: counters and what they count stay as they are, the debug store is off and its area
 * forgotten, and the local APIC is as after a reset, in the mode that it is in (by apic_write() and apic_mode(), where
 * the host has them). SDM 3A, "Processor State After Reset" and "Local APIC State After an INIT Reset".
 */
void model_init_signal(struct model *model);

/*
 * Does the model answer for this MSR (whether it exists in the profile or faults)? The same for every profile, so that
 * interception can be set up once. An MSR that it does not own is the driver's affair.
 */
bool model_owns_msr(uint32_t msr);
/*
 * RDMSR and WRMSR of an MSR that it owns; of any other they fault. False: #GP(0), and nothing changed, nor *value. SDM
 * 4, "Model-Specific Registers (MSRs)". CPL is not checked: the driver raises #GP above 0 before it asks. A WRMSR that
 * returned true is itself an instruction: while model_stepping() it is reported by model_retire() as RETIRED_WRMSR.
 */
bool model_rdmsr(struct model *model, uint32_t msr, uint64_t *value);
bool model_wrmsr(struct model *model, uint32_t msr, uint64_t value);
/*
 * The guest has stored into the local APIC's page: what a plain register would keep and hardware does not is put right.
 * Only for a driver that lets such stores through to its own memory, and has apic_read and apic_write.
 */
void model_apic_written(struct model *model);
/* Asked before each access: true if it never comes back, as accesses to absent registers did on some CPUs. Of a good
 * PMU it is false. */
bool model_never_returns(struct model *model, uint32_t msr, bool write);
/* RDPMC of index ECX at privilege level `cpl`; `pce` is CR4.PCE. False: #GP(0), *value as it was. SDM 2B, "RDPMC". */
bool model_rdpmc(struct model *model, uint32_t index, uint8_t cpl, bool pce, uint64_t *value);
/*
 * CPUID: `native` is what the machine answers (EAX, EBX, ECX, EDX), `out` what the profile's CPU does: its own where
 * the PMU and its users look, the machine's for topology, caches and the like. All zeros will do for native where there
 * is no machine. SDM 2A, "CPUID".
 */
void model_cpuid(const struct model *model, uint32_t leaf, uint32_t subleaf, const uint32_t native[4], uint32_t out[4]);

/*
 * Must every retired instruction be reported? True while a counter can count, branches are recorded or traced, or a PMI
 * is on its way. It changes with WRMSR, RDMSR, RDPMC, what is reported, and wake_other(): ask after each. While it is
 * false, nothing need be reported.
 */
bool model_stepping(struct model *model);
/* The same for instructions that start at this privilege level, while it lasts. */
bool model_stepping_at(struct model *model, uint8_t cpl);
/*
 * One retired instruction, reported in order while model_stepping(). Counts, then overflows, then a PMI on its way: may
 * call back for any of them. What the callbacks ask for takes place before the next instruction.
 */
void model_retire(struct model *model, const struct retired *instruction);
/*
 * An external interrupt, not an NMI, is delivered: it came while this privilege level was running. To be told while
 * model_stepping_at() it; may call back as model_retire() does.
 */
void model_interrupted(struct model *model, uint8_t cpl);
/*
 * An interrupt, an NMI or an exception, but not one that an instruction asked for, goes to its handler: in place of the
 * instruction at `rip`, while this privilege level was running. To be told while model_stepping_at() it, before the
 * handler's first instruction; may call back as model_retire() does.
 */
void model_delivered(struct model *model, uint8_t vector, uint8_t cpl, uint64_t rip);
/* Has a PMI been raised that has not arrived at the local APIC yet? */
bool model_pmi_on_its_way(const struct model *model);
/* It arrives now, between two instructions, if one is on its way: LVTPC decides what becomes of it. May call back. Only
 * with arrivals_told. */
void model_pmi_arrives(struct model *model);
/*
 * TSC ticks that the instructions reported since the reset have taken: what a driver lets its TSC advance by while it
 * reports them all, so that reference cycles and TSC are one clock.
 */
uint64_t model_ticks(const struct model *model);
/* What the local APIC's timer counts before it is divided. Never 0. */
uint32_t model_apic_timer_khz(const struct model *model);
/* Is there IA32_TSC_ADJUST? */
bool model_has_tsc_adjust(const struct model *model);
/* By how many ticks, modulo 2^64, the TSC is ahead at hand-off of one that was not written since the reset. */
uint64_t model_tsc_ahead(const struct model *model);
/* The CPU sleeps in HLT, or has woken. Concerns threads that share a core, and MPERF and APERF. */
void model_halted(struct model *model, bool halted);
/* The CPU goes to sleep by MWAIT: as deep as it can, so that its core may lose power. */
void model_slept(struct model *model);
/* Does anything depend on the memory operands of instructions now, or on what they compute with? */
bool model_wants_memory(const struct model *model);
/*
 * How many of the next instructions, if they are RETIRED_PLAIN or RETIRED_BRANCH and of one privilege level, may be
 * reported together, since nothing can come of any of them but counts: at most 1,000,000. 0: each must be reported by
 * itself.
 */
uint32_t model_run_room(struct model *model);
/*
 * Which branches are to be reported by themselves, by model_retire(), since they are recorded or traced, or branch
 * records are counted. A run is then what is between two of them.
 */
enum model_branches {
    BRANCHES_TOGETHER, /* none */
    BRANCHES_TAKEN,
    BRANCHES_EACH, /* those that are taken, and conditional ones that are not */
};
enum model_branches model_wants_branches(const struct model *model);
/* How many of those may have happened before the first one is reported. */
uint32_t model_branch_room(struct model *model);
/* Instructions reported together. */
struct model_run {
    uint8_t cpl;
    uint64_t rip; /* address of the first one */
    uint32_t instructions;
    uint32_t branches;                           /* RETIRED_BRANCH, the others are RETIRED_PLAIN; */
    uint32_t taken, conditional, calls, returns; /* how many of those are such; all but conditional ones are taken; */
    uint32_t indirect_calls, indirect_jumps;     /* calls, and jumps, whose target is in a register or in memory */
    uint32_t loads, stores;                      /* instructions that read, or write, their memory operand */
};
/* Adds what is said of one of its branches, an enum branch_type. */
static inline void model_run_branch(struct model_run *run, uint8_t type, bool taken)
{
    run->branches++;
    run->taken += taken;
    run->conditional += type == BRANCH_CONDITIONAL;
    run->calls += type == BRANCH_CALL || type == BRANCH_CALL_INDIRECT;
    run->indirect_calls += type == BRANCH_CALL_INDIRECT;
    run->indirect_jumps += type == BRANCH_JUMP_INDIRECT;
    run->returns += type == BRANCH_RETURN;
}
/* Reports a run within that room. */
void model_retire_run(struct model *model, const struct model_run *run);
