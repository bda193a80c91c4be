/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/errata_book.h"
#include "harness/core/judge.h"

void errata_book_clear(struct errata_book *book)
{
    *book = (struct errata_book){0};
}

static struct erratum_tally *of_group(struct errata_book *book, u32 group)
{
    unsigned place = 0;
    while (place < book->groups && book->group[place] != group)
        place++;
    if (place == ERRATA_GROUPS)
        return NULL;
    if (place == book->groups)
        book->group[book->groups++] = group;
    return book->tally[place];
}

static void note_check(struct erratum_tally *tally, enum erratum_fact_id fact, const struct symptom *symptom,
                       const struct check *check, const char *test)
{
    if (!erratum_would_show(fact, symptom))
        return;
    tally->asked += (u64)check->held + check->failed;
    if (!check->failed || !erratum_explains(fact, symptom))
        return;
    tally->seen += check->failed;
    if (!tally->test)
        tally->test = test;
}

void errata_book_note(struct errata_book *book, const struct pmu_caps *caps, u32 group, const char *test,
                      const struct results *results)
{
    struct erratum_tally *tally = of_group(book, group);
    for (unsigned fact = 0; tally && fact < ERRATUM_FACTS; fact++) {
        bool listed = erratum_listed(&erratum_facts[fact], caps);
        for (unsigned i = 0; listed && i < results->checks; i++) {
            const struct symptom symptom = judge_symptom(results, &results->check[i], caps);
            note_check(&tally[fact], (enum erratum_fact_id)fact, &symptom, &results->check[i], test);
        }
    }
}

unsigned errata_book_size(void)
{
    return ERRATUM_FACTS + erratum_other_count;
}

/* The observation counts more than the microcode: an erratum that was seen is not fixed. */
static enum erratum_state state_of(const struct erratum_fact *fact, const struct pmu_caps *caps,
                                   const struct erratum_tally *tally)
{
    bool fixed = erratum_fixed(fact, caps);
    if (!erratum_in_state(fact, caps))
        return ERRATUM_NOT_HERE;
    if (tally->seen)
        return fixed ? ERRATUM_NOT_FIXED : ERRATUM_SEEN;
    if (fixed)
        return ERRATUM_FIXED;
    return tally->asked ? ERRATUM_NOT_SEEN : ERRATUM_NOT_PROVOKED;
}

static void judged_entry(const struct errata_book *book, unsigned group, const struct pmu_caps *caps, unsigned fact,
                         struct erratum_entry *entry)
{
    if (group < book->groups)
        entry->tally = book->tally[group][fact];
    entry->state = state_of(&erratum_facts[fact], caps, &entry->tally);
}

static void other_entry(const struct erratum_other *other, const struct pmu_caps *caps, struct erratum_entry *entry)
{
    bool met = other->why == MEASURED || other->why == ALLOWED;
    entry->why = other->why;
    entry->state = !erratum_in_state(&other->fact, caps) ? ERRATUM_NOT_HERE
                   : erratum_fixed(&other->fact, caps)   ? ERRATUM_FIXED
                   : met                                 ? ERRATUM_NOT_JUDGED
                                                         : ERRATUM_NOT_PROVOKED;
}

bool errata_book_entry(const struct errata_book *book, unsigned group, const struct pmu_caps *caps, unsigned index,
                       struct erratum_entry *entry)
{
    bool judged = index < ERRATUM_FACTS;
    const struct erratum_fact *fact = judged ? &erratum_facts[index] : &erratum_others[index - ERRATUM_FACTS].fact;
    *entry = (struct erratum_entry){.number = erratum_listed(fact, caps), .area = fact->area};
    if (!entry->number)
        return false;
    if (judged)
        judged_entry(book, group, caps, index, entry);
    else
        other_entry(&erratum_others[index - ERRATUM_FACTS], caps, entry);
    return true;
}

const char *erratum_state_name(enum erratum_state state)
{
    static const char *const names[ERRATUM_STATES] = {
        [ERRATUM_SEEN] = "seen",
        [ERRATUM_NOT_SEEN] = "not-seen",
        [ERRATUM_FIXED] = "fixed",
        [ERRATUM_NOT_FIXED] = "not-fixed",
        [ERRATUM_NOT_HERE] = "not-here",
        [ERRATUM_NOT_PROVOKED] = "not-provoked",
        [ERRATUM_NOT_JUDGED] = "not-judged",
    };
    return names[state];
}

const char *errata_why_name(enum errata_why why)
{
    static const char *const names[ERRATA_WHYS] = {
        [JUDGED] = "no-check",   [UNUSED] = "unused",       [UNCOUNTED] = "uncounted", [UNPROVOKED] = "condition",
        [MEASURED] = "measured", [ALLOWED] = "allowed-for", [PREVENTED] = "prevented",
    };
    return names[why];
}
