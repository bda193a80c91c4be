/*
 * Retells a walk to an instance of the model, instruction by instruction, and compares: what the CPU has left in the
 * trace is what must come out. Where a PMI came is taken from the trace, as no manual says when it does; all else is
 * computed. The same code can also play the CPU's part, for host tests: it then writes the trace. Pure.
 */
#pragma once

#include "pmu/reference/lockstep/walk.h"
#include "pmu/reference/model/model.h"

enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_VALUE,    /* a register does not read as it must */
    DIFFERENCE_FAULT,    /* #GP where there is none due */
    DIFFERENCE_NO_FAULT, /* and the other way round */
    DIFFERENCE_PMI,      /* a PMI that nothing has raised, or that is closed out */
    DIFFERENCE_NO_PMI,   /* one that must have come */
    DIFFERENCE_PLACE,    /* it came where the walk never was */
    DIFFERENCE_STORM,    /* they come without an end */
    DIFFERENCE_RECORD,   /* memory that records go to does not hold what it must; step: the offset */
    DIFFERENCE_KINDS,
};
const char *difference_name(enum difference_kind kind);

struct difference {
    enum difference_kind kind;
    bool in_handler;
    u32 step;       /* index of body or handler, as it was run */
    u32 op, number; /* of the step */
    u64 want, got;  /* values; of a PMI: its vector */
};

#define DRAWS_MOST 48
/* An instance, and of the machine around it what the model asks for. */
struct oracle {
    struct model *model;
    struct model_host host;
    u32 lvtpc;
    bool fixed, nmi; /* requested and not delivered */
    u8 vector;
    bool pce;
    u64 time;
    u64 info_kept; /* the flags of a branch record that stay as they were written */
    u8 *area;      /* LOCKSTEP_AREA bytes: what the area of records must hold, but for words that nobody knows */
    u64 area_at;   /* its address; 0: there is none */
    u64 retold;    /* instructions so far */
    u64 next;      /* address of the instruction after the one reported */
    /* What the CPU has drawn, as far as that has been found out; in order, and 0 behind the last one. */
    u32 draws;
    u32 most[DRAWS_MOST], drawn[DRAWS_MOST];
    u8 of_counter[DRAWS_MOST];
};

/* Connects `model`, of model_size() bytes; `setup` as for model_reset(), whose arrivals_told is chosen here. */
void oracle_reset(struct oracle *oracle, struct model *model, const struct model_setup *setup, bool plays);
/*
 * Retells run->body from its start. `end` is behind the last word of the trace. `storm`: the run was ended for too many
 * PMIs. `choices`: at the n-th place where it cannot be seen whether a PMI on its way has arrived, bit n says it has;
 * *used gets how many there were. Returns how many steps went well.
 */
u32 oracle_retell(struct oracle *oracle, const struct lockstep_run *run, const u64 *end, bool storm, u64 choices,
                  u32 *used, struct difference *difference);
/* Plays the CPU: fills run->trace and returns where it ends. NULL: too many PMIs. */
u64 *oracle_play(struct oracle *oracle, struct lockstep_run *run);
