/* SPDX-License-Identifier: BSD-2-Clause */
/* What a log tells beside results: errata, warm resets, an update of microcode, uses; and the report's words for it. */
#include "host/tools/report_rig.h"
#include "tools/pmucheck/log/told.h"
#include <cjson/cJSON.h>
#include <stdlib.h>

static struct log_file file;
static struct arena arena;

#define MACHINE "# machine vendor=GenuineIntel brand=\"x\" signature=000306c3 hypervisor=none cpus=1"

/* The last line of the log. */
static const struct log_record *last(void)
{
    const struct log_boot *boot = &file.boots.item[0];
    return &boot->records.item[boot->records.count - 1];
}

#define read_log(end, ...) (made_log(end, MACHINE, __VA_ARGS__), made_read(&file, "told.log"))

/* The log that was read last, and these lines of another start behind it, which ends well. */
static char both[sizeof(made.text)];
static void read_both(void)
{
    strcat(both, made.text);
    log_free(&file);
    log_read(&file, "both.log", both, strlen(both));
}
#define read_next(...) (strcpy(both, made.text), made_log("verdict=pass pass=1", __VA_ARGS__), read_both())

static const char *erratum_words(const char *line)
{
    struct told_erratum e;
    read_log("verdict=pass pass=1", "# run pmu=hardware", "1..1", "ok 1 gp.instructions", line);
    assert_true(told_erratum(last(), &e));
    return told_erratum_words(&arena, &e);
}

CASE(each_state_of_an_erratum_has_its_words)
{
#define ERRATUM "# erratum HSD140 core-type=0 area=counting state="
    assert_string_equal(erratum_words(ERRATUM "seen seen=3 asked=300 per-million=10000 test=gp.instructions"),
                        "seen 3 of 300 times (1 %)");
    assert_string_equal(erratum_words(ERRATUM "not-fixed seen=1 asked=8 per-million=125000 test=gp.instructions"),
                        "seen 1 of 8 times (12.5 %), although this microcode should fix it");
    assert_string_equal(erratum_words(ERRATUM "not-seen asked=3000 excluded-per-million=1000"),
                        "not seen in 3000 checks: rarer than 0.1 %");
    assert_string_equal(erratum_words(ERRATUM "not-seen asked=1 excluded-per-million=1000000"), "not seen in 1 check");
    assert_string_equal(erratum_words(ERRATUM "fixed asked=60 excluded-per-million=50000"),
                        "fixed by this microcode, and not seen in 60 checks: rarer than 5 %");
    assert_string_equal(erratum_words(ERRATUM "fixed asked=0 excluded-per-million=1000000"),
                        "fixed by this microcode, and not tested");
    assert_string_equal(erratum_words(ERRATUM "not-here"), "not in this state of the CPU");
    assert_string_equal(erratum_words(ERRATUM "not-provoked because=no-check"), "no check of this run was about it");
    assert_string_equal(erratum_words(ERRATUM "not-judged because=measured"), "measured only");
    assert_string_equal(erratum_words(ERRATUM "of-tomorrow"), "of-tomorrow");
    assert_string_equal(erratum_words("# erratum SKL24 core-type=0 area=pt state=not-provoked because=unused"),
                        "no test uses: VM entries");
}

/* A hybrid's kinds of core: an erratum that was tested has their CPUs, another one stands once. */
CASE(kinds_of_core_are_told_apart)
{
    read_log("verdict=pass pass=1", "# run pmu=hardware", "# core-type id=0 cpus=0-3 kind=core signature=00090672",
             "# core-type id=4 cpus=4-7 kind=atom signature=00090672", "1..1", "ok 1 a.b",
             "# erratum ADL30 core-type=0 area=lbr state=not-judged because=allowed-for",
             "# erratum ADL30 core-type=4 area=lbr state=not-judged because=allowed-for",
             "# erratum ADL99 core-type=4 area=counting state=seen seen=1 asked=4 per-million=250000 test=a.b");
    written("text", &file);
    says("allowed for by the tests: ADL30\n",
         "  erratum  ADL99: seen 1 of 4 times (25 %), first in a.b, on CPUs 4-7\n");
}

