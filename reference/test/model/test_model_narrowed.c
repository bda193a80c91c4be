/* SPDX-License-Identifier: BSD-2-Clause */
/* A deviation narrowed to one counter, ring, register or CPU, or to some times: where it then shows, and which can be.
 */
#include "reference/deviations/narrow.h"
#include "reference/test/model/trace_rig.h"

static u64 narrowed_to(const char *name, struct deviation_place place, u32 cpu, u64 (*probe)(struct rig *r))
{
    struct rig r;
    rig_open(&r, name, 1, cpu);
    r.deviating.place = place;
    model_reset(r.model, &r.setup, &r.host);
    u64 got = probe(&r);
    rig_close(&r);
    return got;
}

static u64 status_read(struct rig *r)
{
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 counters_written(struct rig *r)
{
    wr(r, MSR_PMC(1), 5);
    wr(r, MSR_PMC(2), 5);
    wr(r, MSR_FIXED_CTR(1), 5);
    return rd(r, MSR_PMC(1)) << 16 | rd(r, MSR_PMC(2)) << 8 | rd(r, MSR_FIXED_CTR(1));
}

/* At its place a deviation acts as it does everywhere, elsewhere the good rule is called. */
CASE(narrowed)
{
    const struct deviation_place counter_2 = {.counter = 1 + 2}, fixed_1 = {.counter = 1 + 32 + 1}, last = {.cpu = 255};
    assert_int_equal(narrowed_to("status-bit-stuck", (struct deviation_place){0}, 0, status_read), 0x70000000full);
    assert_int_equal(narrowed_to("status-bit-stuck", counter_2, 0, status_read), 1 << 2);
    assert_int_equal(narrowed_to("status-bit-stuck", fixed_1, 0, status_read), 1ull << 33);
    assert_int_equal(narrowed_to("status-bit-stuck", last, 0, status_read), 0);
    assert_int_equal(narrowed_to("status-bit-stuck", last, 3, status_read), 0x70000000full);
    assert_int_equal(narrowed_to("counter-write-lost", counter_2, 0, counters_written), 0x050005);
    assert_int_equal(narrowed_to("counter-write-lost", fixed_1, 0, counters_written), 0x050500);
}

/* A deviation cannot be narrowed to what its rules do not distinguish. */
CASE(cannot_be_narrowed)
{
    assert_false(deviation_narrows(deviations[deviation_find("pmi-lost")], true, false));
    assert_true(deviation_narrows(deviations[deviation_find("pmi-lost")], false, false));
    assert_true(deviation_narrows(deviations[deviation_find("counter-dead")], true, true));
    assert_false(deviation_narrows(deviations[deviation_find("status-bit-stuck")], false, true));
    assert_false(deviation_narrows(deviations[deviation_find("handoff-zero")], true, false));
}

/* ---- Defects of registers */

static void open_on_register(struct rig *r, const char *name, const char *member)
{
    u32 first;
    rig_open(r, name, 1, 0);
    for (unsigned n = 0; deviation_register(n, &first); n++)
        if (!strcmp(deviation_register(n, &first), member))
            r->deviating.place.member = (u8)(1 + n);
    assert_true(r->deviating.place.member);
    model_reset(r->model, &r->setup, &r->host);
}

/* Of all registers that the CPU has, only this one faults, or all of this family. */
CASE(on_one_register)
{
    u32 first, other;
    for (unsigned n = 0; deviation_register(n, &first); n++) {
        struct rig good, r;
        rig_open(&good, NULL, 1, 0);
        open_on_register(&r, "register-read-faults", deviation_register(n, &first));
        for (unsigned of = 0; deviation_register(of, &other); of++)
            assert_int_equal(rd_faults(&r, other),
                             rd_faults(&good, other) || deviation_is_of(r.deviating.place, other));
        rig_close(&r);
        rig_close(&good);
    }
    assert_true(deviation_narrows_to_register(deviations[deviation_find("register-reads-zero")]));
    assert_false(deviation_narrows_to_register(deviations[deviation_find("pmi-lost")]));
}

/* Writes 0x33, which is bits 5, 4, 1 and 0, to an event select, and reads it and the next one. */
CASE(as_its_family_does)
{
    static const struct {
        const char *name;
        u64 first, again, next; /* the first read, the second, and one of the next register */
    } want[] = {
        {"register-reads-zero", 0, 0, 0},
        {"register-bit-reads-set", 0x33, 0x33, 0},
        {"register-bit-reads-clear", 0x23, 0x23, 0},
        {"register-bit-lost", 0x23, 0x23, 0},
        {"register-bits-joined", 0x33, 0x33, 0},
        {"register-write-lost", 0, 0, 0},
        {"register-write-leaks", 0x33, 0x33, 0x33},
        {"register-read-clears", 0x33, 0, 0},
        {"register-reads-stale", 0, 0x33, 0},
    };
    for_each_row (want, row) {
        struct rig r;
        open_on_register(&r, row->name, "evtsel");
        wr(&r, MSR_PERFEVTSEL(0), 0x33);
        assert_int_equal(rd(&r, MSR_PERFEVTSEL(0)), row->first);
        assert_int_equal(rd(&r, MSR_PERFEVTSEL(0)), row->again);
        assert_int_equal(rd(&r, MSR_PERFEVTSEL(1)), strcmp(row->name, "register-bit-reads-set") ? row->next : 0x10);
        rig_close(&r);
    }
}

/* ---- Conditions: each by what makes it hold, which the others do not do. */

static void count_with(struct rig *r, unsigned n, u64 evtsel)
{
    wr(r, MSR_PERFEVTSEL(n), evtsel | EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(r, MSR_PERF_GLOBAL_CTRL, rd(r, MSR_PERF_GLOBAL_CTRL) | GLOBAL_GP(n));
}

static void run_one(struct rig *r)
{
    count_with(r, 0, 0);
}

static void run_two(struct rig *r)
{
    count_with(r, 0, 0);
    count_with(r, 1, 0);
}

static void be_frozen(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
}

static void go_to_cpl_3(struct rig *r)
{
    retire(r, RETIRED_PLAIN, 3, false, 1);
}

static void be_sampling(struct rig *r)
{
    wr(r, MSR_DS_AREA, TABLE);
    wr(r, MSR_PEBS_ENABLE, 1);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_BRANCHES);
    wr(r, MSR_PERF_GLOBAL_CTRL, GLOBAL_GP(0));
}

static void be_recording(struct rig *r)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_LBR);
}

