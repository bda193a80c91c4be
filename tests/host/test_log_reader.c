/* links: tools/log_reader.c tools/span.c */
/*
 * The log reader against logs made here line by line, with CRCs as the format defines them: good ones, and ones with
 * one thing wrong.
 */
#include "tools/log_reader.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

static char text[8192];
static unsigned long crc, block;
static unsigned syncs;
static struct log_reader reader;

static void begin(void)
{
    text[0] = 0;
    crc = block = 0;
    syncs = 0;
}

static void line(const char *content)
{
    unsigned length = (unsigned)strlen(content);
    crc = crc32(crc32(crc, (const unsigned char *)content, length), (const unsigned char *)"\n", 1);
    block = crc32(crc32(block, (const unsigned char *)content, length), (const unsigned char *)"\n", 1);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\r\n", content);
}

static void sync_line(void)
{
    char content[80];
    int length = snprintf(content, sizeof(content), "# sync seq=%u crc32=", ++syncs);
    unsigned long sum = crc32(block, (const unsigned char *)content, (unsigned)length);
    snprintf(content + length, sizeof(content) - (size_t)length, "%08lx", sum);
    line(content);
    block = 0;
}

static void end_line(const char *content)
{
    char whole[160];
    int length = snprintf(whole, sizeof(whole), "# end %s crc32=", content);
    unsigned long sum = crc32(crc, (const unsigned char *)whole, (unsigned)length);
    snprintf(whole + length, sizeof(whole) - (size_t)length, "%08lx", sum);
    line(whole);
}

static enum log_status status(void)
{
    log_read(&reader, text, strlen(text));
    return log_status(&reader);
}

