/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference PMU: a software model of one logical processor's Intel PMU, in pure C. It is written from the manual
 * and knows nothing of the tests. Its driver (the monitor in the image, a host test, or reference/library, behind which
 * others use it) reports each retired instruction and calls the model for CPUID, RDMSR, WRMSR and RDPMC; the model
 * calls back for memory, time and interrupts.
 *
 * It allocates nothing, has no variables of its own and calls nothing but the callbacks (and memcpy, memset, memmove
 * and memcmp, which compilers put into freestanding code). It never waits. One instance is one logical processor and is
 * used by one thread at a time; different instances, even those of one core, may be used at the same time.
 *
 * Units: MSR values, addresses and times are 64 bits; `time` is in ticks of the TSC; counts are instructions retired.
 * Errors: a function that can fail returns false, which stands for #GP(0), and has then changed nothing. Nothing else
 * can fail; pointers are not checked, and are never kept but those of model_reset(). Sources: SDM means Intel's
 * Software Developer's Manual, by volume and section title. A CPU's values come from its profile, which names the
 * source of each; docs/rules.md names the rules of each register.
 */
#pragma once

#include "pmu/registers.h"
#include <stdbool.h>
#include <stdint.h>

struct model;
struct model_core;
struct profile;

/* The state of the CPU after the instruction just reported, for a PEBS record. SDM 3B, "PEBS Record Format". */
struct model_registers {
    uint64_t rip, rflags;
    uint64_t general[16]; /* by number: RAX RCX RDX RBX RSP RBP RSI RDI R8 .. R15 */
    uint64_t xmm[16][2];
};

#define MODEL_NO_COUNTER 0xff

/*
 * What the model needs from its surroundings. All callbacks take `context` first, and none may call the model's
 * functions: whatever the model has to know is reported after the call from which the callback came. NULL is allowed
 * only where it is mentioned; for lvtpc_read, lvtpc_write, interrupt, nmi and time it is not.
 */
struct model_host {
    void *context;
    /* The LVT performance-counter entry of the local APIC, offset 340H. SDM 3A, "Local Vector Table". */
    uint32_t (*lvtpc_read)(void *context);
    void (*lvtpc_write)(void *context, uint32_t value);
    void (*interrupt)(void *context, uint8_t vector); /* request a fixed interrupt on this CPU; 16 or above */
    void (*nmi)(void *context);                       /* pend an NMI on this CPU */
    uint64_t (*time)(void *context);                  /* the TSC's ticks; never goes back */
    /* Either may be NULL: no good PMU uses them. The first interrupts another CPU; the second interrupts this one
     * regardless of IF and TPR. */
    void (*interrupt_other)(void *context, uint32_t cpu, uint8_t vector, bool nmi);
    void (*interrupt_forced)(void *context, uint8_t vector);
    /* State shared by the threads of a core has changed: that CPU should call model_stepping() soon. NULL: it does so
     * by itself. */
    void (*wake_other)(void *context, uint32_t cpu);
    void (*machine_check)(void *context);         /* a machine check arrives on this CPU; may be NULL, too */
    void (*stall)(void *context, uint32_t ticks); /* an SMI takes this many TSC ticks; NULL: SMIs take no time */
    /* Local APIC registers by xAPIC offset, for x2APIC mode; NULL: the model has no x2APIC mode. */
    uint32_t (*apic_read)(void *context, uint32_t offset);
    void (*apic_write)(void *context, uint32_t offset, uint32_t value);
    /*
     * IA32_APIC_BASE was written. `page`: from here on the registers are in the page, else it is ordinary memory.
     * `forgets`: the APIC was disabled, or INIT came: requested and in-service interrupts and the command register
     * become 0; the writable registers have been reset before this call. NULL: not needed.
     */
    void (*apic_mode)(void *context, bool page, bool forgets);
    /* The result of a random draw in a CPU that varies, for the counter with this bit in GLOBAL_CTRL or for
     * MODEL_NO_COUNTER: 0 to `most`, as observed on a real CPU. NULL: the model draws. */
    uint32_t (*draw)(void *context, uint32_t most, uint8_t counter);
    /* For PEBS, and the first for updates of microcode. If one of them is NULL, no record is written, and no update is
     * loaded. Memory by linear address; false: not all of it can be accessed. */
    bool (*memory_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*memory_write)(void *context, uint64_t address, const void *from, uint32_t count);
    void (*registers)(void *context, struct model_registers *registers);
    /* For processor trace; if one of them is NULL, nothing is written. Memory by physical address; false: there is
     * none. */
    bool (*physical_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*physical_write)(void *context, uint64_t address, const void *from, uint32_t count);
};

