/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/report_text.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "tests/host/case.h"

#include <string.h>

static const struct test_declaration declaration = {
    .id = "pmi.mask-set", .title = "Delivery masks", .spec = "SDM 3A, Local Vector Table", .covers = "B-040"};

static char line[REPORT_LINE];
static struct folded folded;

CASE(results_lines)
{
    static const struct {
        enum outcome outcome;
        const char *reason, *line;
    } rows[] = {
        {OUTCOME_PASS, "", "ok 7 pmi.mask-set"},
        {OUTCOME_FAIL, "", "not ok 7 pmi.mask-set"},
        {OUTCOME_KNOWN, "SKL91", "ok 7 pmi.mask-set # XFAIL SKL91"},
        {OUTCOME_SKIP, "no APIC", "ok 7 pmi.mask-set # SKIP no APIC"},
        {OUTCOME_ERROR, "unexpected #GP", "not ok 7 pmi.mask-set # ERROR unexpected #GP"},
        {OUTCOME_REVIEW, "never seen", "not ok 7 pmi.mask-set # REVIEW never seen"},
    };
    for_each_row (rows, row) {
        folded.outcome = row->outcome;
        strcpy(folded.reason, row->reason);
        assert_string_equal(report_result(line, 7, "pmi.mask-set", &folded), row->line);
    }
}

CASE(code_lines)
{
    folded.code = REASON_NONE;
    assert_null(report_code_line(line, "pmi.mask-set", &folded));
    folded.code = REASON_FIRMWARE_NO_APIC;
    assert_string_equal(report_code_line(line, "pmi.mask-set", &folded), "# reason pmi.mask-set code=firmware.no-apic");
    folded.code = REASON_NONE;
}

#define SPEC " title=\"Delivery masks\" spec=\"SDM 3A, Local Vector Table\""
#define SOURCE "; SDM 3A, Local Vector Table"
static const struct {
    struct check check;
    const char *line, *sentence;
} failure_lines[] = {
    {{.label = "lvtpc-not-masked",
      .msr = REGISTER_LVTPC,
      .bit = NO_BIT,
      .kind = CHECK_TRUE,
      .got = 0xf0,
      .words = "bit 16 set",
      .failed = 1,
      .outcome = OUTCOME_FAIL},
     "# fail pmi.mask-set label=lvtpc-not-masked cpus=2-3 got=0xf0 want=\"bit 16 set\" reg=LVTPC asks=nothing" SPEC,
     "fail pmi.mask-set: lvtpc-not-masked on CPUs 2-3: expected bit 16 set, saw 0xf0 in LVTPC" SOURCE},
    {{.label = "bits",
      .msr = MSR_PERF_GLOBAL_INUSE,
      .bit = 2,
      .kind = CHECK_EQUAL,
      .got = 1,
      .want = 0,
      .failed = 2,
      .held = 1,
      .outcome = OUTCOME_FAIL},
     "# fail pmi.mask-set label=bits cpus=2-3 got=1 want=0 reg=IA32_PERF_GLOBAL_INUSE bit=2 failed=2/3 "
     "asks=nothing" SPEC,
     "fail pmi.mask-set: bits on CPUs 2-3: expected 0, saw 1 in IA32_PERF_GLOBAL_INUSE[2], 2 of 3 times" SOURCE},
    {{.label = "wide",
      .msr = MSR_PMC(1),
      .bit = NO_BIT,
      .kind = CHECK_EQUAL,
      .got = 0xffff80000000,
      .want = 0x80000000,
      .failed = 1,
      .outcome = OUTCOME_FAIL},
     "# fail pmi.mask-set label=wide cpus=2-3 got=0xffff80000000 want=0x80000000 reg=IA32_PMC1 asks=nothing" SPEC,
     "fail pmi.mask-set: wide on CPUs 2-3: expected 0x80000000, saw 0xffff80000000 in IA32_PMC1" SOURCE},
    {{.label = "range",
      .bit = NO_BIT,
      .kind = CHECK_RANGE,
      .got = 5,
      .want = 10,
      .high = 20,
      .failed = 1,
      .outcome = OUTCOME_FAIL},
     "# fail pmi.mask-set label=range cpus=2-3 got=5 want=10..20 asks=nothing" SPEC,
     "fail pmi.mask-set: range on CPUs 2-3: expected 10 to 20, saw 5" SOURCE},
    {{.label = "fault",
      .msr = MSR_A_PMC(3),
      .bit = NO_BIT,
      .kind = CHECK_FAULT,
      .got = NO_FAULT,
      .want = FAULT_GP,
      .failed = 1,
      .outcome = OUTCOME_FAIL},
     "# fail pmi.mask-set label=fault cpus=2-3 got=nothing want=#GP[0000] reg=IA32_A_PMC3 asks=nothing" SPEC,
     "fail pmi.mask-set: fault on CPUs 2-3: expected #GP[0000], saw no fault in IA32_A_PMC3" SOURCE},
    {{.label = "known",
      .bit = NO_BIT,
      .kind = CHECK_EQUAL,
      .got = 5,
      .want = 6,
      .failed = 1,
      .outcome = OUTCOME_KNOWN,
      .erratum = "SKL91"},
     "# fail pmi.mask-set label=known cpus=2-3 got=5 want=6 asks=nothing erratum=SKL91" SPEC,
     "known pmi.mask-set: known on CPUs 2-3: expected 6, saw 5" SOURCE},
    {{.label = "new", .bit = NO_BIT, .kind = CHECK_EQUAL, .got = 5, .want = 6, .failed = 1, .outcome = OUTCOME_REVIEW},
     "# fail pmi.mask-set label=new cpus=2-3 got=5 want=6 asks=nothing evidence=none" SPEC,
     "review pmi.mask-set: new on CPUs 2-3: expected 6, saw 5" SOURCE},
    {{.label = "rare",
      .bit = NO_BIT,
      .kind = CHECK_EQUAL,
      .got = 5,
      .want = 6,
      .failed = 1,
      .held = 99,
      .repeated = true,
      .outcome = OUTCOME_REVIEW},
     "# fail pmi.mask-set label=rare cpus=2-3 got=5 want=6 failed=1/100 asks=nothing evidence=intermittent" SPEC,
     "review pmi.mask-set: rare on CPUs 2-3: expected 6, saw 5, 1 of 100 times" SOURCE},
    {{.label = "guest", .bit = NO_BIT, .kind = CHECK_EQUAL, .got = 5, .want = 6, .failed = 1, .outcome = OUTCOME_PASS},
     "# differs pmi.mask-set label=guest cpus=2-3 got=5 want=6 asks=nothing" SPEC,
     "pass pmi.mask-set: guest on CPUs 2-3: expected 6, saw 5" SOURCE},
};

