/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/profile/text.h"
#include "tools/profile/event.h"
#include "tools/profile/progress.h"
#include <string.h>

static bool no_such_key(struct profile_reader *r)
{
    struct span word = profile_word(r);
    char list[900];
    size_t used = 0;
    list[0] = 0;
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if (used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, " %s", key->name);
    return profile_wrong(r, "there is no key \"%.*s\"; the keys are:%s", (int)(word.length < 40 ? word.length : 40),
                         word.text, list);
}

/* Begins a section: performance, efficient or low-power cores. The lines before the first section hold for all. */
static bool begin_section(struct progress *p, struct span line)
{
    struct profile_reader *r = &p->reader;
    unsigned which = SECTION_P;
    while (which < SECTIONS && !profile_is(line, profile_sections[which]))
        which++;
    if (which == SECTIONS)
        return profile_wrong(r, "the sections are [p] and [e], and then optionally [l]");
    if (p->opened[which])
        return profile_wrong(r, "this section is given twice");
    if (which > SECTION_P && !p->like[COMMON] && !p->opened[which - 1])
        return profile_wrong(r, "%s comes before %s", profile_sections[which - 1], profile_sections[which]);
    if (p->like[COMMON] && (which > r->file->cores || r->file->cores == 1))
        return profile_wrong(r, "the profile that this one is like has no such section");
    if (p->section == COMMON)
        p->common = r->file->core[0];
    p->opened[which] = true;
    p->section = which;
    r->profile = &r->file->core[which - 1];
    if (!p->like[COMMON]) {
        r->file->cores = which;
        *r->profile = p->common;
    }
    r->profile->core = profile_cores[which];
    profile_count_leaves(p);
    return true;
}

/* `leaf 1a` or `leaf 23.4` with four words, for a leaf without a key of its own. */
static bool read_leaf(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    struct span word = profile_word(r), name = word;
    uint64_t leaf;
    unsigned subleaf = 0, row = 0;
    if (!profile_hex(&word, &leaf) || leaf > 0xff || (span_skip(&word, ".") && !span_number(&word, &subleaf)) ||
        word.length || subleaf > 0xff)
        return profile_wrong(r, "\"%.*s\" is not a leaf: two hexadecimal digits, or LEAF.SUBLEAF such as 23.1",
                             (int)(name.length < 40 ? name.length : 40), name.text);
    if (leaf <= 1 || leaf == 6 || leaf == 7 || leaf == 0xa)
        return profile_wrong(r, "leaf %02x can only be set by its keys", (unsigned)leaf);
    struct profile_leaf *rows = r->profile->leaves;
    while (row < LEAVES_MAX && rows[row].leaf && (rows[row].leaf != leaf || rows[row].subleaf != subleaf))
        row++;
    if (row == LEAVES_MAX)
        return profile_wrong(r, "more than %d leaves", LEAVES_MAX);
    if (rows[row].leaf && !p->further && (row >= p->leaves_before || p->renewed[row]))
        return profile_wrong(r, "leaf %02x.%u is given twice", (unsigned)leaf, subleaf);
    p->renewed[row] = true;
    rows[row].leaf = (uint32_t)leaf;
    rows[row].subleaf = subleaf;
    return profile_read_leaf(r, rows[row].value);
}

static bool at_end(struct profile_reader *r, const char *allowed)
{
    struct span word = profile_word(r);
    return !word.length || profile_wrong(r, "\"%.*s\" is too much; allowed: %s", SHOWN(word), allowed);
}

static bool read_key(struct progress *p, const struct key *key)
{
    struct profile_reader *r = &p->reader;
    if (p->seen[p->section][key - profile_keys] && !p->further)
        return profile_wrong(r, "%s is given twice", key->name);
    p->seen[p->section][key - profile_keys] = true;
    if (!r->rest.length)
        return profile_wrong(r, "%s without a value; allowed: %s", key->name, key->form->looks);
    if (p->section != COMMON && (key->form == &form_name || key->form == &form_default))
        return profile_wrong(r, "%s must stand before the sections", key->name);
    return key->form->read(r, (char *)r->profile + key->offset) && at_end(r, key->form->looks);
}

static bool no_source(struct profile_reader *r)
{
    return profile_wrong(r, "no source: say after a # where the value is from, or # assumed");
}

/* Reads lines of keywords that may appear several times. */
static bool read_row(struct progress *p, struct span content, bool sourced)
{
    struct profile_reader *r = &p->reader;
    size_t leaf = profile_key_length(content, "leaf"), event = profile_key_length(content, "event");
    size_t like = profile_key_length(content, "like"), without = profile_key_length(content, "without");
    size_t length = leaf + event + like + without;
    if (!length)
        return no_such_key(r);
    if (!sourced)
        return no_source(r);
    r->rest = profile_trimmed(content.text + length, content.length - length);
    if (like)
        return profile_read_like(p) && at_end(r, "the name of a profile");
    if (without)
        return profile_read_without(p) && at_end(r, "a key");
    if (leaf)
        return read_leaf(p) && at_end(r, "four words joined by dashes");
    return profile_read_event(r) && at_end(r, r->key->form->looks);
}

