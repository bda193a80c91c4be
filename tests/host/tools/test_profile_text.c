/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of profiles: the meaning of each form of a value, and the message for each mistake. */
#include "tests/host/case.h"
#include "tools/profile/text.h"
#include <stdlib.h>
#include <string.h>

/* A small profile without a mistake; tests add lines at its end. */
#define GP                               \
    "name    little\n"                   \
    "brand   A little CPU   # assumed\n" \
    "signature 000006e8     # dump\n"    \
    "microcode 39           # assumed\n" \
    "gp      2 x 40         # dump\n"    \
    "evtsel  drops 63:32    # probed\n"  \
    "fixed   none           # probed\n"  \
    "freeze  none           # probed\n"  \
    "clock   13:12          # assumed\n" \
    "skid    1 to 4         # assumed\n"
#define LITTLE GP "events  0-1 3-6        # erratum\n"

static struct profile_file file;
static struct profile_error error;

/* Profiles that others can be like: with one kind of core, and with two. */
static const struct profile efficient = {
    .name = "hybrid", .core = "e", .gp_count = 6, .gp_width = 48, .evtsel = {.exists = true}};
static const struct profile known[] = {
    {.name = "plain",
     .brand = "Plain",
     .gp_count = 4,
     .gp_width = 40,
     .evtsel = {.exists = true},
     .evtsel2_accepts = 1,
     .leaf1_ecx = 0x18,
     .leaf1_edx = 0x200001,
     .stored[STORED_MISC_ENABLE] = {.exists = true, .dropped = 4, .reset = 1},
     .lbr_depth = 16,
     .leaves = {{.leaf = 0x14, .value = {1}}},
     .events = {{.encoding = 0x1c4, .event = EVENT_CONDITIONAL}}},
    {.name = "hybrid", .core = "p", .gp_count = 8, .gp_width = 48, .evtsel = {.exists = true}, .second = &efficient},
    {.name = "version-3",
     .leaf0a = {0x07300403, 0, 0, 0x603},
     .version = 3,
     .threads = 2,
     .gp_count = 4,
     .gp_count_alone = 8,
     .gp_width = 48,
     .fixed_bitmap = 7,
     .fixed_width = 48,
     .evtsel = {.exists = true, .faults = 0x200000},
     .status_reset = {.exists = true, .faults = ~0x70000000full},
     .stored[STORED_GLOBAL_CTRL] = {.exists = true, .faults = ~0x70000000full, .reset = 0xf},
     .stored[STORED_FIXED_CTR_CTRL] = {.exists = true, .faults = ~0xbbbull}},
};

