#include "harness/mode/runs.h"
#include "kernel/text/format.h"
#include "kernel/text/glob.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"
#include "pmu/reference/deviations/deviations.h"
#include "pmu/reference/model/profile.h"

static void append(char *text, size_t size, const char *word)
{
    size_t length = strlen(text);
    if (length < size)
        format_text(text + length, size - length, " %s", word);
}

static bool unknown_profile(const char *name, char *error)
{
    format_text(error, RUNS_ERROR_SIZE, "no reference profile %s; there are: all", name);
    for (unsigned i = 0; i < profile_count; i++)
        append(error, RUNS_ERROR_SIZE, model_profile_name(profiles[i]));
    return false;
}

/* There are too many of them for a line. */
static bool unknown_deviation(const char *name, char *error)
{
    format_text(error, RUNS_ERROR_SIZE, "no defect or variation %s (the option `list` names them)", name);
    return false;
}

/* "NAME" or "NAME:N" */
static bool parse_deviation(char *item, int *deviation, u32 *rate, char *error)
{
    *rate = 1;
    for (char *p = item; *p; p++) {
        if (*p != ':')
            continue;
        u64 number = 0;
        const char *rest = number_parse(p + 1, &number);
        if (!rest || *rest || !number || number > ~0u) {
            format_text(error, RUNS_ERROR_SIZE, "defect=%s: a rate is a number from 1", item);
            return false;
        }
        *rate = (u32)number;
        *p = 0;
        break;
    }
    *deviation = deviation_find(item);
    return *deviation >= 0 || unknown_deviation(item, error);
}

static bool add_run(struct runs *runs, const struct profile *profile, int deviation, u32 rate, char *error)
{
    if (runs->count == RUNS_MAX) {
        format_text(error, RUNS_ERROR_SIZE, "more than %u runs", RUNS_MAX);
        return false;
    }
    runs->run[runs->count++] = (struct pmu_run){profile, deviation, rate, NULL};
    return true;
}

static bool add_profile(struct runs *runs, const struct profile *profile, const char *defect, char *error)
{
    char item[64];
    u32 rate;
    int deviation;
    if (!defect[0])
        return add_run(runs, profile, -1, 1, error);
    while (list_next(&defect, item, sizeof(item)))
        if (!parse_deviation(item, &deviation, &rate, error) || !add_run(runs, profile, deviation, rate, error))
            return false;
    return true;
}

static bool add_named(struct runs *runs, const char *name, const char *defect, char *error)
{
    const struct profile *profile = model_profile(name);
    if (!strcmp(name, "all")) {
        for (unsigned i = 0; i < profile_count; i++)
            if (!add_profile(runs, profiles[i], defect, error))
                return false;
        return true;
    }
    return profile ? add_profile(runs, profile, defect, error) : unknown_profile(name, error);
}

bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error)
{
    char name[64];
    runs->count = 0;
    if (!reference[0]) {
        if (!defect[0])
            return add_run(runs, NULL, -1, 1, error);
        format_text(error, RUNS_ERROR_SIZE, "defect= needs reference=PROFILE");
        return false;
    }
    while (list_next(&reference, name, sizeof(name)))
        if (!add_named(runs, name, defect, error))
            return false;
    if (runs->count)
        return true;
    format_text(error, RUNS_ERROR_SIZE, "reference= or defect= names nothing");
    return false;
}

const char *runs_default_profile(void)
{
    return model_profile_name(profiles[0]);
}

struct deviating run_deviating(const struct pmu_run *run)
{
    return (struct deviating){
        .deviation = run->deviation < 0 ? NULL : deviations[run->deviation],
        .rate = run->rate,
        .erratum = run->erratum,
    };
}

const char *run_name(const struct pmu_run *run, char *text)
{
    if (!run->profile)
        format_text(text, RUN_NAME_SIZE, "hardware");
    else if (run->deviation < 0)
        format_text(text, RUN_NAME_SIZE, "reference:%s", model_profile_name(run->profile));
    else if (run->rate > 1)
        format_text(text, RUN_NAME_SIZE, "reference:%s+%s:%u", model_profile_name(run->profile),
                    deviations[run->deviation]->name, run->rate);
    else
        format_text(text, RUN_NAME_SIZE, "reference:%s+%s", model_profile_name(run->profile),
                    deviations[run->deviation]->name);
    return text;
}
