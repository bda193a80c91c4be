/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs judged again: with new errata, with removed errata, and with missing information. */
#include "harness/core/aspect.h"
#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/judge/judge.h"
#include "tools/text_file.h"
#include <stdlib.h>

static struct log_file file;
static json_object *boots; /* NULL: no such field */

/* A Skylake with hyper-threading off, so eight counters; SKL90: CTR_FRZ does not stop PMC4 to PMC7. */
static void begin_log(const char *pmu, const char *signature)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    made_print("# cpu cpus=0-3 signature=%s microcode=000000f0 core-type=0 threads-per-core=1 "
               "misc-enable=850089",
               signature);
    made_lines("# cpuid core-type=0 leaf=00000000 sub=0 eax=00000016 ebx=756e6547 ecx=6c65746e edx=49656e69",
               "# cpuid core-type=0 leaf=0000000a sub=0 eax=07300804 ebx=00000000 ecx=00000000 edx=00000603");
    made_print("# cpuid core-type=0 leaf=00000001 sub=0 eax=%s ebx=0 ecx=0 edx=0", signature);
    made_print("# run pmu=%s", pmu);
    made_print("# core-type id=0 cpus=0-3 kind=core signature=%s version=4 gp=8x48 fixed=3x48 "
               "perfcap=000033c5",
               signature);
    made_lines("1..2", "ok 1 gp.cycles", "# begin freeze.gating");
}

#define FAILED "# fail freeze.gating label=disabled-counts cpus=2 got=7 want=0 "

static enum log_status judged(const char *failure, const char *result, const char *end)
{
    made_lines(failure, result);
    made_end(end);
    made_read(&file, "made.log");
    FILE *out = text_new();
    enum log_status status = rejudge(out, boots, &file);
    fclose(out);
    return status;
}

/* An old review, and an erratum that is in the table now. */
CASE(an_erratum_clears_a_review)
{
    begin_log("hardware", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC5 asks=stays-frozen evidence=none",
                            "not ok 2 freeze.gating # REVIEW disabled-counts: never seen passing on this class",
                            "verdict=review pass=1 review=1"),
                     STATUS_PASS);
    says("known    freeze.gating: was review", "disabled-counts, CPUs 2: review -> known by SKL90",
         "verdict    pass: was review");
}

/* The erratum is about PMC4 to PMC7, this aspect and Skylake: it excuses nothing else. */
CASE(an_erratum_excuses_nothing_else)
{
    static const struct {
        const char *signature, *failure;
    } rows[] = {
        {"000506e3", FAILED "reg=IA32_PMC3 asks=stays-frozen evidence=none"},
        {"000506e3", FAILED "reg=IA32_PMC5 asks=event-select evidence=none"},
        {"000506e3", FAILED "reg=IA32_PMC5 asks=nothing evidence=none"},
        {"000306c3", FAILED "reg=IA32_PMC5 asks=stays-frozen evidence=none"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_log("hardware", rows[i].signature);
        assert_int_equal(judged(rows[i].failure, "not ok 2 freeze.gating # REVIEW x", "verdict=review pass=1 review=1"),
                         STATUS_FAIL);
        says("disabled-counts, CPUs 2: review -> fail", "verdict    fail: was review");
    }
}

/* What no second source confirms is told and not judged, then and now; what has a doubt stays a review. */
CASE(what_is_not_formula_accuses_nobody)
{
    begin_log("hardware", "000806f8");
    assert_int_equal(judged("# fail topdown.freeze label=stands cpus=2 got=7 want=0 asks=nothing evidence=none",
                            "not ok 2 topdown.freeze # REVIEW x", "verdict=review pass=1 review=1"),
                     STATUS_PASS);
    says("stands, CPUs 2: review -> pass");
    begin_log("hardware", "000806f8");
    assert_int_equal(judged("# differs topdown.freeze label=stands cpus=2 got=7 want=0 asks=nothing",
                            "ok 2 topdown.freeze", "verdict=pass pass=2"),
                     STATUS_PASS);
    says("no result changes");
    begin_log("hardware", "000806f8");
    assert_int_equal(judged("# fail gp.halt label=counts-in-halt cpus=2 got=7 want=0 asks=nothing evidence=none",
                            "not ok 2 gp.halt # REVIEW x", "verdict=review pass=1 review=1"),
                     STATUS_REVIEW);
}

/* An erratum that was removed from the table since, or that belonged to another CPU. */
CASE(a_wrong_excuse_is_taken_back)
{
    begin_log("reference:skylake", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC2 asks=stays-frozen erratum=SKL999",
                            "ok 2 freeze.gating # XFAIL SKL999", "verdict=pass pass=1 known=1"),
                     STATUS_FAIL);
    says("fail     freeze.gating: was known", "known by SKL999 -> fail");
    begin_log("hardware", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC2 asks=stays-frozen failed=1/9 erratum=SKL999",
                            "ok 2 freeze.gating # XFAIL SKL999", "verdict=pass pass=1 known=1"),
                     STATUS_REVIEW);
}

