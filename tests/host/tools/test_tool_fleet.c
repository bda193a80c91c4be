/* SPDX-License-Identifier: BSD-2-Clause */
/* Many machines: outliers are named, findings come first with their causes, and what came out worse than before. */
#include "host/tools/compare_rig.h"
#include <time.h>

/* Twenty equal machines with some spread, three of which are outliers. */
CASE(outliers_of_a_fleet_are_named)
{
    char measure[96];
    forget();
    for (unsigned i = 0; i < 30; i++) {
        struct machine m = numbered("lab-%u", i);
        unsigned median = i == 11 ? 400 : 100 + i % 5;
        snprintf(measure, sizeof(measure), "min=90 median=%u p99=%u max=500 hist=90:1,%u:60", median, median + 5,
                 median);
        m.measure = measure;
        m.bits = i == 5 ? "kept=0xfff6ffff fault=0xffffffff00090000" : m.bits;
        m.result = i == 23 ? "not ok 2 b.other # ERROR once" : m.result;
        add(m);
    }
    compared(NULL, compare_text);
    says("30 machines like lab-0", "lab-5 differs from its equals in 1 row:",
         "lab-11 differs from its equals in 1 row:", "lab-23 differs from its equals in");
    says_not("lab-12 differs");
}

#define FAILURE \
    "# fail b.other label=bad cpus=0 got=1 want=0 reg=LVTPC title=\"A thing holds\" spec=\"SDM 3B, Some Section\""

/* Verdicts are counted, and failures come before outlying measurements. */
CASE(verdicts_are_counted_and_failures_come_first)
{
    forget();
    for (unsigned i = 0; i < 12; i++) {
        struct machine m = numbered("a%02u", i + 1);
        m.measure = i == 6 ? "min=90 median=95 p99=99 max=99 hist=95:1" : m.measure;
        if (i == 2 || i == 8) {
            m.fail = FAILURE;
            m.result = "not ok 2 b.other";
        }
        add(m);
    }
    compared(NULL, compare_text);
    says("12 machines, 1 model: 10 pass, 2 fail (a03, a09)");
    says_of("12 machines like a01", "10 pass, 2 fail (a03, a09)");
    says_of("b.other [bad]", "on 2 of 12 machines: a03, a09");
    says("A thing holds", "SDM 3B, Some Section", "what to do: ");
    assert_true(has("OUTLIERS") && strstr(text, "b.other [bad]") < strstr(text, "OUTLIERS"));
    says("a07 differs from its equals");
    compared(NULL, compare_html);
    says("chip fail\">2 fail", "chip pass\">10 pass");
}

/* A pass with excused results says so. */
CASE(what_is_known_is_counted)
{
    forget();
    struct machine m = plain;
    m.name = "a01";
    m.result = "ok 2 b.other # XFAIL SKL91";
    add(m);
    compared(NULL, compare_text);
    says("1 machine, 1 model: 1 pass (1 known)");
    m.name = "a02";
    m.result = plain.result;
    add(m);
    compared(NULL, compare_text);
    says("2 pass (1 with known errata)");
}

/* If equals pass, the cause is the machine; the failure comes first among its differences. */
CASE(equals_acquit_the_microcode)
{
    forget();
    for (unsigned i = 0; i < 12; i++) {
        struct machine m = numbered("a%02u", i + 1);
        if (i == 2 || i == 8) {
            m.fail = FAILURE;
            m.result = "not ok 2 b.other";
            m.measure = "min=90 median=95 p99=99 max=99 hist=95:1";
        }
        add(m);
    }
    compared(NULL, compare_text);
    says("equals: 10 equals of the same microcode pass it", "what to do: the cause is this part or board",
         "a03 differs from its equals in 2 rows:\n      b.other outcome: fail");
    compared(NULL, compare_html);
    says("10 equals of the same microcode pass it");
}

static void parted(const char *const microcode[2], const char *const bios[2], const char *words)
{
    forget();
    for (unsigned i = 0; i < 10; i++) {
        struct machine m = numbered("m%u", i);
        bool bad = i % 3 == 1;
        m.microcode = microcode[bad];
        m.bios = bios[bad];
        m.fail = bad ? FAILURE : NULL;
        m.result = bad ? "not ok 2 b.other" : m.result;
        add(m);
    }
    compared(NULL, compare_text);
    says(words);
}

