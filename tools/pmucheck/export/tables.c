/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables. Names are permanent, because other people's queries use them. New columns are added at the end, and older
 * tables get them.
 */
#include "tools/pmucheck/export/export.h"
#include <string.h>

/* Texts, integers and real numbers; the last three are fields of the log's line that the row is about. */
#define T(name, meaning)                 \
    {                                    \
        name, EXPORT_TEXT, meaning, NULL \
    }
#define I(name, meaning)                    \
    {                                       \
        name, EXPORT_INTEGER, meaning, NULL \
    }
#define T_OF(name, field, meaning)        \
    {                                     \
        name, EXPORT_TEXT, meaning, field \
    }
#define I_OF(name, field, meaning)           \
    {                                        \
        name, EXPORT_INTEGER, meaning, field \
    }
#define R_OF(name, field, meaning)        \
    {                                     \
        name, EXPORT_REAL, meaning, field \
    }

const struct export_table export_tables[EXPORT_TABLES] = {
    {"logs",
     "a row for each file",
     {T("log", "hash of the file's bytes, independent of its name"), T("file", "its path"),
      T("captured", "time of the last write, UTC, as 2026-01-31T12:00:00"), I("boots", "starts of the image in it"),
      I("complete", "1: the log has no problems"), I("status", "exit status of pmucheck report for it"),
      T("problem", "its first problem")}},
    {"machines",
     "a row for each start of the image: the machine",
     {T("log", "of logs"),
      I("boot", "from 0"),
      T("machine", "name from the option machine=, else the file's"),
      T_OF("brand", "brand", "of the machine's CPU; under a hypervisor of the virtual CPU"),
      T_OF("signature", "signature", "CPUID.1:EAX, hexadecimal"),
      T_OF("hypervisor", "hypervisor", "none, or its name"),
      T_OF("firmware", "firmware", "bios or uefi"),
      T_OF("board", "board", ""),
      T_OF("bios", "bios", "its version"),
      I_OF("cpus", "cpus", "number of CPUs"),
      I_OF("memory_kib", "memory-kib", ""),
      I("tsc_khz", "none: no clock was found"),
      T("version", "of the image"),
      T("commit_id", "of the image"),
      T("code", "the result code"),
      T("verdict", "of the END line; empty without one"),
      I("seconds", "since power-on, at the last heartbeat"),
      T("started", "by the machine's own clock, right or wrong, as 2026-01-31T12:00:00"),
      T("options", "options of the run"),
      I("us", "microseconds from the image's start to its end"),
      T("ended_by_reset", "the way of the warm reset by which the image itself ended this start; none: no series")}},
    {"runs",
     "a row for each PMU that was tested, with the identity of its own CPUs",
     {T("run", "key: log, boot and number"),
      T("log", "of logs"),
      I("boot", ""),
      T("machine", "of machines"),
      T("pmu", "hardware, virtual:NAME or reference:PROFILE"),
      T("brand", "of the PMU's CPU"),
      T("signature", ""),
      T("microcode", "revision, hexadecimal"),
      T("core_kinds", "core, atom, or both with a comma"),
      I("threads_per_core", "of a core; by CPUID alone if firmware lists no CPUs"),
      T("conditions", "quick, time and repeats a test, CPUs"),
      T("verdict", "verdict of the results"),
      I("pass", "results"),
      I("fail", ""),
      I("known", "excused by an erratum"),
      I("review", ""),
      I("skip", ""),
      I("error", ""),
      I("lost", ""),
      I("us", "microseconds that all tests took"),
      T("microcode_half", "before or after an update of microcode; none: there was none")}},
    {"cpus",
     "a row for each kind of core in a run",
     {T("run", "of runs"), T("kind", "core or atom"), T("cpus", "list, 0-3,8"), T_OF("signature", "signature", ""),
      T("microcode", ""), I_OF("version", "version", "of architectural performance monitoring"),
      T_OF("gp", "gp", "counters x width, 4x48"), T_OF("fixed", "fixed", ""),
      T_OF("perfcap", "perfcap", "IA32_PERF_CAPABILITIES"), I("threads_per_core", ""),
      T("misc_enable", "IA32_MISC_ENABLE")}},
    {"results",
     "a row for each test in a run",
     {T("run", "of runs"), I("number", ""), T("test", "its id"), T("chapter", "the id's part before the first dot"),
      T("outcome", "pass, fail, known, review, skip, error or lost"), T("reason", "reason if the test did not pass"),
      T("severity", "severity of a failure: critical, high, medium or low"),
      T("trust", "checked, unchecked (without a check sum) or damaged"), I("line", "in the file"),
      I("us", "microseconds that the test took")}},
    {"checks",
     "a row for each check that failed, or that differs on a virtual PMU",
     {T("run", "of runs"), T("test", ""), T_OF("label", "label", "of the check"), T("kind", "fail or differs"),
      T_OF("cpus", "cpus", ""), T_OF("got", "got", ""), T_OF("want", "want", ""), T_OF("register", "reg", ""),
      I_OF("bit", "bit", ""), T_OF("failed", "failed", "how often, 12/20"), T("severity", ""),
      T_OF("erratum", "erratum", "the erratum that excuses it"), T_OF("title", "title", "the hardware's promise"),
      T_OF("spec", "spec", "where")}},
    {"measures",
     "a row for each measurement",
     {T("run", "of runs"), T("test", ""), T_OF("name", "name", ""), T_OF("unit", "unit", ""), T_OF("cpus", "cpus", ""),
      I_OF("n", "n", "samples"), R_OF("min", "min", ""), R_OF("median", "median", ""),
      R_OF("p99", "p99", "99th percentile"), R_OF("max", "max", ""),
      I("chosen", "1: a length that the program chooses, no property of the machine")}},
    {"registers",
     "a row for each value that was found, and for each effect of a write on a register's bits",
     {T("run", "of runs"), T("register", ""), T("cpus", ""),
      T("what", "found, means, kept, dropped, fault, untried, unstable"), T("value", "hexadecimal, except of means")}},
    {"errata",
     "a row for each published erratum of a run's CPUs, by kind of core",
     {T("run", "of runs"), T("erratum", "its number in the sheet of this CPU"),
      I_OF("core_type", "core-type", "first CPU of that kind"), T_OF("area", "area", "of the PMU"),
      T_OF("state", "state", "seen, not-seen, fixed, not-fixed, not-here, not-judged or not-provoked, as in the log"),
      T_OF("because", "because", "of the last two"), I_OF("seen", "seen", "how often"),
      I_OF("asked", "asked", "repeats that would have shown it"),
      I_OF("per_million", "per-million", "failures per million repeats"),
      I_OF("excluded_per_million", "excluded-per-million", "rate that the absence of failures excludes, 95 %"),
      T_OF("test", "test", "the test that saw it first"), T("what", "is wrong")}},
    {"uses",
     "a row for each use for which a run judged the PMU",
     {T("run", "of runs"), T("use", "its name, such as rr"), T("words", "the use in words"),
      T("answer", "yes, with-care, absent or no"), T("because", "the test that decided, and how it came out")}},
    {"resets",
     "a row for each way of a warm reset that a series tried, or for the series if none was made",
     {T("log", "of logs"), I("boot", "the start after the series"), T("machine", "of machines"),
      T_OF("way", "way", "acpi, keyboard or chipset; none: no series was made"),
      T_OF("state", "state", "works, ignored or absent; without a series cold or refused"),
      I_OF("made", "made", "resets"), I_OF("differences", "differences", "registers that differed after them"),
      T_OF("reason", "reason", "why no series was made")}},
    {"reset_differences",
     "a row for each register that a start found otherwise than the first one of its series",
     {T("log", "of logs"), I("boot", "as in resets"), T("machine", "of machines"), T_OF("way", "way", ""),
      I_OF("reset", "reset", "the number of that way's reset"), I_OF("cpu", "cpu", ""), T_OF("register", "reg", ""),
      T_OF("first", "first", "hexadecimal"), T_OF("now", "now", "hexadecimal")}},
    {"microcode",
     "a row for each group of CPUs of a run with an update of microcode",
     {T("log", "of logs"), I("boot", ""), T("machine", "of machines"), T("cpus", "list, 0-3,8"),
      T("before", "revision, hexadecimal"), T("after", "none: nothing was written"),
      T("state", "loaded, refused, not-written or unfit"), T("why", "")}},
    {"microcode_changes",
     "a row for each outcome that was another one after an update of microcode",
     {T("log", "of logs"), I("boot", ""), T("machine", "of machines"), T("what", "test, label, erratum or choice"),
      T("name", "of the test, erratum or choice"), T("label", "of the test's check"),
      I_OF("core_type", "core-type", "first CPU of that kind, for an erratum"),
      T("before", "outcome, or state of the erratum"), T("after", "")}},
};

const char *export_value(enum export_name table, const char *const *values, const char *column)
{
    const struct export_column *columns = export_tables[table].column;
    for (unsigned i = 0; columns[i].name; i++)
        if (strcmp(columns[i].name, column) == 0)
            return values[i] ? values[i] : "";
    return "";
}

void export_schema(FILE *out)
{
    static const char *const type[] = {"text", "integer", "real"};
    for (unsigned t = 0; t < EXPORT_TABLES; t++) {
        const struct export_table *table = &export_tables[t];
        fprintf(out, "%s### %s\n\nIt has %s.\n\n| column | type | meaning |\n|---|---|---|\n", t ? "\n" : "",
                table->name, table->meaning);
        for (const struct export_column *c = table->column; c->name; c++)
            fprintf(out, "| `%s` | %s | %s |\n", c->name, type[c->type], c->meaning);
    }
}
