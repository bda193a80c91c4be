/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts: entries of the local vector table that are firmware's, and strays. */
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "tests/host/case.h"

/* ---- Values are typed here from the manual's figures of the local vector table. */

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

/* ---- Stray interrupts: counted by vector, and named by their sender. */

CASE(a_vector_keeps_its_row)
{
    struct strays all = {0};
    for (unsigned n = 0; n < 3; n++)
        for (unsigned vector = 0x40; vector < 0x40 + STRAYS_KEPT + 2; vector++)
            stray_note(&all, (u8)vector, vector + 1000 * n);
    assert_int_equal(all.kept, STRAYS_KEPT);
    assert_int_equal(all.others, 6);
    for (unsigned i = 0; i < STRAYS_KEPT; i++) {
        assert_int_equal(all.row[i].vector, 0x40 + i);
        assert_int_equal(all.row[i].count, 3);
        assert_int_equal(all.row[i].rip, 0x40 + i);
    }
}

CASE(messages)
{
    static const struct {
        u32 address, data;
        enum interrupt_message message;
    } rows[] = {
        {0xfee00000, 0x51, MESSAGE_VECTOR},
        {0xfeeff00c, 0x4151, MESSAGE_VECTOR},
        {0xfee00000, 0x251, MESSAGE_SMI},
        {0xfee00000, 0x451, MESSAGE_OTHER},
        {0xfee00010, 0x51, MESSAGE_OTHER},
        {0xfed00000, 0x51, MESSAGE_OTHER},
        {0, 0, MESSAGE_OTHER},
    };
    for_each_row (rows, row) {
        u8 vector = 0x51;
        assert_int_equal(interrupt_message(row->address, row->data, &vector), row->message);
        assert_int_equal(vector, 0x51);
    }
}

CASE(sources)
{
    char text[INTERRUPT_SOURCE_TEXT];
    assert_string_equal(interrupt_source_text(0x51, text), "source=unknown");
    interrupt_source_add(SOURCE_PCI, 0x20, 0x51);
    interrupt_source_add(SOURCE_HPET, 2, 0x52);
    interrupt_source_add(SOURCE_8259, 7, 0xd7);
    interrupt_source_add(SOURCE_APIC, 0, 0xff);
    assert_string_equal(interrupt_source_text(0x51, text), "pci=00:04.0");
    assert_string_equal(interrupt_source_text(0x52, text), "hpet=2");
    assert_string_equal(interrupt_source_text(0xd7, text), "8259=7");
    assert_string_equal(interrupt_source_text(0xff, text), "apic=spurious");
    for (unsigned n = 0; n < 1000; n++)
        interrupt_source_add(SOURCE_HPET, (u16)n, 0x51);
    assert_string_equal(interrupt_source_text(0x51, text), "pci=00:04.0 others=252");
}

int main(void)
{
    return run_cases();
}
