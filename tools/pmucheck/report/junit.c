/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report as JUnit XML, for Jenkins, GitLab and the like: a suite for each run, named by machine and PMU, with the
 * facts of the machine as properties. The message is also in the body, because not every reader shows the attribute. A
 * known erratum counts as skipped. The log itself is a case of the machine's first suite.
 */
#include "tools/pmucheck/log/relation.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/report/report.h"
#include "tools/xml.h"

/* A suite's head. */
struct suite {
    const char *name, *host;
    unsigned tests, failures, errors, skipped;
};

/* Seconds of so many microseconds; 0 if the log has none. */
static const char *seconds(struct arena *arena, const char *us)
{
    unsigned long long value = us ? strtoull(us, NULL, 10) : 0;
    return arena_print(arena, "%llu.%06llu", value / 1000000, value % 1000000);
}

/* The date by the machine's own clock; without one in the log, the time of the file's last write. */
static const char *time_of(const struct row *start)
{
    const char *own = row_date(start), *time = own ? own : row_captured(start);
    return time ? time : "1970-01-01T00:00:00";
}

static void begin_suite(xmlTextWriterPtr xml, const struct row *start, const struct suite *suite, const char *time)
{
    xml_begin(xml, "testsuite", "name", suite->name);
    xml_attribute(xml, "tests", "%u", suite->tests);
    xml_attribute(xml, "failures", "%u", suite->failures);
    xml_attribute(xml, "errors", "%u", suite->errors);
    xml_attribute(xml, "skipped", "%u", suite->skipped);
    xml_attribute(xml, "time", "%s", time);
    xml_attribute(xml, "timestamp", "%s", time_of(start));
    xml_attribute(xml, "hostname", "%s", suite->host[0] ? suite->host : "unnamed");
}

/* ---- Cases */

static void write_body(xmlTextWriterPtr xml, const struct log_boot *boot, const struct log_result *result)
{
    xml_text(xml, result->reason);
    for_each_record (boot, result, r) {
        if (!log_is(r, "measure") && !log_is(r, "bits") && !log_is(r, "took") && !log_is(r, "held"))
            xml_print(xml, "\n%s", r->text);
        if (log_is(r, "fail")) {
            const struct severity_row *row = severity_of(result->id, log_word(r, "label"));
            xml_print(xml, "\nseverity %s: %s; %s", severity_name[row->severity], row->why, row->what_to_do);
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

static void write_case(xmlTextWriterPtr xml, const char *suite, const struct row *run, const struct log_result *result)
{
    static const char *const elements[LOG_OUTCOMES + 1] = {
        [LOG_FAIL] = "failure", [LOG_KNOWN] = "skipped", [LOG_REVIEW] = "failure",
        [LOG_SKIP] = "skipped", [LOG_ERROR] = "error",   [LOG_LOST] = "error",
    };
    const char *element = elements[result->outcome];
    bool skipped = result->outcome == LOG_KNOWN || result->outcome == LOG_SKIP;
    struct row row = *run;
    row.result = result;
    xml_begin(xml, "testcase", "classname", suite, "name", result->id[0] ? result->id : "unknown", "time",
              seconds(row.arena, row_us(&row)));
    if (element) {
        xml_begin(xml, element, "message", message_of(row.boot, result), "type", skipped ? NULL : row_outcome(&row));
        write_body(xml, row.boot, result);
        xml_end(xml);
    }
    xml_end(xml);
}

/* The log itself, as a case: cut and damaged logs fail. */
static void write_log_case(xmlTextWriterPtr xml, const char *suite, const struct row *start)
{
    const struct log_boot *boot = start->boot;
    xml_begin(xml, "testcase", "classname", suite, "name", "log", "time", "0");
    if (boot->problems.count) {
        xml_begin(xml, "error", "message", boot->problems.item[0].text, "type", "log");
        for_each_item (boot->problems, problem)
            xml_print(xml, "%s:%u: %s\n", start->file->path, problem->line, problem->text);
        xml_end(xml);
    }
    xml_end(xml);
}

/* ---- Suites */

static void write_properties(xmlTextWriterPtr xml, const struct row *run)
{
    static const struct row_member members[] = {{"log", row_path, false},
                                                {"version", row_version, false},
                                                {"commit", row_commit, false},
                                                {"code", row_code, false},
                                                {"verdict", row_verdict, false},
                                                {"pmu", row_run_name, false},
                                                {"brand", row_brand, false},
                                                {"signature", row_signature, false},
                                                {"microcode", row_microcode, false},
                                                {"threads-per-core", row_threads, false},
                                                {"cpus", row_machine_cpus, false},
                                                {"board", row_board, false},
                                                {"bios", row_bios, false},
                                                {"firmware", row_firmware, false},
                                                {"options", row_options, false},
                                                {"conditions", row_conditions, false},
                                                {0}};
    xml_begin(xml, "properties");
    for (const struct row_member *member = members; member->name; member++) {
        const char *value = member->value(run);
        if (!value || !value[0])
            continue;
        xml_begin(xml, "property", "name", member->name, "value", value);
        xml_end(xml);
    }
    xml_end(xml);
}

/* Counts all results. */
static void write_suite(xmlTextWriterPtr xml, struct report *report, const struct row *run)
{
    const char *host = row_machine_name(run);
    unsigned count[LOG_OUTCOMES + 1], log = run->run == run->boot->runs.item,
                                      damaged = log && run->boot->problems.count;
    log_tally(run->run, count);
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        report->total[i] += count[i];
    report->total[LOG_ERROR] += damaged;
    report->total[LOG_PASS] += log && !damaged;
    const struct suite suite = {.name = arena_print(run->arena, "%s%s%s", host, host[0] ? "." : "", row_run_name(run)),
                                .host = host,
                                .tests = run->run->results.count + log,
                                .failures = count[LOG_FAIL] + count[LOG_REVIEW],
                                .errors = count[LOG_ERROR] + count[LOG_LOST] + damaged,
                                .skipped = count[LOG_SKIP] + count[LOG_KNOWN]};
    begin_suite(xml, run, &suite, seconds(run->arena, row_run_us(run)));
    write_properties(xml, run);
    for_each_item (run->run->results, result)
        write_case(xml, suite.name, run, result);
    if (log)
        write_log_case(xml, suite.name, run);
    xml_end(xml);
}

/* A log without a run has its own suite, named by its file. */
static void write_no_run(xmlTextWriterPtr xml, struct report *report, const struct row *start)
{
    const struct suite suite = {start->file->path, "", 1, 0, start->boot->problems.count > 0, 0};
    report->total[suite.errors ? LOG_ERROR : LOG_PASS]++;
    begin_suite(xml, start, &suite, "0");
    write_log_case(xml, suite.name, start);
    xml_end(xml);
}

void report_junit(struct report *report, const struct log_file *file)
{
    xmlTextWriterPtr xml = xml_open(report->body, true);
    struct arena arena = {0};
    struct facts facts;
    for_each_item (file->boots, boot) {
        const struct row start = {.arena = &arena, .file = file, .boot = boot};
        for_each_item (boot->runs, run) {
            const struct row row = row_of_run(&arena, file, boot, run, &facts);
            write_suite(xml, report, &row);
        }
        if (!boot->runs.count)
            write_no_run(xml, report, &start);
    }
    xml_close(xml);
    arena_free(&arena);
}

void report_junit_head(struct report *report)
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
}
