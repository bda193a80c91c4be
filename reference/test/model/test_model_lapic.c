/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's local APIC: its modes and their order, the state after a reset, which registers exist in x2APIC
 * mode, which writes are allowed, and the effect of disabling. */
#include "reference/test/model/model_rig.h"

#define SVR 0x80f
#define ICR 0x830
#define ICR_LOW_PAGE 0x300
#define ICR_HIGH_PAGE 0x310

static u32 page[0x400]; /* by xAPIC offset */
static struct {
    unsigned calls;
    bool page, forgets;
} told; /* arguments of the last change of mode */

static u32 apic_read(void *context, u32 offset)
{
    (void)context;
    return page[offset];
}

static void apic_write(void *context, u32 offset, u32 value)
{
    (void)context;
    page[offset] = value;
}

static void apic_mode(void *context, bool in_page, bool forgets)
{
    (void)context;
    told.calls++;
    told.page = in_page;
    told.forgets = forgets;
}

static void open_apic(struct rig *r, const char *variation, u32 cpu)
{
    rig_open(r, variation, 1, cpu);
    r->host.apic_read = apic_read;
    r->host.apic_write = apic_write;
    r->host.apic_mode = apic_mode;
    memset(&told, 0, sizeof(told));
    model_reset(r->model, &r->setup, &r->host);
    memset(page, 0, sizeof(page));
    page[0xf0] = 0x1ff; /* enabled */
    page[0x20] = 0x2300u << 16;
}

/* SDM 3A, "x2APIC Register Address Space": each register, how it is accessed, and the bits that a write of all ones may
 * set. */
static const struct {
    u32 first, last;
    const char *access;
    u32 bits;
} registers[] = {
    {0x802, 0x803, "r", 0},        {0x808, 0x808, "rw", 0xff},    {0x80a, 0x80a, "r", 0},
    {0x80b, 0x80b, "w0", 0},       {0x80d, 0x80d, "r", 0},        {0x80f, 0x80f, "rw", 0x13ff},
    {0x810, 0x827, "r", 0},        {0x828, 0x828, "rw0", 0},      {0x82f, 0x82f, "rw", 0x117ff},
    {0x830, 0x830, "rw", 0},       {0x832, 0x832, "rw", 0x710ff}, {0x833, 0x834, "rw", 0x117ff},
    {0x835, 0x836, "rw", 0x1f7ff}, {0x837, 0x837, "rw", 0x110ff}, {0x838, 0x838, "rw", 0xffffffff},
    {0x839, 0x839, "r", 0},        {0x83e, 0x83e, "rw", 0xb},     {0x83f, 0x83f, "w", 0xff},
};

static const char *access_of(u32 msr, u32 *bits)
{
    for_each_row (registers, row)
        if (msr >= row->first && msr <= row->last) {
            *bits = row->bits;
            return row->access;
        }
    return "";
}

CASE(which_registers_there_are)
{
    struct rig r;
    open_apic(&r, "apic-x2", 0);
    for (u32 msr = 0x800; msr <= 0x8ff; msr++) {
        u32 bits = 0;
        const char *access = access_of(msr, &bits);
        assert_int_equal(rd_faults(&r, msr), !strchr(access, 'r'));
        assert_int_equal(wr_faults(&r, msr, 0), !strchr(access, 'w'));
        if (strchr(access, '0'))
            assert_true(wr_faults(&r, msr, 1));
    }
    rig_close(&r);
}

/* Bit by bit, including the upper half; the delivery status is read-only. */
CASE(what_may_be_written)
{
    struct rig r;
    open_apic(&r, "apic-x2", 0);
    for_each_row (registers, row)
        for (unsigned bit = 0; row->bits && bit < 64; bit++) {
            u64 value = 1ull << bit;
            u32 offset = (row->last - 0x800) << 4;
            bool lvt = row->first >= 0x82f && row->last <= 0x837;
            page[0xf0] = 0x1ff;
            assert_int_equal(wr_faults(&r, row->last, value), !(row->bits & value));
            if (!(row->bits & value) || row->last == 0x83f)
                continue;
            assert_int_equal(rd(&r, row->last), lvt ? value & ~0x1000ull : value);
            if (row->last != 0x82f) /* for its entry, which the page may lack */
                assert_int_equal(page[offset], rd(&r, row->last));
        }
    rig_close(&r);
}