/* With two microcodes or firmware versions: the one that separates failures from passes is named. */
CASE(what_parts_failing_from_passing_is_told)
{
    static const char *const same[2] = {NULL, NULL}, *const revision[2] = {"000000f4", "000000e2"},
                             *const version[2] = {"F2", "F1"};
    parted(revision, same, "equals: microcode: it fails with 000000e2 (3), passes with 000000f4 (7)");
    says("what to do: they differ in microcode");
    parted(same, version, "equals: bios: it fails with F1 (3), passes with F2 (7)");
    says("what to do: they differ in firmware");
}

/* A cut log is no difference, and comes after the findings. */
CASE(what_is_lost_is_no_difference)
{
    forget();
    for (unsigned i = 0; i < 8; i++) {
        struct machine m = numbered("m%u", i);
        m.cut = i == 3;
        m.fail = i == 5 ? FAILURE : NULL;
        m.result = i == 5 ? "not ok 2 b.other" : m.result;
        add(m);
    }
    compared(NULL, compare_text);
    says("6 pass, 1 fail (m5), 1 damaged log (m3)", "LOGS THAT ARE NOT WHOLE");
    says_not("DIFFERENCES THAT MATTER", "m3 differs");
    says("m5 differs");
}

/* Half of a fleet is no outlier, and fails all the same. */
CASE(many_failures_are_told_too)
{
    forget();
    for (unsigned i = 0; i < 10; i++) {
        struct machine m = numbered("m%u", i);
        m.result = i % 2 ? "not ok 2 b.other" : i == 4 ? "not ok 2 b.other # REVIEW once" : m.result;
        add(m);
    }
    compared(NULL, compare_text);
    says("4 pass, 5 fail (m1, m3, m5, m7, m9), 1 review (m4)");
    says_of("b.other on 5 of 10", "m1, m3, m5, m7, m9");
}

/* A longer test measures other values; and its length is the program's own choice. */
CASE(other_options_accuse_nobody)
{
    forget();
    for (unsigned i = 0; i < 8; i++) {
        struct machine m = numbered("m%u", i);
        m.budget = i == 5 ? "# budget tests=2 us=100000 repeats=100 events=0 cpus=4 suite-ms=9"
                          : "# budget tests=2 us=20000 repeats=20 events=0 cpus=4 suite-ms=9";
        m.measure = i == 5 ? "min=70 median=80 p99=90 max=99 hist=80:5" : m.measure;
        m.chosen = i == 3
                       ? "# measure handoff.smi name=interval cpus=0-3 unit=us n=2 min=900 median=900 p99=900 max=900"
                       : "# measure handoff.smi name=interval cpus=0-3 unit=us n=2 min=200 median=200 p99=200 max=200";
        add(m);
    }
    compared(NULL, compare_text);
    says_not("OUTLIERS");
    says("m5: 100000 us and 100 repeats a test, 4 CPUs");
    says_not("interval");
}

/* A model with one failure comes first of any number; a lost result is no failure. */
CASE(the_worst_model_stands_first)
{
    char signature[16];
    forget();
    for (unsigned i = 0; i < 60; i++) {
        struct machine m = numbered("m%02u", i);
        snprintf(signature, sizeof(signature), "%08x", 0x300c3 + i * 16);
        m.signature = signature;
        m.result = i == 57 ? "not ok 2 b.other" : i == 58 ? "not ok 2 b.other # ERROR once" : m.result;
        add(m);
    }
    compared(NULL, compare_text);
    const char *failed = strstr(text, "\n  m57: "), *wrong = strstr(text, "\n  m58: "),
               *first = strstr(text, "\n  m00: ");
    assert_true(failed && wrong && first && failed < wrong && wrong < first);
    says("and 20 more models", "nothing is known about its promise");
}

