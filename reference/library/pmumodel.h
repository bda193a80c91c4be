/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmumodel.h: Intel's performance monitoring unit as a library, for emulators, hypervisors and tests of drivers. Each
 * name begins with pmumodel_ or PMUMODEL_. docs/library.md begins with a complete program.
 *
 * The caller reports retired instructions and passes on CPUID, RDMSR, WRMSR and RDPMC; the model calls back for memory,
 * time and interrupts. One instance is one logical processor, in memory of the caller. It allocates nothing, has no
 * variables of its own and never waits. An instance is used by one thread at a time; different ones, even those of one
 * core, may be used at the same time. An instance must not be copied or moved: pmumodel_save() is for that.
 *
 * Units: values of MSRs, addresses and times are 64 bits; times are in ticks of the TSC, counts in instructions
 * retired. A function that returns false stands for #GP(0), and has then changed nothing. Pointers are not checked, and
 * kept only where it is said. SDM: Intel's Software Developer's Manual, by volume and section title.
 *
 * A program that was built with an older header works with a newer library. The structs that hold their own size may
 * grow at their end, so may struct pmumodel_registers, which only the library allocates; in all others `reserved` must
 * be zeros. A newer program on an older library gets PMUMODEL_NEWER if it sets what that library does not know.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PMUMODEL_API __attribute__((visibility("default")))
#else
#define PMUMODEL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version: that of this header, and that of the library */

#define PMUMODEL_VERSION_MAJOR 0
#define PMUMODEL_VERSION_MINOR 3
#define PMUMODEL_VERSION_PATCH 0
#define PMUMODEL_VERSION (PMUMODEL_VERSION_MAJOR * 10000 + PMUMODEL_VERSION_MINOR * 100 + PMUMODEL_VERSION_PATCH)

PMUMODEL_API uint32_t pmumodel_version(void);

enum pmumodel_error {
    PMUMODEL_OK,
    PMUMODEL_BAD_SIZE,     /* a struct's size is less than that of the oldest version, or was not set */
    PMUMODEL_NEWER,        /* something is set that only a newer library knows */
    PMUMODEL_NO_PROFILE,   /* the profile is NULL */
    PMUMODEL_BAD_CPU,      /* cpu is not below cpus */
    PMUMODEL_NO_CALLBACK,  /* one of the callbacks that are always needed is NULL */
    PMUMODEL_NO_ROOM,      /* the room for the saved bytes is too small */
    PMUMODEL_DEVIATES,     /* an instance that deviates from a good PMU cannot be saved */
    PMUMODEL_NOT_SAVED,    /* the bytes are none that pmumodel_save() has written */
    PMUMODEL_OTHER_FORMAT, /* they are in a format of another version */
    PMUMODEL_DAMAGED,      /* they are incomplete or changed */
    PMUMODEL_OTHER_CPU,    /* they are of another profile, CPU or clock, or of one with another core or callbacks */
    PMUMODEL_NO_DEVIATION, /* a deviation or its place does not exist (pmumodel_lab.h) */
};
/* In English, such as "the bytes are damaged"; never NULL. */
PMUMODEL_API const char *pmumodel_error_text(enum pmumodel_error error);

/* ---- Profiles: the data of real CPUs */

struct pmumodel_profile;

/* The profile of this name, such as "skylake"; NULL: there is none. Valid as long as the program runs. */
PMUMODEL_API const struct pmumodel_profile *pmumodel_profile(const char *name);
/* The n-th profile, from 0; the default one is the first. NULL: there are no more. And a profile's name. */
PMUMODEL_API const struct pmumodel_profile *pmumodel_profile_at(unsigned n);
PMUMODEL_API const char *pmumodel_profile_name(const struct pmumodel_profile *profile);

/* ---- What the model needs from its surroundings */

/* The state of the CPU after the instruction just reported, for a PEBS record. SDM 3B, "PEBS Record Format". */
struct pmumodel_registers {
    uint64_t rip, rflags;
    uint64_t general[16]; /* by number: RAX RCX RDX RBX RSP RBP RSI RDI R8 .. R15 */
    uint64_t xmm[16][2];
};

/*
 * All callbacks take `context` first. None may call a function for this instance: whatever the model has to know is
 * reported after the call from which the callback came. Those up to `time` are always needed; each of the others may be
 * NULL, and what needs it is then missing.
 */
