#include "tools/pmucheck/compare/baseline.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "pmucheck-baseline-1"

/* From good to bad: what comes later is worse. A test that no longer runs is worse than one that passed. */
static const enum log_outcome rising[] = {LOG_PASS, LOG_KNOWN, LOG_SKIP, LOG_REVIEW, LOG_FAIL, LOG_ERROR, LOG_LOST};

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

const char *baseline_refusal(const cJSON *baseline)
{
    const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(baseline, "schema"));
    if (!cJSON_IsObject(baseline))
        return "it is no JSON object";
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return "its schema is not " SCHEMA;
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(baseline, "accepted")) ||
        !cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(baseline, "tests")) ||
        !cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(baseline, "measurements")))
        return "accepted, tests or measurements are missing";
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

/* "pmi.skid cycles [events] (atom)": the last part where there are several kinds of core. */
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

/* ---- Accepting */

static void accept_measure(cJSON *measures, const struct facts *facts, const struct log_record *r)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    cJSON *range = child(measures, name, cJSON_CreateArray);
    double low = value_of(r, "min"), high = value_of(r, "max");
    if (cJSON_GetArraySize(range) == 2) {
        low = fmin(low, cJSON_GetNumberValue(cJSON_GetArrayItem(range, 0)));
        high = fmax(high, cJSON_GetNumberValue(cJSON_GetArrayItem(range, 1)));
    }
    while (cJSON_GetArraySize(range) > 0)
        cJSON_DeleteItemFromArray(range, 0);
    cJSON_AddItemToArray(range, cJSON_CreateNumber(low));
    cJSON_AddItemToArray(range, cJSON_CreateNumber(high));
}

static void accept_result(cJSON *baseline, const struct facts *facts, const struct log_result *result)
{
    cJSON *test = child(cJSON_GetObjectItemCaseSensitive(baseline, "tests"), result->id, cJSON_CreateObject);
    add_string(child(test, "outcomes", cJSON_CreateArray), log_outcome_name[result->outcome]);
    for_each_record (facts->boot, result, r) {
        if (is_failure(r))
            add_string(child(test, "labels", cJSON_CreateArray), log_value(r, "label"));
        if (is_measure(r))
            accept_measure(cJSON_GetObjectItemCaseSensitive(baseline, "measurements"), facts, r);
    }
}

void baseline_accept(cJSON *baseline, const struct facts *facts, const struct baseline_note *note)
{
    cJSON *accepted = cJSON_CreateObject();
    cJSON_AddStringToObject(accepted, "log", note->log);
    cJSON_AddStringToObject(accepted, "commit", facts->boot->commit);
    cJSON_AddStringToObject(accepted, "who", note->who);
    cJSON_AddStringToObject(accepted, "why", note->why);
    cJSON_AddStringToObject(accepted, "when", note->when);
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(baseline, "accepted"), accepted);
    for (unsigned i = 0; i < facts->run->results.count; i++)
        if (facts->run->results.item[i].id[0] && facts->run->results.item[i].outcome != LOG_LOST)
            accept_result(baseline, facts, &facts->run->results.item[i]);
}

/* ---- Judging */

static unsigned badness(enum log_outcome outcome)
{
    unsigned at = 0;
    while (rising[at] != outcome)
        at++;
    return at;
}

/* Of all accepted outcomes; below 0 if there is none. */
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

static void judge_labels(FILE *out, const cJSON *test, const struct facts *facts, const struct log_result *result,
                         struct baseline_findings *found)
{
    const cJSON *labels = cJSON_GetObjectItemCaseSensitive(test, "labels");
    for_each_record (facts->boot, result, r)
        if (is_failure(r) && !has_string(labels, log_value(r, "label"))) {
            fprintf(out, "  worse    %s: check %s fails, which it did not\n", result->id, log_value(r, "label"));
            found->worse++;
        }
}

static void judge_result(FILE *out, const cJSON *tests, const struct facts *facts, const struct log_result *result,
                         struct baseline_findings *found)
{
    const cJSON *test = cJSON_GetObjectItemCaseSensitive(tests, result->id);
    const char *name = log_outcome_name[result->outcome], *reason = result->reason;
    int bad = (int)badness(result->outcome), best, worst;
    if (!test) {
        fprintf(out, "  unknown  %s: %s; the baseline does not have it\n", result->id, name);
        found->unknown++;
        return;
    }
    accepted_range(test, &best, &worst);
    const char *usual = worst >= 0 ? log_outcome_name[rising[worst]] : "nothing";
    if (bad > worst && bad >= (int)badness(LOG_REVIEW)) {
        fprintf(out, "  worse    %s: %s, was %s%s%s\n", result->id, name, usual, reason[0] ? ": " : "", reason);
        found->worse++;
    } else if (bad < best && best >= (int)badness(LOG_REVIEW)) {
        fprintf(out, "  fixed    %s: %s, was %s\n", result->id, name, usual);
        found->fixed++;
    } else if (bad > worst || bad < best) {
        fprintf(out, "  changed  %s: %s, was %s%s%s\n", result->id, name, usual, reason[0] ? ": " : "", reason);
        found->changed++;
    } else if (result->outcome == LOG_FAIL || result->outcome == LOG_KNOWN) {
        judge_labels(out, test, facts, result, found);
    }
}

static void judge_measure(FILE *out, const cJSON *measures, const struct facts *facts, const struct log_record *r,
                          struct baseline_findings *found)
{
    char name[256];
    measure_name(name, sizeof(name), facts, r);
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(measures, name);
    double low = cJSON_GetNumberValue(cJSON_GetArrayItem(range, 0));
    double high = cJSON_GetNumberValue(cJSON_GetArrayItem(range, 1)), median = value_of(r, "median");
    if (!range || (median >= low && median <= high))
        return;
    fprintf(out, "  outside  %s: median %.0f, accepted %.0f to %.0f\n", name, median, low, high);
    found->outside++;
}

struct baseline_findings baseline_judge(FILE *out, const cJSON *baseline, const struct facts *facts)
{
    struct baseline_findings found = {0};
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(baseline, "tests");
    const cJSON *measures = cJSON_GetObjectItemCaseSensitive(baseline, "measurements");
    for (unsigned i = 0; i < facts->run->results.count; i++) {
        const struct log_result *result = &facts->run->results.item[i];
        if (result->id[0])
            judge_result(out, tests, facts, result, &found);
        for_each_record (facts->boot, result, r)
            if (is_measure(r))
                judge_measure(out, measures, facts, r, &found);
    }
    return found;
}
