/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/mode/runs.h"
#include "kernel/text/text.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"
#include "reference/model/profile.h"

#define FIXED_BIT 32u /* bit of fixed counter 0 in GLOBAL_CTRL */
#define RING_0 1
#define RING_3 2
#define LAST_CPU 254u

static void append(char *text, size_t size, const char *word)
{
    size_t length = strlen(text);
    if (length < size)
        format_text(text + length, size - length, " %s", word);
}

static bool unknown_profile(const char *name, char *error)
{
    format_text(error, RUN_ERROR_SIZE,
                "no reference profile or signature %s; the option `list` names all dumped CPUs; profiles: all", name);
    for (unsigned i = 0; i < profile_count; i++)
        append(error, RUN_ERROR_SIZE, model_profile_name(profiles[i]));
    return false;
}

/* The line does not name them all: there are too many. */
static bool unknown_deviation(const char *name, char *error)
{
    format_text(error, RUN_ERROR_SIZE, "no defect or variation %s (the option `list` names them)", name);
    return false;
}

/* ---- "NAME", "NAME:N", "NAME(PLACE/PLACE):N" */

static bool parse_number(const char *text, u64 *number)
{
    const char *rest = number_parse(text, number);
    return rest && !*rest;
}

static bool parse_counter(const char *text, struct deviation_place *place)
{
    static const char fixed[] = "fixed";
    u64 number;
    bool is_fixed = !strncmp(text, fixed, strlen(fixed));
    if (!parse_number(text + (is_fixed ? strlen(fixed) : 0), &number) || number >= FIXED_BIT)
        return false;
    place->counter = (u8)(1 + number + (is_fixed ? FIXED_BIT : 0));
    return true;
}

static bool parse_ring(const char *text, struct deviation_place *place)
{
    place->rings = !strcmp(text, "0") ? RING_0 : RING_3;
    return place->rings == RING_0 || !strcmp(text, "3");
}

static bool parse_cpu(const char *text, struct deviation_place *place)
{
    u64 number = LAST_CPU;
    if (strcmp(text, "last") && (!parse_number(text, &number) || number >= LAST_CPU))
        return false;
    place->cpu = (u8)(1 + number);
    return true;
}

/* "906ed", "906ea.2"; false for any other text. */
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

/* The CPU whose erratum the deviation mimics, if its class is that of the run's profile. */
static bool parse_as(const char *text, struct pmu_run *run)
{
    u32 signature;
    u64 number;
    const struct deviation_erratum *row;
    if (!parse_signature(text, &signature, &number) || run->dump)
        return false;
    for (unsigned n = 0; (row = deviation_erratum(deviations[run->deviation], n)); n++) {
        const char *profile = row->profile ? row->profile : runs_default_profile();
        if (row->signature == signature && !strcmp(profile, run->profile->name))
            run->erratum = row;
    }
    return run->erratum;
}

/* The deviation's own parameter has a range. */
static bool parse_parameter(const char *text, const struct deviation_parameter *parameter, u64 *value)
{
    return parse_number(text, value) && *value >= parameter->least && *value <= parameter->most;
}

static bool parse_condition(const char *text, struct deviation_place *place)
{
    for (unsigned n = 0; deviation_condition(n); n++)
        if (!strcmp(deviation_condition(n), text))
            place->only = (u8)(1 + n);
    return place->only;
}

static bool parse_register(const char *text, struct deviation_place *place)
{
    uint32_t first;
    for (unsigned n = 0; deviation_register(n, &first); n++)
        if (!strcmp(deviation_register(n, &first), text))
            place->member = (u8)(1 + n);
    return place->member;
}

static bool parse_from(const char *text, struct deviation_place *place)
{
    u64 number;
    bool fits = parse_number(text, &number) && number && number <= ~0u;
    place->from = fits ? (u32)number : 0;
    return fits;
}

static bool parse_place(const char *name, const char *value, struct pmu_run *run)
{
    const struct deviation *d = deviations[run->deviation];
    if (!strcmp(name, "counter"))
        return deviation_narrows(d, true, false) && parse_counter(value, &run->place);
    if (!strcmp(name, "ring"))
        return deviation_narrows(d, false, true) && parse_ring(value, &run->place);
    if (!strcmp(name, "cpu"))
        return parse_cpu(value, &run->place);
    if (!strcmp(name, "register"))
        return deviation_narrows_to_register(d) && parse_register(value, &run->place);
    if (!strcmp(name, "while"))
        return deviation_waits(d) && parse_condition(value, &run->place);
    if (!strcmp(name, "from"))
        return deviation_waits(d) && parse_from(value, &run->place);
    if (!strcmp(name, "as"))
        return parse_as(value, run);
    return d->parameter.name && !strcmp(name, d->parameter.name) &&
           parse_parameter(value, &d->parameter, &run->parameter);
}