CASE(an_update_is_told_with_what_it_changed)
{
    read_log("verdict=pass pass=1 known=1", "1..2", "  KTAP version 1", "  # run pmu=hardware microcode=before",
             "  # microcode cpus=0 signature=000306c3 platform=0 revision=00000027 state=fits update=00000028 "
             "date=2026-06-18",
             "  1..1", "  ok 1 freeze.on-pmi # XFAIL freeze-ucode", "ok 1 hardware", "# microcode written-by=0",
             "# microcode cpus=0 before=00000027 after=00000028 state=loaded", "  KTAP version 1",
             "  # run pmu=hardware microcode=after", "  1..1", "  ok 1 freeze.on-pmi", "ok 2 hardware,microcode",
             "# changed test=freeze.on-pmi label=not-resumed before=known after=pass",
             "# changed erratum=freeze-ucode core-type=0 before=seen after=fixed",
             "# changes tests=1 labels=1 errata=1 choices=0 same-tests=1 same-labels=10 same-errata=0 same-choices=0 "
             "dropped=0");
    struct told_microcode m;
    assert_true(told_microcode(&arena, &file.boots.item[0], &m));
    assert_int_equal(m.updates.count, 1);
    assert_string_equal(told_update_words(&arena, m.updates.item[0]), "00000027 to 00000028: loaded");
    written("text", &file);
    says("microcode  CPUs 0: 00000027 to 00000028: loaded\n"
         "             test freeze.on-pmi not-resumed: known before, pass after\n"
         "             erratum freeze-ucode: seen before, fixed after\n"
         "             changed: tests 1 of 2, labels 1 of 11, errata 1 of 1, ",
         "run        hardware, before the update of microcode\n",
         "run        hardware, after the update of microcode\n");
    cJSON *whole = cJSON_Parse(written("json", &file));
    const cJSON *told = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "boots"), 0), "microcode");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(told, "changed")), 2);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(told, "updates"), 0), "after")),
        "00000028");
    cJSON_Delete(whole);
}

CASE(an_update_that_was_not_made_says_why)
{
    read_log("verdict=pass pass=1 skip=1", "1..2", "  KTAP version 1", "  # run pmu=hardware microcode=before",
             "  # microcode cpus=0 revision=000000f0 state=unfit why=\"no module\"", "  1..1", "  ok 1 a.b",
             "ok 1 hardware", "ok 2 hardware,microcode # SKIP no module");
    written("text", &file);
    says("microcode  CPUs 0: stays 000000f0: unfit, no module\n");
}

/* The start that ends in a planned reset is whole; one after which nothing comes is not. */
CASE(a_series_of_resets_is_no_crash)
{
    struct told_resets resets;
    read_log(NULL, "# options boot=\"resets=1\" qemu=\"\"", "# reset way=chipset number=1 of=1");
    assert_int_equal(log_status(&file), STATUS_ERROR);
    assert_non_null(strstr(file.boots.item[0].problems.item[0].text, "the log ends here, with a warm reset"));
    read_next(MACHINE, "# reset-differs way=chipset reset=1 cpu=0 reg=LVTPC first=0x1 now=0x10000",
              "# resets way=acpi state=absent made=0 differences=0",
              "# resets way=keyboard state=ignored made=0 differences=0",
              "# resets way=chipset state=works made=1 differences=1", "# run pmu=hardware", "1..1", "ok 1 a.b");
    assert_int_equal(file.boots.count, 2);
    assert_int_equal(log_status(&file), STATUS_PASS);
    assert_non_null(file.boots.item[0].left);
    assert_false(told_resets(&arena, &file.boots.item[0], &resets));
    assert_true(told_resets(&arena, &file.boots.item[1], &resets));
    assert_int_equal(resets.ways, 3);
    written("text", &file);
    says("reset      by chipset, 1 of 1: the next start goes on\n",
         "resets     acpi: the machine does not have it\n"
         "resets     keyboard: ignored after 0\n"
         "resets     chipset: 1 made, 1 difference\n"
         "             CPU 0 LVTPC: 0x1 at first, 0x10000 after reset 1\n");
    cJSON *whole = cJSON_Parse(written("json", &file));
    const cJSON *boots = cJSON_GetObjectItem(whole, "boots");
    assert_non_null(cJSON_GetObjectItem(cJSON_GetArrayItem(boots, 0), "ended_by_reset"));
    const cJSON *told = cJSON_GetObjectItem(cJSON_GetArrayItem(boots, 1), "resets");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(told, "ways")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(told, "differences")), 1);
    cJSON_Delete(whole);
}

