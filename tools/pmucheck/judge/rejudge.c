/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/judge.h"
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/judge/judge.h"
#include <string.h>

EMBED(labels_text, "tests/labels.txt");

struct judging {
    FILE *out;         /* NULL: no text */
    json_object *json; /* for the run; NULL: none */
    const struct log_boot *boot;
    const struct log_run *run;
    struct facts facts;
    enum pmu_kind kind;
    struct guest_facts guest;         /* from the lines "# run" and "# guest-pmu" */
    unsigned count[LOG_OUTCOMES + 1]; /* outcomes by the present rules */
    unsigned changes, unasked;        /* unasked: failed checks without asks= in the log */
};

/* ---- One check */

/* Is there a line "TEST LABEL", with or without more after it? Retired labels do not count. */
bool rejudge_label_known(const char *test, const char *label)
{
    char line[256];
    size_t length = (size_t)snprintf(line, sizeof(line), "%s %s", test, label);
    if (strcmp(line, WALKS_TEST " " WALKS_LABEL) == 0)
        return true;
    for (const char *at = labels_text; (at = strstr(at, line)); at += length)
        if ((at == labels_text || at[-1] == '\n') && strchr(" \n", at[length]) && strncmp(at + length, " - ", 3) != 0)
            return true;
    return false;
}

struct meaning {
    enum log_outcome outcome;
    const char *why; /* the erratum; NULL for other outcomes */
};

/* A line "differs" tells what was not judged. */
static struct meaning then_of(const struct log_record *record)
{
    if (!log_is(record, "fail"))
        return (struct meaning){LOG_PASS, NULL};
    const char *erratum = log_value(record, "erratum");
    return (struct meaning){erratum ? LOG_KNOWN : log_value(record, "evidence") ? LOG_REVIEW : LOG_FAIL, erratum};
}

/* Rebuilds the image's view: the worst failure, and the summary of all failures. */
static void put_check(struct results *results, const struct check *check, const struct pmu_caps *caps)
{
    results_clear(results);
    results->width = caps->gp_width;
    results->smis = check->failing.smi;
    results->beside_stop = check->failing.beside_stop ? ~0ull : 0;
    results_check_many(results, check, check->failed + check->held, check->failed);
    struct failing *failing = &results->check[0].failing;
    failing->varied = check->failing.varied;
    failing->more |= check->failing.more;
    failing->less |= check->failing.less;
}

static struct meaning meaning_of(const struct judging *j, const struct check *check, const struct facts_core *core,
                                 const char *test)
{
    static const enum log_outcome outcomes[OUTCOMES] = {
        [OUTCOME_NONE] = LOG_PASS,   [OUTCOME_PASS] = LOG_PASS,     [OUTCOME_SKIP] = LOG_SKIP,
        [OUTCOME_KNOWN] = LOG_KNOWN, [OUTCOME_REVIEW] = LOG_REVIEW, [OUTCOME_FAIL] = LOG_FAIL,
        [OUTCOME_ERROR] = LOG_ERROR};
    static struct results results;
    struct pmu_caps caps = recorded_caps(core);
    caps.guest = j->guest;
    put_check(&results, check, &caps);
    judge_results(&results, &caps, test, j->kind);
    return (struct meaning){outcomes[results.outcome], results.check[0].erratum};
}

/* Judges for each kind of core that showed it, and takes the gravest judgement. */
static struct meaning now_of(struct judging *j, const struct log_record *record, const char *test)
{
    struct check check;
    struct meaning then = then_of(record), now = {LOG_PASS, NULL};
    bool asked, judged = false;
    if (!recorded_check(record, &check, &asked))
        return then;
    j->unasked += !asked;
    if (!asked && then.outcome != LOG_FAIL)
        return then; /* what may be excused must not be accused */
    for_each_item (j->facts.cores, core) {
        if (!facts_cpus_meet(log_value(record, "cpus"), core->cpus))
            continue;
        struct meaning here = meaning_of(j, &check, core, test);
        if (!judged || log_gravity(here.outcome) > log_gravity(now.outcome))
            now = here;
        judged = true;
    }
    return judged ? now : then;
}

/* ---- One test */

/* "review", "known by SKL91" */
static void write_meaning(FILE *out, struct meaning meaning)
{
    fprintf(out, "%s%s%s", log_outcome_name[meaning.outcome], meaning.why ? " by " : "",
            meaning.why ? meaning.why : "");
}

