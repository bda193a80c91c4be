/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a walk must show, by the manual and the model, and what is made of a difference: text, a shorter walk, an
 * explanation.
 */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/lockstep/code.h"
#include "reference/lockstep/walk.h"
#include "reference/model/model.h"

/*
 * What the manual promises of a value that is read, so that a CPU must show the model's: all of it, some bits, or
 * nothing once cycles have moved it. Pure.
 */

#define WRITTEN_MOST 32
#define COUNTER_BITS 48 /* of IA32_PERF_GLOBAL_CTRL */

/* A register with partly promised bits: all of them are promised while nothing that could change it has retired. */
struct written {
    u32 msr;
    u32 moment;
    u64 value; /* its value at that moment */
};

/*
 * A rough counter counts what no manual counts for each instruction: cycles, slots, misses, or cycles in which
 * something happens. Since it was written, or read last, it had the value `since`.
 */
struct rough {
    u64 since;
    u32 switches; /* then, see below */
    u16 slack;    /* how far off by each time that it begins to count, where it depends on what was before */
    u16 most;     /* the same, of all its events since then */
    bool known;   /* it was written, or read, in this walk */
};

struct promises {
    u64 info_kept; /* flags of a branch record that stay as they were written */
    u64 info_told; /* those that recording sets to what the model knows */
    bool modelled; /* the CPU's clocks are those of a model, too: it counts nearly as many cycles as the oracle */
    u64 rough;     /* the rough ones, by their bits in IA32_PERF_GLOBAL_CTRL */
    u64 moved;     /* counters that may have counted since they were written or read */
    u32 switches;  /* how often counting may have begun or ended so far */
    u8 noted;      /* bit 0: which counters count at CPL 0 is in `moved` since then; bit 1: at CPL 3 */
    struct rough counter[COUNTER_BITS];
    /* PERF_METRICS when it was read last, as the model and the CPU had it; 0: it was not. And that moment. */
    u64 metrics[2];
    u32 metrics_moment;
    u32 moment; /* number of instructions that retired while something was counted or recorded */
    u32 count;
    struct written written[WRITTEN_MOST];
};

/* At the start of a walk: fixed counters other than that of instructions are rough. */
void promises_begin(struct promises *promises);
/* Are these flags of a branch record, with cycles that the model does not know? */
bool promises_unknown_cycles(u64 info);
/* Does this event select make a counter a rough one? Only with its enable bit. */
bool promises_rough(u64 select);
/* An instruction at this privilege level may be counted. */
void promises_count(struct promises *promises, const struct model *model, u8 cpl);
/* Counting may begin or end: a control is written, or a PMI comes. */
void promises_switch(struct promises *promises);
/* The counter that a step reads or writes, as its bit in IA32_PERF_GLOBAL_CTRL; 64: none. */
u32 promises_counter(const struct lockstep_step *step);
/* After a step has written its register: the model's value is the CPU's. */
void promises_written(struct promises *promises, struct model *model, const struct lockstep_step *step);
/* After a step has read its register: RDPMC may have cleared metrics and slots. */
void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step);
/*
 * The model shows `want` to a step that reads, the CPU `got`: is that as promised? A rough counter that cannot have
 * counted must not have moved; else it must be near the model's value, which becomes the CPU's, or on a CPU whose
 * clocks are its own it must have moved if the model's has moved far.
 */
bool promises_keep(struct promises *promises, struct model *model, const struct lockstep_step *step, u64 want, u64 got);
/* Does this counter, by its bit in IA32_PERF_GLOBAL_CTRL, count each instruction at this privilege level now? */
bool promises_counts_each(const struct promises *promises, struct model *model, u32 counter, u8 cpl);
/* Does the step read a rough counter, whose value is the last one's read or written, and what was counted since? */
bool promises_moving(const struct promises *promises, const struct lockstep_step *step);

