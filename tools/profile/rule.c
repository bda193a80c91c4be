/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms of bit masks and of the rules for writing registers. */
#include "tools/profile/form.h"
#include <string.h>

/* Reads one or more of 63, 63:33, 0xff, all, none, up to ; or the end. */
static bool read_mask(struct profile_reader *r, uint64_t *mask)
{
    *mask = 0;
    for (bool first = true; first || (profile_peek(r).length && !profile_is(profile_peek(r), ";")); first = false) {
        struct span word = profile_word(r), item = word;
        unsigned high, low;
        uint64_t bits;
        if (profile_is(word, "all") || profile_is(word, "none")) {
            *mask |= profile_is(word, "all") ? ~0ull : 0;
        } else if (span_skip(&item, "0x")) {
            if (!profile_hex(&item, &bits) || item.length)
                return profile_not_allowed(r, word);
            *mask |= bits;
        } else {
            if (!span_number(&item, &high))
                return profile_not_allowed(r, word);
            low = high;
            if ((span_skip(&item, ":") && !span_number(&item, &low)) || item.length)
                return profile_not_allowed(r, word);
            if (high > 63 || low > high)
                return profile_wrong(r, "\"%.*s\": bits are 63 to 0, the higher first", SHOWN(word));
            *mask |= MASK(high, low);
        }
    }
    return true;
}

/* Reads a mask of bits within the field's size. */
static bool read_field_mask(struct profile_reader *r, uint64_t *mask)
{
    if (!read_mask(r, mask))
        return false;
    if (r->key->size < 8 && *mask >> 8 * r->key->size)
        return profile_wrong(r, "%s has bits %u to 0", r->key->name, (unsigned)(8 * r->key->size - 1));
    return true;
}

/* `15 2`; or a change of the present value, `also 15; not 2`. */
static bool read_bits(struct profile_reader *r, void *field)
{
    uint64_t bits = profile_load(field, r->key->size), mask;
    bool also = profile_take(r, "also"), without = !also && profile_take(r, "not");
    if (!read_field_mask(r, &mask))
        return false;
    bits = also ? bits | mask : without ? bits & ~mask : mask;
    if (also && profile_take(r, ";")) {
        if (!profile_expect(r, "not") || !read_field_mask(r, &mask))
            return false;
        bits &= ~mask;
    }
    profile_store(field, r->key->size, bits);
    return true;
}

static bool read_scope(struct profile_reader *r, struct write_rule *rule)
{
    static const char *const scopes[] = {[SCOPE_THREAD] = "thread", [SCOPE_CORE] = "core", [SCOPE_PACKAGE] = "package"};
    unsigned chosen;
    if (!profile_choice(r, scopes, ARRAY_SIZE(scopes), &chosen))
        return false;
    rule->scope = (enum register_scope)chosen;
    return true;
}

static bool read_clause(struct profile_reader *r, struct write_rule *rule)
{
    uint64_t mask;
    struct span word = profile_word(r);
    if (profile_is(word, "canonical")) {
        rule->canonical = true;
        return true;
    }
    if (profile_is(word, "hand-off"))
        return profile_read_hex(r, &rule->reset);
    if (profile_is(word, "scope"))
        return read_scope(r, rule);
    bool inverted = profile_is(word, "accepts") || profile_is(word, "keeps");
    uint64_t *field = profile_is(word, "faults") || profile_is(word, "accepts") ? &rule->faults
                      : profile_is(word, "drops") || profile_is(word, "keeps")  ? &rule->dropped
                      : profile_is(word, "flip-faults")                         ? &rule->flip_faults
                      : profile_is(word, "clear-only")                          ? &rule->clear_only
                                                                                : NULL;
    if (!field)
        return profile_not_allowed(r, word);
    if (!read_mask(r, &mask))
        return false;
    *field |= inverted ? ~mask : mask;
    return true;
}

