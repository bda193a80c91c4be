/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of every format, built here byte by byte from the manual's tables. */
#include "pmu/area/ds.h"
#include "tests/host/case.h"

#include <string.h>

/* Each quadword holds its own offset, so that every field shows where it was read. */
static void number(u8 *record, unsigned bytes)
{
    for (unsigned offset = 0; offset + 8 <= bytes; offset += 8)
        memcpy(record + offset, &(u64){0xabc000 + offset}, 8);
}

CASE(fixed_formats)
{
    static const u32 sizes[] = {144, 176, 192, 200};
    u8 bytes[256];
    for (unsigned format = 0; format < 4; format++) {
        struct pebs_record r;
        number(bytes, sizeof(bytes));
        assert_int_equal(pebs_record_size(format, 0xf), sizes[format]);
        assert_false(pebs_decode(format, bytes, sizes[format] - 1, &r));
        assert_true(pebs_decode(format, bytes, sizes[format], &r));
        assert_int_equal(r.size, sizes[format]);
        assert_int_equal(r.flags, 0xabc000);
        assert_int_equal(r.ip, 0xabc008);
        assert_int_equal(r.reg[PEBS_RAX], 0xabc010);
        assert_int_equal(r.reg[PEBS_RSI], 0xabc030);
        assert_int_equal(r.reg[PEBS_RSP], 0xabc048);
        assert_int_equal(r.reg[PEBS_R15], 0xabc088);
        assert_int_equal(r.address, format >= 1 ? 0xabc098 : 0);
        assert_int_equal(r.latency, format >= 1 ? 0xabc0a8 : 0);
        assert_int_equal(r.status, format == 1 || format == 2 ? 0xabc090 : 0);
        assert_int_equal(r.applicable, format == 3 ? 0xabc090 : 0);
        assert_int_equal(r.eventing_ip, format >= 2 ? 0xabc0b0 : 0);
        assert_int_equal(r.tsc, format == 3 ? 0xabc0c0 : 0);
        assert_int_equal(!!(r.has & PEBS_HAS_TSC), format == 3);
    }
}

CASE(record_of_32_bits)
{
    u8 bytes[40];
    struct pebs_record r;
    for (u32 i = 0; i < 10; i++)
        memcpy(bytes + 4 * i, &(u32){0x80001000 + i}, 4);
    assert_false(pebs_decode(PEBS_FORMAT_32, bytes, 39, &r));
    assert_true(pebs_decode(PEBS_FORMAT_32, bytes, 40, &r));
    assert_int_equal(r.flags, 0x80001000);
    assert_int_equal(r.ip, 0x80001001);
    assert_int_equal(r.reg[PEBS_RAX], 0x80001002);
    assert_int_equal(r.reg[PEBS_RSP], 0x80001009);
    assert_int_equal(r.reg[PEBS_R8], 0);
}

static const struct {
    u32 groups, size;
    unsigned memory, gpr, xmm, lbr; /* offsets; 0: absent */
} adaptive[] = {
    {0x0, 32, 0, 0, 0, 0},
    {0x1, 64, 32, 0, 0, 0},
    {0x2, 176, 0, 32, 0, 0},
    {0x3, 208, 32, 64, 0, 0},
    {0x4, 288, 0, 0, 32, 0},
    {0x7, 464, 32, 64, 208, 0},
    {0x00000008, 56, 0, 0, 0, 32},
    {0x1f000008, 800, 0, 0, 0, 32},
    {0x0700000a, 368, 0, 32, 0, 176},
    {0x1f00000f, 1232, 32, 64, 208, 464},
};

