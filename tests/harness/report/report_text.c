/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/report_text.h"
#include "harness/core/tally.h"
#include "kernel/text/text.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

/* Appends to a line, never beyond REPORT_LINE. */
__attribute__((format(printf, 2, 3))) static void add(char *line, const char *format, ...)
{
    size_t length = strlen(line);
    va_list args;
    va_start(args, format);
    format_args(line + length, REPORT_LINE - length, format, args);
    va_end(args);
}

static void add_quoted(char *line, const char *key, const char *value)
{
    char text[256];
    add(line, " %s=%s", key, format_quoted(text, sizeof(text), value));
}

static const char *directive(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_SKIP:
        return "SKIP";
    case OUTCOME_KNOWN:
        return "XFAIL";
    case OUTCOME_REVIEW:
        return "REVIEW";
    case OUTCOME_ERROR:
        return "ERROR";
    default:
        return NULL;
    }
}

const char *report_result(char *line, u32 number, const char *test, const struct folded *folded)
{
    bool ok = folded->outcome == OUTCOME_PASS || folded->outcome == OUTCOME_SKIP || folded->outcome == OUTCOME_KNOWN;
    const char *word = directive(folded->outcome);
    line[0] = 0;
    add(line, "%sok %u %s", ok ? "" : "not ", number, test);
    if (word)
        add(line, " # %s %s", word, folded->reason);
    return line;
}

static void add_value(char *line, const char *key, u64 value, bool wide)
{
    if (wide)
        add(line, " %s=0x%lx", key, value);
    else
        add(line, " %s=%lu", key, value);
}

static void add_fault(char *line, const char *key, u64 fault)
{
    char text[FAULT_TEXT_SIZE];
    add(line, " %s=%s", key, fault_text((fault_t)fault, text));
}

static void add_want(char *line, const struct check *check, bool wide)
{
    switch (check->kind) {
    case CHECK_EQUAL:
        add_value(line, "got", check->got, wide);
        add_value(line, "want", check->want, wide);
        break;
    case CHECK_TRUE:
        add_value(line, "got", check->got, wide);
        add_quoted(line, "want", check->words);
        break;
    case CHECK_RANGE:
        add_value(line, "got", check->got, false);
        add(line, " want=%lu..%lu", check->want, check->high);
        break;
    case CHECK_FAULT:
        add_fault(line, "got", check->got);
        add_fault(line, "want", check->want);
        break;
    }
}

/* " also-bits=33-47" */
static void add_others(char *line, u64 others)
{
    struct cpu_set bits = {0}; /* written like a set of CPUs */
    char text[CPU_SET_TEXT];
    for (unsigned bit = 0; bit < 64; bit++)
        if (others >> bit & 1)
            cpu_set_add(&bits, bit);
    if (others)
        add(line, " also-bits=%s", cpu_set_text(&bits, text, sizeof(text)));
}

static void add_register(char *line, const struct pmu_caps *caps, const struct check *check, u64 others)
{
    char name[REGISTER_NAME_SIZE];
    if (check->msr)
        add(line, " reg=%s", register_name(caps, check->msr, name));
    if (check->bit != NO_BIT)
        add(line, " bit=%u", check->bit);
    add_others(line, others);
}

/* How often it failed, if it was checked more than once. */
static void add_frequency(char *line, const struct check *check)
{
    if (check->failed + check->held > 1)
        add(line, " failed=%u/%u", check->failed, check->failed + check->held);
}

static bool is_counter(u32 msr)
{
    return (msr >= MSR_PMC(0) && msr <= MSR_PMC(GP_COUNTERS_MAX - 1)) ||
           (msr >= MSR_A_PMC(0) && msr <= MSR_A_PMC(GP_COUNTERS_MAX - 1)) ||
           (msr >= MSR_FIXED_CTR(0) && msr <= MSR_FIXED_CTR(FIXED_COUNTERS_MAX - 1));
}

