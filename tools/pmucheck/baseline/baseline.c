/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/baseline/baseline.h"
#include "kernel/text/text.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "pmucheck-baseline-2"
#define SCHEMA_OLD "pmucheck-baseline-1" /* without check sum and conditions */

/* From good to bad: a later outcome is worse. A test that no longer runs is worse than one that passed. */
static const enum log_outcome rising[] = {LOG_PASS, LOG_KNOWN, LOG_SKIP, LOG_REVIEW, LOG_FAIL, LOG_ERROR, LOG_LOST};

const char *const baseline_kind_name[BASELINE_KINDS] = {"worse", "fixed", "changed", "outside", "unknown"};

const char *baseline_name(struct arena *arena, const struct facts *facts)
{
    const char *pmu = facts->run->pmu;
    bool hardware = strcmp(pmu, "hardware") == 0;
    char *name = arena_print(arena, "%s-%s-%s%s%s.json", facts->signature[0] ? facts->signature : "unknown",
                             facts->microcode[0] ? facts->microcode : "unknown",
                             facts->threads[0] ? facts->threads : "0", hardware ? "" : "-", hardware ? "" : pmu);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
            *c = '-';
    return name;
}

json_object *baseline_new(const struct facts *facts)
{
    json_object *baseline = json_object_new_object();
    json_add_text(baseline, "schema", SCHEMA);
    json_add_text(baseline, "signature", facts->signature);
    json_add_text(baseline, "microcode", facts->microcode);
    json_add_text(baseline, "threads", facts->threads);
    json_add_text(baseline, "pmu", facts->run->pmu);
    json_add_array(baseline, "accepted");
    json_add_object(baseline, "tests");
    json_add_object(baseline, "measurements");
    return baseline;
}

/* ---- The check sum: over the unformatted text without the sum, so that the file's layout does not matter */

static unsigned sum_of(json_object *baseline)
{
    const char *text = json_written(baseline, false);
    return crc32_update(0, text, strlen(text));
}

void baseline_seal(json_object *baseline)
{
    char text[16];
    json_object_object_del(baseline, "crc32");
    json_add_text(baseline, "schema", SCHEMA);
    snprintf(text, sizeof(text), "%08x", sum_of(baseline));
    json_add_text(baseline, "crc32", text);
}

static bool is_sealed(json_object *baseline)
{
    json_object *told = json_object_get(json_object_object_get(baseline, "crc32"));
    char text[16];
    json_object_object_del(baseline, "crc32");
    snprintf(text, sizeof(text), "%08x", sum_of(baseline));
    bool good = json_text(told) && strcmp(json_text(told), text) == 0;
    json_object_object_add(baseline, "crc32", told);
    return good;
}

const char *baseline_refusal(json_object *baseline)
{
    const char *schema = json_text(json_object_object_get(baseline, "schema"));
    if (!json_object_is_type(baseline, json_type_object))
        return "not a JSON object";
    bool old = schema && strcmp(schema, SCHEMA_OLD) == 0;
    if (!old && (!schema || strcmp(schema, SCHEMA) != 0))
        return "its schema is not " SCHEMA;
    if (!json_object_is_type(json_object_object_get(baseline, "accepted"), json_type_array) ||
        !json_object_is_type(json_object_object_get(baseline, "tests"), json_type_object) ||
        !json_object_is_type(json_object_object_get(baseline, "measurements"), json_type_object))
        return "accepted, tests or measurements are missing";
    if (!old && !is_sealed(baseline))
        return "the check sum is wrong: the file was changed by hand, or merged";
    return NULL;
}

/* ---- Parts */

/* The object's part of that name and type; an empty one if it has none. */
static json_object *child(json_object *object, const char *name, json_type type)
{
    json_object *item = json_object_object_get(object, name);
    if (json_object_is_type(item, type))
        return item;
    return type == json_type_array ? json_add_array(object, name) : json_add_object(object, name);
}

static bool has_string(json_object *array, const char *text)
{
    for (size_t i = 0; i < json_count(array); i++) {
        const char *item = json_text(json_item(array, i));
        if (item && strcmp(item, text) == 0)
            return true;
    }
    return false;
}

static void add_string(json_object *array, const char *text)
{
    if (!has_string(array, text))
        json_object_array_add(array, json_object_new_string(text));
}

