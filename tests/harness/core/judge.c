/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/judge.h"
#include "harness/core/errata.h"
#include "kernel/text/text.h"
#include "pmu/state/register.h"

#define STEADY_LEAST 4 /* the same difference in that many repeats is not chance */

bool evidence_for(const struct evidence *rows, unsigned count, u32 signature, const char *test, const char *label)
{
    for (const struct evidence *row = rows; row < rows + count; row++)
        if ((signature & row->mask) == row->signature && glob_match(row->test, test) &&
            glob_list_match(row->labels, label))
            return true;
    return false;
}

bool check_intermittent(const struct check *check)
{
    bool seldom = check->repeated && check->failed && check->failed < check->held;
    return check->held_again || (seldom && !check->cell_fails && !check->surrounded);
}

static bool always_by_the_same(const struct check *check)
{
    return check->failed && !check->held && !check->failing.varied;
}

/*
 * A short run tests each counter only once, which is too rarely to judge it alone. If all counters are off by the same
 * amount, the difference is steady; if one is right, or off by another amount, counts vary.
 */
static bool steady(const struct results *results, const struct check *check)
{
    u32 alike = 0;
    if (!always_by_the_same(check) || check->failed >= STEADY_LEAST)
        return always_by_the_same(check);
    for (const struct check *other = results->check; other < results->check + results->checks; other++) {
        if (strcmp(other->label, check->label))
            continue;
        if (!always_by_the_same(other) || results_wrong_by(other) != results_wrong_by(check))
            return false;
        alike += other->failed;
    }
    return alike >= STEADY_LEAST;
}

/* If nobody counts SMIs, one may have come. */
struct symptom judge_symptom(const struct results *results, const struct check *check, const struct pmu_caps *caps)
{
    const struct failing *failing = &check->failing;
    return (struct symptom){.aspects = check->aspects,
                            .msr = check->msr,
                            .in_words = check->kind == CHECK_TRUE,
                            .set = failing->set,
                            .clear = failing->clear,
                            .distance = failing->distance,
                            .more = failing->more,
                            .less = failing->less,
                            .difference = check->difference,
                            .steady = steady(results, check),
                            .wanted = failing->wanted,
                            .nothing = !check->got,
                            .smi = results->smis || !caps->smi_count,
                            .beside_stop = results->beside_stop};
}

/* Nobody has seen the check hold on this class: what else is known of it decides. */
static enum outcome without_log(struct check *check, const struct pmu_caps *caps, const char *test)
{
    static const enum outcome outcomes[] = {[RELIED_FORMULA] = OUTCOME_FAIL,
                                            [RELIED_RELIED] = OUTCOME_FAIL,
                                            [RELIED_REVIEW] = OUTCOME_REVIEW,
                                            [RELIED_MEASURED] = OUTCOME_PASS};
    const struct reliance *known = reliance_for(reliance_rows, reliance_count, cpu_class(caps), test, check->label);
    check->grounds = known ? known->words : NULL;
    return known ? outcomes[known->kind] : OUTCOME_REVIEW;
}

/* Defects that escaped the maker look like this, failing only now and then, and so does noise: a person must decide. */
static void judge_check(struct results *results, struct check *check, const struct pmu_caps *caps, const char *test,
                        enum pmu_kind kind)
{
    const struct symptom symptom = judge_symptom(results, check, caps);
    check->failing.smi = results->smis;
    check->failing.beside_stop = check->kind == CHECK_EQUAL && symptom.set & results->beside_stop;
    bool measured = kind == PMU_VIRTUAL || (kind == PMU_VIRTUAL_JUDGED && virtual_unpromised(test, check->label));
    const char *erratum = erratum_for(caps, &symptom);
    const char *shown = strcmp(test, WALKS_TEST) ? check->label : WALKS_LABEL;
    enum reason code = REASON_NONE;
    char reason[REASON_SIZE];
    check->outcome = OUTCOME_FAIL;
    reason[0] = 0;
    if (measured) {
        check->outcome = OUTCOME_PASS;
    } else if (erratum) {
        check->outcome = OUTCOME_KNOWN;
        check->erratum = erratum;
        format_text(reason, sizeof(reason), "%s", erratum);
    } else if (check_intermittent(check)) {
        check->outcome = OUTCOME_REVIEW;
        code = REASON_REVIEW_REPEAT;
        format_text(reason, sizeof(reason), check->held_again ? "%s: not when repeated" : "%s: %u of %u repeats differ",
                    check->label, check->failed, check->failed + check->held);
    } else if (kind == PMU_HARDWARE && check->surrounded) {
        check->outcome = OUTCOME_REVIEW;
        code = REASON_REVIEW_SURROUNDINGS;
        format_text(reason, sizeof(reason), "%s: only with something around it", check->label);
    } else if (kind == PMU_HARDWARE && !evidence_for(evidence_rows, evidence_count, caps->signature, test, shown)) {
        check->outcome = without_log(check, caps, test);
        if (check->outcome == OUTCOME_REVIEW) {
            code = REASON_HARNESS_FIRST_CONTACT;
            format_text(reason, sizeof(reason), "%s: never seen passing on this class", check->label);
        }
    }
    results_raise(results, check->outcome, code, reason);
}

