/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hosted kernel is given: its memory map, its modules, its processors. */
#include "boot/bytes.h"
#include "hosting/image/information.h"
#include "hosting/image/madt.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

#define MIB (1ull << 20)

/* SeaBIOS's map, with a hole as UEFI firmware leaves one. */
static const struct boot_region machine[] = {
    {0, 0x9fc00, 1},          {0x9fc00, 0x400, 2},    {1 * MIB, 7 * MIB, 1},
    {8 * MIB, 1 * MIB, 4},    {9 * MIB, 55 * MIB, 1}, {64 * MIB, 192 * MIB, 1}, /* in two pieces */
    {0xfffc0000, 0x40000, 2},
};
static const struct guest_range monitor = {128 * MIB, 136 * MIB};
static struct guest_map map;
static u8 information[GUEST_INFORMATION_SIZE];

static void build(void)
{
    guest_map_build(&map, machine, ARRAY_SIZE(machine), monitor);
    memset(information, 0, sizeof(information));
}

CASE(test_map)
{
    build();
    assert_int_equal(map.regions, ARRAY_SIZE(machine) + 2);
    assert_int_equal(map.region[5].length, 64 * MIB);
    assert_int_equal(map.region[6].base, monitor.base);
    assert_int_equal(map.region[6].type, 2);
    assert_int_equal(map.region[7].base, monitor.end);
    assert_int_equal(map.region[7].length, 120 * MIB);
    assert_int_equal(guest_map_lower(&map), 639);
    assert_int_equal(guest_map_upper(&map), 127 * 1024);
}

CASE(test_take)
{
    build();
    assert_true(guest_map_take(&map, (struct guest_range){60 * MIB, 70 * MIB}));
    assert_false(guest_map_take(&map, (struct guest_range){69 * MIB, 71 * MIB}));
    assert_false(guest_map_take(&map, (struct guest_range){7 * MIB, 10 * MIB}));
    assert_false(guest_map_take(&map, (struct guest_range){120 * MIB, 129 * MIB}));
    assert_false(guest_map_take(&map, (struct guest_range){20 * MIB, 20 * MIB}));
    assert_false(guest_map_take(&map, (struct guest_range){300 * MIB, 301 * MIB}));
}

/* As one piece if it can be, else each segment by itself, as on both sides of the hole below 1 MiB. */
CASE(test_image)
{
    struct guest_image image = {
        .segments = 2, .segment = {{.address = MIB, .memory_size = MIB}, {.address = 4 * MIB, .memory_size = 1}}};
    build();
    assert_null(guest_image_take(&image, &map));
    assert_false(guest_map_take(&map, (struct guest_range){3 * MIB, 3 * MIB + 1}));
    image.segment[1].address = 0x9000;
    build();
    assert_null(guest_image_take(&image, &map));
    assert_false(guest_map_take(&map, (struct guest_range){0x9000, 0x9001}));
    assert_true(guest_map_take(&map, (struct guest_range){0xa000, 0xb000}));
    image.segment[1].address = 0xb0000;
    build();
    assert_ptr_equal(guest_image_take(&image, &map), &image.segment[1]);
}

CASE(test_place)
{
    build();
    struct guest_range above = {1 * MIB, 0x80000000};
    assert_true(guest_map_take(&map, (struct guest_range){1 * MIB, 2 * MIB + 1}));
    assert_int_equal(guest_map_place(&map, 1, above), 2 * MIB + 4096);
    assert_int_equal(guest_map_place(&map, 6 * MIB, above), 9 * MIB);
    assert_int_equal(guest_map_place(&map, 0, above), 2 * MIB + 8192);
    assert_int_equal(guest_map_place(&map, 113 * MIB, above), 136 * MIB);
    assert_int_equal(guest_map_place(&map, 113 * MIB, above), 0);
    assert_int_equal(guest_map_place(&map, 16, (struct guest_range){0x10001, MIB}), 0x11000);
}

static struct guest_offer offer(void)
{
    static const struct guest_module modules[] = {{16 * MIB, 16 * MIB + 100, "one"}, {17 * MIB, 17 * MIB + 200, ""}};
    static const u8 rsdp[36] = "RSD PTR ";
    return (struct guest_offer){
        .map = &map, .command_line = "a b", .module = modules, .modules = 2, .rsdp = rsdp, .rsdp_size = 36};
}

static const char *text_at(u64 address, unsigned field)
{
    u64 at = bytes_get32(information + field) - address;
    assert_in_range(at, 1, sizeof(information) - 1);
    return (const char *)information + at;
}

CASE(test_information1)
{
    build();
    struct guest_offer o = offer();
    u64 address = 0x10000;
    assert_in_range(guest_information1(information, address, &o), 120, sizeof(information));
    assert_int_equal(bytes_get32(information) & 0x4d, 0x4d);
    assert_int_equal(bytes_get32(information + 4), 639);
    assert_int_equal(bytes_get32(information + 8), 127 * 1024);
    assert_string_equal(text_at(address, 16), "a b");
    assert_string_equal(text_at(address, 64), "pmucheck");
    assert_int_equal(bytes_get32(information + 20), 2);
    const u8 *module = (const u8 *)text_at(address, 24);
    assert_int_equal(bytes_get32(module), 16 * MIB);
    assert_int_equal(bytes_get32(module + 4), 16 * MIB + 100);
    assert_string_equal((const char *)information + bytes_get32(module + 8) - address, "one");
    const u8 *entry = (const u8 *)text_at(address, 48);
    u32 length = bytes_get32(information + 44), entries = 0;
    for (u32 at = 0; at < length; at += bytes_get32(entry + at) + 4)
        assert_int_equal(bytes_get64(entry + at + 4), map.region[entries++].base);
    assert_int_equal(entries, map.regions);
}