CASE(adaptive_groups)
{
    for_each_row (adaptive, row) {
        u8 bytes[1232];
        struct pebs_record r;
        number(bytes, sizeof(bytes));
        memcpy(bytes, &(u64){(u64)row->size << 48 | 0x123ull << 32 | row->groups}, 8);
        assert_int_equal(pebs_record_size(4, row->groups), row->size);
        assert_false(pebs_decode(4, bytes, row->size - 1, &r));
        assert_true(pebs_decode(4, bytes, row->size, &r));
        assert_int_equal(r.walked, row->size);
        assert_int_equal(r.groups, row->groups);
        assert_int_equal(r.retire_latency, 0x123);
        assert_int_equal(r.ip, 0xabc008);
        assert_int_equal(r.applicable, 0xabc010);
        assert_int_equal(r.tsc, 0xabc018);
        assert_int_equal(r.address, row->memory ? 0xabc000 + row->memory : 0);
        assert_int_equal(r.tsx, row->memory ? 0xabc018 + row->memory : 0);
        assert_int_equal(r.flags, row->gpr ? 0xabc000 + row->gpr : 0);
        assert_int_equal(r.reg[PEBS_RAX], row->gpr ? 0xabc010 + row->gpr : 0);
        assert_int_equal(r.reg[PEBS_RCX], row->gpr ? 0xabc018 + row->gpr : 0);
        assert_int_equal(r.reg[PEBS_RBX], row->gpr ? 0xabc028 + row->gpr : 0);
        assert_int_equal(r.reg[PEBS_RDI], row->gpr ? 0xabc048 + row->gpr : 0);
        assert_int_equal(r.reg[PEBS_R15], row->gpr ? 0xabc088 + row->gpr : 0);
        assert_ptr_equal(r.xmm, row->xmm ? bytes + row->xmm : NULL);
        assert_ptr_equal(r.lbr, row->lbr ? bytes + row->lbr : NULL);
        assert_int_equal(r.lbr_count, row->lbr ? (row->groups >> 24) + 1 : 0);
    }
}

CASE(a_claimed_size_is_not_believed)
{
    u8 bytes[256] = {0};
    struct pebs_record r;
    memcpy(bytes, &(u64){0xffffull << 48 | 1}, 8);
    assert_false(pebs_decode(4, bytes, sizeof(bytes), &r));
    memcpy(bytes, &(u64){63ull << 48 | 1}, 8); /* no room for the memory group */
    assert_false(pebs_decode(4, bytes, sizeof(bytes), &r));
    memcpy(bytes, &(u64){72ull << 48 | 1}, 8); /* more than its groups: left to the test */
    assert_true(pebs_decode(4, bytes, sizeof(bytes), &r));
    assert_int_equal(r.walked, 64);
    assert_int_equal(r.size, 72);
    assert_false(pebs_decode(4, bytes, 31, &r));
    assert_false(pebs_decode(7, bytes, sizeof(bytes), &r));
    assert_int_equal(pebs_record_size(7, 0), 0);
}

CASE(values_of_counters)
{
    u8 bytes[96] = {0};
    struct pebs_record r;
    u64 groups = 0x30 | 5ull << 32 | 1ull << 48;
    assert_int_equal(pebs_record_size(6, groups), 32 + 16 + 3 * 8 + 16);
    memcpy(bytes, &(u64){88ull << 48 | 0x30}, 8);
    memcpy(bytes + 32, (u32[]){5, 1, 3, 0}, 16);
    assert_true(pebs_decode(6, bytes, sizeof(bytes), &r));
    assert_int_equal(r.values, 5);
    assert_int_equal(r.gp_mask, 5);
    assert_int_equal(r.walked, 88);
    assert_ptr_equal(r.value, bytes + 48);
    memcpy(bytes + 32, (u32[]){0xffffffff, 1, 3, 0}, 16);
    assert_false(pebs_decode(6, bytes, sizeof(bytes), &r));
    memcpy(bytes, &(u64){40ull << 48 | 0x30}, 8); /* smaller than its header */
    assert_false(pebs_decode(6, bytes, sizeof(bytes), &r));
}

int main(void)
{
    return run_cases();
}
