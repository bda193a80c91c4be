/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's registers: what exists, reset values, which writes fault, what reads back. Skylake as probed. */
#include "pmu/state/register.h"
#include "reference/test/model/model_rig.h"

CASE(reset_values)
{
    static const struct {
        u32 msr;
        u64 value;
    } rows[] = {
        {0x186, 0}, {0x189, 0},        {0xc1, 0},  {0xc4, 0},    {0x4c1, 0},      {0x309, 0},
        {0x30b, 0}, {0x38d, 0},        {0x38e, 0}, {0x38f, 0xf}, {0x390, 0},      {0x391, 0},
        {0x392, 0}, {0x345, 0x33c5},   {0x1d9, 0}, {0x3f1, 0},   {0x3f6, 0xffff}, {0x3f7, 0x800},
        {0x600, 0}, {0x1a0, 0x850089}, {0x34, 0},  {0x1a6, 0},
    };
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    for_each_row (rows, row)
        assert_int_equal(rd(&r, row->msr), row->value);
    assert_false(model_stepping(r.model));
    rig_close(&r);
}

/* Neighbours of enumerated registers, other generations' registers, and version 6's. */
CASE(absent_registers_fault)
{
    static const u32 absent[] = {0xc5,  0xc8,  0x18a,  0x18d,  0x4c5,  0x4c8,  0x30c, 0x30f, 0x329, 0x3f2, 0x3f4,
                                 0x3f5, 0x10f, 0x1309, 0x14c1, 0x1900, 0x1983, 0x308, 0x360, 0x371, 0x3a0, 0x3e1};
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    for_each_row (absent, msr) {
        assert_true(model_owns_msr(*msr));
        assert_true(rd_faults(&r, *msr));
        assert_true(wr_faults(&r, *msr, 0));
    }
    rig_close(&r);
}

CASE(others_are_the_machines)
{
    static const u32 others[] = {0x10,  0x277, 0xcf,  0xc0,  0x185, 0x190, 0x2ff, 0x312,
                                 0x35f, 0x372, 0x39f, 0x3e2, 0x393, 0x395, 0x174, 0xc0000080};
    for_each_row (others, msr)
        assert_false(model_owns_msr(*msr));
}

/* Whatever of a PMU the image may write: so that while the model is under a CPU, nothing reaches the CPU's own PMU. */
CASE(all_of_a_pmu_that_can_be_written_is_the_models)
{
    for_each_register (row)
        for (unsigned n = 0; row->rule && row->keep != OF_THE_MACHINE && (!n || n < row->family.count); n++)
            if (!model_owns_msr(register_index(row, n)))
                fail_msg("%s: MSR %x would reach the machine", row->name, register_index(row, n));
}

/* Each bit alone: does setting it fault, and if not, does it read back? */
CASE(write_masks)
{
    static const struct {
        u32 msr;
        u64 faults, kept;
    } rows[] = {
        {0x186, 0xfffffffe00080000, 0x00000001fff7ffff},
        {0x187, 0xfffffffe00080000, 0x00000001fff7ffff},
        {0x188, 0xfffffffc00080000, 0x00000003fff7ffff},
        {0x189, 0xfffffffe00080000, 0x00000001fff7ffff},
        {0x38d, 0xfffffffffffff000, 0xfff},
        {0x38f, 0xfffffff8fffffff0, 0x70000000f},
        {0x390, 0x037ffff8fffffff0, 0},
        {0x391, 0x037ffff8fffffff0, 0},
        {0x1d9, 0xffffffffffff003c, 0xffc3},
        {0x3f1, 0xfffffff0fffffff0, 0xf0000000f},
        {0x3f6, 0, 0xffff},
        {0x3f7, 0xffffffffff8000e8, 0x7fff17},
        {0x1a6, 0xffffffc000006000, 0x3fffff9fff},
        {0x4c1, 0xffff000000000000, 0xffffffffffff},
        {0x309, 0xffff000000000000, 0xffffffffffff},
        {0x30b, 0xffff000000000000, 0xffffffffffff},
        {0x600, 0xffff800000000000, 0x7fffffffffff},
    };
    for_each_row (rows, row)
        for (unsigned bit = 0; bit < 64; bit++) {
            struct rig r;
            rig_open(&r, NULL, 1, 0);
            u64 before = rd(&r, row->msr);
            if (wr_faults(&r, row->msr, BIT(bit)) != !!(row->faults & BIT(bit)))
                fail_msg("WRMSR %x bit %u", row->msr, bit);
            if (row->faults & BIT(bit))
                assert_int_equal(rd(&r, row->msr), before);
            else
                assert_int_equal(rd(&r, row->msr), row->kept & BIT(bit));
            rig_close(&r);
        }
}