CASE(failures)
{
    for_each_row (failure_lines, row) {
        struct folded_failure failure = {.check = row->check};
        cpu_set_add(&failure.cpus, 2);
        cpu_set_add(&failure.cpus, 3);
        assert_string_equal(report_failure(line, NULL, &declaration, &failure, 0), row->line);
        assert_string_equal(report_sentence(line, NULL, &declaration, &failure), row->sentence);
    }
}

CASE(measurements)
{
    struct folded_measure measure = {.name = "skid", .unit = "instructions"};
    cpu_set_add(&measure.cpus, 0);
    histogram_add(&measure.histogram, 2);
    histogram_add(&measure.histogram, 2);
    histogram_add(&measure.histogram, 9);
    assert_string_equal(report_measure(line, "pmi.latency", &measure),
                        "# measure pmi.latency name=skid cpus=0 unit=instructions n=3 min=2 median=2 p99=9 max=9 "
                        "hist=2:2,9:1");
}

CASE(others)
{
    struct folded_reason part = {.outcome = OUTCOME_SKIP, .reason = "version 2"};
    struct totals totals = {.count = {[OUTCOME_PASS] = 88,
                                      [OUTCOME_FAIL] = 1,
                                      [OUTCOME_KNOWN] = 1,
                                      [OUTCOME_REVIEW] = 1,
                                      [OUTCOME_SKIP] = 2,
                                      [OUTCOME_ERROR] = 1}};
    cpu_set_add(&part.cpus, 4);
    assert_string_equal(report_part(line, "a.b", &part), "# skipped a.b cpus=4 reason=\"version 2\"");
    part.outcome = OUTCOME_ERROR;
    part.code = REASON_NOISE_SMI;
    assert_string_equal(report_part(line, "a.b", &part), "# error a.b cpus=4 code=noise.smi reason=\"version 2\"");
    assert_string_equal(report_totals(line, &totals), "verdict=fail pass=88 fail=1 known=1 review=1 skip=2 error=1");
    totals.differences = 3;
    assert_string_equal(report_totals(line, &totals),
                        "verdict=fail pass=88 fail=1 known=1 review=1 skip=2 error=1 differences=3");
    assert_string_equal(report_test(line, &declaration),
                        "# test pmi.mask-set title=\"Delivery masks\" spec=\"SDM 3A, Local Vector Table\" "
                        "covers=B-040");
}