/*
 * Retells a walk to an instance of the model, instruction by instruction, and compares the results with the CPU's
 * trace. The trace tells where a PMI came, as no manual defines that; all else is computed. The same code can also play
 * the CPU's part, for host tests: it then writes the trace. Pure.
 */

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
    bool modelled; /* the CPU is a model, too, on the reference PMU; else it is hardware */
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
    u32 chance;     /* the most that a variation drew up to; 0: there were no such draws */
    bool uncounted; /* on hardware: a WRMSR to a running counter does not count there, as far as was seen */
    bool wrote;     /* there was such a WRMSR. A draw for each: 1 is the other one of both */
    bool vague;     /* not all of the CPU's state may be known afterwards */
    u32 draws;
    u64 near;
    u32 most[DRAWS_MOST], drawn[DRAWS_MOST], owed[COUNTER_BITS];
};

/* Sets the oracle up with `model`, of model_size() bytes. `setup` as for model_reset(); arrivals_told is set here.
 * oracle->modelled must be set before, and stays. */
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

/*
 * What is known of NetBurst's PMU at a step of a walk: which of its two counters are on, and how far the one that
 * samples is from its end. An overflow arms it, some instructions later: only if no occurrence lies among these is it
 * defined which one the record shows. So while a counter samples a walk consists of loops, and it overflows at the load
 * before one, or at the last load of the write that stops it. Only for compile.c and the scenes.
 */

#define NETBURST_LOOP 8 /* turns of a loop that is longer than any such time */

struct netburst_known {
    u8 enabled;   /* bit n: counter 4 + n */
    u8 other;     /* bit n: CRU_ESCRn counts the other thread at CPL 0, which executes an unknown number */
    bool samples; /* sampling is on for this thread */
    u64 value;    /* of the own counter: events until its end, as it was written; 0: unknown */
    u64 period;   /* the same after a record */
    u64 left;     /* loads until it overflows, while it samples */
    bool armed;   /* it has overflowed: the next load gives a record */
};

/* After a write of a register, or to the area of records. */
void netburst_after_write(const struct space *s, struct netburst_known *known, u32 msr, u64 value);
void netburst_after_poke(const struct space *s, struct netburst_known *known, u32 offset, u64 value);
/* Is the own counter sampling now? */
bool netburst_sampling(const struct space *s, const struct netburst_known *known);
/* Is everything that this step counts defined? The handler, at any time, turns no counter on. */
bool netburst_defined(const struct space *s, const struct netburst_known *known, const struct walk_step *step);
bool netburst_defined_in_handler(const struct walk_step *step);
/* After a loop, which was defined. */
void netburst_after_loop(const struct space *s, struct netburst_known *known);
/* Would the counter overflow in a write that stops it, at other loads than the last? Another loop must precede it. */
bool netburst_needs_loop(const struct space *s, const struct netburst_known *known);
/* Does this write turn a counter on that samples? No PMI may be on its way then. */
bool netburst_starts(const struct space *s, const struct netburst_known *known, const struct walk_step *step);

/* ---- Walks as text: one line for an option, and a program for people. Pure. */

/* Room for the longest walk; a line may have no room for the last steps. */
#define WALK_TEXT 900
/*
 * Writes body and handler as walk_parse() reads them: "w38f=7.l1a.r38e/w390=1". False: no room; text ends after a step.
 */
bool walk_text(const struct walk *walk, char *text, size_t size);
/* False: `error` (WALK_ERROR bytes) tells what is wrong and where. */
#define WALK_ERROR 120
bool walk_parse(const char *text, struct walk *walk, char *error);

#define STEP_TEXT 160
/* "WRMSR IA32_PERF_GLOBAL_CTRL 0x7" */
const char *step_text(u32 op, u32 number, u64 value, char *text);
/* "RDMSR IA32_PMC0 gave 0x6 and not 0x5" */
const char *difference_text(const struct difference *difference, char *text);

/*
 * Interest guides chance: a walk in which the model called a rule in a situation that no walk before it had reached is
 * kept, and some later walks are variations of kept ones. Pure.
 */

#define INTEREST_KEPT 32 /* the last ones */