static void be_tracing(struct rig *r)
{
    wr(r, MSR_RTIT_CTL, RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN);
}

static void be_overflowed(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_GP(0));
}

static void raise_a_pmi(struct rig *r)
{
    wr(r, MSR_PMC(0), ~0ull);
    count_with(r, 0, EVTSEL_INT);
    plain(r, 1);
}

static const struct {
    const char *name;
    void (*make_hold)(struct rig *r);
    const char *also; /* others that hold then */
} conditions[] = {
    {"running", run_one, ""},    {"several", run_two, "running"},      {"frozen", be_frozen, ""},
    {"cpl3", go_to_cpl_3, ""},   {"sampling", be_sampling, "running"}, {"recording", be_recording, ""},
    {"tracing", be_tracing, ""}, {"overflowed", be_overflowed, ""},    {"pmi", raise_a_pmi, "running overflowed"},
};

/* With a deviation that shows at each read of STATUS. */
static bool shows_while(const char *condition, void (*make_hold)(struct rig *r))
{
    struct rig r;
    trace_rig_open(&r, "skylake", 0, 0);
    r.deviating.deviation = deviations[deviation_find("status-bit-stuck")];
    for (unsigned n = 0; deviation_condition(n); n++)
        if (!strcmp(deviation_condition(n), condition))
            r.deviating.place.only = (u8)(1 + n);
    model_reset(r.model, &r.setup, &r.host);
    wr(&r, MSR_RTIT_OUTPUT_BASE, TABLE);
    wr(&r, MSR_RTIT_OUTPUT_MASK_PTRS, 0x7f);
    assert_false(rd(&r, MSR_PERF_GLOBAL_STATUS) & STATUS_GP(3));
    make_hold(&r);
    bool shows = rd(&r, MSR_PERF_GLOBAL_STATUS) & STATUS_GP(3);
    trace_rig_close(&r);
    return shows;
}

/* Each condition has a row here, and holds then and only then. */
CASE(only_while)
{
    for (unsigned n = 0; n < ARRAY_SIZE(conditions); n++) {
        assert_string_equal(deviation_condition(n), conditions[n].name);
        for_each_row (conditions, made)
            assert_int_equal(shows_while(conditions[n].name, made->make_hold),
                             made == &conditions[n] || strstr(made->also, conditions[n].name));
    }
    assert_null(deviation_condition(ARRAY_SIZE(conditions)));
}

/* From the third read on, and of these each second. */
CASE(only_from)
{
    static const bool shows[] = {false, false, false, true, false, true};
    struct rig r;
    rig_open(&r, "status-bit-stuck", 2, 0);
    r.deviating.place.from = 3;
    model_reset(r.model, &r.setup, &r.host);
    for_each_row (shows, expected)
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS) != 0, *expected);
    rig_close(&r);
}

/* What a deviation of data changes holds from the reset on. */
CASE(cannot_wait)
{
    assert_true(deviation_waits(deviations[deviation_find("pmi-lost")]));
    assert_false(deviation_waits(deviations[deviation_find("handoff-zero")]));
}

int main(void)
{
    return run_cases();
}