CASE(identity_and_reads)
{
    struct rig r;
    open_apic(&r, "apic-x2", 0);
    assert_int_equal(rd(&r, 0x802), 0x23);
    assert_int_equal(rd(&r, 0x80d), 0x20008);
    page[0x390] = 0x12345678;
    assert_int_equal(rd(&r, 0x839), 0x12345678);
    rig_close(&r);
}

/* Ids that do not fit into the page: those of other CPUs are higher by a constant, and lower ones belong to no CPU. */
CASE(ids_above_the_page)
{
    static const struct {
        u64 to;
        u32 page;
    } rows[] = {{0, 0}, {0x101, 1}, {0x124, 0x24}, {0x24, 0xfe}, {0x100, 0xfe}, {0x1fe, 0xfe}, {~0u, 0xff}};
    struct rig r;
    for (u32 cpu = 0; cpu < 2; cpu++) {
        open_apic(&r, "apic-ids-high", cpu);
        r.setup.tsc_khz = 2000000;
        model_reset(r.model, &r.setup, &r.host);
        page[0xf0] = 0x1ff;
        page[0x20] = cpu ? 0x2400u << 16 : 0;
        assert_int_equal(rd(&r, 0x802), cpu ? 0x124 : 0);
        assert_int_equal(rd(&r, 0x80d), cpu ? 0x120010 : 1);
        for_each_row (rows, row) {
            wr(&r, ICR, row->to << 32 | 0xfe);
            assert_int_equal(page[ICR_HIGH_PAGE] >> 24, row->page);
        }
        wr(&r, ICR, 0x101000000feull);
        assert_true(rd(&r, ICR) == 0x101000000feull);
        rig_close(&r);
    }
}

CASE(interrupt_command)
{
    struct rig r;
    open_apic(&r, "apic-x2", 0);
    wr(&r, ICR, 0x1200000c4dfeull);
    assert_int_equal(page[ICR_HIGH_PAGE], 0); /* the page holds 8 bits of the destination */
    assert_int_equal(page[ICR_LOW_PAGE], 0xc4dfe);
    wr(&r, ICR, 0x25000c4dffull);
    assert_int_equal(page[ICR_HIGH_PAGE], 0x25000000);
    assert_true(rd(&r, ICR) == 0x25000c4dffull);
    for (unsigned bit = 0; bit < 32; bit++)
        assert_int_equal(wr_faults(&r, ICR, 1ull << bit),
                         bit >= 20 || bit == 12 || bit == 13 || bit == 16 || bit == 17);
    wr(&r, 0x83f, 0x66);
    assert_int_equal(page[ICR_LOW_PAGE], 0x40066);
    rig_close(&r);
}

/* SDM 3A, "Local APIC State After It Has Been Software Disabled". */
CASE(disabled)
{
    static const u32 lvt[] = {0x82f, 0x832, 0x833, 0x834, 0x835, 0x836, 0x837};
    struct rig r;
    open_apic(&r, "apic-x2", 0);
    wr(&r, 0x838, 7);
    wr(&r, SVR, 0xff);
    assert_int_equal(rd(&r, SVR), 0xff);
    assert_int_equal(rd(&r, 0x838), 7);
    for_each_row (lvt, msr) {
        assert_int_equal(rd(&r, *msr), 0x10000);
        wr(&r, *msr, 0x40);
        assert_int_equal(rd(&r, *msr), 0x10040);
    }
    wr(&r, SVR, 0x1ff);
    for_each_row (lvt, msr) {
        assert_int_equal(rd(&r, *msr), 0x10040);
        wr(&r, *msr, 0x41);
        assert_int_equal(rd(&r, *msr), 0x41);
    }
    rig_close(&r);
}