/* The text between the parentheses, which is split in place. */
static bool parse_places(char *text, struct pmu_run *run, char *error)
{
    while (text) {
        char *name = text, *value = strchr(text, '='), *next = strchr(text, '/');
        text = next ? next + 1 : NULL;
        if (next)
            *next = 0;
        if (value)
            *value++ = 0;
        if (!value || !parse_place(name, value, run)) {
            format_text(error, RUN_ERROR_SIZE,
                        "defect=%s has no %s=%s; there may be: counter=3, counter=fixed1, ring=0, "
                        "ring=3, cpu=last, register=NAME, while=CONDITION, from=500, as=SIGNATURE%s%s",
                        deviations[run->deviation]->name, name, value ? value : "",
                        deviations[run->deviation]->parameter.name ? ", " : "",
                        deviations[run->deviation]->parameter.name ? deviations[run->deviation]->parameter.name : "");
            return false;
        }
    }
    return true;
}

static bool parse_rate(const char *text, const char *item, u32 *rate, char *error)
{
    u64 number;
    if (!parse_number(text, &number) || !number || number > ~0u) {
        format_text(error, RUN_ERROR_SIZE, "defect=%s: a rate is a number of 1 or more", item);
        return false;
    }
    *rate = (u32)number;
    return true;
}

static bool parse_deviation(char *item, struct pmu_run *run, char *error)
{
    char *colon = strchr(item, ':');
    if (colon && !parse_rate(colon + 1, item, &run->rate, error))
        return false;
    if (colon)
        *colon = 0;
    char *places = strchr(item, '('), *end = places ? strchr(places, ')') : NULL;
    if (end && !end[1])
        *places++ = *end = 0;
    run->deviation = deviation_find(item);
    if (run->deviation < 0)
        return unknown_deviation(item, error);
    return !end || parse_places(places, run, error);
}

/* The meaning of a name in reference=. */
struct named {
    const struct profile *profile;
    const struct dumped_cpu *dump;
};

static bool add_run(struct runs *runs, struct pmu_run run, char *error)
{
    if (runs->count == RUNS_MAX) {
        format_text(error, RUN_ERROR_SIZE, "more than %u runs", RUNS_MAX);
        return false;
    }
    runs->run[runs->count++] = run;
    return true;
}

static bool add_reference(struct runs *runs, struct named named, const char *defect, char *error)
{
    char item[96];
    struct pmu_run plain = {.profile = named.profile, .dump = named.dump, .deviation = -1, .rate = 1};
    if (!defect[0])
        return add_run(runs, plain, error);
    while (list_next(&defect, item, sizeof(item))) {
        struct pmu_run run = plain;
        if (!parse_deviation(item, &run, error) || !add_run(runs, run, error))
            return false;
    }
    return true;
}

static bool add_all(struct runs *runs, u64 part, u64 parts, const char *defect, char *error)
{
    for (u64 i = part - 1; i < profile_count; i += parts)
        if (!add_reference(runs, (struct named){profiles[i], NULL}, defect, error))
            return false;
    return true;
}

static bool add_dump(struct runs *runs, const struct dumped_cpu *cpu, const char *defect, char *error)
{
    return add_reference(runs, (struct named){dump_like(cpu), cpu}, defect, error);
}

/* "corpus" or "corpus:K/N", where `word` is "corpus" or another word; false for any other text. */
static bool parse_part(const char *name, const char *word, u64 *part, u64 *parts)
{
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

/* Does it match "906ea", of which there may be several, or "906ea.1", if its own name has no number? */
static bool goes_by(const struct dumped_cpu *cpu, u32 signature, u64 number)
{
    u32 its_signature;
    u64 its_number;
    return parse_signature(cpu->name, &its_signature, &its_number) && its_signature == signature &&
           (!number || number == (its_number ? its_number : 1));
}

static bool add_signature(struct runs *runs, const char *name, const char *defect, char *error)
{
    unsigned before = runs->count;
    u32 signature;
    u64 number;
    for (unsigned i = 0; i < dumped_cpu_count && parse_signature(name, &signature, &number); i++)
        if (goes_by(&dumped_cpus[i], signature, number) && !add_dump(runs, &dumped_cpus[i], defect, error))
            return false;
    return runs->count > before || unknown_profile(name, error);
}

static const struct profile *handed;

void runs_hand(const struct profile *profile)
{
    handed = profile;
}

static bool add_named(struct runs *runs, const char *name, const char *defect, char *error)
{
    const struct profile *profile = handed && !strcmp(handed->name, name) ? handed : model_profile(name);
    u64 part, parts;
    if (parse_part(name, "all", &part, &parts))
        return add_all(runs, part, parts, defect, error);
    if (profile)
        return add_reference(runs, (struct named){profile, NULL}, defect, error);
    if (parse_part(name, "corpus", &part, &parts))
        return add_corpus(runs, part, parts, defect, error);
    return add_signature(runs, name, defect, error);
}

bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error)
{
    char name[64];
    runs->count = 0;
    if (!reference[0]) {
        if (!defect[0])
            return add_run(runs, (struct pmu_run){.deviation = -1, .rate = 1}, error);
        format_text(error, RUN_ERROR_SIZE, "defect= needs reference=PROFILE");
        return false;
    }
    while (list_next(&reference, name, sizeof(name)))
        if (!add_named(runs, name, defect, error))
            return false;
    if (runs->count)
        return true;
    format_text(error, RUN_ERROR_SIZE, "reference= or defect= names nothing");
    return false;
}

