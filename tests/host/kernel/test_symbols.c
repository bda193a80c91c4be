/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses at, between, below and above the rows of a table made here. */
#include "kernel/core/image.h"
#include "tests/host/case.h"

const u8 image_start[0x3000];
const char symbol_names[] = "first\0second\0third";
const struct symbol symbols[] = {{0x1000, 0}, {0x1010, 6}, {0x1080, 13}, {0x2000, SYMBOL_NONE}};
const unsigned symbol_count = ARRAY_SIZE(symbols);

static void check(u64 address, const char *name, u64 offset)
{
    u64 found = 0;
    const char *got = symbol_name((u64)image_start + address, &found);
    if (!name) {
        assert_null(got);
        return;
    }
    assert_non_null(got);
    assert_string_equal(got, name);
    assert_int_equal(found, offset);
}

CASE(finds_the_function_that_holds_an_address)
{
    check(0x1000, "first", 0);
    check(0x100f, "first", 0xf);
    check(0x1010, "second", 0);
    check(0x107f, "second", 0x6f);
    check(0x1080, "third", 0);
    check(0x1fff, "third", 0xf7f);
}

CASE(knows_no_name_outside_the_code)
{
    check(0, NULL, 0);
    check(0xfff, NULL, 0);
    check(0x2000, NULL, 0);
    check(~0ull, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_function_that_holds_an_address),
        cmocka_unit_test(knows_no_name_outside_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
