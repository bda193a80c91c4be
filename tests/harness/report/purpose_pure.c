/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/purpose.h"
#include "kernel/text/glob.h"
#include "kernel/text/string.h"

const struct purpose purposes[] = {
    {"counting", "counting instructions, branches and cycles", "gp.instructions,gp.branches,gp.cycles,gp.enables",
     "gp.*,fixed.*,global.*,overflow.*,handoff.registers"},
    {"rr", "replaying programs with rr", "gp.conditional-branches,pmi.cpl-3,pmi.periods",
     "gp.branches,gp.filters,pmi.*,handoff.smi"},
    {"sampling", "precise samples", "pebs.records,pebs.instruction-pointer", "pebs.*,apebs.*"},
    {"branch-records", "branch records", "lbr.order", "lbr.*,freeze.lbrs,freeze.lbrs-by-software"},
    {"tracing", "processor traces", "trace.enumerated,trace.position", "trace.*"},
    {"top-down", "top-down analysis", "topdown.levels", "topdown.*"},
    {"guests", "handing it on to guests", "global.enables,global.ctrl-read-back,gp.read-back,rdpmc.indices",
     "access.*,alias.*,inuse.*,share.*,lbr.save-restore"},
};
const unsigned purpose_count = ARRAY_SIZE(purposes);

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

static bool raises(struct purpose_finding *finding, enum purpose_answer answer)
{
    return answer > finding->answer;
}

static enum purpose_answer answer_of(enum outcome outcome, bool must)
{
    switch (outcome) {
    case OUTCOME_PASS:
        return PURPOSE_YES;
    case OUTCOME_NONE:
        return must ? PURPOSE_UNKNOWN : PURPOSE_YES;
    case OUTCOME_SKIP:
        return must ? PURPOSE_NO : PURPOSE_YES;
    case OUTCOME_KNOWN:
    case OUTCOME_REVIEW:
        return PURPOSE_WITH_CARE;
    default:
        return must ? PURPOSE_NO : PURPOSE_WITH_CARE;
    }
}

struct purpose_finding purpose_judge(const struct purpose *purpose, const struct outcomes *outcomes)
{
    struct purpose_finding finding = {.answer = PURPOSE_YES};
    for (unsigned i = 0; i < outcomes->registry->count; i++) {
        const char *id = outcomes->registry->test[i]->id;
        bool must = glob_list_match(purpose->must, id);
        enum outcome outcome = outcomes->worst[i];
        if ((must || glob_list_match(purpose->should, id)) && raises(&finding, answer_of(outcome, must)))
            finding = (struct purpose_finding){answer_of(outcome, must), id, outcome};
    }
    return finding;
}

const char *purpose_answer_name(enum purpose_answer answer)
{
    static const char *const names[] = {"yes", "with-care", "unknown", "no"};
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
