/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of architectural PEBS keep what is written. IA32_PEBS_BASE: a buffer's address and size.
 * IA32_PEBS_INDEX: how far the buffer is filled, the threshold for a PMI, and the enable. CFG_C of each counter in
 * CPUID.23H.5: the reload value, and each bit that CPUID.23H.4 enumerates. Reserved bits are not written, and what they
 * read does not matter.
 *
 * Nothing counts meanwhile, so none of this has an effect. A lost bit means that software does not get a group or a
 * threshold that it selected. Whether software can set FULL, which it otherwise only clears, is measured.
 */
#include "harness/test.h"

/* The bits of `mask` in which the register differs from what is written to it; all of them if that faults. */
static u64 lost(struct test *t, u32 msr, u64 value, u64 mask)
{
    if (wrmsr_try(msr, value) == FAULT_GP)
        return value & mask;
    return (read_msr(t, msr) ^ value) & mask;
}

/* False: the register does not name the buffer that was written, so its index must not be written. */
static bool check_base(struct test *t)
{
    struct ds_area area;
    for (u64 order = 0; order <= APEBS_ORDER_MOST; order++) {
        if (!apebs_area_get(0, order, &area))
            error_for(t, REASON_OPTION_MEMORY, "no memory for the buffer");
        write_msr(t, MSR_PEBS_BASE, (u64)area.buffer | order);
        if (!check_bits(t, "base-lost", MSR_PEBS_BASE, PEBS_BASE_ADDRESS, (u64)area.buffer) ||
            !check_bits(t, "size-lost", MSR_PEBS_BASE, PEBS_BASE_SIZE, order))
            return false;
    }
    return true;
}

/* Offsets within the largest buffer. */
static void check_index(struct test *t)
{
    u64 bytes = apebs_buffer_bytes(APEBS_ORDER_MOST);
    u64 written = 0, threshold = 0;
    for (u64 bit = 16; bit <= bytes; bit <<= 1) {
        written |= lost(t, MSR_PEBS_INDEX, apebs_index(bit, bytes), PEBS_INDEX_WR);
        threshold |= lost(t, MSR_PEBS_INDEX, apebs_index(0, bit), PEBS_INDEX_THRESHOLD);
    }
    check_equal(t, "written-lost", written, 0, MSR_PEBS_INDEX);
    check_equal(t, "threshold-lost", threshold, 0, MSR_PEBS_INDEX);
    write_msr(t, MSR_PEBS_INDEX, PEBS_INDEX_FULL | PEBS_INDEX_EN);
    measure(t, "full-kept", "0-or-1", read_msr(t, MSR_PEBS_INDEX) >> 31 & 1);
    check_bits(t, "enable-lost", MSR_PEBS_INDEX, PEBS_INDEX_EN, PEBS_INDEX_EN);
    write_msr(t, MSR_PEBS_INDEX, apebs_index(0, bytes));
    check_bits(t, "full-stays", MSR_PEBS_INDEX, PEBS_INDEX_FULL | PEBS_INDEX_EN, 0);
}

static void check_config(struct test *t, u32 msr)
{
    u64 bits = apebs_config_bits(t->caps);
    u64 changed = 0;
    for (u64 left = bits; left; left &= left - 1)
        changed |= lost(t, msr, left & -left, bits);
    if (!check_equal(t, "config-bit-lost", changed, 0, msr))
        return;
    write_msr(t, msr, bits | CFG_C_RELOAD);
    check_bits(t, "reload-lost", msr, CFG_C_RELOAD, CFG_C_RELOAD);
    write_msr(t, msr, 0);
    check_bits(t, "config-stays", msr, bits | CFG_C_RELOAD, 0);
}

static bool registers(struct test *t)
{
    if (check_base(t)) {
        check_index(t);
        for (u64 left = apebs_counter_bits(t->caps); left; left &= left - 1)
            check_config(t, alias_cfg_c((unsigned)__builtin_ctzll(left)));
    }
    write_msr(t, MSR_PEBS_INDEX, 0);
    write_msr(t, MSR_PEBS_BASE, 0);
    return t->turn < 2;
}

TEST("apebs.registers", .title = "Base, index and each counter's CFG_C keep what is written",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-093", .needs = {.apebs = true}, .scope = EACH_CPU,
     .repeat = registers, .measures = true);
