/* SPDX-License-Identifier: BSD-2-Clause */
/* Counted blocks: what they declare, and the path of a number. */
#include "pmu/workload/workload.h"
#include "tests/host/case.h"

/* The table of counted blocks, with stand-ins for the blocks: tests that their numbers arrive, and the arithmetic. */

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

/* ---- The branches of a chosen path, with made-up code addresses. */

static const struct path_code code = {.entry = 1,
                                      .start = 2,
                                      .leave = 3,
                                      .left = 4,
                                      .skip = 5,
                                      .skipped = 6,
                                      .call = 7,
                                      .called = 8,
                                      .again = 9,
                                      .clear = 10,
                                      .clear_ret = 11,
                                      .set = 12,
                                      .set_ret = 13};

static void is(const struct path_branch *branch, u64 from, u64 to, bool conditional, bool taken)
{
    assert_int_equal(branch->from, from);
    assert_int_equal(branch->to, to);
    assert_int_equal(branch->conditional, conditional);
    assert_int_equal(branch->taken, taken);
}

CASE(shortest)
{
    struct path_branch list[PATH_BRANCHES];
    assert_int_equal(path_branches(&code, 1, list), 1);
    is(&list[0], 3, 4, true, true);
    assert_false(list[0].by_value);
}

/* Bit 0 is set and bit 1 clear. */
CASE(both_ways)
{
    struct path_branch list[PATH_BRANCHES];
    assert_int_equal(path_branches(&code, 5, list), 11);
    is(&list[0], 3, 4, true, false);
    is(&list[1], 5, 6, true, false);
    is(&list[2], 7, 12, false, true);
    is(&list[3], 13, 8, false, true);
    is(&list[4], 9, 2, false, true);
    is(&list[6], 5, 6, true, true);
    is(&list[7], 7, 10, false, true);
    is(&list[8], 11, 8, false, true);
    is(&list[10], 3, 4, true, true);
    assert_true(list[2].by_value && list[3].by_value && !list[4].by_value);
}

CASE(longest)
{
    struct path_branch list[PATH_BRANCHES + 1] = {0};
    assert_int_equal(path_branches(&code, BIT(PATH_BITS), list), PATH_BRANCHES);
    assert_int_equal(path_branches(&code, ~0ull, list), PATH_BRANCHES);
    assert_int_equal(list[PATH_BRANCHES].from, 0);
}

int main(void)
{
    return run_cases();
}
