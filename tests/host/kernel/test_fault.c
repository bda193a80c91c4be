/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/msr.h"
#include "tests/host/case.h"

#include <string.h>

CASE(every_fault_has_a_text)
{
    static const struct {
        fault_t fault;
        const char *text;
    } rows[] = {
        {NO_FAULT, "nothing"},
        {FAULT_REFUSED, "refused"},
        {FAULT(0, 0), "#DE"},
        {FAULT(2, 0), "NMI"},
        {FAULT(6, 0), "#UD"},
        {FAULT_GP, "#GP[0000]"},
        {FAULT(13, 0x12), "#GP[0012]"},
        {FAULT(14, 0xffff), "#PF[ffff]"},
        {FAULT(18, 0), "#MC"},
        {FAULT(9, 0), "vector 9"},
        {FAULT(255, 0xffff), "vector 255"},
    };
    for_each_row (rows, row) {
        char text[FAULT_TEXT_SIZE];
        assert_string_equal(fault_text(row->fault, text), row->text);
    }
}

CASE(every_text_fits)
{
    for (u32 vector = 0; vector < 256; vector++) {
        char text[FAULT_TEXT_SIZE];
        assert_in_range(strlen(fault_text(FAULT(vector, 0xffff), text)), 3, FAULT_TEXT_SIZE - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_a_text),
        cmocka_unit_test(every_text_fits),
    };
    return cmocka_run_group_tests_name("fault", tests, NULL, NULL);
}
