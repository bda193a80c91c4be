#include "tools/profile/text.h"
#include "tools/profile/event.h"
#include <string.h>

enum { COMMON, SECTION_P, SECTION_E, SECTION_L, SECTIONS };

static const char *const section_names[SECTIONS] = {[SECTION_P] = "[p]", [SECTION_E] = "[e]", [SECTION_L] = "[l]"};
static const char *const core_names[SECTIONS] = {[SECTION_P] = "p", [SECTION_E] = "e", [SECTION_L] = "l"};

/* What has been read so far. */
struct progress {
    unsigned section;
    bool opened[SECTIONS];
    bool seen[SECTIONS][PROFILE_KEYS_MAX];
    unsigned leaves_before; /* leaves of the common part: a section may say them anew */
    bool renewed[LEAVES_MAX];
    struct profile common;
    profile_base *base;
    bool like;    /* another profile is under this one */
    bool further; /* the line was read for the first core already */
    struct profile_reader reader;
};

static const struct key *key_of(struct span line, size_t *length)
{
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if ((*length = profile_key_length(line, key->name)) != 0)
            return key;
    return NULL;
}

static bool no_such_key(struct profile_reader *r)
{
    struct span word = profile_word(r);
    char list[900];
    size_t used = 0;
    list[0] = 0;
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if (used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, " %s", key->name);
    return profile_wrong(r, "there is no key \"%.*s\"; there are:%s", (int)(word.length < 40 ? word.length : 40),
                         word.text, list);
}

/* Leaves that stand there already may be said anew, once. */
static void count_leaves(struct progress *p)
{
    const struct profile_leaf *rows = p->reader.profile->leaves;
    for (p->leaves_before = 0; p->leaves_before < LEAVES_MAX && rows[p->leaves_before].leaf;)
        p->leaves_before++;
    memset(p->renewed, 0, sizeof(p->renewed));
}

/* Begins a section, performance, efficient or low-power cores: what stood before the first holds for all. */
static bool begin_section(struct progress *p, struct span line)
{
    struct profile_reader *r = &p->reader;
    unsigned which = SECTION_P;
    while (which < SECTIONS && !profile_is(line, section_names[which]))
        which++;
    if (which == SECTIONS)
        return profile_wrong(r, "there are the sections [p] and [e], and then maybe [l]");
    if (p->opened[which])
        return profile_wrong(r, "this section was there before");
    if (which > SECTION_P && !p->like && !p->opened[which - 1])
        return profile_wrong(r, "%s comes before %s", section_names[which - 1], section_names[which]);
    if (p->like && (which > r->file->cores || r->file->cores == 1))
        return profile_wrong(r, "the profile that this one is like has no such section");
    if (p->section == COMMON)
        p->common = r->file->core[0];
    p->opened[which] = true;
    p->section = which;
    r->profile = &r->file->core[which - 1];
    if (!p->like) {
        r->file->cores = which;
        *r->profile = p->common;
    }
    r->profile->core = core_names[which];
    count_leaves(p);
    return true;
}

/* `like NAME`: all that the other profile has but its name. */
static bool read_like(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    struct span word = profile_word(r);
    const char *name = r->file->core[0].name;
    char wanted[64];
    snprintf(wanted, sizeof(wanted), "%.*s", (int)(word.length < 63 ? word.length : 63), word.text);
    if (p->like || !name || strcmp(name, wanted) == 0)
        return profile_wrong(r, "like stands behind the name, once, and names another profile");
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if (p->seen[COMMON][key - profile_keys] && key->form != &form_name && key->form != &form_default)
            return profile_wrong(r, "like stands before %s", key->name);
    const struct profile *other = p->base ? p->base(wanted) : NULL;
    if (!other)
        return profile_wrong(r, "there is no profile \"%s\" to be like", wanted);
    p->like = true;
    for (r->file->cores = 0; other && r->file->cores < PROFILE_CORES; other = other->second) {
        struct profile *core = &r->file->core[r->file->cores++];
        *core = *other;
        core->name = name;
        core->second = NULL;
    }
    count_leaves(p);
    return true;
}

