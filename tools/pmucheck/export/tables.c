/*
 * Which tables there are. Names are for ever, as queries of others rest on them; columns that come later come last,
 * where older tables get them.
 */
#include "tools/pmucheck/export/export.h"
#include <string.h>

#define T(name, meaning)           \
    {                              \
        name, EXPORT_TEXT, meaning \
    }
#define I(name, meaning)              \
    {                                 \
        name, EXPORT_INTEGER, meaning \
    }
#define R(name, meaning)           \
    {                              \
        name, EXPORT_REAL, meaning \
    }

const struct export_table export_tables[EXPORT_TABLES] = {
    {"logs",
     "a row for each file",
     {T("log", "hash of the file's bytes: the same log is the same whatever it is called"), T("file", "its path"),
      T("captured", "when it was last written, UTC, as 2026-01-31T12:00:00"), I("boots", "starts of the image in it"),
      I("complete", "1: nothing is wrong with it"), I("status", "exit status that pmucheck report gives"),
      T("problem", "the first thing that is wrong with it")}},
    {"machines",
     "a row for each start of the image: what it ran on",
     {T("log", "of logs"),
      I("boot", "from 0"),
      T("machine", "name by the option machine=, else of the file"),
      T("brand", "of the machine's CPU, under a hypervisor that one's"),
      T("signature", "CPUID.1:EAX, hexadecimal"),
      T("hypervisor", "none, or its name"),
      T("firmware", "bios or uefi"),
      T("board", ""),
      T("bios", "its version"),
      I("cpus", "that were found"),
      I("memory_kib", ""),
      I("tsc_khz", "none: no clock was found"),
      T("version", "of the image"),
      T("commit_id", "of the image"),
      T("code", "the result code"),
      T("verdict", "of the END line; empty without one"),
      I("seconds", "since power-on, at the last heartbeat"),
      T("started", "by the machine's own clock, whatever that was set to, as 2026-01-31T12:00:00"),
      T("options", "that were asked for"),
      I("us", "microseconds from the image's start to its end")}},
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
      T("core_kinds", "core, atom, or both by a comma"),
      I("threads_per_core", "as CPUID tells: with hyper-threading turned off by firmware it may still say 2"),
      T("conditions", "quick, time and repeats a test, CPUs"),
      T("verdict", "what the results amount to"),
      I("pass", "results"),
      I("fail", ""),
      I("known", "excused by an erratum"),
      I("review", ""),
      I("skip", ""),
      I("error", ""),
      I("lost", ""),
      I("us", "microseconds that all tests took")}},
    {"cpus",
     "a row for each kind of core in a run",
     {T("run", "of runs"), T("kind", "core or atom"), T("cpus", "list, 0-3,8"), T("signature", ""), T("microcode", ""),
      I("version", "of architectural performance monitoring"), T("gp", "counters x width, 4x48"), T("fixed", ""),
      T("perfcap", "IA32_PERF_CAPABILITIES"), I("threads_per_core", ""), T("misc_enable", "IA32_MISC_ENABLE")}},
    {"results",
     "a row for each test in a run",
     {T("run", "of runs"), I("number", ""), T("test", "its id"), T("chapter", "what stands before the first dot"),
      T("outcome", "pass, fail, known, review, skip, error or lost"), T("reason", "of what did not pass"),
      T("severity", "critical, high, medium or low, of what failed"),
      T("trust", "checked, unchecked (no check sum covers it) or damaged"), I("line", "in the file"),
      I("us", "microseconds that the test took")}},
    {"checks",
     "a row for each check that failed, or differs on a virtual PMU",
     {T("run", "of runs"), T("test", ""), T("label", "of the check"), T("kind", "fail or differs"), T("cpus", ""),
      T("got", ""), T("want", ""), T("register", ""), I("bit", ""), T("failed", "how often, 12/20"), T("severity", ""),
      T("erratum", "that it is known by"), T("title", "what the hardware promises"), T("spec", "where")}},
    {"measures",
     "a row for each measurement",
     {T("run", "of runs"), T("test", ""), T("name", ""), T("unit", ""), T("cpus", ""), I("n", "samples"), R("min", ""),
      R("median", ""), R("p99", "99th percentile"), R("max", ""),
      I("chosen", "1: a length that the program chooses, no property of the machine")}},
    {"registers",
     "a row for each value that was found, and for what a register's bits do with a write",
     {T("run", "of runs"), T("register", ""), T("cpus", ""),
      T("what", "found, means, kept, dropped, fault, untried, unstable"), T("value", "hexadecimal, but of means")}},
    {"errata",
     "a row for each published erratum of a run's CPUs, by kind of core",
     {T("run", "of runs"), T("erratum", "its number in the sheet of this CPU"),
      I("core_type", "first CPU of that kind"), T("area", "of the PMU"),
      T("state", "seen, not-seen, fixed, not-fixed, not-here, not-judged or not-provoked, as in the log"),
      T("because", "of the last two"), I("seen", "how often"), I("asked", "repeats that would have shown it"),
      I("per_million", "failures in a million repeats"), I("excluded_per_million", "rate that silence excludes, 95 %"),
      T("test", "that saw it first"), T("what", "is wrong")}},
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
