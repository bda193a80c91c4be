/* SPDX-License-Identifier: BSD-2-Clause */
/* What a proof runs, from the tables of the reference PMU: on which profiles, and each defect in which variants. */
#include "kernel/text/text.h"
#include "pmu/cpu/class.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/prove.h"
#include "reference/model/profile.h"

static unsigned add_profile(const struct profile *list[LEGS_MAX], unsigned count, const struct profile *profile)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == profile)
            return count;
    if (profile && count < LEGS_MAX)
        list[count++] = profile;
    return count;
}

/* A deviation that does not show on the proof's profile names one on which it shows. */
static const struct profile *shown_on(const struct profile *own, const char *name)
{
    const struct profile *other = name ? model_profile(name) : NULL;
    return other ? other : own;
}

#define MODEL(signature) (((signature) >> 12 & 0xf0) | ((signature) >> 4 & 0xf))

/* All CPUs with errata here are of family 6. */
static enum cpu_class class_of(u32 signature)
{
    return cpu_class(&(struct pmu_caps){.intel = true, .family = 6, .model = MODEL(signature)});
}

/* A CPU with an erratum has the PMU of its class, unless the row names another profile. */
static const struct profile *like_row(const struct profile *own, const struct deviation_erratum *row)
{
    enum cpu_class class = class_of(row->signature);
    if (row->profile || class_of(own->signature) == class)
        return shown_on(own, row->profile);
    for (unsigned i = 0; i < profile_count; i++)
        if (class_of(profiles[i]->signature) == class)
            return profiles[i];
    return own;
}

static unsigned errata_of(int deviation)
{
    unsigned count = 0;
    while (deviation_erratum(deviations[deviation], count))
        count++;
    return count;
}

/* Row n of the errata that the defect mimics, and of those that must not hide it. */
static const struct deviation_erratum *row_of(unsigned deviation, unsigned n)
{
    unsigned mimicked = errata_of((int)deviation);
    return deviations[deviation]->kind != KIND_DEFECT ? NULL
           : n < mimicked                             ? deviation_erratum(deviations[deviation], n)
                                                      : deviation_not_by(deviations[deviation], n - mimicked);
}

unsigned legs_profiles(const struct profile *own, const int *list, unsigned count, const struct profile *on[LEGS_MAX])
{
    unsigned found = add_profile(on, 0, own);
    for (unsigned i = 0; i < count; i++)
        found = add_profile(on, found, shown_on(own, deviations[list[i]]->profile));
    for (unsigned i = 0; i < count; i++)
        for (const char *const *name = deviations[list[i]]->elsewhere; *name; name++)
            found = add_profile(on, found, model_profile(*name));
    for (unsigned i = 0; i < count; i++)
        for (unsigned n = 0; row_of((unsigned)list[i], n); n++)
            found = add_profile(on, found, like_row(own, row_of((unsigned)list[i], n)));
    return found;
}

