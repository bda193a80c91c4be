/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/judge.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static const struct pmu_caps skylake = {.intel = true, .present = true, .signature = 0x506e3, .version = 4};

static struct results *fresh(void)
{
    static struct results results;
    results_clear(&results);
    return &results;
}

static struct check equal(const char *label, u64 got, u64 want)
{
    return (struct check){.label = label, .msr = 0xc1, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = got, .want = want};
}

static void ask(struct results *results, const char *label, unsigned held, unsigned failed, bool repeated)
{
    for (unsigned i = 0; i < held + failed; i++) {
        struct check check = equal(label, i < failed ? 7 : 1, 1);
        if (repeated)
            results_open(results);
        results_check(results, &check, i >= failed);
        if (repeated)
            results_close(results, true);
    }
}

CASE(outcomes)
{
    static const struct {
        unsigned held, failed;
        bool repeated;
        enum pmu_kind kind;
        enum outcome outcome;
        const char *reason;
        enum reason code;
    } rows[] = {
        {1, 0, false, PMU_REFERENCE, OUTCOME_PASS, "", REASON_NONE},
        {0, 1, false, PMU_REFERENCE, OUTCOME_FAIL, "", REASON_NONE},
        {5, 1, false, PMU_REFERENCE, OUTCOME_FAIL, "", REASON_NONE},
        {100, 0, true, PMU_HARDWARE, OUTCOME_PASS, "", REASON_NONE},
        {0, 100, true, PMU_REFERENCE, OUTCOME_FAIL, "", REASON_NONE},
        {40, 60, true, PMU_REFERENCE, OUTCOME_FAIL, "", REASON_NONE},
        {99, 1, true, PMU_REFERENCE, OUTCOME_REVIEW, "x: 1 of 100 repeats differ", REASON_REVIEW_REPEAT},
        {0, 1, false, PMU_HARDWARE, OUTCOME_REVIEW, "x: never seen passing on this class",
         REASON_HARNESS_FIRST_CONTACT},
        {0, 1, false, PMU_VIRTUAL, OUTCOME_PASS, "", REASON_NONE},
        {0, 1, false, PMU_VIRTUAL_JUDGED, OUTCOME_FAIL, "", REASON_NONE},
        {99, 1, true, PMU_VIRTUAL_JUDGED, OUTCOME_REVIEW, "x: 1 of 100 repeats differ", REASON_REVIEW_REPEAT},
        {0, 0, false, PMU_REFERENCE, OUTCOME_ERROR, "checked nothing", REASON_NONE},
    };
    for_each_row (rows, row) {
        struct results *results = fresh();
        ask(results, "x", row->held, row->failed, row->repeated);
        judge_results(results, &skylake, "any.test", row->kind);
        assert_int_equal(results->outcome, row->outcome);
        assert_string_equal(results->reason, row->reason);
        assert_int_equal(results->code, row->code);
    }
}

/*
 * HSD140 is about counts that differ from run to run. A short run has one count of each counter: the same error in all
 * of them is steady, too; a right count, or a different error, is not.
 */
CASE(steady)
{
    static const struct pmu_caps haswell = {.intel = true, .present = true, .signature = 0x306c3, .version = 3};
    static const struct {
        unsigned counters, failed, last_got;
        enum outcome outcome;
    } rows[] = {
        {1, 3, 7, OUTCOME_KNOWN}, {1, 4, 7, OUTCOME_FAIL},  {3, 1, 7, OUTCOME_KNOWN},
        {4, 1, 7, OUTCOME_FAIL},  {4, 1, 8, OUTCOME_KNOWN}, {4, 1, 1, OUTCOME_KNOWN},
        {5, 1, 1, OUTCOME_KNOWN}, {5, 1, 8, OUTCOME_KNOWN}, {5, 1, 7, OUTCOME_FAIL},
    };
    for_each_row (rows, row) {
        struct results *results = fresh();
        for (unsigned i = 0; i < row->counters * row->failed; i++) {
            bool last = i + 1 == row->counters * row->failed;
            struct check check = equal("count", last ? row->last_got : 7, 1);
            check.msr += i % row->counters;
            check.aspects = ASPECT_INSTRUCTIONS;
            results_check(results, &check, check.got == check.want);
        }
        judge_results(results, &haswell, "any.test", PMU_REFERENCE);
        assert_int_equal(results->outcome, row->outcome);
    }
}

