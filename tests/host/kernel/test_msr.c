/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers: faults as values, the kernel's own MSRs, memory types. */
#include "boot/cpu.h"
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

/* ---- Which registers of the processor the runtime may write, and with which values. Numbers are the manual's. */

static const struct cpuid_regs intel = {.ebx = 0x756e6547, .edx = 0x49656e69, .ecx = 0x6c65746e};
static const struct cpuid_regs amd = {.ebx = 0x68747541, .edx = 0x69746e65, .ecx = 0x444d4163};

static bool allows(const struct system_write *write)
{
    return !system_refuses(write);
}

CASE(nothing_else)
{
    for (u32 msr = 0; msr < 0x2000; msr++) {
        bool apic = msr >= 0x800 && msr <= 0x83f, ours = msr == 0x1b || msr == 0x8b || msr == 0x17a || msr == 0x277;
        if (!apic && !ours && allows(&(struct system_write){.msr = msr, .current_known = true, .starting = true}))
            fail_msg("%#x := 0 is allowed", msr);
    }
    assert_false(allows(&(struct system_write){.msr = 0xc0000081}));
    assert_false(allows(&(struct system_write){.msr = 0x186}));
}

/* A starting CPU follows the boot CPU's mode; no other CPU changes its mode, and the page does not move. */
CASE(local_apic_mode)
{
    struct system_write write = {.msr = 0x1b, .value = 0xfee00c00, .current = 0xfee00800, .current_known = true};
    assert_false(allows(&write));
    write.starting = true;
    assert_true(allows(&write));
    write.value = 0xfee00000;
    assert_true(allows(&write));
    write.value = 0xfed00c00;
    assert_false(allows(&write));
    write.value = 0xfee00d00;
    assert_false(allows(&write));
    write.value = 0xfee00c00;
    write.current_known = false;
    assert_false(allows(&write));
}

CASE(local_apic_in_x2apic_mode)
{
    assert_true(allows(&(struct system_write){.msr = 0x80b}));
    assert_true(allows(&(struct system_write){.msr = 0x830, .value = 0x4000000ff}));
    assert_true(allows(&(struct system_write){.msr = 0x834, .value = 0x100e0}));
    assert_true(allows(&(struct system_write){.msr = 0x834, .value = 0x400}));
    assert_false(allows(&(struct system_write){.msr = 0x834, .value = 0x200})); /* SMI */
    assert_false(allows(&(struct system_write){.msr = 0x834, .value = 0x500})); /* INIT */
    assert_false(allows(&(struct system_write){.msr = 0x834, .value = 0x700})); /* ExtINT */
    assert_true(allows(&(struct system_write){.msr = 0x834, .value = 0x200, .lvtpc_found = 0x200}));
    assert_false(allows(&(struct system_write){.msr = 0x840}));
}

CASE(no_execute_alone)
{
    struct system_write write = {.msr = 0xc0000080, .value = 0xd00, .current = 0x500, .current_known = true};
    assert_true(allows(&write));
    write.value = 0x1d00; /* SVME */
    assert_false(allows(&write));
    write.value = 0x400;
    assert_false(allows(&write));
    assert_int_equal(system_needs(0xc0000080), NEEDS_CURRENT);
    assert_int_equal(system_needs(0x1b), NEEDS_CURRENT);
    assert_int_equal(system_needs(0x80b), NEEDS_NOTHING);
}

CASE(memory_types)
{
    assert_true(allows(&(struct system_write){.msr = 0x277, .value = 0x0007040600070106}));
    assert_false(allows(&(struct system_write){.msr = 0x277, .value = 0x0007040600070206}));
    assert_false(allows(&(struct system_write){.msr = 0x277, .value = 0x0807040600070106}));
}

CASE(machine_checks_are_cleared)
{
    assert_true(allows(&(struct system_write){.msr = 0x17a}));
    assert_false(allows(&(struct system_write){.msr = 0x17a, .value = 4}));
}

CASE(revision_of_microcode)
{
    struct system_write write = {.msr = 0x8b, .leaf0 = intel, .leaf1 = {.eax = 0x506e3}};
    assert_true(allows(&write));
    write.value = 1;
    assert_false(allows(&write));
    write.value = 0;
    write.leaf1.eax = 0x513; /* family 5 */
    assert_false(allows(&write));
    write.leaf1.eax = 0xf41; /* family 15 */
    assert_true(allows(&write));
    write.leaf0 = amd;
    assert_false(allows(&write));
    assert_int_equal(system_needs(0x8b), NEEDS_IDENTITY);
}

/* ---- Cached memory, by the registers as firmware sets them. */

#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define MASK_OF(size) ((0xfffffffffull & ~((size)-1)) | 0x800) /* 36 bits, valid */

/* 3 GiB of memory and 16 MiB of them for graphics: everything else uncached. */
static const struct mtrrs old = {.enabled = true,
                                 .other = 0,
                                 .count = 4,
                                 .range = {{0 | 6, MASK_OF(2 * GIB)},
                                           {2 * GIB | 6, MASK_OF(GIB)},
                                           {3 * GIB - 16 * MIB, MASK_OF(16 * MIB)},
                                           {3 * GIB | 6, 0xfffc00000}}}; /* not valid */

CASE(ranges_end_where_they_say)
{
    assert_true(mtrrs_cache(&old, MIB, 3 * GIB - 16 * MIB));
    assert_false(mtrrs_cache(&old, 3 * GIB - 17 * MIB, 3 * GIB - 16 * MIB + 1));
    assert_false(mtrrs_cache(&old, 3 * GIB - 4096, 3 * GIB));
    assert_false(mtrrs_cache(&old, 3 * GIB, 3 * GIB + 4096));
    assert_true(mtrrs_cache(&old, 2 * GIB - 4096, 2 * GIB + 4096));
}

CASE(switched_off_nothing_is_cached)
{
    struct mtrrs off = old;
    off.enabled = false;
    assert_false(mtrrs_cache(&off, MIB, 2 * MIB));
}

CASE(what_no_range_holds_has_the_default)
{
    static const struct mtrrs modern = {.enabled = true, .other = 6, .count = 1, .range = {{3 * GIB, MASK_OF(GIB)}}};
    assert_true(mtrrs_cache(&modern, MIB, 3 * GIB));
    assert_false(mtrrs_cache(&modern, 3 * GIB, 4 * GIB));
    assert_true(mtrrs_cache(&modern, 4 * GIB, 4 * GIB + MIB));
}

CASE(overlaps)
{
    static const struct {
        u8 one, other;
        bool cached;
    } rows[] = {{6, 6, true}, {6, 0, false}, {0, 6, false}, {6, 4, false}, {4, 6, false}, {6, 1, false}, {5, 6, false}};
    for_each_row (rows, row) {
        struct mtrrs two = {
            .enabled = true, .count = 2, .range = {{row->one, MASK_OF(GIB)}, {row->other, MASK_OF(GIB)}}};
        assert_int_equal(mtrrs_cache(&two, MIB, 2 * MIB), row->cached);
    }
}

int main(void)
{
    return run_cases();
}