/* `without KEY`, where KEY is one value in one field; or `without event`. */
static bool read_without(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    size_t length;
    const struct key *key = key_of(r->rest, &length);
    if (!p->like)
        return profile_wrong(r, "without is for profiles that are like another");
    if (profile_key_length(r->rest, "event")) {
        memset(r->profile->events, 0, sizeof(r->profile->events));
        profile_word(r);
        return true;
    }
    if (!key || key->required || key->form == &form_default)
        return profile_wrong(r, "there is nothing of that name that a profile can be without");
    memset((char *)r->profile + key->offset, 0, key->size);
    r->rest = profile_trimmed(r->rest.text + length, r->rest.length - length);
    return true;
}

/* `leaf 1a` or `leaf 23.4` with four words, of a leaf without a key of its own. */
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
        return profile_wrong(r, "of leaf %02x only what has a key can be said", (unsigned)leaf);
    struct profile_leaf *rows = r->profile->leaves;
    while (row < LEAVES_MAX && rows[row].leaf && (rows[row].leaf != leaf || rows[row].subleaf != subleaf))
        row++;
    if (row == LEAVES_MAX)
        return profile_wrong(r, "more than %d leaves", LEAVES_MAX);
    if (rows[row].leaf && !p->further && (row >= p->leaves_before || p->renewed[row]))
        return profile_wrong(r, "leaf %02x.%u was there before", (unsigned)leaf, subleaf);
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
        return profile_wrong(r, "%s was there before", key->name);
    p->seen[p->section][key - profile_keys] = true;
    if (!r->rest.length)
        return profile_wrong(r, "%s without a value; allowed: %s", key->name, key->form->looks);
    if (p->section != COMMON && (key->form == &form_name || key->form == &form_default))
        return profile_wrong(r, "%s stands before the sections", key->name);
    return key->form->read(r, (char *)r->profile + key->offset) && at_end(r, key->form->looks);
}

static bool no_source(struct profile_reader *r)
{
    return profile_wrong(r, "no source: say after a # where the value is from, or # assumed");
}

/* Rows of tables, of which there may be many. */
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
        return read_like(p) && at_end(r, "the name of a profile");
    if (without)
        return read_without(p) && at_end(r, "a key");
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
    r->key = key_of(content, &length);
    if (r->key) {
        r->rest = profile_trimmed(content.text + length, content.length - length);
        if (!source.length && r->key->form != &form_name && r->key->form != &form_default)
            return no_source(r);
        return read_key(p, r->key);
    }
    return read_row(p, content, source.length != 0);
}

/* Before the sections of a profile that is like another, a line is about each core of that. */
static bool read_line(struct progress *p, struct span line)
{
    struct profile_reader *r = &p->reader;
    if (!read_content(p, line))
        return false;
    for (unsigned i = 1; p->like && p->section == COMMON && i < r->file->cores; i++) {
        r->profile = &r->file->core[i];
        p->further = true;
        if (!profile_is(profile_first_word(line), "like") && !profile_is(profile_first_word(line), "name") && !read_content(p, line))
            return false;
    }
    if (p->section == COMMON)
        r->profile = &r->file->core[0];
    p->further = false;
    return true;
}

/* What follows from one value, and what one asks of another. */
static bool finish_profile(struct profile_reader *r, struct profile *profile)
{
    const struct write_rule *global = &profile->stored[STORED_GLOBAL_CTRL];
    profile->full_width = profile->perf_capabilities & PERF_CAP_FULL_WIDTH;
    if (!profile->gp_count == !profile->netburst_count)
        return profile_wrong(r, "either gp counters or netburst, not both or none");
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

static bool check_file(struct progress *p)
{
    struct profile_reader *r = &p->reader;
    r->error->line = 0;
    if (!p->like && p->opened[SECTION_P] != p->opened[SECTION_E])
        return profile_wrong(r, "section [p] without [e]");
    for (unsigned core = 0; core < r->file->cores; core++) {
        unsigned section = p->opened[SECTION_P] ? core + SECTION_P : COMMON;
        for (unsigned i = 0; i < profile_key_count; i++)
            if (profile_keys[i].required && !p->like && !p->seen[COMMON][i] && !p->seen[section][i])
                return profile_wrong(r, "%s is missing%s%s", profile_keys[i].name, section == COMMON ? "" : " in ",
                                     section == COMMON ? "" : section_names[section]);
        if (!finish_profile(r, &r->file->core[core]))
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
