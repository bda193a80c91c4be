/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs that the options ask for, by which everything here goes. */
#include "kernel/text/text.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"

static struct runs runs;

bool planned_proof(void)
{
    return option_prove.given || option_prove_benign.given || option_prove_excuses.given;
}

bool planned_fill(char *error)
{
    const char *why = handed_plan();
    if (why) {
        format_text(error, RUN_ERROR_SIZE, "%s", why);
        return false;
    }
    if (!planned_proof())
        return runs_plan(option_reference.text, option_defect.text, &runs, error);
    return runs_plan(option_reference.text[0] ? option_reference.text : runs_default_profile(), "", &runs, error);
}

const struct runs *planned(void)
{
    return &runs;
}