static void add_meaning(json_object *row, const char *name, struct meaning meaning)
{
    char by[24];
    json_add_text(row, name, log_outcome_name[meaning.outcome]);
    snprintf(by, sizeof(by), "%s_erratum", name);
    if (meaning.why)
        json_add_text(row, by, meaning.why);
    else
        json_object_object_add(row, by, NULL);
}

/* Reports a failed check whose judgement changed; `now` is NULL if no present test has the check. */
struct check_change {
    const char *label, *cpus;
    struct meaning then;
    const struct meaning *now;
};

static bool same(struct meaning a, struct meaning b)
{
    return a.outcome == b.outcome && !a.why == !b.why && (!a.why || strcmp(a.why, b.why) == 0);
}

static void tell_check(struct judging *j, const char *test, const struct check_change *change)
{
    j->changes++;
    if (j->out)
        fprintf(j->out, "             %s %s, CPUs %s: ", test, change->label, change->cpus);
    if (j->out && !change->now)
        fprintf(j->out, "no present test has this check\n");
    if (j->out && change->now) {
        write_meaning(j->out, change->then);
        fprintf(j->out, " -> ");
        write_meaning(j->out, *change->now);
        fputc('\n', j->out);
    }
    if (!j->json)
        return;
    json_object *row = json_add_item(json_object_object_get(j->json, "checks"));
    json_add_text(row, "test", test);
    json_add_text(row, "label", change->label);
    json_add_text(row, "cpus", change->cpus);
    add_meaning(row, "was", change->then);
    if (change->now)
        add_meaning(row, "is", *change->now);
    else
        json_object_object_add(row, "is", NULL);
}

static void judge_check_again(struct judging *j, const struct log_record *r, const char *test)
{
    struct check_change change = {log_value_or(r, "label", "?"), log_value_or(r, "cpus", "?"), then_of(r), NULL};
    struct meaning now = now_of(j, r, test);
    if (log_value(r, "label") && !rejudge_label_known(test, change.label))
        tell_check(j, test, &change);
    change.now = &now;
    if (!same(change.then, now))
        tell_check(j, test, &change);
}

/* Only outcomes that a failed check decided can change. Failures that the log left out were no better than the old
 * outcome. */
static enum log_outcome outcome_now(struct judging *j, const struct log_result *result)
{
    enum log_outcome now = LOG_PASS;
    unsigned failures = 0, unasked = j->unasked;
    bool more = false;
    for_each_record (j->boot, result, r) {
        more |= log_is(r, "more");
        if (!log_is_difference(r))
            continue;
        struct meaning meaning = now_of(j, r, result->id);
        now = log_gravity(meaning.outcome) > log_gravity(now) ? meaning.outcome : now;
        failures++;
    }
    j->unasked = unasked; /* counted when they are reported */
    bool decided = result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW || result->outcome == LOG_KNOWN ||
                   result->outcome == LOG_PASS;
    if (!decided || !failures || (more && log_gravity(now) < log_gravity(result->outcome)))
        return result->outcome;
    return now;
}

static void tell_result(struct judging *j, const struct log_result *result, enum log_outcome now)
{
    const char *is = log_outcome_name[now], *was = log_outcome_name[result->outcome];
    j->changes++;
    if (j->out)
        fprintf(j->out, "  %-8s %s: was %s\n", is, result->id, was);
    if (!j->json)
        return;
    json_object *row = json_add_item(json_object_object_get(j->json, "results"));
    json_add_text(row, "test", result->id);
    json_add_text(row, "was", was);
    json_add_text(row, "is", is);
}

static void judge_result(struct judging *j, const struct log_result *result)
{
    enum log_outcome now = outcome_now(j, result);
    j->count[now]++;
    if (now != result->outcome)
        tell_result(j, result, now);
    for_each_record (j->boot, result, r)
        if (log_is_difference(r))
            judge_check_again(j, r, result->id);
}

/* ---- Runs and boots */

static enum pmu_kind kind_of(const struct log_run *run)
{
    if (strncmp(run->pmu, "reference:", 10) == 0)
        return PMU_REFERENCE;
    if (strncmp(run->pmu, "virtual:", 8) != 0)
        return PMU_HARDWARE;
    return run->judge ? PMU_VIRTUAL_JUDGED : PMU_VIRTUAL;
}

static bool counter_held(const struct log_boot *boot, const struct log_run *run)
{
    uint64_t enumerated, counting;
    for_each_record (boot, run, r)
        if (log_is(r, "guest-pmu") && log_number(r, "enumerated", &enumerated) && log_number(r, "counting", &counting))
            return virtual_counter_held(enumerated, counting);
    return false;
}

