/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of its log that the image keeps for the codes, and the line with all outcomes. */
#include "harness/report/outcomes.h"
#include "harness/report/summary.h"
#include "kernel/log/log.h"
#include "tests/host/case.h"
#include "tools/pmucheck/scan/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sink *sink;

void log_add_sink(struct sink *added)
{
    sink = added;
    sink->write("# start\r\n# machine too early\r\n", 31); /* what was logged before */
}

static void say(const char *line)
{
    char text[1200];
    int length = snprintf(text, sizeof(text), "%s\r\n", line);
    sink->write(text, (size_t)length);
}

static const char *read_back(struct scan *scan, const struct qr_series *series)
{
    static char part[4000];
    const struct scan_series *more;
    scan_free(scan);
    assert_non_null(series);
    for (unsigned i = 1; i <= qr_series_parts(series, 600); i++)
        scan_add(scan, qr_series_part(series, i, 600, part), "test");
    return scan_text(scan, scan_find(scan, QR_SERIES_RESULTS, &more));
}

/* The short log, by way of the codes. */
static const char *kept(void)
{
    static struct scan scan;
    return read_back(&scan, summary_results());
}

/* The same in at most so many codes of so many characters. */
static const char *in_codes(unsigned characters, unsigned most)
{
    static struct scan scan;
    return read_back(&scan, summary_codes(characters, most));
}

CASE(lines_that_matter_are_kept)
{
    summary_start();
    say("KTAP version 1");
    say("# machine cpus=4");
    say("# begin a.b");
    say("ok 1 a.b");
    say("# measure a.b n=1");
    say("  # run pmu=hardware");
    say("# fail a.b label=x");
    assert_string_equal(kept(), "KTAP version 1\n# machine cpus=4\n# run pmu=hardware\n# fail a.b label=x\n");
}

/* All profiles of the reference PMU in one boot: no line that the result code covers is left out. */
CASE(many_runs_have_room)
{
    static const char *const lines[] = {
        "  KTAP version 1", "  # run pmu=reference:granite-rapids",
        "  # core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4 gp=4x48 fixed=3x48 fixed-bitmap=00000007 "
        "perfcap=000033c5 leaf0a=07300404-00000000-00000000-00000603",
        "  # cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=1 misc-enable=850089",
        "  # outcomes tests=156 ids=cc525968 list=p15sp7sp7sp47s4p13sp9sp14sp9f2p19s3p2sp4sp7s"};
    summary_start();
    say("KTAP version 1");
    for (unsigned run = 0; run < 20; run++)
        for_each_row (lines, line)
            say(*line);
    assert_null(strstr(kept(), "left-out"));
}

/* Each kind of line has its own room, so that failures cannot displace outcomes. */
CASE(too_many_lines_are_counted)
{
    char line[300];
    summary_start();
    say("KTAP version 1");
    for (unsigned i = 0; i < 100; i++) {
        snprintf(line, sizeof(line), "# fail a.b label=label-%u got=%x want=%x%*s", i, rand(), rand(), 100, "x");
        say(line);
    }
    say("# outcomes tests=1 list=f");
    assert_non_null(strstr(kept(), "# outcomes tests=1 list=f\n# left-out lines="));
}

/* The same from the bytes for a variable. */
static const char *kept_in(size_t most, size_t *used)
{
    static struct scan scan;
    static unsigned char data[4 + 6000];
    const struct scan_series *more;
    scan_free(&scan);
    *used = summary_bytes(data + 4, most);
    assert_true(*used <= most);
    if (!*used)
        return NULL;
    assert_int_equal(scan_add_variable(&scan, data, 4 + *used, "test"), SCAN_TAKEN);
    return scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more));
}

/* In few codes failures first lose title and section; then lines are left out. */
CASE(codes_within_a_bound)
{
    char line[300];
    summary_start();
    say("KTAP version 1");
    say("# machine cpus=4");
    for (unsigned i = 0; i < 12; i++) {
        snprintf(line, sizeof(line),
                 "# fail a.b%u label=label-%u got=%x want=\"0x%x, title=\\\"a\\\"\" title=\"t \\\"%x%x%x\\\" end\" "
                 "spec=\"SDM %x%x\"",
                 i, i, rand(), rand(), rand(), rand(), rand(), rand(), rand());
        say(line);
    }
    say("# outcomes tests=1 list=f");
    assert_string_equal(in_codes(0, 6), kept());
    assert_non_null(strstr(in_codes(600, 6), "title=\"t "));
    const char *text = in_codes(195, 6);
    assert_null(strstr(text, " title=\"t"));
    assert_null(strstr(text, " spec="));
    assert_non_null(strstr(text, "label=label-11 "));
    assert_non_null(strstr(text, ", title=\\\"a\\\"\"\n"));
    assert_null(strstr(text, "left-out"));
    text = in_codes(195, 2);
    assert_non_null(strstr(text, "label=label-0 "));
    assert_null(strstr(text, "label=label-11 "));
    assert_non_null(strstr(text, "# outcomes tests=1 list=f\n# left-out lines="));
    /* The outcomes stay in any case. */
    assert_string_equal(in_codes(30, 1), kept());
}