CASE(a_start_that_hosts_a_kernel_leaves_the_verdict_to_it)
{
    read_log(NULL, "# run pmu=reference:skylake", "# host clock tsc-khz=2096009", "# host kind=multiboot2 cpus=1");
    assert_int_equal(log_status(&file), STATUS_ERROR);
    assert_non_null(strstr(file.boots.item[0].problems.item[0].text, "it hosts a kernel"));
    read_next("# run pmu=hardware", "1..1", "ok 1 a.b");
    assert_int_equal(log_status(&file), STATUS_PASS);
    assert_true(log_goes_on(&file.boots.item[0]));
    assert_false(log_goes_on(&file.boots.item[1]));
    assert_false(log_run_of_tests(&file.boots.item[0].runs.item[0]));
    written("text", &file);
    says("hosts      a multiboot2 kernel on reference:skylake: the next start");
    written("short", &file);
    says_not("none");
}

CASE(a_series_that_was_not_made_says_why)
{
    read_log("verdict=pass pass=1", "# resets state=cold reason=\"as after power-on\"", "# run pmu=hardware", "1..1",
             "ok 1 a.b");
    written("text", &file);
    says("resets     none (cold): as after power-on\n");
}

CASE(uses_have_their_reason)
{
    read_log("verdict=pass pass=1", "# run pmu=hardware", "1..1", "ok 1 a.b",
             "# good-for rr answer=no words=\"replaying programs with rr\" because=\"gp.branches failed\"");
    assert_true(log_is(last(), "good-for"));
    assert_string_equal(told_use_words(&arena, last()), "no: gp.branches failed");
}

CASE(a_proof_on_the_spot_is_told)
{
    read_log("verdict=review pass=0 review=1",
             "# proven-here profile=skylake own=yes defects=40 caught=39 checks=310 left=12",
             "# not-proven-here gp.exact label=count defects=one,other", "# run pmu=hardware", "1..1",
             "not ok 1 gp.exact # REVIEW label count was not shown to fail here");
    written("text", &file);
    says("39 of 40 defects noticed here, on a model of this CPU; 310 checks can fail, "
         "12 were left\n           gp.exact: count did not fail by one,other\n");
    cJSON *json = cJSON_Parse(written("json", &file));
    cJSON *proven = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "boots"), 0), "proven_here");
    assert_string_equal(cJSON_GetObjectItem(proven, "caught")->valuestring, "39");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(proven, "not_proven")), 1);
    cJSON_Delete(json);
}

CASE(a_proof_that_could_not_be_made_says_why)
{
    read_log("verdict=pass pass=1", "# proven-here defects=0 caught=0 checks=0 reason=\"no memory\"",
             "# run pmu=hardware", "1..1", "ok 1 a.b");
    written("text", &file);
    says("proven     not here: no memory\n");
}

int main(void)
{
    int failed = run_cases();
    log_free(&file);
    arena_free(&arena);
    return failed;
}
