/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What puts the reference PMU under the running CPU: from then on the model answers CPUID, RDMSR, WRMSR and RDPMC, and
 * is told of each instruction while a counter can count. An image has one or several steppers, which need different
 * things of the machine; each is a row made with STEPPER(), and all of them have to count the same.
 */
#pragma once

#include "boot/bits.h"
#include "reference/model/model.h"

#define STEPPER_TEXT 128
#define STEPPER_WAYS 4   /* at most, of one stepper */
#define STEPPER_STATES 5 /* likewise */

struct stepper_statistics {
    u64 exits, steps, retired;
    u64 traps;     /* steps that took a #DB; the others were executed by the stepper */
    u64 forwarded; /* steps that were reported together, after the CPU had executed them at its own speed */
    u64 accesses;  /* accesses to registers that were answered without an exit, and are not in `steps` */
    u64 hung;      /* exits for an access that never comes back */
    u64 checked[STEPPER_STATES]; /* exits that ended in each of its states */
};

/* Costs in picoseconds on the calling CPU, which must be under the stepper with its counters stopped. */
struct stepper_speed {
    u64 trap_ps; /* a bare #DB trap with an empty handler */
    u64 step_ps; /* a step of the reference PMU with one counter counting */
    u64 loop_us; /* ten million instructions of a straight loop, counted likewise; 0: it is stepped */
    u64 call_ps; /* a call of the stepper: a VM exit, or a trap */
    u64 site_ps; /* a CPUID, which the model answers */
    u64 free_ps; /* an instruction that is not stepped */
};

struct stepper {
    const char *name;
    /* Ways of stepping, from the fastest to the one that relies on least, and then NULL. Each must count the same. */
    const char *const *ways;
    u32 kib; /* of memory that arm() takes for each CPU, about */

    /* Why it cannot be used here (one line, what to do), or NULL if it can. On the boot CPU; changes nothing. */
    const char *(*unavailable)(void);
    /*
     * Puts the calling CPU under it with the given set-up. If it already is, re-arms it: model reset, LVTPC masked, a
     * pending PMI drained, virtual NMI state cleared. On every CPU at a barrier with counters stopped. False: no memory
     * for it.
     */
    bool (*arm)(const struct model_setup *setup);
    /* Once every CPU is: on the boot CPU, while the others sleep. NULL: nothing is needed then. */
    void (*everywhere)(void);
    /*
     * Gives the calling CPU back to its own PMU, as if it had never been under the stepper; after restore_text(). NULL:
     * it cannot.
     */
    void (*disarm)(void);
    /* Is the calling CPU under it? */
    bool (*active)(void);
    /*
     * An INIT or a sleep takes a CPU away, which leaves() tells before; no other CPU may do anything then. stays(): it
     * did not happen. On the CPU itself: comes_back() after an INIT, with the model in the state after it; arm() after
     * a sleep. Nothing for a CPU that is not under it.
     */
    void (*leaves)(u32 cpu);
    void (*stays)(u32 cpu);
    void (*comes_back)(void);
    /* Undoes patches of the image's text, so that its checksum can be verified. On the boot CPU, while no other CPU
     * runs anything. */
    void (*restore_text)(void);

    /* The way of stepping on the calling CPU, by its place in `ways`. */
    void (*set_way)(unsigned way);
    /*
     * Runs the counted snippets on the calling CPU and compares each count with its known value. Returns the number of
     * wrong ones and describes the first in text (STEPPER_TEXT bytes). Must be 0 before the reference PMU is used.
     */
    unsigned (*prove)(char *text);
    /*
     * Asks on the calling CPU, in the present way of stepping, what counts do not show: does HLT wake, is an NMI held?
     * NULL, or what does not hold (one line). Between probes(true) and probes(false), on the boot CPU.
     */
    const char *(*probe)(void);
    void (*probes)(bool begin);

    struct stepper_statistics (*statistics)(void);
    struct stepper_speed (*speed)(void);
    /* The work for a CPU so far, in microseconds on a machine of ordinary speed. */
    u64 (*work_us)(u32 cpu);
};

#define STEPPER(id) \
    static const struct stepper *const stepper_pointer_##id __attribute__((section("steppers"), used)) = &(id)

/* The stepper that is used, after stepper_choose(). */
const struct stepper *stepper(void);
/*
 * Chooses the stepper that has a way of stepping with this name; NULL: the one whose name comes first in the order of
 * preference, and its first way. Returns the way's place in its list, or -1 if the image has no such way.
 */
int stepper_choose(const char *way);
/* Is the calling CPU under a stepper? */
bool stepper_active(void);
/* The functions of the chosen stepper; nothing without one. */
void stepper_leaves(u32 cpu);
void stepper_stays(u32 cpu);
void stepper_comes_back(void);
void stepper_everywhere(void);
/* The calling CPU's model is told that its guest was moved to another host. */
void stepper_moved(void);
void stepper_restore_text(void);

/* ---- For steppers. */

/* What the threads of this CPU's core share, made by the first of them; NULL: no memory. */
struct model_core *stepper_core(u32 cpu);
/* Lets an interrupt that was left requested reach its handler, which acknowledges it. */
void stepper_drain(void);

/*
 * Calls of a stepper from the code that it steps: code in RAX, argument in RDI, result in RAX. How the call is made is
 * the stepper's own: this function does so, and the counted snippets by an instruction of their own (snippets.inc).
 */

enum stepper_call {
    CALL_REARM = 0x706d7500, /* resets model and virtual state by the set-up */
    CALL_STEPPING,           /* argument: the way of stepping from here on */
    CALL_COUNT_BEGIN,        /* step from here, counting retired instructions */
    CALL_COUNT_END,          /* stop; returns the number of retired instructions */
    CALL_IDT,                /* argument: address of the interrupt table to use; returns the previous one's */
    CALL_MOVED,              /* the guest is moved to another host */
    CALL_NOTHING,
    CALLS_OF_ALL /* what follows is one stepper's */
};
u64 stepper_call(u32 code, u64 argument);

/* ---- What every stepper is asked before it is used, and what it costs: rows of struct stepper (stepper.h). */

unsigned stepper_prove(char *text);
const char *stepper_probe(void);
void stepper_probes(bool begin);
/* `way`: the present way of stepping. `single`: the first way that executes instructions one by one. */
struct stepper_speed stepper_speed(void (*set_way)(unsigned way), unsigned way, unsigned single);