/* Read back by the image's own code for such information. */
CASE(test_information2)
{
    static struct boot_info info;
    build();
    struct guest_offer o = offer();
    u64 used = guest_information2(information, 0x10000, &o);
    assert_int_equal(bytes_get32(information), used);
    boot_info_walk(information, used, &info);
    assert_null(info.error);
    assert_string_equal(info.command_line, "a b");
    assert_string_equal(info.loader, "pmucheck");
    assert_int_equal(info.modules, 2);
    assert_int_equal(info.module[1].end, 17 * MIB + 200);
    assert_int_equal(info.regions, map.regions);
    for (unsigned i = 0; i < info.regions; i++) {
        assert_int_equal(info.region[i].base, map.region[i].base);
        assert_int_equal(info.region[i].length, map.region[i].length);
        assert_int_equal(info.region[i].type, map.region[i].type);
    }
    assert_int_equal(info.rsdp_size, 36);
}

CASE(test_too_long)
{
    static char line[GUEST_INFORMATION_SIZE + 1];
    build();
    struct guest_offer o = offer();
    memset(line, 'x', sizeof(line) - 1);
    o.command_line = line;
    assert_int_equal(guest_information1(information, 0x10000, &o), 0);
    assert_int_equal(guest_information2(information, 0x10000, &o), 0);
}

CASE(test_linux)
{
    static u8 file[4096];
    build();
    struct guest_offer o = offer();
    struct guest_image image = {.kind = GUEST_LINUX, .entry = 0x1000000, .setup_size = 0x73, .command_line = 3};
    memset(file, 0x5a, sizeof(file));
    u64 used = guest_information_linux(information, 0x20000, &o, file, &image);
    assert_in_range(used, 4096 + 4, sizeof(information));
    assert_int_equal(information[0x1f1], 0x5a);
    assert_int_equal(information[0x263], 0x5a);
    assert_int_equal(information[0x264], 0);
    assert_int_equal(information[0x210], 0xff);
    assert_int_equal(bytes_get32(information + 0x218), 16 * MIB);
    assert_int_equal(bytes_get32(information + 0x21c), 100);
    assert_string_equal(text_at(0x20000, 0x228), "a b");
    assert_string_equal(text_at(0x20000, 0x070), "RSD PTR ");
    assert_int_equal(information[0x1e8], map.regions);
    assert_int_equal(bytes_get64(information + 0x2d0 + 20 * 6), monitor.base);
    image.command_line = 2;
    assert_int_equal(guest_information_linux(information, 0x20000, &o, file, &image), 0);
}

static bool first_given(u32 id)
{
    return !id;
}

static bool seventh_given(u32 id)
{
    return id == 7;
}

CASE(test_madt)
{
    u8 madt[44 + 8 + 8 + 16 + 12] = "APIC";
    const u8 entries[] = {0,  8, 0, 0,  1, 0, 0, 0, 0, 8, 1, 1, 1, 0, 0, 0, 9,
                          16, 0, 0, 44, 1, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 1, 12};
    memcpy(madt + 44, entries, sizeof(entries));
    assert_int_equal(guest_madt_hide(madt, sizeof(madt), first_given), 2);
    assert_int_equal(madt[44 + 4], 1);
    assert_int_equal(madt[52 + 4], 0);
    assert_int_equal(madt[60 + 8], 0);
    assert_true(bytes_checksum_good(madt, sizeof(madt)));
    assert_int_equal(guest_madt_hide(madt, sizeof(madt), first_given), 0);
    madt[44 + 1] = 0; /* an entry without length ends the walk */
    assert_int_equal(guest_madt_hide(madt, sizeof(madt), seventh_given), 0);
    assert_true(bytes_checksum_good(madt, sizeof(madt)));
}

static u32 second_is_high(u32 id)
{
    return id == 1 ? 0x101 : id;
}

/* The entry of the CPU whose id no longer fits becomes an x2APIC entry; all others stay. */
CASE(test_madt_renumbered)
{
    u8 madt[44 + 8 + 6 + 8 + 12] = "APIC", to[sizeof(madt) + 8 + 16];
    const u8 entries[] = {0, 8, 0, 0, 1, 0, 0,  0, 4, 6, 255, 0,    0,    1, 0, 8, 5,
                          1, 1, 0, 0, 0, 1, 12, 7, 0, 0, 0,   0xc0, 0xfe, 0, 0, 0, 0};
    const u8 high[] = {9, 16, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0};
    memcpy(madt + 44, entries, sizeof(entries));
    for (u32 room = 0; room < sizeof(to); room++)
        assert_int_equal(guest_madt_renumber(madt, sizeof(madt), to, room, second_is_high), 0);
    assert_int_equal(guest_madt_renumber(madt, sizeof(madt), to, sizeof(to), second_is_high), sizeof(madt) + 8);
    assert_int_equal(bytes_get32(to + 4), sizeof(madt) + 8);
    assert_true(bytes_checksum_good(to, sizeof(madt) + 8));
    assert_memory_equal(to + 44, entries, 14);
    assert_memory_equal(to + 58, high, sizeof(high));
    assert_memory_equal(to + 74, entries + 22, 12);
    madt[58 + 3] = 2; /* no id changes */
    assert_int_equal(guest_madt_renumber(madt, sizeof(madt), to, sizeof(to), second_is_high), 0);
    assert_int_equal(guest_madt_renumber(madt, 43, to, sizeof(to), second_is_high), 0);
}

int main(void)
{
    return run_cases();
}
