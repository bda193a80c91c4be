/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/serial/serial.h"
#include "tests/host/case.h"

#include <string.h>

CASE(good_targets)
{
    static const struct {
        const char *text;
        struct serial_target want;
    } rows[] = {
        {"auto", {SERIAL_AUTO, 0, 0, 0, 0, false}},
        {"auto,9600", {SERIAL_AUTO, 0, 0, 0, 9600, true}},
        {"none", {SERIAL_NONE, 0, 0, 0, 0, false}},
        {"com1", {SERIAL_PORT, 0x3f8, 1, 1, 115200, false}},
        {"com2,9600", {SERIAL_PORT, 0x2f8, 1, 1, 9600, true}},
        {"com2,keep", {SERIAL_PORT, 0x2f8, 1, 1, 0, true}},
        {"0x3e8", {SERIAL_PORT, 0x3e8, 1, 1, 115200, false}},
        {"1016,57600", {SERIAL_PORT, 0x3f8, 1, 1, 57600, true}},
        {"pci", {SERIAL_PCI, 0, 0, 0, 0, false}},
        {"pci:3,9600", {SERIAL_PCI, 3, 0, 0, 9600, true}},
        {"mmio:0xfe034000", {SERIAL_MMIO, 0xfe034000, 1, 1, 0, false}},
        {"mmio:0xfe034001", {SERIAL_MMIO, 0xfe034001, 1, 1, 0, false}},
        {"mmio:0xfe034000/4,keep", {SERIAL_MMIO, 0xfe034000, 4, 1, 0, true}},
        {"mmio32:0x4000fe034000,115200", {SERIAL_MMIO, 0x4000fe034000, 4, 4, 115200, true}},
    };
    for_each_row (rows, row) {
        struct serial_target got[SERIAL_TARGETS] = {{0}};
        unsigned count = 0;
        assert_null(serial_parse(row->text, got, &count));
        assert_int_equal(count, 1);
        assert_int_equal(got->kind, row->want.kind);
        assert_true(got->address == row->want.address);
        assert_int_equal(got->stride, row->want.stride);
        assert_int_equal(got->width, row->want.width);
        assert_int_equal(got->baud, row->want.baud);
        assert_int_equal(got->asked, row->want.asked);
    }
}

CASE(several_targets)
{
    struct serial_target got[SERIAL_TARGETS];
    unsigned count = 0;
    assert_null(serial_parse("com1,9600+pci:1+mmio32:0x1000", got, &count));
    assert_int_equal(count, 3);
    assert_int_equal(got[0].baud, 9600);
    assert_int_equal(got[1].kind, SERIAL_PCI);
    assert_int_equal(got[1].address, 1);
    assert_int_equal(got[2].kind, SERIAL_MMIO);
    assert_non_null(serial_parse("com1+com2+com3+com4", got, &count));
    assert_int_equal(count, 3);
}

CASE(bad_targets_are_left_alone)
{
    static const char *const rows[] = {
        "",
        "com5",
        "com11",
        "none,1",
        "0",
        "0x",
        "0x3f8,",
        "0xff",
        "0xcf1",
        "0xcf8",
        "0xcff",
        "0x3f8,0",
        "65529",
        "0x3f8,7",
        "0x3f8,230400",
        "0x3f8,9600x",
        "0x3f8,keeps",
        "0x3f8/4",
        "mmio:",
        "mmio:0",
        "mmio:0xfe034000/3",
        "mmio:0xfe034000/32",
        "mmio32:0xfe034002",
        "mmio32:0xfe034000/8",
        "mmio:0x10000000000000",
        "pci:",
        "pci:64",
        "com1+",
        "+com1",
        "com1++com2",
        "0x3f8 ",
    };
    for_each_row (rows, row) {
        struct serial_target got[SERIAL_TARGETS] = {{.baud = 1}};
        unsigned count = 7;
        const char *error = serial_parse(*row, got, &count);
        assert_non_null(error);
        assert_int_equal(strncmp(error, "option serial: ", 15), 0);
        assert_int_equal(got->baud, 1);
        assert_int_equal(count, 7);
    }
}

