/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles that are like others: `like` copies another profile, `without` removes parts of it. */
#include "tools/profile/progress.h"
#include <string.h>

const char *const profile_sections[SECTIONS] = {[SECTION_P] = "[p]", [SECTION_E] = "[e]", [SECTION_L] = "[l]"};
const char *const profile_cores[SECTIONS] = {[SECTION_P] = "p", [SECTION_E] = "e", [SECTION_L] = "l"};

void profile_count_leaves(struct progress *p)
{
    const struct profile_leaf *rows = p->reader.profile->leaves;
    for (p->leaves_before = 0; p->leaves_before < LEAVES_MAX && rows[p->leaves_before].leaf;)
        p->leaves_before++;
    memset(p->renewed, 0, sizeof(p->renewed));
}

/* Only the name may stand before `like`. */
static bool first_in_section(struct progress *p)
{
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if (p->seen[COMMON][key - profile_keys] || p->seen[p->section][key - profile_keys])
            if (key->form != &form_name && key->form != &form_default)
                return profile_wrong(&p->reader, "like must stand before %s", key->name);
    return true;
}

static const struct profile *other_profile(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    struct span word = profile_word(r);
    const char *name = r->file->core[0].name;
    char wanted[64];
    snprintf(wanted, sizeof(wanted), "%.*s", (int)(word.length < 63 ? word.length : 63), word.text);
    const struct profile *other = p->base ? p->base(wanted) : NULL;
    if (p->like[COMMON] || p->like[p->section] || !name || strcmp(name, wanted) == 0)
        profile_wrong(r, "like must follow the name, once, and name another profile");
    else if (!other)
        profile_wrong(r, "there is no profile \"%s\" to be like", wanted);
    else
        return other;
    return NULL;
}

/* The kind of core that the next word names; without a word the only kind. */
static const struct profile *other_core(struct progress *p, const struct profile *other)
{
    struct span word = profile_word(&p->reader);
    unsigned which = SECTION_P;
    while (which < SECTIONS && !profile_is(word, profile_sections[which]))
        which++;
    for (unsigned skipped = SECTION_P; other && word.length && skipped < which; skipped++)
        other = other->second;
    if (other && (word.length ? other->core != NULL : !other->second))
        return other;
    profile_wrong(&p->reader, "name one of its kinds of core, [p], [e] or [l]; or none if it has only one kind");
    return NULL;
}

static void begin_core(struct progress *p, unsigned n, const struct profile *other)
{
    struct profile_file *file = p->reader.file;
    const char *name = file->core[0].name;
    file->core[n] = *other;
    file->core[n].name = name;
    file->core[n].second = NULL;
    file->like[n] = other;
}

/*
 * `like NAME` copies the whole profile except its name; `like NAME [e]` one of its kinds of core. A section always
 * copies one.
 */
bool profile_read_like(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    const struct profile *other = other_profile(p);
    bool whole = p->section == COMMON && !profile_peek(r).length;
    if (!other || !first_in_section(p) || (!whole && !(other = other_core(p, other))))
        return false;
    p->like[p->section] = true;
    if (whole)
        for (r->file->cores = 0; other && r->file->cores < PROFILE_CORES; other = other->second)
            begin_core(p, r->file->cores++, other);
    else
        begin_core(p, p->section == COMMON ? 0 : p->section - SECTION_P, other);
    if (!whole)
        r->profile->core = p->section == COMMON ? NULL : profile_cores[p->section];
    profile_count_leaves(p);
    return true;
}

/* `without leaf 23` removes the leaf with all its sub-leaves. */
static bool without_leaf(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    struct profile_leaf rows[LEAVES_MAX], *to = r->profile->leaves;
    struct span word = profile_word(r), digits = word;
    uint64_t leaf;
    if (!profile_hex(&digits, &leaf) || digits.length)
        return profile_wrong(r, "\"%.*s\" is not a leaf: two hexadecimal digits", SHOWN(word));
    memcpy(rows, to, sizeof(rows));
    memset(to, 0, sizeof(rows));
    for (unsigned i = 0; i < LEAVES_MAX; i++)
        if (rows[i].leaf && rows[i].leaf != leaf)
            *to++ = rows[i];
    if (!p->further)
        profile_count_leaves(p);
    return true;
}

/* `without KEY`, where KEY has a single value in a single field; `without event`; `without leaf 23`. */
bool profile_read_without(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    size_t length;
    const struct key *key = profile_key_of(r->rest, &length);
    if (!p->like[COMMON] && !p->like[p->section])
        return profile_wrong(r, "without is only for profiles that are like another");
    if (profile_key_length(r->rest, "event")) {
        memset(r->profile->events, 0, sizeof(r->profile->events));
        profile_word(r);
        return true;
    }
    if (!key && profile_take(r, "leaf"))
        return without_leaf(p);
    if (!key || key->required || key->form == &form_default)
        return profile_wrong(r, "without does not know a key of that name");
    memset((char *)r->profile + key->offset, 0, key->size);
    r->rest = profile_trimmed(r->rest.text + length, r->rest.length - length);
    return true;
}
