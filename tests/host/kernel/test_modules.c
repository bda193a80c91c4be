/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/image.h"
#include "tests/host/case.h"

#include <string.h>

static const u32 sums[] = {0x0123abcd, 0xffffffff};

static const char *check(unsigned count, const char *told)
{
    static char error[MODULES_ERROR];
    strcpy(error, "");
    if (modules_whole(sums, count, told, error))
        assert_string_equal(error, "");
    else
        assert_string_not_equal(error, "");
    return error;
}

CASE(as_they_were)
{
    assert_string_equal(check(0, ""), "");
    assert_string_equal(check(2, ""), "");
    assert_string_equal(check(1, "0123abcd"), "");
    assert_string_equal(check(2, "0123abcd,ffffffff"), "");
}

CASE(damaged)
{
    assert_non_null(strstr(check(1, "0123abcc"), "module 1 of 1 is damaged: its sum is 0123abcd, not 0123abcc"));
    assert_non_null(strstr(check(2, "0123abcd,fffffffe"), "module 2 of 2 is damaged: its sum is ffffffff"));
}

CASE(missing)
{
    assert_non_null(strstr(check(0, "0123abcd"), "1 sums, but the loader gave 0"));
    assert_non_null(strstr(check(1, "0123abcd,ffffffff"), "2 sums, but the loader gave 1"));
    assert_non_null(strstr(check(2, "0123abcd"), "1 sums, but the loader gave 2"));
}

CASE(ill_spelt)
{
    static const char *const bad[] = {"0",         "0123abc",   "0123abcde", "0123ABCD",         "0x0123ab",
                                      "0123abcd,", ",0123abcd", "0123abcg",  "0123abcd;ffffffff"};
    for_each_row (bad, text)
        assert_non_null(strstr(check(1, *text), "eight hexadecimal digits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_they_were),
        cmocka_unit_test(damaged),
        cmocka_unit_test(missing),
        cmocka_unit_test(ill_spelt),
    };
    return cmocka_run_group_tests_name("modules", tests, NULL, NULL);
}
