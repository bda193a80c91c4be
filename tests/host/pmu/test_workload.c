/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of counted blocks, with stand-ins for the blocks: tests that their numbers arrive, and the arithmetic. */
#include "pmu/workload/workload.h"
#include "tests/host/case.h"

#define STAND_IN(id)                                                                                               \
    __asm__(".globl " #id "_run, " #id "_run_user, " #id "_user, " #id "_user_work\n"                              \
            ".globl " #id "_start, " #id "_end\n"                                                                  \
            ".globl " #id "_instructions_per_k\n"                                                                  \
            ".globl " #id "_instructions_fixed\n"                                                                  \
            ".globl " #id "_branches_per_k\n"                                                                      \
            ".globl " #id "_branches_fixed\n"                                                                      \
            ".set " #id "_instructions_per_k, 12\n"                                                                \
            ".set " #id "_instructions_fixed, 6\n"                                                                 \
            ".set " #id "_branches_per_k, 7\n"                                                                     \
            ".set " #id "_branches_fixed, 2\n" #id "_run: " #id "_run_user: " #id "_user: " #id "_user_work: " #id \
            "_start: ret\n" #id "_end:\n");
STAND_IN(plain)
STAND_IN(branches)
STAND_IN(memory)
STAND_IN(straight)

CASE(found_by_name)
{
    assert_ptr_equal(workload("plain"), &workloads[0]);
    assert_ptr_equal(workload("branches"), &workloads[1]);
    assert_null(workload("absent"));
    for (unsigned i = 0; i < workload_count; i++)
        assert_ptr_equal(workload(workloads[i].name), &workloads[i]);
}

CASE(numbers)
{
    const struct workload *w = workload("branches");
    assert_int_equal(workload_instructions(w, 0), 6);
    assert_int_equal(workload_instructions(w, 100), 1206);
    assert_int_equal(workload_branches(w, 3), 23);
    assert_int_equal(w->end - w->start, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_name),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