CASE(read_only)
{
    static const u32 fixed[] = {0x38e, 0x392, 0x345, 0x34, 0x17, 0xce};
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    for_each_row (fixed, msr) {
        u64 value = rd(&r, *msr);
        assert_true(wr_faults(&r, *msr, 0));
        assert_true(wr_faults(&r, *msr, value));
        assert_true(wr_faults(&r, *msr, ~0ull));
        assert_int_equal(rd(&r, *msr), value);
    }
    rig_close(&r);
}

/* Two addresses, one counter. */
CASE(aliases)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    for (u32 n = 0; n < 4; n++) {
        wr(&r, 0xc1 + n, 0x80000000);
        assert_int_equal(rd(&r, 0xc1 + n), 0xffff80000000);
        assert_int_equal(rd(&r, 0x4c1 + n), 0xffff80000000);
        wr(&r, 0xc1 + n, 0x1234567876543210); /* EDX is ignored */
        assert_int_equal(rd(&r, 0xc1 + n), 0x76543210);
        wr(&r, 0x4c1 + n, 0x123456789abc);
        assert_int_equal(rd(&r, 0xc1 + n), 0x123456789abc);
        assert_true(wr_faults(&r, 0x4c1 + n, 0x1000000000000));
        assert_int_equal(rd(&r, 0xc1 + n), 0x123456789abc);
    }
    rig_close(&r);
}

CASE(misc_enable)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, 0x1a0, 0x850089 & ~0x80); /* bit 7 stays */
    assert_int_equal(rd(&r, 0x1a0), 0x850089);
    wr(&r, 0x1a0, 0x850089 | 0x1000); /* bit 12 stays */
    assert_int_equal(rd(&r, 0x1a0), 0x850089);
    assert_true(wr_faults(&r, 0x1a0, 0x850089 | 0x800)); /* bit 11 faults */
    wr(&r, 0x1a0, 0x850089 | 0x400000);
    assert_int_equal(rd(&r, 0x1a0), 0xc50089);
    rig_close(&r);
}

CASE(machine_registers)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, 0x8b, 0);
    assert_int_equal(rd(&r, 0x8b) & 0xffffffff, 0);
    assert_true(rd(&r, 0x8b) >> 32);
    u64 mperf = rd(&r, 0xe7), aperf = rd(&r, 0xe8);
    assert_true(rd(&r, 0xe7) > mperf);
    assert_true(rd(&r, 0xe8) > aperf);
    wr(&r, 0xe7, 0);
    assert_int_equal(rd(&r, 0xe7), 1000);
    assert_int_equal(rd(&r, 0x19c) & 3, 0);
    wr(&r, 0x19c, ~0ull); /* log bits are cleared by writing 0, never set */
    assert_int_equal(rd(&r, 0x19c) & 3, 0);
    rig_close(&r);
    rig_open(&r, "throttled", 1, 0);
    assert_int_equal(rd(&r, 0x1b1) & 3, 3);
    wr(&r, 0x19c, 0);
    assert_int_equal(rd(&r, 0x19c) & 3, 1);
    rig_close(&r);
}

CASE(canonical)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, 0x600, 0xffff800000000000);
    assert_int_equal(rd(&r, 0x600), 0xffff800000000000);
    assert_true(wr_faults(&r, 0x600, 0x0001000000000000));
    assert_true(wr_faults(&r, 0x600, 0xffff7fffffffffff));
    assert_int_equal(rd(&r, 0x600), 0xffff800000000000);
    rig_close(&r);
}

/* Both follow the TSC, the other one at the core's ratio, and stop while the CPU sleeps. */
CASE(clocks_in_sleep)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    r.time = 1000000;
    r.tick = 0;
    u64 mperf = rd(&r, MSR_MPERF), aperf = rd(&r, MSR_APERF);
    r.time += 26000;
    assert_int_equal(rd(&r, MSR_MPERF) - mperf, 26000);
    assert_true(rd(&r, MSR_APERF) > aperf);
    mperf = rd(&r, MSR_MPERF);
    aperf = rd(&r, MSR_APERF);
    model_halted(r.model, true);
    r.time += 26000;
    assert_int_equal(rd(&r, MSR_MPERF), mperf);
    model_halted(r.model, false);
    assert_int_equal(rd(&r, MSR_MPERF), mperf);
    assert_int_equal(rd(&r, MSR_APERF), aperf);
    r.time += 13;
    assert_int_equal(rd(&r, MSR_MPERF) - mperf, 13);
    rig_close(&r);
}

/* A write that faults changes nothing. */
CASE(fault_without_trace)
{
    struct rig r;
    rig_open_on(&r, "diamond-rapids", NULL, 1, 0);
    void *before = malloc(model_size());
    memcpy(before, r.model, model_size());
    assert_true(wr_faults(&r, MSR_PMC_GP_CFG_C(9), 0xffffffffff00));
    assert_memory_equal(before, r.model, model_size());
    free(before);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
