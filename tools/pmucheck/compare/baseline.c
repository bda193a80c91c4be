/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/baseline.h"
#include "kernel/text/crc32.h"
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

cJSON *baseline_new(const struct facts *facts)
{
    cJSON *baseline = cJSON_CreateObject();
    cJSON_AddStringToObject(baseline, "schema", SCHEMA);
    cJSON_AddStringToObject(baseline, "signature", facts->signature);
    cJSON_AddStringToObject(baseline, "microcode", facts->microcode);
    cJSON_AddStringToObject(baseline, "threads", facts->threads);
    cJSON_AddStringToObject(baseline, "pmu", facts->run->pmu);
    cJSON_AddArrayToObject(baseline, "accepted");
    cJSON_AddObjectToObject(baseline, "tests");
    cJSON_AddObjectToObject(baseline, "measurements");
    return baseline;
}

/* ---- The check sum: over the unformatted text without the sum, so that the file's layout does not matter */

static unsigned sum_of(const cJSON *baseline)
{
    char *text = cJSON_PrintUnformatted(baseline);
    unsigned sum = text ? crc32_update(0, text, strlen(text)) : 0;
    cJSON_free(text);
    return sum;
}

void baseline_seal(cJSON *baseline)
{
    char text[16];
    while (cJSON_GetObjectItemCaseSensitive(baseline, "crc32")) /* a file may have the key twice */
        cJSON_DeleteItemFromObjectCaseSensitive(baseline, "crc32");
    cJSON *schema = cJSON_CreateString(SCHEMA);
    if (!cJSON_ReplaceItemInObjectCaseSensitive(baseline, "schema", schema))
        cJSON_AddItemToObject(baseline, "schema", schema);
    snprintf(text, sizeof(text), "%08x", sum_of(baseline));
    cJSON_AddStringToObject(baseline, "crc32", text);
}

static bool is_sealed(cJSON *baseline)
{
    cJSON *told = cJSON_DetachItemFromObjectCaseSensitive(baseline, "crc32");
    char text[16];
    snprintf(text, sizeof(text), "%08x", sum_of(baseline));
    bool good = cJSON_IsString(told) && strcmp(told->valuestring, text) == 0;
    if (told)
        cJSON_AddItemToObject(baseline, "crc32", told);
    return good;
}

const char *baseline_refusal(cJSON *baseline)
{
    const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(baseline, "schema"));
    if (!cJSON_IsObject(baseline))
        return "not a JSON object";
    bool old = schema && strcmp(schema, SCHEMA_OLD) == 0;
    if (!old && (!schema || strcmp(schema, SCHEMA) != 0))
        return "its schema is not " SCHEMA;
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(baseline, "accepted")) ||
        !cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(baseline, "tests")) ||
        !cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(baseline, "measurements")))
        return "accepted, tests or measurements are missing";
    if (!old && !is_sealed(baseline))
        return "the check sum is wrong: the file was changed by hand, or merged";
    return NULL;
}

/* ---- Parts */

static cJSON *child(cJSON *object, const char *name, cJSON *(*create)(void))
{
    cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        item = create();
        cJSON_AddItemToObject(object, name, item);
    }
    return item;
}

static bool has_string(const cJSON *array, const char *text)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, array) if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0) return true;
    return false;
}

static void add_string(cJSON *array, const char *text)
{
    if (!has_string(array, text))
        cJSON_AddItemToArray(array, cJSON_CreateString(text));
}

static bool is_failure(const struct log_record *r)
{
    return strcmp(r->kind, "fail") == 0 && log_value(r, "label");
}

/* "pmi.skid cycles [events] (atom)": the last part only with several kinds of core. */
static void measure_name(char *text, size_t size, const struct facts *facts, const struct log_record *r)
{
    const char *name = log_value(r, "name"), *unit = log_value(r, "unit");
    const struct facts_core *core = facts->cores.count > 1 ? facts_core_of(facts, log_value(r, "cpus")) : NULL;
    snprintf(text, size, "%s %s [%s]%s%s%s", r->subject, name ? name : "?", unit ? unit : "?", core ? " (" : "",
             core ? core->kind : "", core ? ")" : "");
}

static bool is_measure(const struct log_record *r)
{
    return strcmp(r->kind, "measure") == 0 && log_value(r, "min") && log_value(r, "max") && log_value(r, "median");
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
static double logs_of(const cJSON *range)
{
    return cJSON_GetArraySize(range) > 2 ? cJSON_GetNumberValue(cJSON_GetArrayItem(range, 2))
                                         : (double)(cJSON_GetArraySize(range) == 2);
}

/* ---- Accepting */

static void accept_measure(cJSON *measures, const struct facts *facts, const struct log_record *r)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    cJSON *range = child(measures, name, cJSON_CreateArray);
    double low = value_of(r, "min"), high = value_of(r, "max"), logs = logs_of(range);
    if (cJSON_GetArraySize(range) >= 2) {
        low = fmin(low, cJSON_GetNumberValue(cJSON_GetArrayItem(range, 0)));
        high = fmax(high, cJSON_GetNumberValue(cJSON_GetArrayItem(range, 1)));
    }
    while (cJSON_GetArraySize(range) > 0)
        cJSON_DeleteItemFromArray(range, 0);
    cJSON_AddItemToArray(range, cJSON_CreateNumber(low));
    cJSON_AddItemToArray(range, cJSON_CreateNumber(high));
    cJSON_AddItemToArray(range, cJSON_CreateNumber(logs + 1));
}