struct pmumodel_host {
    size_t size; /* sizeof(struct pmumodel_host) */
    void *context;
    /* The LVT performance-counter entry of the local APIC, offset 340H. SDM 3A, "Local Vector Table". */
    uint32_t (*lvtpc_read)(void *context);
    void (*lvtpc_write)(void *context, uint32_t value);
    void (*interrupt)(void *context, uint8_t vector); /* request a fixed interrupt on this CPU; 16 or above */
    void (*nmi)(void *context);                       /* pend an NMI on this CPU */
    uint64_t (*time)(void *context);                  /* the TSC's ticks; never goes back */
    /* For PEBS, and the first for updates of microcode; without one of them there are no records. Memory by linear
     * address; false: not all of it can be accessed. The registers begin as zeros. */
    bool (*memory_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*memory_write)(void *context, uint64_t address, const void *from, uint32_t count);
    void (*registers)(void *context, struct pmumodel_registers *registers);
    /* For processor trace and architectural PEBS. Memory by physical address; false: there is none. */
    bool (*physical_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*physical_write)(void *context, uint64_t address, const void *from, uint32_t count);
    /* State shared by the threads of a core has changed: that CPU should call pmumodel_stepping() soon. NULL: it does
     * so by itself. */
    void (*wake_other)(void *context, uint32_t cpu);
    void (*stall)(void *context, uint32_t ticks); /* an SMI takes this many TSC ticks; NULL: no time */
    /* Local APIC registers by xAPIC offset, for x2APIC mode; both or neither. */
    uint32_t (*apic_read)(void *context, uint32_t offset);
    void (*apic_write)(void *context, uint32_t offset, uint32_t value);
    /*
     * IA32_APIC_BASE was written. `page`: from here on the registers are in the page, else it is ordinary memory.
     * `forgets`: the APIC was disabled, or INIT came: requested and in-service interrupts and the command register
     * become 0; the writable registers have been reset before this call.
     */
    void (*apic_mode)(void *context, bool page, bool forgets);
};

/* ---- An instance */

struct pmumodel;
struct pmumodel_core;

/* The choices for one instance. */
struct pmumodel_setup {
    size_t size; /* sizeof(struct pmumodel_setup) */
    const struct pmumodel_profile *profile;
    uint32_t cpu, cpus; /* number of this logical processor, from 0, and how many there are; the two or three kinds of
                           core of a hybrid have equal parts of them */
    /* For CPUs where threads of a core share counters: the same for CPUs 2n and 2n + 1. pmumodel_core_size() bytes,
     * zeroed before the first reset, 8-byte aligned; NULL: shares nothing. */
    struct pmumodel_core *core;
    /* Frequency of host->time, if it advances only by the reported instructions and is this CPU's TSC in all respects:
     * registers and leaves tell this frequency. 0: host->time is another machine's, and those leaves are empty. */
    uint32_t tsc_khz;
};

/*
 * Sizes of an instance and of what the threads of a core share, for which the caller provides the memory: 16-byte
 * aligned. For memory of fixed size: no version with this major number ever needs more than the second numbers.
 */
PMUMODEL_API size_t pmumodel_size(void);
PMUMODEL_API size_t pmumodel_core_size(void);
#define PMUMODEL_SIZE_MOST 40960
#define PMUMODEL_CORE_SIZE_MOST 2048

/*
 * Makes the memory at `pmu` an instance, or resets it: the state of its profile at hand-off, with everything stopped
 * unless the profile says otherwise. Copies *setup and *host; what they point to must stay. Calls host->lvtpc_write()
 * if the profile has a value that the firmware leaves in that entry. Needs about 3 KB of stack, all others less than 2
 * KB. With an error the memory is no instance.
 */
PMUMODEL_API enum pmumodel_error pmumodel_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                                const struct pmumodel_host *host);
/*
 * INIT has come to this CPU: counters and their controls stay as they are, the debug store is turned off and its area
 * forgotten, and the local APIC is as after a reset, in its current mode (by apic_write() and apic_mode()). SDM 3A,
 * "Processor State After Reset" and "Local APIC State After an INIT Reset". The second: if the caller's own local APIC
 * has got the INIT.
 */
PMUMODEL_API void pmumodel_init_signal(struct pmumodel *pmu);
PMUMODEL_API void pmumodel_init_pmu(struct pmumodel *pmu);

