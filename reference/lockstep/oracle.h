/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Retells a walk to an instance of the model, instruction by instruction, and compares the results with the CPU's
 * trace. The trace tells where a PMI came, as no manual defines that; all else is computed. The same code can also play
 * the CPU's part, for host tests: it then writes the trace. Pure.
 */
#pragma once

#include "reference/lockstep/promises.h"
#include "reference/lockstep/walk.h"
#include "reference/model/model.h"

enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_VALUE,    /* a register has a wrong value */
    DIFFERENCE_FAULT,    /* an unexpected #GP */
    DIFFERENCE_NO_FAULT, /* a #GP is missing */
    DIFFERENCE_PMI,      /* a PMI that nothing has raised, or that was blocked */
    DIFFERENCE_NO_PMI,   /* a PMI is missing */
    DIFFERENCE_PLACE,    /* the trace has a PMI where the walk never was */
    DIFFERENCE_STORM,    /* PMIs come without end */
    DIFFERENCE_RECORD,   /* memory for records has a wrong value; step: its offset */
    DIFFERENCE_KINDS,
};
const char *difference_name(enum difference_kind kind);

struct difference {
    enum difference_kind kind;
    bool in_handler;
    u32 step;       /* index in body or handler of the run */
    u32 op, number; /* the step's */
    u64 want, got;  /* values; for a PMI: its vector */
};

#define DRAWS_MOST 48

/* In which situation a rule is called: one of SITUATIONS, by these bits of its number. */
enum situation_bit {
    SITUATION_CPL_3 = 1,
    SITUATION_NMI = 2,        /* LVTPC delivers NMIs */
    SITUATION_MASKED = 4,     /* LVTPC is masked */
    SITUATION_ON_ITS_WAY = 8, /* a PMI has been raised and has not come yet */
    SITUATIONS = 16,
};

/* An instance of the model, and the machine around it. */
struct oracle {
    struct model *model;
    struct model_host host;
    struct model_reached *reached; /* NULL: it is not noted */
    struct oracle *other;          /* if it plays: another CPU, which gets the interrupts for it; NULL: none does */
    u32 lvtpc;
    bool fixed, nmi; /* interrupts that are requested but not delivered */
    u8 vector;
    u64 time;
    u64 info_kept; /* flags of a branch record that stay as they were written */
    u64 info_told; /* flags of a branch record as the model records them */
    bool modelled; /* the CPU is a model, too, on the reference PMU */
    u8 *memory;    /* LOCKSTEP_MEMORY bytes: the expected contents, except unknown words */
    struct walk_places places;
    u64 retold;                       /* number of instructions so far */
    bool unsure;                      /* what was read depends on when a PMI has arrived, and no choice decides that */
    struct model_registers registers; /* as far as they are known */
    u64 next;                         /* address behind the instruction that is being reported */
    void (*between)(struct oracle *oracle); /* called before each instruction; NULL: nothing happens there */
    /*
     * Random draws of a CPU that counts more now and then. A reading decides what a counter has drawn so far: `owed`,
     * by its bit in IA32_PERF_GLOBAL_CTRL, is how much more it may have counted than the model knows. Only draws near
     * an overflow have to be tried: in order, 0 behind the last known one.
     */
    u32 chance; /* the most that was drawn up to; 0: there were no draws */
    u32 draws;
    u64 near;
    u32 most[DRAWS_MOST], drawn[DRAWS_MOST], owed[COUNTER_BITS];
};

/* Sets the oracle up with `model`, of model_size() bytes. `setup` as for model_reset(); arrivals_told is set here. */
void oracle_reset(struct oracle *oracle, struct model *model, const struct model_setup *setup, bool plays);
/*
 * Retells run->body from its start. `end` is behind the last word of the trace. `storm`: too many PMIs have ended the
 * run. Bit n of `choices`: at the n-th place where the trace does not tell whether a PMI on its way has arrived, it
 * has. *used gets the number of such places. Returns how many steps fit.
 */
u32 oracle_retell(struct oracle *oracle, const struct lockstep_run *run, const u64 *end, bool storm, u64 choices,
                  u32 *used, struct difference *difference);
/* Plays the CPU: fills run->trace and returns its end. NULL: too many PMIs. */
u64 *oracle_play(struct oracle *oracle, struct lockstep_run *run);