/* SDM 3B, "Pre-defined Architectural Performance Events", defines which of these are branches. */
enum retired_kind {
    RETIRED_PLAIN,      /* all others */
    RETIRED_BRANCH,     /* near jump, conditional or not, near call, near return, LOOP, JRCXZ */
    RETIRED_FAR_BRANCH, /* far jump, call, return, INT n, SYSCALL, SYSRET */
    RETIRED_IRET,
    RETIRED_REP_STRING,
    RETIRED_CPUID,
    RETIRED_WRMSR, /* reported after model_wrmsr() for the same instruction, when that returned true */
    RETIRED_HLT,
    RETIRED_PAUSE,
    RETIRED_XBEGIN, /* with its transaction, if that has aborted at once */
};

/* Kinds of near branches. LOOP and JRCXZ are conditional. */
enum branch_type {
    BRANCH_OTHER,
    BRANCH_CONDITIONAL,
    BRANCH_CALL,
    BRANCH_CALL_INDIRECT,
    BRANCH_RETURN,
    BRANCH_JUMP,
    BRANCH_JUMP_INDIRECT,
};

/* How an instruction uses its memory operand. */
enum memory_access { ACCESS_NONE = 0, ACCESS_LOAD = 1, ACCESS_STORE = 2 };

/* Data types of an instruction: those that NetBurst's execution tagging distinguishes. */
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

/* One retired instruction. Instructions that fault do not retire; a repeated string instruction retires once. */
struct retired {
    enum retired_kind kind;
    uint8_t cpl;       /* privilege level at which the instruction started, 0 to 3 */
    uint8_t cpl_after; /* and after it */
    bool taken;        /* a branch that did not fall through */
    uint8_t branch;    /* enum branch_type, of a RETIRED_BRANCH; else BRANCH_OTHER */
    uint8_t access;    /* enum memory_access: both bits if it reads and writes; only needed if model_wants_memory() */
    uint8_t execution; /* enum execution; only needed then, too */
    uint64_t rip;      /* its address */
    uint64_t address;  /* linear, of the memory operand */
};

/*
 * The profile of this name, such as "skylake": the data of one real CPU. NULL: there is none. Valid as long as the
 * program runs. reference/model/profiles has all of them, with the source of each value.
 */
const struct profile *model_profile(const char *name);
/* The n-th profile, from 0; the default one is the first. NULL: there are no more. And the name of a profile. */
const struct profile *model_profile_at(unsigned n);
const char *model_profile_name(const struct profile *profile);

/*
 * Which rules of the model were called, and in which situations, for a driver that looks for what it has not reached
 * yet. A situation is a bit of the driver's choice; the driver zeroes this, and sets `now` before each report.
 */
#define MODEL_RULES_MOST 256
struct model_reached {
    uint16_t now;
    uint16_t in[MODEL_RULES_MOST]; /* by the rule's number: the situations in which it was called */
};
/* The name of the rule with this number, from 0. NULL: there are no more. */
const char *model_rule_name(unsigned number);

/* The choices for one run. */
struct model_setup {
    const struct profile *profile;
    uint32_t cpu, cpus; /* number of this logical processor, from 0, and how many there are, at least 1; the two
                           or three kinds of core of a hybrid have equal parts of them */
    /* For NetBurst, where threads of a core share counters: the same for CPUs 2n and 2n + 1. model_core_size() bytes,
     * zeroed before the first reset, 8-byte aligned; NULL: shares nothing. */
    struct model_core *core;
    /* For a PMU that is not to be a good one: called by each reset, and after an update of microcode; NULL: a good PMU.
     * */
    void (*change)(struct model *model, const void *how);
    const void *how;
    /* Frequency of host->time, if it advances only by the reported instructions and is this CPU's TSC in all respects:
     * registers and leaves tell this frequency. 0: host->time is another machine's, and those leaves are empty. */
    uint32_t tsc_khz;
    uint32_t microcode; /* its revision, as after an update to it; 0: the profile's */
    /* A PMI on its way arrives when model_pmi_arrives() is called, not by itself some instructions later: for retelling
     * what some CPU has done, when it is known where the PMI came. What was before that is not: the first branch record
     * has the most cycles. */
    bool arrivals_told;
    struct model_reached *reached; /* NULL: calls of rules are not noted */
};

/*
 * Sizes of a struct model and of a struct model_core, for which the caller provides the memory: 16-byte aligned. For
 * memory of fixed size: neither is ever more than the second number.
 */
uint64_t model_size(void);
uint64_t model_core_size(void);
#define MODEL_SIZE_MOST 28672
#define MODEL_CORE_SIZE_MOST 1280

/*
 * Makes the memory at `model` an instance, or resets it: the state of its profile at hand-off, with everything stopped
 * unless the profile says otherwise. Copies *setup and *host; what they point to must stay. Calls host->lvtpc_write()
 * if the profile has a value that the firmware leaves in that entry. Needs about 3 KB of stack, all other functions
 * less than 2 KB.
 */
