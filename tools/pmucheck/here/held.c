/* SPDX-License-Identifier: BSD-2-Clause */
/* What the registers say of who holds counters: the image's look at the hand-off, under a running Linux. */
#include "pmu/registers.h"
#include "tools/pmucheck/here/here.h"
#include "tools/span.h"
#include <string.h>
#include <time.h>

#define LOOKS_APART_NS 1000000 /* the image's second look comes as soon */

struct look {
    struct here *here;
    const struct here_source *source;
    const struct here_core *core;
    unsigned cpu;
};

static void read_all(const struct look *look, struct snapshot *snapshot, bool again)
{
    for (unsigned i = 0; i < snapshot->count; i++) {
        struct snapshot_entry *entry = &snapshot->entry[i];
        u64 value = 0;
        bool read = here_msr(look->source, &look->core->caps, look->cpu, entry->msr, &value) == HERE_READ;
        if (again)
            entry->moved = read && entry->readable && value != entry->value;
        else {
            entry->readable = read;
            entry->value = value;
        }
    }
}

/* Counters of one kind of core with the same meaning are one claim, whatever their values. */
static struct here_claim *claim_of(struct here *here, const struct handoff_finding *finding, const char *reg)
{
    struct here_held *held = &here->held;
    for_each_item (held->claims, claim)
        if (claim->meaning == finding->meaning && claim->counters == finding->counters && strcmp(claim->reg, reg) == 0)
            return claim;
    struct here_claim *claim = LIST_ADD(&here->arena, &held->claims);
    *claim = (struct here_claim){finding->meaning, finding->found, finding->counters, 0, {0}, reg};
    return claim;
}

static void add(const struct look *look, const struct handoff_finding *finding)
{
    char name[REGISTER_NAME_SIZE];
    register_name(&look->core->caps, finding->msr, name);
    struct here_claim *claim = claim_of(look->here, finding, arena_copy(&look->here->arena, name, strlen(name)));
    claim->moving |= finding->moving;
    *LIST_ADD(&look->here->arena, &claim->cpus) = look->cpu;
}

/* INUSE first: what others hold is asked before anything else is looked at. */
static void look_at(const struct look *look)
{
    const struct pmu_caps *caps = &look->core->caps;
    struct here_held *held = &look->here->held;
    static struct snapshot snapshot;
    struct handoff_finding findings[HANDOFF_FINDINGS];
    struct handoff_view view = {.caps = caps, .snapshot = &snapshot};
    if (caps->version >= VERSION_STREAMLINED)
        view.in_use_known = here_msr(look->source, caps, look->cpu, MSR_PERF_GLOBAL_INUSE, &view.in_use) == HERE_READ;
    held->in_use |= view.in_use_known ? view.in_use : 0;
    held->in_use_known |= view.in_use_known;
    snapshot_list(caps, SNAPSHOT_OWN | SNAPSHOT_SHARED, &snapshot);
    read_all(look, &snapshot, false);
    nanosleep(&(struct timespec){.tv_nsec = LOOKS_APART_NS}, NULL);
    read_all(look, &snapshot, true);
    view.in_use_known =
        false; /* under a running Linux both change between two reads: whether they agree says nothing */
    unsigned count = handoff_find(&view, findings);
    for (unsigned i = 0; i < count; i++)
        add(look, &findings[i]);
}

void here_look_held(struct here *here, const struct here_source *source)
{
    for (unsigned k = 0; here->cores.registers && k < here->cores.kinds.count; k++) {
        const struct here_core *core = &here->cores.kinds.item[k];
        for (unsigned i = 0; core->caps.present && i < core->cpus.count; i++)
            look_at(&(struct look){here, source, core, core->cpus.item[i]});
    }
}

const char *here_meaning(struct arena *arena, const struct handoff_meaning *meaning, const char *key)
{
    char text[512] = "";
    const char *quoted = arena_print(arena, "%s=\"", key), *plain = arena_print(arena, " %s=", key);
    const char *at = strstr(meaning->text, quoted), *word = strstr(meaning->text, plain);
    if (at) {
        struct span span = {at + strlen(key) + 1, strlen(at) - strlen(key) - 1};
        span_quoted(&span, text, sizeof(text));
    } else if (word) {
        word += strlen(plain);
        span_copy(text, sizeof(text), (struct span){word, strcspn(word, " ")});
    }
    return arena_copy(arena, text, strlen(text));
}

const char *here_counters(struct arena *arena, u64 counters)
{
    const char *text = "";
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            text = arena_print(arena, "%s%s%s%u", text, text[0] ? "," : "", bit < 32 ? "pmc" : "fixed", bit % 32);
    return text;
}
