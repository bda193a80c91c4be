/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/purpose.h"
#include "kernel/text/text.h"

const struct purpose purposes[] = {
    {.what = "counting",
     .words = "counting instructions, branches and cycles",
     .must = "gp.instructions,gp.branches,gp.cycles,gp.enables",
     .should = "gp.*,fixed.*,global.*,overflow.*,handoff.registers"},
    {.what = "rr",
     .words = "replaying programs with rr",
     .must = "gp.conditional-branches,pmi.cpl-3,pmi.periods",
     .should = "gp.branches,gp.filters,pmi.*,handoff.smi"},
    {.what = "sampling",
     .words = "precise samples",
     .must = "pebs.records,pebs.instruction-pointer",
     .should = "pebs.*,apebs.*"},
    {.what = "branch-records",
     .words = "branch records",
     .must = "lbr.order|lbr.depth",
     .should = "lbr.*,freeze.lbrs,freeze.lbrs-by-software"},
    {.what = "tracing", .words = "processor traces", .must = "trace.enumerated,trace.position", .should = "trace.*"},
    {.what = "top-down",
     .words = "top-down analysis",
     .must = "topdown.levels",
     .should = "topdown.*",
     .other_way = class_topdown_events,
     .other_must = "gp.cycles,gp.enables",
     .other_words = "the first level, by plain events"},
    {.what = "guests",
     .words = "handing it on to guests",
     .must = "global.enables,global.ctrl-read-back,gp.read-back|gp.sign-extension,rdpmc.indices",
     .should = "access.*,alias.*,inuse.*,share.*,lbr.save-restore"},
};
const unsigned purpose_count = ARRAY_SIZE(purposes);
_Static_assert(ARRAY_SIZE(purposes) <= PURPOSES_MOST, "a place for each");

const struct purpose_fact purpose_facts[] = {
    {"rr", "pmi.skid", "conditional-branches*", "conditional branches from an overflow to its PMI's handler, at most"},
    {"sampling", "pebs.spacing", "distance-precise", "instructions between precise records, at most"},
    {"counting", "pmi.skid", "instructions*", "instructions from an overflow to its PMI's handler, at most"},
};
_Static_assert(ARRAY_SIZE(purpose_facts) == PURPOSE_FACTS, "a place for each");

static void note_fact(struct purpose_measures *measures, unsigned fact, const struct folded_measure *measure)
{
    u64 greatest = measure->histogram.max;
    if (!glob_list_match(purpose_facts[fact].name, measure->name))
        return;
    if (!measures->unit[fact] || greatest > measures->greatest[fact])
        measures->greatest[fact] = greatest;
    measures->unit[fact] = measure->unit;
}

void purpose_note(struct purpose_measures *measures, const char *test, const struct folded *folded)
{
    for (unsigned fact = 0; fact < PURPOSE_FACTS; fact++)
        for (unsigned i = 0; i < folded->measures && !strcmp(purpose_facts[fact].test, test); i++)
            note_fact(measures, fact, &folded->measure[i]);
}

/* ---- One outcome */

static enum purpose_answer answer_of_must(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_PASS:
        return PURPOSE_YES;
    case OUTCOME_KNOWN:
    case OUTCOME_REVIEW:
        return PURPOSE_WITH_CARE;
    case OUTCOME_NONE:
    case OUTCOME_SKIP:
        return PURPOSE_ABSENT;
    default:
        return PURPOSE_NO;
    }
}

static enum purpose_answer answer_of_should(enum outcome outcome)
{
    bool good = outcome == OUTCOME_PASS || outcome == OUTCOME_SKIP || outcome == OUTCOME_NONE;
    return good ? PURPOSE_YES : PURPOSE_WITH_CARE;
}

static void raise(struct purpose_finding *finding, enum purpose_answer answer, const char *test, enum outcome outcome)
{
    if (answer <= finding->answer)
        return;
    finding->answer = answer;
    finding->test = test;
    finding->outcome = outcome;
}

/* ---- Tests of which one is enough. One that fails is a failure, whatever the others do. */

#define GROUP_SIZE 80

/* Takes the next id of "lbr.order|lbr.depth"; its place in the registry, or the registry's count if it has none. */
static unsigned take_test(const char **group, const struct registry *registry)
{
    const char *end = strchr(*group, '|');
    size_t length = end ? (size_t)(end - *group) : strlen(*group);
    unsigned i = 0;
    while (i < registry->count && (strncmp(registry->test[i]->id, *group, length) || registry->test[i]->id[length]))
        i++;
    *group += length + !!end;
    return i;
}

static void judge_group(const char *group, const struct outcomes *outcomes, struct purpose_finding *finding)
{
    struct purpose_finding best = {.answer = PURPOSE_NO};
    bool any = false;
    while (*group) {
        unsigned i = take_test(&group, outcomes->registry);
        if (i == outcomes->registry->count)
            continue;
        enum purpose_answer answer = answer_of_must(outcomes->worst[i]);
        const char *id = outcomes->registry->test[i]->id;
        if (answer == PURPOSE_NO)
            raise(finding, answer, id, outcomes->worst[i]);
        if (!any || answer < best.answer || (answer == best.answer && best.outcome == OUTCOME_NONE))
            best = (struct purpose_finding){answer, id, outcomes->worst[i], NULL};
        any = true;
    }
    if (any)
        raise(finding, best.answer, best.test, best.outcome);
}

static struct purpose_finding judge(const char *must, const char *should, const struct outcomes *outcomes)
{
    struct purpose_finding finding = {.answer = PURPOSE_YES};
    char group[GROUP_SIZE];
    while (list_next(&must, group, sizeof(group)))
        judge_group(group, outcomes, &finding);
    for (unsigned i = 0; i < outcomes->registry->count; i++)
        if (glob_list_match(should, outcomes->registry->test[i]->id))
            raise(&finding, answer_of_should(outcomes->worst[i]), outcomes->registry->test[i]->id, outcomes->worst[i]);
    return finding;
}

struct purpose_finding purpose_judge(const struct purpose *purpose, const struct outcomes *outcomes,
                                     enum cpu_class class)
{
    struct purpose_finding finding = judge(purpose->must, purpose->should, outcomes);
    if (finding.answer != PURPOSE_ABSENT || !purpose->other_way || !purpose->other_way(class))
        return finding;
    finding = judge(purpose->other_must, purpose->should, outcomes);
    finding.way = purpose->other_words;
    return finding;
}

const char *purpose_answer_name(enum purpose_answer answer)
{
    static const char *const names[] = {"yes", "with-care", "absent", "no"};
    return names[answer];
}

const char *purpose_because(enum outcome outcome)
{
    static const char *const words[OUTCOMES] = {
        [OUTCOME_NONE] = "was not run",
        [OUTCOME_PASS] = "passed",
        [OUTCOME_SKIP] = "is skipped",
        [OUTCOME_KNOWN] = "fails by a published erratum",
        [OUTCOME_REVIEW] = "is up for review",
        [OUTCOME_FAIL] = "failed",
        [OUTCOME_ERROR] = "could not do its work",
    };
    return words[outcome];
}
