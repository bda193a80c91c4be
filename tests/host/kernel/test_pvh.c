/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds memory with the PVH start's information, valid and broken, and walks it. */
#include "boot/boot_info.h"
#include "boot/bytes.h"
#include "tests/host/case.h"

#include <string.h>

/* Physical addresses in the memory, which begins at 0. */
enum {
    START = 0x1000,
    LINE = 0x1100,
    RSDP = 0x1800,
    MAP = 0x5a8,
    MODULES = 0x1900,
    MODULE_LINE = 0x1a00,
    SIZE = 0x2000
};

static u8 memory[SIZE];
static struct boot_info info;

static const void *at(const void *context, u64 address, u64 length)
{
    (void)context;
    return address < SIZE && length <= SIZE - address ? memory + address : NULL;
}

static const struct boot_reader reader = {at, NULL};

static void put(u64 address, u64 value, unsigned bytes)
{
    bytes_put(memory + address, value, bytes);
}

static void region(unsigned n, u64 base, u64 length, u32 type)
{
    put(MAP + 24 * n, base, 8);
    put(MAP + 24 * n + 8, length, 8);
    put(MAP + 24 * n + 16, type, 4);
}

static int a_start(void **state)
{
    (void)state;
    memset(memory, 0, sizeof(memory));
    put(START, 0x336ec578, 4);
    put(START + 4, 1, 4);
    put(START + 12, 1, 4);
    put(START + 16, MODULES, 8);
    put(START + 24, LINE, 8);
    put(START + 32, RSDP, 8);
    put(START + 40, MAP, 8);
    put(START + 48, 3, 4);
    strcpy((char *)memory + LINE, "quick run=gp.*");
    memcpy(memory + RSDP, "RSD PTR ", 8);
    memory[RSDP + 15] = 2;
    memory[RSDP + 35] = 0x77;
    region(0, 0, 0x9fc00, 1);
    region(1, 0xf0000, 0x10000, 2);
    region(2, 0x100000, 0x7ee0000, 1);
    put(MODULES, 0x300000, 8);
    put(MODULES + 8, 0x1234, 8);
    put(MODULES + 16, MODULE_LINE, 8);
    strcpy((char *)memory + MODULE_LINE, "guest");
    return 0;
}

static void walk(void)
{
    memset(&info, 0xa5, sizeof(info));
    pvh_walk(&reader, START, &info);
}

CASE(everything_is_read)
{
    walk();
    assert_null(info.error);
    assert_string_equal(info.loader, "PVH");
    assert_string_equal(info.command_line, "quick run=gp.*");
    assert_string_equal(boot_options(&info), "quick run=gp.*");
    assert_false(info.command_line_cut);
    assert_int_equal(info.information, START);
    assert_int_equal(info.information_size, 56);
    assert_int_equal(info.rsdp_size, 36);
    assert_int_equal(info.rsdp[35], 0x77);
    assert_int_equal(info.regions, 3);
    assert_int_equal(info.region[1].type, 2);
    assert_int_equal(info.region[2].base, 0x100000);
    assert_int_equal(info.region[2].length, 0x7ee0000);
    assert_int_equal(info.modules, 1);
    assert_int_equal(info.module[0].start, 0x300000);
    assert_int_equal(info.module[0].end, 0x301234);
    assert_string_equal(info.module[0].command_line, "guest");
    assert_false(info.efi);
    assert_false(info.framebuffer.present);
}

CASE(what_is_not_given_is_nothing)
{
    put(START + 12, 0, 4);
    put(START + 16, 0, 8);
    put(START + 24, 0, 8);
    put(START + 32, 0, 8);
    walk();
    assert_null(info.error);
    assert_string_equal(info.command_line, "");
    assert_int_equal(info.rsdp_size, 0);
    assert_int_equal(info.modules, 0);
    assert_int_equal(info.regions, 3);
}

CASE(an_old_rsdp_is_short)
{
    memory[RSDP + 15] = 0;
    put(START + 32, SIZE - 20, 8);
    memcpy(memory + SIZE - 20, memory + RSDP, 20);
    walk();
    assert_null(info.error);
    assert_int_equal(info.rsdp_size, 20);
    memory[SIZE - 20 + 15] = 2; /* and one of 36 bytes does not fit there */
    walk();
    assert_int_equal(info.rsdp_size, 0);
    assert_non_null(info.error);
}