static void accept_result(cJSON *baseline, const struct facts *facts, const struct log_result *result)
{
    cJSON *test = child(cJSON_GetObjectItemCaseSensitive(baseline, "tests"), result->id, cJSON_CreateObject);
    add_string(child(test, "outcomes", cJSON_CreateArray), log_outcome_name[result->outcome]);
    for_each_record (facts->boot, result, r) {
        if (is_failure(r))
            add_string(child(test, "labels", cJSON_CreateArray), log_value(r, "label"));
        if (is_measure(r) && !is_chosen(r))
            accept_measure(cJSON_GetObjectItemCaseSensitive(baseline, "measurements"), facts, r);
    }
}

void baseline_accept(cJSON *baseline, const struct facts *facts, const struct baseline_note *note)
{
    struct arena arena = {0};
    const char *conditions = facts_conditions(&arena, facts);
    cJSON *accepted = cJSON_CreateObject();
    cJSON_AddStringToObject(accepted, "log", note->log);
    cJSON_AddStringToObject(accepted, "commit", facts->boot->commit);
    cJSON_AddStringToObject(accepted, "conditions", conditions);
    cJSON_AddStringToObject(accepted, "who", note->who);
    cJSON_AddStringToObject(accepted, "why", note->why);
    cJSON_AddStringToObject(accepted, "when", note->when);
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(baseline, "accepted"), accepted);
    for (unsigned i = 0; i < facts->run->results.count; i++)
        if (facts->run->results.item[i].id[0] && facts->run->results.item[i].outcome != LOG_LOST)
            accept_result(baseline, facts, &facts->run->results.item[i]);
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
static void accepted_range(const cJSON *test, int *best, int *worst)
{
    const cJSON *outcomes = cJSON_GetObjectItemCaseSensitive(test, "outcomes");
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
    finding->subject = subject;
    found->count[kind]++;
}

static void judge_labels(struct arena *arena, const cJSON *test, const struct facts *facts,
                         const struct log_result *result, struct baseline_findings *found)
{
    const cJSON *labels = cJSON_GetObjectItemCaseSensitive(test, "labels");
    for_each_record (facts->boot, result, r)
        if (is_failure(r) && !has_string(labels, log_value(r, "label")))
            find(arena, found, BASELINE_WORSE, result->id, "check %s fails, and did not before", log_value(r, "label"));
}

static void judge_result(struct arena *arena, const cJSON *tests, const struct facts *facts,
                         const struct log_result *result, struct baseline_findings *found)
{
    const cJSON *test = cJSON_GetObjectItemCaseSensitive(tests, result->id);
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

static void judge_measure(struct arena *arena, const cJSON *measures, const struct facts *facts,
                          const struct log_record *r, struct baseline_findings *found)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(measures, name);
    double low = cJSON_GetNumberValue(cJSON_GetArrayItem(range, 0));
    double high = cJSON_GetNumberValue(cJSON_GetArrayItem(range, 1)), median = value_of(r, "median");
    if (!range || logs_of(range) < BASELINE_LOGS || (median >= low && median <= high))
        return;
    find(arena, found, BASELINE_OUTSIDE, arena_copy(arena, name, strlen(name)), "median %.0f, accepted %.0f to %.0f",
         median, low, high);
}

/* Was an accepted log tested under these conditions? The time of a test influences its measurements. */
static bool tested_alike(const cJSON *baseline, const char *conditions)
{
    const cJSON *accepted = cJSON_GetObjectItemCaseSensitive(baseline, "accepted"), *item;
    cJSON_ArrayForEach(item, accepted)
    {
        const char *told = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "conditions"));
        if (!told || strcmp(told, conditions) == 0)
            return true;
    }
    return false;
}

void baseline_judge(struct arena *arena, const cJSON *baseline, const struct facts *facts,
                    struct baseline_findings *found)
{
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(baseline, "tests");
    const cJSON *measures = cJSON_GetObjectItemCaseSensitive(baseline, "measurements");
    memset(found, 0, sizeof(*found));
    if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(baseline, "accepted")) < BASELINE_LOGS)
        found->unjudged = "fewer than three logs were accepted";
    else if (!tested_alike(baseline, facts_conditions(arena, facts)))
        found->unjudged = "the accepted logs were tested longer, shorter or on other CPUs";
    for (unsigned i = 0; i < facts->run->results.count; i++) {
        const struct log_result *result = &facts->run->results.item[i];
        if (result->id[0])
            judge_result(arena, tests, facts, result, found);
        for_each_record (facts->boot, result, r)
            if (is_measure(r) && !is_chosen(r) && !found->unjudged)
                judge_measure(arena, measures, facts, r, found);
    }
}
