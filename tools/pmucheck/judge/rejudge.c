#include "tools/pmucheck/judge/rejudge.h"
#include "harness/run/judge.h"
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/judge/recorded.h"
#include <string.h>

EMBED(labels_text, "tests/labels.txt");

struct judging {
    FILE *out;
    const struct log_boot *boot;
    const struct log_run *run;
    struct facts facts;
    enum pmu_kind kind;
    unsigned count[LOG_OUTCOMES + 1]; /* outcomes as judged now */
    unsigned changes, unasked;        /* unasked: failed checks of which the log does not tell what they asked */
};

/* ---- One check */

/* Is there a line "TEST LABEL"? */
static bool label_known(const char *test, const char *label)
{
    char line[256];
    size_t length = (size_t)snprintf(line, sizeof(line), "%s %s", test, label);
    for (const char *at = labels_text; (at = strstr(at, line)); at += length)
        if ((at == labels_text || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

struct meaning {
    enum log_outcome outcome;
    const char *why; /* the erratum; NULL for others */
};

static struct meaning then_of(const struct log_record *record)
{
    const char *erratum = log_value(record, "erratum");
    return (struct meaning){erratum ? LOG_KNOWN : log_value(record, "evidence") ? LOG_REVIEW : LOG_FAIL, erratum};
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
    results_clear(&results);
    results.check[0] = *check;
    results.checks = 1;
    judge_results(&results, &caps, test, j->kind);
    return (struct meaning){outcomes[results.outcome], results.check[0].erratum};
}

static const unsigned gravity[LOG_OUTCOMES + 1] = {
    [LOG_PASS] = 0, [LOG_SKIP] = 1, [LOG_KNOWN] = 2, [LOG_REVIEW] = 3, [LOG_FAIL] = 4, [LOG_ERROR] = 5, [LOG_LOST] = 6};

/* Of the kinds of core that showed it, the gravest meaning. */
static struct meaning now_of(struct judging *j, const struct log_record *record, const char *test)
{
    struct check check;
    struct meaning then = then_of(record), now = {LOG_PASS, NULL};
    bool asked, judged = false;
    if (!recorded_check(record, &check, &asked))
        return then;
    j->unasked += !asked;
    if (!asked && then.outcome == LOG_KNOWN)
        return then;
    for (unsigned i = 0; i < j->facts.cores.count; i++) {
        const struct facts_core *core = &j->facts.cores.item[i];
        if (!facts_cpus_meet(log_value(record, "cpus"), core->cpus))
            continue;
        struct meaning here = meaning_of(j, &check, core, test);
        if (!judged || gravity[here.outcome] > gravity[now.outcome])
            now = here;
        judged = true;
    }
    return judged ? now : then;
}

/* ---- One test */

static bool is_failure(const struct log_record *r)
{
    return strcmp(r->kind, "fail") == 0;
}

/* "review", "known by SKL91" */
static void write_meaning(FILE *out, struct meaning meaning)
{
    fprintf(out, "%s%s%s", log_outcome_name[meaning.outcome], meaning.why ? " by " : "",
            meaning.why ? meaning.why : "");
}

static bool same(struct meaning a, struct meaning b)
{
    return a.outcome == b.outcome && !a.why == !b.why && (!a.why || strcmp(a.why, b.why) == 0);
}

static void write_check(struct judging *j, const struct log_record *r, const char *test)
{
    const char *label = log_value(r, "label"), *cpus = log_value(r, "cpus");
    struct meaning then = then_of(r), now = now_of(j, r, test);
    if (label && !label_known(test, label)) {
        fprintf(j->out, "             %s %s, CPUs %s: no test of today has this check\n", test, label,
                cpus ? cpus : "?");
        j->changes++;
    }
    if (same(then, now))
        return;
    fprintf(j->out, "             %s %s, CPUs %s: ", test, label ? label : "?", cpus ? cpus : "?");
    write_meaning(j->out, then);
    fprintf(j->out, " -> ");
    write_meaning(j->out, now);
    fputc('\n', j->out);
    j->changes++;
}

/* Only what a failed check decided can change; failures that the log left out were no better than the outcome then. */
static enum log_outcome outcome_now(struct judging *j, const struct log_result *result)
{
    enum log_outcome now = LOG_PASS;
    unsigned failures = 0, unasked = j->unasked;
    bool more = false;
    for_each_record (j->boot, result, r) {
        more |= strcmp(r->kind, "more") == 0;
        if (!is_failure(r))
            continue;
        struct meaning meaning = now_of(j, r, result->id);
        now = gravity[meaning.outcome] > gravity[now] ? meaning.outcome : now;
        failures++;
    }
    j->unasked = unasked; /* each is counted when it is told */
    bool decided = result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW || result->outcome == LOG_KNOWN;
    if (!decided || !failures || (more && gravity[now] < gravity[result->outcome]))
        return result->outcome;
    return now;
}

static void judge_result(struct judging *j, const struct log_result *result)
{
    enum log_outcome now = outcome_now(j, result);
    j->count[now]++;
    if (now != result->outcome) {
        fprintf(j->out, "  %-8s %s: was %s\n", log_outcome_name[now], result->id, log_outcome_name[result->outcome]);
        j->changes++;
    }
    for_each_record (j->boot, result, r)
        if (is_failure(r))
            write_check(j, r, result->id);
}

/* ---- Runs and boots */

static enum pmu_kind kind_of(const char *pmu)
{
    return strncmp(pmu, "reference:", 10) == 0 ? PMU_REFERENCE
           : strncmp(pmu, "virtual:", 8) == 0  ? PMU_VIRTUAL
                                               : PMU_HARDWARE;
}

static void judge_run(struct judging *j, struct arena *arena)
{
    facts_read(arena, j->boot, j->run, &j->facts);
    j->kind = kind_of(j->run->pmu);
    fprintf(j->out, "run        %s, signature %s, microcode %s\n", j->run->pmu, j->facts.signature, j->facts.microcode);
    for (unsigned i = 0; i < j->run->results.count; i++)
        if (!j->run->results.item[i].parent)
            judge_result(j, &j->run->results.item[i]);
}

/* As the image decides it: an error outside of a test stays one, and what judged nothing is untested. */
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

static enum log_status status_of(const char *verdict)
{
    static const struct {
        const char *verdict;
        enum log_status status;
    } rows[] = {{"pass", STATUS_PASS}, {"fail", STATUS_FAIL}, {"review", STATUS_REVIEW}, {"untested", STATUS_UNTESTED}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].verdict, verdict) == 0)
            return rows[i].status;
    return STATUS_ERROR;
}

static enum log_status judge_boot(FILE *out, const struct log_file *file, const struct log_boot *boot)
{
    struct judging j = {.out = out, .boot = boot};
    struct arena arena = {0};
    fprintf(out, "%s: pmucheck %s, commit %s\n", file->path, boot->version, boot->commit);
    for (unsigned i = 0; i < boot->runs.count; i++) {
        j.run = &boot->runs.item[i];
        if (log_run_of_tests(j.run))
            judge_run(&j, &arena);
    }
    arena_free(&arena);
    if (!boot->ended || boot->problems.count) {
        fprintf(out, "verdict    none: something is wrong with this log, which pmucheck report tells\n");
        return STATUS_ERROR;
    }
    const char *now = verdict_now(&j);
    if (j.unasked)
        fprintf(out, "note       %u failed checks do not tell what they asked: no erratum can be found for them\n",
                j.unasked);
    if (strcmp(now, boot->verdict) == 0)
        fprintf(out, "verdict    %s, as it was%s\n", now, j.changes ? "" : ": nothing changes");
    else
        fprintf(out, "verdict    %s: was %s\n", now, boot->verdict);
    return status_of(now);
}

enum log_status rejudge(FILE *out, const struct log_file *file)
{
    enum log_status worst = STATUS_PASS;
    for (unsigned b = 0; b < file->boots.count; b++) {
        enum log_status status = judge_boot(out, file, &file->boots.item[b]);
        worst = b ? log_worse(worst, status) : status;
    }
    return worst;
}