/* Of one CPU; begins as zeros. */
struct interest {
    struct model_reached reached; /* in the walk that is being retold */
    u16 seen[MODEL_RULES_MOST];   /* in all walks, by the rule's number: situations, as bits */
    u32 count;                    /* walks that were kept so far */
    struct walk kept[INTEREST_KEPT];
};

/* The walk has been retold: adds what it has reached, and keeps it if some of that is new. */
void interest_learn(struct interest *interest, const struct walk *walk);
/* Draws a walk, or varies a kept one. The same seed and the same kept walks give the same walk. */
void interest_draw(const struct interest *interest, const struct space *space, u64 seed, struct walk *walk);

/* ---- An oracle that follows a CPU, walk after walk. Pure. */

/* The caller provides room for instances of the model: follow_room() bytes each, 16-byte aligned. */
u64 follow_room(void);

/* What decides which errata a CPU has. */
struct follow_cpu {
    u32 signature, microcode, threads; /* threads of a core; 0: unknown */
};

struct follower {
    struct model_setup setup;
    struct follow_cpu cpu;
    u64 info_kept, info_told; /* see oracle.h, as the next two */
    bool modelled;
    struct walk_places places;
    struct oracle oracle, kept;
    struct model *model, *before; /* as it is now, and as it was before the walk */
    u64 retold;                   /* instructions retold, in all attempts */
    bool undecided;               /* there were more possibilities than were tried: nothing is known of the last run */
    bool uncounted;               /* see struct oracle */
    bool vague;                   /* the last run fits, but what it has not read may differ: CPU and model begin anew */
};

void follow_begin(struct follower *follower, const struct model_setup *setup, struct model *model,
                  struct model *before);
/* The register_reader for walk_compile(). */
bool follow_read(void *follower, u32 msr, u64 *value);
/*
 * Retells the run, whose trace ends at `end`; `storm`: too many PMIs have ended it. True: the trace fits the model for
 * some arrival of the PMIs on their way, and for some results of the CPU's random draws. False: *difference is that of
 * the attempt that got furthest, and none if the run is undecided; the oracle is then as before the walk.
 */
bool follow_run(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference);

/*
 * Finds the legal variation that would have done what a CPU did, by retelling the same trace to models that vary. A
 * variation that explains a difference is the CPU's choice, and its oracle makes that choice from then on. If no
 * variation does, errata of this very CPU are tried, by the defects that mimic them. Pure.
 */

#define CHOICES_MOST 2 /* made at the same time */

#define MINDS_MOST 8 /* times that the choices may change: beyond that they are no choices */

/* The choices that a CPU is believed to have made. */
struct choices {
    struct deviating how; /* for the oracle's set-up */
    u32 count;            /* number of choices */
    u32 minds;            /* times that they have changed */
    u32 walks;            /* number of walks that differ without them */
};

/* The published erratum by which such a CPU has this defect; NULL: none. */
const char *mimicked_erratum(const struct follow_cpu *cpu, const struct deviation *defect);
/* The n-th choice: a variation, or a defect that mimics an erratum; NULL: there are no more. */
const struct deviation *choice(const struct choices *choices, u32 n);
/*
 * Like follow_run(), but on a difference searches a variation without it: first in addition to the choices so far, then
 * in place of the last one. The follower makes the new choice from then on. True: no difference is left unexplained.
 * `room` and `room_before` are for another instance of the model.
 */
bool follow_explained(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                      struct choices *choices, struct model *room, struct model *room_before,
                      struct difference *difference);

/*
 * Makes a walk with a difference shorter, and its values simple: leaves out steps and clears bits as long as the same
 * difference comes. Pure.
 */

/* Makes the walk and returns its difference. */
typedef void (*walk_maker)(void *context, const struct walk *walk, struct difference *difference);

#define SHRINK_RUNS 400

/* Are they of one kind, at the same register? */
bool same_difference(const struct difference *a, const struct difference *b);
/* Shrinks *walk; *difference becomes that of the shorter walk. Returns how many walks were made. */
u32 walk_shrink(struct walk *walk, struct difference *difference, walk_maker make, void *context);
