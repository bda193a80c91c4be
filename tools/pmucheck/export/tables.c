/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables. Names are permanent, because other people's queries use them. New columns are added at the end, and older
 * tables get them.
 */
#include "tools/pmucheck/export/export.h"

/* Texts, integers and real numbers; the last three are read by their key in the log's line that the row is about. */
#define COLUMN(...) \
    {               \
        __VA_ARGS__ \
    }
#define T(name, field, meaning) COLUMN(name, EXPORT_TEXT, meaning, NULL, row_##field)
#define I(name, field, meaning) COLUMN(name, EXPORT_INTEGER, meaning, NULL, row_##field)
#define T_OF(name, key, meaning) COLUMN(name, EXPORT_TEXT, meaning, key, NULL)
#define I_OF(name, key, meaning) COLUMN(name, EXPORT_INTEGER, meaning, key, NULL)
#define R_OF(name, key, meaning) COLUMN(name, EXPORT_REAL, meaning, key, NULL)

const struct export_table export_tables[EXPORT_TABLES] = {
    {"logs",
     "a row for each file",
     {T("log", log, "hash of the file's bytes, independent of its name"), T("file", path, "its path"),
      T("captured", captured, "time of the last write, UTC, as 2026-01-31T12:00:00"),
      I("boots", starts, "starts of the image in it"), I("complete", whole, "1: the log has no problems"),
      I("status", log_status, "exit status of pmucheck report for it"), T("problem", problem, "its first problem")}},
    {"machines",
     "a row for each start of the image: the machine",
     {T("log", log, "of logs"),
      I("boot", start, "from 0"),
      T("machine", machine, "name from the option machine=, else the file's"),
      T_OF("brand", "brand", "of the machine's CPU; under a hypervisor of the virtual CPU"),
      T_OF("signature", "signature", "CPUID.1:EAX, hexadecimal"),
      T_OF("hypervisor", "hypervisor", "none, or its name"),
      T_OF("firmware", "firmware", "bios or uefi"),
      T_OF("board", "board", ""),
      T_OF("bios", "bios", "its version"),
      I_OF("cpus", "cpus", "number of CPUs"),
      I_OF("memory_kib", "memory-kib", ""),
      I("tsc_khz", tsc_khz, "none: no clock was found"),
      T("version", version, "of the image"),
      T("commit_id", commit, "of the image"),
      T("code", code, "the result code"),
      T("verdict", end_verdict, "of the END line; empty without one"),
      I("seconds", seconds, "since power-on, at the last heartbeat"),
      T("started", date, "by the machine's own clock, right or wrong, as 2026-01-31T12:00:00"),
      T("options", options, "options of the run"),
      I("us", start_us, "microseconds from the image's start to its end"),
      T("ended_by_reset", left_way,
        "the way of the warm reset by which the image itself ended this start; none: no series")}},
    {"runs",
     "a row for each PMU that was tested, with the identity of its own CPUs",
     {T("run", run, "key: log, boot and number"),
      T("log", log, "of logs"),
      I("boot", start, ""),
      T("machine", machine, "of machines"),
      T("pmu", pmu, "hardware, virtual:NAME or reference:PROFILE"),
      T("brand", brand, "of the PMU's CPU"),
      T("signature", signature, ""),
      T("microcode", microcode, "revision, hexadecimal"),
      T("core_kinds", kinds, "core, atom, or both with a comma"),
      I("threads_per_core", threads, "of a core; by CPUID alone if firmware lists no CPUs"),
      T("conditions", conditions, "quick, time and repeats a test, CPUs"),
      T("verdict", verdict, "verdict of the results"),
      I("pass", pass, "results"),
      I("fail", fail, ""),
      I("known", known, "excused by an erratum"),
      I("review", review, ""),
      I("skip", skip, ""),
      I("error", error, ""),
      I("lost", lost, ""),
      I("us", run_us, "microseconds that all tests took"),
      T("microcode_half", half, "before or after an update of microcode; none: there was none")}},
    {"cpus",
     "a row for each kind of core in a run",
     {T("run", run, "of runs"), T("kind", kind, "core or atom"), T("cpus", cpus, "list, 0-3,8"),
      T_OF("signature", "signature", ""), T("microcode", core_microcode, ""),
      I_OF("version", "version", "of architectural performance monitoring"), T_OF("gp", "gp", "counters x width, 4x48"),
      T_OF("fixed", "fixed", ""), T_OF("perfcap", "perfcap", "IA32_PERF_CAPABILITIES"),
      I("threads_per_core", core_threads, ""), T("misc_enable", misc_enable, "IA32_MISC_ENABLE")}},
    {"results",
     "a row for each test in a run",
     {T("run", run, "of runs"), I("number", number, ""), T("test", test, "its id"),
      T("chapter", chapter, "the id's part before the first dot"),
      T("outcome", outcome, "pass, fail, known, review, skip, error or lost"),
      T("reason", reason, "reason if the test did not pass"),
      T("severity", severity, "severity of a failure: critical, high, medium or low"),
      T("trust", trust, "checked, unchecked (without a check sum) or damaged"), I("line", line, "in the file"),
      I("us", us, "microseconds that the test took")}},
    {"checks",
     "a row for each check that failed, or that differs on a virtual PMU",
     {T("run", run, "of runs"), T("test", test, ""), T_OF("label", "label", "of the check"),
      T("kind", line_kind, "fail or differs"), T_OF("cpus", "cpus", ""), T_OF("got", "got", ""),
      T_OF("want", "want", ""), T_OF("register", "reg", ""), I_OF("bit", "bit", ""),
      T_OF("failed", "failed", "how often, 12/20"), T("severity", check_severity, ""),
      T_OF("erratum", "erratum", "the erratum that excuses it"), T_OF("title", "title", "the hardware's promise"),
      T_OF("spec", "spec", "where")}},
    {"measures",
     "a row for each measurement",
     {T("run", run, "of runs"), T("test", test, ""), T_OF("name", "name", ""), T_OF("unit", "unit", ""),
      T_OF("cpus", "cpus", ""), I_OF("n", "n", "samples"), R_OF("min", "min", ""), R_OF("median", "median", ""),
      R_OF("p99", "p99", "99th percentile"), R_OF("max", "max", ""),
      I("chosen", chosen, "1: a length that the program chooses, no property of the machine")}},
    {"registers",
     "a row for each value that was found, and for each effect of a write on a register's bits",
     {T("run", run, "of runs"), T("register", reg, ""), T("cpus", reg_cpus, ""),
      T("what", reg_what, "found, means, kept, dropped, fault, untried, unstable"),
      T("value", reg_value, "hexadecimal, except of means")}},
    {"errata",
     "a row for each published erratum of a run's CPUs, by kind of core",
     {T("run", run, "of runs"), T("erratum", subject, "its number in the sheet of this CPU"),
      I_OF("core_type", "core-type", "first CPU of that kind"), T_OF("area", "area", "of the PMU"),
      T_OF("state", "state", "seen, not-seen, fixed, not-fixed, not-here, not-judged or not-provoked, as in the log"),
      T_OF("because", "because", "of the last two"), I_OF("seen", "seen", "how often"),
      I_OF("asked", "asked", "repeats that would have shown it"),
      I_OF("per_million", "per-million", "failures per million repeats"),
      I_OF("excluded_per_million", "excluded-per-million", "rate that the absence of failures excludes, 95 %"),
      T_OF("test", "test", "the test that saw it first"), T("what", erratum_what, "is wrong")}},
    {"uses",
     "a row for each use for which a run judged the PMU",
     {T("run", run, "of runs"), T("use", subject, "its name, such as rr"), T("words", use_words, "the use in words"),
      T("answer", use_answer, "yes, with-care, absent or no"),
      T("because", use_because, "the test that decided, and how it came out")}},
    {"resets",
     "a row for each way of a warm reset that a series tried, or for the series if none was made",
     {T("log", log, "of logs"), I("boot", start, "the start after the series"), T("machine", machine, "of machines"),
      T_OF("way", "way", "acpi, keyboard or chipset; none: no series was made"),
      T_OF("state", "state", "works, ignored or absent; without a series cold or refused"),
      I_OF("made", "made", "resets"), I_OF("differences", "differences", "registers that differed after them"),
      T_OF("reason", "reason", "why no series was made")}},
    {"reset_differences",
     "a row for each register that a start found otherwise than the first one of its series",
     {T("log", log, "of logs"), I("boot", start, "as in resets"), T("machine", machine, "of machines"),
      T_OF("way", "way", ""), I_OF("reset", "reset", "the number of that way's reset"), I_OF("cpu", "cpu", ""),
      T_OF("register", "reg", ""), T_OF("first", "first", "hexadecimal"), T_OF("now", "now", "hexadecimal")}},
    {"microcode",
     "a row for each group of CPUs of a run with an update of microcode",
     {T("log", log, "of logs"), I("boot", start, ""), T("machine", machine, "of machines"),
      T("cpus", update_cpus, "list, 0-3,8"), T("before", update_before, "revision, hexadecimal"),
      T("after", update_after, "none: nothing was written"),
      T("state", update_state, "loaded, refused, not-written or unfit"), T("why", update_why, "")}},
    {"microcode_changes",
     "a row for each outcome that was another one after an update of microcode",
     {T("log", log, "of logs"), I("boot", start, ""), T("machine", machine, "of machines"),
      T("what", change_what, "test, label, erratum or choice"),
      T("name", change_name, "of the test, erratum or choice"), T("label", change_label, "of the test's check"),
      I_OF("core_type", "core-type", "first CPU of that kind, for an erratum"),
      T("before", change_before, "outcome, or state of the erratum"), T("after", change_after, "")}},
};

const char *export_value(const struct export_column *column, const struct row *row)
{
    return column->key ? log_value(row->line, column->key) : column->value(row);
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
