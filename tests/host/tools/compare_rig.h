/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs of machines that differ in what a test says, and the comparison of them. */
#pragma once

#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/compare/compare.h"

#define MOST 500

struct machine {
    const char *name, *pmu, *leaf, *bits, *measure, *handoff, *result;
    const char *code;                                         /* reason code; NULL: an image without codes */
    const char *budget, *fail, *chosen, *signature, *erratum; /* NULL: the default, or no such line */
    const char *microcode, *bios, *second, *resets, *use;     /* second: another erratum */
    const char *date;                                         /* NULL: the log has none */
    bool cut;                                                 /* before its second test */
    const char *perfcap;                                      /* NULL: a usual one */
};
static const struct machine plain = {
    .pmu = "hardware",
    .leaf = "eax=07300404 ebx=00000000 ecx=00000000 edx=00000603",
    .bits = "kept=0xfff7ffff fault=0xffffffff00080000",
    .measure = "min=1 median=2 p99=4 max=4 hist=1:10,2:50,4:5",
    .handoff = "found=0x3",
    .result = "ok 2 b.other",
};

static struct log_file files[MOST];
static struct sheet sheet;
static unsigned count;

/* The END line for the second result. */
static inline const char *end_of(const char *result)
{
    if (strstr(result, "REVIEW"))
        return "verdict=review pass=1 review=1";
    if (strstr(result, "ERROR"))
        return "verdict=error pass=1 error=1";
    if (strstr(result, "SKIP"))
        return "verdict=pass pass=1 skip=1";
    if (strstr(result, "XFAIL"))
        return "verdict=pass pass=1 known=1";
    return strncmp(result, "not ", 4) == 0 ? "verdict=fail pass=1 fail=1" : "verdict=pass pass=2";
}

/* The log that was made last. */
static inline void add_made(const char *path)
{
    log_read(&files[count++], path, made.text, strlen(made.text));
}

static inline void add(struct machine m)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    made_print("# machine vendor=GenuineIntel signature=%s hypervisor=none cpus=4 bios=%s name=%s",
               m.signature ? m.signature : "000506e3", m.bios ? m.bios : "F1", m.name);
    made_print("# cpu cpus=0-3 signature=000506e3 microcode=%s core-type=0 threads-per-core=2 misc-enable=850089",
               m.microcode ? m.microcode : "000000f0");
    if (m.date) {
        made_print("# date rtc=%s", m.date);
    }
    made_line("# cpuid core-type=0 leaf=00000000 sub=0 eax=0000000d ebx=756e6547 ecx=6c65746e edx=49656e69");
    made_line("# cpuid core-type=0 leaf=00000080 sub=0 eax=1 ebx=1 ecx=1 edx=1"); /* above the highest */
    made_print("# cpuid core-type=0 leaf=0000000a sub=0 %s", m.leaf);
    if (m.resets)
        made_line(m.resets);
    made_print("# run pmu=%s", m.pmu);
    made_print("# core-type id=0 cpus=0-3 kind=core signature=%s version=4 gp=4x48 fixed=3x48 perfcap=%s",
               m.signature ? m.signature : "000506e3", m.perfcap ? m.perfcap : "000033c5");
    if (m.budget)
        made_line(m.budget);
    made_lines("1..2", "# begin a.test");
    if (m.chosen)
        made_line(m.chosen);
    made_print("# bits reg=IA32_PERFEVTSEL0..IA32_PERFEVTSEL1 cpus=0-3 %s", m.bits);
    made_print("# measure a.test name=skid cpus=0-3 unit=events n=65 %s", m.measure);
    made_print("# handoff reg=IA32_PERF_GLOBAL_CTRL cpus=0-3 %s", m.handoff);
    made_line("ok 1 a.test");
    if (m.cut) {
        add_made("cut.log");
        return;
    }
    if (m.fail)
        made_line(m.fail);
    if (m.code) {
        made_print("# reason b.other code=%s", m.code);
    }
    made_line(m.result);
    if (m.erratum)
        made_line(m.erratum);
    if (m.second)
        made_line(m.second);
    if (m.use)
        made_line(m.use);
    made_end(end_of(m.result));
    add_made("made.log");
}

/* A log of these lines. */
#define add_log(path, end, ...) (made_log(end, __VA_ARGS__), add_made(path))

/* The log from photos of the first machine's screen. */
static inline void add_scanned(const char *result)
{
    add_log("scanned.log", end_of(result), "# pmucheck version=0.1.0 commit=1a2b3c4 log=1", "# scan codes=1",
            "# machine vendor=GenuineIntel brand=Xeon signature=000506e3 hypervisor=none cpus=4 name=scanned",
            "# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2 misc-enable=850089",
            "# run pmu=hardware",
            "# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4 gp=4x48 fixed=3x48 perfcap=000033c5",
            "1..2", "ok 1 a.test", result);
}

static inline void forget(void)
{
    for (unsigned i = 0; i < count; i++)
        log_free(&files[i]);
    count = 0;
}

typedef void writer(FILE *out, struct sheet *sheet, const struct compare_options *options);

static inline const char *compared_with(const struct compare_options *options, writer *write)
{
    FILE *out = text_new();
    sheet_begin(&sheet, count);
    for (unsigned i = 0; i < count; i++)
        sheet_add(&sheet, &files[i]);
    sheet_finish(&sheet);
    write(out, &sheet, options);
    sheet_free(&sheet);
    fclose(out);
    return text;
}

static inline const char *compared(const char *chapter, writer *write)
{
    return compared_with(&(struct compare_options){.chapter = chapter}, write);
}

/* The first machine of a comparison, and each further one. The name is valid until the next one is numbered. */
static inline struct machine named(const char *name)
{
    struct machine m = plain;
    m.name = name;
    return m;
}

__attribute__((format(printf, 1, 2))) static inline struct machine numbered(const char *format, ...)
{
    static char name[16];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    return named(name);
}

/* These two alone, as text. */
static inline void compared_two(struct machine a, struct machine b, const char *chapter)
{
    forget();
    add(a);
    add(b);
    compared(chapter, compare_text);
}
