/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sharing-page: prints the page "may I use it?" from the sharing library's own rules, as Markdown. Every answer comes
 * from use_of() for the row's example, so that the page cannot contradict the code.
 */
#include "pmu/sharing/agent.h"

#include <stdio.h>

static void print_register(const struct counter_state *state)
{
    if (state->fixed)
        printf("`%llXH`", (unsigned long long)state->control);
    else
        printf("`%06llXH`", (unsigned long long)state->control);
    printf("%s%s%s", state->global ? ", GLOBAL_CTRL bit set" : "", state->sampled ? ", PEBS_ENABLE bit set" : "",
           state->claimed && !state->control ? ", INUSE bit set" : "");
    printf("%s", state->left ? ", value not 0" : "");
}

static void print_table(bool fixed, const char *title, const char *control)
{
    printf("\n## %s\n\n| State | May I use it? | Why | Example: %s |\n|---|---|---|---|\n", title, control);
    for (unsigned i = 0; i < use_rule_count; i++) {
        if (use_rules[i].fixed != fixed)
            continue;
        const struct use_rule *rule = use_of(&use_rules[i].example);
        printf("| %s | **%s** | %s | ", rule->state, use_name(rule->use), rule->why);
        print_register(&use_rules[i].example);
        printf(" |\n");
    }
}

int main(void)
{
    printf(
        "# Register state: may I use this counter?\n\nGenerated from `pmu/sharing/agent_book.c`. The first line "
        "that "
        "fits "
        "decides. Read `IA32_PERF_GLOBAL_INUSE` (version 4 and later) or the\ncontrols themselves, with nothing that "
        "can run between the look and the claim but SMIs; look again after claiming.\n");
    print_table(false, "General-purpose counters", "IA32_PERFEVTSELn");
    print_table(true, "Fixed counters", "field of IA32_FIXED_CTR_CTRL");
    printf("\n## The rest\n\n"
           "- The PMI is somebody's while any interrupt bit is set in an event select or in `IA32_FIXED_CTR_CTRL`, or "
           "a counter in\n  `IA32_PEBS_ENABLE` (INUSE bit 63).\n"
           "- Freezing by `IA32_DEBUGCTL[12]` only while nobody else has a counter; else the handler clears its own "
           "bits of\n  `IA32_PERF_GLOBAL_CTRL`.\n"
           "- Leaving: own enable bit off, control 0, value 0, own overflow bit cleared.\n");
    return 0;
}
