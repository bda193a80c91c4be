/* SPDX-License-Identifier: BSD-2-Clause */
/* Serial ports, found by the header of a PCI function. */
#include "kernel/firmware/pci.h"
#include "tests/host/case.h"

#define IO 1
#define MEMORY 2
#define SERIAL 0x07000200 /* class, subclass, interface, revision */
#define MULTIPORT 0x07020000
#define MODEM 0x07030000
#define OTHER 0x07800000

CASE(functions)
{
    static const struct {
        u32 id, command, class_word, header, bar[6];
        unsigned ports;
        enum serial_kind kind;
        u64 first, last;
    } rows[] = {
        {0x00021b36, IO, SERIAL, 0, {0xc051}, 1, SERIAL_PORT, 0xc050, 0xc050},
        {0x00021b36, IO | MEMORY, SERIAL, 0, {0xc051, 0xfebf0000}, 1, SERIAL_PORT, 0xc050, 0xc050}, /* Intel's AMT */
        {0x00021b36, MEMORY, SERIAL, 0, {0xc051, 0xfebf0000}, 1, SERIAL_MMIO, 0xfebf0000, 0xfebf0000},
        {0x00021b36, 0, SERIAL, 0, {0xc051, 0xfebf0000}, 0, 0, 0, 0}, /* decoding is off */
        {0x00031b36, IO, SERIAL, 0, {0xc051}, 2, SERIAL_PORT, 0xc050, 0xc058},
        {0x00041b36, IO, SERIAL, 0, {0xc041}, 4, SERIAL_PORT, 0xc040, 0xc058},
        {0x12345678, IO, MULTIPORT, 0, {0xc041}, 2, SERIAL_PORT, 0xc040, 0xc048},
        {0x12345678, IO, MULTIPORT, 0, {0xc041, 0xc081, 0xc0c1}, 3, SERIAL_PORT, 0xc040, 0xc0c0},
        {0x12345678, MEMORY, SERIAL, 0, {0x00000004, 0x40}, 1, SERIAL_MMIO, 0x4000000000, 0x4000000000},
        {0x12345678, MEMORY, SERIAL, 0, {0, 0, 0, 0, 0, 0xfebf0004}, 1, SERIAL_MMIO, 0xfebf0000, 0xfebf0000},
        {0x12345678, IO, SERIAL, 0, {0x1}, 0, 0, 0, 0},    /* no address assigned */
        {0x12345678, IO, SERIAL, 0, {0xfffd}, 0, 0, 0, 0}, /* beyond the last port */
        {0x12345678, IO, MULTIPORT, 0, {0xfff9}, 1, SERIAL_PORT, 0xfff8, 0xfff8},
        {0x12345678, IO, SERIAL, 0x800000, {0xc051}, 1, SERIAL_PORT, 0xc050, 0xc050},
        {0x12345678, IO, SERIAL, 0x010000, {0xc051}, 0, 0, 0, 0}, /* a bridge's header */
        {0x12345678, IO, MODEM, 0, {0xc051}, 0, 0, 0, 0},
        {0x12345678, IO, OTHER, 0, {0xc051}, 0, 0, 0, 0},
        {0x12345678, IO, 0x07000700, 0, {0xc051}, 0, 0, 0, 0}, /* no such interface */
        {0x12345678, IO, 0x02000000, 0, {0xc051}, 0, 0, 0, 0},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, {0}, 0, 0, 0, 0},
    };
    for_each_row (rows, row) {
        u32 header[PCI_HEADER_WORDS] = {row->id, row->command, row->class_word, row->header};
        struct serial_target list[PCI_PORTS_MOST];
        for (unsigned i = 0; i < 6; i++)
            header[PCI_BAR + i] = row->bar[i];
        unsigned ports = pci_serial_ports(header, list);
        assert_int_equal(ports, row->ports);
        if (!ports)
            continue;
        assert_int_equal(list[0].kind, row->kind);
        assert_true(list[0].address == row->first && list[ports - 1].address == row->last);
        assert_int_equal(list[0].baud, row->kind == SERIAL_PORT ? SERIAL_BAUD : 0);
    }
}

/* A port belongs to the function with the closest base address at or below it, within the same 256 ports. */
CASE(windows)
{
    static const struct {
        u32 command, class_word, header, bar[6];
        u16 port, base;
        bool serial;
    } rows[] = {
        {IO, 0x01060100, 0, {0xc001, 0xc041}, 0xc03f, 0xc000, false},
        {IO, 0x01060100, 0, {0xc001, 0xc041}, 0xc048, 0xc040, false},
        {IO, SERIAL, 0, {0xc051}, 0xc050, 0xc050, true},
        {IO, SERIAL, 0, {0xc051}, 0xc04f, 0, false},
        {IO, SERIAL, 0, {0xc051}, 0xc100, 0, false}, /* more than one decodes */
        {0, SERIAL, 0, {0xc051}, 0xc050, 0, false},
        {IO, SERIAL, 0x010000, {0xc051}, 0xc050, 0, false},
        {IO | MEMORY, SERIAL, 0, {0xfebf0000}, 0xc050, 0, false},
    };
    for_each_row (rows, row) {
        u32 header[PCI_HEADER_WORDS] = {0x12345678, row->command, row->class_word, row->header};
        struct pci_window nearest = {0};
        for (unsigned i = 0; i < 6; i++)
            header[PCI_BAR + i] = row->bar[i];
        pci_nearest_window(header, row->port, &nearest);
        assert_int_equal(nearest.base, row->base);
        assert_int_equal(nearest.serial, row->serial);
    }
}

int main(void)
{
    return run_cases();
}
