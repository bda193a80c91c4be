/*
 * What a walk consists of, as it is run: steps, the trace that they leave, and the table of the instructions that the
 * operations are made of (code.asm). Pure but for the code itself, which only lockstep.c enters.
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
    OP_MEMORY,      /* loads and stores */
    OP_READ_LVTPC,  /* the local APIC's entry, on its page */
    OP_WRITE_LVTPC, /* value */
    OP_EOI,
    OP_CLI,
    OP_STI,
    OP_SETTLE, /* number: turns in which a PMI on its way arrives */
    OP_IRET,   /* from the handler */
    OP_TO_USER,
    OP_FROM_USER,
    OP_CPUID,                    /* number: leaf; value: sub-leaf */
    OP_POKE,                     /* number: offset in the area that records go to; value */
    OP_PEEK,                     /* number: offset */
    OP_DRAWN,                    /* up to here a walk can have them */
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
    KIND_RDMSR,
    KIND_WRMSR,
    KIND_RDPMC,
    KIND_CPUID,
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
    KIND_IRET,
    KIND_TO_USER,
    KIND_FROM_USER,
    KIND_FLAGS,
    KIND_SETTLED,
    KIND_END,
    KIND_COUNT,
};

/* An instruction: its address, where it leads if it is a branch, and what it does. Neighbours stand side by side. */
struct code_row {
    u64 at, target;
    u64 kind;
};

/* Of an operation: its first instruction and that one's row, at CPL 0 and at CPL 3; NULL: there it has none. */
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
    u64 unused;
};
_Static_assert(sizeof(struct lockstep_step) == 32, "known to code.asm");

/* What stands first in an entry of the trace; other words are values that were read. */
#define TAG_FAULT 0x4641554c54000000ull /* and the vector; then RSI */
#define TAG_PMI 0x504d490000000000ull   /* and the vector; then RIP, RSI and RCX as they were interrupted */
#define PMI_WORDS 4
#define FAULT_WORDS 2

/* What the handler knows. */
struct lockstep_context {
    const struct lockstep_step *handler;
    const volatile u8 *abort; /* not 0: an NMI is another CPU's, which ends the call */
    u32 left;                 /* so many PMIs end the walk */
    u32 storm;                /* and have */
    u8 *area;                 /* OP_POKE and OP_PEEK */
};

#define LOCKSTEP_PMIS 20 /* so many end a walk: of each it may have to be found out when it arrived */

/* Where a walk's records go: the debug store's management area, and the buffer from the second page on. */
#define LOCKSTEP_AREA 8192
#define LOCKSTEP_BUFFER 4096