/*
 * ---- Save and load, between any two calls: snapshots, migration, another process
 *
 * Writes the instance's state to `to`, of `room` bytes; *size gets how many: with PMUMODEL_NO_ROOM, how many it needs.
 * The bytes have a version, no addresses, and the same order on every machine. What the caller keeps (LVTPC, pending
 * interrupts, its clock, memory) it saves itself. Threads with a common core are saved while none of them runs.
 */
PMUMODEL_API enum pmumodel_error pmumodel_save(const struct pmumodel *pmu, void *to, size_t room, size_t *size);
/*
 * The instance, which was reset with the same profile, cpu, cpus and tsc_khz, continues where the saved one stopped.
 * With an error nothing has changed: any bytes may be given. Calls back for the time only, which must go on from where
 * it was. Threads with a common core are all loaded before one of them runs.
 */
PMUMODEL_API enum pmumodel_error pmumodel_load(struct pmumodel *pmu, const void *from, size_t size);

/* ---- The instructions that the model answers */

/*
 * Does the model answer for this MSR (whether it exists in the profile or faults)? The same for every profile, so that
 * intercepts can be set up once. All other MSRs are left to the caller.
 */
PMUMODEL_API bool pmumodel_owns_msr(uint32_t msr);
/*
 * RDMSR and WRMSR of an MSR that it owns; any other faults. SDM 4, "Model-Specific Registers (MSRs)". CPL is not
 * checked: the caller raises #GP above 0 before the call. A WRMSR that returned true is itself an instruction: while
 * pmumodel_stepping() it is reported by pmumodel_retire() as PMUMODEL_RETIRED_WRMSR.
 */
PMUMODEL_API bool pmumodel_rdmsr(struct pmumodel *pmu, uint32_t msr, uint64_t *value);
PMUMODEL_API bool pmumodel_wrmsr(struct pmumodel *pmu, uint32_t msr, uint64_t value);
/* RDPMC of index ECX at privilege level `cpl`; `pce` is CR4.PCE. SDM 2B, "RDPMC". */
PMUMODEL_API bool pmumodel_rdpmc(struct pmumodel *pmu, uint32_t index, uint8_t cpl, bool pce, uint64_t *value);
/*
 * CPUID: `native` is the caller's answer (EAX, EBX, ECX, EDX), `out` gets that of the profile's CPU: its own for the
 * PMU and its users, the caller's for topology, caches and the like. `native` may be all zeros. SDM 2A, "CPUID".
 */
PMUMODEL_API void pmumodel_cpuid(struct pmumodel *pmu, uint32_t leaf, uint32_t subleaf, const uint32_t native[4],
                                 uint32_t out[4]);
/*
 * The guest has stored into the local APIC's page: corrects what hardware would not have kept as written. Only for a
 * caller that lets such stores through to its own memory, and has apic_read and apic_write.
 */
PMUMODEL_API void pmumodel_apic_written(struct pmumodel *pmu);

/* ---- Retired instructions */

/* SDM 3B, "Pre-defined Architectural Performance Events", defines which of these are branches. */
enum pmumodel_retired_kind {
    PMUMODEL_RETIRED_PLAIN,      /* all others */
    PMUMODEL_RETIRED_BRANCH,     /* near jump, conditional or not, near call, near return, LOOP, JRCXZ */
    PMUMODEL_RETIRED_FAR_BRANCH, /* far jump, call, return, INT n, SYSCALL, SYSRET */
    PMUMODEL_RETIRED_IRET,
    PMUMODEL_RETIRED_REP_STRING,
    PMUMODEL_RETIRED_CPUID,
    PMUMODEL_RETIRED_WRMSR, /* reported after pmumodel_wrmsr() for the same instruction, when that returned true */
    PMUMODEL_RETIRED_HLT,
    PMUMODEL_RETIRED_PAUSE,
    PMUMODEL_RETIRED_XBEGIN, /* with its transaction, if that has aborted at once */
};

/* Kinds of near branches. LOOP and JRCXZ are conditional. */
enum pmumodel_branch {
    PMUMODEL_BRANCH_OTHER,
    PMUMODEL_BRANCH_CONDITIONAL,
    PMUMODEL_BRANCH_CALL,
    PMUMODEL_BRANCH_CALL_INDIRECT,
    PMUMODEL_BRANCH_RETURN,
    PMUMODEL_BRANCH_JUMP,
    PMUMODEL_BRANCH_JUMP_INDIRECT,
};

