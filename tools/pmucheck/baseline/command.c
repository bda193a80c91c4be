/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck baseline: keeps a directory of accepted results, and judges logs by them. */
#include "tools/pmucheck/command/command.h"
#include "tools/json.h"
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/xml.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *who, *why, *format, *output;
static bool accept, failing;

static const struct option_row options[] = {
    {'a', "accept", NULL, NULL, &accept, "Accepts the logs; needs --why."},
    {0, "failing", NULL, NULL, &failing, "Accepts logs that fail, end in an error or ask for review, too."},
    {'f', "format", "FORM", &format, NULL,
     "text (default), json or junit: the form of the judgement. Without it the output's name says which: .json, .xml."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {0, "who", "NAME", &who, NULL, "The name of the person who accepts the logs (the user's name)."},
    {0, "why", "TEXT", &why, NULL, "Why the logs are good."},
    {0},
};

/* The judgement of a log, kept for the list at the end. */
struct judged {
    const char *log, *pmu, *path;
    struct baseline_findings findings;
    bool none; /* no baseline for its kind of machine */
};

static struct {
    struct arena arena;
    const char *directory;
    struct baseline_files files;
    LIST(struct judged) judged;
    LIST(const char *) damaged; /* "log:line: problem" */
    int status;
} job;

static void worsen(int status)
{
    job.status = (int)log_worse((enum log_status)job.status, (enum log_status)status);
}

/* ---- One run */

static const char *today(char text[32])
{
    time_t now = time(NULL);
    strftime(text, 32, "%Y-%m-%d", gmtime(&now));
    return text;
}

static const char *kept_text(const char *text)
{
    return arena_copy(&job.arena, text, strlen(text));
}

static void accept_run(struct baseline_file *kept, const struct facts *facts, const char *log)
{
    char date[32];
    const char *user = who ? who : getenv("USER"), *doubt = baseline_doubt(facts);
    const struct baseline_note note = {log, user ? user : "unknown", why, today(date)};
    if (doubt && !failing) {
        worsen(
            command_refuse(&command_baseline, "%s: %s: not accepted; --failing accepts it nevertheless", log, doubt));
        return;
    }
    kept->baseline = kept->baseline ? kept->baseline : baseline_new(facts);
    baseline_accept(kept->baseline, facts, &note);
    *LIST_ADD(&job.arena, &kept->logs) = kept_text(log);
}

static void judge_run(const struct baseline_file *kept, const struct facts *facts, const char *log)
{
    struct judged *judged = LIST_ADD(&job.arena, &job.judged);
    const unsigned *found = judged->findings.count;
    judged->log = kept_text(log);
    judged->pmu = kept_text(facts->run->pmu);
    judged->path = kept->path;
    judged->none = !kept->baseline;
    if (judged->none) {
        worsen(STATUS_UNTESTED);
        return;
    }
    baseline_judge(&job.arena, kept->baseline, facts, &judged->findings);
    worsen(found[BASELINE_WORSE] ? STATUS_FAIL : found[BASELINE_OUTSIDE] ? STATUS_REVIEW : STATUS_PASS);
}

static void each_run(const struct log_file *file, const struct log_boot *boot, const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    facts_read(&arena, boot, run, &facts);
    struct baseline_file *kept = baseline_file(&job.files, &command_baseline, job.directory, &facts);
    if (kept->bad)
        worsen(STATUS_ERROR);
    else if (accept)
        accept_run(kept, &facts, file->path);
    else
        judge_run(kept, &facts, file->path);
    arena_free(&arena);
}

/* A damaged log is judged by its certain parts, and never accepted. */
static void each_log(void *context, const struct log_file *file)
{
    (void)context;
    for_each_item (file->boots, boot) {
        if (boot->problems.count) {
            const struct log_problem *problem = &boot->problems.item[0];
            worsen(command_refuse(&command_baseline, "%s:%u: %s%s", file->path, problem->line, problem->text,
                                  accept ? "; not accepted" : ""));
            *LIST_ADD(&job.arena, &job.damaged) =
                arena_print(&job.arena, "%s:%u: %s", file->path, problem->line, problem->text);
        }
        for (unsigned i = 0; i < boot->runs.count && !(accept && boot->problems.count); i++)
            if (log_run_of_tests(&boot->runs.item[i]))
                each_run(file, boot, &boot->runs.item[i]);
    }
}

static void missing(void *context, const char *path, const char *problem)
{
    (void)context;
    *LIST_ADD(&job.arena, &job.damaged) = arena_print(&job.arena, "%s: %s", path, problem);
    worsen(STATUS_ERROR);
}

/* ---- Writing the judgement */

static unsigned logs_with(enum baseline_kind kind)
{
    unsigned count = 0;
    for_each_item (job.judged, j)
        count += j->findings.count[kind] > 0;
    return count;
}

static void text_of(FILE *out, const struct judged *j)
{
    const unsigned *count = j->findings.count;
    if (j->none) {
        fprintf(out, "%s: %s: no baseline for machines of this kind (%s)\n", j->log, j->pmu, j->path);
        return;
    }
    fprintf(out, "%s: %s against %s\n", j->log, j->pmu, j->path);
    for_each_item (j->findings.list, f)
        fprintf(out, "  %-8s %s: %s\n", baseline_kind_name[f->kind], f->subject, f->text);
    fprintf(out, "  %u worse, %u fixed, %u changed, %u measurements outside, %u unknown tests\n", count[BASELINE_WORSE],
            count[BASELINE_FIXED], count[BASELINE_CHANGED], count[BASELINE_OUTSIDE], count[BASELINE_UNKNOWN]);
    if (j->findings.unjudged)
        fprintf(out, "  measurements were not judged: %s\n", j->findings.unjudged);
}

/* The last lines repeat the logs that are worse, with the tests and measurements. */
static void write_text(FILE *out)
{
    unsigned none = 0;
    for_each_item (job.judged, j) {
        text_of(out, j);
        none += j->none;
    }
    fprintf(out, "\n%u runs: %u worse, %u only outside, %u without a baseline; %u logs damaged\n", job.judged.count,
            logs_with(BASELINE_WORSE), logs_with(BASELINE_OUTSIDE), none, job.damaged.count);
    for_each_item (job.judged, j) {
        const char *separator = ": ";
        if (!j->findings.count[BASELINE_WORSE])
            continue;
        fprintf(out, "  worse    %s", j->log);
        for_each_item (j->findings.list, f)
            if (f->kind == BASELINE_WORSE) {
                fprintf(out, "%s%s", separator, f->subject);
                separator = ", ";
            }
        fputc('\n', out);
    }
    for_each_item (job.damaged, log)
        fprintf(out, "  damaged  %s\n", *log);
}

static json_object *json_of(const struct judged *j)
{
    json_object *object = json_object_new_object();
    json_add_text(object, "log", j->log);
    json_add_text(object, "pmu", j->pmu);
    json_add_text(object, "baseline", j->none ? "" : j->path);
    for (unsigned kind = 0; kind < BASELINE_KINDS; kind++)
        json_add_number(object, baseline_kind_name[kind], j->findings.count[kind]);
    json_add_text(object, "measurements_not_judged", j->findings.unjudged ? j->findings.unjudged : "");
    json_object *findings = json_add_array(object, "findings");
    for_each_item (j->findings.list, f) {
        json_object *finding = json_add_item(findings);
        json_add_text(finding, "kind", baseline_kind_name[f->kind]);
        json_add_text(finding, "subject", f->subject);
        json_add_text(finding, "text", f->text);
    }
    return object;
}

static void write_json(FILE *out)
{
    json_object *whole = json_object_new_object();
    json_add_text(whole, "schema", "pmucheck-judgement-1");
    json_add_number(whole, "status", job.status);
    json_object *runs = json_add_array(whole, "runs"), *damaged = json_add_array(whole, "damaged");
    for_each_item (job.judged, j)
        json_object_array_add(runs, json_of(j));
    for_each_item (job.damaged, log)
        json_object_array_add(damaged, json_object_new_string(*log));
    put_json(out, whole, true);
    fputc('\n', out);
}

static void junit_case(xmlTextWriterPtr xml, const char *class, const char *name, const char *element,
                       const char *message)
{
    xml_markup(xml, "\n  ");
    xml_begin(xml, "testcase", "classname", class, "name", name, "time", "0");
    if (element) {
        xml_begin(xml, element, "message", message);
        xml_text(xml, message);
        xml_end(xml);
    }
    xml_end(xml);
}

/* A case for each log and each finding: "worse" fails, "outside" is skipped with the reason. */
static void junit_of(xmlTextWriterPtr xml, const struct judged *j)
{
    static const char *const elements[BASELINE_KINDS] = {[BASELINE_WORSE] = "failure", [BASELINE_OUTSIDE] = "skipped"};
    junit_case(xml, j->log, "baseline", j->none ? "skipped" : NULL, "no baseline for machines of this kind");
    for_each_item (j->findings.list, f)
        junit_case(xml, j->log, f->subject, elements[f->kind], f->text);
}

static void write_junit(FILE *out)
{
    unsigned tests = job.damaged.count + job.judged.count, worse = 0, skipped = 0;
    for_each_item (job.judged, j) {
        tests += j->findings.list.count;
        worse += j->findings.count[BASELINE_WORSE];
        skipped += j->findings.count[BASELINE_OUTSIDE] + j->none;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    xmlTextWriterPtr xml = xml_open(out, false);
    xml_begin(xml, "testsuites");
    xml_markup(xml, "\n ");
    xml_begin(xml, "testsuite", "name", "pmucheck.baseline");
    xml_attribute(xml, "tests", "%u", tests);
    xml_attribute(xml, "failures", "%u", worse);
    xml_attribute(xml, "errors", "%u", job.damaged.count);
    xml_attribute(xml, "skipped", "%u", skipped);
    for_each_item (job.judged, j)
        junit_of(xml, j);
    for_each_item (job.damaged, log)
        junit_case(xml, "log", *log, "error", *log);
    xml_markup(xml, "\n ");
    xml_end(xml);
    xml_markup(xml, "\n");
    xml_end(xml);
    xml_close(xml);
    fputc('\n', out);
}

static const struct form {
    const char *name;
    void (*write)(FILE *out);
} forms[] = {{"text", write_text}, {"json", write_json}, {"junit", write_junit}, {0}};

/* ---- The command */

/* Others that accept logs wait, so that no file is replaced that has changed since it was read. The lock ends with the
 * program. */
static bool lock(const char *directory)
{
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return file >= 0 && flock(file, LOCK_EX) == 0;
}

static void write_accepted(void)
{
    unsigned accepted = 0;
    for_each_item (job.files.list, kept) {
        if (!kept->logs.count)
            continue;
        if (!load_replace(&command_baseline, kept->path, json_written(kept->baseline, true), "\n")) {
            worsen(STATUS_ERROR);
            continue;
        }
        for_each_item (kept->logs, log)
            printf("%s: accepted into %s\n", *log, kept->path);
        accepted += kept->logs.count;
    }
    printf("%u runs accepted\n", accepted);
}

static void write_judgement(const struct form *form)
{
    FILE *out = load_output(&command_baseline, output);
    if (out)
        form->write(out);
    if (!out || !load_close(&command_baseline, output, out))
        worsen(STATUS_ERROR);
}

static int run(int argc, char **argv)
{
    static const struct load_visitor visitor = {.visit = each_log, .missing = missing};
    const struct form *form = form_settle(&command_baseline, forms, sizeof(*forms), format, output);
    if (!form)
        return STATUS_ERROR;
    if (argc < 2)
        return command_refuse(&command_baseline, "name the directory of baselines, and logs");
    if (accept && !why)
        return command_refuse(&command_baseline, "--accept needs --why=TEXT, for later readers");
    if (accept && mkdir(argv[0], 0777) != 0 && errno != EEXIST)
        return command_refuse(&command_baseline, "%s cannot be made: %s", argv[0], strerror(errno));
    if (accept && !lock(argv[0]))
        return command_refuse(&command_baseline, "%s cannot be locked: %s", argv[0], strerror(errno));
    job.directory = argv[0];
    load_each(&command_baseline, argc - 1, argv + 1, &visitor);
    if (accept)
        write_accepted();
    else
        write_judgement(form);
    baseline_files_free(&job.files);
    arena_free(&job.arena);
    return job.status;
}

const struct command command_baseline = {
    .name = "baseline",
    .summary = "judges logs by accepted ones of the same signature, microcode and thread state",
    .arguments = "DIRECTORY LOG...",
    .description =
        "The directory has a JSON file for each kind of machine, named SIGNATURE-MICROCODE-THREADS.json; keep it "
        "under version control. With --accept the logs are added to it: the outcomes and failed checks of each test, "
        "the range of each measurement, and who accepted which log and why. Damaged logs are never accepted, and logs "
        "that do not pass only with --failing. A check sum in the file shows whether anything else changed it.\n\n"
        "Without --accept the logs are judged. Findings are: worse, a failure, error or review that is new, or a new "
        "failed check; fixed, something that no longer fails; changed, any other new outcome, such as a test that is "
        "now skipped; outside, a measurement whose median lies outside the accepted range, once three logs were "
        "accepted that were tested as long and on as many CPUs. Lengths that the program chooses itself are not "
        "judged. The last lines list the logs that are worse, with the reasons.\n\n"
        "The JSON has \"schema\": \"pmucheck-judgement-1\"; \"status\", the exit status; \"runs\", each with log, "
        "pmu, baseline, the number of findings of each kind, and the findings: kind, subject, text; and \"damaged\".",
    .options = options,
    .statuses = "0 nothing worse, 1 worse, 2 only measurements outside, 77 no baseline for machines of this kind, 99 a "
                "damaged log or file.",
    .examples = "pmucheck baseline --accept --why=\"first machine of the rack\" lab/baseline lab-7.log\n"
                "pmucheck baseline lab/baseline today/*.log",
    .run = run,
};
