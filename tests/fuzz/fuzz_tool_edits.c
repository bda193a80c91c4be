/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Edits of a good log, whose sums are made right again after each, then what captures do to it: random bytes never get
 * past a sum. All commands that read logs must take the result. No capture makes a pass of what is none, and what is
 * shared, judged or adopted keeps its form.
 */
#include "host/tools/log_maker.h"
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/collect/collect.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/export/export.h"
#include "tools/pmucheck/judge/judge.h"
#include "tools/pmucheck/profile/make.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/share/share.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const good_lines[] = {
    "KTAP version 1",
    "# pmucheck version=0.1.0 commit=1a2b3c4 log=1",
    "# options boot=\"quick\" qemu=\"\"",
    "# date rtc=2026-01-31T12:00:00",
    "# machine vendor=GenuineIntel brand=\"A CPU\" signature=000506e3 hypervisor=none board=B bios=C cpus=4 tsc-khz=1 "
    "name=m",
    "# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2 misc-enable=850089",
    "# run pmu=hardware",
    "# core-type id=0 cpus=0-3 kind=core class=skylake signature=000506e3 version=4 gp=4x48 fixed=3x48 "
    "perfcap=000033c5",
    "# cpuid core-type=0 leaf=0000000a sub=0 eax=07300404 ebx=00000000 ecx=00000000 edx=00000603",
    "# cpuid core-type=0 leaf=00000001 sub=0 eax=000506e3 ebx=00020800 ecx=76d8b21f edx=1febfbfd",
    "# found cpus=0-3 LVTPC=0x10000 IA32_DEBUGCTL=0x0",
    "# platform id=0 info=80838f1012800 smi-count=12",
    "# reset-differs way=acpi reset=2 cpu=1 reg=LVTPC first=0x0 now=0x10000",
    "# resets way=acpi state=works made=2 differences=1",
    "# budget tests=6 us=20000 repeats=20 events=0 cpus=2 suite-ms=9",
    "1..6",
    "# begin access.event-select",
    "# bits reg=IA32_PERFEVTSEL0 cpus=0-3 kept=0x7fff dropped=0x0 fault=0x80000",
    "# held access.event-select labels=defined-bit-lost",
    "# took access.event-select us=12",
    "ok 1 access.event-select",
    "# begin freeze.gating",
    "# fail freeze.gating label=disabled-counts cpus=2 got=7 want=0 reg=IA32_PMC5 erratum=SKL90",
    "ok 2 freeze.gating # XFAIL SKL90",
    "# begin pmi.mask-set",
    "# fail pmi.mask-set label=lvtpc-not-masked cpus=0-1 got=0 want=1 reg=LVTPC bit=16 cell=ring:3 spec=\"SDM 3A, "
    "APIC\"",
    "# measure pmi.mask-set name=skid cpus=0-1 unit=events n=65 min=1 median=2.5 p99=4 max=4 hist=1:10,2:50,4:5",
    "not ok 3 pmi.mask-set",
    "ok 4 gp.exact # SKIP no version 2",
    "not ok 5 lbr.order # ERROR no clean repeat",
    "# lockstep walks=12 differences=1",
    "not ok 6 lockstep # REVIEW differs",
    "# erratum SKL91 core-type=0 area=counting state=not-provoked because=condition",
    "# erratum SKL179 core-type=0 area=inuse state=seen seen=2 asked=8 per-million=250000 test=inuse.pmi",
    "# good-for rr answer=no words=\"replaying programs\" because=\"gp.branches failed\"",
    "# microcode cpus=0-3 before=000000f0 after=000000f4 state=loaded",
    "# changed test=pmi.mask-set label=lvtpc-not-masked before=fail after=pass",
    "# outcomes tests=5 ids=00000000 list=pksef",
    "# took run us=2000",
    "# advice handoff.lvtpc \"do this\" cpus=0-1",
    "# took boot us=3000000",
};
#define GOOD (sizeof(good_lines) / sizeof(good_lines[0]))
#define LINES_MOST 120
#define LINE_SIZE 300

/* ---- The input: a stream of numbers; zeros at its end */

static const uint8_t *at, *end;

static unsigned take(unsigned below)
{
    return at < end ? *at++ % below : 0;
}

/* ---- Edits */

static char lines[LINES_MOST][LINE_SIZE];
static unsigned count;

static void insert(unsigned where, const char *line)
{
    if (count == LINES_MOST)
        return;
    memmove(lines[where + 1], lines[where], (count - where) * sizeof(lines[0]));
    snprintf(lines[where], LINE_SIZE, "%s", line);
    count++;
}

static void take_text(char *text, unsigned most)
{
    unsigned length = take(most);
    for (unsigned i = 0; i < length; i++)
        text[i] = (char)(' ' + take(95));
    text[length] = 0;
}

