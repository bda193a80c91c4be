/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to a hosted kernel that asks the BIOS for its map of memory. */
#include "boot/bytes.h"
#include "hosting/monitor/run/bios_map.h"
#include "tests/host/case.h"

#define MIB (1ull << 20)
#define SMAP 0x534d4150u
static const struct boot_region map[] = {
    {0, 0x9fc00, 1},           {0x9fc00, 0x400, 2},      {0xf0000, 0x10000, 2},
    {130 * MIB, 100 * MIB, 1}, {230 * MIB, 10 * MIB, 2}, {1 * MIB, 129 * MIB, 1},
};
#define REGIONS (sizeof(map) / sizeof(map[0]))

static struct bios_call asked(u32 eax, u32 ebx, u32 ecx, u32 edx)
{
    struct bios_call c = {.eax = eax, .ebx = ebx, .ecx = ecx, .edx = edx};
    assert_true(bios_answer(&c, map, REGIONS));
    return c;
}

CASE(regions)
{
    u32 next = 0;
    for (unsigned i = 0; i < REGIONS; i++) {
        struct bios_call c = asked(0xe820, next, 64, SMAP);
        assert_false(c.carry);
        assert_int_equal(c.eax, SMAP);
        assert_int_equal(c.ecx, BIOS_ENTRY);
        assert_int_equal(c.stored, BIOS_ENTRY);
        assert_int_equal(bytes_get64(c.entry), map[i].base);
        assert_int_equal(bytes_get64(c.entry + 8), map[i].length);
        assert_int_equal(bytes_get32(c.entry + 16), map[i].type);
        next = c.ebx;
    }
    assert_int_equal(next, 0);
}

/* Wrong signature, too little room, behind the end: CF is set, and nothing is stored. */
CASE(refused)
{
    static const u32 wrong[][3] = {{0, 20, SMAP + 1}, {0, 19, SMAP}, {REGIONS, 20, SMAP}, {~0u, 20, SMAP}};
    for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
        struct bios_call c = asked(0x1234e820, wrong[i][0], wrong[i][1], wrong[i][2]);
        assert_true(c.carry);
        assert_int_equal(c.stored, 0);
        assert_int_equal(c.eax, 0x12348600);
        assert_int_equal(c.ebx, wrong[i][0]);
    }
}

/* Adjacent regions are joined, in any order; upper halves of registers stay. */
CASE(sizes)
{
    struct bios_call c = asked(0xaaaae801, 0xbbbb0000, 0xcccc0000, 0xdddd0000);
    assert_false(c.carry);
    assert_int_equal(c.eax, 0xaaaa3c00);
    assert_int_equal(c.ecx, 0xcccc3c00);
    assert_int_equal(c.ebx, 0xbbbb0000 | 214 * 16);
    assert_int_equal(c.edx, 0xdddd0000 | 214 * 16);
    assert_int_equal(asked(0x8855, 0, 0, 0).eax, 63 << 10);
}

CASE(small)
{
    static const struct boot_region little[] = {{0, MIB / 2, 1}, {MIB, 8 * MIB, 1}, {10 * MIB, MIB, 1}};
    struct bios_call c = {.eax = 0xe801, .ebx = 1, .edx = 1};
    assert_true(bios_answer(&c, little, 3));
    assert_int_equal(c.eax, 8 << 10);
    assert_int_equal(c.ebx, 0);
    assert_int_equal(c.edx, 0);
    c.eax = 0x8800;
    assert_true(bios_answer(&c, little, 3));
    assert_int_equal(c.eax, 8 << 10);
    c.eax = 0x8800;
    assert_true(bios_answer(&c, little, 0));
    assert_int_equal(c.eax, 0);
}

CASE(others)
{
    static const u32 functions[] = {0xc000, 0xe802, 0xe881, 0x8700, 0x2400, 0};
    for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
        struct bios_call c = {.eax = functions[i]};
        assert_false(bios_answer(&c, map, REGIONS));
        assert_int_equal(c.eax, functions[i]);
    }
}

int main(void)
{
    return run_cases();
}
