/* SPDX-License-Identifier: BSD-2-Clause */
/* The shared part of a log: nothing that identifies somebody, and all results. */
#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/share/share.h"
#include <stdlib.h>

static struct log_file file, again;
static struct arena arena;
static struct share_left left;

static const char acme[] = "# machine vendor=GenuineIntel brand=\"A CPU\" signature=000506e3 hypervisor=none "
                           "board=\"Acme \\\"One\\\" 4711\" bios=\"Acme 1.0\" cpus=4 name=\"desk of mine\"";

static void read_made(const char *machine, const char *pmu)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1",
               "# options boot=\"quick machine=secret rsdp=0x1234 run=gp.*\" qemu=\"\"",
               "# read reg=PPIN value=0xfeedface", machine,
               "# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=1 misc-enable=850089",
               "# cpuid core-type=0 leaf=00000003 sub=0 eax=0 ebx=0 ecx=deadbeef edx=cafe0000");
    made_print("# run pmu=%s", pmu);
    made_lines("# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4 gp=8x48 fixed=3x48 perfcap=000033c5",
               "1..4", "# begin gp.rdpmc", "# held gp.rdpmc labels=differs",
               "# measure gp.rdpmc name=skid cpus=0-3 unit=events n=2 min=1 median=1 p99=2 max=2 hist=1:1,2:1",
               "ok 1 gp.rdpmc", "# begin freeze.gating",
               "# fail freeze.gating label=disabled-counts cpus=2 got=7 want=0 reg=IA32_PMC5 erratum=SKL90",
               "ok 2 freeze.gating # XFAIL SKL90", "# begin pmi.mask-set",
               "not ok 3 pmi.mask-set # REVIEW lvtpc-not-masked: never seen passing on this class", "# begin gp.cycles",
               "ok 4 gp.cycles # SKIP no counter", "# changed erratum=SKL104 core-type=0 before=seen after=fixed");
    made_end("verdict=review pass=1 known=1 review=1 skip=1");
    made_read(&file, "made.log");
}

static void share(bool board)
{
    FILE *out = text_new();
    arena_free(&arena);
    share_write(out, &arena, log_last_whole(&file), board, &left);
    fclose(out);
    log_free(&again);
    log_read(&again, "shared.log", text, text_size);
}

CASE(nothing_goes_out_that_names_somebody)
{
    static const char *const secrets[] = {"desk of mine", "4711",          "Acme",     "secret", "0x1234",
                                          "deadbeef",     "leaf=00000003", "feedface", "PPIN",   NULL};
    read_made(acme, "hardware");
    assert_null(share_refusal(&file.boots.item[0]));
    share(false);
    says_each(false, secrets);
    says("# options boot=\"quick run=gp.*\" qemu=\"\"", " board=\"\" bios=\"\" cpus=4 name=\"\"\r\n");
    assert_int_equal(left.removed.count, 4); /* options, board, bios, name */
    assert_int_equal(left.lines, 2);         /* the register, and the serial number's leaf */
    share(true);
    says("board=\"Acme \\\"One\\\" 4711\" bios=\"Acme 1.0\"");
    says_not("desk of mine");
}

CASE(what_was_found_goes_out_whole)
{
    read_made(acme, "hardware");
    share(false);
    const struct log_boot *boot = &again.boots.item[0];
    assert_int_equal(again.boots.count, 1);
    assert_int_equal(boot->problems.count, 0);
    assert_true(boot->ended);
    assert_string_equal(boot->verdict, "review");
    const struct log_run *was = &file.boots.item[0].runs.item[0], *is = &boot->runs.item[0];
    assert_int_equal(is->results.count, was->results.count);
    for (unsigned i = 0; i < is->results.count; i++) {
        assert_string_equal(is->results.item[i].id, was->results.item[i].id);
        assert_string_equal(is->results.item[i].reason, was->results.item[i].reason);
        assert_int_equal(is->results.item[i].outcome, was->results.item[i].outcome);
        assert_int_equal(is->results.item[i].trust, LOG_CHECKED);
    }
    says("# held gp.rdpmc labels=differs\r\n", "hist=1:1,2:1\r\n",
         "# changed erratum=SKL104 core-type=0 before=seen after=fixed\r\n", "# shared code=");
}

