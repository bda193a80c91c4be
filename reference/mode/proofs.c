/* SPDX-License-Identifier: BSD-2-Clause */
/* Options prove, prove-benign and prove-excuses: which part of which proof is asked for. */
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/run/run.h"
#include "kernel/text/text.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"

static struct prove_job job;

static bool plan(const struct option_value *part, char *error)
{
    if (!select_part(part->text, &job.part, &job.parts, error))
        return false;
    job.profile = planned()->run[0].profile;
    job.full = option_log.given;
    job.alone = option_reference.text[0];
    job.only = option_defect.given ? option_defect.text : "*";
    if (planned()->count > 1 || planned()->run[0].dump)
        format_text(error, RUN_ERROR_SIZE, "a proof takes one reference profile");
    else if (!prove_knows(job.only))
        format_text(error, RUN_ERROR_SIZE, "defect=%s matches nothing (the option `list` names them)", job.only);
    else
        return true;
    return false;
}

/* ---- prove */

static bool defects_requested(void)
{
    return option_prove.given;
}

static bool plan_defects(char *error)
{
    return plan(&option_prove, error);
}

static void defects(struct session *session, struct totals *totals)
{
    prove_defects(session, &job, totals);
}

MODE(prove, .name = "prove", .asked = defects_requested, .plan = plan_defects, .run = defects);

/* ---- prove-benign */

static bool variations_requested(void)
{
    return option_prove_benign.given;
}

static bool plan_variations(char *error)
{
    return plan(&option_prove_benign, error);
}

static void variations(struct session *session, struct totals *totals)
{
    prove_variations(session, &job, totals);
}

MODE(benign, .name = "prove-benign", .asked = variations_requested, .plan = plan_variations, .run = variations);

/* ---- prove-excuses */

static bool excuses_requested(void)
{
    return option_prove_excuses.given;
}

static bool plan_excuses(char *error)
{
    return plan(&option_prove_excuses, error);
}

static void excuses(struct session *session, struct totals *totals)
{
    prove_excuses(session, &job, totals);
}

MODE(excuses, .name = "prove-excuses", .asked = excuses_requested, .plan = plan_excuses, .run = excuses);
