/* SPDX-License-Identifier: BSD-2-Clause */
/* The report in each form, parsed by a library for that form, or searched as text. */
#include "host/tools/report_rig.h"
#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>

static struct log_file file;

static void make_log(void)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1",
               "# machine vendor=GenuineIntel brand=\"A <B> & \\\"C\\\"\" signature=000506e3 hypervisor=none cpus=4 "
               "name=lab-7",
               "# options boot=\"quick\" qemu=\"\"", "# date rtc=2026-01-31T12:00:00", "# run pmu=hardware", "1..6",
               "# begin a.pass",
               "# measure a.pass name=skid cpus=0 unit=instructions n=2 min=1 median=2 p99=3 max=4 hist=1:1,4:1",
               "# machine-check cpu=1 in=g.other bank=3 status=0xbe00000000000135 address=0x1000 mcg-status=0x5",
               "# took a.pass us=1500000", "ok 1 a.pass", "# begin b.fail",
               "# fail b.fail label=bit cpus=2,3 got=0xf0 want=0x100f0 reg=LVTPC spec=\"SDM 3A, Local <Vector> Table\"",
               "not ok 2 b.fail", "ok 3 c.known # XFAIL SKL91", "# reason d.skip code=firmware.no-apic",
               "ok 4 d.skip # SKIP none \"here\" & there", "# error e.error cpus=0-3 code=error.lost reason=\"#GP\"",
               "not ok 5 e.error # ERROR #GP", "# took run us=2000001", "# took boot us=3000000", "# begin f.lost",
               "# image sum=01234567 state=unchanged");
    made_sync();
    made_end("verdict=fail pass=1 fail=1 known=1 skip=1 error=1");
    made_read(&file, "dir/made.log");
}

static const char *string(const cJSON *object, const char *key)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(object, key));
    assert_non_null(value);
    return value;
}

CASE(json_tells_everything)
{
    make_log();
    cJSON *whole = cJSON_Parse(written("json", &file));
    assert_non_null(whole);
    assert_string_equal(string(whole, "schema"), "pmucheck-report-1");
    const cJSON *boot = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "boots"), 0);
    assert_string_equal(string(boot, "file"), "dir/made.log");
    assert_string_equal(string(boot, "verdict"), "fail");
    assert_string_equal(string(cJSON_GetObjectItem(boot, "machine"), "brand"), "A <B> & \"C\"");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(boot, "complete")));
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(boot, "runs"), 0);
    const cJSON *results = cJSON_GetObjectItem(run, "results");
    assert_string_equal(string(run, "pmu"), "hardware");
    assert_int_equal(cJSON_GetArraySize(results), 6);
    const cJSON *measured = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(results, 0), "records"), 0);
    assert_string_equal(string(cJSON_GetObjectItem(measured, "fields"), "hist"), "1:1,4:1");
    const cJSON *skip = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(results, 3), "records"), 0);
    assert_string_equal(string(cJSON_GetObjectItem(skip, "fields"), "code"), "firmware.no-apic");
    assert_string_equal(string(cJSON_GetArrayItem(results, 5), "outcome"), "lost");
    assert_string_equal(string(cJSON_GetArrayItem(results, 5), "id"), "f.lost");
    assert_string_equal(string(boot, "date"), "2026-01-31T12:00:00");
    assert_string_equal(string(boot, "options"), "quick");
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(boot, "us")), 3000000);
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(run, "us")), 2000001);
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(results, 0), "us")), 1500000);
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(results, 1), "us"));
    cJSON_Delete(whole);
}

static void assert_attribute(xmlNodePtr node, const char *name, const char *wanted)
{
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
    assert_non_null(value);
    assert_string_equal((const char *)value, wanted);
    xmlFree(value);
}

/* The n-th testcase of the first suite, which follows the properties; of its only child if `of_child`. */
static void assert_case(xmlDocPtr document, unsigned n, const char *child, const char *message)
{
    xmlNodePtr testcase = xmlFirstElementChild(xmlFirstElementChild(xmlDocGetRootElement(document)));
    assert_string_equal((const char *)testcase->name, "properties");
    testcase = xmlNextElementSibling(testcase);
    while (n--)
        testcase = xmlNextElementSibling(testcase);
    assert_non_null(testcase);
    xmlChar *suite = xmlGetProp(testcase, (const xmlChar *)"classname");
    assert_string_equal((const char *)suite, "lab-7.hardware");
    xmlFree(suite);
    xmlNodePtr inside = xmlFirstElementChild(testcase);
    if (!child) {
        assert_null(inside);
        return;
    }
    assert_string_equal((const char *)inside->name, child);
    xmlChar *said = xmlGetProp(inside, (const xmlChar *)"message"), *body = xmlNodeGetContent(inside);
    assert_non_null(strstr((const char *)said, message));
    if (strcmp(child, "failure") == 0)
        assert_non_null(strstr((const char *)body, message)); /* not every reader shows attributes */
    xmlFree(said);
    xmlFree(body);
}