/* Walks in place of tests have no line "# begin": their difference belongs to their result all the same. */
CASE(a_difference_of_walks_alone_goes_out)
{
    made_log("verdict=fail fail=1", "# pmucheck version=0.1.0 commit=1a2b3c4 log=1", acme, "# run pmu=hardware", "1..1",
             "# lockstep seed=1 walks=3 steps=9 pmis=0 spoiled=0 undecided=0 differences=1",
             "# fail lockstep label=walk-status cpus=0 got=0x0 want=0x2 reg=IA32_PERF_GLOBAL_STATUS",
             "not ok 1 lockstep");
    made_read(&file, "made.log");
    share(false);
    const struct log_result *result = &again.boots.item[0].runs.item[0].results.item[0];
    assert_int_equal(log_status(&again), STATUS_FAIL);
    assert_int_equal(result->records, 2);
    assert_string_equal(again.boots.item[0].records.item[result->first_record + 1].kind, "fail");
}

/* The board of a virtual machine is shared. */
CASE(a_virtual_machine_stays_one)
{
    read_made("# machine hypervisor=none board=\"QEMU Standard PC\" bios=SeaBIOS name=x", "hardware");
    share(false);
    says("board=\"QEMU Standard PC\" bios=SeaBIOS name=\"\"");
}

/* A board maker's text that looks like fields, and a field that appears twice. */
CASE(a_value_that_looks_like_a_field_hides_none)
{
    read_made("# machine brand=\"A CPU name=decoy\" hypervisor=none name=one cpus=4 name=two", "hardware");
    share(false);
    says("# machine brand=\"A CPU name=decoy\" hypervisor=none name=\"\" cpus=4 name=\"\"\r\n");
    assert_int_equal(left.removed.count, 3); /* options, and both names */
}

/* A verdict that no image prints. */
CASE(an_end_line_without_a_verdict_is_refused)
{
    char totals[600];
    made_begin();
    made_lines("# run pmu=hardware", "1..1", "ok 1 gp.rdpmc");
    snprintf(totals, sizeof(totals), "verdict=%0400d pass=1", 0);
    made_end(totals);
    made_read(&file, "made.log");
    assert_non_null(strstr(share_refusal(&file.boots.item[0]), "not whole"));
}

/* Three starts, as a series of warm resets leaves them, the last one cut: the second is shared. */
CASE(the_last_whole_start_goes_out)
{
    read_made("# machine hypervisor=none name=first", "hardware");
    char *first = strdup(made.text);
    read_made("# machine hypervisor=none cpus=2 name=second", "hardware");
    char *all = malloc(2 * strlen(made.text) + strlen(first) + 1);
    sprintf(all, "%s%s%.*s", first, made.text, (int)strlen(made.text) / 2, made.text);
    log_free(&file);
    log_read(&file, "series.log", all, strlen(all));
    assert_int_equal(file.boots.count, 3);
    assert_ptr_equal(log_last_whole(&file), &file.boots.item[1]);
    assert_non_null(strstr(share_refusal(&file.boots.item[2]), "not whole"));
    share(false);
    assert_int_equal(again.boots.count, 1);
    says("cpus=2 name=\"\"\r\n");
    free(first);
    free(all);
}

CASE(what_others_cannot_use_is_refused)
{
    read_made(acme, "reference:skylake");
    assert_non_null(strstr(share_refusal(&file.boots.item[0]), "reference PMU"));
    read_made(acme, "hardware");
    char *cut = strdup(made.text);
    log_free(&file);
    log_read(&file, "cut.log", cut, strlen(cut) / 2);
    assert_non_null(strstr(share_refusal(&file.boots.item[0]), "not whole"));
    assert_null(log_last_whole(&file));
    free(cut);
}

int main(void)
{
    int failed = run_cases();
    arena_free(&arena);
    log_free(&file);
    log_free(&again);
    return failed;
}
