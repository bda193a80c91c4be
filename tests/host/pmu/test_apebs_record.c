/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of architectural PEBS, built by hand from the manual's offsets. */
#include "pmu/area/ds.h"
#include "pmu/registers.h"
#include "tests/host/case.h"

#include <string.h>

#define FORMAT 15

static u8 bytes[8192];

static void put(u32 at, u64 value)
{
    memcpy(bytes + at, &value, sizeof(value));
}

CASE(basic_and_registers)
{
    struct pebs_record r;
    memset(bytes, 0xee, sizeof(bytes));
    put(0, 0xa000000040000000 | (16 + 48 + 160));
    put(16, 0x401000);          /* IP */
    put(24, 0x100000001);       /* applicable */
    put(32, 0x123456789);       /* TSC */
    put(40, 0x10007);           /* retire latency 7, valid */
    put(64, 0x246);             /* RFLAGS */
    put(64 + 16, 0xaaaa);       /* RAX */
    put(64 + 24, 0xcccc);       /* RCX */
    put(64 + 16 + 15 * 8, 0xf); /* R15 */
    assert_true(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.size, 224);
    assert_int_equal(r.walked, 224);
    assert_int_equal(r.fragments, 1);
    assert_int_equal(r.head, 0xa000000040000000);
    assert_int_equal(r.ip, 0x401000);
    assert_int_equal(r.applicable, 0x100000001);
    assert_int_equal(r.tsc, 0x123456789);
    assert_int_equal(r.retire_latency, 7);
    assert_int_equal(r.flags, 0x246);
    assert_int_equal(r.reg[PEBS_RAX], 0xaaaa);
    assert_int_equal(r.reg[PEBS_RCX], 0xcccc);
    assert_int_equal(r.reg[PEBS_R15], 0xf);
    assert_false(pebs_decode(FORMAT, bytes, 223, &r));
    put(0, 0xa000000040000000 | 223);
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    put(0, 0xa000000040000000 | 8);
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
}

/* Basic in the first piece, branch records and values of counters in the second. */
CASE(pieces)
{
    struct pebs_record r;
    memset(bytes, 0, sizeof(bytes));
    put(0, 0x80000000c0000000 | 64);
    put(16, 0x1234);
    put(64, 0x0000013040000000 | (16 + 48 + 8 * 24 + 16 + 3 * 8));
    put(64 + 16 + 8, 0x7f0003);              /* LBR control */
    put(64 + 16 + 48, 0x1111);               /* from */
    put(64 + 16 + 48 + 8 * 24, 0x500000003); /* GP masks 3, fixed mask 5: too many values for this size */
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    put(64 + 16 + 48 + 8 * 24, 0x100000003);
    put(64 + 16 + 48 + 8 * 24 + 16, 0x77);
    assert_true(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.fragments, 2);
    assert_int_equal(r.size, 64 + 296);
    assert_int_equal(r.walked, 64 + 296);
    assert_int_equal(r.ip, 0x1234);
    assert_int_equal(r.lbr_count, 8);
    assert_int_equal(r.lbr_control, 0x7f0003);
    assert_int_equal(r.lbr[0], 0x11);
    assert_int_equal(r.values, 3);
    assert_int_equal(r.gp_mask, 3);
    assert_int_equal(r.fixed_mask, 1);
    assert_int_equal(r.value[0], 0x77);
    assert_false(pebs_decode(FORMAT, bytes, 64, &r)); /* continued past the end */
    assert_false(pebs_decode(FORMAT, bytes, 72, &r));
}

/* An empty fragment, as drivers expect them, before a record, within it and after it; a stray one is skipped. */
CASE(pieces_of_nothing)
{
    struct pebs_record r;
    memset(bytes, 0, sizeof(bytes));
    put(0, 32);                               /* of more than its header */
    put(32, 0x20000000c0000000 | (16 + 160)); /* no basic group: belongs to no record, though continued */
    put(208, PEBS_HEAD_BASIC | PEBS_HEAD_CONTINUED | 64);
    put(208 + 16, 0x1234);
    put(272, 16);
    put(288, 0x2000000040000000 | (16 + 160));
    put(288 + 16, 0x246); /* RFLAGS */
    put(464, 16);
    assert_true(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.size, 464);
    assert_int_equal(r.walked, 464);
    assert_int_equal(r.padding, 208 + 16);
    assert_int_equal(r.fragments, 2);
    assert_int_equal(r.ip, 0x1234);
    assert_int_equal(r.flags, 0x246);
    assert_false(pebs_decode(FORMAT, bytes, 288, &r)); /* nothing after the fragment in the middle */
    assert_false(pebs_decode(FORMAT, bytes + 464, 16, &r));
    assert_int_equal(r.padding, 16);
    assert_false(pebs_decode(FORMAT, bytes, 208, &r));
    assert_int_equal(r.padding, 208);
    put(32, 0x20000000c0000000 | (16 + 159)); /* its content is not checked, its end is */
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    put(32, 0);
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.padding, 32);
}

CASE(vectors_and_aux)
{
    struct pebs_record r;
    u64 groups = CFG_C_AUX | CFG_C_XMM | CFG_C_YMMH;
    memset(bytes, 0, sizeof(bytes));
    assert_int_equal(apebs_record_size(groups), 16 + 48 + 64 + 16 + 512);
    put(0, PEBS_HEAD_BASIC | groups | apebs_record_size(groups));
    put(64, 0xadd7e55);
    put(64 + 40, 0x50);
    put(64 + 48, 0x60);
    put(128, 6);
    put(144, 0x1111);
    put(144 + 256, 0x2222);
    assert_true(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.walked, r.size);
    assert_int_equal(r.address, 0xadd7e55);
    assert_int_equal(r.source, 0x50);
    assert_int_equal(r.latency, 0x60);
    assert_int_equal(r.xstate, 6);
    assert_int_equal(r.xmm[0], 0x11);
    assert_int_equal(r.ymmh[0], 0x22);
    assert_int_equal(r.has & (PEBS_HAS_XMM | PEBS_HAS_YMMH | PEBS_HAS_AUX),
                     PEBS_HAS_XMM | PEBS_HAS_YMMH | PEBS_HAS_AUX);
}

CASE(sizes)
{
    struct pebs_record r;
    assert_int_equal(apebs_record_size(0), 64);
    assert_int_equal(apebs_record_size(CFG_C_GPR), 224);
    assert_int_equal(apebs_record_size(BIT(40)), 64 + 48 + 8 * 24);
    assert_int_equal(apebs_record_size(BIT(41)), 64 + 48 + 16 * 24);
    assert_int_equal(apebs_record_size(CFG_C_LBR), 64 + 48);
    assert_int_equal(apebs_record_size(CFG_C_CNTR_GP | CFG_C_ALLOW), 80);
    assert_int_equal(apebs_record_size(CFG_C_OPMASK | CFG_C_ZMMH | CFG_C_H16ZMM), 64 + 16 + 64 + 512 + 1024);
    memset(bytes, 0, sizeof(bytes));
    put(0, PEBS_HEAD_BASIC | CFG_C_LBR | (64 + 48 + 24 * 24));
    put(64 + 16, 24); /* as many as the depth */
    assert_true(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
    assert_int_equal(r.lbr_count, 24);
    put(64 + 16, ~0ull);
    assert_false(pebs_decode(FORMAT, bytes, sizeof(bytes), &r));
}

int main(void)
{
    return run_cases();
}
