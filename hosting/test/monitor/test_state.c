/* SPDX-License-Identifier: BSD-2-Clause */
/* The monitor's states: every transition leads to one that exists, and a wrong one is reported. */
#include "hosting/monitor/state.h"
#include "hosting/monitor/vmcb.h"
#include "tests/host/case.h"

static const enum monitor_stepping hows[] = {STEP_IN_GUEST, STEP_SINGLY, STEP_BY_EXIT};

/* The CPU's state if all is right. */
static struct state_seen right(enum running running)
{
    return (struct state_seen){.shadow_idt = running_shadowed(running), .tf = running_stepped(running)};
}

static const char *wrong(enum whose whose, enum running running, enum monitor_stepping how)
{
    struct state_seen seen = right(running);
    return state_wrong(whose, running, how, &seen);
}

CASE(existing)
{
    static const bool exists[][RUNNINGS] = {
        [WHOSE_IMAGE] = {[RUN_NATIVE] = true, [RUN_SHADOWED] = true, [RUN_INSIDE] = true, [RUN_BY_EXIT] = true},
        [WHOSE_FOREIGN] = {[RUN_NATIVE] = true, [RUN_INSIDE] = true, [RUN_BY_EXIT] = true, [RUN_VIEWED] = true},
    };
    for (enum whose whose = WHOSE_IMAGE; whose <= WHOSE_FOREIGN; whose++)
        for (enum running running = RUN_NATIVE; running < RUNNINGS; running++)
            assert_int_equal(state_rule(whose, running)->exists, exists[whose][running]);
}

/* The columns agree with the order of the enum. */
CASE(order)
{
    for (enum whose whose = WHOSE_IMAGE; whose <= WHOSE_FOREIGN; whose++)
        for (enum running running = RUN_NATIVE; running < RUNNINGS; running++) {
            const struct state_rule *rule = state_rule(whose, running);
            if (!rule->exists)
                continue;
            assert_int_equal(rule->stepped, running_stepped(running));
            assert_int_equal(rule->shadowed, running_shadowed(running));
        }
}

CASE(transitions)
{
    for (unsigned i = 0; i < sizeof(hows) / sizeof(*hows); i++) {
        assert_null(wrong(WHOSE_IMAGE, running_started(hows[i], true), hows[i]));
        assert_null(wrong(WHOSE_IMAGE, running_stopped(WHOSE_IMAGE, hows[i]), hows[i]));
        assert_null(wrong(WHOSE_FOREIGN, running_started(hows[i], true), hows[i]));
        assert_null(wrong(WHOSE_FOREIGN, running_started(hows[i], false), hows[i]));
        assert_null(wrong(WHOSE_FOREIGN, running_stopped(WHOSE_FOREIGN, hows[i]), hows[i]));
        assert_false(running_stepped(running_stopped(WHOSE_FOREIGN, hows[i])));
        assert_true(running_stepped(running_started(hows[i], false)));
    }
}

CASE(seen_wrong)
{
    assert_string_equal(wrong(WHOSE_IMAGE, RUN_VIEWED, STEP_IN_GUEST), "no such state");
    assert_string_equal(wrong(WHOSE_FOREIGN, RUN_SHADOWED, STEP_IN_GUEST), "no such state");
    assert_string_equal(wrong(WHOSE_FOREIGN, RUN_VIEWED, STEP_IN_GUEST), "still viewed after an exit");
    assert_string_equal(wrong(WHOSE_IMAGE, RUN_INSIDE, STEP_BY_EXIT), "not stepped as requested");
    assert_string_equal(wrong(WHOSE_IMAGE, RUN_BY_EXIT, STEP_SINGLY), "not stepped as requested");
    struct state_seen seen = right(RUN_INSIDE);
    seen.shadow_idt = false;
    assert_string_equal(state_wrong(WHOSE_IMAGE, RUN_INSIDE, STEP_IN_GUEST, &seen),
                        "stepped on the wrong interrupt table");
    seen = right(RUN_BY_EXIT);
    seen.in_stub = true;
    assert_string_equal(state_wrong(WHOSE_FOREIGN, RUN_BY_EXIT, STEP_IN_GUEST, &seen),
                        "the in-guest half runs without its tables");
    seen = right(RUN_INSIDE);
    seen.tf = false;
    assert_string_equal(state_wrong(WHOSE_IMAGE, RUN_INSIDE, STEP_IN_GUEST, &seen), "stepped without TF");
    seen.inside = true;
    assert_null(state_wrong(WHOSE_IMAGE, RUN_INSIDE, STEP_IN_GUEST, &seen));
}

/* States that would count wrongly, or not at all, without a sign. */
CASE(intercepts)
{
    const u64 always = INTERCEPT_CPUID | INTERCEPT_MSR | INTERCEPT_RDPMC | INTERCEPT_NMI | INTERCEPT_SVM;
    for (enum whose whose = WHOSE_IMAGE; whose <= WHOSE_FOREIGN; whose++)
        for (enum running running = RUN_NATIVE; running < RUNNINGS; running++) {
            const struct state_rule *rule = state_rule(whose, running);
            if (!rule->exists)
                continue;
            bool by_exit = rule->stepped && !rule->shadowed;
            assert_int_equal(rule->intercepts & always, always);
            assert_int_equal(rule->controls & CONTROL_CR4, CONTROL_CR4);
            assert_int_equal(!!(rule->intercepts & INTERCEPT_INTR), by_exit);
            assert_int_equal(!!rule->exceptions, by_exit);
            assert_true(!rule->stepped || rule->intercepts & INTERCEPT_HLT);
        }
}

int main(void)
{
    return run_cases();
}