static void a_good_log(void)
{
    begin();
    line("KTAP version 1");
    line("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    line("1..4");
    line("ok 1 enum.leaf");
    sync_line();
    line("ok 2 gp.exact # XFAIL SKL91");
    line("ok 3 pebs.formats # SKIP no PEBS");
    line("ok 4 gp.other");
    sync_line();
}

static void passes(void **state)
{
    (void)state;
    a_good_log();
    end_line("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    assert_int_equal(status(), STATUS_PASS);
    assert_int_equal(reader.problems.count, 0);
    assert_int_equal(reader.top[LOG_PASS], 2);
    assert_int_equal(reader.top[LOG_KNOWN], 1);
    assert_int_equal(reader.end_total[LOG_SKIP], 1);
    assert_string_equal(reader.version, "version=0.1.0 commit=1a2b3c4 log=1");
}

/* A loader's words before the log, on lines of their own and on the same one, and more behind it. */
static void passes_over_noise(void **state)
{
    char whole[sizeof(text)];
    (void)state;
    a_good_log();
    end_line("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    snprintf(whole, sizeof(whole), "ok 1 noise\r\n\033[2J  Booting %.7000snot ok 9 noise\r\n", text);
    strcpy(text, whole);
    assert_int_equal(status(), STATUS_PASS);
}

static void verdicts_become_statuses(void **state)
{
    static const struct {
        const char *result, *end;
        enum log_status status;
    } rows[] = {
        {"ok 1 a.b", "verdict=pass pass=1", STATUS_PASS},
        {"not ok 1 a.b", "verdict=fail fail=1", STATUS_FAIL},
        {"not ok 1 a.b # REVIEW never seen passing", "verdict=review review=1", STATUS_REVIEW},
        {"not ok 1 a.b # ERROR #GP", "verdict=error error=1", STATUS_ERROR},
        {"ok 1 a.b # SKIP no PMU", "verdict=untested skip=1", STATUS_UNTESTED},
        {"ok 1 a.b", "verdict=wonderful pass=1", STATUS_ERROR},
        {"ok 1 a.b", "pass=1", STATUS_ERROR},
        /* better than what was seen */
        {"not ok 1 a.b", "verdict=pass fail=1", STATUS_ERROR},
        {"not ok 1 a.b", "verdict=review fail=1", STATUS_ERROR},
        {"not ok 1 a.b # ERROR x", "verdict=pass error=1", STATUS_ERROR},
        {"not ok 1 a.b # REVIEW x", "verdict=untested review=1", STATUS_ERROR},
        {"ok 1 a.b # SKIP", "verdict=pass skip=1", STATUS_ERROR},
        /* totals of other results */
        {"ok 1 a.b", "verdict=pass pass=2", STATUS_ERROR},
        {"ok 1 a.b", "verdict=pass pass=1 known=1", STATUS_ERROR},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin();
        line("KTAP version 1");
        line("1..1");
        line(rows[i].result);
        end_line(rows[i].end);
        assert_int_equal(status(), rows[i].status);
    }
}

/* An image that stops during its start has no KTAP yet; what it said is told. */
static void an_early_end_is_an_error(void **state)
{
    (void)state;
    begin();
    line("# pmucheck version=0.1.0 commit=1a2b3c4");
    line("# error not enough memory");
    end_line("verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1");
    assert_int_equal(status(), STATUS_ERROR);
    assert_non_null(strstr(reader.problems.text[0], "not enough memory"));
}

static void nested_plans_are_counted(void **state)
{
    (void)state;
    for (int missing = 0; missing < 3; missing++) {
        begin();
        line("KTAP version 1");
        line("1..2");
        line("  KTAP version 1");
        line("  1..2");
        line("  ok 1 a.b");
        if (missing != 1)
            line("  not ok 2 a.c");
        line("ok 1 run-one");
        line("  KTAP version 1");
        line("  1..1");
        line("  ok 1 a.b");
        if (missing != 2)
            line("ok 2 run-two");
        end_line("verdict=pass pass=2 fail=0"); /* as of a proof: the defect's run fails, and so it is caught */
        assert_int_equal(status(), missing ? STATUS_ERROR : STATUS_PASS);
        if (!missing) {
            assert_int_equal(reader.leaves[LOG_PASS], 2);
            assert_int_equal(reader.leaves[LOG_FAIL], 1);
        }
    }
}

/* Whatever single byte of the log changes, or is lost, it is noticed. */
static void every_damage_is_noticed(void **state)
{
    char good[sizeof(text)];
    (void)state;
    a_good_log();
    end_line("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    strcpy(good, text);
    for (size_t i = 0; good[i]; i++) {
        if (good[i] == '\r' || good[i] == '\n')
            continue;
        strcpy(text, good);
        text[i] = text[i] == '7' ? '3' : '7';
        assert_int_equal(status(), STATUS_ERROR);
        strcpy(text, good);
        memmove(text + i, text + i + 1, strlen(text + i));
        assert_int_equal(status(), STATUS_ERROR);
    }
}

static void a_cut_log_is_an_error(void **state)
{
    (void)state;
    a_good_log();
    assert_int_equal(status(), STATUS_ERROR);
    begin();
    assert_int_equal(status(), STATUS_ERROR);
}

static void a_hole_is_local(void **state)
{
    (void)state;
    a_good_log();
    end_line("verdict=pass pass=2 known=1");
    memcpy(strstr(text, "SKL91"), "SKL92", 5);
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(reader.problems.count, 2); /* the second block, and END */
    assert_non_null(strstr(reader.problems.text[0], "lines 6 to 9"));
}

static void a_restart_is_an_error(void **state)
{
    char once[sizeof(text)];
    (void)state;
    a_good_log();
    strcpy(once, text);
    a_good_log();
    end_line("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    memmove(text + strlen(once), text, strlen(text) + 1);
    memcpy(text, once, strlen(once));
    assert_int_equal(status(), STATUS_ERROR);
    assert_non_null(strstr(reader.problems.text[0], "started again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes),
        cmocka_unit_test(passes_over_noise),
        cmocka_unit_test(verdicts_become_statuses),
        cmocka_unit_test(an_early_end_is_an_error),
        cmocka_unit_test(nested_plans_are_counted),
        cmocka_unit_test(every_damage_is_noticed),
        cmocka_unit_test(a_cut_log_is_an_error),
        cmocka_unit_test(a_hole_is_local),
        cmocka_unit_test(a_restart_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