/* Replaces the value behind the n-th "=" of a line. */
static void replace_value(char *line, unsigned n, const char *value)
{
    char *from = strchr(line, '='), rest[LINE_SIZE];
    while (from && n-- > 0 && strchr(from + 1, '='))
        from = strchr(from + 1, '=');
    if (!from)
        return;
    snprintf(rest, sizeof(rest), "%s", from + 1 + strcspn(from + 1, " "));
    snprintf(from + 1, LINE_SIZE - (size_t)(from + 1 - line), "%s%s", value, rest);
}

static void edit(void)
{
    static const char *const words[] = {
        "0",         "-1",   "4294967296",           "1:1,2:",  "\"", "\\",  "0-999999", "reference:x",
        "virtual:K", "none", "99999999999999999999", "p9999s1", ",,", "1x1", ""};
    unsigned where = take(count), other = take(count);
    char text[64];
    switch (take(8)) {
    case 0:
        memmove(lines[where], lines[where + 1], (count - where - 1) * sizeof(lines[0]));
        count -= count > 1;
        break;
    case 1:
        snprintf(text, sizeof(text), "%s", lines[where]);
        insert(other, lines[where]);
        break;
    case 2:
        memcpy(text, lines[where], sizeof(text) - 1);
        snprintf(lines[where], LINE_SIZE, "%s", lines[other]);
        break;
    case 3:
        replace_value(lines[where], take(12), words[take(sizeof(words) / sizeof(words[0]))]);
        break;
    case 4:
        take_text(text, 40);
        replace_value(lines[where], take(12), text);
        break;
    case 5:
        take_text(text, 60);
        insert(where, text);
        break;
    case 6:
        lines[where][take(60) % (strlen(lines[where]) + 1)] = 0;
        break;
    default:
        insert(where, take(2) ? "  KTAP version 1" : "  1..2");
    }
}

static void make_log(bool again)
{
    static const char *const verdicts[] = {"pass", "fail", "review", "error", "untested", "x"};
    const char *verdict = verdicts[take(6)];
    char text[160];
    if (!again)
        made_clear();
    made.crc = made.block = made.syncs = 0;
    for (unsigned i = 0; i < count; i++) {
        made_line(lines[i]);
        if (i % 16 == 15)
            made_sync();
    }
    snprintf(text, sizeof(text), "verdict=%s pass=%u fail=%u known=1 review=%u skip=%u error=%u", verdict, 1 + take(2),
             1 + take(2), take(3), 1 + take(2), take(3));
    made_end(text);
}

/* ---- What a capture does */

static char captured[4 * sizeof(made.text)];
static size_t captured_size;

static void put(char c)
{
    if (captured_size < sizeof(captured))
        captured[captured_size++] = c;
}

static void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

/* Each lets through all bytes of the log, in order. */
static void capture(void)
{
    static const char *const between[] = {"", "\033[0m", "\033]0;x\007", "\033[K", "\023\021", "\007"};
    unsigned stamp = take(6), ends = take(4), inside = take(6), wide = take(3), seen = 0, column = 0;
    char prefix[32];
    captured_size = 0;
    for (const char *c = made.text; *c; c++) {
        if (*c == '\r')
            continue;
        if (column == 0 && stamp && *c != '\n') {
            snprintf(prefix, sizeof(prefix),
                     stamp == 1   ? "[%u.0] "
                     : stamp == 2 ? "lab%u: "
                     : stamp == 3 ? "> "
                     : stamp == 4 ? "%-5u"
                                  : "%u\t",
                     seen);
            put_text(prefix);
        }
        column = *c == '\n' ? 0 : column + 1;
        if (*c == '\n') {
            seen++;
            put_text(ends == 0 ? "\n" : ends == 1 ? "\r\n" : ends == 2 ? "\n\r" : "\r");
        } else {
            put(*c);
            if (column % 7 == 3)
                put_text(between[inside]);
            if (wide && column % 80 == 0 && c[1] != '\r')
                put_text("\n");
        }
    }
}

/* And this loses some. */
static void lose(void)
{
    for (unsigned i = take(4); i > 0 && captured_size > 2; i--) {
        size_t where = (take(256) * 256 + take(256)) % captured_size, length = take(200);
        length = length > captured_size - where ? captured_size - where : length;
        memmove(captured + where, captured + where + length, captured_size - where - length);
        captured_size -= length;
    }
}

/* ---- The commands */

static FILE *nowhere;
static struct log_file good;

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void report(const struct log_file *file)
{
    for (const struct report_format *format = report_formats; format->name; format++) {
        struct report out;
        require(report_begin(format, &out, nowhere));
        report_add(format, &out, file);
        report_end(format, &out);
    }
}