/* Without a log of the class: by what the manual prints and who relies on it a failure is one, else it is not. */
CASE(without_a_log)
{
    static const struct {
        const char *test, *label;
        unsigned held, failed;
        u32 signature;
        enum outcome outcome;
        const char *words; /* in the grounds; NULL: there are none */
    } rows[] = {
        {"inuse.event-select", "zero", 0, 4, 0x506e3, OUTCOME_FAIL, "the manual prints it"},
        {"inuse.event-select", "zero", 99, 1, 0x506e3, OUTCOME_REVIEW, NULL},
        {"inuse.pmi", "by-pebs-enable", 0, 4, 0x506e3, OUTCOME_REVIEW, "no program relies on it"},
        {"pmi.mask-set", "lvtpc-not-masked", 0, 4, 0x506e3, OUTCOME_FAIL, "Linux since 2.6.31"},
        {"pmi.mask-set", "lvtpc-not-masked", 0, 4, 0xff000, OUTCOME_FAIL, "Linux since 2.6.31"},
        {"pmi.mask-set", "stray-pmi", 0, 4, 0x506e3, OUTCOME_REVIEW, "another cause"},
        {"gp.conditional-branches", "at-cpl-3", 0, 4, 0x506e3, OUTCOME_FAIL, "rr since 1.0"},
        {"gp.conditional-branches", "at-cpl-3", 0, 4, 0xff000, OUTCOME_REVIEW, "no program relies on it"},
        {"gp.cmask", "more-rises", 0, 4, 0x506e3, OUTCOME_FAIL, "CPU since Nehalem"},
        {"gp.cmask", "more-rises", 0, 4, 0x406c4, OUTCOME_PASS, "no later Atom"},
        {"topdown.freeze", "stands", 0, 4, 0x806f8, OUTCOME_PASS, "Linux and KVM"},
        {"lockstep", "walk-status", 0, 4, 0x506e3, OUTCOME_REVIEW, "many things at once"},
        {"any.test", "x", 0, 4, 0x506e3, OUTCOME_REVIEW, NULL},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = skylake;
        struct results *results = fresh();
        caps.signature = row->signature;
        caps.family = 6;
        caps.model = (row->signature >> 4 & 15) | (row->signature >> 12 & 0xf0);
        ask(results, row->label, row->held, row->failed, true);
        judge_results(results, &caps, row->test, PMU_HARDWARE);
        assert_int_equal(results->outcome, row->outcome);
        const char *grounds = results->check[0].grounds;
        if (!row->words ? grounds != NULL : !grounds || !strstr(grounds, row->words))
            fail_msg("%s %s: %s", row->test, row->label, grounds ? grounds : "none");
    }
}

/* What came only with something around it is no accusation, though programs rely on it. */
CASE(with_surroundings)
{
    struct results *results = fresh();
    ask(results, "zero", 0, 4, true);
    results->check[0].surrounded = true;
    judge_results(results, &skylake, "inuse.event-select", PMU_HARDWARE);
    assert_int_equal(results->outcome, OUTCOME_REVIEW);
    assert_int_equal(results->code, REASON_REVIEW_SURROUNDINGS);
    assert_null(results->check[0].grounds);
}

/* The first row that names the check and the class decides; kinds of core of one CPU are judged apart. */
CASE(first_row)
{
    static const struct reliance table[] = {
        {7, RELIED_REVIEW, BIT(CLASS_SKYLAKE), "a.*", "x*", "one"},
        {8, RELIED_RELIED, BIT(CLASS_SKYLAKE) | BIT(CLASS_SKYMONT), "a.b", "*", "two"},
    };
    unsigned count = ARRAY_SIZE(table);
    assert_ptr_equal(reliance_for(table, count, CLASS_SKYLAKE, "a.b", "xy"), &table[0]);
    assert_ptr_equal(reliance_for(table, count, CLASS_SKYLAKE, "a.b", "yx"), &table[1]);
    assert_ptr_equal(reliance_for(table, count, CLASS_SKYMONT, "a.b", "xy"), &table[1]);
    assert_null(reliance_for(table, count, CLASS_LION_COVE, "a.b", "xy"));
    assert_null(reliance_for(table, count, CLASS_SKYLAKE, "b.b", "xy"));
}

