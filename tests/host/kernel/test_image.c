/* SPDX-License-Identifier: BSD-2-Clause */
/* The image: its functions' names, its move, the files beside it. */
#include "boot/bytes.h"
#include "kernel/core/image.h"
#include "tests/host/case.h"
#include <string.h>

/* ---- Addresses at, between, below and above the rows of a table made here. */

const u8 image_start[0x3000];
const char symbol_names[] = "first\0second\0third";
const struct symbol symbols[] = {{0x1000, 0}, {0x1010, 6}, {0x1080, 13}, {0x2000, SYMBOL_NONE}};
const unsigned symbol_count = ARRAY_SIZE(symbols);

static void check(u64 address, const char *name, u64 offset)
{
    u64 found = 0;
    const char *got = symbol_name((u64)image_start + address, &found);
    if (!name) {
        assert_null(got);
        return;
    }
    assert_non_null(got);
    assert_string_equal(got, name);
    assert_int_equal(found, offset);
}

CASE(finds_the_function_that_holds_an_address)
{
    check(0x1000, "first", 0);
    check(0x100f, "first", 0xf);
    check(0x1010, "second", 0);
    check(0x107f, "second", 0x6f);
    check(0x1080, "third", 0);
    check(0x1fff, "third", 0xf7f);
}

CASE(knows_no_name_outside_the_code)
{
    check(0, NULL, 0);
    check(0xfff, NULL, 0);
    check(0x2000, NULL, 0);
    check(~0ull, NULL, 0);
}

/* ---- The target of an image that moves to the top of memory, and the adjustment of addresses in it. */

#define MIB (1ull << 20)
#define START (2 * MIB)
#define SIZE (4 * MIB + 0x5000)
#define TOP (256 * MIB - 0x20000) /* as a PC's BIOS leaves it */

const u32 move_linked = START;
const u32 move_rows[] = {3, MOVE_NARROW | 16, MOVE_DATA | 8};
const unsigned move_count = ARRAY_SIZE(move_rows);

static struct boot_info boot;

static void add(u64 base, u64 end, u32 type)
{
    boot.region[boot.regions++] = (struct boot_region){base, end - base, type};
}

static u64 place(void)
{
    return move_place(&boot, START, START + SIZE, NULL);
}

static int pc(void **state)
{
    (void)state;
    boot = (struct boot_info){.information = 0x10000, .information_size = 0x1000};
    add(0, 0x9f000, BOOT_REGION_AVAILABLE);
    add(MIB, TOP, BOOT_REGION_AVAILABLE);
    add(TOP, 256 * MIB, 2);
    return 0;
}

CASE(goes_to_the_top)
{
    assert_int_equal(place(), 250 * MIB);
}

CASE(takes_the_largest_region)
{
    add(300 * MIB, 320 * MIB, BOOT_REGION_AVAILABLE);
    assert_int_equal(place(), 250 * MIB);
    add(1024 * MIB, 2048 * MIB, BOOT_REGION_AVAILABLE);
    assert_int_equal(place(), 2042 * MIB);
    add(3000 * MIB, 4024 * MIB, 2);
    assert_int_equal(place(), 2042 * MIB);
}

CASE(stays_below_registers)
{
    add(4096 * MIB, 65536 * MIB, BOOT_REGION_AVAILABLE);
    assert_int_equal(place(), 250 * MIB);
    add(1024 * MIB, 4096 * MIB, BOOT_REGION_AVAILABLE);
    assert_int_equal(place(), 0xfe600000);
    assert_true(place() + SIZE <= 0xfec00000);
}

CASE(goes_below_what_is_in_the_way)
{
    boot.modules = 2;
    boot.module[0].start = 240 * MIB;
    boot.module[0].end = 251 * MIB;
    assert_int_equal(place(), 234 * MIB);
    boot.module[1].start = 238 * MIB + 1;
    boot.module[1].end = 239 * MIB;
    assert_int_equal(place(), 232 * MIB);
    boot.information = 233 * MIB;
    assert_int_equal(place(), 228 * MIB);
}

CASE(does_not_go_where_it_is)
{
    assert_int_equal(move_place(&boot, 250 * MIB, 250 * MIB + SIZE, NULL), 244 * MIB);
}

static u64 cached_below;

static bool caches(u64 at, u64 end)
{
    assert_true(at < end);
    return end <= cached_below;
}