/* The JSON has the text's content; without `out` there is no text. */
CASE(the_json_says_the_same)
{
    boots = json_object_new_array();
    begin_log("hardware", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC5 asks=stays-frozen evidence=none", "not ok 2 freeze.gating # REVIEW x",
                            "verdict=review pass=1 review=1"),
                     STATUS_PASS);
    assert_int_equal(rejudge(NULL, boots, &file), STATUS_PASS);
    assert_int_equal(json_count(boots), 2);
    const char *first = json_written(json_item(boots, 0), false), *second = json_written(json_item(boots, 1), false);
    assert_string_equal(first, second);
    assert_string_equal(first, "{\"log\":\"made.log\",\"version\":\"0.1.0\",\"commit\":\"1a2b3c4\",\"was\":\"review\","
                               "\"runs\":[{\"pmu\":\"hardware\",\"signature\":\"000506e3\",\"microcode\":\"000000f0\","
                               "\"results\":[{\"test\":\"freeze.gating\",\"was\":\"review\",\"is\":\"known\"}],"
                               "\"checks\":[{\"test\":\"freeze.gating\",\"label\":\"disabled-counts\",\"cpus\":\"2\","
                               "\"was\":\"review\",\"was_erratum\":null,\"is\":\"known\",\"is_erratum\":\"SKL90\"}]}],"
                               "\"is\":\"pass\",\"unasked\":0}");
    json_object_put(boots);
    boots = NULL;
}

/* A log without asks= keeps its outcomes, and gets a note. */
CASE(what_was_asked_may_be_unknown)
{
    begin_log("hardware", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC2 erratum=SKL999", "ok 2 freeze.gating # XFAIL SKL999",
                            "verdict=pass pass=1 known=1"),
                     STATUS_PASS);
    says("1 failed checks have no asks=");
    begin_log("hardware", "000506e3");
    assert_int_equal(judged(FAILED "reg=IA32_PMC5 evidence=none", "not ok 2 freeze.gating # REVIEW x",
                            "verdict=review pass=1 review=1"),
                     STATUS_REVIEW);
}

/* Failures that the log left out were no better; and checks without a present test are reported. */
CASE(left_out_failures_excuse_nothing)
{
    begin_log("reference:skylake", "000506e3");
    made_line("# more freeze.gating failures=3");
    assert_int_equal(
        judged("# fail freeze.gating label=of-yesterday cpus=2 got=7 want=0 reg=IA32_PMC5 asks=stays-frozen",
               "not ok 2 freeze.gating", "verdict=fail pass=1 fail=1"),
        STATUS_FAIL);
    says("of-yesterday, CPUs 2: no present test has this check", "verdict    fail, unchanged");
}

CASE(a_damaged_log_has_no_verdict)
{
    begin_log("hardware", "000506e3");
    judged(FAILED "reg=IA32_PMC5 asks=stays-frozen evidence=none", "not ok 2 freeze.gating # REVIEW x",
           "verdict=pass pass=2");
    says("the log has problems");
}

/* ---- Fields of a line */

static struct check read_line(const char *line)
{
    struct check check;
    bool asked;
    made_begin();
    made_lines("# run pmu=hardware", "1..1", line, "not ok 1 a.b");
    made_read(&file, "made.log");
    for (unsigned i = 0; i < file.boots.item[0].records.count; i++)
        if (strcmp(file.boots.item[0].records.item[i].kind, "fail") == 0) {
            assert_true(recorded_check(&file.boots.item[0].records.item[i], &check, &asked));
            return check;
        }
    abort();
}

CASE(lines_become_checks)
{
    struct check c = read_line("# fail a.b label=l cpus=0 got=0xf0 want=0x100f0 reg=MSR_1a0H failed=2/3");
    assert_int_equal(c.kind, CHECK_EQUAL);
    assert_int_equal(c.got, 0xf0);
    assert_int_equal(c.msr, 0x1a0);
    assert_int_equal(c.failed, 2);
    assert_int_equal(c.held, 1);
    assert_int_equal(c.bit, NO_BIT);
    c = read_line("# fail a.b label=l cpus=0 got=5 want=10..20 reg=IA32_FIXED_CTR1 evidence=intermittent");
    assert_int_equal(c.kind, CHECK_RANGE);
    assert_int_equal(c.want, 10);
    assert_int_equal(c.high, 20);
    assert_int_equal(c.msr, 0x30a);
    assert_true(c.held_again);
    c = read_line("# fail a.b label=l cpus=0 got=nothing want=#GP[0000] reg=IA32_PMC0");
    assert_int_equal(c.kind, CHECK_FAULT);
    c = read_line(
        "# fail a.b label=l cpus=0 got=1 want=\"less than 3..4 of them\" reg=LVTPC bit=16 asks=freeze,status-bit");
    assert_int_equal(c.kind, CHECK_TRUE);
    assert_int_equal(c.bit, 16);
    assert_int_equal(c.aspects, ASPECT_FREEZE | ASPECT_STATUS_BIT);
}

/* Each aspect has its own name, and no other bit has one. */
CASE(every_aspect_has_a_name)
{
    char one[ASPECT_TEXT];
    u64 back;
    for (unsigned bit = 0; bit < 64; bit++) {
        bool named = strcmp(aspect_text(1ull << bit, one), "nothing") != 0;
        assert_int_equal(named, bit < ASPECTS);
        if (named) {
            assert_true(aspect_parse(one, &back));
            assert_int_equal(back, 1ull << bit);
        }
    }
    assert_true(aspect_parse("nothing", &back));
    assert_int_equal(back, 0);
    assert_false(aspect_parse("status-bit,of-tomorrow", &back));
}

int main(void)
{
    int failed = run_cases();
    log_free(&file);
    return failed;
}