/* Registers are shown in hexadecimal, counts in decimal, unless they are huge. */
static bool is_wide(const struct check *check)
{
    bool huge = check->got > 0xffffff || check->want > 0xffffff;
    return check->bit == NO_BIT && (huge || (check->msr && !is_counter(check->msr)));
}

/* The circumstances that an erratum may require, so that the log can be judged again. */
static void add_conditions(char *line, const struct failing *failing)
{
    const char *between = " seen=";
    const struct {
        bool seen;
        const char *word;
    } words[] = {{failing->varied, "differing"},
                 {failing->more && failing->less, "both-ways"},
                 {failing->smi, "smi"},
                 {failing->beside_stop, "beside-stop"}};
    for_each_row (words, row)
        if (row->seen) {
            add(line, "%s%s", between, row->word);
            between = ",";
        }
}

/* The cells in which it failed, if it held in others. */
static void add_cell(char *line, const struct check *check)
{
    char text[CELL_TEXT];
    if (cell_text(text, sizeof(text), &check->failed_in, &check->held_in)[0])
        add(line, " cell=%s", text);
}

const char *report_failure(char *line, const struct pmu_caps *caps, const struct test_declaration *test,
                           const struct folded_failure *failure, u64 others)
{
    const struct check *check = &failure->check;
    char cpus[CPU_SET_TEXT];
    char asks[ASPECT_TEXT];
    line[0] = 0;
    /* On a hypervisor's PMU a difference is only reported, not judged. */
    add(line, "# %s %s label=%s cpus=%s", check->outcome == OUTCOME_PASS ? "differs" : "fail", test->id, check->label,
        cpu_set_text(&failure->cpus, cpus, sizeof(cpus)));
    add_want(line, check, is_wide(check));
    add_register(line, caps, check, others);
    add_frequency(line, check);
    add_cell(line, check);
    if (check->surrounded)
        add(line, " around=only");
    add(line, " asks=%s", aspect_text(check->aspects, asks));
    add_conditions(line, &check->failing);
    if (check->outcome == OUTCOME_KNOWN)
        add(line, " erratum=%s", check->erratum);
    if (check->outcome == OUTCOME_REVIEW)
        add(line, check_intermittent(check) ? " evidence=intermittent" : " evidence=none");
    if (check->grounds)
        add_quoted(line, check->outcome == OUTCOME_FAIL ? "grounds" : "doubt", check->grounds);
    add_quoted(line, "title", test->title);
    add_quoted(line, "spec", test->spec);
    return line;
}

/* ---- The same for people: "expected 0, saw 1 in IA32_PERF_GLOBAL_INUSE[2], 2 of 3 times". */

static void add_words(char *line, const struct check *check, u64 value, bool wide)
{
    char text[FAULT_TEXT_SIZE];
    if (check->kind == CHECK_FAULT)
        add(line, "%s", value == NO_FAULT ? "no fault" : fault_text((fault_t)value, text));
    else
        add(line, wide ? "0x%lx" : "%lu", value);
}

static void add_expected(char *line, const struct check *check, bool wide)
{
    add(line, ": expected ");
    if (check->kind == CHECK_TRUE)
        add(line, "%s", check->words);
    else
        add_words(line, check, check->want, wide);
    if (check->kind == CHECK_RANGE)
        add(line, wide ? " to 0x%lx" : " to %lu", check->high);
}

static void add_seen(char *line, const struct pmu_caps *caps, const struct check *check, bool wide)
{
    char name[REGISTER_NAME_SIZE];
    add(line, ", saw ");
    add_words(line, check, check->got, wide);
    if (check->msr)
        add(line, " in %s", register_name(caps, check->msr, name));
    if (check->bit != NO_BIT)
        add(line, "[%u]", check->bit);
    if (check->failed + check->held > 1)
        add(line, ", %u of %u times", check->failed, check->failed + check->held);
}