/* A value that all machines of a model share is the model's; a difference within the model comes with advice. */
CASE(differences_have_causes)
{
    forget();
    for (unsigned i = 0; i < 12; i++) {
        struct machine m = numbered("m%02u", i);
        m.signature = i < 6 ? "000506e3" : "000306c3";
        m.result = i < 6 ? "ok 2 b.other" : "ok 2 b.other # SKIP CPUID.0AH:EAX[7:0]=3: version 4 is needed";
        m.handoff = i == 2 || i == 3 ? "found=0x7" : m.handoff;
        add(m);
    }
    compared(NULL, compare_text);
    says("12 machines, 2 models: 12 pass");
    says_of("tests are skipped: version 4 is needed", "1 row, for 000306c3");
    assert_true(strstr(text, "12 pass") < strstr(text, "6 machines like m00"));
    const char *matters = strstr(text, "DIFFERENCES THAT MATTER"), *expected = strstr(text, "AS EXPECTED");
    assert_true(matters && expected && matters < expected);
    says_of("IA32_PERF_GLOBAL_CTRL found", "0x7 (m02, m03)");
    says("why it matters: firmware leaves another value in this register");
    compared(NULL, compare_html);
    says("firmware hands over the PMU in another state");
}

/* ---- By model, firmware and microcode */

/* Six machines of two firmwares; the last one fails. */
static void two_firmwares(const char *date)
{
    forget();
    for (unsigned i = 0; i < 6; i++) {
        struct machine m = numbered("r%u", i);
        m.bios = i < 3 ? "F1" : "F2";
        m.date = i < 3 ? "2026-10-01T12:00:00" : date;
        m.result = i == 5 ? "not ok 2 b.other" : m.result;
        add(m);
    }
}

CASE(what_came_out_worse_than_others_stands_first)
{
    two_firmwares("2026-11-01T12:00:00");
    compared(NULL, compare_text);
    says("  000506e3; F2; 000000f0: 1 fail (r5), 2 pass, others of the model pass; first b.other\n",
         "1 combination passes\n");
    assert_true(strstr(text, "WHAT DID NOT PASS") < strstr(text, "BY MODEL, FIRMWARE"));
    assert_true(strstr(text, "BY MODEL, FIRMWARE") < strstr(text, "DIFFERENCES THAT MATTER"));
    assert_true(strstr(text, "DIFFERENCES THAT MATTER") < strstr(text, "MODELS AND CHAPTERS"));
    compared(NULL, compare_html);
    says("<td class=\"bad\" data-key=\"verdicts\">1 fail (r5), 2 pass, others of the model pass</td>",
         "<th>000506e3</th><td data-key=\"firmware\">F1</td>"); /* the page has those that pass, too */
}

static void since(const char *date)
{
    const struct compare_options options = {.since = date};
    compared_with(&options, compare_text);
}

CASE(what_came_out_worse_since_a_date_stands_first)
{
    two_firmwares("2026-11-01T12:00:00");
    since("2026-10-15");
    says("  000506e3; F2; 000000f0: 1 fail (r5), 2 pass, pass before 2026-10-15; first b.other\n");
    says_not("  000506e3; F1;");
    since("2026-12-01");
    says("no log is of 2026-12-01 or later");
    two_firmwares(NULL); /* a log without a date is of before */
    since("2026-09-01");
    says("1 combination passes\n");
    says_not("; F2; ");
}

CASE(a_single_firmware_has_no_grid)
{
    struct machine a = named("one"), b = named("two");
    b.result = "not ok 2 b.other";
    compared_two(a, b, NULL);
    says_not("BY MODEL");
    says("THE PMUS AT A GLANCE\n  000506e3: version 4, GP counters 4x48, fixed counters 3x48, PEBS format 3, ");
}

/* A rack of logs in a short time, even with sanitizers. */
CASE(five_hundred_logs_take_seconds)
{
    forget();
    clock_t start = clock();
    for (unsigned i = 0; i < MOST; i++) {
        struct machine m = numbered("lab-%u", i);
        m.handoff = i == 333 ? "found=0x7" : m.handoff;
        add(m);
    }
    compared(NULL, compare_html);
    says("lab-333</b> differs from its equals in 1 row");
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

int main(void)
{
    int failed = run_cases();
    forget();
    return failed;
}