void model_reset(struct model *model, const struct model_setup *setup, const struct model_host *host);

/*
 * `to`, which has just been reset, gets the state of `from`, but keeps its own rules and data; and what stand-ins keep
 * aside, too, if the rules are the same. Both must have the same profile, and share no core.
 */
void model_take_over(struct model *to, const struct model *from);
/*
 * May these two, which have just been reset with the same profile, differ in a run in which one of them has called only
 * the rules in `reached`? By what they were changed with (struct model_setup); true if in doubt.
 */
bool model_may_differ(const struct model *one, const struct model *other, const struct model_reached *reached);

/*
 * INIT has come to this CPU: counters and their controls stay as they are, the debug store is turned off and its area
 * forgotten, and the local APIC is as after a reset, in its current mode (by apic_write() and apic_mode(), if the host
 * has them). SDM 3A, "Processor State After Reset" and "Local APIC State After an INIT Reset".
 */
void model_init_signal(struct model *model);
/* The same for a driver whose machine's own local APIC has got the INIT. */
void model_init_pmu(struct model *model);

/*
 * Does the model answer for this MSR (whether it exists in the profile or faults)? The same for every profile, so that
 * intercepts can be set up once. All other MSRs are left to the driver.
 */
bool model_owns_msr(uint32_t msr);
/*
 * RDMSR and WRMSR of an MSR that it owns; any other faults. False: #GP(0), and nothing has changed, not even *value.
 * SDM 4, "Model-Specific Registers (MSRs)". CPL is not checked: the driver raises #GP above 0 before the call. A WRMSR
 * that returned true is itself an instruction: while model_stepping() it is reported by model_retire() as
 * RETIRED_WRMSR.
 */
bool model_rdmsr(struct model *model, uint32_t msr, uint64_t *value);
bool model_wrmsr(struct model *model, uint32_t msr, uint64_t value);
/*
 * The guest has stored into the local APIC's page: corrects what hardware would not have kept as written. Only for a
 * driver that lets such stores through to its own memory, and has apic_read and apic_write.
 */
void model_apic_written(struct model *model);
/* Call it before each access: true if the access never comes back, as on some CPUs for absent registers. For a good PMU
 * it is false. */
bool model_never_returns(struct model *model, uint32_t msr, bool write);
/* RDPMC of index ECX at privilege level `cpl`; `pce` is CR4.PCE. False: #GP(0), *value unchanged. SDM 2B, "RDPMC". */
bool model_rdpmc(struct model *model, uint32_t index, uint8_t cpl, bool pce, uint64_t *value);
/*
 * CPUID: `native` is the machine's answer (EAX, EBX, ECX, EDX), `out` gets that of the profile's CPU: its own for the
 * PMU and its users, the machine's for topology, caches and the like. Where there is no machine, `native` may be all
 * zeros. SDM 2A, "CPUID".
 */
void model_cpuid(struct model *model, uint32_t leaf, uint32_t subleaf, const uint32_t native[4], uint32_t out[4]);

/*
 * Must every retired instruction be reported? True while a counter can count, branches are recorded or traced, or a PMI
 * is on its way. WRMSR, RDMSR, RDPMC, reports and wake_other() may change it: call it after each. While it is false,
 * nothing has to be reported.
 */
bool model_stepping(struct model *model);
/* The same for instructions that start at this privilege level. */
bool model_stepping_at(struct model *model, uint8_t cpl);
/*
 * One retired instruction, reported in order while model_stepping(). First counts, then overflows, then a PMI on its
 * way: each may call back. Whatever the callbacks request takes place before the next instruction.
 */
void model_retire(struct model *model, const struct retired *instruction);
/*
 * An external interrupt, not an NMI, is delivered: it came while this privilege level was running. To be called while
 * model_stepping_at() it; may call back as model_retire() does.
 */
void model_interrupted(struct model *model, uint8_t cpl);
/*
 * An interrupt, an NMI or an exception, but not one that an instruction requested, goes to its handler: in place of the
 * instruction at `rip`, while this privilege level was running. To be called while model_stepping_at() it, before the
 * handler's first instruction; may call back as model_retire() does.
 */
void model_delivered(struct model *model, uint8_t vector, uint8_t cpl, uint64_t rip);
/* Does a PMI's arrival at the local APIC change more than the request of an interrupt? No good PMU's does. */
bool model_arrival_shows(const struct model *model);
/* The counters, as bits of IA32_PERF_GLOBAL_CTRL, that count and overflow within so many more counts. */
uint64_t model_near_overflow(const struct model *model, uint64_t counts);
/* The counters, with the same bits, that may count an instruction at this privilege level. */
uint64_t model_counting_at(const struct model *model, uint8_t cpl);
/* These counters, with the same bits, do not count the WRMSR that has just written their value and is not reported
 * yet: no manual says whether they do. */
