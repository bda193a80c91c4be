/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells: repeats go through all of them, a failure's places are reported, and failures of one cell only are
 * recognised. */
#include "harness/core/results.h"
#include "tests/host/case.h"

#include <string.h>

#define ALL (CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS | CELL_NEIGHBOURS)

static const struct counter list[] = {{.bit = 0}, {.bit = 3}, {.bit = 33, .fixed = true}};

CASE(product)
{
    bool seen[CELL_NUMBERS] = {0};
    assert_int_equal(cell_count(ALL, 3), 24);
    assert_int_equal(cell_count(CELL_RINGS | CELL_DELIVERIES, 3), 4);
    assert_int_equal(cell_count(CELL_COUNTERS, 3), 3);
    for (u32 turn = 0; turn < 24; turn++) {
        struct cell cell = cell_of(ALL, list, 3, turn);
        assert_false(seen[cell_number(&cell)]);
        seen[cell_number(&cell)] = true;
        struct cell again = cell_of(ALL, list, 3, turn + 24);
        assert_int_equal(cell_number(&cell), cell_number(&again));
    }
    struct cell plain = cell_of(CELL_DELIVERIES, list, 3, 1);
    assert_true(plain.nmi);
    assert_false(plain.user || plain.alone);
}

CASE(told)
{
    char text[CELL_TEXT];
    struct cell_set failed = {
        .axes = ALL, .rings = 2, .deliveries = 3, .neighbours = 1, .counters = BIT(3) | BIT(CELL_FIXED + 1)};
    struct cell_set held = {.axes = ALL, .rings = 3, .deliveries = 3, .neighbours = 3, .counters = ~0u};
    assert_string_equal(cell_text(text, sizeof(text), &failed, &held), "ring:3,counter:3+fixed1,others:on");
    assert_string_equal(cell_text(text, sizeof(text), &failed, &(struct cell_set){0}), "");
    failed.axes = held.axes = CELL_DELIVERIES;
    failed.deliveries = 2;
    assert_string_equal(cell_text(text, sizeof(text), &failed, &held), "delivery:nmi");
    assert_string_equal(cell_text(text, 10, &failed, &held), "delivery:");
}

static void one(struct results *r, const struct cell *cell, bool held)
{
    results_open(r);
    results_check(r,
                  &(struct check){.label = "a",
                                  .bit = NO_BIT,
                                  .want = 1,
                                  .got = held,
                                  .cell = (u16)cell_number(cell),
                                  .failed_in = cell_set_of(ALL, cell)},
                  held);
    results_close(r, true);
}

/* Fewer failures than passes, but all in one cell; a single pass in the cell ends that. */
CASE(always)
{
    static struct results r;
    struct cell good = {.counter = list[0]}, bad = {.counter = list[1], .nmi = true};
    results_clear(&r);
    for (unsigned i = 0; i < 20; i++)
        one(&r, &good, true);
    for (unsigned i = 0; i < CELL_TRIES; i++) {
        assert_false(r.check[0].cell_fails);
        one(&r, &bad, false);
    }
    assert_true(r.check[0].cell_fails);
    assert_int_equal(r.check[0].failed_in.deliveries, 2);
    assert_int_equal(r.check[0].held_in.deliveries, 1);
    one(&r, &bad, true);
    assert_false(r.check[0].cell_fails);
    for (unsigned i = 0; i < 2 * CELL_TALLIES; i++)
        one(&r, &(struct cell){.counter = {.bit = (u8)(i % 64)}, .user = i & 64, .alone = i & 128}, false);
    assert_int_equal(r.tallies, CELL_TALLIES);
}

int main(void)
{
    return run_cases();
}