static bool names_counter(const char *list, u8 counter)
{
    char name[16];
    size_t length;
    format_text(name, sizeof(name), counter > 32 ? "fixed%u" : "%u", (counter - 1u) % 32);
    while (list && *list) {
        for (length = 0; list[length] && list[length] != ' '; length++)
            ;
        if (length == strlen(name) && !strncmp(list, name, length))
            return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

static bool plain_leg(const struct profile *own, int deviation, struct leg *leg)
{
    leg->kind = LEG_PLAIN;
    leg->run =
        (struct pmu_run){.profile = shown_on(own, deviations[deviation]->profile), .deviation = deviation, .rate = 1};
    format_text(leg->name, sizeof(leg->name), "%s", deviations[deviation]->name);
    return true;
}

static bool elsewhere_leg(int deviation, const char *profile, struct leg *leg)
{
    leg->kind = LEG_ELSEWHERE;
    leg->run = (struct pmu_run){.profile = model_profile(profile), .deviation = deviation, .rate = 1};
    format_text(leg->name, sizeof(leg->name), "%s@%s", deviations[deviation]->name, profile);
    return true;
}

static bool names_profile(const struct deviation *d, const struct profile *profile)
{
    bool named = d->profile && model_profile(d->profile) == profile;
    for (const char *const *name = d->elsewhere; *name; name++)
        named |= model_profile(*name) == profile;
    return named;
}

bool leg_alone(const struct profile *own, int deviation, struct leg *leg)
{
    const struct deviation *d = deviations[deviation];
    bool named = names_profile(d, own), legal = d->kind == KIND_DEFECT || named || !d->profile;
    leg->unseen = !named; /* no whole proof has shown it there */
    return legal && !d->known_only && !d->registers && elsewhere_leg(deviation, model_profile_name(own), leg);
}

static bool thorough_leg(const struct profile *own, int deviation, const char *elsewhere, struct leg *leg)
{
    const struct deviation *d = deviations[deviation];
    const struct profile *profile = shown_on(own, elsewhere ? elsewhere : d->profile);
    leg->kind = LEG_THOROUGH;
    leg->run = (struct pmu_run){.profile = profile, .deviation = deviation, .rate = 1};
    format_text(leg->name, sizeof(leg->name), "%s@%s+normal", d->name, model_profile_name(profile));
    return true;
}

static bool rare_leg(const struct profile *own, int deviation, struct leg *leg)
{
    plain_leg(own, deviation, leg);
    leg->kind = LEG_RARE;
    leg->run.rate = DEVIATION_RARE;
    format_text(leg->name, sizeof(leg->name), "%s:%u+normal", deviations[deviation]->name, leg->run.rate);
    return true;
}

static bool erratum_leg(const struct profile *own, int deviation, const struct deviation_erratum *row, struct leg *leg)
{
    leg->kind = LEG_ERRATUM;
    leg->run = (struct pmu_run){.profile = like_row(own, row), .deviation = deviation, .rate = 1, .erratum = row};
    format_text(leg->name, sizeof(leg->name), "%s@%08x", deviations[deviation]->name, row->signature);
    return true;
}

/* Named with its microcode too, because another microcode of the CPU may have the erratum fixed. */
static bool not_by_leg(const struct profile *own, int deviation, const struct deviation_erratum *row, struct leg *leg)
{
    leg->kind = LEG_NOT_BY;
    leg->run = (struct pmu_run){.profile = like_row(own, row), .deviation = deviation, .rate = 1, .erratum = row};
    format_text(leg->name, sizeof(leg->name), "%s@%08x:%x", deviations[deviation]->name, row->signature,
                row->microcode);
    return true;
}

/* The counters of all the profile's kinds of cores, as bits of GLOBAL_CTRL. */
static u64 counters_of(const struct profile *profile)
{
    u64 counters = 0;
    for (; profile; profile = profile->second)
        counters |= (BIT(profile->gp_count) - 1) | (u64)profile->fixed_bitmap << 32;
    return counters;
}

static void on_counter(const struct profile *profile, int deviation, u8 counter, struct leg *leg)
{
    char place[RUN_PLACE_SIZE];
    leg->kind = LEG_COUNTER;
    leg->run = (struct pmu_run){.profile = profile, .deviation = deviation, .rate = 1};
    leg->run.place.counter = counter;
    leg->unseen = names_counter(deviations[deviation]->unseen, counter);
    format_text(leg->name, sizeof(leg->name), "%s(%s)", deviations[deviation]->name, run_place(&leg->run, place));
}

/* Counter n of the profile on which the defect shows, then counters of further profiles that no earlier one has. */
static bool counter_leg(const struct profile *own, int deviation, unsigned *n, struct leg *leg)
{
    const struct deviation *d = deviations[deviation];
    const struct profile *profile = shown_on(own, d->profile);
    const char *const *elsewhere = d->elsewhere;
    for (u64 had = 0; profile; profile = *elsewhere ? model_profile(*elsewhere++) : NULL) {
        u64 more = counters_of(profile) & ~had;
        had |= more;
        for (; more; more &= more - 1)
            if (!(*n)--) {
                on_counter(profile, deviation, (u8)(1 + __builtin_ctzll(more)), leg);
                return true;
            }
    }
    return false;
}

/* ---- One register */

static u32 no_entry(void *context)
{
    (void)context;
    return 0;
}

static void entry_written(void *context, u32 value)
{
    (void)context, (void)value;
}

static u64 no_time(void *context)
{
    (void)context;
    return 0;
}

/* The registers of the table that a good PMU with this profile has, a bit each. */
static u64 registers_of(const struct profile *profile)
{
    static _Alignas(16) u8 room[MODEL_SIZE_MOST];
    static const struct model_host host = {.lvtpc_read = no_entry, .lvtpc_write = entry_written, .time = no_time};
    const struct model_setup setup = {.profile = profile, .cpus = 1};
    struct model *m = (struct model *)(void *)room;
    u64 have = 0, value;
    u32 msr;
    model_reset(m, &setup, &host);
    for (unsigned n = 0; n < 64 && deviation_register(n, &msr); n++)
        have |= model_rdmsr(m, msr, &value) ? BIT(n) : 0;
    return have;
}

/* Register n of those that the profile has. No test needs to notice it: a proof tells those that none notices. */
static bool register_leg(const struct profile *own, int deviation, unsigned n, struct leg *leg)
{
    static const struct profile *asked;
    static u64 have;
    char place[RUN_PLACE_SIZE];
    const struct profile *profile = shown_on(own, deviations[deviation]->profile);
    have = asked == profile ? have : registers_of(profile);
    asked = profile;
    u64 left = have;
    for (; left && n; n--)
        left &= left - 1;
    if (!left)
        return false;
    leg->kind = LEG_REGISTER;
    leg->unseen = true;
    leg->run = (struct pmu_run){.profile = profile, .deviation = deviation, .rate = 1};
    leg->run.place.member = (u8)(1 + __builtin_ctzll(left));
    format_text(leg->name, sizeof(leg->name), "%s(%s)", deviations[deviation]->name, run_place(&leg->run, place));
    return true;
}

bool leg_of(const struct profile *own, int deviation, unsigned n, struct leg *leg)
{
    const struct deviation *d = deviations[deviation];
    const char *const *elsewhere = d->elsewhere;
    leg->unseen = false;
    if (d->registers)
        return register_leg(own, deviation, n, leg);
    if (!d->known_only && !n--)
        return plain_leg(own, deviation, leg);
    for (; *elsewhere && !d->each; elsewhere++)
        if (!n--)
            return elsewhere_leg(deviation, *elsewhere, leg);
    if (d->thorough && !n--)
        return thorough_leg(own, deviation, elsewhere > d->elsewhere ? elsewhere[-1] : NULL, leg);
    if (d->rare && !n--)
        return rare_leg(own, deviation, leg);
    if (d->each && counter_leg(own, deviation, &n, leg))
        return true;
    const struct deviation_erratum *row = deviation_erratum(d, n);
    if (row)
        return erratum_leg(own, deviation, row, leg);
    row = deviation_not_by(d, n - errata_of(deviation));
    return row && not_by_leg(own, deviation, row, leg);
}
