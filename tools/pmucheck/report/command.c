/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck report: summarises logs, in several forms. */
#include "tools/pmucheck/command/command.h"
#include "kernel/qr/qr.h"
#include "tools/pmucheck/command/beside.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/report/expect.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/share/share.h"
#include "tools/text_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *format, *output, *wanted_code, *image_path, *expect_path;
static bool quiet, share, board;

static const struct option_row options[] = {
    {'f', "format", "FORM", &format, NULL,
     "text (default), short: a few lines a log, json, junit, ktap, lava, or expect: a list of the failures, for "
     "--expect. Without it the ending of the output's name says which: .json, .xml, .ktap, .lava."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {'c', "code", "CODE", &wanted_code, NULL, "Compares this result code, from a photo, with the code of each log."},
    {'i', "image", "FILE", &image_path, NULL,
     "Checks that this image made each log. An ISO, a stick's image or pmucheck.elf."},
    {'e', "expect", "FILE", &expect_path, NULL,
     "A list of known differences, which are no failures; new and gone ones are printed to standard error."},
    {'s', "share", NULL, NULL, &share,
     "Makes one small file from the log for others, without names, and shows its content."},
    {0, "board", NULL, NULL, &board, "With --share: includes board and BIOS."},
    {'q', "quiet", NULL, NULL, &quiet, "Prints only the problems of the logs themselves."},
    {0},
};

/* ---- One log after another */

static struct {
    const struct report_format *form;
    struct report report;
    char code[RESULT_CODE_SIZE];
    enum log_status status;
    struct image image;
    struct expect expect;
} job;

/* Is the result code that of --code? */
static void compare_code(const struct log_file *file)
{
    const struct log_boot *last = &file->boots.item[file->boots.count - 1];
    if (strcmp(last->code, job.code) == 0)
        return;
    job.status = STATUS_ERROR;
    command_refuse(&command_report, "%s: the result code is %s, not %s", file->path,
                   last->code[0] ? last->code : "missing", job.code);
}

/* Compares the boots that print their image's sum; the others cannot be compared. */
static void compare_image(const struct log_file *file)
{
    char sums[IMAGE_SUMS];
    for_each_item (file->boots, boot) {
        if (boot->sum[0] && image_has(&job.image, boot->sum))
            continue;
        job.status = STATUS_ERROR;
        if (boot->sum[0])
            command_refuse(&command_report,
                           "%s:%u: the log's image has the sum %s, %s has %s: the log is from another build, or its "
                           "image was damaged",
                           file->path, boot->line, boot->sum, image_path, image_sums(&job.image, sums));
        else
            command_refuse(&command_report,
                           "%s:%u: no line has the sum of the log's image, so that it cannot be compared", file->path,
                           boot->line);
    }
}

static void prepare(void *context, struct log_file *file)
{
    (void)context;
    if (expect_path)
        expect_apply(&job.expect, file, stderr);
}

static void add(void *context, const struct log_file *file)
{
    (void)context;
    job.status = log_worse(job.status, expect_path ? expect_status(file) : log_status(file));
    if (wanted_code)
        compare_code(file);
    if (image_path)
        compare_image(file);
    if (quiet)
        report_problems(job.report.out, file);
    else
        report_add(job.form, &job.report, file);
}

/* ---- The image */

static bool read_image(const char *path)
{
    size_t size;
    char *bytes = text_file_read("pmucheck report", path, &size);
    if (!bytes)
        return false;
    image_find(&job.image, path, bytes, size);
    free(bytes);
    return true;
}

/* Reads the image of --image. */
static bool take_image(void)
{
    if (!read_image(image_path))
        return false;
    const struct image_kernel *damaged = image_damaged(&job.image);
    if (!job.image.kernels)
        command_refuse(&command_report,
                       "--image=%s: it contains no kernel of pmucheck with a sum; name "
                       "pmucheck.iso, pmucheck.img or pmucheck.elf",
                       image_path);
    else if (damaged)
        command_refuse(&command_report,
                       "--image=%s: the image is damaged: its sum is %08x, not %08x; build or copy it again",
                       image_path, damaged->now, damaged->sum);
    return job.image.kernels && !damaged;
}

/* Reads the image that was built or installed with this program, if there is one, for one line of the report. */
static void look_for_image(void)
{
    const char *path = beside_find("pmucheck.iso");
    if (path)
        read_image(path);
}

static bool read_expected(void)
{
    size_t size;
    char *text = text_file_read("pmucheck report", expect_path, &size);
    unsigned line = text ? expect_read(&job.expect, text, size) : 0;
    free(text);
    if (line)
        command_refuse(&command_report,
                       "%s:%u: expected a line TEST LABEL VERSION, as pmucheck report --format=expect writes it",
                       expect_path, line);
    return text && !line;
}

static int run(int argc, char **argv)
{
    static const struct load_visitor visitor = {.prepare = prepare, .visit = add, .any = true};
    if (!share)
        job.form = form_settle(&command_report, report_formats, sizeof(*report_formats), format, output);
    if (!share && !job.form)
        return STATUS_ERROR;
    if (argc == 0)
        return command_refuse(&command_report, "name a log, or - for standard input");
    if (wanted_code && !result_code_parse(wanted_code, job.code))
        return command_refuse(&command_report,
                              "--code=%s: a result code has eight letters and digits, such as 7K3M-9XQA", wanted_code);
    if (share && argc != 1)
        return command_refuse(&command_report, "--share makes a file from one log: name one");
    if (board && !share)
        return command_refuse(&command_report, "--board needs --share");
    if (share)
        return sharing(&command_report, argv[0], output, board);
    if (image_path && !take_image())
        return STATUS_ERROR;
    if (!image_path)
        look_for_image();
    if (expect_path && !read_expected())
        return STATUS_ERROR;
    FILE *out = load_output(&command_report, output);
    if (!out)
        return STATUS_ERROR;
    if (!report_begin(job.form, &job.report, out))
        return command_refuse(&command_report, "cannot make a temporary file: %s", strerror(errno));
    job.report.image = &job.image;
    if (!load_each(&command_report, argc, argv, &visitor))
        job.status = STATUS_ERROR;
    if (!quiet)
        report_end(job.form, &job.report);
    if (expect_path)
        expect_tell_gone(&job.expect, expect_path, stderr);
    expect_free(&job.expect);
    return load_close(&command_report, output, out) ? (int)job.status : STATUS_ERROR;
}

const struct command command_report = {
    .name = "report",
    .summary = "summarises logs: as text, JSON, JUnit XML, KTAP or LAVA signals",
    .arguments = "LOG...",
    .description =
        "Reads logs as they were captured: with noise before and between the lines, time stamps before them, several "
        "boots in one file, and lines that are cut, wrapped, damaged or lost; coloured, in UTF-16, compressed by gzip, "
        "or as strings of JSON. Check sums, the plan and the numbers of the results show which parts are certain. A "
        "test without a result is reported as lost, with its name if any line has it. A LOG named - is standard "
        "input.\n\n"
        "With --share one log becomes a file for others, named after CPU and result code. It is a whole log again, "
        "with the lines about the CPU and its test results; of several starts in one file, the last whole one. It has "
        "no names, no serial numbers and nothing else that came over the line, and board and BIOS only with --board; "
        "the omitted lines are listed. The other commands, also pmucheck adopt, take it like any log.\n\n"
        "The JSON has \"schema\": \"pmucheck-report-1\" and \"boots\", one object for each start of the image:\n\n"
        "    file, line        where the boot begins; lines count from 1\n"
        "    version, commit   of the image\n"
        "    sum, of_image     the image's sum; whether it is the sum of --image, or of the image that was built or\n"
        "                      installed with this program; omitted if that is not known\n"
        "    verdict, totals   of the END line; without one the verdict is empty\n"
        "    code              the result code, as the screen shows it at the end\n"
        "    complete, status  whether the log has no problems; the exit status for it alone\n"
        "    date              the start, by the machine's own clock, if the log has it\n"
        "    us                microseconds from the image's start to its end, if the log has them\n"
        "    options           the run's options\n"
        "    machine           the fields of the # machine line\n"
        "    resets            ways, differences: the fields of the # resets and # reset-differs lines; state and\n"
        "                      reason if no warm reset was made; omitted without the option resets\n"
        "    proven_here       the fields of the # proven-here line, and not_proven, what did not fail\n"
        "    ended_by_reset    the fields of the # reset line by which the image itself ended this start\n"
        "    ended_by_host     the fields of the # host line after which the lines are a hosted kernel's own\n"
        "    microcode         updates, changed, changes: the fields of the lines about an update; omitted without "
        "one\n"
        "    records           comment lines before KTAP began: kind, subject, line, fields\n"
        "    runs              pmu (null: a sum over other runs), machine, brand, signature, microcode,\n"
        "                      threads_per_core, cores (kind, cpus), verdict, totals, us, plan, records before the\n"
        "                      first test, results: for this run's CPUs, which on the reference PMU are not the "
        "machine's;\n"
        "                      errata (id, what, and the fields of its line), good_for (id and fields);\n"
        "                      update: before or after an update of microcode, omitted without one\n"
        "    problems          problems of the log: line, text\n\n"
        "A result has number, id, outcome (pass, fail, known, review, skip, error, lost), reason, trust (checked, "
        "damaged, or unchecked: without a check sum), line, us, its time, and the records of its test. Fields are "
        "strings, spelled as in the log.\n\n"
        "In JUnit XML each run is a suite, with the machine and the options as properties, the machine's name as host "
        "and the date of its own clock as time stamp; without a date in the log the time stamp is the file's. Review "
        "counts as a failure, known as skipped, lost as an error. The Linux kernel's kunit.py and TAP::Parser read the "
        "KTAP. For LAVA review and lost are unknown, and each measurement is a test case with its median.\n\n"
        "A job that accepts known differences, for instance of a hypervisor, keeps a list of them, which "
        "--format=expect makes from a log. With --expect a test with no other failure than those is known, and the "
        "exit status comes from the rest: a new difference fails the job. If a difference is gone although its test "
        "ran, a line says so, and the job passes.",
    .options = options,
    .statuses = "0 pass, 1 fail, 2 review, 77 untested, 99 error, a damaged log or no END line; of several logs the "
                "worst.",
    .examples = "pmucheck report build/logs/run.log\npmucheck report --format=junit -o results.xml lab/*.log\n"
                "pmucheck report --format=expect -o known.txt kvm.log\n"
                "pmucheck report --expect=known.txt --format=junit -o results.xml kvm.log",
    .run = run,
};