/* In xAPIC mode the page is the host's; entries of the LVT are corrected after each store. */
CASE(store_to_the_page)
{
    struct rig r;
    open_apic(&r, NULL, 0);
    page[0x340] = 0xffffffff;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0x107ff);
    page[0x340] = 0xf0;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0xf0);
    static const struct {
        u32 offset, kept;
    } entries[] = {{0x320, 0x710ff & ~0x1000u},
                   {0x330, 0x107ff},
                   {0x350, 0x1f7ff & ~0x1000u},
                   {0x360, 0x1f7ff & ~0x1000u},
                   {0x370, 0x100ff}};
    for_each_row (entries, row)
        page[row->offset] = 0xffffffff;
    model_apic_written(r.model);
    for_each_row (entries, row) {
        assert_int_equal(page[row->offset], row->kept);
        page[row->offset] = 0x40;
    }
    page[0xf0] = 0xff;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0x100f0);
    for_each_row (entries, row)
        assert_int_equal(page[row->offset], 0x10040);
    assert_true(rd_faults(&r, 0x802));
    assert_true(wr_faults(&r, 0x808, 0));
    rig_close(&r);
}

CASE(base)
{
    struct rig r;
    open_apic(&r, NULL, 0);
    assert_int_equal(rd(&r, 0x1b), 0xfee00900);
    assert_true(wr_faults(&r, 0x1b, 0xfee00d00)); /* no x2APIC here */
    wr(&r, 0x1b, 0xfee00900);
    for (unsigned bit = 0; bit < 64; bit++) /* reserved bits, the bootstrap processor, the address */
        if (bit != 11)
            assert_true(wr_faults(&r, 0x1b, 0xfee00900 ^ 1ull << bit));
    assert_int_equal(told.calls, 0);
    rig_close(&r);
    open_apic(&r, "apic-x2-available", 1);
    assert_int_equal(rd(&r, 0x1b), 0xfee00800);
    assert_true(rd_faults(&r, 0x802));
    wr(&r, 0x1b, 0xfee00c00);
    assert_int_equal(rd(&r, 0x1b), 0xfee00c00);
    assert_int_equal(rd(&r, 0x802), 0x23);
    assert_true(told.calls == 1 && !told.page && !told.forgets);
    rig_close(&r);
}

/* SDM 3A, "x2APIC State Transitions": every mode to every mode, EN and EXTD as bits 1 and 0. */
CASE(modes)
{
    static const struct {
        const char *way; /* from hand-off, a digit a write */
        unsigned allowed;
    } from[] = {{"0", 0x5}, {"2", 0xd}, {"3", 0x9}, {"30", 0x5}, {"302", 0xd}, {"3023", 0x9}, {"202", 0xd}};
    struct rig r;
    for_each_row (from, row)
        for (unsigned to = 0; to < 4; to++) {
            open_apic(&r, "apic-x2-available", 0);
            u64 now = 0xfee00900, next = 0xfee00100 | to << 10;
            for (const char *at = row->way; *at; at++) {
                now = 0xfee00100 | (u64)(*at - '0') << 10;
                wr(&r, 0x1b, now);
            }
            assert_int_equal(wr_faults(&r, 0x1b, next), !(row->allowed >> to & 1));
            assert_int_equal(rd(&r, 0x1b), row->allowed >> to & 1 ? next : now);
            rig_close(&r);
        }
}

static u32 leaf1_edx(struct rig *r, u32 leaf[4])
{
    static const u32 native[4] = {0, 0, 0, 0x200};
    model_cpuid(r->model, 0xb, 0, (const u32[4]){1, 2, 0x100, 0x23}, leaf);
    u32 out[4];
    model_cpuid(r->model, 1, 0, native, out);
    return out[3];
}

static void fill_registers(void)
{
    static const u32 offsets[] = {0x80, 0xd0, 0xe0, 0x320, 0x330, 0x340, 0x350, 0x360, 0x370, 0x380, 0x3e0};
    for_each_row (offsets, offset)
        page[*offset] = 0x21;
    page[0xf0] = 0x1e0;
}