void model_write_uncounted(struct model *model, uint64_t counters);
/* The counter at this bit has counted so much more than the model knew, as a real CPU shows: nothing else changes. */
void model_counted_more(struct model *model, uint8_t bit, uint64_t counts);
/* Has a PMI been raised that has not yet arrived at the local APIC? */
bool model_pmi_on_its_way(const struct model *model);
/* If a PMI is on its way, it arrives now, between two instructions: LVTPC decides how it is delivered. May call back.
 * Only with arrivals_told. */
void model_pmi_arrives(struct model *model);
/*
 * TSC ticks that the instructions reported since the reset have taken: a driver that reports all of them advances its
 * TSC by these, so that reference cycles and TSC are one clock.
 */
uint64_t model_ticks(const struct model *model);
/* Frequency at which the local APIC's timer counts, before it is divided. Never 0. */
uint32_t model_apic_timer_khz(const struct model *model);
/* Does IA32_TSC_ADJUST exist? */
bool model_has_tsc_adjust(const struct model *model);
/* The difference, modulo 2^64, between the TSC at hand-off and one that was not written since the reset. */
uint64_t model_tsc_ahead(const struct model *model);
/*
 * XBEGIN: does its transaction go on? Of a good PMU each aborts at once. Call it before RETIRED_XBEGIN is reported; a
 * transaction that goes on is ended by model_transaction_aborts(), whatever ends it.
 */
bool model_transaction_begins(struct model *model);
/* The transaction aborts: to be called behind its last instruction that has retired. */
void model_transaction_aborts(struct model *model);
/* The CPU sleeps in HLT, or has woken. Affects threads that share a core, and MPERF and APERF. */
void model_halted(struct model *model, bool halted);
/* The CPU goes to sleep by MWAIT: as deep as it can, so that its core may lose power. */
void model_slept(struct model *model);
/* Software has asked the firmware for an SMI, which has come and gone: SDM 3C, "System Management Mode Overview". */
void model_smi_asked(struct model *model);
/* A hypervisor has moved the guest to another host, or saved and loaded it. */
void model_moved(struct model *model);
/* Does anything depend on the memory operands of instructions now, or on their data types? */
bool model_wants_memory(const struct model *model);
/*
 * How many of the next instructions, if they are RETIRED_PLAIN or RETIRED_BRANCH and of one privilege level, may be
 * reported together, since they can only count: at most 1,000,000. 0: each must be reported by itself.
 */
uint32_t model_run_room(struct model *model);
/*
 * Branches that model_retire() has to report by themselves, since they are recorded or traced, or branch records are
 * counted. A run is then what lies between two of them.
 */
enum model_branches {
    BRANCHES_TOGETHER, /* none */
    BRANCHES_TAKEN,
    BRANCHES_EACH, /* taken branches, and conditional ones that are not taken */
};
enum model_branches model_wants_branches(const struct model *model);
/*
 * After two turns of a loop with one taken branch, which is no return, all further ones leave the same branch record.
 * Can they be reported as one run? They may differ in what else is kept of each.
 */
bool model_turns_alike(const struct model *model);
/* How many of these branches may be executed before the first one is reported. */
uint32_t model_branch_room(struct model *model);
/* Instructions reported together. */
struct model_run {
    uint8_t cpl;
    uint64_t rip; /* address of the first instruction */
    uint32_t instructions;
    uint32_t branches;                           /* RETIRED_BRANCH; all others are RETIRED_PLAIN */
    uint32_t taken, conditional, calls, returns; /* branches of these kinds; all but conditional ones are taken */
    uint32_t indirect_calls, indirect_jumps;     /* calls, and jumps, whose target is in a register or memory */
    uint32_t loads, stores;                      /* instructions that read, or write, a memory operand */
    uint32_t missed_taken, missed_not_taken;     /* conditional branches, by model_run_predict() */
    bool alike;                                  /* turns of a loop, see model_turns_alike() */
};
/* Adds the data of one branch in the run, of enum branch_type. */
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
/*
 * Are branches of this privilege level predicted now? Then each conditional branch in a run is told before the run is
 * reported, in their order; `times`: so many executions of the branch at `rip` follow each other, all taken or none.
 * What model_retire() reports is not told here. Branches at different places of the predictor may be told in any order.
 */
#define MODEL_PREDICTOR_PLACES 256
static inline uint8_t model_predictor_place(uint64_t rip)
{
    return (uint8_t)(rip ^ rip >> 8);
}
bool model_predicts(const struct model *model, uint8_t cpl);
void model_run_predict(struct model *model, struct model_run *run, uint64_t rip, bool taken, uint32_t times);
/* Reports a run, which must be within that room. */
void model_retire_run(struct model *model, const struct model_run *run);