CASE(further_labels)
{
    static const struct {
        const char *label;
        enum outcome outcome;
    } rows[] = {{"told", OUTCOME_FAIL}, {"known", OUTCOME_KNOWN},     {"a", OUTCOME_FAIL},
                {"a", OUTCOME_FAIL},    {"told", OUTCOME_FAIL},       {"b", OUTCOME_REVIEW},
                {"a", OUTCOME_REVIEW},  {"long-label", OUTCOME_FAIL}, {"differs", OUTCOME_PASS}};
    static struct folded many = {.outcome = OUTCOME_FAIL, .failures = ARRAY_SIZE(rows)};
    unsigned at = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        many.failure[i].check = (struct check){.label = rows[i].label, .outcome = rows[i].outcome};
    const struct folded_failure *first = &many.failure[0];
    assert_string_equal(report_also(line, &declaration, &many, first, &at, 29), "fail pmi.mask-set, also: a, b");
    assert_string_equal(report_also(line, &declaration, &many, first, &at, 29), "fail pmi.mask-set, also: long-label");
    assert_null(report_also(line, &declaration, &many, first, &at, 29));
    many.failures = 2;
    at = 0;
    assert_null(report_also(line, &declaration, &many, first, &at, 100));
}

/* A dead counter fails in each of its bits: one line. */
CASE(bits_that_fail_alike_are_one_line)
{
    static struct folded dead;
    static const u8 bits[] = {32, 33, 34, 40};
    struct check check = {
        .label = "lost", .msr = MSR_FIXED_CTR(1), .kind = CHECK_EQUAL, .want = 1, .failed = 1, .outcome = OUTCOME_FAIL};
    u64 others;
    fold_clear(&dead);
    for_each_row (bits, bit) {
        check.bit = *bit;
        fold_failure(&dead, &check, 0);
    }
    check.bit = 35;
    fold_failure(&dead, &check, 1); /* of another CPU */
    check.msr = MSR_FIXED_CTR(2);
    fold_failure(&dead, &check, 0);
    assert_false(fold_with_earlier(&dead, 0, &others));
    assert_int_equal(others, BIT(33) | BIT(34) | BIT(40));
    for (unsigned i = 1; i < 4; i++)
        assert_true(fold_with_earlier(&dead, i, &others));
    for (unsigned i = 4; i < 6; i++) {
        assert_false(fold_with_earlier(&dead, i, &others));
        assert_int_equal(others, 0);
    }
    fold_with_earlier(&dead, 0, &others);
    assert_string_equal(report_failure(line, NULL, &declaration, &dead.failure[0], others),
                        "# fail pmi.mask-set label=lost cpus=0 got=0 want=1 reg=IA32_FIXED_CTR1 bit=32 "
                        "also-bits=33-34,40 asks=nothing" SPEC);
}

/* A line fits into its buffer, however long its parts are. */
CASE(long_lines)
{
    static char spec[2000];
    struct test_declaration long_spec = declaration;
    struct folded_failure failure = {.check = {.label = spec, .bit = NO_BIT, .kind = CHECK_EQUAL, .failed = 1}};
    memset(spec, 'x', sizeof(spec) - 1);
    long_spec.spec = spec;
    assert_true(strlen(report_failure(line, NULL, &long_spec, &failure, 0)) < REPORT_LINE);
    assert_true(strlen(report_sentence(line, NULL, &long_spec, &failure)) < REPORT_LINE);
}

/* A check that failed once, or that was not made on each tested kind of core, is no evidence. */
CASE(what_held)
{
    static struct results results;
    static const struct check rows[] = {{.label = "asked-twice", .msr = 1},
                                        {.label = "fails-once", .msr = 2},
                                        {.label = "on-one-kind", .msr = 3},
                                        {.label = "asked-twice", .msr = 4}};
    fold_clear(&folded);
    assert_null(report_held(line, "a.b", &folded));
    results_clear(&results);
    for (unsigned i = 0; i < 4; i++)
        results_check(&results, &rows[i], true);
    fold_add(&folded, &results, 0, 0);
    assert_string_equal(report_held(line, "a.b", &folded), "# held a.b labels=asked-twice,fails-once,on-one-kind");
    results_clear(&results);
    fold_add(&folded, &results, 1, 1); /* skipped on that kind */
    assert_string_equal(report_held(line, "a.b", &folded), "# held a.b labels=asked-twice,fails-once,on-one-kind");
    results_check(&results, &rows[0], true);
    results_check(&results, &rows[1], false);
    fold_add(&folded, &results, 2, 1);
    assert_string_equal(report_held(line, "a.b", &folded), "# held a.b labels=asked-twice");
    results_check(&results, &rows[3], false);
    fold_add(&folded, &results, 3, 1);
    assert_null(report_held(line, "a.b", &folded));
}

int main(void)
{
    return run_cases();
}