const char *report_sentence(char *line, const struct pmu_caps *caps, const struct test_declaration *test,
                            const struct folded_failure *failure)
{
    const struct check *check = &failure->check;
    bool wide = is_wide(check);
    char cpus[CPU_SET_TEXT];
    cpu_set_text(&failure->cpus, cpus, sizeof(cpus));
    line[0] = 0;
    add(line, "%s %s: %s on CPU%s %s", outcome_name(check->outcome), test->id, check->label,
        strchr(cpus, '-') || strchr(cpus, ',') ? "s" : "", cpus);
    add_expected(line, check, wide);
    add_seen(line, caps, check, wide);
    add(line, "; %s", test->spec);
    if (check->grounds && check->outcome == OUTCOME_FAIL)
        add(line, "; %s", check->grounds);
    return line;
}

static bool already_logged(const struct folded *folded, unsigned at, const char *label)
{
    for (unsigned i = 0; i < at; i++)
        if (folded->failure[i].check.outcome >= OUTCOME_REVIEW && !strcmp(folded->failure[i].check.label, label))
            return true;
    return false;
}

const char *report_also(char *line, const struct test_declaration *test, const struct folded *folded,
                        const struct folded_failure *but, unsigned *at, size_t most)
{
    const char *before = "";
    line[0] = 0;
    add(line, "%s %s, also: ", outcome_name(folded->outcome), test->id);
    for (; *at < folded->failures; (*at)++) {
        const struct check *check = &folded->failure[*at].check;
        if (check->outcome < OUTCOME_REVIEW || !strcmp(check->label, but->check.label) ||
            already_logged(folded, *at, check->label))
            continue;
        if (before[0] && strlen(line) + 2 + strlen(check->label) > most)
            break;
        add(line, "%s%s", before, check->label);
        before = ", ";
    }
    return before[0] ? line : NULL;
}

const char *report_measure(char *line, const char *test, const struct folded_measure *measure)
{
    const struct histogram *h = &measure->histogram;
    char cpus[CPU_SET_TEXT], buckets[256];
    line[0] = 0;
    add(line, "# measure %s name=%s cpus=%s unit=%s n=%lu min=%lu median=%lu p99=%lu max=%lu hist=%s", test,
        measure->name, cpu_set_text(&measure->cpus, cpus, sizeof(cpus)), measure->unit, h->n, h->min,
        histogram_quantile(h, 500), histogram_quantile(h, 990), h->max,
        histogram_text(h, 24, buckets, sizeof(buckets)));
    return line;
}

const char *report_note(char *line, const struct folded_note *note)
{
    const struct note *n = &note->note;
    char cpus[CPU_SET_TEXT];
    line[0] = 0;
    add(line, "# %s %s", n->kind, n->subject);
    if (!n->machine)
        add(line, " cpus=%s", cpu_set_text(&note->cpus, cpus, sizeof(cpus)));
    if (n->text[0])
        add(line, " %s", n->text);
    if (n->rest[0])
        add(line, " %s", n->rest);
    return line;
}

const char *report_advice_line(char *line, const struct advice *advice, u32 times)
{
    static char text[2 * REPORT_LINE / 3];
    line[0] = 0;
    add(line, "# advice %s %s times=%u", advice->label, format_quoted(text, sizeof(text), advice_text(advice)), times);
    return line;
}

static void add_code(char *line, enum reason code)
{
    if (code)
        add(line, " code=%s", reasons[code].name);
}

const char *report_untested_line(char *line, const struct totals *totals)
{
    enum reason code;
    const char *reason = untested_reason(totals, &code);
    line[0] = 0;
    add(line, "# untested");
    add_code(line, code);
    add_quoted(line, "reason", reason);
    return line;
}

const char *report_code_line(char *line, const char *test, const struct folded *folded)
{
    if (!folded->code)
        return NULL;
    line[0] = 0;
    add(line, "# reason %s", test);
    add_code(line, folded->code);
    return line;
}

