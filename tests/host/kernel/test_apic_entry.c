/* SPDX-License-Identifier: BSD-2-Clause */
/* Values are typed here from the manual's figures of the local vector table. */
#include "kernel/interrupt/apic.h"
#include "tests/host/case.h"

CASE(exists_by_the_version_register)
{
    assert_true(apic_entry_exists(0x00060015, 6));
    assert_true(apic_entry_exists(0x01060015, 5));
    assert_false(apic_entry_exists(0x00050014, 6));
    assert_false(apic_entry_exists(0x00040014, 5));
}

CASE(only_what_delivers_an_smi)
{
    static const struct {
        u32 found, wanted;
    } rows[] = {
        {0x00010000, 0},          /* masked, as INIT leaves it */
        {0x00000200, 0x00000200}, /* SMI */
        {0x00010200, 0x00010200}, /* SMI, masked by firmware for now */
        {0x00001200, 0x00000200}, /* its delivery is pending: read-only */
        {0x000000fa, 0},          /* a vector of an operating system's */
        {0x00000400, 0},          /* NMI */
    };
    for_each_row (rows, row)
        assert_int_equal(apic_entry_after_init(row->found), row->wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exists_by_the_version_register),
        cmocka_unit_test(only_what_delivers_an_smi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