CASE(goes_where_memory_is_cached)
{
    cached_below = 240 * MIB;
    assert_int_equal(move_place(&boot, START, START + SIZE, caches), 234 * MIB);
    boot.modules = 1;
    boot.module[0].start = 230 * MIB;
    boot.module[0].end = 236 * MIB;
    assert_int_equal(move_place(&boot, START, START + SIZE, caches), 224 * MIB);
    boot.modules = 0;
    cached_below = 0; /* no room: then as high as possible */
    assert_int_equal(move_place(&boot, START, START + SIZE, caches), 250 * MIB);
}

CASE(stays_without_room)
{
    boot.region[1].length = 7 * MIB;
    assert_int_equal(place(), 0);
    boot.region[1].length = 13 * MIB;
    assert_int_equal(place(), 8 * MIB);
    boot.regions = 0;
    assert_int_equal(place(), 0);
}

CASE(believes_no_region_that_wraps)
{
    boot.region[1].length = ~0ull - 4096;
    boot.region[1].base = 8 * MIB;
    assert_int_equal(place(), 0);
}

CASE(adds_to_its_addresses_alone)
{
    u8 image[32], data[16], want[32], data_want[16];
    memset(image, 0x11, sizeof(image));
    memset(data, 0x22, sizeof(data));
    bytes_put(image + 3, 0x00345678, 8);
    bytes_put(image + 16, 0x00200000, 4);
    bytes_put(data + 8, 0x00600010, 8);
    memcpy(want, image, sizeof(image));
    memcpy(data_want, data, sizeof(data));
    bytes_put(want + 3, 0xbf9a5678, 8);
    bytes_put(want + 16, 0xbf860000, 4);
    bytes_put(data_want + 8, 0xbfc60010, 8);
    move_addresses(image, data, 0xbf660000);
    assert_memory_equal(image, want, sizeof(image));
    assert_memory_equal(data, data_want, sizeof(data));
}

static const u32 sums[] = {0x0123abcd, 0xffffffff};

static const char *check_of_modules(unsigned count, const char *told)
{
    static char error[MODULES_ERROR];
    strcpy(error, "");
    if (modules_whole(sums, count, told, error))
        assert_string_equal(error, "");
    else
        assert_string_not_equal(error, "");
    return error;
}

CASE(as_they_were)
{
    assert_string_equal(check_of_modules(0, ""), "");
    assert_string_equal(check_of_modules(2, ""), "");
    assert_string_equal(check_of_modules(1, "0123abcd"), "");
    assert_string_equal(check_of_modules(2, "0123abcd,ffffffff"), "");
}

CASE(damaged)
{
    assert_non_null(
        strstr(check_of_modules(1, "0123abcc"), "module 1 of 1 is damaged: its sum is 0123abcd, not 0123abcc"));
    assert_non_null(strstr(check_of_modules(2, "0123abcd,fffffffe"), "module 2 of 2 is damaged: its sum is ffffffff"));
}

CASE(missing)
{
    assert_non_null(strstr(check_of_modules(0, "0123abcd"), "1 sums, but the loader gave 0"));
    assert_non_null(strstr(check_of_modules(1, "0123abcd,ffffffff"), "2 sums, but the loader gave 1"));
    assert_non_null(strstr(check_of_modules(2, "0123abcd"), "1 sums, but the loader gave 2"));
}

CASE(ill_spelt)
{
    static const char *const bad[] = {"0",         "0123abc",   "0123abcde", "0123ABCD",         "0x0123ab",
                                      "0123abcd,", ",0123abcd", "0123abcg",  "0123abcd;ffffffff"};
    for_each_row (bad, text)
        assert_non_null(strstr(check_of_modules(1, *text), "eight hexadecimal digits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_function_that_holds_an_address),
        cmocka_unit_test(knows_no_name_outside_the_code),
        cmocka_unit_test_setup(goes_to_the_top, pc),
        cmocka_unit_test_setup(takes_the_largest_region, pc),
        cmocka_unit_test_setup(stays_below_registers, pc),
        cmocka_unit_test_setup(goes_below_what_is_in_the_way, pc),
        cmocka_unit_test_setup(does_not_go_where_it_is, pc),
        cmocka_unit_test_setup(goes_where_memory_is_cached, pc),
        cmocka_unit_test_setup(stays_without_room, pc),
        cmocka_unit_test_setup(believes_no_region_that_wraps, pc),
        cmocka_unit_test_setup(adds_to_its_addresses_alone, pc),
        cmocka_unit_test(as_they_were),
        cmocka_unit_test(damaged),
        cmocka_unit_test(missing),
        cmocka_unit_test(ill_spelt),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
