/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Processor trace of the reference PMU: registers, faults, and what goes to which region. Numbers from the manual. */
#include "tests/host/model/model_rig.h"

#define TABLE 0x10000u
#define FIRST 0x11000u
#define SECOND 0x12000u
#define BYTES 0x4000u /* of memory, from the table on */
#define ON (1u | 1u << 2 | 1u << 8 | 1u << 13)

static bool physical_read(void *context, u64 address, void *to, u32 count)
{
    return rig_memory_read(context, address, to, count);
}

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    return rig_memory_write(context, address, from, count);
}

static void put_entry(struct rig *r, unsigned n, u64 entry)
{
    rig_memory_write(r, TABLE + 8 * n, &entry, sizeof(entry));
}

/* Two regions with these bits, and the way back to the table. */
static void open_on(struct rig *r, const char *profile, u64 first, u64 second)
{
    rig_open_on(r, profile, NULL, 1, 0);
    r->memory = calloc(1, BYTES);
    r->address = TABLE;
    r->size = BYTES;
    r->host.physical_read = physical_read;
    r->host.physical_write = physical_write;
    model_reset(r->model, &r->setup, &r->host);
    put_entry(r, 0, FIRST | first);
    put_entry(r, 1, SECOND | second);
    put_entry(r, 2, TABLE | 1);
    wr(r, 0x560, TABLE);
    wr(r, 0x561, 0x7f);
}

static void done(struct rig *r)
{
    free(r->memory);
    rig_close(r);
}

static u8 byte(const struct rig *r, u64 address)
{
    return r->memory[address - TABLE];
}

/* An indirect call, and where it went: nine bytes. */
static void call(struct rig *r, u64 from, u64 to)
{
    struct retired instruction = {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL_INDIRECT, .taken = true, .rip = from};
    model_retire(r->model, &instruction);
    instruction = (struct retired){.kind = RETIRED_PLAIN, .rip = to};
    model_retire(r->model, &instruction);
}

static void packets(void **state)
{
    static const u8 begins[] = {0x02, 0x82}, ends[] = {0x02, 0x23, 0x99, 0x01, 0xd1, 0x00, 0x10};
    struct rig r;
    (void)state;
    open_on(&r, "skylake", 0, 1 << 4);
    assert_false(model_stepping(r.model));
    wr(&r, 0x570, ON);
    assert_true(model_stepping(r.model));
    call(&r, 0x1000, 0x2000);
    assert_memory_equal(&r.memory[FIRST - TABLE], begins, sizeof(begins));
    assert_memory_equal(&r.memory[FIRST - TABLE + 16], ends, sizeof(ends));
    assert_int_equal(byte(&r, FIRST + 29), 0xcd); /* TIP */
    assert_int_equal(byte(&r, FIRST + 31), 0x20);
    assert_int_equal(rd(&r, 0x561) >> 32, 38);
    struct retired conditional = {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = true};
    model_retire(r.model, &conditional);
    assert_int_equal(byte(&r, FIRST + 38), 0x06); /* TNT: taken */
    wr(&r, 0x570, 0);
    assert_int_equal(byte(&r, FIRST + 39), 0x01); /* TIP.PGD */
    assert_int_equal(rd(&r, 0x561), 40ull << 32 | 0x7f);
    assert_false(model_stepping(r.model));
    done(&r);
}

static void fill(struct rig *r, u64 bytes)
{
    for (u64 n = 0; n < bytes; n += 9)
        call(r, 0x1000, 0x2000);
}

static void regions(void **state)
{
    struct rig r;
    (void)state;
    open_on(&r, "skylake", 1 << 2, 1 << 4);
    wr(&r, 0x570, ON);
    fill(&r, 4000);
    assert_int_equal(r.interrupts, 0);
    fill(&r, 200);
    assert_int_equal(r.interrupts, 1);
    assert_int_equal(rd(&r, 0x38e), 1ull << 55);
    assert_int_equal(rd(&r, 0x561) & 0xfff80, 1 << 7);
    fill(&r, 4096);
    assert_int_equal(rd(&r, 0x571) & 0x30, 0x20); /* Stopped */
    assert_int_equal(rd(&r, 0x561), 4096ull << 32 | 1 << 7 | 0x7f);
    assert_int_equal(r.interrupts, 1);
    assert_int_equal(byte(&r, SECOND + 4096), 0);
    u8 last = 0;
    for (unsigned i = 1; i <= 9; i++)
        last |= byte(&r, SECOND + 4096 - i);
    assert_true(last);
    done(&r);
}

static void faults(void **state)
{
    struct rig r;
    (void)state;
    open_on(&r, "skylake", 0, 1 << 4);
    assert_true(wr_faults(&r, 0x560, TABLE | 1));
    assert_true(wr_faults(&r, 0x570, 1 << 4));  /* power events: not of Skylake */
    assert_true(wr_faults(&r, 0x570, 1 << 14)); /* an MTC frequency that sub-leaf 1 does not name */
    assert_true(wr_faults(&r, 0x572, 1));
    assert_true(wr_faults(&r, 0x584, 0)); /* two ranges */
    assert_true(wr_faults(&r, 0x571, 1 << 3));
    wr(&r, 0x583, 0xffff800000000000);
    assert_true(wr_faults(&r, 0x583, 1ull << 47));
    wr(&r, 0x570, ON);
    wr(&r, 0x570, ON);
    assert_true(wr_faults(&r, 0x570, ON | 1 << 3));
    assert_true(wr_faults(&r, 0x560, TABLE));
    assert_true(wr_faults(&r, 0x561, 0x7f));
    wr(&r, 0x570, ON & ~1u);
    done(&r);
    open_on(&r, "broadwell", 1 << 4, 0);
    assert_true(wr_faults(&r, 0x570, ON & ~(1u << 8))); /* nowhere to go */
    assert_true(rd_faults(&r, 0x580));
    done(&r);
    rig_open_on(&r, "haswell", NULL, 1, 0);
    assert_true(rd_faults(&r, 0x570));
    rig_close(&r);
}

static void check_error(const char *profile, u64 first, u64 second, u64 base, u64 position)
{
    struct rig r;
    open_on(&r, profile, first, second);
    wr(&r, 0x560, base);
    wr(&r, 0x561, position);
    wr(&r, 0x570, ON);
    fill(&r, 5000);
    assert_int_equal(rd(&r, 0x571) & 0x30, 0x10);
    done(&r);
}

static void errors(void **state)
{
    (void)state;
    check_error("skylake", 1 << 1, 0, TABLE, 0x7f);
    check_error("skylake", 0, 0, TABLE | 0x80, 0x7f);
    check_error("skylake", 0, 0, TABLE, 4096ull << 32 | 0x7f);
    check_error("skylake", 1, 0, TABLE, 0x7f);          /* END in front */
    check_error("skylake", 0, 1 | 1 << 4, TABLE, 0x7f); /* END with STOP */
    check_error("skylake", 1 << 6, 0, TABLE, 0x7f);     /* 8 KiB that do not begin there */
    check_error("broadwell", 0, 0, TABLE, 0x7f);        /* more than one region */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets),
        cmocka_unit_test(regions),
        cmocka_unit_test(faults),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