static bool check_rule(struct profile_reader *r, const struct write_rule *rule)
{
    if (rule->reset & rule->faults)
        return profile_wrong(r, "the hand-off value sets bits that fault: 0x%llx",
                             (unsigned long long)(rule->reset & rule->faults));
    if (rule->faults & rule->dropped)
        return profile_wrong(r, "bits cannot both fault and be dropped: 0x%llx",
                             (unsigned long long)(rule->faults & rule->dropped));
    return true;
}

/* Begins an empty rule, or with `also` a copy of the present one. memcpy() because pack.c compares the padding, too. */
static bool begin_rule(struct profile_reader *r, const struct write_rule *there, struct write_rule *rule)
{
    memset(rule, 0, sizeof(*rule));
    rule->exists = true;
    if (profile_take(r, "also"))
        memcpy(rule, there, sizeof(*rule));
    return rule->exists || profile_wrong(r, "%s is absent: nothing can be added to it", r->key->name);
}

static bool read_rule(struct profile_reader *r, void *field)
{
    struct write_rule rule;
    if (profile_take(r, "absent")) {
        *(struct write_rule *)field = (struct write_rule){0};
        return true;
    }
    if (!begin_rule(r, field, &rule))
        return false;
    do
        if (!read_clause(r, &rule))
            return false;
    while (profile_take(r, ";"));
    *(struct write_rule *)field = rule;
    return check_rule(r, &rule);
}

static void print_mask(FILE *out, const char *name, uint64_t mask)
{
    if (mask)
        fprintf(out, ", .%s = 0x%llx", name, (unsigned long long)mask);
}

static void print_rule(FILE *out, const struct key *key, const struct profile *profile)
{
    static const char *const scopes[] = {
        [SCOPE_THREAD] = "", [SCOPE_CORE] = ", .scope = SCOPE_CORE", [SCOPE_PACKAGE] = ", .scope = SCOPE_PACKAGE"};
    const struct write_rule *rule = profile_field(key, profile);
    if (!rule->exists)
        return;
    fprintf(out, "    .%s = {.exists = true%s", key->field, rule->canonical ? ", .canonical = true" : "");
    print_mask(out, "faults", rule->faults);
    print_mask(out, "flip_faults", rule->flip_faults);
    print_mask(out, "dropped", rule->dropped);
    print_mask(out, "clear_only", rule->clear_only);
    print_mask(out, "reset", rule->reset);
    fprintf(out, "%s},\n", scopes[rule->scope]);
}

/* A rule, and the bits that only IA32_PERFEVTSEL2 accepts in addition. */
static bool read_evtsel(struct profile_reader *r, void *field)
{
    struct write_rule rule;
    if (!profile_is(profile_peek(r), "also"))
        r->profile->evtsel2_accepts = 0;
    if (!begin_rule(r, field, &rule))
        return false;
    do {
        if (profile_take(r, "pmc2")) {
            if (!profile_expect(r, "accepts") || !read_mask(r, &r->profile->evtsel2_accepts))
                return false;
        } else if (!read_clause(r, &rule)) {
            return false;
        }
    } while (profile_take(r, ";"));
    *(struct write_rule *)field = rule;
    return check_rule(r, &rule);
}

static void print_evtsel(FILE *out, const struct key *key, const struct profile *profile)
{
    print_rule(out, key, profile);
    if (profile->evtsel2_accepts)
        fprintf(out, "    .evtsel2_accepts = 0x%llx,\n", (unsigned long long)profile->evtsel2_accepts);
}

#define BITS "bits such as 63:32 19 0xff all none"
#define CLAUSES                                                                                                     \
    "absent, or clauses with ; between: faults BITS, accepts BITS (all others fault), drops BITS, keeps BITS (all " \
    "others are dropped), flip-faults BITS, clear-only BITS, canonical, hand-off HEX, scope thread|core|package; "  \
    "also before them adds to the present rule; BITS: " BITS

const struct form form_bits = {BITS "; or changes: also BITS; not BITS", read_bits, profile_print_number};
const struct form form_rule = {CLAUSES, read_rule, print_rule};
const struct form form_evtsel = {"pmc2 accepts BITS, and " CLAUSES, read_evtsel, print_evtsel};
