/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk as it is run: steps, the trace that they leave, and the table of the instructions in the operations
 * (code.asm). Pure but for the code itself, which only lockstep.c enters.
 */
#pragma once

#include "boot/bits.h"

/* What a step does. In the order of code.asm's table. */
enum lockstep_op {
    OP_END,
    OP_WRMSR,       /* number: the register; value */
    OP_RDMSR,       /* number */
    OP_RDPMC,       /* number: the index */
    OP_LOOP,        /* number: turns, at least 1 */
    OP_BRANCHES,    /* one of each kind */
    OP_STRAIGHT,    /* no branch */
    OP_MEMORY,      /* some loads and stores */
    OP_READ_LVTPC,  /* the local APIC's register, in its page */
    OP_WRITE_LVTPC, /* value */
    OP_EOI,
    OP_CLI,
    OP_STI,
    OP_SETTLE, /* number: turns after which a PMI on its way has arrived */
    OP_IRET,   /* end of the handler */
    OP_TO_USER,
    OP_FROM_USER,
    OP_CPUID,                    /* number: leaf; value: sub-leaf */
    OP_POKE,                     /* number: offset in LOCKSTEP_MEMORY; value */
    OP_PEEK,                     /* number: offset */
    OP_TPR,                      /* value: CR8 */
    OP_STRING,                   /* a REP string instruction */
    OP_SAMPLE,                   /* never in a run: number and value say what a scene at its end samples */
    OP_TRACE,                    /* the same: what it traces */
    OP_DRAWN,                    /* a walk has only the operations before this one */
    OP_X2_READ_LVTPC = OP_DRAWN, /* the same three in x2APIC mode */
    OP_X2_WRITE_LVTPC,
    OP_X2_EOI,
    OP_ENTRY_PMI,
    OP_ENTRY_NMI,
    OP_ENTRY_FAULT,
    OP_ENTRY_BACK,
    OP_COUNT,
};

/* What an instruction does. In the order of code.inc. */
enum code_kind {
    KIND_PLAIN,
    KIND_LOADS,
    KIND_STORES,
    KIND_MODIFIES,
    KIND_ARGUMENT,
    KIND_COUNT_DOWN,
    KIND_LOOP,
    KIND_NEXT,
    KIND_GO,
    KIND_JUMP,
    KIND_JUMP_INDIRECT,
    KIND_CALL,
    KIND_CALL_INDIRECT,
    KIND_RETURN,
    KIND_TAKEN,
    KIND_NOT_TAKEN,
    KIND_IF_USER,
    KIND_FENCE,
    KIND_RDMSR,
    KIND_WRMSR,
    KIND_RDPMC,
    KIND_CPUID,
    KIND_STRING,
    KIND_SECOND,
    KIND_POKES,
    KIND_PEEKS,
    KIND_STORES_VALUE,
    KIND_STORES_WORD,
    KIND_READS_LVTPC,
    KIND_WRITES_LVTPC,
    KIND_EOI,
    KIND_MSR_LVTPC,
    KIND_MSR_EOI,
    KIND_CLI,
    KIND_STI,
    KIND_SETS_TPR,
    KIND_IRET,
    KIND_TO_USER,
    KIND_FROM_USER,
    KIND_FLAGS,
    KIND_SETTLED,
    KIND_END,
    KIND_COUNT,
};

/* An instruction: its address, its target if it is a branch, and what it does. Rows are in the order of addresses. */
struct code_row {
    u64 at, target;
    u64 kind;
};

/* An operation's first instruction and the row of that one, at CPL 0 and at CPL 3; NULL: it does not exist there. */
struct code_of {
    u64 code;
    const struct code_row *rows;
};
struct code_operation {
    struct code_of at_cpl0, at_cpl3;
};
extern const struct code_operation lockstep_code[OP_COUNT];

/* A step as the code reads it. */
struct lockstep_step {
    u64 code;
    u32 number, op; /* enum lockstep_op */
    u64 value;
    u64 place; /* OP_POKE, OP_PEEK: the address of the word */
};
_Static_assert(sizeof(struct lockstep_step) == 32, "known to code.asm");

/* The first word of an entry in the trace; other words are values that were read. */
#define TAG_FAULT 0x4641554c54000000ull /* plus the vector; then RSI */
#define TAG_PMI 0x504d490000000000ull   /* plus the vector; then the interrupted RIP, RSI and RCX */
#define PMI_WORDS 4
#define FAULT_WORDS 2

/* What registers hold that no operation uses: this number is in RBP, and the following ones are in R8, R9 and R10. */
#define WALK_RBP 0x0b9e5a17c3d28f64ull

/* The data of the PMI handler. */
struct lockstep_context {
    const struct lockstep_step *handler;
    const volatile u8 *abort; /* not 0: an NMI is from another CPU, which ends the call */
    u32 left;                 /* PMIs that are left until the walk is ended */
    u32 storm;                /* not 0: too many PMIs have ended it */
};

#define LOCKSTEP_PMIS 20 /* that many PMIs end a walk: for each, the oracle may have to find out when it arrived */

/*
 * The memory of walks, as OP_POKE and OP_PEEK see it: for records the debug store's management area, and the buffer
 * from the second page on; then for traces the table, a page that is not used, and the regions.
 */
#define LOCKSTEP_AREA 8192
#define LOCKSTEP_BUFFER 4096
#define LOCKSTEP_TRACE 16384 /* TRACE_REGION_OFFSET + TRACE_REGIONS * TRACE_REGION_BYTES */
#define LOCKSTEP_MEMORY (LOCKSTEP_AREA + LOCKSTEP_TRACE)