const struct profile *run_profile(const struct pmu_run *run)
{
    static struct profile room[DUMPED_CORES_MOST];
    return run->dump ? dump_profile(run->dump, room) : run->profile;
}

bool runs_reference(unsigned n, char *line, size_t size)
{
    static struct profile room[DUMPED_CORES_MOST];
    if (n < profile_count) {
        format_text(line, size, "# profile %s signature=%08x brand=\"%s\"", model_profile_name(profiles[n]),
                    profiles[n]->signature, profiles[n]->brand);
        return true;
    }
    if (n - profile_count >= dumped_cpu_count)
        return false;
    const struct dumped_cpu *cpu = &dumped_cpus[n - profile_count];
    format_text(line, size, "# dumped-cpu %s name=%s kinds=%u like=%s", cpu->name, dump_profile(cpu, room)->brand,
                cpu->cores, model_profile_name(dump_like(cpu)));
    return true;
}

static void add_quoted(char *line, size_t size, const char *key, const char *value)
{
    char text[256];
    size_t length = strlen(line);
    format_text(line + length, size - length, " %s=%s", key, format_quoted(text, sizeof(text), value));
}

const char *runs_deviation(const struct deviation *d, char *line, size_t size)
{
    static const char *const kinds[] = {
        [KIND_DEFECT] = "defect", [KIND_VARIATION] = "variation", [KIND_HAZARD] = "hazard"};
    format_text(line, size, "# deviation %s kind=%s", d->name, kinds[d->kind]);
    add_quoted(line, size, "what", d->what);
    add_quoted(line, size, "source", d->source);
    if (d->profile)
        format_text(line + strlen(line), size - strlen(line), " profile=%s", d->profile);
    if (d->rare)
        add_quoted(line, size, "intermittent", d->meant ? d->meant : d->chapters);
    return line;
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
        .parameter = run->parameter,
        .place = run->place,
        .erratum = run->erratum,
    };
}

__attribute__((format(printf, 2, 3))) static void append_text(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    format_args(text + length, RUN_NAME_SIZE - length, format, args);
    va_end(args);
}

static void add_word(char *text, size_t size, const char *name, const char *value)
{
    size_t length = strlen(text);
    if (length < size)
        format_text(text + length, size - length, "%s%s=%s", length ? "/" : "", name, value);
}

const char *run_place(const struct pmu_run *run, char *text)
{
    const struct deviation_place *place = &run->place;
    char value[24];
    uint32_t first;
    text[0] = 0;
    if (place->counter) {
        bool fixed = place->counter > FIXED_BIT;
        format_text(value, sizeof(value), "%s%u", fixed ? "fixed" : "", (place->counter - 1u) % FIXED_BIT);
        add_word(text, RUN_PLACE_SIZE, "counter", value);
    }
    if (place->rings)
        add_word(text, RUN_PLACE_SIZE, "ring", place->rings == RING_0 ? "0" : "3");
    if (place->cpu) {
        format_text(value, sizeof(value), "%u", place->cpu - 1u);
        add_word(text, RUN_PLACE_SIZE, "cpu", place->cpu == 1 + LAST_CPU ? "last" : value);
    }
    if (place->member)
        add_word(text, RUN_PLACE_SIZE, "register", deviation_register(place->member - 1u, &first));
    if (place->only)
        add_word(text, RUN_PLACE_SIZE, "while", deviation_condition(place->only - 1u));
    if (place->from) {
        format_text(value, sizeof(value), "%u", place->from);
        add_word(text, RUN_PLACE_SIZE, "from", value);
    }
    if (run->erratum) {
        format_text(value, sizeof(value), "%x", run->erratum->signature);
        add_word(text, RUN_PLACE_SIZE, "as", value);
    }
    if (run->parameter) {
        format_text(value, sizeof(value), "%lu", run->parameter);
        add_word(text, RUN_PLACE_SIZE, deviations[run->deviation]->parameter.name, value);
    }
    return text;
}

const char *run_name(const struct pmu_run *run, char *text)
{
    char place[RUN_PLACE_SIZE];
    if (!run->profile && !run->dump) {
        format_text(text, RUN_NAME_SIZE, "hardware");
        return text;
    }
    format_text(text, RUN_NAME_SIZE, "reference:%s", run->dump ? run->dump->name : model_profile_name(run->profile));
    if (run->deviation < 0)
        return text;
    run_place(run, place);
    append_text(text, "+%s", deviations[run->deviation]->name);
    if (place[0])
        append_text(text, "(%s)", place);
    if (run->rate > 1)
        append_text(text, ":%u", run->rate);
    return text;
}