/* How an instruction uses its memory operand: both bits if it reads and writes. */
enum pmumodel_access { PMUMODEL_ACCESS_NONE = 0, PMUMODEL_ACCESS_LOAD = 1, PMUMODEL_ACCESS_STORE = 2 };

/* Data types of an instruction: those that NetBurst's execution tagging distinguishes. */
enum pmumodel_execution {
    PMUMODEL_EXECUTION_OTHER,
    PMUMODEL_EXECUTION_PACKED_SP,
    PMUMODEL_EXECUTION_PACKED_DP,
    PMUMODEL_EXECUTION_SCALAR_SP,
    PMUMODEL_EXECUTION_SCALAR_DP,
    PMUMODEL_EXECUTION_MMX_64,
    PMUMODEL_EXECUTION_MMX_128,
    PMUMODEL_EXECUTION_X87,
};

/* One retired instruction. Instructions that fault do not retire; a repeated string instruction retires once. */
struct pmumodel_retired {
    uint8_t kind;      /* enum pmumodel_retired_kind */
    uint8_t branch;    /* enum pmumodel_branch, of a PMUMODEL_RETIRED_BRANCH; else PMUMODEL_BRANCH_OTHER */
    uint8_t cpl;       /* privilege level at which the instruction started, 0 to 3 */
    uint8_t cpl_after; /* and after it */
    bool taken;        /* a branch that did not fall through */
    uint8_t access;    /* enum pmumodel_access; only needed if pmumodel_wants_memory() */
    uint8_t execution; /* enum pmumodel_execution; only needed then, too */
    uint8_t reserved_byte;
    uint64_t rip;     /* its address */
    uint64_t address; /* linear, of the memory operand */
    uint64_t reserved;
};

/*
 * Must every retired instruction be reported? True while a counter can count, branches are recorded or traced, or a PMI
 * is on its way. WRMSR, RDMSR, RDPMC, reports and wake_other() may change it: call it after each. While it is false,
 * nothing has to be reported. The second: the same for instructions that start at this privilege level.
 */
PMUMODEL_API bool pmumodel_stepping(struct pmumodel *pmu);
PMUMODEL_API bool pmumodel_stepping_at(struct pmumodel *pmu, uint8_t cpl);
/*
 * One retired instruction, reported in order while pmumodel_stepping(). First counts, then overflows, then a PMI on its
 * way: each may call back. Whatever the callbacks request takes place before the next instruction.
 */
PMUMODEL_API void pmumodel_retire(struct pmumodel *pmu, const struct pmumodel_retired *instruction);
/*
 * An external interrupt, not an NMI, is delivered: it came while this privilege level was running. To be called while
 * pmumodel_stepping_at() it; may call back as pmumodel_retire() does.
 */
PMUMODEL_API void pmumodel_interrupted(struct pmumodel *pmu, uint8_t cpl);
/*
 * An interrupt, an NMI or an exception, but not one that an instruction requested, goes to its handler: in place of the
 * instruction at `rip`, while this privilege level was running. To be called while pmumodel_stepping_at() it, before
 * the handler's first instruction; may call back as pmumodel_retire() does.
 */
PMUMODEL_API void pmumodel_delivered(struct pmumodel *pmu, uint8_t vector, uint8_t cpl, uint64_t rip);
/* Does anything depend on the memory operands of instructions now, or on their data types? */
PMUMODEL_API bool pmumodel_wants_memory(const struct pmumodel *pmu);

/* ---- Many instructions at once, for callers that cannot afford to report each */

/*
 * How many of the next instructions, if they are PMUMODEL_RETIRED_PLAIN or PMUMODEL_RETIRED_BRANCH and of one privilege
 * level, may be reported together, since they can only count: at most 1,000,000. 0: each must be reported by itself.
 */
PMUMODEL_API uint32_t pmumodel_run_room(struct pmumodel *pmu);
/*
 * Branches that pmumodel_retire() has to report by themselves, since they are recorded or traced, or branch records are
 * counted. A run is then what lies between two of them.
 */
