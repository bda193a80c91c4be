#include "harness/mode/runs.h"
#include "kernel/text/format.h"
#include "kernel/text/glob.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"
#include "pmu/reference/deviations/deviations.h"
#include "pmu/reference/dumps/dumps.h"
#include "pmu/reference/model/profile.h"

static void append(char *text, size_t size, const char *word)
{
    size_t length = strlen(text);
    if (length < size)
        format_text(text + length, size - length, " %s", word);
}

static bool unknown_profile(const char *name, char *error)
{
    format_text(error, RUNS_ERROR_SIZE,
                "no reference profile or signature %s; the option `list` names all dumped CPUs; profiles: all", name);
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

/* What a name in reference= stands for. */
struct named {
    const struct profile *profile;
    const struct dumped_cpu *dump;
};

static bool add_run(struct runs *runs, struct named named, int deviation, u32 rate, char *error)
{
    if (runs->count == RUNS_MAX) {
        format_text(error, RUNS_ERROR_SIZE, "more than %u runs", RUNS_MAX);
        return false;
    }
    runs->run[runs->count++] =
        (struct pmu_run){.profile = named.profile, .deviation = deviation, .rate = rate, .dump = named.dump};
    return true;
}

static bool add_reference(struct runs *runs, struct named named, const char *defect, char *error)
{
    char item[64];
    u32 rate;
    int deviation;
    if (!defect[0])
        return add_run(runs, named, -1, 1, error);
    while (list_next(&defect, item, sizeof(item)))
        if (!parse_deviation(item, &deviation, &rate, error) || !add_run(runs, named, deviation, rate, error))
            return false;
    return true;
}

static bool add_all(struct runs *runs, const char *defect, char *error)
{
    for (unsigned i = 0; i < profile_count; i++)
        if (!add_reference(runs, (struct named){profiles[i], NULL}, defect, error))
            return false;
    return true;
}

static bool add_dump(struct runs *runs, const struct dumped_cpu *cpu, const char *defect, char *error)
{
    return add_reference(runs, (struct named){dump_like(cpu), cpu}, defect, error);
}

/* "corpus" or "corpus:K/N"; false: it is neither. */
static bool parse_corpus(const char *name, u64 *part, u64 *parts)
{
    static const char word[] = "corpus";
    *part = *parts = 1;
    for (const char *w = word; *w; w++)
        if (*name++ != *w)
            return false;
    if (!*name)
        return true;
    const char *rest = *name == ':' ? number_parse(name + 1, part) : NULL;
    rest = rest && *rest == '/' ? number_parse(rest + 1, parts) : NULL;
    return rest && !*rest && *part && *parts >= *part;
}

static bool add_corpus(struct runs *runs, u64 part, u64 parts, const char *defect, char *error)
{
    for (u64 i = part - 1; i < dumped_cpu_count; i += parts)
        if (!add_dump(runs, &dumped_cpus[i], defect, error))
            return false;
    return true;
}

/* "906ed", "906ea.2"; false: it is no such text. */
static bool parse_signature(const char *name, u32 *signature, u64 *number)
{
    unsigned digits = 0;
    for (*signature = 0; digits < 8 && ((*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'f'));
         name++, digits++)
        *signature = *signature << 4 | (u32)(*name <= '9' ? *name - '0' : *name - 'a' + 10);
    *number = 0;
    const char *rest = *name == '.' ? number_parse(name + 1, number) : name;
    return digits && rest && !*rest;
}

static bool add_signature(struct runs *runs, const char *name, const char *defect, char *error)
{
    unsigned before = runs->count;
    u32 signature;
    u64 number;
    for (unsigned i = 0; i < dumped_cpu_count && parse_signature(name, &signature, &number); i++)
        if (dumped_cpus[i].signature == signature && (!number || dumped_cpus[i].number == number) &&
            !add_dump(runs, &dumped_cpus[i], defect, error))
            return false;
    return runs->count > before || unknown_profile(name, error);
}

static bool add_named(struct runs *runs, const char *name, const char *defect, char *error)
{
    const struct profile *profile = model_profile(name);
    u64 part, parts;
    if (!strcmp(name, "all"))
        return add_all(runs, defect, error);
    if (profile)
        return add_reference(runs, (struct named){profile, NULL}, defect, error);
    if (parse_corpus(name, &part, &parts))
        return add_corpus(runs, part, parts, defect, error);
    return add_signature(runs, name, defect, error);
}

bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error)
{
    char name[64];
    runs->count = 0;
    if (!reference[0]) {
        if (!defect[0])
            return add_run(runs, (struct named){NULL, NULL}, -1, 1, error);
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

const struct profile *run_profile(const struct pmu_run *run)
{
    static struct profile room[DUMPED_CORES_MOST];
    return run->dump ? dump_profile(run->dump, room) : run->profile;
}

/* "906ed", "906ea.2" */
static const char *dump_name(const struct dumped_cpu *cpu, char *text)
{
    if (cpu->number > 1)
        format_text(text, RUN_NAME_SIZE, "%x.%u", cpu->signature, cpu->number);
    else
        format_text(text, RUN_NAME_SIZE, "%x", cpu->signature);
    return text;
}

bool runs_reference(unsigned n, char *line, size_t size)
{
    char name[RUN_NAME_SIZE];
    if (n < profile_count) {
        format_text(line, size, "# profile %s signature=%08x brand=\"%s\"", model_profile_name(profiles[n]),
                    profiles[n]->signature, profiles[n]->brand);
        return true;
    }
    if (n - profile_count >= dumped_cpu_count)
        return false;
    const struct dumped_cpu *cpu = &dumped_cpus[n - profile_count];
    format_text(line, size, "# dumped-cpu %s name=%s kinds=%u like=%s", dump_name(cpu, name), cpu->name, cpu->cores,
                model_profile_name(dump_like(cpu)));
    return true;
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
    char dump[RUN_NAME_SIZE];
    const char *name = run->dump ? dump_name(run->dump, dump) : run->profile ? model_profile_name(run->profile) : NULL;
    if (!name)
        format_text(text, RUN_NAME_SIZE, "hardware");
    else if (run->deviation < 0)
        format_text(text, RUN_NAME_SIZE, "reference:%s", name);
    else if (run->rate > 1)
        format_text(text, RUN_NAME_SIZE, "reference:%s+%s:%u", name, deviations[run->deviation]->name, run->rate);
    else
        format_text(text, RUN_NAME_SIZE, "reference:%s+%s", name, deviations[run->deviation]->name);
    return text;
}
