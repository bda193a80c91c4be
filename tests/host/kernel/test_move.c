/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of an image that moves to the top of memory, and the adjustment of addresses in it. */
#include "boot/bytes.h"
#include "kernel/core/image.h"
#include "tests/host/case.h"
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(goes_to_the_top, pc),
        cmocka_unit_test_setup(takes_the_largest_region, pc),
        cmocka_unit_test_setup(stays_below_registers, pc),
        cmocka_unit_test_setup(goes_below_what_is_in_the_way, pc),
        cmocka_unit_test_setup(does_not_go_where_it_is, pc),
        cmocka_unit_test_setup(goes_where_memory_is_cached, pc),
        cmocka_unit_test_setup(stays_without_room, pc),
        cmocka_unit_test_setup(believes_no_region_that_wraps, pc),
        cmocka_unit_test_setup(adds_to_its_addresses_alone, pc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