/* Promises of silicon only are measured on a virtual PMU, even if it is judged. */
CASE(unpromised)
{
    static const struct {
        const char *test, *label;
        enum pmu_kind kind;
        enum outcome outcome;
    } rows[] = {
        {"gp.cycles", "implausible", PMU_VIRTUAL_JUDGED, OUTCOME_PASS},
        {"gp.cycles", "implausible", PMU_REFERENCE, OUTCOME_FAIL},
        {"gp.cycles", "implausible", PMU_HARDWARE, OUTCOME_REVIEW},
        {"gp.instructions", "implausible", PMU_VIRTUAL_JUDGED, OUTCOME_FAIL},
        {"pmi.skid", "too-late-by-nmi", PMU_VIRTUAL_JUDGED, OUTCOME_PASS},
        {"pmi.skid", "not-delivered", PMU_VIRTUAL_JUDGED, OUTCOME_FAIL},
        {"freeze.smm", "bit-lost", PMU_VIRTUAL_JUDGED, OUTCOME_PASS},
        {"access.deep-sleep", "lost-in-sleep", PMU_VIRTUAL_JUDGED, OUTCOME_PASS},
    };
    for_each_row (rows, row) {
        struct results *results = fresh();
        ask(results, row->label, 0, 1, false);
        judge_results(results, &skylake, row->test, row->kind);
        assert_int_equal(results->outcome, row->outcome);
    }
}

/* A host that counts something itself takes one counter away; two that stand still are a difference. */
CASE(counter_of_the_host)
{
    assert_true(virtual_counter_held(7, 6));
    assert_false(virtual_counter_held(7, 7));
    assert_false(virtual_counter_held(7, 5));
    assert_false(virtual_counter_held(0, 0));
}

/* The host's kernel, as its release begins. */
CASE(host_kernel)
{
    static const struct {
        const char *release;
        u32 version;
    } rows[] = {{"6.8.0-45-generic", HOST_KERNEL(6, 8)},
                {"5.14.0-427.el9.x86_64", HOST_KERNEL(5, 14)},
                {"7.1-rc3", HOST_KERNEL(7, 1)},
                {"6.18", HOST_KERNEL(6, 18)},
                {"", 0},
                {"6", 0},
                {"six.8", 0},
                {"6.x", 0},
                {"70000.1", 0}};
    for_each_row (rows, row)
        assert_int_equal(virtual_host_kernel(row->release), row->version);
}

/* A register that faults: our mistake on silicon; a broken promise of a hypervisor that shows the register; nothing if
 * it does not. */
CASE(denied)
{
    static const char text[] = "unexpected #GP at rdmsr IA32_PERF_GLOBAL_INUSE";
    static const struct {
        const char *hypervisor;
        u8 version;
        enum pmu_kind kind;
        enum outcome outcome;
        const char *reason;
    } rows[] = {
        {"", 4, PMU_HARDWARE, OUTCOME_ERROR, text},
        {"", 4, PMU_REFERENCE, OUTCOME_ERROR, text},
        {"KVMKVMKVM", 4, PMU_VIRTUAL, OUTCOME_PASS, ""},
        {"KVMKVMKVM", 4, PMU_VIRTUAL_JUDGED, OUTCOME_FAIL, ""},
        {"KVMKVMKVM", 3, PMU_VIRTUAL_JUDGED, OUTCOME_SKIP, text},
        {"KVMKVMKVM", 3, PMU_VIRTUAL, OUTCOME_SKIP, text},
        {"XenVMMXenVMM", 4, PMU_VIRTUAL_JUDGED, OUTCOME_KNOWN, "no-inuse"},
    };
    for_each_row (rows, row) {
        struct results *results = fresh();
        struct pmu_caps caps = skylake;
        caps.version = row->version;
        strcpy(caps.hypervisor_name, row->hypervisor);
        results_deny(results, 0x392, FAULT_GP, text);
        results_deny(results, 0x38f, FAULT_GP, "a later one");
        results_raise(results, OUTCOME_ERROR, REASON_NONE, "left behind");
        if (row->kind != PMU_HARDWARE && row->kind != PMU_REFERENCE)
            results->outcome = OUTCOME_NONE;
        judge_results(results, &caps, "inuse.pmi", row->kind);
        assert_int_equal(results->outcome, row->outcome);
        assert_string_equal(results->reason, row->reason);
    }
}