static const struct profile *base(const char *name)
{
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

static const struct profile *good(const char *text)
{
    if (!profile_read(text, strlen(text), base, &file, &error))
        fail_msg("line %u: %s", error.line, error.text);
    return &file.core[0];
}

/* The text must be refused at this line, with this message. */
static void wrong(const char *text, unsigned line, const char *said)
{
    memset(&error, 0, sizeof(error));
    assert_false(profile_read(text, strlen(text), base, &file, &error));
    if (error.line != line || !strstr(error.text, said))
        fail_msg("line %u: %s", error.line, error.text);
}

#define LINES 12 /* lines of LITTLE and the one after it */

CASE(like_another)
{
    const struct profile *p = good("name next\nlike plain # its core\nbrand Next # dump\nleaf 14 2-0-0-0 # dump\n");
    assert_string_equal(p->name, "next");
    assert_string_equal(p->brand, "Next");
    assert_int_equal(p->gp_count, 4);
    assert_int_equal(p->lbr_depth, 16);
    assert_int_equal(p->leaves[0].value[0], 2);
    assert_int_equal(p->leaves[1].leaf, 0);
    assert_int_equal(p->events[0].encoding, 0x1c4);
    p = good("name next\nlike plain # its core\nwithout event # others\nwithout lbr # none\n"
             "event 04c4 BR_INST_RETIRED.CONDITIONAL # list\n");
    assert_int_equal(p->lbr_depth, 0);
    assert_int_equal(p->events[0].encoding, 0x4c4);
    assert_int_equal(p->events[1].encoding, 0);
}

/* Lines before the sections apply to each core, a section's lines only to its own. */
CASE(like_a_hybrid)
{
    good("name next\nlike hybrid # its cores\nlbr 32 # manual\nleaf 14 2-0-0-0 # dump\n[e]\nfixed 3 x 48 # dump\n");
    assert_int_equal(file.cores, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_string_equal(file.core[i].name, "next");
        assert_int_equal(file.core[i].lbr_depth, 32);
        assert_int_equal(file.core[i].leaves[0].value[0], 2);
        assert_int_equal(file.core[i].gp_count, i ? 6 : 8);
        assert_int_equal(file.core[i].fixed_bitmap, i ? 7 : 0);
        assert_null(file.core[i].second);
    }
    assert_string_equal(file.core[1].core, "e");
}

/* Each kind of core like one of another profile; or a CPU like one kind of a hybrid's. */
CASE(like_kinds_of_core)
{
    good("name next\n[p]\nlike plain # why\nbrand B # ?\n[e]\nlike hybrid [e] # why\nlbr 32 # ?\n");
    assert_int_equal(file.cores, 2);
    assert_ptr_equal(file.like[0], &known[0]);
    assert_ptr_equal(file.like[1], &efficient);
    assert_string_equal(file.core[0].core, "p");
    assert_string_equal(file.core[0].brand, "B");
    assert_int_equal(file.core[0].gp_count, 4);
    assert_string_equal(file.core[1].core, "e");
    assert_string_equal(file.core[1].name, "next");
    assert_int_equal(file.core[1].gp_count, 6);
    assert_int_equal(file.core[1].lbr_depth, 32);
    const struct profile *p = good("name next\nlike hybrid [e] # why\n");
    assert_int_equal(file.cores, 1);
    assert_int_equal(p->gp_count, 6);
    assert_null(p->core);
    wrong("name next\nlike hybrid [l] # ?\n", 2, "one of its kinds of core");
    wrong("name next\nlike hybrid [x] # ?\n", 2, "one of its kinds of core");
    wrong("name next\nlike plain [p] # ?\n", 2, "one of its kinds of core");
    wrong("name next\n[p]\nlike hybrid # ?\n", 3, "one of its kinds of core");
    wrong("name next\nlike hybrid [e] e # ?\n", 2, "too much");
    wrong("name next\nlike plain # ?\n[p]\n", 3, "no such section");
    wrong("name next\n[p]\nlbr 8 # ?\nlike plain # ?\n", 4, "like must stand before lbr");
    wrong("name next\nlbr 8 # ?\n[p]\nlike plain # ?\n", 4, "like must stand before lbr");
    wrong("name next\n[p]\nlike plain # ?\n[e]\nwithout lbr # ?\n", 5, "for profiles that are like another");
    wrong("name next\n[p]\nlike plain # ?\n[e]\n", 0, "brand is missing in [e]");
}

/* Changes of parts of the other profile: bits, clauses of a rule, leaves. */
CASE(like_but_for_parts)
{
    const struct profile *p =
        good("name next\nlike plain # its core\nwithout leaf 14 # none\nleaf 1a 1-0-0-0 # dump\n"
             "leaf 01 ecx also 15 2; not 3 # dump\nleaf 01 edx not 21 # dump\nleaf 07 edx also 15 # dump\n"
             "misc-enable also hand-off 89 # dump\nevtsel also faults 63:32 # dump\n");
    assert_int_equal(p->leaf1_ecx, 0x8014);
    assert_int_equal(p->leaf1_edx, 1);
    assert_int_equal(p->leaf7_edx, 0x8000);
    assert_int_equal(p->leaves[0].leaf, 0x1a);
    assert_int_equal(p->leaves[1].leaf, 0);
    assert_int_equal(p->stored[STORED_MISC_ENABLE].dropped, 4);
    assert_int_equal(p->stored[STORED_MISC_ENABLE].reset, 0x89);
    assert_int_equal(p->evtsel2_accepts, 1);
    wrong("name next\nlike plain # ?\nwithout leaf x # ?\n", 3, "not a leaf");
    wrong("name next\nlike plain # ?\nwithout leaf 14 1 # ?\n", 3, "too much");
    wrong("name next\nlike plain # ?\nwithout leaf 14 # ?\nleaf 14 1-0-0-0 # ?\nleaf 14 1-0-0-0 # ?\n", 5,
          "is given twice");
    wrong("name next\nlike plain # ?\nglobal-ctrl also hand-off 1 # ?\n", 3, "nothing can be added");
    wrong("name next\nlike plain # ?\nleaf 01 ecx also # ?\n", 3, "ends too early");
    wrong("name next\nlike plain # ?\nleaf 01 ecx also 2; 3 # ?\n", 3, "\"3\" is wrong here");
    wrong("name next\nlike plain # ?\nleaf 01 ecx not 32 # ?\n", 3, "bits 31 to 0");
}

/* Counters that leaves 0AH and 23H name exist, whether the other profile has them or not; others stay. */
CASE(counters_follow)
{
    const struct profile *p = good("name next\nlike version-3 # why\nleaf 0a 07300804-00000001-00000000-00000604 # "
                                   "dump\nleaf 23.1 1ff-40-0-0 # dump\n");
    const struct write_rule *global = &p->stored[STORED_GLOBAL_CTRL], *fixed = &p->stored[STORED_FIXED_CTR_CTRL];
    assert_int_equal(p->gp_count, 9);
    assert_int_equal(p->threads, 1); /* the same number as without hyper-threading */
    assert_int_equal(p->fixed_bitmap, 0x4f);
    assert_true(global->faults == ~0x4f000001ffull && global->reset == 0x1ff);
    assert_true(p->status_reset.faults == ~0x4f000001ffull);
    assert_int_equal(fixed->faults, ~0xb00bfffull);
    assert_true(p->any_thread && !(p->evtsel.faults >> 21 & 1));
    assert_int_equal(p->event_length, 7);
    assert_int_equal(p->events_dead, 1);
    p = good("name next\nlike version-3 # why\nleaf 0a 07300404-0-0-8603 # dump\nleaf 23.3 81-0-0-0 # dump\n");
    assert_int_equal(p->gp_count, 4);
    assert_int_equal(p->threads, 2);
    assert_false(p->any_thread);
    assert_int_equal(p->event_length, 8);
    p = good("name next\nlike version-3 # why\nany-thread no # x\nevents 0-1 # x\nleaf 0a 07300404-0-0-603 # dump\n");
    assert_false(p->any_thread);
    assert_int_equal(p->event_length, 2);
    assert_int_equal(good("name next\nlike version-3 # why\n")->event_length, 0); /* the file does not give the leaf */
    p = good("name next\nlike plain # why\nleaf 0a 07280201-0-0-501 # dump\n");
    assert_true(p->fixed_bitmap == 1 && p->fixed_width == 40);
    wrong("name next\nlike plain # why\nleaf 0a 07280201-0-0-1 # dump\n", 0, "32 to 64 bits");
}

CASE(like_nothing)
{
    wrong("name next\nlike none # ?\n", 2, "there is no profile \"none\" to be like");
    wrong("like plain # ?\n", 1, "like must follow the name");
    wrong("name plain\nlike plain # ?\n", 2, "name another profile");
    wrong("name next\nlike plain # ?\nlike plain # ?\n", 3, "once");
    wrong("name next\nlike plain\n", 2, "no source");
    wrong("name next\nbrand B # ?\nlike plain # ?\n", 3, "like must stand before brand");
    wrong("name next\nlike plain # ?\n[p]\n", 3, "no such section");
    wrong("name next\nlike hybrid # ?\n[l]\n", 3, "no such section");
    wrong("name next\nlike plain # ?\nwithout gp # ?\n", 3, "a key of that name");
    wrong("name next\nlike plain # ?\nwithout default # ?\n", 3, "a key of that name");
    wrong("name next\nlike plain # ?\nwithout lbr 4 # ?\n", 3, "too much");
    wrong("name next\nlike plain # ?\nlbr 8 # ?\nlbr 8 # ?\n", 4, "is given twice");
    wrong("name next\nlike hybrid # ?\nleaf 14 1-0-0-0 # ?\nleaf 14 1-0-0-0 # ?\n", 4, "is given twice");
    wrong(LITTLE "without lbr # ?\n", LINES, "for profiles that are like another");
}

CASE(little)
{
    const struct profile *p = good(LITTLE);
    assert_int_equal(file.cores, 1);
    assert_false(file.is_default);
    assert_string_equal(p->name, "little");
    assert_string_equal(p->brand, "A little CPU");
    assert_string_equal(p->vendor, "GenuineIntel");
    assert_int_equal(p->signature, 0x6e8);
    assert_int_equal(p->microcode, 0x39);
    assert_int_equal(p->gp_count, 2);
    assert_int_equal(p->gp_width, 40);
    assert_int_equal(p->gp_count_alone, 0);
    assert_int_equal(p->fixed_bitmap, 0);
    assert_int_equal(p->freeze, FREEZE_NONE);
    assert_true(p->evtsel.exists && p->evtsel.dropped == 0xffffffff00000000);
    assert_int_equal(p->event_length, 7);
    assert_int_equal(p->events_dead, 4);
    assert_int_equal(p->core_ratio, 13);
    assert_int_equal(p->tsc_ratio, 12);
    assert_int_equal(p->skid_min, 1);
    assert_int_equal(p->skid_spread, 4);
    assert_int_equal(p->threads, 1);
    assert_false(p->stored[STORED_GLOBAL_CTRL].exists);
}

/* Rows of the table of events: code, name, counters. */
CASE(events)
{
    const struct profile *p = good(LITTLE "event 01c4 BR_INST_RETIRED.CONDITIONAL # x\n"
                                          "event  0111c4  BR_INST_RETIRED.COND  pmc0-1 pmc3 # x\n");
    assert_int_equal(p->events[0].encoding, 0x1c4);
    assert_int_equal(p->events[0].event, EVENT_CONDITIONAL);
    assert_int_equal(p->events[0].counters, 0x3ff);
    assert_int_equal(p->events[1].encoding, 0x111c4);
    assert_int_equal(p->events[1].event, EVENT_CONDITIONAL);
    assert_int_equal(p->events[1].counters, 0xb);
    assert_int_equal(p->events[2].encoding, 0);
    wrong(LITTLE "event 01c4 BR_INST_RETIRED.COND\n", LINES, "no source");
    wrong(LITTLE "event 1c4 BR_INST_RETIRED.COND # x\n", LINES, "\"1c4\" is wrong here");
    wrong(LITTLE "event 0000 BR_INST_RETIRED.COND # x\n", LINES, "\"0000\" is wrong here");
    wrong(LITTLE "event 01c4 BR_INST_RETIRED.CON # x\n", LINES, "no event \"BR_INST_RETIRED.CON\"");
    wrong(LITTLE "event 01c4 # x\n", LINES, "no event \"\"");
    wrong(LITTLE "event 01c4 BR_INST_RETIRED.COND pmc3-2 # x\n", LINES, "the lower first");
    wrong(LITTLE "event 01c4 BR_INST_RETIRED.COND fixed0 # x\n", LINES, "\"fixed0\" is wrong here");
    wrong(LITTLE "event 01c4 BR_INST_RETIRED.COND # x\nevent 01c4 BR_INST_RETIRED.COND # x\n", LINES + 1,
          "01c4 is given twice");
}

CASE(rules)
{
    const struct profile *p = good(LITTLE "global-ctrl accepts 34:32 3:0; hand-off 0xf # x\r\n"
                                          "pebs-enable keeps 0; scope core # x\n"
                                          "debugctl faults 63 0x30 2; drops 1:0 # x\n"
                                          "misc-enable flip-faults 11;clear-only 0xaaa # x\n"
                                          "ds-area canonical # x\n"
                                          "perf-metrics keeps all # x\n"
                                          "offcore-rsp0 absent # x\n"
                                          "offcore-rsp1 faults none # x\n");
    const struct write_rule *rule = p->stored;
    assert_true(rule[STORED_GLOBAL_CTRL].faults == 0xfffffff8fffffff0 && rule[STORED_GLOBAL_CTRL].reset == 15);
    assert_true(rule[STORED_PEBS_ENABLE].dropped == ~1ull && rule[STORED_PEBS_ENABLE].scope == SCOPE_CORE);
    assert_true(rule[STORED_DEBUGCTL].faults == 0x8000000000000034 && rule[STORED_DEBUGCTL].dropped == 3);
    assert_true(rule[STORED_MISC_ENABLE].flip_faults == 0x800);
    assert_true(rule[STORED_DS_AREA].exists && rule[STORED_DS_AREA].canonical);
    assert_true(rule[STORED_PERF_METRICS].exists && rule[STORED_PERF_METRICS].dropped == 0);
    assert_false(rule[STORED_OFFCORE_RSP0].exists);
    assert_true(rule[STORED_OFFCORE_RSP1].exists && rule[STORED_OFFCORE_RSP1].faults == 0);
}

CASE(counters)
{
    const struct profile *p = good("name a\nbrand b # x\nsignature 1 # x\nmicrocode 1 # x\nfreeze legacy # x\n"
                                   "leaf 01 ecx 15 # x\nperfcap 26c0 # x\n"
                                   "gp 4 x 48, 8 without hyper-threading # x\nfixed 0-2 4-6 x 48, drops upper # x\n"
                                   "evtsel faults 63:33 19; pmc2 accepts 33 # x\nevents none # x\n"
                                   "pebs format 6, pmc0-3 pmc7 fixed0, precise pmc1, latency pmc2 # x\n"
                                   "reload pmc2-7 fixed0-1 # x\nclock 1:1 # x\nskid 0 to 0 # x\n"
                                   "errata  A1  B-2 # x\n");
    assert_int_equal(p->gp_count, 4);
    assert_int_equal(p->gp_count_alone, 8);
    assert_true(p->full_width);
    assert_int_equal(p->fixed_bitmap, 0x77);
    assert_true(p->fixed_drops_upper);
    assert_true(p->evtsel.faults == 0xfffffffe00080000 && p->evtsel2_accepts == 0x200000000);
    assert_int_equal(p->event_length, 0);
    assert_int_equal(p->pebs_gp, 0x8f);
    assert_int_equal(p->pebs_fixed, 1);
    assert_int_equal(p->pebs_precise_gp, 2);
    assert_int_equal(p->pebs_latency_gp, 4);
    assert_int_equal(p->reload_gp, 0xfc);
    assert_int_equal(p->reload_fixed, 3);
    assert_int_equal(p->skid_spread, 1);
    assert_string_equal(p->errata, "A1 B-2");
}

CASE(leaves)
{
    const struct profile *p = good(LITTLE "leaf 0a 07300401-1-2-603 # x\nleaf 07.1 eax 8 # x\n"
                                          "leaf 23.1 000003ff-f-0-0 # x\nleaf  1a 40000001-0-0-0 # x\n");
    assert_int_equal(p->version, 1);
    assert_int_equal(p->leaf0a[0], 0x07300401);
    assert_int_equal(p->leaf0a[3], 0x603);
    assert_int_equal(p->leaf7_1_eax, 0x100);
    assert_int_equal(p->leaves[0].leaf, 0x23);
    assert_int_equal(p->leaves[0].subleaf, 1);
    assert_int_equal(p->leaves[0].value[0], 0x3ff);
    assert_int_equal(p->leaves[1].leaf, 0x1a);
    assert_int_equal(p->leaves[2].leaf, 0);
}

CASE(sections)
{
    good(LITTLE "default yes\nleaf 1a 0-0-0-0 # x\n[p]\nleaf 1a 40000001-0-0-0 # x\ngp 8 x 48 # x\n[e]\n"
                "leaf 1a 20000001-0-0-0 # x\nleaf 23.0 1-0-0-0 # x\n");
    assert_true(file.is_default);
    assert_int_equal(file.cores, 2);
    assert_string_equal(file.core[0].core, "p");
    assert_string_equal(file.core[1].core, "e");
    assert_int_equal(file.core[0].gp_count, 8);
    assert_int_equal(file.core[1].gp_count, 2);
    assert_int_equal(file.core[0].leaves[0].value[0], 0x40000001);
    assert_int_equal(file.core[0].leaves[1].leaf, 0);
    assert_int_equal(file.core[1].leaves[0].value[0], 0x20000001);
    assert_int_equal(file.core[1].leaves[1].leaf, 0x23);
    assert_string_equal(file.core[1].name, "little");
}

CASE(mistakes_of_lines)
{
    wrong("", 0, "name is missing");
    wrong("name a\n", 0, "brand is missing");
    wrong(LITTLE "frieze legacy # x\n", LINES, "there is no key \"frieze\"; the keys are: name default vendor");
    wrong(LITTLE "\n# comment\nevtsels drops 1 # x\n", LINES + 2, "there is no key \"evtsels\"");
    wrong(LITTLE "gp 2 x 40 # x\n", LINES, "gp is given twice");
    wrong(LITTLE "perfcap 0\n", LINES, "no source");
    wrong(LITTLE "perfcap 0 #\n", LINES, "no source");
    wrong(LITTLE "leaf 1a 0-0-0-0\n", LINES, "no source");
    wrong(LITTLE "perfcap # x\n", LINES, "perfcap without a value; allowed: a hexadecimal number");
    wrong(LITTLE "perfcap 0 1 # x\n", LINES, "\"1\" is too much");
    wrong(LITTLE "perfcap \001 # x\n", LINES, "not printable 7-bit");
    wrong("name A\n", 1, "allowed: lower-case letters");
}

CASE(mistakes_of_values)
{
    wrong(LITTLE "perfcap 0xz # x\n", LINES, "\"0xz\" is wrong here");
    wrong(LITTLE "perfcap 11112222333344445 # x\n", LINES, "is wrong here");
    wrong(LITTLE "max-leaf 111122223 # x\n", LINES, "more than 32 bits");
    wrong(LITTLE "x2apic maybe # x\n", LINES, "allowed: yes or no");
    wrong(LITTLE "threads 5 # x\n", LINES, "5 is out of range: 1 to 4");
    wrong(LITTLE "threads 1x # x\n", LINES, "\"1x\" is wrong here");
    wrong(LITTLE "vendor Intel # x\n", LINES, "12 characters");
    wrong(LITTLE "vendor Genuine\"ntel # x\n", LINES, "quotes");
    wrong(LITTLE "start-stop never # x\n", LINES, "allowed: neither, start, stop, both");
    wrong(LITTLE "leaf 01 ecx 32 # x\n", LINES, "has bits 31 to 0");
    wrong(LITTLE "leaf 01 ecx 3:5 # x\n", LINES, "the higher first");
    wrong(LITTLE "leaf 01 ecx 64 # x\n", LINES, "bits are 63 to 0");
    wrong(LITTLE "leaf 0a 1-2-3 # x\n", LINES, "four hexadecimal words");
    wrong(LITTLE "leaf 0a 1-2-3-4-5 # x\n", LINES, "four hexadecimal words");
    wrong(LITTLE "leaf 123 1-2-3-4 # x\n", LINES, "is not a leaf");
    wrong(LITTLE "leaf 07 1-2-3-4 # x\n", LINES, "can only be set by its keys");
    wrong(LITTLE "leaf 1a 0-0-0-0 # x\nleaf 1a 0-0-0-0 # x\n", LINES + 1, "is given twice");
    wrong(LITTLE "netburst 19 x 40 # x\n", LINES, "1 to 18");
    wrong(LITTLE "reload gp2 # x\n", LINES, "counters such as");
    wrong(LITTLE "reload pmc2-11 # x\n", LINES, "indices are 0 to 9");
    wrong(LITTLE "pebs form 3 # x\n", LINES, "format N");
    wrong(LITTLE "pebs format 3, latency fixed0 # x\n", LINES, "pmc counters only");
}

CASE(mistakes_of_rules)
{
    wrong(LITTLE "global-ctrl takes 1 # x\n", LINES, "\"takes\" is wrong here; allowed: absent, or clauses");
    wrong(LITTLE "global-ctrl accepts # x\n", LINES, "ends too early");
    wrong(LITTLE "global-ctrl accepts 1; # x\n", LINES, "ends too early");
    wrong(LITTLE "global-ctrl absent; accepts 1 # x\n", LINES, "is too much");
    wrong(LITTLE "global-ctrl accepts 1; hand-off 0x5 # x\n", LINES, "sets bits that fault: 0x5");
    wrong(LITTLE "global-ctrl faults 1; drops 2:1 # x\n", LINES, "both fault and be dropped: 0x2");
    wrong(LITTLE "global-ctrl scope cpu # x\n", LINES, "\"cpu\" is wrong here");
}

CASE(mistakes_of_files)
{
    wrong(LITTLE "[x]\n", LINES, "[p] and [e]");
    wrong(LITTLE "[p]\n[l]\n", LINES + 1, "[e] comes before [l]");
    wrong(LITTLE "[e]\n", LINES, "[p] comes before [e]");
    wrong(LITTLE "[p]\n", 0, "[p] without [e]");
    wrong(LITTLE "[p]\n[p]\n", LINES + 1, "is given twice");
    wrong(LITTLE "[p]\nname b\n", LINES + 1, "name must stand before the sections");
    wrong("name a\n[p]\nbrand b # x\n[e]\n", 0, "signature is missing in [p]");
    wrong(LITTLE "netburst 18 x 40 # x\n", 0, "not both");
    wrong(LITTLE "perfcap 33c5 # x\n", 0, "without bit 15");
    wrong(LITTLE "leaf 0a 2-0-0-0 # x\n", 0, "version 2 and later have global-ctrl");
}

/* Each profile once, each before the table and the hybrid's second one before its first. */
CASE(printed)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    good(LITTLE "global-ctrl keeps all; hand-off 0x3 # x\n[p]\ngp 4 x 48 # x\n[e]\n");
    profile_print(out, &file);
    fclose(out);
    const char *e = strstr(text, "static const struct profile profile_little_e = {");
    const char *p = strstr(text, "static const struct profile profile_little = {");
    assert_true(e && p && e < p);
    assert_non_null(strstr(p, ".second = &profile_little_e,"));
    assert_non_null(strstr(p, ".gp_count = 4, .gp_width = 48"));
    assert_non_null(strstr(e, ".gp_count = 2, .gp_width = 40"));
    assert_non_null(strstr(p, ".stored[STORED_GLOBAL_CTRL] = {.exists = true, .reset = 0x3},"));
    free(text);
}

int main(void)
{
    return run_cases();
}
