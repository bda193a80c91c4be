/* SPDX-License-Identifier: BSD-2-Clause */
/* The log reader with logs as captured in practice: noise, time stamps, gaps, several boots; and the contents of
 * lines. */
#include "host/tools/log_rig.h"

static const struct log_result *result(unsigned run, unsigned index)
{
    assert_in_range(run, 0, boot(0)->runs.count - 1);
    assert_in_range(index, 0, boot(0)->runs.item[run].results.count - 1);
    return &boot(0)->runs.item[run].results.item[index];
}

/* Others on the wire write lines of their own; the image's lines are whole. */
CASE(noise_between_lines_is_no_damage)
{
    made_begin();
    made_lines("1..1");
    made_noise("[SOL session operational]");
    made_line("ok 1 a.b");
    made_sync();
    made_noise("");
    made_end("verdict=pass pass=1");
    made_noise("BMC: power off");
    assert_int_equal(status(), STATUS_PASS);
    assert_int_equal(boot(0)->noise, 2);
}

/* Time stamps of `ts`, console servers and kernels. */
CASE(time_stamps_are_taken_off)
{
    static char stamped[sizeof(made.text)];
    for (int kernel = 0; kernel < 2; kernel++) {
        char *out = stamped;
        unsigned second = 5;
        a_good_log();
        made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
        for (char *line = strtok(made.text, "\n"); line; line = strtok(NULL, "\n"))
            out += kernel ? sprintf(out, "[%5u.000001] %s\n", second++, line)
                          : sprintf(out, "[12:34:%02u] %s\n", second++, line);
        strcpy(made.text, stamped);
        strcat(made.text, stamped);
        assert_int_equal(status(), STATUS_PASS);
        assert_int_equal(file.boots.count, 2);
    }
}

static void a_log_with_a_hole(const char *hole)
{
    made_begin();
    made_lines("# run pmu=hardware", "1..5", "# begin a.one", "ok 1 a.one");
    made_sync();
    made_lines("# begin a.two", "ok 2 a.two", "# begin a.three", "ok 3 a.three");
    made_sync();
    made_lines("# begin a.four", "not ok 4 a.four", "# begin a.five", "ok 5 a.five");
    made_end("verdict=fail pass=4 fail=1");
    char *at = strstr(made.text, hole), *end = at ? strchr(at, '\n') : NULL;
    assert_non_null(end);
    memmove(at, end + 1, strlen(end));
}

CASE(a_lost_result_is_named_by_its_begin_line)
{
    a_log_with_a_hole("ok 2 a.two");
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(result(0, 1)->outcome, LOG_LOST);
    assert_string_equal(result(0, 1)->id, "a.two");
    assert_int_equal(result(0, 0)->trust, LOG_CHECKED);
    assert_int_equal(result(0, 2)->trust, LOG_DAMAGED);
    assert_int_equal(result(0, 3)->outcome, LOG_FAIL);
    assert_int_equal(boot(0)->runs.item[0].results.count, 5);
}

CASE(a_lost_begin_line_loses_no_result)
{
    a_log_with_a_hole("# begin a.three");
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(result(0, 2)->outcome, LOG_PASS);
    assert_int_equal(result(0, 2)->trust, LOG_DAMAGED);
    assert_int_equal(result(0, 4)->trust, LOG_UNCHECKED); /* END's sum is wrong, and no sync line follows */
}

CASE(a_lost_sync_line_is_noticed)
{
    a_log_with_a_hole("# sync seq=1");
    assert_int_equal(status(), STATUS_ERROR);
    assert_non_null(strstr(problem(0), "lines are missing"));
}

/* The last line of a cut log may look like a better result. */
CASE(a_cut_line_is_no_result)
{
    made_begin();
    made_lines("1..2", "ok 1 a.one", "ok 2 a.two # SKIP no PEBS");
    *strstr(made.text, " # SKIP") = 0;
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(result(0, 0)->trust, LOG_UNCHECKED);
    assert_int_equal(result(0, 1)->outcome, LOG_LOST);
}

/* pace= sends the END line twice: one of them is enough. */
CASE(the_end_may_come_twice)
{
    for (int spoilt = 0; spoilt < 4; spoilt++) {
        static char end[256];
        a_good_log();
        made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
        char *first = strstr(made.text, "# end ");
        snprintf(end, sizeof(end), "%s", first);
        strcat(made.text, end);
        first[strlen("# end verdict=p")] ^= spoilt & 1;
        strrchr(made.text, '=')[3] ^= spoilt >> 1; /* of the sum */
        assert_int_equal(status(), spoilt == 3 ? STATUS_ERROR : STATUS_PASS);
        assert_int_equal(file.boots.count, 1);
    }
}