/* The severest finding wins in any position; of equal ones the first. */
CASE(severest)
{
    struct results *results = fresh();
    ask(results, "now-and-then", 9, 1, true);
    ask(results, "always", 0, 2, false);
    judge_results(results, &skylake, "any.test", PMU_REFERENCE);
    assert_int_equal(results->outcome, OUTCOME_FAIL);
    assert_int_equal(results->check[0].outcome, OUTCOME_REVIEW);
    assert_int_equal(results->check[1].outcome, OUTCOME_FAIL);
    results_raise(results, OUTCOME_SKIP, REASON_NONE, "too late");
    assert_int_equal(results->outcome, OUTCOME_FAIL);
    results_raise(results, OUTCOME_ERROR, REASON_NOISE_SMI, "first");
    results_raise(results, OUTCOME_ERROR, REASON_NOISE_NMI, "second");
    assert_string_equal(results->reason, "first");
    assert_int_equal(results->code, REASON_NOISE_SMI);
}

/* A skip without checks is not "checked nothing"; earlier checks do not cancel the skip. */
CASE(skips)
{
    struct results *results = fresh();
    results_raise(results, OUTCOME_SKIP, REASON_NONE, "version 2");
    judge_results(results, &skylake, "any.test", PMU_REFERENCE);
    assert_int_equal(results->outcome, OUTCOME_SKIP);
    results = fresh();
    ask(results, "x", 1, 0, false);
    results_raise(results, OUTCOME_SKIP, REASON_NONE, "half-way");
    judge_results(results, &skylake, "any.test", PMU_REFERENCE);
    assert_int_equal(results->outcome, OUTCOME_SKIP);
}

CASE(known)
{
    const struct pmu_caps sandy_bridge = {.intel = true, .present = true, .signature = 0x206a7, .version = 3};
    struct results *results = fresh();
    ask(results, "plain", 0, 3, false);
    results->check[0].aspects = ASPECT_INSTRUCTIONS;
    judge_results(results, &sandy_bridge, "gp.instructions", PMU_HARDWARE);
    assert_int_equal(results->outcome, OUTCOME_KNOWN);
    assert_string_equal(results->reason, "BJ136");
    results = fresh();
    ask(results, "plain", 0, 3, false);
    judge_results(results, &skylake, "gp.instructions", PMU_HARDWARE);
    assert_int_equal(results->outcome, OUTCOME_REVIEW);
}

/* A check without an aspect has no excuse; a check of values is excused within the bound, a check of texts never. */
CASE(known_by_aspect)
{
    static const struct {
        u64 aspects;
        u8 kind;
        u64 got;
        enum outcome outcome;
    } rows[] = {
        {0, CHECK_EQUAL, 2, OUTCOME_FAIL},
        {ASPECT_BRANCHES, CHECK_EQUAL, 2, OUTCOME_FAIL},
        {ASPECT_INSTRUCTIONS, CHECK_EQUAL, 17, OUTCOME_KNOWN},
        {ASPECT_INSTRUCTIONS, CHECK_EQUAL, 18, OUTCOME_FAIL},
        {ASPECT_INSTRUCTIONS, CHECK_TRUE, 2, OUTCOME_FAIL},
        {ASPECT_INSTRUCTIONS, CHECK_FAULT, 2, OUTCOME_FAIL},
    };
    const struct pmu_caps sandy_bridge = {.intel = true, .present = true, .signature = 0x206a7, .gp_width = 48};
    for_each_row (rows, row) {
        struct results *results = fresh();
        struct check check = equal("x", row->got, 1);
        check.aspects = row->aspects;
        check.kind = row->kind;
        results_check(results, &check, false);
        judge_results(results, &sandy_bridge, "any.test", PMU_REFERENCE);
        assert_int_equal(results->outcome, row->outcome);
    }
}

/* Below or above works across a counter's wrap, too, and for a range counts from its nearer end. */
CASE(known_by_direction)
{
    static const struct {
        u8 kind;
        u64 got, want, high;
        enum outcome outcome;
    } rows[] = {
        {CHECK_EQUAL, 3, 2, 0, OUTCOME_KNOWN},           {CHECK_EQUAL, 1, 2, 0, OUTCOME_FAIL},
        {CHECK_EQUAL, 0, MASK(47, 0), 0, OUTCOME_KNOWN}, {CHECK_EQUAL, MASK(47, 0), 0, 0, OUTCOME_FAIL},
        {CHECK_RANGE, 4, 2, 3, OUTCOME_KNOWN},           {CHECK_RANGE, 1, 2, 3, OUTCOME_FAIL},
    };
    const struct pmu_caps before_the_fix = {
        .intel = true, .present = true, .signature = 0x506e3, .microcode = 0x7b, .gp_width = 48};
    for_each_row (rows, row) {
        struct results *results = fresh();
        struct check check = equal("x", row->got, row->want);
        check.aspects = ASPECT_EACH_RECORD;
        check.kind = row->kind;
        check.high = row->high;
        results->width = before_the_fix.gp_width;
        results_check(results, &check, false);
        judge_results(results, &before_the_fix, "any.test", PMU_REFERENCE);
        assert_int_equal(results->outcome, row->outcome);
    }
}

