/*
 * The write gate, as the runtime sees it: rows that the rooms above declare and the linker collects, each with the
 * registers that it is about and who decides on a write to them. What no row is about is never written. Which rows
 * there are, and how they decide: pmu/gate.
 */
#pragma once

#include "boot/bits.h"
#include "kernel/core/weak.h"

struct gate_row {
    u32 first, count; /* the registers */
    /* True if `value` may be written to `msr` now, on the calling CPU; else *rule names what forbids it. */
    bool (*allows)(u32 msr, u64 value, const char **rule);
};

/* Puts a row on the list. Two rows may be about one register: either decides, so both must know how. */
#define GATE_ROW(id, row) \
    static const struct gate_row *const gate_pointer_##id __attribute__((section("gate"), used)) = (row)

/* What is linked without any row lets nothing be written. */
extern const struct gate_row *const __start_gate[] OUTSIDE_WEAK;
extern const struct gate_row *const __stop_gate[] OUTSIDE_WEAK;

#define for_each_gate_row(row) for (const struct gate_row *const *row = __start_gate; row < __stop_gate; row++)

static inline bool gate_row_holds(const struct gate_row *row, u32 msr)
{
    return msr >= row->first && msr - row->first < row->count;
}
