#include "harness/mode/legs.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"
#include "pmu/reference/model/profile.h"

static unsigned add_profile(const struct profile *list[LEGS_MAX], unsigned count, const struct profile *profile)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == profile)
            return count;
    if (profile && count < LEGS_MAX)
        list[count++] = profile;
    return count;
}

unsigned legs_profiles(const struct profile *own, const struct profile *list[LEGS_MAX])
{
    unsigned count = add_profile(list, 0, own);
    for (unsigned i = 0; i < model_deviation_count; i++)
        if (model_deviations[i].defect && model_deviations[i].profile)
            count = add_profile(list, count, profile_find(model_deviations[i].profile));
    for (unsigned i = 0; i < model_elsewhere_count; i++)
        count = add_profile(list, count, profile_find(model_elsewhere[i].profile));
    return count;
}

/* A deviation that does not show on the proof's profile names one on which it does. */
static const struct profile *shown_on(const struct profile *own, const char *name)
{
    const struct profile *other = name ? profile_find(name) : NULL;
    return other ? other : own;
}

static bool plain_leg(const struct profile *own, int deviation, struct leg *leg)
{
    leg->kind = LEG_PLAIN;
    leg->run = (struct pmu_run){
        .profile = shown_on(own, model_deviations[deviation].profile), .deviation = deviation, .rate = 1};
    format_text(leg->name, sizeof(leg->name), "%s", model_deviations[deviation].name);
    return true;
}

static bool elsewhere_leg(const struct model_elsewhere *row, struct leg *leg)
{
    leg->kind = LEG_ELSEWHERE;
    leg->run = (struct pmu_run){.profile = profile_find(row->profile), .deviation = row->deviation, .rate = 1};
    format_text(leg->name, sizeof(leg->name), "%s@%s", model_deviations[row->deviation].name, row->profile);
    return true;
}

static bool erratum_leg(const struct profile *own, const struct model_erratum *row, struct leg *leg)
{
    leg->kind = LEG_ERRATUM;
    leg->run = (struct pmu_run){shown_on(own, row->profile), row->deviation, 1, row};
    format_text(leg->name, sizeof(leg->name), "%s@%08x", model_deviations[row->deviation].name, row->signature);
    return true;
}

bool leg_of(const struct profile *own, int deviation, unsigned n, struct leg *leg)
{
    if (!n--)
        return plain_leg(own, deviation, leg);
    for (unsigned i = 0; i < model_elsewhere_count; i++)
        if (model_elsewhere[i].deviation == deviation && !n--)
            return elsewhere_leg(&model_elsewhere[i], leg);
    for (unsigned i = 0; i < model_erratum_count; i++)
        if (model_errata[i].deviation == deviation && !n--)
            return erratum_leg(own, &model_errata[i], leg);
    return false;
}
