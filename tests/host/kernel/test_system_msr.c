/* SPDX-License-Identifier: BSD-2-Clause */
/* Which registers of the processor the runtime may write, and with which values. Numbers are the manual's. */
#include "kernel/register/msr.h"
#include "tests/host/case.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_else),
        cmocka_unit_test(local_apic_mode),
        cmocka_unit_test(local_apic_in_x2apic_mode),
        cmocka_unit_test(no_execute_alone),
        cmocka_unit_test(memory_types),
        cmocka_unit_test(machine_checks_are_cleared),
        cmocka_unit_test(revision_of_microcode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
