/* links: kernel/serial/serial_pure.c kernel/text/number.c */
#include "kernel/serial/serial_pure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void good_targets(void **state)
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
    (void)state;
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

static void several_targets(void **state)
{
    struct serial_target got[SERIAL_TARGETS];
    unsigned count = 0;
    (void)state;
    assert_null(serial_parse("com1,9600+pci:1+mmio32:0x1000", got, &count));
    assert_int_equal(count, 3);
    assert_int_equal(got[0].baud, 9600);
    assert_int_equal(got[1].kind, SERIAL_PCI);
    assert_int_equal(got[1].address, 1);
    assert_int_equal(got[2].kind, SERIAL_MMIO);
    assert_non_null(serial_parse("com1+com2+com3+com4", got, &count));
    assert_int_equal(count, 3);
}

static void bad_targets_are_left_alone(void **state)
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
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_targets),
        cmocka_unit_test(several_targets),
        cmocka_unit_test(bad_targets_are_left_alone),
    };
    return cmocka_run_group_tests_name("serial_parse", tests, NULL, NULL);
}
