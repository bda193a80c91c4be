/* links: kernel/serial_parse.c kernel/number.c */
#include "kernel/serial_parse.h"

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
        {"auto", {SERIAL_AUTO, 0, 0, 0}},
        {"none", {SERIAL_NONE, 0, 0, 0}},
        {"com1", {SERIAL_PORT, 0x3f8, 1, 115200}},
        {"com2,9600", {SERIAL_PORT, 0x2f8, 1, 9600}},
        {"0x3e8", {SERIAL_PORT, 0x3e8, 1, 115200}},
        {"1016,57600", {SERIAL_PORT, 0x3f8, 1, 57600}},
        {"mmio:0xfe034000", {SERIAL_MMIO, 0xfe034000, 1, 0}},
        {"mmio:0xfe034001", {SERIAL_MMIO, 0xfe034001, 1, 0}},
        {"mmio32:0x4000fe034000,115200", {SERIAL_MMIO, 0x4000fe034000, 4, 115200}},
    };

    (void)state;
    for_each_row (rows, row) {
        struct serial_target got = {0};

        assert_null(serial_parse(row->text, &got));
        assert_int_equal(got.kind, row->want.kind);
        assert_true(got.address == row->want.address);
        assert_int_equal(got.stride, row->want.stride);
        assert_int_equal(got.baud, row->want.baud);
    }
}

static void bad_targets_are_left_alone(void **state)
{
    static const char *const rows[] = {
        "",
        "com5",
        "com11",
        "auto,9600",
        "none,1",
        "0",
        "0x",
        "0x3f8,",
        "0x3f8,0",
        "65529",
        "0x3f8,7",
        "0x3f8,230400",
        "0x3f8,9600x",
        "mmio:",
        "mmio:0",
        "mmio32:0xfe034002",
        "mmio:0x10000000000000",
        "pci",
        "0x3f8 ",
    };

    (void)state;
    for_each_row (rows, row) {
        struct serial_target got = {.baud = 1};
        const char *error = serial_parse(*row, &got);

        assert_non_null(error);
        assert_int_equal(strncmp(error, "option serial: ", 15), 0);
        assert_int_equal(got.baud, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_targets),
        cmocka_unit_test(bad_targets_are_left_alone),
    };

    return cmocka_run_group_tests_name("serial_parse", tests, NULL, NULL);
}
