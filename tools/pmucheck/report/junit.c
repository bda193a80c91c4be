/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report as JUnit XML, for Jenkins, GitLab and the like: a suite for each run, named by machine and PMU, with the
 * facts of the machine as properties. The message is also in the body, because not every reader shows the attribute. A
 * known erratum counts as skipped. The log itself is a case of the machine's first suite.
 */
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/report/report.h"
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define NAME(text) ((const xmlChar *)(text))

static void attribute(xmlTextWriterPtr xml, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(xml, NAME(name), NAME(value));
}

static void number(xmlTextWriterPtr xml, const char *name, unsigned value)
{
    xmlTextWriterWriteFormatAttribute(xml, NAME(name), "%u", value);
}

/* Seconds; 0 if the log has none. */
static void time_of(xmlTextWriterPtr xml, const struct log_boot *boot, const struct log_run *run,
                    const struct log_result *result)
{
    uint64_t us = 0;
    facts_took(boot, run, result, &us);
    xmlTextWriterWriteFormatAttribute(xml, NAME("time"), "%llu.%06llu", (unsigned long long)us / 1000000,
                                      (unsigned long long)us % 1000000);
}

/* ---- Cases */

static void write_body(xmlTextWriterPtr xml, const struct log_boot *boot, const struct log_result *result)
{
    xmlTextWriterWriteString(xml, NAME(result->reason));
    for_each_record (boot, result, r) {
        if (!log_is(r, "measure") && !log_is(r, "bits") && !log_is(r, "took") && !log_is(r, "held")) {
            xmlTextWriterWriteString(xml, NAME("\n"));
            xmlTextWriterWriteString(xml, NAME(r->text));
        }
        if (log_is(r, "fail")) {
            const struct severity_row *row = severity_of(result->id, log_word(r, "label"));
            xmlTextWriterWriteFormatString(xml, "\nseverity %s: %s; %s", severity_name[row->severity], row->why,
                                           row->what_to_do);
        }
    }
}

static const char *message_of(const struct log_boot *boot, const struct log_result *result)
{
    if (result->outcome == LOG_LOST)
        return "the log has no result: lines are lost, or it ends before";
    for_each_record (boot, result, r)
        if (log_is(r, "fail"))
            return r->text;
    return result->reason;
}

static const char *const element[LOG_OUTCOMES + 1] = {
    [LOG_FAIL] = "failure", [LOG_KNOWN] = "skipped", [LOG_REVIEW] = "failure",
    [LOG_SKIP] = "skipped", [LOG_ERROR] = "error",   [LOG_LOST] = "error",
};