CASE(a_long_line_is_cut)
{
    memset(memory + 0x100, 'x', 0x400);
    put(START + 24, 0x100, 8);
    memory[0x100 + 1023] = 0;
    walk();
    assert_false(info.command_line_cut);
    assert_int_equal(strlen(info.command_line), 1023);
    memory[0x100 + 1023] = 'x';
    walk();
    assert_true(info.command_line_cut);
    assert_int_equal(strlen(info.command_line), 1023);
    put(START + 24, SIZE - 4, 8);
    memcpy(memory + SIZE - 4, "quic", 4); /* memory ends before the text does */
    walk();
    assert_true(info.command_line_cut);
    assert_string_equal(info.command_line, "quic");
}

/* One wrong field: an error message, and everything that does not depend on the field is found. */
static void each_damage_is_named(void **state)
{
    static const struct {
        u64 address, value;
        unsigned bytes;
        const char *error;
        unsigned regions, modules;
    } rows[] = {
        {START, 0x36d76289, 4, "another magic number", 0, 0},
        {START + 4, 0, 4, "of a version that has no memory map", 0, 1},
        {START + 12, ~0u, 4, "more modules than can be believed", 3, 0},
        {START + 12, 1024, 4, "the list of modules is where no memory is", 3, 0},
        {START + 16, 0, 8, "the list of modules is where no memory is", 3, 0},
        {START + 16, ~0ull, 8, "the list of modules is where no memory is", 3, 0},
        {START + 24, SIZE, 8, "the command line is where no memory is", 3, 1},
        {START + 32, ~0ull - 8, 8, "the RSDP is where no memory is", 3, 1},
        {START + 40, 0, 8, "the memory map is where no memory is", 0, 1},
        {START + 40, SIZE - 24, 8, "the memory map is where no memory is", 0, 1},
        {START + 48, 0, 4, "the memory map is empty", 0, 1},
        {START + 48, 1025, 4, "the memory map is larger than can be believed", 0, 1},
        {MAP + 8, ~0ull, 8, NULL, 3, 1},
        {MAP + 24, ~0ull, 8, "a memory region wraps around", 2, 1},
        {MODULES + 8, ~0ull, 8, "a module ends before it starts", 3, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        a_start(state);
        put(rows[i].address, rows[i].value, rows[i].bytes);
        walk();
        if (rows[i].error) {
            assert_non_null(info.error);
            assert_non_null(strstr(info.error, rows[i].error));
        } else
            assert_null(info.error);
        assert_int_equal(info.regions, rows[i].regions);
        assert_int_equal(info.modules, rows[i].modules);
    }
}

CASE(the_loader_chooses_the_walk)
{
    static const u8 nothing[8] = {8};
    boot_info_take(BOOT_PVH, &reader, START);
    assert_string_equal(boot_info()->command_line, "quick run=gp.*");
    boot_info_take(BOOT_PVH, &reader, SIZE);
    assert_non_null(strstr(boot_info()->error, "where no memory is"));
    boot_info_take(BOOT_PVH, &reader, 0);
    assert_non_null(strstr(boot_info()->error, "where no memory is"));
    boot_info_take(BOOT_MULTIBOOT2, &reader, (u64)(uintptr_t)nothing);
    assert_string_equal(boot_info()->error, "the end tag is missing");
    boot_info_take(0x2badb002, &reader, START);
    assert_string_equal(boot_info()->error, "not loaded by a multiboot2 loader, nor by a PVH start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(everything_is_read, a_start),
        cmocka_unit_test_setup(what_is_not_given_is_nothing, a_start),
        cmocka_unit_test_setup(an_old_rsdp_is_short, a_start),
        cmocka_unit_test_setup(a_long_line_is_cut, a_start),
        cmocka_unit_test_setup(each_damage_is_named, a_start),
        cmocka_unit_test_setup(the_loader_chooses_the_walk, a_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