/* A UART's registers: two of them are the divisor while DLAB is set. */
struct image {
    u16 divisor;
    u8 lcr;
    unsigned sent, divisors;
};

static struct image image;

static u8 image_get(const void *uart, unsigned reg)
{
    assert_ptr_equal(uart, &image);
    if (reg == UART_LCR)
        return image.lcr;
    assert_true(reg <= 1 && image.lcr & LCR_DLAB);
    return (u8)(reg ? image.divisor >> 8 : image.divisor);
}

static void image_put(const void *uart, unsigned reg, u8 value)
{
    assert_ptr_equal(uart, &image);
    if (reg == UART_LCR) {
        image.lcr = value;
    } else if (image.lcr & LCR_DLAB) {
        image.divisor = (u16)(reg ? (image.divisor & 0xff) | value << 8 : (image.divisor & 0xff00) | value);
        image.divisors++;
    } else {
        image.sent++;
    }
}

static const struct serial_access image_access = {image_get, image_put};

/* No known machine clocks a UART in memory with 1.8432 MHz; only the firmware knows its clock. */
CASE(divisors)
{
    static const struct {
        enum serial_kind kind;
        u32 baud;
        bool asked;
        u32 clock;
        u16 found, want;
        u32 told;
    } rows[] = {
        /* Ports: the PC's clock, whatever divisor was found, unless `keep`. */
        {SERIAL_PORT, 115200, false, 0, 12, 1, 115200},
        {SERIAL_PORT, 9600, true, 0, 1, 12, 9600},
        {SERIAL_PORT, 0, true, 0, 12, 12, 9600},
        {SERIAL_PORT, 0, true, 0, 0, 0, 0},
        /* In memory: SPCR's rate is the one that firmware has set. */
        {SERIAL_MMIO, 115200, false, 0, 26, 26, 115200},
        {SERIAL_MMIO, 9600, false, 0, 312, 312, 9600},
        {SERIAL_MMIO, 0, false, 0, 26, 26, 0},
        /* The divisor stays even if SPCR also has the clock, which may be wrong; a divisor that is not set is
         * computed. */
        {SERIAL_MMIO, 115200, false, 48000000, 99, 99, 115200},
        {SERIAL_MMIO, 115200, false, 48000000, 0, 26, 115200},
        {SERIAL_MMIO, 115200, false, 1843200, 0, 1, 115200},
        {SERIAL_MMIO, 921600, false, 14745600, 0, 1, 921600},
        {SERIAL_MMIO, 921600, false, 100000000, 5, 5, 921600},
        {SERIAL_MMIO, 115200, false, 2500000, 7, 7, 115200},
        {SERIAL_MMIO, 9600, false, 4294967295u, 0, 27962, 9600},
        {SERIAL_MMIO, 0, false, 48000000, 26, 26, 115384},
        /* No divisor is set, and no clock is known: the PC's clock. */
        {SERIAL_MMIO, 57600, false, 0, 0, 2, 57600},
        {SERIAL_MMIO, 0, false, 0, 0, 1, 115200},
        {SERIAL_MMIO, 921600, false, 0, 0, 1, 115200},
        /* The user's option decides. */
        {SERIAL_MMIO, 9600, true, 48000000, 26, 12, 9600},
        {SERIAL_MMIO, 0, true, 0, 26, 26, 0},
        {SERIAL_MMIO, 0, true, 0, 0, 0, 0},
    };
    for_each_row (rows, row) {
        struct serial_target target = {row->kind, 0xfe034000, 4, 4, row->baud, row->asked};
        image = (struct image){.divisor = row->found, .lcr = 0x1b};
        assert_int_equal(serial_set_rate(&target, row->clock, &image_access, &image), row->told);
        assert_int_equal(image.divisor, row->want);
        assert_int_equal(image.lcr, LCR_8N1);
        assert_int_equal(image.sent, 0);
        assert_true(image.divisors == 2 || image.divisor == row->found);
    }
}

int main(void)
{
    return run_cases();
}
