/*
 * A row of the write gate's list: registers, whether this CPU has them, and what may be written there, as data. A value
 * may be written if any of the row's clauses lets it pass. Two rows are never about the same register of the same kind
 * of PMU, so their order, which the linker chooses, means nothing. Pure.
 */
#pragma once

#include "kernel/core/weak.h"
#include "kernel/cpu/gate.h"
#include "pmu/gate/gate.h"

/* Bits that may be set: those of the manual, of CPUs that have them. */
struct gate_part {
    u64 bits;
    u64 (*of)(const struct pmu_caps *caps);    /* further bits, which follow from what is enumerated */
    bool (*when)(const struct pmu_caps *caps); /* NULL: always */
    u64 capability;                            /* only where PERF_CAPABILITIES has one of these bits; 0: always */
    u8 version;                                /* only from this version on */
    u64 which;                                 /* bit n: in the n-th register of the row; 0: in all */
    u64 (*only)(const struct pmu_caps *caps);  /* likewise, by what is enumerated; NULL: in all */
};
#define GATE_PARTS 9

struct pmu_gate_row {
    struct gate_row gate;
    const char *rule;
    unsigned wants; /* enum gate_want */
    bool netburst;  /* a row for that class; all others are for all other classes */
    /* Does this CPU have the register? All that are given must say so. */
    u8 version;
    bool (*exists)(const struct pmu_caps *caps);
    u64 (*enumerated)(const struct pmu_caps *caps); /* bit n: the n-th of the row */
    u64 which; /* bit n: the row has its n-th register on any CPU; 0: all of them */
    bool (*where)(const struct gate_context *context);
    /* What may be written: any of these. */
    struct gate_part bits[GATE_PARTS];                  /* values with no other bits than these */
    bool others_as_read;                                /* what it reads, but for the bits of `bits` */
    bool zero;                                          /* 0 */
    bool (*one_more)(const struct pmu_caps *caps);      /* on these CPUs: one bit besides `bits` */
    bool (*as_read)(const struct pmu_caps *caps);       /* on these CPUs: 0, or what it reads */
    bool (*value)(u64 value);                           /* values that are decided on as a whole */
    bool (*any)(const struct gate_context *context);    /* then: every value */
    u64 (*changes)(const struct gate_context *context); /* what it reads, but for these bits */
};

/* Who decides on these rows in the image: pmu/gate/gate.c. Host tests link the rows without it. */
bool gate_asked(u32 msr, u64 value, const char **rule) OUTSIDE_WEAK;

#define PMU_GATE(id, from, registers, text, ...)                                                             \
    static const struct pmu_gate_row gate_##id = {                                                           \
        .gate = {.first = (from), .count = (registers), .allows = gate_asked}, .rule = (text), __VA_ARGS__}; \
    GATE_ROW(id, &gate_##id.gate)

/* The row itself of what the linker collected; NULL if another room put it there. */
static inline const struct pmu_gate_row *pmu_gate_row(const struct gate_row *row)
{
    return row->allows == gate_asked ? (const struct pmu_gate_row *)(const void *)row : NULL;
}