/* The worst of all repeats is judged, in any order; the same error in all of them is no occasional miscount. */
CASE(known_by_the_worst)
{
    static const struct {
        u64 got[6];
        u64 aspects[6];
        enum outcome outcome;
    } rows[] = {
        {{101, 99, 102, 103, 98, 101}, {0}, OUTCOME_KNOWN},
        {{101, 1000000, 1000000, 1000000, 1000000, 1000000}, {0}, OUTCOME_FAIL},
        {{1000000, 101, 101, 102, 101, 101}, {0}, OUTCOME_FAIL},
        {{110, 110, 110, 110, 110, 110}, {0}, OUTCOME_FAIL},
        {{110, 110, 110, 110, 110, 100}, {0}, OUTCOME_KNOWN},
        {{110, 110, 110, 110, 110, 109}, {0}, OUTCOME_KNOWN},
        {{101, 99, 102, 103, 98, 101}, {0, 0, ASPECT_BRANCHES}, OUTCOME_FAIL},
    };
    const struct pmu_caps sandy_bridge = {.intel = true, .present = true, .signature = 0x206a7, .gp_width = 48};
    for_each_row (rows, row) {
        struct results *results = fresh();
        for (unsigned i = 0; i < ARRAY_SIZE(row->got); i++) {
            struct check check = equal("x", row->got[i], 100);
            check.aspects = row->aspects[i] ? row->aspects[i] : ASPECT_INSTRUCTIONS;
            results_check(results, &check, row->got[i] == 100);
        }
        judge_results(results, &sandy_bridge, "any.test", PMU_REFERENCE);
        assert_int_equal(results->outcome, row->outcome);
    }
}

/* With excused results the plain word "pass" would say too much. */
CASE(verdict_words)
{
    struct totals totals = {.counted = 1};
    char text[VERDICT_TEXT];
    totals.count[OUTCOME_PASS] = 3;
    assert_string_equal(verdict_text(&totals, text), "pass");
    totals.count[OUTCOME_KNOWN] = 12;
    assert_string_equal(verdict_text(&totals, text), "pass (12 known)");
    totals.count[OUTCOME_FAIL] = 1;
    assert_string_equal(verdict_text(&totals, text), "fail");
}

CASE(evidence)
{
    static const struct evidence rows[] = {{0x506e0, 0x0fff0ff0, "gp.*", "p*", "lab 7"}};
    assert_true(evidence_for(rows, 1, 0x506e3, "gp.instructions", "plain"));
    assert_false(evidence_for(rows, 1, 0x406e3, "gp.instructions", "plain"));
    assert_false(evidence_for(rows, 1, 0x506e3, "fixed.instructions", "plain"));
    assert_false(evidence_for(rows, 1, 0x506e3, "gp.instructions", "memory"));
    assert_false(evidence_for(rows, 0, 0x506e3, "gp.instructions", "plain"));
    static const struct evidence list[] = {{0x506e0, EVIDENCE_CLASS, "gp.rdpmc", "differs,ends-*,x", "lab 8"}};
    assert_true(evidence_for(list, 1, 0x506e1, "gp.rdpmc", "differs"));
    assert_true(evidence_for(list, 1, 0x506e1, "gp.rdpmc", "ends-so"));
    assert_true(evidence_for(list, 1, 0x506e1, "gp.rdpmc", "x"));
    assert_false(evidence_for(list, 1, 0x506e1, "gp.rdpmc", "differ"));
    assert_false(evidence_for(list, 1, 0x506e1, "gp.rdpmc", "differs,ends-so"));
    assert_false(evidence_for(list, 1, 0x506e1, "gp.rdpmc", ""));
}

CASE(too_many)
{
    static char labels[CHECKS_MAX + 1][8];
    struct results *results = fresh();
    for (unsigned i = 0; i <= CHECKS_MAX; i++) {
        labels[i][0] = 'a' + (char)(i % 26);
        labels[i][1] = 'a' + (char)(i / 26);
        struct check check = equal(labels[i], 1, 1);
        results_check(results, &check, true);
    }
    judge_results(results, &skylake, "any.test", PMU_REFERENCE);
    assert_int_equal(results->outcome, OUTCOME_ERROR);
}