static void check_reset_state(void)
{
    static const struct {
        u32 offset, value;
    } after[] = {{0x80, 0},  {0xd0, 0},  {0xe0, 0xffffffff}, {0xf0, 0xff},     {0x280, 0},      {0x320, 0x10000},
                 {0x380, 0}, {0x3e0, 0}, {0x330, 0x10000},   {0x340, 0x10000}, {0x370, 0x10000}};
    for_each_row (after, row)
        assert_int_equal(page[row->offset], row->value);
}

/* SDM 3A, "Local APIC Status and Location", "Local APIC State After Power-Up or Reset". */
CASE(disabled_and_enabled_again)
{
    struct rig r;
    u32 leaf[4];
    for (unsigned x2 = 0; x2 < 2; x2++) {
        open_apic(&r, "apic-x2-available", 0);
        if (x2) {
            wr(&r, 0x1b, 0xfee00d00);
            wr(&r, 0x82f, 0x41);
        }
        assert_true(leaf1_edx(&r, leaf) & 0x200);
        fill_registers();
        wr(&r, 0x1b, 0xfee00100);
        assert_true(!told.page && told.forgets);
        check_reset_state();
        assert_int_equal(page[0x350], 0x700); /* the pins are the CPU's own */
        assert_int_equal(page[0x360], 0x400);
        assert_false(leaf1_edx(&r, leaf) & 0x200);
        assert_int_equal(leaf[3], 0x23);
        assert_true(rd_faults(&r, 0x802) && wr_faults(&r, 0x80b, 0));
        unsigned calls = told.calls;
        wr(&r, 0x1b, 0xfee00100);
        assert_int_equal(told.calls, calls);
        fill_registers();
        wr(&r, 0x1b, 0xfee00900);
        assert_true(told.page && !told.forgets);
        check_reset_state();
        assert_int_equal(page[0x350], 0x10000);
        assert_int_equal(page[0x360], 0x10000);
        assert_true(leaf1_edx(&r, leaf) & 0x200);
        wr(&r, 0x1b, 0xfee00d00);
        assert_true(!told.page && !told.forgets);
        assert_int_equal(rd(&r, 0x82f), 0x10000);
        check_reset_state(); /* into x2APIC mode: all registers keep their values */
        rig_close(&r);
    }
}

/* SDM 3A, "Local APIC State After an INIT Reset" and "Processor State After Reset"; SDM 3B, "DS Save Area". */
CASE(init_signal)
{
    struct rig r;
    for (unsigned x2 = 0; x2 < 2; x2++) {
        open_apic(&r, x2 ? "apic-x2" : NULL, 1);
        u64 mode = rd(&r, 0x1b);
        wr(&r, 0xc1, 0x1234);
        wr(&r, 0x186, 0x4300c0);
        wr(&r, 0x38f, 1);
        wr(&r, 0x600, 0x10000);
        wr(&r, 0x3f1, 1);
        fill_registers();
        told.calls = 0;
        model_init_signal(r.model);
        check_reset_state();
        assert_true(told.calls == 1 && told.page == !x2 && told.forgets);
        assert_true(rd(&r, 0x1b) == mode);
        assert_int_equal(rd(&r, 0xc1), 0x1234);
        assert_int_equal(rd(&r, 0x186), 0x4300c0);
        assert_int_equal(rd(&r, 0x38f), 1);
        assert_int_equal(rd(&r, 0x600), 0);
        assert_int_equal(rd(&r, 0x3f1), 0);
        assert_true(model_stepping(r.model)); /* the counter goes on */
        rig_close(&r);
    }
    open_apic(&r, NULL, 1);
    wr(&r, 0x1b, 0xfee00000);
    told.calls = 0;
    fill_registers();
    model_init_signal(r.model); /* a disabled local APIC has no state to reset */
    assert_int_equal(told.calls, 0);
    assert_int_equal(page[0x340], 0x21);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
