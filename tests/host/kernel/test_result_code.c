/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/qr/qr.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static const char *code_of(const char *const *lines)
{
    static char text[RESULT_CODE_SIZE];
    struct result_code code;
    result_code_start(&code);
    for (; *lines; lines++)
        result_code_line(&code, *lines, strlen(*lines));
    return result_code_text(&code, text);
}

#define CODE(...) code_of((const char *const[]){__VA_ARGS__, NULL})

/* FNV-1a as its authors describe it, folded as the header says. */
CASE(the_hash_is_fnv)
{
    u64 hash = 0xcbf29ce484222325ul;
    char text[RESULT_CODE_SIZE] = "";
    static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    for (const char *c = "# run pmu=hardware\n"; *c; c++)
        hash = (hash ^ (u8)*c) * 1099511628211ul;
    hash ^= hash >> 40;
    for (unsigned i = 0, at = 0; i < 8; i++) {
        if (i == 4)
            text[at++] = '-';
        text[at++] = alphabet[hash >> (35 - 5 * i) & 31];
    }
    assert_string_equal(CODE("# run pmu=hardware"), text);
}

CASE(what_differs_between_boots_is_left_out)
{
    char first[RESULT_CODE_SIZE];
    strcpy(first, CODE("KTAP version 1", "# machine brand=a cpus=4 memory-kib=1 tsc-khz=7", "# run pmu=x",
                       "# result verdict=pass code=1234-5678"));
    assert_string_equal(CODE("noise", "# run lost", "KTAP version 1\r\n", "# machine brand=a cpus=4 memory-kib=2",
                             "# heartbeat", "  # run pmu=x\r\n", "ok 1 a", "# result verdict=pass code="),
                        first);
    assert_string_not_equal(CODE("# machine brand=b cpus=4 memory-kib=1", "# run pmu=x", "# result verdict=pass code="),
                            first);
    assert_string_not_equal(CODE("# machine brand=a cpus=4 memory-kib=1", "# run pmu=y", "# result verdict=pass code="),
                            first);
    assert_string_not_equal(CODE("# machine brand=a cpus=4 memory-kib=1", "# run pmu=x", "# result verdict=fail code="),
                            first);
}

CASE(typed_codes_are_understood)
{
    static const char *const good[] = {"7K3M-01QA", "7k3m01qa", "7K3M-oIqA", " 7K3 M0l QA"};
    static const char *const bad[] = {"", "7K3M-01Q", "7K3M-01QAA", "7K3M-01QU", "7K3M_01QA"};
    char text[RESULT_CODE_SIZE];
    for_each_row (good, typed) {
        assert_true(result_code_parse(*typed, text));
        assert_string_equal(text, "7K3M-01QA");
    }
    for_each_row (bad, typed)
        assert_false(result_code_parse(*typed, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_fnv),
        cmocka_unit_test(what_differs_between_boots_is_left_out),
        cmocka_unit_test(typed_codes_are_understood),
    };
    return cmocka_run_group_tests_name("result_code", tests, NULL, NULL);
}