CASE(junit_is_xml_with_suite_and_message)
{
    make_log();
    written("junit", &file);
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, 0);
    assert_non_null(document);
    assert_case(document, 0, NULL, "");
    assert_case(document, 1, "failure", "SDM 3A, Local <Vector> Table");
    assert_case(document, 2, "skipped", "SKL91");
    assert_case(document, 3, "skipped", "none \"here\" & there");
    assert_case(document, 4, "error", "#GP");
    assert_case(document, 5, "error", "no result");
    xmlNodePtr root = xmlDocGetRootElement(document), suite = xmlFirstElementChild(root);
    assert_null(xmlNextElementSibling(suite)); /* the log is a case of its machine's suite */
    assert_case(document, 6, "error", "lost");
    assert_attribute(root, "tests", "7");
    assert_attribute(root, "failures", "1");
    assert_attribute(root, "errors", "3");
    assert_attribute(suite, "tests", "7");
    assert_attribute(suite, "hostname", "lab-7");
    assert_attribute(suite, "timestamp", "2026-01-31T12:00:00");
    assert_attribute(suite, "time", "2.000001");
    assert_attribute(xmlNextElementSibling(xmlFirstElementChild(suite)), "time", "1.500000");
    says("<property name=\"options\" value=\"quick\"/>", "severity ");
    xmlFreeDoc(document);
    xmlCleanupParser();
}

/* A damaged log may have bytes that are not allowed in XML and JSON. */
CASE(damaged_bytes_do_not_spoil_the_form)
{
    made_begin();
    made_lines("# run pmu=hard\xffware", "1..1",
               "not ok 1 a.\x80"
               "b # ERROR \033[2J \x80");
    made_read(&file, "made.log");
    written("junit", &file);
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, 0);
    assert_non_null(document);
    xmlFreeDoc(document);
    xmlCleanupParser();
    says("a.?b");
    cJSON *json = cJSON_Parse(written("json", &file));
    assert_non_null(json);
    cJSON_Delete(json);
}

CASE(ktap_can_be_read_again)
{
    struct log_file again;
    make_log();
    written("ktap", &file);
    log_read(&again, "again", text, strlen(text));
    assert_int_equal(again.boots.item[0].leaves[LOG_PASS], 1);
    assert_int_equal(again.boots.item[0].leaves[LOG_FAIL], 1);
    assert_int_equal(again.boots.item[0].leaves[LOG_KNOWN], 1);
    assert_int_equal(again.boots.item[0].leaves[LOG_SKIP], 1);
    assert_int_equal(again.boots.item[0].leaves[LOG_ERROR], 2); /* and the lost one */
    assert_int_equal(again.boots.item[0].problems.count, 1);    /* the log has no END line */
    log_free(&again);
}

CASE(lava_gets_one_signal_a_test)
{
    make_log();
    written("lava", &file);
    says("<LAVA_SIGNAL_TESTSET START hardware>\n", "TEST_CASE_ID=b.fail RESULT=fail>",
         "TEST_CASE_ID=d.skip RESULT=skip>", "TEST_CASE_ID=f.lost RESULT=unknown>",
         "TEST_CASE_ID=a.pass.skid RESULT=pass UNITS=instructions MEASUREMENT=2>");
}

CASE(text_tells_what_is_wrong_and_where)
{
    make_log();
    written("text", &file);
    says("fail     b.fail", "bit, CPUs 2,3: expected 0x100f0, saw 0xf0 in LVTPC", "see SDM 3A, Local <Vector> Table",
         "lost     f.lost", "reason     machine-check cpu=1 in=g.other bank=3 status=0xbe00000000000135",
         "line 26: result 6 of hardware is lost",
         "started    2026-01-31T12:00:00 by the machine's clock\ntook       3.0 s\noptions    quick\n");
    says_not("a.pass");
}

