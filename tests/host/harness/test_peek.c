/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers and values as a person writes them. */
#include "harness/mode/peek/peek.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <string.h>

static struct peeks peeks;
static char error[PEEK_ERROR_SIZE];

CASE(names_and_numbers)
{
    assert_true(peek_parse("IA32_PERF_CAPABILITIES,0x600,416,IA32_PMC3", "read", false, &peeks, error));
    assert_int_equal(peeks.count, 4);
    assert_int_equal(peeks.peek[0].msr, 0x345);
    assert_int_equal(peeks.peek[1].msr, 0x600);
    assert_int_equal(peeks.peek[2].msr, 0x1a0);
    assert_int_equal(peeks.peek[3].msr, 0xc4);
    assert_true(peek_parse("", "read", false, &peeks, error));
    assert_int_equal(peeks.count, 0);
}

CASE(values)
{
    assert_true(peek_parse("IA32_FIXED_CTR1:5,0x38f:0x700000003", "write", true, &peeks, error));
    assert_int_equal(peeks.count, 2);
    assert_int_equal(peeks.peek[0].msr, 0x30a);
    assert_int_equal(peeks.peek[0].value, 5);
    assert_int_equal(peeks.peek[1].msr, 0x38f);
    assert_true(peeks.peek[1].value == 0x700000003);
}

CASE(what_is_no_register)
{
    static const struct {
        const char *text;
        bool values;
        const char *wrong;
    } rows[] = {
        {"IA32_NONE", false, "no register has this name"},
        {"IA32_PMC10", false, "no register has this name"},
        {"LVTPC", false, "no register has this name"}, /* none that RDMSR reads */
        {"0x100000000", false, "no register has this name"},
        {"0x38f:", true, "the value is missing"},
        {"0x38f", true, "the value is missing"},
        {"0x38f:1x", true, "the value is missing"},
        {"0x38f:0x10000000000000000", true, "the value is missing"},
        {"0x38f:1", false, "it is only read"},
    };
    char many[8 * (PEEKS_MOST + 1) + 1] = "";
    for_each_row (rows, row) {
        assert_false(peek_parse(row->text, "it", row->values, &peeks, error));
        assert_non_null(strstr(error, row->wrong));
        assert_int_equal(strncmp(error, "it=", 3), 0);
    }
    for (unsigned i = 0; i <= PEEKS_MOST; i++)
        strcat(many, i ? ",0x38f" : "0x38f");
    assert_false(peek_parse(many, "read", false, &peeks, error));
    assert_non_null(strstr(error, "too many"));
}

int main(void)
{
    return run_cases();
}