CASE(several_boots_are_told_apart)
{
    static char once[sizeof(made.text)];
    a_good_log();
    made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    snprintf(once, sizeof(once), "# pmucheck version=0.1.0 commit=1\r\n# start memory\r\n%.16000s", made.text);
    strcpy(made.text, once);
    strcat(made.text, once);
    assert_int_equal(status(), STATUS_PASS);
    assert_int_equal(file.boots.count, 2);
    assert_true(boot(1)->line > boot(0)->last_line);
    strcat(made.text, "# pmucheck version=0.1.0 commit=1\r\n# start apic\r\n");
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(file.boots.count, 3);
    assert_non_null(strstr(boot(2)->problems.item[0].text, "apic"));
}

/* A lost test's name comes from the other runs of the same log. */
CASE(other_runs_name_what_is_lost)
{
    made_begin();
    made_lines("1..2", "  KTAP version 1", "  # run pmu=reference:one", "  1..2", "  ok 1 a.one", "  ok 2 a.two",
               "ok 1 reference:one", "  KTAP version 1", "  # run pmu=reference:two", "  1..2", "  ok 1 a.one",
               "ok 2 reference:two");
    made_sync();
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(result(2, 1)->outcome, LOG_LOST);
    assert_string_equal(result(2, 1)->id, "a.two");
    assert_true(result(0, 1)->parent);
}

/* Older images had no codes: the other fields of a line are read nevertheless, and results stay the same. */
CASE(codes_of_reasons_are_fields)
{
    made_log("verdict=error error=1 skip=1", "# run pmu=hardware", "1..2", "# begin a.one",
             "# error a.one cpus=1 code=error.lost reason=\"did not come back\"",
             "# error a.one cpus=2 reason=\"did not come back\"", "# reason a.one code=error.lost",
             "not ok 1 a.one # ERROR did not come back", "# reason b.two code=firmware.no-apic",
             "ok 2 b.two # SKIP no local APIC");
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(boot(0)->problems.count, 0);
    assert_string_equal(result(0, 0)->reason, "did not come back");
    assert_string_equal(result(0, 1)->reason, "no local APIC");
    const struct log_record *error = &boot(0)->records.item[result(0, 0)->first_record];
    assert_string_equal(log_value(error, "code"), "error.lost");
    assert_null(log_value(error + 1, "code"));
    for (unsigned i = 0; i < 2; i++)
        assert_string_equal(log_value(&error[i], "reason"), "did not come back");
    const struct log_record *skip = &boot(0)->records.item[result(0, 1)->first_record];
    assert_string_equal(skip->kind, "reason");
    assert_string_equal(skip->subject, "b.two");
    assert_string_equal(log_value(skip, "code"), "firmware.no-apic");
}

CASE(comments_become_fields)
{
    uint64_t number = 0;
    made_log("verdict=pass pass=1",
             "# machine vendor=GenuineIntel brand=\"A \\\"B\\\" \\\\ C\" signature=000506e3 cpus=4 name=\"\"",
             "# run pmu=hardware", "1..1", "# begin pmi.skid", "# measure pmi.skid name=x n=1000 hist=0:12,1:301",
             "# advice handoff.lvtpc \"do this\" cpus=0-1", "# = \"", "ok 1 pmi.skid");
    assert_int_equal(status(), STATUS_PASS);
    const struct log_record *machine = log_find(boot(0), NULL, "machine");
    assert_string_equal(log_value(machine, "brand"), "A \"B\" \\ C");
    assert_string_equal(log_value(machine, "name"), "");
    assert_null(log_value(machine, "microcode"));
    assert_true(log_hex(machine, "signature", &number));
    assert_int_equal(number, 0x506e3);
    assert_true(log_number(machine, "cpus", &number));
    assert_int_equal(number, 4);
    assert_false(log_number(machine, "brand", &number));
    assert_int_equal(result(0, 0)->records, 3);
    const struct log_record *measure = &boot(0)->records.item[result(0, 0)->first_record];
    assert_string_equal(measure->kind, "measure");
    assert_string_equal(measure->subject, "pmi.skid");
    assert_string_equal(log_value(measure, "hist"), "0:12,1:301");
    assert_string_equal(log_value(measure + 1, "text"), "do this");
    assert_string_equal(log_value(measure + 1, "cpus"), "0-1");
}

int main(void)
{
    return run_cases();
}