static void compare(const struct log_file *file)
{
    static struct sheet sheet;
    const struct compare_options options = {.all = true};
    sheet_begin(&sheet, 3);
    sheet_add(&sheet, &good);
    sheet_add(&sheet, file);
    sheet_add(&sheet, file);
    sheet_finish(&sheet);
    compare_text(nowhere, &sheet, &options);
    compare_html(nowhere, &sheet, &options);
    sheet_free(&sheet);
}

static void export(struct log_file *file)
{
    static const char *const paths[] = {":memory:", NULL, "/dev/null", "/dev/null"};
    for (unsigned i = 0; export_forms[i].name; i++) {
        struct exporter exporter = {.form = &export_forms[i], .command = &command_export, .origin = "fuzz"};
        if (!paths[i])
            continue; /* CSV needs files: JSON lines write the same rows */
        require(exporter.form->open(&exporter, paths[i]));
        export_log(&exporter, file);
        require(exporter.form->close(&exporter) && exporter.logs == 1);
    }
}

static void share(struct arena *arena, const struct log_boot *boot)
{
    struct share_left left;
    struct log_file again;
    char *text = NULL;
    size_t size;
    if (share_refusal(boot))
        return;
    FILE *out = open_memstream(&text, &size);
    share_write(out, arena, boot, false, &left);
    fclose(out);
    log_read(&again, "shared", text, size);
    require(again.boots.count == 1 && log_boot_status(&again.boots.item[0]) == log_boot_status(boot));
    log_free(&again);
    free(text);
}

/* One line, of the closed set of characters. */
static void adopt(const struct facts *facts)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    evidence_refusal(facts, false);
    evidence_write(out, facts, "lab-7", true);
    fclose(out);
    unsigned quotes = 0;
    for (const char *c = text; *c; c++) {
        require(*c == '\n' ? c == text + size - 1 : *c >= ' ' && *c <= '~' && !strchr("\\'`$<>{}*#&|!", *c));
        quotes += *c == '"';
    }
    require(quotes == 2);
    free(text);
}

static void keep(struct arena *arena, const struct facts *facts)
{
    static const struct baseline_note note = {"made.log", "somebody", "good", "2026-01-01"};
    struct baseline_findings findings = {0};
    json_object *baseline = baseline_new(facts);
    baseline_name(arena, facts);
    baseline_accept(baseline, facts, &note);
    baseline_judge(arena, baseline, facts, &findings);
    require(!baseline_refusal(baseline) && !findings.count[BASELINE_WORSE]);
    json_object_put(baseline);
}

static void judge(const struct log_file *file)
{
    json_object *boots = json_object_new_array();
    rejudge(nowhere, boots, file);
    json_object_put(boots);
}

static void take_runs(const struct log_file *file)
{
    struct arena arena = {0};
    for (unsigned b = 0; b < file->boots.count; b++) {
        const struct log_boot *boot = &file->boots.item[b];
        share(&arena, boot);
        for (unsigned i = 0; i < boot->runs.count; i++) {
            struct facts facts;
            if (!log_run_of_tests(&boot->runs.item[i]))
                continue;
            facts_read(&arena, boot, &boot->runs.item[i], &facts);
            adopt(&facts);
            if (!boot->problems.count) /* no log with problems is accepted */
                keep(&arena, &facts);
            if (!profile_refusal(&facts))
                profile_make(nowhere, &facts, "fuzz", "fuzz");
        }
    }
    arena_free(&arena);
}

/* One of the commands at a time: all of them are slow. */
static void use(struct log_file *file, unsigned command)
{
    report_problems(nowhere, file);
    if (command == 0)
        take_runs(file);
    else if (command == 1)
        report(file);
    else if (command == 2)
        compare(file);
    else
        export(file);
    judge(file);
}

static void begin(void)
{
    nowhere = fopen("/dev/null", "w");
    count = GOOD;
    for (unsigned i = 0; i < GOOD; i++)
        snprintf(lines[i], LINE_SIZE, "%s", good_lines[i]);
    at = end = NULL;
    make_log(false);
    log_read(&good, "good", made.text, strlen(made.text));
    require(good.boots.count == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct log_file plain, file;
    if (!nowhere)
        begin();
    at = data;
    end = data + size;
    count = GOOD;
    for (unsigned i = 0; i < GOOD; i++)
        snprintf(lines[i], LINE_SIZE, "%s", good_lines[i]);
    for (unsigned edits = take(12); edits > 0; edits--)
        edit();
    make_log(false);
    if (take(4) == 3)
        make_log(true);
    log_read(&plain, "fuzz", made.text, strlen(made.text));
    capture();
    lose();
    log_read(&file, "fuzz", captured, captured_size);
    collect_kind(captured, captured_size);
    require(log_status(&file) != STATUS_PASS || log_status(&plain) == STATUS_PASS);
    use(&file, take(4));
    log_free(&plain);
    log_free(&file);
    return 0;
}
