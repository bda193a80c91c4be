/*
 * A short loop, translated so that the CPU itself executes many turns of it: its instructions are copied between code
 * that counts turns and leaves after a given number. Each instruction happens once a turn, so what happened follows
 * from the turns and from where the loop was left. Pure but for executing it.
 *
 * Translated are instructions that operation.h knows, none of which looks at anything but registers, flags and memory,
 * up to a branch back to the first one. Other branches may only leave the loop. Of 32-bit code, which is translated to
 * 64-bit code, only loops that leave memory alone are meant.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/reference/monitor/interpreter/operation.h"

#define LOOP_INSTRUCTIONS 24
#define LOOP_BYTES 96 /* of the loop itself */
#define LOOP_CODE 512 /* of its translation, at most */
#define LOOP_ENTRY 20 /* where that is entered; at its beginning it is left */

/* What passes between the monitor and the translation. Offsets known to loop.asm. */
struct loop_state {
    u64 registers[16]; /* 0: by number */
    u64 rflags;        /* 128: the status flags count */
    u64 left;          /* 136: turns that may still begin */
    u64 stop;          /* 144: why it ended: the instruction that comes next, or LOOP_LEFT + the branch that left */
    u64 code;          /* 152: where it begins */
    u64 leave;         /* 160: loop_leave */
    u64 own_rsp;       /* 168 */
};
#define LOOP_LEFT 256

struct loop {
    u64 top, behind;                   /* addresses of its first instruction, and behind its last one */
    u8 count, branches;                /* instructions of a turn, and how many of them are branches */
    bool touches_memory, stores;       /* does it access memory, and does it write? */
    bool always;                       /* is the branch back unconditional? The others never are */
    struct operation closing;          /* the branch back */
    u8 starts[LOOP_INSTRUCTIONS + 1];  /* instructions by distance from `top`; the last is the end */
    bool is_branch[LOOP_INSTRUCTIONS]; /* they leave the loop or, the last one, close it, */
    u64 targets[LOOP_INSTRUCTIONS];    /* and lead there if taken */
    u16 places[LOOP_INSTRUCTIONS + 1]; /* where each stands in the translation */
    u8 bytes[LOOP_BYTES];              /* what was translated */
};

/*
 * Translates the loop of `count` instructions at `top`, which `body` describes and `bytes` holds, for execution at
 * `at`. `code` has room for LOOP_CODE bytes. Returns their number, or 0 if it is no such loop.
 */
unsigned loop_translate(struct loop *loop, const struct operation *body, unsigned count, u64 top, const u8 *bytes,
                        u8 *code, u64 at, const struct loop_state *state);

/* What the turns came to. */
struct loop_result {
    u32 instructions, branches;
    u32 taken, conditional; /* of the branches */
    u64 last;               /* the last instruction executed, if there was one */
    u64 rip;                /* the one that comes next */
};
/* Executes the translation; state->left, the turns, is at least 1. A branch to itself is reckoned instead. */
void loop_run(const struct loop *loop, struct loop_state *state);
/* After an execution that was given `turns`. */
struct loop_result loop_result(const struct loop *loop, const struct loop_state *state, u64 turns);

/* A fault at `offset` of the translation: which instruction did it; false: none. */
bool loop_faulted(const struct loop *loop, u64 offset, unsigned *instruction);

/* ---- loop.asm */
/* For loop_run() alone. */
void loop_enter(struct loop_state *state);
/* Where translations jump to in the end. */
extern const u8 loop_leave[];
