/* SPDX-License-Identifier: BSD-2-Clause */
/* Cached memory, by the registers as firmware sets them. */
#include "boot/cpu.h"
#include "kernel/register/msr.h"
#include "tests/host/case.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define MASK_OF(size) ((0xfffffffffull & ~((size)-1)) | 0x800) /* 36 bits, valid */

/* 3 GiB of memory and 16 MiB of them for graphics: everything else uncached. */
static const struct mtrrs old = {.enabled = true,
                                 .other = 0,
                                 .count = 4,
                                 .range = {{0 | 6, MASK_OF(2 * GIB)},
                                           {2 * GIB | 6, MASK_OF(GIB)},
                                           {3 * GIB - 16 * MIB, MASK_OF(16 * MIB)},
                                           {3 * GIB | 6, 0xfffc00000}}}; /* not valid */

CASE(ranges_end_where_they_say)
{
    assert_true(mtrrs_cache(&old, MIB, 3 * GIB - 16 * MIB));
    assert_false(mtrrs_cache(&old, 3 * GIB - 17 * MIB, 3 * GIB - 16 * MIB + 1));
    assert_false(mtrrs_cache(&old, 3 * GIB - 4096, 3 * GIB));
    assert_false(mtrrs_cache(&old, 3 * GIB, 3 * GIB + 4096));
    assert_true(mtrrs_cache(&old, 2 * GIB - 4096, 2 * GIB + 4096));
}

CASE(switched_off_nothing_is_cached)
{
    struct mtrrs off = old;
    off.enabled = false;
    assert_false(mtrrs_cache(&off, MIB, 2 * MIB));
}

CASE(what_no_range_holds_has_the_default)
{
    static const struct mtrrs modern = {.enabled = true, .other = 6, .count = 1, .range = {{3 * GIB, MASK_OF(GIB)}}};
    assert_true(mtrrs_cache(&modern, MIB, 3 * GIB));
    assert_false(mtrrs_cache(&modern, 3 * GIB, 4 * GIB));
    assert_true(mtrrs_cache(&modern, 4 * GIB, 4 * GIB + MIB));
}

CASE(overlaps)
{
    static const struct {
        u8 one, other;
        bool cached;
    } rows[] = {{6, 6, true}, {6, 0, false}, {0, 6, false}, {6, 4, false}, {4, 6, false}, {6, 1, false}, {5, 6, false}};
    for_each_row (rows, row) {
        struct mtrrs two = {
            .enabled = true, .count = 2, .range = {{row->one, MASK_OF(GIB)}, {row->other, MASK_OF(GIB)}}};
        assert_int_equal(mtrrs_cache(&two, MIB, 2 * MIB), row->cached);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_end_where_they_say),
        cmocka_unit_test(switched_off_nothing_is_cached),
        cmocka_unit_test(what_no_range_holds_has_the_default),
        cmocka_unit_test(overlaps),
    };
    return cmocka_run_group_tests_name("mtrr", tests, NULL, NULL);
}
