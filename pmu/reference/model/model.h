/*
 * The reference PMU: a software model of one logical processor's Intel PMU, in pure C. It is written from the manual
 * and knows nothing of the tests. Whoever drives it (the monitor in the image, a host test) reports each retired
 * instruction and asks it for CPUID, RDMSR, WRMSR and RDPMC; it owns its callbacks.
 */
#pragma once

#include "pmu/registers.h"
#include <stdbool.h>
#include <stdint.h>

struct model;
struct model_core;
struct profile; /* profile.h */

/* What a PEBS record shows of the CPU: the state after the instruction just reported. */
struct model_registers {
    uint64_t rip, rflags;
    uint64_t general[16]; /* by number: RAX RCX RDX RBX RSP RBP RSI RDI R8 .. R15 */
    uint64_t xmm[16][2];
};

/* What the model needs from its surroundings. All take `context` first. */
struct model_host {
    void *context;
    uint32_t (*lvtpc_read)(void *context); /* local APIC, LVT performance-counter entry */
    void (*lvtpc_write)(void *context, uint32_t value);
    void (*interrupt)(void *context, uint8_t vector); /* request a fixed interrupt on this CPU */
    void (*nmi)(void *context);                       /* pend an NMI on this CPU */
    uint64_t (*time)(void *context);                  /* TSC */
    /* Either may be NULL: no good PMU asks for it. Another CPU gets the interrupt; this one gets it whatever IF and TPR
     * say. */
    void (*interrupt_other)(void *context, uint32_t cpu, uint8_t vector, bool nmi);
    void (*interrupt_forced)(void *context, uint8_t vector);
    /* What the threads of a core share has changed: that CPU is to ask model_stepping() soon. NULL: it asks by itself.
     */
    void (*wake_other)(void *context, uint32_t cpu);
    void (*machine_check)(void *context);         /* a machine check arrives on this CPU */
    void (*stall)(void *context, uint32_t ticks); /* an SMI takes so many TSC ticks; NULL: SMIs take no time */
    /* Local APIC registers by xAPIC offset, for x2APIC mode; NULL: the model can present none. */
    uint32_t (*apic_read)(void *context, uint32_t offset);
    void (*apic_write)(void *context, uint32_t offset, uint32_t value);
    /* For PEBS; NULL, each of them: no record is ever written. Memory by linear address; false: not all of it can be
     * accessed. */
    bool (*memory_read)(void *context, uint64_t address, void *to, uint32_t count);
    bool (*memory_write)(void *context, uint64_t address, const void *from, uint32_t count);
    void (*registers)(void *context, struct model_registers *registers);
};

enum retired_kind {
    RETIRED_PLAIN,
    RETIRED_BRANCH,     /* near jump, conditional or not, near call, near return, LOOP, JRCXZ */
    RETIRED_FAR_BRANCH, /* far jump, call, return, INT n, SYSCALL, SYSRET */
    RETIRED_IRET,
    RETIRED_REP_STRING,
    RETIRED_CPUID,
    RETIRED_WRMSR, /* reported after model_wrmsr() for the same instruction, when that returned true */
    RETIRED_HLT,
    RETIRED_PAUSE,
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

struct retired {
    enum retired_kind kind;
    uint8_t cpl;       /* privilege level at which the instruction started */
    uint8_t cpl_after; /* and after it */
    bool taken;        /* a branch that did not fall through */
    uint8_t access;    /* enum memory_access, both for one that reads and writes; only if model_wants_memory() */
    uint8_t execution; /* enum execution; likewise only then */
    uint64_t rip;      /* its address */
    uint64_t address;  /* linear, of the memory operand */
};

/* Everything a run chooses. */
struct model_setup {
    const struct profile *profile;
    uint32_t cpu, cpus;      /* this logical processor and how many there are */
    struct model_core *core; /* of CPU 2n and 2n + 1 the same: model_core_size() bytes, zeroed; NULL: shares nothing */
    /* Called by each reset, for an instance that is not to be a good PMU; NULL: it is one. */
    void (*change)(struct model *model, const void *how);
    const void *how;
};

/* struct model: model_state.h; callers allocate model_size() bytes, zeroed, 16-byte aligned */
uint64_t model_size(void);
uint64_t model_core_size(void);

/* Puts the model into the state of its profile at hand-off, with everything stopped or as the profile says. */
void model_reset(struct model *model, const struct model_setup *setup, const struct model_host *host);

/*
 * Does the model answer for this MSR (whether it exists in the profile or faults)? The same for every profile, so that
 * interception can be set up once. An MSR that it does not own reaches the real machine.
 */
bool model_owns_msr(uint32_t msr);
/* False: #GP(0), and nothing changed. */
bool model_rdmsr(struct model *model, uint32_t msr, uint64_t *value);
bool model_wrmsr(struct model *model, uint32_t msr, uint64_t value);
/* The guest has stored into the local APIC's page: what a plain register would keep and hardware does not is put right.
 */
void model_apic_written(struct model *model);
/* Asked before each access: true if it never comes back, as accesses to absent registers did on some CPUs. */
bool model_never_returns(struct model *model, uint32_t msr, bool write);
/* RDPMC of index ECX; pce is CR4.PCE. False: #GP(0). */
bool model_rdpmc(struct model *model, uint32_t index, uint8_t cpl, bool pce, uint64_t *value);
/* CPUID: `native` is what the machine answers (EAX, EBX, ECX, EDX), `out` what the profile's CPU does. */
void model_cpuid(const struct model *model, uint32_t leaf, uint32_t subleaf, const uint32_t native[4], uint32_t out[4]);

/* Must every retired instruction be reported? True while a counter can count or a PMI is on its way. */
bool model_stepping(struct model *model);
/* The same for instructions that start at this privilege level, while it lasts. */
bool model_stepping_at(struct model *model, uint8_t cpl);
/* One retired instruction, reported in order while model_stepping(). May call back for a PMI. */
void model_retire(struct model *model, const struct retired *instruction);
/* The CPU sleeps in HLT, or has woken. */
void model_halted(struct model *model, bool halted);
/* Does anything depend on the memory operands of instructions now, or on what they compute with? */
bool model_wants_memory(const struct model *model);
/*
 * How many of the next instructions, if they are RETIRED_PLAIN or RETIRED_BRANCH and of one privilege level, may be
 * reported together, since nothing can come of any of them but counts. 0: each must be reported by itself.
 */
uint32_t model_run_room(struct model *model);
/* Reports a run within that room; `branches` of the instructions are branches, and the last stands at `last_rip`. */
void model_retire_run(struct model *model, uint8_t cpl, uint32_t instructions, uint32_t branches, uint64_t last_rip);
