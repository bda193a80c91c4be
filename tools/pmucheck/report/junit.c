/*
 * The report as JUnit XML, for Jenkins, GitLab and the like: a suite for each run, named in each case's classname; the
 * message in the body too, since not every reader shows the attribute. A known erratum counts as skipped.
 */
#include "tools/pmucheck/report/report.h"
#include <libxml/xmlwriter.h>
#include <string.h>

#define NAME(text) ((const xmlChar *)(text))

static void attribute(xmlTextWriterPtr xml, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(xml, NAME(name), NAME(value));
}

static void number(xmlTextWriterPtr xml, const char *name, unsigned value)
{
    xmlTextWriterWriteFormatAttribute(xml, NAME(name), "%u", value);
}

static void write_body(xmlTextWriterPtr xml, const struct log_boot *boot, const struct log_result *result)
{
    xmlTextWriterWriteString(xml, NAME(result->reason));
    for_each_record (boot, result, r)
        if (strcmp(r->kind, "measure") != 0 && strcmp(r->kind, "bits") != 0) {
            xmlTextWriterWriteString(xml, NAME("\n"));
            xmlTextWriterWriteString(xml, NAME(r->text));
        }
}

static const char *message_of(const struct log_boot *boot, const struct log_result *result)
{
    if (result->outcome == LOG_LOST)
        return "the log has no result: lines are lost, or the machine hung before";
    for_each_record (boot, result, r)
        if (strcmp(r->kind, "fail") == 0)
            return r->text;
    return result->reason;
}

static void write_case(xmlTextWriterPtr xml, const char *suite, const struct log_boot *boot,
                       const struct log_result *result)
{
    static const char *const element[LOG_OUTCOMES + 1] = {
        [LOG_FAIL] = "failure", [LOG_KNOWN] = "skipped", [LOG_REVIEW] = "failure",
        [LOG_SKIP] = "skipped", [LOG_ERROR] = "error",   [LOG_LOST] = "error",
    };
    xmlTextWriterStartElement(xml, NAME("testcase"));
    attribute(xml, "classname", suite);
    attribute(xml, "name", result->id[0] ? result->id : "unknown");
    attribute(xml, "time", "0");
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

static void write_suite(xmlTextWriterPtr xml, const char *suite, const struct log_boot *boot, const struct log_run *run)
{
    unsigned count[LOG_OUTCOMES + 1] = {0};
    for (unsigned i = 0; i < run->results.count; i++)
        count[run->results.item[i].outcome]++;
    xmlTextWriterStartElement(xml, NAME("testsuite"));
    attribute(xml, "name", suite);
    number(xml, "tests", run->results.count);
    number(xml, "failures", count[LOG_FAIL] + count[LOG_REVIEW]);
    number(xml, "errors", count[LOG_ERROR] + count[LOG_LOST]);
    number(xml, "skipped", count[LOG_SKIP] + count[LOG_KNOWN]);
    for (unsigned i = 0; i < run->results.count; i++)
        write_case(xml, suite, boot, &run->results.item[i]);
    xmlTextWriterEndElement(xml);
}

/* The log itself, as a case: cut and damaged logs fail. */
static void write_log_case(xmlTextWriterPtr xml, const struct log_file *file, const struct log_boot *boot)
{
    xmlTextWriterStartElement(xml, NAME("testsuite"));
    attribute(xml, "name", "log");
    number(xml, "tests", 1);
    number(xml, "failures", 0);
    number(xml, "errors", boot->problems.count > 0);
    number(xml, "skipped", 0);
    xmlTextWriterStartElement(xml, NAME("testcase"));
    attribute(xml, "classname", "log");
    attribute(xml, "name", file->path);
    attribute(xml, "time", "0");
    if (boot->problems.count) {
        xmlTextWriterStartElement(xml, NAME("error"));
        attribute(xml, "message", boot->problems.item[0].text);
        for (unsigned i = 0; i < boot->problems.count; i++)
            xmlTextWriterWriteFormatString(xml, "line %u: %s\n", boot->problems.item[i].line,
                                           boot->problems.item[i].text);
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
    xmlTextWriterEndElement(xml);
}

static void write_boot(xmlTextWriterPtr xml, const struct log_file *file, const struct log_boot *boot)
{
    const char *name = log_value(log_find(boot, NULL, "machine"), "name");
    char suite[512];
    for (unsigned i = 0; i < boot->runs.count; i++) {
        const char *run = report_run_name(&boot->runs.item[i]);
        snprintf(suite, sizeof(suite), "%s%s%s", name && name[0] ? name : "", name && name[0] ? "." : "", run);
        write_suite(xml, suite, boot, &boot->runs.item[i]);
    }
    write_log_case(xml, file, boot);
}

void report_junit(FILE *out, const struct log_file *files, unsigned count)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (xml) {
        xmlTextWriterSetIndent(xml, 1);
        xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
        xmlTextWriterStartElement(xml, NAME("testsuites"));
        attribute(xml, "name", "pmucheck");
        for (unsigned i = 0; i < count; i++)
            for (unsigned b = 0; b < files[i].boots.count; b++)
                write_boot(xml, &files[i], &files[i].boots.item[b]);
        xmlTextWriterEndDocument(xml);
        xmlFreeTextWriter(xml);
        fputs((const char *)xmlBufferContent(buffer), out);
    }
    xmlBufferFree(buffer);
}