static bool is_failure(const struct log_record *r)
{
    return log_is(r, "fail") && log_value(r, "label");
}

/* "pmi.skid cycles [events] (atom)": the last part only with several kinds of core. */
static void measure_name(char *text, size_t size, const struct facts *facts, const struct log_record *r)
{
    const struct facts_core *core = facts->cores.count > 1 ? facts_core_of(facts, log_value(r, "cpus")) : NULL;
    snprintf(text, size, "%s %s [%s]%s%s%s", r->subject, log_value_or(r, "name", "?"), log_value_or(r, "unit", "?"),
             core ? " (" : "", core ? core->kind : "", core ? ")" : "");
}

static bool is_measure(const struct log_record *r)
{
    return log_is(r, "measure") && log_value(r, "min") && log_value(r, "max") && log_value(r, "median");
}

static double value_of(const struct log_record *r, const char *key)
{
    return strtod(log_value(r, key), NULL);
}

/* Is this a length that the program chooses itself, and no property of the machine? */
static bool is_chosen(const struct log_record *r)
{
    return facts_chosen(r->subject, log_value(r, "name"));
}

/* The number of logs behind a range; the first schema did not count them. */
static double logs_of(json_object *range)
{
    return json_count(range) > 2 ? json_value(json_item(range, 2)) : (double)(json_count(range) == 2);
}

/* ---- Accepting */

static void accept_measure(json_object *measures, const struct facts *facts, const struct log_record *r)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    json_object *range = child(measures, name, json_type_array);
    double low = value_of(r, "min"), high = value_of(r, "max"), logs = logs_of(range);
    if (json_count(range) >= 2) {
        low = fmin(low, json_value(json_item(range, 0)));
        high = fmax(high, json_value(json_item(range, 1)));
    }
    json_object_array_del_idx(range, 0, json_count(range));
    json_object_array_add(range, json_number(low));
    json_object_array_add(range, json_number(high));
    json_object_array_add(range, json_number(logs + 1));
}

static void accept_result(json_object *baseline, const struct facts *facts, const struct log_result *result)
{
    json_object *test = child(json_object_object_get(baseline, "tests"), result->id, json_type_object);
    add_string(child(test, "outcomes", json_type_array), log_outcome_name[result->outcome]);
    for_each_record (facts->boot, result, r) {
        if (is_failure(r))
            add_string(child(test, "labels", json_type_array), log_value(r, "label"));
        if (is_measure(r) && !is_chosen(r))
            accept_measure(json_object_object_get(baseline, "measurements"), facts, r);
    }
}

void baseline_accept(json_object *baseline, const struct facts *facts, const struct baseline_note *note)
{
    struct arena arena = {0};
    const char *conditions = facts_conditions(&arena, facts);
    json_object *accepted = json_object_new_object();
    json_add_text(accepted, "log", note->log);
    json_add_text(accepted, "commit", facts->boot->commit);
    json_add_text(accepted, "conditions", conditions);
    json_add_text(accepted, "who", note->who);
    json_add_text(accepted, "why", note->why);
    json_add_text(accepted, "when", note->when);
    json_object_array_add(json_object_object_get(baseline, "accepted"), accepted);
    for_each_item (facts->run->results, result)
        if (result->id[0] && result->outcome != LOG_LOST)
            accept_result(baseline, facts, result);
    arena_free(&arena);
    baseline_seal(baseline);
}

const char *baseline_doubt(const struct facts *facts)
{
    const char *verdict = log_run_verdict(facts->boot, facts->run);
    if (strcmp(verdict, "fail") == 0)
        return "the run fails";
    if (strcmp(verdict, "error") == 0 || strcmp(verdict, "lost") == 0)
        return "a test ended in an error";
    return strcmp(verdict, "review") == 0 ? "the run asks for review" : NULL;
}

/* ---- Judging */

static unsigned badness(enum log_outcome outcome)
{
    unsigned at = 0;
    while (rising[at] != outcome)
        at++;
    return at;
}

/* The best and the worst of all accepted outcomes; below 0 if there is none. */
static void accepted_range(json_object *test, int *best, int *worst)
{
    json_object *outcomes = json_object_object_get(test, "outcomes");
    *best = *worst = -1;
    for (enum log_outcome o = LOG_PASS; o <= LOG_LOST; o++)
        if (has_string(outcomes, log_outcome_name[o])) {
            int bad = (int)badness(o);
            *best = *best < 0 || bad < *best ? bad : *best;
            *worst = bad > *worst ? bad : *worst;
        }
}