static void write_case(xmlTextWriterPtr xml, const char *suite, const struct log_boot *boot,
                       const struct log_result *result)
{
    xmlTextWriterStartElement(xml, NAME("testcase"));
    attribute(xml, "classname", suite);
    attribute(xml, "name", result->id[0] ? result->id : "unknown");
    time_of(xml, boot, NULL, result);
    if (element[result->outcome]) {
        xmlTextWriterStartElement(xml, NAME(element[result->outcome]));
        attribute(xml, "message", message_of(boot, result));
        if (strcmp(element[result->outcome], "skipped") != 0)
            attribute(xml, "type", log_outcome_name[result->outcome]);
        write_body(xml, boot, result);
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

/* The log itself, as a case: cut and damaged logs fail. */
static void write_log_case(xmlTextWriterPtr xml, const char *suite, const struct log_file *file,
                           const struct log_boot *boot)
{
    xmlTextWriterStartElement(xml, NAME("testcase"));
    attribute(xml, "classname", suite);
    attribute(xml, "name", "log");
    attribute(xml, "time", "0");
    if (boot->problems.count) {
        xmlTextWriterStartElement(xml, NAME("error"));
        attribute(xml, "message", boot->problems.item[0].text);
        attribute(xml, "type", "log");
        for_each_item (boot->problems, problem)
            xmlTextWriterWriteFormatString(xml, "%s:%u: %s\n", file->path, problem->line, problem->text);
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

/* ---- Suites */

static void property(xmlTextWriterPtr xml, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    xmlTextWriterStartElement(xml, NAME("property"));
    attribute(xml, "name", name);
    attribute(xml, "value", value);
    xmlTextWriterEndElement(xml);
}

static void write_properties(xmlTextWriterPtr xml, const struct log_file *file, const struct log_boot *boot,
                             const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    facts_read(&arena, boot, run, &facts);
    xmlTextWriterStartElement(xml, NAME("properties"));
    property(xml, "log", file->path);
    property(xml, "version", boot->version);
    property(xml, "commit", boot->commit);
    property(xml, "code", boot->code);
    property(xml, "verdict", log_run_verdict(boot, run));
    property(xml, "pmu", report_run_name(run));
    property(xml, "brand", facts.brand);
    property(xml, "signature", facts.signature);
    property(xml, "microcode", facts.microcode);
    property(xml, "threads-per-core", facts.threads);
    property(xml, "cpus", log_value(facts.machine, "cpus"));
    property(xml, "board", log_value(facts.machine, "board"));
    property(xml, "bios", log_value(facts.machine, "bios"));
    property(xml, "firmware", log_value(facts.machine, "firmware"));
    property(xml, "options", facts_options(&arena, boot));
    property(xml, "conditions", facts_conditions(&arena, &facts));
    xmlTextWriterEndElement(xml);
    arena_free(&arena);
}

/* The date by the machine's own clock; without one in the log, the time of the file's last write. */
static void write_timestamp(xmlTextWriterPtr xml, const struct log_file *file, const struct log_boot *boot)
{
    struct stat status;
    struct tm time;
    char text[32] = "1970-01-01T00:00:00";
    if (facts_date(boot))
        snprintf(text, sizeof(text), "%s", facts_date(boot));
    else if (stat(file->path, &status) == 0 && gmtime_r(&status.st_mtime, &time))
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &time);
    attribute(xml, "timestamp", text);
}

/* Counts all results. */
static void write_suite(xmlTextWriterPtr xml, struct report *report, const struct log_file *file,
                        const struct log_boot *boot, const struct log_run *run)
{
    const char *name = log_word(log_find(boot, NULL, "machine"), "name");
    char suite[512];
    unsigned count[LOG_OUTCOMES + 1], log = run == boot->runs.item, damaged = log && boot->problems.count;
    snprintf(suite, sizeof(suite), "%s%s%s", name, name[0] ? "." : "", report_run_name(run));
    log_tally(run, count);
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        report->total[i] += count[i];
    report->total[LOG_ERROR] += damaged;
    report->total[LOG_PASS] += log && !damaged;
    xmlTextWriterStartElement(xml, NAME("testsuite"));
    attribute(xml, "name", suite);
    number(xml, "tests", run->results.count + log);
    number(xml, "failures", count[LOG_FAIL] + count[LOG_REVIEW]);
    number(xml, "errors", count[LOG_ERROR] + count[LOG_LOST] + damaged);
    number(xml, "skipped", count[LOG_SKIP] + count[LOG_KNOWN]);
    time_of(xml, boot, run, NULL);
    write_timestamp(xml, file, boot);
    attribute(xml, "hostname", name[0] ? name : "unnamed");
    write_properties(xml, file, boot, run);
    for (unsigned i = 0; i < run->results.count; i++)
        write_case(xml, suite, boot, &run->results.item[i]);
    if (log)
        write_log_case(xml, suite, file, boot);
    xmlTextWriterEndElement(xml);
}

/* A log without a run has its own suite, named by its file. */
static void write_no_run(xmlTextWriterPtr xml, struct report *report, const struct log_file *file,
                         const struct log_boot *boot)
{
    report->total[boot->problems.count ? LOG_ERROR : LOG_PASS]++;
    xmlTextWriterStartElement(xml, NAME("testsuite"));
    attribute(xml, "name", file->path);
    number(xml, "tests", 1);
    number(xml, "failures", 0);
    number(xml, "errors", boot->problems.count > 0);
    number(xml, "skipped", 0);
    attribute(xml, "time", "0");
    write_timestamp(xml, file, boot);
    attribute(xml, "hostname", "unnamed");
    write_log_case(xml, file->path, file, boot);
    xmlTextWriterEndElement(xml);
}

static void write_boot(xmlTextWriterPtr xml, struct report *report, const struct log_file *file,
                       const struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        write_suite(xml, report, file, boot, run);
    if (!boot->runs.count)
        write_no_run(xml, report, file, boot);
}

void report_junit(struct report *report, const struct log_file *file)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (xml) {
        xmlBufferSetAllocationScheme(buffer, XML_BUFFER_ALLOC_DOUBLEIT);
        xmlTextWriterSetIndent(xml, 1);
        for_each_item (file->boots, boot)
            write_boot(xml, report, file, boot);
        xmlTextWriterFlush(xml);
        xmlFreeTextWriter(xml);
        fputs((const char *)xmlBufferContent(buffer), report->body);
    }
    xmlBufferFree(buffer);
}

void report_junit_end(struct report *report)
{
    const unsigned *total = report->total;
    unsigned tests = 0;
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        tests += total[i];
    fprintf(report->out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"pmucheck\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
            tests, total[LOG_FAIL] + total[LOG_REVIEW], total[LOG_ERROR] + total[LOG_LOST],
            total[LOG_SKIP] + total[LOG_KNOWN]);
    report_put_body(report);
    fprintf(report->out, "</testsuites>\n");
}