/*
 * On silicon, a register that faults although the test found it enumerated counts as a mistake of the test, until a
 * person has looked. A hypervisor decides which registers exist: one that does not answer is a difference like others,
 * and a broken promise if CPUID implies it.
 */
static void judge_denied(struct results *results, const struct pmu_caps *caps, enum pmu_kind kind)
{
    const struct denied *denied = &results->denied;
    struct check check = {.label = "register-faults",
                          .msr = denied->msr,
                          .bit = NO_BIT,
                          .kind = CHECK_FAULT,
                          .aspects = ASPECT_ANSWERS,
                          .got = denied->fault,
                          .want = NO_FAULT};
    if (kind != PMU_VIRTUAL && kind != PMU_VIRTUAL_JUDGED) {
        results->outcome = OUTCOME_NONE; /* a register left changed is a consequence of the fault */
        results_raise(results, OUTCOME_ERROR, REASON_NONE, denied->text);
    } else if (register_is_shown(caps, denied->msr)) {
        results_check_many(results, &check, 1, 1);
    } else {
        results_raise(results, OUTCOME_SKIP, REASON_NONE, denied->text);
    }
}

void judge_results(struct results *results, const struct pmu_caps *caps, const char *test, enum pmu_kind kind)
{
    if (results->denied.msr)
        judge_denied(results, caps, kind);
    if (results->overflowed)
        results_raise(results, OUTCOME_ERROR, REASON_NONE, "more checks or measurements than there is room for");
    if (results->outcome == OUTCOME_NONE && !results_checked(results))
        results_raise(results, OUTCOME_ERROR, REASON_NONE, "checked nothing");
    results_raise(results, OUTCOME_PASS, REASON_NONE, "");
    for (unsigned i = 0; i < results->checks; i++)
        if (results->check[i].failed)
            judge_check(results, &results->check[i], caps, test, kind);
}

const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {"none", "pass", "skip", "known", "review", "fail", "error"};
    return names[outcome];
}

/* Other tests only ask what the CPU enumerates. */
static bool uses_counters(const struct needs *needs)
{
    return needs->netburst || (!needs->no_pmu && !needs->no_counter);
}

void totals_lack(struct totals *totals, enum reason code, const char *reason)
{
    if (totals->lacking[0])
        return;
    format_text(totals->lacking, sizeof(totals->lacking), "%s", reason);
    totals->lacking_code = code;
}

/* All of these CPUs have it, so that its absence is a defect of the set-up, and all promises about PMIs go unasked. */
static bool keeps_chapters_out(enum reason code)
{
    return code == REASON_FIRMWARE_NO_APIC;
}

void totals_add(struct totals *totals, const struct needs *needs, enum outcome outcome, enum reason code,
                const char *reason)
{
    totals->count[outcome]++;
    if (!uses_counters(needs))
        return;
    totals->counted += outcome == OUTCOME_PASS || outcome == OUTCOME_KNOWN;
    if (outcome == OUTCOME_SKIP && keeps_chapters_out(code))
        totals_lack(totals, code, reason);
    if (outcome != OUTCOME_SKIP || totals->idle[0])
        return;
    format_text(totals->idle, sizeof(totals->idle), "%s", reason);
    totals->idle_code = code;
}

const char *untested_reason(const struct totals *totals, enum reason *code)
{
    *code = REASON_NONE;
    if (totals->virtual_pmu && totals->counted)
        return "a hypervisor's PMU: differences are reported, nothing is judged";
    *code = totals->lacking_code;
    if (totals->lacking[0])
        return totals->lacking;
    *code = totals->idle_code;
    return totals->idle[0] ? totals->idle : "no test that uses a counter was selected";
}

enum verdict verdict_of(const struct totals *totals)
{
    if (totals->count[OUTCOME_FAIL])
        return VERDICT_FAIL;
    if (totals->count[OUTCOME_ERROR])
        return VERDICT_ERROR;
    if (totals->count[OUTCOME_REVIEW])
        return VERDICT_REVIEW;
    if (!totals->count[OUTCOME_PASS] || !totals->counted || totals->virtual_pmu || totals->lacking[0])
        return VERDICT_UNTESTED;
    return VERDICT_PASS;
}

static const struct {
    const char *name;
    u8 code;
} verdicts[] = {
    [VERDICT_PASS] = {"pass", 0x10},   [VERDICT_FAIL] = {"fail", 0x11},     [VERDICT_UNTESTED] = {"untested", 0x12},
    [VERDICT_ERROR] = {"error", 0x13}, [VERDICT_REVIEW] = {"review", 0x14},
};

const char *verdict_name(enum verdict verdict)
{
    return verdicts[verdict].name;
}

const char *verdict_text(const struct totals *totals, char *text)
{
    enum verdict verdict = verdict_of(totals);
    u32 known = totals->count[OUTCOME_KNOWN];
    format_text(text, VERDICT_TEXT, verdict == VERDICT_PASS && known ? "%s (%u known)" : "%s", verdict_name(verdict),
                known);
    return text;
}

u8 verdict_code(enum verdict verdict)
{
    return verdicts[verdict].code;
}