__attribute__((format(printf, 5, 6))) static void find(struct arena *arena, struct baseline_findings *found,
                                                       enum baseline_kind kind, const char *subject, const char *format,
                                                       ...)
{
    struct baseline_finding *finding = LIST_ADD(arena, &found->list);
    va_list args;
    va_start(args, format);
    finding->text = arena_vprint(arena, format, args);
    va_end(args);
    finding->kind = kind;
    finding->subject = arena_copy(arena, subject, strlen(subject));
    found->count[kind]++;
}

static void judge_labels(struct arena *arena, json_object *test, const struct facts *facts,
                         const struct log_result *result, struct baseline_findings *found)
{
    json_object *labels = json_object_object_get(test, "labels");
    for_each_record (facts->boot, result, r)
        if (is_failure(r) && !has_string(labels, log_value(r, "label")))
            find(arena, found, BASELINE_WORSE, result->id, "check %s fails, and did not before", log_value(r, "label"));
}

static void judge_result(struct arena *arena, json_object *tests, const struct facts *facts,
                         const struct log_result *result, struct baseline_findings *found)
{
    json_object *test = json_object_object_get(tests, result->id);
    const char *name = log_outcome_name[result->outcome], *reason = result->reason;
    int bad = (int)badness(result->outcome), best, worst;
    if (!test) {
        find(arena, found, BASELINE_UNKNOWN, result->id, "%s; the test is not in the baseline", name);
        return;
    }
    accepted_range(test, &best, &worst);
    const char *usual = worst >= 0 ? log_outcome_name[rising[worst]] : "nothing", *colon = reason[0] ? ": " : "";
    if (bad > worst && bad >= (int)badness(LOG_REVIEW))
        find(arena, found, BASELINE_WORSE, result->id, "%s, was %s%s%s", name, usual, colon, reason);
    else if (bad < best && best >= (int)badness(LOG_REVIEW))
        find(arena, found, BASELINE_FIXED, result->id, "%s, was %s", name, usual);
    else if (bad > worst || bad < best)
        find(arena, found, BASELINE_CHANGED, result->id, "%s, was %s%s%s", name, usual, colon, reason);
    else if (result->outcome == LOG_FAIL || result->outcome == LOG_KNOWN)
        judge_labels(arena, test, facts, result, found);
}

static void judge_measure(struct arena *arena, json_object *measures, const struct facts *facts,
                          const struct log_record *r, struct baseline_findings *found)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    json_object *range = json_object_object_get(measures, name);
    double low = json_value(json_item(range, 0));
    double high = json_value(json_item(range, 1)), median = value_of(r, "median");
    if (!range || logs_of(range) < BASELINE_LOGS || (median >= low && median <= high))
        return;
    find(arena, found, BASELINE_OUTSIDE, name, "median %.0f, accepted %.0f to %.0f", median, low, high);
}

/* Was an accepted log tested under these conditions? The time of a test influences its measurements. */
static bool tested_alike(json_object *baseline, const char *conditions)
{
    json_object *accepted = json_object_object_get(baseline, "accepted");
    for (size_t i = 0; i < json_count(accepted); i++) {
        const char *told = json_text(json_object_object_get(json_item(accepted, i), "conditions"));
        if (!told || strcmp(told, conditions) == 0)
            return true;
    }
    return false;
}

void baseline_judge(struct arena *arena, json_object *baseline, const struct facts *facts,
                    struct baseline_findings *found)
{
    json_object *tests = json_object_object_get(baseline, "tests");
    json_object *measures = json_object_object_get(baseline, "measurements");
    memset(found, 0, sizeof(*found));
    if (json_count(json_object_object_get(baseline, "accepted")) < BASELINE_LOGS)
        found->unjudged = "fewer than three logs were accepted";
    else if (!tested_alike(baseline, facts_conditions(arena, facts)))
        found->unjudged = "the accepted logs were tested longer, shorter or on other CPUs";
    for_each_item (facts->run->results, result) {
        if (result->id[0])
            judge_result(arena, tests, facts, result, found);
        for_each_record (facts->boot, result, r)
            if (is_measure(r) && !is_chosen(r) && !found->unjudged)
                judge_measure(arena, measures, facts, r, found);
    }
}