/* A dead counter fails in each of its bits: the report says it once, and where the manual says it once. */
CASE(failures_of_one_check_are_one_line)
{
    char line[200];
    unsigned sources = 0;
    made_begin();
    made_lines("# machine vendor=GenuineIntel brand=\"x\" signature=000306c3 hypervisor=none cpus=1",
               "# run pmu=hardware", "1..1", "# begin fixed.carry");
    for (unsigned bit = 32; bit < 48; bit++) {
        snprintf(
            line, sizeof(line),
            "# fail fixed.carry label=carry-lost cpus=0 got=0 want=1 reg=IA32_FIXED_CTR1 bit=%u spec=\"SDM 3B, X\"",
            bit);
        made_line(line);
    }
    made_lines("# fail fixed.carry label=other cpus=0 got=0 want=1 reg=IA32_FIXED_CTR2 bit=5 also-bits=6-7,9 "
               "spec=\"SDM 3B, X\"",
               "not ok 1 fixed.carry");
    made_end("verdict=fail fail=1");
    made_read(&file, "dir/made.log");
    written("text", &file);
    says("carry-lost, CPUs 0: expected 1, saw 0 in IA32_FIXED_CTR1[32]\n               and 15 "
         "more: IA32_FIXED_CTR1[33], IA32_FIXED_CTR1[34], ",
         "IA32_FIXED_CTR1[40], ...\n             other, CPUs 0: expected 1, saw 0 in "
         "IA32_FIXED_CTR2[5], and in its bits 6-7,9\n               see SDM 3B, X\n");
    for (const char *at = strstr(text, "see SDM"); at; at = strstr(at + 1, "see SDM"))
        sources++;
    assert_int_equal(sources, 1);
}

CASE(each_form_tells_whose_log_it_is)
{
    static const struct image same = {"a.iso", 2, {{1, 1}, {0x1234567, 0x1234567}}}, other = {"b.iso", 1, {{1, 1}}};
    make_log();
    held_against = NULL;
    written("text", &file);
    says("image      sum 01234567\n");
    held_against = &same;
    written("text", &file);
    says("image      sum 01234567, as a.iso\n");
    written("json", &file);
    says("\"of_image\": true");
    held_against = &other;
    written("text", &file);
    says("image      sum 01234567, another build than b.iso (00000001)\n");
    written("json", &file);
    says("\"of_image\": false");
    held_against = NULL;
    written("json", &file);
    says_not("of_image");
}

CASE(errata_are_told_one_by_one)
{
    made_log(
        "verdict=untested known=1",
        "# machine vendor=GenuineIntel brand=\"x\" signature=000306c3 hypervisor=none cpus=1", "# run pmu=hardware",
        "1..1", "# begin gp.instructions", "ok 1 gp.instructions # XFAIL HSD140",
        "# erratum HSD140 core-type=0 area=counting state=seen seen=3 asked=300 per-million=10000 test=gp.instructions",
        "# erratum HSD29 core-type=0 area=counting state=not-seen asked=3000 excluded-per-million=1000",
        "# erratum HSD176 core-type=0 area=counting state=not-provoked because=unused",
        "# good-for rr answer=no words=\"replaying programs with rr\" because=\"gp.conditional-branches failed\"",
        "# erratum HSD73 core-type=0 area=counting state=not-judged because=measured");
    made_read(&file, "dir/made.log");
    written("text", &file);
    says("  erratum  HSD140, instructions retired are now and then counted wrong: seen 3 of 300 "
         "times (1 %), first in gp.instructions\n",
         "  unseen   HSD29, ", ": not seen in 3000 checks: rarer than 0.1 %\n",
         "of features that no test uses: HSD176\n", "only measured: HSD73\n",
         "  for      replaying programs with rr: no, gp.conditional-branches failed\n");
    cJSON *whole = cJSON_Parse(written("json", &file));
    const cJSON *boot = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "boots"), 0);
    const cJSON *errata = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(boot, "runs"), 0), "errata");
    assert_int_equal(cJSON_GetArraySize(errata), 4);
    assert_string_equal(string(cJSON_GetArrayItem(errata, 0), "id"), "HSD140");
    assert_string_equal(string(cJSON_GetArrayItem(errata, 0), "seen"), "3");
    assert_string_equal(string(cJSON_GetArrayItem(errata, 3), "because"), "measured");
    const cJSON *purposes = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(boot, "runs"), 0), "good_for");
    assert_string_equal(string(cJSON_GetArrayItem(purposes, 0), "answer"), "no");
    cJSON_Delete(whole);
}

int main(void)
{
    int failed = run_cases();
    log_free(&file);
    return failed;
}
