/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* The reference PMU's local APIC in x2APIC mode: which registers there are, what may be written, and what disabling
 * does. */
#include "tests/host/model/model_rig.h"

#define SVR 0x80f
#define ICR 0x830
#define ICR_LOW_PAGE 0x300
#define ICR_HIGH_PAGE 0x310

static u32 page[0x400]; /* by xAPIC offset */

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

static void open_apic(struct rig *r, const char *variation, u32 cpu)
{
    rig_open(r, variation, 1, cpu);
    r->host.apic_read = apic_read;
    r->host.apic_write = apic_write;
    model_reset(r->model, &r->setup, &r->host);
    memset(page, 0, sizeof(page));
    page[0xf0] = 0x1ff; /* enabled */
    page[0x20] = 0x2300u << 16;
}

/* SDM 3A, "x2APIC Register Address Space": each register, how it is accessed, and what a write of all ones may set. */
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

static void which_registers_there_are(void **state)
{
    struct rig r;
    (void)state;
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

/* Bit by bit, the upper half included; the delivery status is not written. */
static void what_may_be_written(void **state)
{
    struct rig r;
    (void)state;
    open_apic(&r, "apic-x2", 0);
    for_each_row (registers, row)
        for (unsigned bit = 0; row->bits && bit < 64; bit++) {
            u64 value = 1ull << bit;
            u32 offset = (row->last - 0x800) << 4;
            bool lvt = row->first >= 0x82f && row->last <= 0x837;
            page[0xf0] = 0x1ff;
            assert_int_equal(wr_faults(&r, row->last, value), !(row->bits & value));
            if ((row->bits & value) && row->last != 0x83f)
                assert_int_equal(page[offset], lvt ? value & ~0x1000ull : value);
        }
    rig_close(&r);
}

static void identity_and_reads(void **state)
{
    struct rig r;
    (void)state;
    open_apic(&r, "apic-x2", 0);
    assert_int_equal(rd(&r, 0x802), 0x23);
    assert_int_equal(rd(&r, 0x80d), 0x20008);
    page[0x390] = 0x12345678;
    assert_int_equal(rd(&r, 0x839), 0x12345678);
    rig_close(&r);
}

static void interrupt_command(void **state)
{
    struct rig r;
    (void)state;
    open_apic(&r, "apic-x2", 0);
    wr(&r, ICR, 0x1200000c4dfeull);
    assert_int_equal(page[ICR_HIGH_PAGE], 0); /* of the destination the page holds 8 bits */
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
static void disabled(void **state)
{
    static const u32 lvt[] = {0x82f, 0x832, 0x833, 0x834, 0x835, 0x836, 0x837};
    struct rig r;
    (void)state;
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

/* In xAPIC mode the page is the host's; LVTPC is put right after each store. */
static void store_to_the_page(void **state)
{
    struct rig r;
    (void)state;
    open_apic(&r, NULL, 0);
    page[0x340] = 0xffffffff;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0x107ff);
    page[0x340] = 0xf0;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0xf0);
    page[0xf0] = 0xff;
    model_apic_written(r.model);
    assert_int_equal(page[0x340], 0x100f0);
    assert_true(rd_faults(&r, 0x802));
    assert_true(wr_faults(&r, 0x808, 0));
    rig_close(&r);
}

static void base(void **state)
{
    struct rig r;
    (void)state;
    open_apic(&r, NULL, 0);
    assert_int_equal(rd(&r, 0x1b), 0xfee00900);
    assert_true(wr_faults(&r, 0x1b, 0xfee00d00));
    assert_true(wr_faults(&r, 0x1b, 0xfee00100));
    wr(&r, 0x1b, 0xfee00900);
    rig_close(&r);
    open_apic(&r, "apic-x2-available", 1);
    assert_int_equal(rd(&r, 0x1b), 0xfee00800);
    assert_true(rd_faults(&r, 0x802));
    wr(&r, 0x1b, 0xfee00c00);
    assert_int_equal(rd(&r, 0x1b), 0xfee00c00);
    assert_int_equal(rd(&r, 0x802), 0x23);
    assert_true(wr_faults(&r, 0x1b, 0xfee00800));
    wr(&r, 0x1b, 0xfee00c00);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_registers_there_are),
        cmocka_unit_test(what_may_be_written),
        cmocka_unit_test(identity_and_reads),
        cmocka_unit_test(interrupt_command),
        cmocka_unit_test(disabled),
        cmocka_unit_test(store_to_the_page),
        cmocka_unit_test(base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