/* Less room keeps fewer lines, but either all lines that the result code covers, or nothing. */
CASE(bytes_within_a_bound)
{
    char line[300];
    size_t used, before = 6001;
    const char *text;
    summary_start();
    say("KTAP version 1");
    say("# machine cpus=4");
    for (unsigned i = 0; i < 12; i++) {
        snprintf(line, sizeof(line), "# fingerprint of=bits cpus=0-%u crc32=%08x", i, (unsigned)rand());
        say(line);
        snprintf(line, sizeof(line), "# fail a.b label=label-%u got=%x%x want=%x%x", i, rand(), rand(), rand(), rand());
        say(line);
    }
    say("# outcomes tests=1 list=f");
    say("# result verdict=fail code=7K3M-9XQA");
    text = kept_in(2048, &used);
    assert_non_null(strstr(text, "label=label-11 "));
    assert_non_null(strstr(text, "# fingerprint "));
    assert_null(strstr(text, "left-out"));
    for (size_t most = used; most; most -= most < 16 ? most : 16) {
        text = kept_in(most, &used);
        assert_true(used <= before);
        if (!text)
            break;
        before = used;
        assert_non_null(strstr(text, "# machine cpus=4\n"));
        assert_non_null(strstr(text, "# outcomes tests=1 list=f\n# result verdict=fail code=7K3M-9XQA\n"));
        if (strstr(text, "# fail ")) {
            assert_non_null(strstr(text, "label=label-0 "));
            assert_true(!strstr(text, "# fingerprint ") || strstr(text, "label=label-11 "));
        } else {
            assert_non_null(strstr(text, "# left-out lines=24\n"));
        }
    }
    assert_in_range(before, 50, 300);
}

CASE(the_code_is_that_of_the_lines)
{
    char first[16];
    summary_start();
    say("KTAP version 1");
    say("# machine cpus=4");
    strcpy(first, summary_code("verdict=pass"));
    assert_string_equal(first, summary_code("verdict=pass"));
    assert_string_not_equal(first, summary_code("verdict=fail"));
    say("# run pmu=hardware");
    assert_string_not_equal(first, summary_code("verdict=pass"));
}

CASE(outcomes_are_listed_in_order_of_ids)
{
    static const struct test_declaration tests[] = {
        {.id = "a.a"}, {.id = "b.b"}, {.id = "c.c"}, {.id = "d.d"}, {.id = "e.e"}};
    static struct registry registry = {.count = 5};
    static struct outcomes outcomes;
    char line[OUTCOMES_LINE];
    for (unsigned i = 0; i < 5; i++)
        registry.test[i] = &tests[i];
    outcomes_begin(&outcomes, &registry);
    outcomes_note(&outcomes, &tests[4], OUTCOME_SKIP);
    outcomes_note(&outcomes, &tests[1], OUTCOME_PASS);
    outcomes_note(&outcomes, &tests[2], OUTCOME_FAIL);
    outcomes_note(&outcomes, &tests[2], OUTCOME_PASS); /* again, with a better outcome: the severest counts */
    outcomes_note(&outcomes, &tests[0], OUTCOME_PASS);
    assert_string_equal(strstr(outcomes_line(line, &outcomes), " list="), " list=p2f-s");
    assert_int_equal(outcomes_ids(&registry), 0xb11bbe9f); /* by zlib: crc32 of the five lines */
}

/* The largest number of tests, with alternating outcomes: the longest line. */
CASE(the_longest_line_fits)
{
    static struct test_declaration tests[TESTS_MAX];
    static struct registry registry = {.count = TESTS_MAX};
    static struct outcomes outcomes;
    char line[OUTCOMES_LINE];
    for (unsigned i = 0; i < TESTS_MAX; i++) {
        tests[i].id = "chapter.what-holds";
        registry.test[i] = &tests[i];
    }
    outcomes_begin(&outcomes, &registry);
    for (unsigned i = 0; i < TESTS_MAX; i++)
        outcomes_note(&outcomes, &tests[i], i % 2 ? OUTCOME_PASS : OUTCOME_SKIP);
    assert_int_equal(strlen(strstr(outcomes_line(line, &outcomes), " list=")), 6 + TESTS_MAX);
}

int main(void)
{
    return run_cases();
}
