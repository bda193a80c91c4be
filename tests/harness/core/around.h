/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Surroundings: what else is going on in a PMU while a test asks for its promise. A test declares on what the promise
 * does not depend; after it has passed with nothing around it, it is run in surroundings that are drawn from a seed,
 * and must pass there, too. A drawing is a set of bits for each part, so that bits can be taken away one by one until
 * only those are left that a failure needs. Pure.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/cpu/caps.h"

/* What can be around. A test declares BIT()s of these: around_parts below. */
enum around_part {
    AROUND_STANDING,   /* bits of IA32_PERF_GLOBAL_STATUS that are set: of counters and of the DS buffer */
    AROUND_FEATURES,   /* those of other features: they concern no counter */
    AROUND_FROZEN,     /* its CTR_FRZ is set */
    AROUND_RECORDING,  /* IA32_DEBUGCTL.LBR: the CPU records branches */
    AROUND_FREEZING,   /* its bits that freeze on a PMI, for tests without one */
    AROUND_SMM,        /* its bit that freezes counters in SMM */
    AROUND_ENTRY,      /* LVTPC has another vector and delivery mode, and is masked */
    AROUND_HISTORY,    /* what the PMU was used for before: kinds of uses (harness/history.c) */
    AROUND_SAMPLED,    /* counters that are enabled for sampling, whatever they count, and far from a record */
    AROUND_BASE,       /* where the records begin: bytes from the start of a page */
    AROUND_PLACE,      /* where the DS area begins, likewise */
    AROUND_NEIGHBOURS, /* controls of counters that are not under test: event, rings, INT, CMASK, INV */
    AROUND_RUNNING,    /* those of them that count while the test's counters do */
    AROUND_ENABLED,    /* bits of IA32_PERF_GLOBAL_CTRL from the start, those of the test's counters included */
    AROUND_SAMPLERS,   /* those of them that sample while the test's counters do, and are far from a record */
    AROUND_EVENT,      /* another event for a counter of instructions of the test, one that occurs in any code */
    AROUND_RINGS,      /* its counters count at the other ring, too; at CPL 3 perhaps there alone */
    AROUND_INT,        /* its counters have their PMI bit set */
    AROUND_TRACE,      /* the CPU traces branches into memory, at every CPL */
    AROUND_PARTS,
};
#define ASIDE(part) (1u << (part))
#define HISTORY_KINDS 10
#define HISTORY_MOST 24 /* uses before a test */
/* For counters, bits are those of IA32_PERF_GLOBAL_CTRL; for registers, the register's. */
struct surroundings {
    u64 seed, select_bits, field_bits; /* the bits that each control of a counter can have */
    u64 part[AROUND_PARTS];
};

/* What has nothing to do with a test that says nothing else. One that takes PMIs tells them by the two others. */
#define ASIDE_ANY \
    (ASIDE(AROUND_STANDING) | ASIDE(AROUND_ENTRY) | ASIDE(AROUND_FEATURES) | ASIDE(AROUND_SMM) | ASIDE(AROUND_HISTORY))
#define ASIDE_PMIS (ASIDE(AROUND_STANDING) | ASIDE(AROUND_ENTRY))
/* Which of the test's own fields are free: its counters may count something else, elsewhere, with a PMI bit. */
#define ASIDE_FIELDS (ASIDE(AROUND_EVENT) | ASIDE(AROUND_RINGS) | ASIDE(AROUND_INT))
#define ASIDE_OTHERS (ASIDE(AROUND_NEIGHBOURS) | ASIDE(AROUND_RUNNING))
#define ASIDE_COUNTERS (ASIDE_OTHERS | ASIDE(AROUND_TRACE))
/* Of a test that asks who has claimed a counter: whatever it does meanwhile. */
#define ASIDE_ACTIVITY (ASIDE(AROUND_FROZEN) | ASIDE(AROUND_FREEZING) | ASIDE(AROUND_ENABLED))
/* Of a test that samples: its set-up clears the bits of its own counters. Its records may have branches: no trace. */
#define ASIDE_SAMPLING \
    (ASIDE_OTHERS | ASIDE(AROUND_SAMPLERS) | ASIDE(AROUND_STANDING) | ASIDE(AROUND_BASE) | ASIDE(AROUND_PLACE))

/*
 * Draws what is around for these parts: all that is possible on this CPU at first (draw 0), then sets of it. `legal`
 * has the bits of a register that a test may write there, gate_bits().
 */
struct surroundings around_draw(const struct pmu_caps *caps, unsigned parts, u64 seed, u32 draw,
                                u64 (*legal)(const struct pmu_caps *caps, u32 msr));
/* The controls of a counter that is not under test: IA32_PERFEVTSELn, and the field of IA32_FIXED_CTR_CTRL in place. */
u64 around_select(const struct surroundings *around, unsigned n);
u64 around_field(const struct surroundings *around, unsigned i);
/* What a test's control becomes where its fields are free. `user`: the test's code runs at CPL 3. */
u64 around_own_select(const struct surroundings *around, unsigned n, u64 control, bool user);
u64 around_own_field(const struct surroundings *around, unsigned i, u64 control, bool user);
/* The turn of the only repeat of a test that has so many cells (0: none), some rounds of them. */
#define AROUND_TURNS 64
u32 around_turn(const struct surroundings *around, u32 cells);
/* The masked LVTPC. */
u32 around_entry(const struct surroundings *around);

/* Writes what is around as text, register by register: "IA32_PERF_GLOBAL_STATUS=0x1 IA32_PERFEVTSEL1=0x5300c0". */
#define AROUND_TEXT 160
const char *around_text(const struct surroundings *around, const struct pmu_caps *caps, char *text, size_t size);
