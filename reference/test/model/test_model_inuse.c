/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's IA32_PERF_GLOBAL_INUSE: each bit follows its own source and nothing else. */
#include "reference/test/model/model_rig.h"

static const struct {
    u32 msr;
    u64 value, in_use;
} rows[] = {
    {MSR_PERFEVTSEL(0), 0x000000c0, 1},
    {MSR_PERFEVTSEL(0), 0x00000100, 0}, /* unit mask only */
    {MSR_PERFEVTSEL(1), 0x00430000, 0}, /* enables only */
    {MSR_PERFEVTSEL(1), 0x00000001, 2},
    {MSR_PERFEVTSEL(2), 0x00000080, 4},
    {MSR_PERFEVTSEL(3), 0x0043003c, 8},
    {MSR_PERFEVTSEL(3), 0x00100000, 0x8000000000000000}, /* INT only */
    {MSR_PERFEVTSEL(2), 0x0010003c, 0x8000000000000004},
    {MSR_FIXED_CTR_CTRL, 0x001, 0x100000000},
    {MSR_FIXED_CTR_CTRL, 0x020, 0x200000000},
    {MSR_FIXED_CTR_CTRL, 0x300, 0x400000000},
    {MSR_FIXED_CTR_CTRL, 0x444, 0}, /* ANY only */
    {MSR_FIXED_CTR_CTRL, 0x008, 0x8000000000000000},
    {MSR_FIXED_CTR_CTRL, 0x8a8, 0x8000000200000000},
    {MSR_PERF_GLOBAL_CTRL, 0x70000000f, 0},
    {MSR_PERF_GLOBAL_STATUS_SET, 0x70000000f, 0},
    {MSR_PEBS_ENABLE, 0x1, 0x8000000000000000},
    {MSR_PEBS_ENABLE, 0x8, 0x8000000000000000},
    {MSR_A_PMC(0), 0xffffffffffff, 0},
    {MSR_FIXED_CTR(0), 0xffffffffffff, 0},
};

CASE(follows_its_source)
{
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
        wr(&r, row->msr, row->value);
        if (rd(&r, MSR_PERF_GLOBAL_INUSE) != row->in_use)
            fail_msg("%x = %llx gives %llx", row->msr, (unsigned long long)row->value,
                     (unsigned long long)rd(&r, MSR_PERF_GLOBAL_INUSE));
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0x70000000f); /* enabled or not does not matter */
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_INUSE), row->in_use);
        rig_close(&r);
    }
}

CASE(follows_back)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_PERFEVTSEL(0), 0x1000c0);
    wr(&r, MSR_FIXED_CTR_CTRL, 0xbbb);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_INUSE), 0x8000000700000001);
    wr(&r, MSR_PERFEVTSEL(0), 0);
    wr(&r, MSR_FIXED_CTR_CTRL, 0);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_INUSE), 0);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