CASE(verdicts)
{
    static const struct {
        struct totals totals;
        enum verdict verdict;
        const char *name;
        u8 code;
    } rows[] = {
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_KNOWN] = 1, [OUTCOME_SKIP] = 1}, .counted = 1},
         VERDICT_PASS,
         "pass",
         0x10},
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_SKIP] = 1}}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_FAIL] = 1, [OUTCOME_ERROR] = 1}}, VERDICT_FAIL, "fail", 0x11},
        {{.count = {[OUTCOME_SKIP] = 3}}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {0}}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {[OUTCOME_PASS] = 3}, .counted = 3, .virtual_pmu = true}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_ERROR] = 1, [OUTCOME_REVIEW] = 1}}, VERDICT_ERROR, "error", 0x13},
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_REVIEW] = 1}}, VERDICT_REVIEW, "review", 0x14},
        {{.count = {[OUTCOME_KNOWN] = 3}, .counted = 3}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {[OUTCOME_PASS] = 3}, .counted = 3, .lacking = "x"}, VERDICT_UNTESTED, "untested", 0x12},
        {{.count = {[OUTCOME_PASS] = 3, [OUTCOME_FAIL] = 1}, .counted = 3, .lacking = "x"}, VERDICT_FAIL, "fail", 0x11},
    };
    for_each_row (rows, row) {
        assert_int_equal(verdict_of(&row->totals), row->verdict);
        assert_string_equal(verdict_name(row->verdict), row->name);
        assert_int_equal(verdict_code(row->verdict), row->code);
    }
    assert_string_equal(outcome_name(OUTCOME_REVIEW), "review");
}

/* Tests of CPUID pass without a PMU; that is no verdict on a PMU. */
CASE(nothing_that_counts)
{
    static const struct needs tells = {.no_pmu = true}, enumerates = {.no_counter = true}, counts = {.version = 4},
                              netburst = {.no_pmu = true, .netburst = true};
    struct totals totals = {0};
    enum reason code;
    assert_string_equal(untested_reason(&totals, &code), "no test that uses a counter was selected");
    totals_add(&totals, &tells, OUTCOME_PASS, REASON_NONE, "");
    totals_add(&totals, &enumerates, OUTCOME_PASS, REASON_NONE, "");
    totals_add(&totals, &tells, OUTCOME_SKIP, REASON_CPU_VENDOR, "not one of ours");
    totals_add(&totals, &counts, OUTCOME_SKIP, REASON_FIRMWARE_PERFMON, "switched off");
    totals_add(&totals, &counts, OUTCOME_SKIP, REASON_NONE, "version 2");
    assert_int_equal(verdict_of(&totals), VERDICT_UNTESTED);
    assert_string_equal(untested_reason(&totals, &code), "switched off");
    assert_int_equal(code, REASON_FIRMWARE_PERFMON);
    totals_add(&totals, &netburst, OUTCOME_PASS, REASON_NONE, "");
    assert_int_equal(verdict_of(&totals), VERDICT_PASS);
    /* Tests that use counters lack the APIC: no pass, whatever else passes. Other reasons to skip are of no weight. */
    totals_add(&totals, &counts, OUTCOME_SKIP, REASON_FIRMWARE_CPUS, "1 CPU");
    totals_add(&totals, &tells, OUTCOME_SKIP, REASON_FIRMWARE_NO_APIC, "not about counting");
    assert_int_equal(verdict_of(&totals), VERDICT_PASS);
    totals_add(&totals, &counts, OUTCOME_SKIP, REASON_FIRMWARE_NO_APIC, "no local APIC");
    totals_add(&totals, &counts, OUTCOME_PASS, REASON_NONE, "");
    assert_int_equal(verdict_of(&totals), VERDICT_UNTESTED);
    totals_lack(&totals, REASON_NONE, "a later reason");
    assert_string_equal(untested_reason(&totals, &code), "no local APIC");
    assert_int_equal(code, REASON_FIRMWARE_NO_APIC);
    totals.virtual_pmu = true;
    assert_int_equal(verdict_of(&totals), VERDICT_UNTESTED);
    assert_non_null(strstr(untested_reason(&totals, &code), "hypervisor"));
    assert_int_equal(code, REASON_NONE);
}

int main(void)
{
    return run_cases();
}