static void tell_run(struct judging *j, json_object *runs)
{
    if (j->out)
        fprintf(j->out, "run        %s, signature %s, microcode %s\n", j->run->pmu, j->facts.signature,
                j->facts.microcode);
    if (!runs)
        return;
    j->json = json_add_item(runs);
    json_add_text(j->json, "pmu", j->run->pmu);
    json_add_text(j->json, "signature", j->facts.signature);
    json_add_text(j->json, "microcode", j->facts.microcode);
    json_add_array(j->json, "results");
    json_add_array(j->json, "checks");
}

static void judge_run(struct judging *j, struct arena *arena, json_object *runs)
{
    facts_read(arena, j->boot, j->run, &j->facts);
    j->kind = kind_of(j->run);
    j->guest = (struct guest_facts){.counter_held = counter_held(j->boot, j->run),
                                    .strict = j->run->judge && strstr(j->run->judge, "strict"),
                                    .host_kernel = virtual_host_kernel(j->run->host_kernel ? j->run->host_kernel : "")};
    tell_run(j, runs);
    for_each_item (j->run->results, result)
        if (!result->parent)
            judge_result(j, result);
}

/* As the image decides: an error outside of a test remains, and a run that judged nothing is untested. */
static const char *verdict_now(const struct judging *j)
{
    unsigned errors = j->count[LOG_ERROR] + j->count[LOG_LOST];
    bool other_error = j->boot->end_total[LOG_ERROR] > j->boot->leaves[LOG_ERROR];
    if (j->count[LOG_FAIL])
        return "fail";
    if (errors || other_error)
        return "error";
    if (j->count[LOG_REVIEW])
        return "review";
    bool judged_something = j->count[LOG_PASS] + j->count[LOG_KNOWN];
    return strcmp(j->boot->verdict, "untested") == 0 || !judged_something ? "untested" : "pass";
}

static json_object *json_boot(json_object *boots, const struct log_file *file, const struct log_boot *boot)
{
    json_object *object = json_add_item(boots);
    json_add_text(object, "log", file->path);
    json_add_text(object, "version", boot->version);
    json_add_text(object, "commit", boot->commit);
    json_add_text(object, "was", boot->verdict);
    return object;
}

static void tell_verdict(const struct judging *j, const char *now)
{
    if (j->unasked)
        fprintf(j->out, "note       %u failed checks have no asks=: no erratum can be found for them\n", j->unasked);
    if (strcmp(now, j->boot->verdict) == 0)
        fprintf(j->out, "verdict    %s, unchanged%s\n", now, j->changes ? "" : "; no result changes");
    else
        fprintf(j->out, "verdict    %s: was %s\n", now, j->boot->verdict);
}

static enum log_status judge_boot(FILE *out, json_object *boots, const struct log_file *file,
                                  const struct log_boot *boot)
{
    struct judging j = {.out = out, .boot = boot};
    struct arena arena = {0};
    json_object *object = boots ? json_boot(boots, file, boot) : NULL,
                *runs = boots ? json_add_array(object, "runs") : NULL;
    if (out)
        fprintf(out, "%s: pmucheck %s, commit %s\n", file->path, boot->version, boot->commit);
    for_each_item (boot->runs, run) {
        j.run = run;
        if (log_run_of_tests(j.run))
            judge_run(&j, &arena, runs);
    }
    arena_free(&arena);
    bool whole = boot->ended && !boot->problems.count;
    const char *now = whole ? verdict_now(&j) : "";
    if (out && whole)
        tell_verdict(&j, now);
    else if (out)
        fprintf(out, "verdict    none: the log has problems, which pmucheck report lists\n");
    if (object) {
        json_add_text(object, "is", now);
        json_add_number(object, "unasked", j.unasked);
    }
    return whole ? log_status_of_verdict(now) : STATUS_ERROR;
}

enum log_status rejudge(FILE *out, json_object *boots, const struct log_file *file)
{
    enum log_status worst = STATUS_PASS;
    for (unsigned b = 0; b < file->boots.count; b++) {
        if (log_goes_on(&file->boots.item[b]))
            continue; /* the next start has the results */
        enum log_status status = judge_boot(out, boots, file, &file->boots.item[b]);
        worst = b ? log_worse(worst, status) : status;
    }
    return worst;
}
