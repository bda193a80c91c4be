/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/fold.h"
#include "kernel/text/text.h"

const char *cpu_set_text(const struct cpu_set *set, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (u32 cpu = 0; cpu < MAX_CPUS; cpu++) {
        if (!cpu_set_has(set, cpu))
            continue;
        u32 last = cpu;
        while (last + 1 < MAX_CPUS && cpu_set_has(set, last + 1))
            last++;
        if (length + 16 > size) {
            format_text(text + length, size - length, ",...");
            break;
        }
        length += (size_t)format_text(text + length, size - length, last > cpu ? "%s%u-%u" : "%s%u", length ? "," : "",
                                      cpu, last);
        cpu = last;
    }
    return text;
}

void fold_clear(struct folded *folded)
{
    memset(folded, 0, sizeof(*folded));
}

static void raise_folded(struct folded *folded, enum outcome outcome, enum reason code, const char *reason)
{
    if (outcome <= folded->outcome)
        return;
    folded->outcome = outcome;
    folded->code = code;
    format_text(folded->reason, sizeof(folded->reason), "%s", reason);
}

static void add_part(struct folded *folded, enum outcome outcome, enum reason code, const char *reason, u32 cpu)
{
    unsigned i = 0;
    while (i < folded->parts && (folded->part[i].outcome != outcome || strcmp(folded->part[i].reason, reason)))
        i++;
    if (i == FOLDED_REASONS)
        return;
    if (i == folded->parts) {
        folded->parts++;
        folded->part[i].outcome = outcome;
        folded->part[i].code = code;
        format_text(folded->part[i].reason, sizeof(folded->part[i].reason), "%s", reason);
    }
    cpu_set_add(&folded->part[i].cpus, cpu);
}

static bool same_failure(const struct check *a, const struct check *b)
{
    return a->outcome == b->outcome && a->kind == b->kind && a->msr == b->msr && a->bit == b->bit && a->got == b->got &&
           a->want == b->want && a->high == b->high && !strcmp(a->label, b->label);
}

void fold_failure(struct folded *folded, const struct check *check, u32 cpu)
{
    unsigned i = 0;
    while (i < folded->failures && !same_failure(&folded->failure[i].check, check))
        i++;
    if (i == FOLDED_FAILURES) {
        folded->failures_dropped++;
        return;
    }
    struct folded_failure *row = &folded->failure[i];
    if (i == folded->failures) {
        folded->failures++;
        row->check = *check;
    } else {
        row->check.held += check->held;
        row->check.failed += check->failed;
        cell_set_add(&row->check.failed_in, &check->failed_in);
        cell_set_add(&row->check.held_in, &check->held_in);
    }
    cpu_set_add(&row->cpus, cpu);
}

static void add_measure(struct folded *folded, const struct measurement *measure, u32 cpu, u32 group)
{
    unsigned i = 0;
    while (i < folded->measures &&
           (folded->measure[i].group != group || strcmp(folded->measure[i].name, measure->name)))
        i++;
    if (i == FOLDED_MEASURES)
        return;
    struct folded_measure *row = &folded->measure[i];
    if (i == folded->measures) {
        folded->measures++;
        row->name = measure->name;
        row->unit = measure->unit;
        row->group = group;
    }
    histogram_merge(&row->histogram, &measure->histogram);
    cpu_set_add(&row->cpus, cpu);
}

static void add_note(struct folded *folded, const struct note *note, u32 cpu)
{
    unsigned i = 0;
    while (i < folded->notes && !note_same(&folded->note[i].note, note))
        i++;
    if (i == FOLDED_NOTES) {
        folded->notes_dropped++;
        return;
    }
    if (i == folded->notes)
        folded->note[folded->notes++].note = *note;
    cpu_set_add(&folded->note[i].cpus, cpu);
}

/* A skip on some CPUs does not hide what the others found: it counts only if all skip. */
static void add_outcome(struct folded *folded, enum outcome outcome, enum reason code, const char *reason, u32 cpu)
{
    bool skipped = outcome == OUTCOME_SKIP, only_skips = folded->skipped == folded->cpus;
    if (skipped || outcome == OUTCOME_ERROR)
        add_part(folded, outcome, code, reason, cpu);
    if (!skipped && only_skips)
        folded->outcome = OUTCOME_NONE;
    if (!skipped || only_skips)
        raise_folded(folded, outcome, code, reason);
    folded->skipped += skipped;
    folded->cpus++;
}

static void add_label(struct folded *folded, const struct check *check, u32 group)
{
    unsigned i = 0;
    while (i < folded->labels && strcmp(folded->label[i].label, check->label))
        i++;
    if (i == FOLDED_LABELS)
        return;
    if (i == folded->labels)
        folded->label[folded->labels++] = (struct folded_label){.label = check->label};
    folded->label[i].groups |= 1u << group % 32;
    folded->label[i].failed |= check->failed;
    folded->groups |= 1u << group % 32;
}

bool fold_held(const struct folded *folded, const struct folded_label *label)
{
    return !label->failed && label->groups == folded->groups;
}

void fold_add(struct folded *folded, const struct results *results, u32 cpu, u32 group)
{
    if (!folded->cpus || results->repeats < folded->repeats)
        folded->repeats = results->repeats;
    if (results->discarded > folded->discarded)
        folded->discarded = results->discarded;
    add_outcome(folded, results->outcome, results->code, results->reason, cpu);
    for (unsigned i = 0; i < results->checks; i++)
        if (results->check[i].failed)
            fold_failure(folded, &results->check[i], cpu);
    for (unsigned i = 0; i < results->checks; i++)
        add_label(folded, &results->check[i], group);
    for (unsigned i = 0; i < results->measures; i++)
        add_measure(folded, &results->measure[i], cpu, group);
    for (unsigned i = 0; i < results->notes; i++)
        add_note(folded, &results->note[i], cpu);
    folded->notes_dropped += results->notes_dropped;
}

void fold_doubt(struct folded *folded, const char *reason)
{
    raise_folded(folded, OUTCOME_REVIEW, REASON_NONE, reason);
}

void fold_lost(struct folded *folded, u32 cpu, enum reason code, const char *reason)
{
    add_outcome(folded, OUTCOME_ERROR, code, reason, cpu);
}

static bool same_but_bit(const struct folded_failure *a, const struct folded_failure *b)
{
    struct check other = b->check;
    if (a->check.bit == NO_BIT || other.bit == NO_BIT || !a->check.msr || memcmp(&a->cpus, &b->cpus, sizeof(a->cpus)))
        return false;
    other.bit = a->check.bit;
    return same_failure(&a->check, &other);
}

bool fold_with_earlier(const struct folded *folded, unsigned i, u64 *others)
{
    *others = 0;
    for (unsigned k = 0; k < folded->failures; k++) {
        if (k == i || !same_but_bit(&folded->failure[i], &folded->failure[k]))
            continue;
        if (k < i)
            return true;
        *others |= BIT(folded->failure[k].check.bit);
    }
    return false;
}

void fold_skipped(struct folded *folded, const char *reason)
{
    raise_folded(folded, OUTCOME_SKIP, REASON_NONE, reason);
}