static bool read_content(struct progress *p, struct span line)
{
    struct profile_reader *r = &p->reader;
    struct span source, content = profile_split_source(line, &source);
    size_t length;
    if (!content.length)
        return true;
    if (!profile_plain(line))
        return profile_wrong(r, "a character that is not printable 7-bit text");
    if (*content.text == '[')
        return begin_section(p, content);
    r->rest = content;
    r->key = profile_key_of(content, &length);
    if (r->key) {
        r->rest = profile_trimmed(content.text + length, content.length - length);
        if (!source.length && r->key->form != &form_name && r->key->form != &form_default)
            return no_source(r);
        return read_key(p, r->key);
    }
    return read_row(p, content, source.length != 0);
}

/* In a profile that is like another, a line before the sections is read for each of that profile's cores. */
static bool read_line(struct progress *p, struct span line)
{
    struct profile_reader *r = &p->reader;
    if (!read_content(p, line))
        return false;
    for (unsigned i = 1; p->like[COMMON] && p->section == COMMON && i < r->file->cores; i++) {
        r->profile = &r->file->core[i];
        p->further = true;
        if (!profile_is(profile_first_word(line), "like") && !profile_is(profile_first_word(line), "name") &&
            !read_content(p, line))
            return false;
    }
    if (p->section == COMMON)
        r->profile = &r->file->core[0];
    p->further = false;
    return true;
}

/* Checks of values that depend on each other. */
static bool check_profile(struct profile_reader *r, const struct profile *profile)
{
    const struct write_rule *global = &profile->stored[STORED_GLOBAL_CTRL];
    if (!profile->gp_count == !profile->netburst_count)
        return profile_wrong(r, "either gp counters or netburst, not both or none");
    if ((profile->gp_count && (profile->gp_width < 32 || profile->gp_width > 64)) ||
        (profile->fixed_bitmap && (profile->fixed_width < 32 || profile->fixed_width > 64)))
        return profile_wrong(r, "counters that leaf 0a or 23 names need a width of 32 to 64 bits; gp and fixed set it");
    if (profile->gp_count && !profile->evtsel.exists)
        return profile_wrong(r, "gp counters without evtsel");
    if (profile->version >= 2 &&
        !(global->exists && profile->stored[STORED_FIXED_CTR_CTRL].exists && profile->status_reset.exists))
        return profile_wrong(r, "version 2 and later have global-ctrl, fixed-ctr-ctrl and status-reset");
    if (profile->freeze == FREEZE_STREAMLINED && profile->version < 4)
        return profile_wrong(r, "freeze streamlined needs version 4, leaf 0a says %u", profile->version);
    if (profile->perf_capabilities && !(profile->leaf1_ecx >> 15 & 1))
        return profile_wrong(r, "perfcap without bit 15 of leaf 01 ecx");
    if (profile->version > 1 && profile->version < 4 && profile->status_set.exists)
        return profile_wrong(r, "status-set needs version 4, leaf 0a says %u", profile->version);
    return true;
}

/* Does this file give the key for the section, in the section or before all sections? */
static bool said(const struct progress *p, unsigned section, const char *name)
{
    for (unsigned i = 0; i < profile_key_count; i++)
        if (strcmp(profile_keys[i].name, name) == 0)
            return p->seen[COMMON][i] || p->seen[section][i];
    return false;
}

/* Sets the fields that follow from the lines of the file. */
static void finish_profile(const struct progress *p, unsigned section, struct profile *profile)
{
    profile->full_width = profile->perf_capabilities & PERF_CAP_FULL_WIDTH;
    profile_add_counters(profile);
    if (!said(p, section, "leaf 0a"))
        return;
    if (!said(p, section, "any-thread"))
        profile_follow_any_thread(profile);
    if (!said(p, section, "events"))
        profile_follow_events(profile);
}

static bool nothing_missing(struct progress *p, unsigned section)
{
    for (unsigned i = 0; i < profile_key_count; i++)
        if (profile_keys[i].required && !p->seen[COMMON][i] && !p->seen[section][i])
            return profile_wrong(&p->reader, "%s is missing%s%s", profile_keys[i].name, section == COMMON ? "" : " in ",
                                 section == COMMON ? "" : profile_sections[section]);
    return true;
}

static bool check_file(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    r->error->line = 0;
    if (!p->like[COMMON] && p->opened[SECTION_P] != p->opened[SECTION_E])
        return profile_wrong(r, "section [p] without [e]");
    for (unsigned core = 0; core < r->file->cores; core++) {
        unsigned section = p->opened[SECTION_P] || p->opened[SECTION_E] ? core + SECTION_P : COMMON;
        if (!p->like[COMMON] && !p->like[section] && !nothing_missing(p, section))
            return false;
        finish_profile(p, section, &r->file->core[core]);
        if (!check_profile(r, &r->file->core[core]))
            return false;
    }
    return true;
}

static void set_unless_said(struct profile *profile)
{
    profile->vendor = "GenuineIntel";
    profile->threads = 1;
    profile->ref_step = 1;
    profile->slots = 4;
}

bool profile_read(const char *text, size_t length, profile_base *base, struct profile_file *file,
                  struct profile_error *error)
{
    struct progress p = {.base = base, .reader = {.file = file, .profile = &file->core[0], .error = error}};
    const char *end = text + length;
    memset(file, 0, sizeof(*file));
    file->cores = 1;
    set_unless_said(&file->core[0]);
    error->line = 0;
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (!line_end)
            line_end = end;
        error->line++;
        if (!read_line(&p, profile_trimmed(text, (size_t)(line_end - text))))
            return false;
        text = line_end == end ? end : line_end + 1;
    }
    return check_file(&p);
}