enum pmumodel_branches {
    PMUMODEL_BRANCHES_TOGETHER, /* none */
    PMUMODEL_BRANCHES_TAKEN,
    PMUMODEL_BRANCHES_EACH, /* taken branches, and conditional ones that are not taken */
};
PMUMODEL_API enum pmumodel_branches pmumodel_wants_branches(const struct pmumodel *pmu);
/* How many of these branches may be executed before the first one is reported. */
PMUMODEL_API uint32_t pmumodel_branch_room(struct pmumodel *pmu);
/*
 * After two turns of a loop with one taken branch, which is no return, all further ones leave the same branch record.
 * Can they be reported as one run? They may differ in what else is kept of each.
 */
PMUMODEL_API bool pmumodel_turns_alike(const struct pmumodel *pmu);
/* Instructions reported together. */
struct pmumodel_run {
    uint8_t cpl;
    bool alike; /* turns of a loop, see pmumodel_turns_alike() */
    uint8_t reserved_bytes[2];
    uint32_t instructions;
    uint64_t rip;                                /* address of the first instruction */
    uint32_t branches;                           /* PMUMODEL_RETIRED_BRANCH; all others are plain */
    uint32_t taken, conditional, calls, returns; /* branches of these kinds; all but conditional ones are taken */
    uint32_t indirect_calls, indirect_jumps;     /* calls, and jumps, whose target is in a register or memory */
    uint32_t loads, stores;                      /* instructions that read, or write, a memory operand */
    uint32_t missed_taken, missed_not_taken;     /* conditional branches, by pmumodel_run_predict() */
    uint32_t reserved;
};
/* Adds the data of one branch in the run, of enum pmumodel_branch. */
PMUMODEL_API void pmumodel_run_branch(struct pmumodel_run *run, uint8_t branch, bool taken);
/*
 * Are branches of this privilege level predicted now? Then each conditional branch in a run is told before the run is
 * reported, in their order; `times`: so many executions of the branch at `rip` follow each other, all taken or none.
 * What pmumodel_retire() reports is not told here.
 */
PMUMODEL_API bool pmumodel_predicts(const struct pmumodel *pmu, uint8_t cpl);
PMUMODEL_API void pmumodel_run_predict(struct pmumodel *pmu, struct pmumodel_run *run, uint64_t rip, bool taken,
                                       uint32_t times);
/* Reports a run, which must be within pmumodel_run_room(). */
PMUMODEL_API void pmumodel_retire_run(struct pmumodel *pmu, const struct pmumodel_run *run);

/* ---- Time, sleep, transactions, SMIs */

/*
 * TSC ticks that the instructions reported since the reset have taken: a caller that reports all of them advances its
 * TSC by these, so that reference cycles and TSC are one clock.
 */
PMUMODEL_API uint64_t pmumodel_ticks(const struct pmumodel *pmu);
/* Frequency at which the local APIC's timer counts, before it is divided. Never 0. */
PMUMODEL_API uint32_t pmumodel_apic_timer_khz(const struct pmumodel *pmu);
/* Does IA32_TSC_ADJUST exist? */
PMUMODEL_API bool pmumodel_has_tsc_adjust(const struct pmumodel *pmu);
/* The difference, modulo 2^64, between the TSC at hand-off and one that was not written since the reset. */
PMUMODEL_API uint64_t pmumodel_tsc_ahead(const struct pmumodel *pmu);
/* The CPU sleeps in HLT, or has woken. Affects threads that share a core, and MPERF and APERF. */
PMUMODEL_API void pmumodel_halted(struct pmumodel *pmu, bool halted);
/* The CPU goes to sleep by MWAIT: as deep as it can, so that its core may lose power. */
PMUMODEL_API void pmumodel_slept(struct pmumodel *pmu);
/* Software has asked the firmware for an SMI, which has come and gone: SDM 3C, "System Management Mode Overview". */
PMUMODEL_API void pmumodel_smi_asked(struct pmumodel *pmu);
/*
 * XBEGIN: does its transaction go on? Of a good PMU each aborts at once. Call it before PMUMODEL_RETIRED_XBEGIN is
 * reported; a transaction that goes on is ended by pmumodel_transaction_aborts(), whatever ends it, behind its last
 * instruction that has retired.
 */
PMUMODEL_API bool pmumodel_transaction_begins(struct pmumodel *pmu);
PMUMODEL_API void pmumodel_transaction_aborts(struct pmumodel *pmu);

#ifdef __cplusplus
}
#endif