const char *report_part(char *line, const char *test, const struct folded_reason *part)
{
    char cpus[CPU_SET_TEXT];
    line[0] = 0;
    add(line, "# %s %s cpus=%s", part->outcome == OUTCOME_SKIP ? "skipped" : "error", test,
        cpu_set_text(&part->cpus, cpus, sizeof(cpus)));
    add_code(line, part->code);
    add_quoted(line, "reason", part->reason);
    return line;
}

const char *report_held(char *line, const char *test, const struct folded *folded)
{
    bool any = false;
    line[0] = 0;
    add(line, "# held %s labels=", test);
    for (unsigned i = 0; i < folded->labels; i++)
        if (fold_held(folded, &folded->label[i])) {
            add(line, "%s%s", any ? "," : "", folded->label[i].label);
            any = true;
        }
    return any ? line : NULL;
}

static bool counted(enum erratum_state state)
{
    return state == ERRATUM_SEEN || state == ERRATUM_NOT_FIXED;
}

static bool was_tried(enum erratum_state state)
{
    return state == ERRATUM_NOT_SEEN || state == ERRATUM_FIXED;
}

static bool reasoned(enum erratum_state state)
{
    return state == ERRATUM_NOT_PROVOKED || state == ERRATUM_NOT_JUDGED;
}

const char *report_erratum(char *line, u32 core_type, const struct erratum_entry *entry)
{
    const struct erratum_tally *tally = &entry->tally;
    line[0] = 0;
    add(line, "# erratum %s core-type=%u area=%s state=%s", entry->number, core_type, entry->area,
        erratum_state_name(entry->state));
    if (reasoned(entry->state))
        add(line, " because=%s", errata_why_name(entry->why));
    else if (counted(entry->state))
        add(line, " seen=%lu asked=%lu per-million=%lu test=%s", tally->seen, tally->asked,
            rate_per_million(tally->seen, tally->asked), tally->test);
    else if (was_tried(entry->state))
        add(line, " asked=%lu excluded-per-million=%lu", tally->asked, rate_excluded(tally->asked));
    return line;
}

const char *report_purpose(char *line, const struct purpose *purpose, const struct purpose_finding *finding)
{
    char because[120] = "";
    size_t used = 0;
    line[0] = 0;
    add(line, "# good-for %s answer=%s", purpose->what, purpose_answer_name(finding->answer));
    add_quoted(line, "words", purpose->words);
    if (finding->way)
        used = (size_t)format_text(because, sizeof(because), "%s", finding->way);
    if (finding->test)
        format_text(because + used, sizeof(because) - used, "%s%s %s", used ? ": " : "", finding->test,
                    purpose_because(finding->outcome));
    if (because[0])
        add_quoted(line, "because", because);
    return line;
}

const char *report_purpose_fact(char *line, const struct purpose_measures *measures, unsigned fact)
{
    line[0] = 0;
    add(line, "# good-for-fact %s value=%lu unit=%s", purpose_facts[fact].what, (unsigned long)measures->greatest[fact],
        measures->unit[fact]);
    add_quoted(line, "words", purpose_facts[fact].words);
    return line;
}

const char *report_test(char *line, const struct test_declaration *test)
{
    line[0] = 0;
    add(line, "# test %s", test->id);
    add_quoted(line, "title", test->title);
    add_quoted(line, "spec", test->spec);
    if (test->covers)
        add_quoted(line, "covers", test->covers);
    if (test->unproven)
        add_quoted(line, "unproven", test->unproven);
    return line;
}

const char *report_totals(char *line, const struct totals *totals)
{
    const u32 *n = totals->count;
    line[0] = 0;
    add(line, "verdict=%s pass=%u fail=%u known=%u review=%u skip=%u error=%u", verdict_name(verdict_of(totals)),
        n[OUTCOME_PASS], n[OUTCOME_FAIL], n[OUTCOME_KNOWN], n[OUTCOME_REVIEW], n[OUTCOME_SKIP], n[OUTCOME_ERROR]);
    if (totals->differences)
        add(line, " differences=%u", totals->differences);
    return line;
}
