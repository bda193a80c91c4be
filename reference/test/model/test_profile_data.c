/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profiles against numbers of real CPUs that are typed here a second time: signatures, leaves, counters, and which
 * bits of a write fault or are dropped, as probed on silicon or, if none was probed, as the profile assumes.
 */
#include "reference/test/model/model_rig.h"

static const struct profile *profile_of(const char *name)
{
    const struct profile *p = model_profile(name);
    if (!p)
        fail_msg("no profile %s", name);
    return p;
}

/* ---- CPUID and counters. The dumps have leaf 0AH and the signature: test_profile_dumps.c. */

#define for_each_profile(p) for (const struct profile *const *p = profiles; p < profiles + profile_count; p++)

CASE(first_is_skylake)
{
    assert_string_equal(model_profile_name(profiles[0]), "skylake");
    assert_null(model_profile("pentium-pro"));
}

/* DTES64, PDCM and DS of leaf 1; full-width writes, SMI count, INUSE and STATUS_SET, freeze. */
CASE(features)
{
    for_each_profile (each) {
        const struct profile *p = *each;
        const char *name = model_profile_name(p);
        bool netburst = p->version == 0, old = strcmp(name, "core-duo") == 0;
        assert_string_equal(p->vendor, "GenuineIntel");
        assert_int_equal(p->leaf1_ecx >> 2 & 1, !old);
        assert_int_equal(p->leaf1_ecx >> 15 & 1, !netburst);
        assert_int_equal(p->leaf1_edx, 0x200000);
        assert_int_equal(p->full_width, p->perf_capabilities >> 13 & 1);
        assert_int_equal(p->smi_count, p->platform_info != 0);
        assert_int_equal(p->inuse, p->version >= 4);
        assert_int_equal(p->status_set.exists, p->version >= 4);
        assert_int_equal(p->freeze, p->version >= 4   ? FREEZE_STREAMLINED
                                    : p->version >= 2 ? FREEZE_LEGACY
                                                      : FREEZE_NONE);
        assert_int_equal(p->any_thread, !strcmp(name, "bonnell") || !strcmp(name, "nehalem") ||
                                            !strcmp(name, "sandy-bridge") || !strcmp(name, "haswell") ||
                                            !strcmp(name, "broadwell") || !strcmp(name, "skylake") ||
                                            !strcmp(name, "ivy-bridge") || !strcmp(name, "cascade-lake"));
    }
}

CASE(events)
{
    assert_int_equal(profile_of("core-duo")->event_length, 7);
    assert_int_equal(profile_of("nehalem")->event_length, 7);
    assert_int_equal(profile_of("nehalem")->events_dead, 4);
    assert_int_equal(profile_of("skylake")->events_dead, 0);
    assert_int_equal(profile_of("ice-lake")->event_length, 8);
    assert_int_equal(profile_of("prescott")->event_length, 0);
    /* 23H.3 is 1DFFH and 1F7FH */
    const struct profile *p = profile_of("lunar-lake");
    assert_int_equal(p->event_length, 13);
    assert_int_equal(p->events_dead, 0x1fff & ~0x1dff);
    assert_int_equal(p->second->event_length, 13);
    assert_int_equal(p->second->events_dead, 0x1fff & ~0x1f7f);
}

/* ---- The effect of writes: which bits fault, which are dropped ---- */

enum { EVTSEL = STORED_COUNT, RESET, SET };

static const struct mask {
    const char *name;
    unsigned which;
    u64 faults, dropped, hand_off;
} masks[] = {
    /* Event selects: 19 is PC, 21 AnyThread, 32 and 33 TSX's */
    {"core-duo", EVTSEL, 0, 0xffffffff00000000, 0},
    {"conroe", EVTSEL, 0, 0xffffffff00000000, 0},
    {"penryn", EVTSEL, 0xffffffff00200000, 0, 0},
    {"bonnell", EVTSEL, 0xffffffff00000000, 0, 0},
    {"silvermont", EVTSEL, 0xffffffff00000000, 0, 0},
    {"sandy-bridge", EVTSEL, 0xffffffff00080000, 0, 0},
    {"haswell", EVTSEL, 0xfffffffe00080000, 0, 0},
    {"broadwell", EVTSEL, 0xfffffffe00080000, 0, 0},
    {"skylake", EVTSEL, 0xfffffffe00080000, 0, 0},
    {"conroe", STORED_FIXED_CTR_CTRL, 0, 0xfffffffffffff000, 0},
    {"penryn", STORED_FIXED_CTR_CTRL, 0xfffffffffffff444, 0, 0},
    {"bonnell", STORED_FIXED_CTR_CTRL, 0xfffffffffffff000, 0, 0},
    {"silvermont", STORED_FIXED_CTR_CTRL, 0xfffffffffffff000, 0, 0},
    {"sandy-bridge", STORED_FIXED_CTR_CTRL, 0xfffffffffffff000, 0, 0},
    {"broadwell", STORED_FIXED_CTR_CTRL, 0xfffffffffffff000, 0, 0},
    {"skylake", STORED_FIXED_CTR_CTRL, 0xfffffffffffff000, 0, 0},
    {"conroe", STORED_GLOBAL_CTRL, 0, 0, 0x700000003},
    {"penryn", STORED_GLOBAL_CTRL, 0, 0, 0xffffffffffffffff},
    {"bonnell", STORED_GLOBAL_CTRL, 0xfffffff8fffffffc, 0, 0x700000003},
    {"silvermont", STORED_GLOBAL_CTRL, 0xfffffff8fffffffc, 0, 3},
    {"sandy-bridge", STORED_GLOBAL_CTRL, 0xfffffff8fffffff0, 0, 15},
    {"broadwell", STORED_GLOBAL_CTRL, 0xfffffff8fffffff0, 0, 15},
    {"skylake", STORED_GLOBAL_CTRL, 0xfffffff8fffffff0, 0, 15},
    {"ice-lake", STORED_GLOBAL_CTRL, 0xfffefff0ffffff00, 0, 0xff},
    {"alder-lake", STORED_GLOBAL_CTRL, 0xfffefff0ffffff00, 0, 0xff},
    {"lunar-lake", STORED_GLOBAL_CTRL, 0xfffefff0fffffc00, 0, 0x3ff},
    {"conroe", RESET, 0, 0, 0},
    {"bonnell", RESET, ~0xc000000700000003, 0, 0},
    {"silvermont", RESET, ~0xc000000700000003, 0, 0},
    {"sandy-bridge", RESET, ~0xe00000070000000f, 0, 0},
    {"broadwell", RESET, ~0xe08000070000000f, 0, 0},
    {"skylake", RESET, ~0xfc8000070000000f, 0, 0},
    {"skylake", SET, ~0xfc8000070000000f, 0x8000000000000000, 0},
    {"core-duo", STORED_DEBUGCTL, ~0x1c3ull, 0, 0},
    {"conroe", STORED_DEBUGCTL, ~0x1fc3ull, 0, 0},
    {"penryn", STORED_DEBUGCTL, ~0x5fc3ull, 0, 0},
    {"bonnell", STORED_DEBUGCTL, ~0x1fc3ull, 0, 0},
    {"silvermont", STORED_DEBUGCTL, ~0x5fc3ull, 0, 0},
    {"sandy-bridge", STORED_DEBUGCTL, ~0x7fc3ull, 0, 0},
    {"broadwell", STORED_DEBUGCTL, ~0xffc3ull, 0, 0},
    {"skylake", STORED_DEBUGCTL, ~0xffc3ull, 0, 0},
    {"prescott", STORED_DEBUGCTL, ~0x7full, 0, 0},
    {"conroe", STORED_PEBS_ENABLE, 0, ~1ull, 0},
    {"penryn", STORED_PEBS_ENABLE, 0, ~1ull, 0},
    {"bonnell", STORED_PEBS_ENABLE, 0xfffffffffffffffe, 0, 0},
    {"silvermont", STORED_PEBS_ENABLE, 0xfffffffffffffffe, 0, 0},
    {"sandy-bridge", STORED_PEBS_ENABLE, 0x7ffffff0fffffff0, 0, 0},
    {"broadwell", STORED_PEBS_ENABLE, 0xfffffff0fffffff0, 0, 0},
    {"skylake", STORED_PEBS_ENABLE, 0xfffffff0fffffff0, 0, 0},
    {"prescott", STORED_PEBS_ENABLE, 0, ~0x7ffffffull, 0},
    {"ice-lake", STORED_PEBS_DATA_CFG, ~0xff00000full, 0, 0},
    {"sandy-bridge", STORED_PEBS_LD_LAT, 0, ~0xffffull, 0xffff},
    {"skylake", STORED_PEBS_FRONTEND, 0xffffffffff8000e8, 0, 0x800},
    {"sandy-bridge", STORED_OFFCORE_RSP0, 0xffffffc000007000, 0, 0},
    {"skylake", STORED_OFFCORE_RSP0, 0xffffffc000006000, 0, 0},
    {"core-duo", STORED_DS_AREA, 0, 0xffffffff00000000, 0},
    {"skylake", STORED_DS_AREA, 0, 0, 0},
};

static const struct write_rule *rule_of(const struct profile *p, unsigned which)
{
    return which == EVTSEL  ? &p->evtsel
           : which == RESET ? &p->status_reset
           : which == SET   ? &p->status_set
                            : &p->stored[which];
}

CASE(writes)
{
    for_each_row (masks, row) {
        const struct write_rule *rule = rule_of(profile_of(row->name), row->which);
        if (!rule->exists || rule->faults != row->faults || rule->dropped != row->dropped ||
            rule->reset != row->hand_off)
            fail_msg("%s register %u: faults %llx dropped %llx hand-off %llx", row->name, row->which,
                     (unsigned long long)rule->faults, (unsigned long long)rule->dropped,
                     (unsigned long long)rule->reset);
    }
}

/* PMC2's event select takes IN_TXCP on CPUs with TSX. */
CASE(txcp)
{
    static const char *const with[] = {"haswell",         "broadwell",    "skylake",    "ice-lake",
                                       "sapphire-rapids", "cascade-lake", "tiger-lake", "granite-rapids"};
    u64 expected;
    for_each_profile (p) {
        expected = 0;
        for_each_row (with, name)
            expected |= strcmp(*name, model_profile_name(*p)) == 0 ? 1ull << 33 : 0;
        assert_int_equal((*p)->evtsel2_accepts, expected);
    }
}

static const struct misc {
    const char *name;
    u64 hand_off, flip_faults;
} miscs[] = {
    {"core-duo", 0x60843488, 0},    {"conroe", 0x4062972489, 0},     {"penryn", 0x4066a52489, 0},
    {"bonnell", 0x60940488, 0},     {"silvermont", 0x850089, 0x800}, {"sandy-bridge", 0x850089, 0x800},
    {"broadwell", 0x850089, 0x800}, {"skylake", 0x850089, 0x800},    {"prescott", 0x22a40489, 0x1800},
};

/* IA32_MISC_ENABLE: 7 is 1, 11 is 0, and 12 is 0 except on Core Duo; none of them can be changed. */
CASE(misc_enable)
{
    for_each_row (miscs, row) {
        const struct write_rule *rule = &profile_of(row->name)->stored[STORED_MISC_ENABLE];
        assert_int_equal(rule->reset, row->hand_off);
        assert_int_equal(rule->flip_faults, row->flip_faults);
        assert_int_equal((rule->dropped | rule->flip_faults) & 0x1880, 0x1880);
        assert_int_equal(rule->reset & 0x1880, strcmp(row->name, "core-duo") == 0 ? 0x1080 : 0x80);
    }
}

/* ---- Hybrids ---- */

static const struct profile_leaf *leaf_of(const struct profile *p, u32 leaf, u32 subleaf)
{
    for_each_row (p->leaves, row)
        if (row->leaf == leaf && row->subleaf == subleaf)
            return row;
    fail_msg("%s %s: no leaf %x.%u", p->name, p->core, leaf, subleaf);
    return NULL;
}

static void expect_leaf(const struct profile *p, u32 leaf, u32 subleaf, u32 eax, u32 ebx, u32 ecx, u32 edx)
{
    const u32 expected[4] = {eax, ebx, ecx, edx};
    assert_memory_equal(leaf_of(p, leaf, subleaf)->value, expected, sizeof(expected));
}

static const struct {
    const char *name;
    unsigned kinds;
    bool leaf23, aliases;
} newest[] = {
    {"alder-lake", 2, false, false},      {"meteor-lake", 3, true, false},   {"granite-rapids", 1, true, false},
    {"lunar-lake", 2, true, true},        {"arrow-lake-h", 3, true, true},   {"panther-lake", 2, true, true},
    {"clearwater-forest", 1, true, true}, {"diamond-rapids", 1, true, true}, {"wildcat-lake", 2, true, true},
    {"nova-lake", 2, true, true},
};

/* All kinds of core have the same leaf 0AH and the same leaf 7. */
CASE(kinds_of_core)
{
    for_each_profile (each) {
        const struct profile *p = *each;
        unsigned kinds = 1, told = 0;
        bool leaf23 = false, aliases = false;
        for_each_row (newest, new)
            if (!strcmp(new->name, model_profile_name(p)))
                kinds = new->kinds, leaf23 = new->leaf23, aliases = new->aliases;
        for (const struct profile *core = p; core; core = core->second, told++) {
            assert_memory_equal(p->leaf0a, core->leaf0a, sizeof(p->leaf0a));
            bool records = (core->perf_capabilities & 0x3f) == 0x3f; /* architectural branch records */
            assert_int_equal(core->leaf7_edx, (kinds > 1 ? 0x8000 : 0) | (records ? 0x80000 : 0));
            assert_int_equal(core->leaf7_1_eax, leaf23 ? 0x100 : 0);
        }
        assert_int_equal(told, kinds);
        assert_int_equal(p->aliases, aliases);
    }
}

CASE(alder_lake)
{
    const struct profile *p = profile_of("alder-lake"), *e = p->second;
    expect_leaf(p, 0x1a, 0, 0x40000001, 0, 0, 0);
    expect_leaf(e, 0x1a, 0, 0x20000001, 0, 0, 0);
    assert_int_equal(e->gp_count, 6);
    assert_int_equal(e->fixed_bitmap, 7);
    assert_int_equal(e->perf_capabilities, 0x174ff);
    assert_true(e->stored[STORED_GLOBAL_CTRL].faults == 0xfffffff8ffffffc0);
    assert_int_equal(e->stored[STORED_GLOBAL_CTRL].reset, 0x3f);
    assert_true(p->stored[STORED_PERF_METRICS].exists && !e->stored[STORED_PERF_METRICS].exists);
}

CASE(lunar_lake)
{
    const struct profile *p = profile_of("lunar-lake"), *e = p->second;
    expect_leaf(p, 0x1a, 0, 0x40000003, 0, 0, 0);
    expect_leaf(p, 0x23, 0, 0xb, 3, 0, 0);
    expect_leaf(p, 0x23, 1, 0x3ff, 0xf, 0, 0);
    expect_leaf(p, 0x23, 3, 0x1dff, 0, 0, 0);
    expect_leaf(e, 0x1a, 0, 0x20000003, 0, 0, 0);
    expect_leaf(e, 0x23, 0, 0xf, 3, 8, 0);
    expect_leaf(e, 0x23, 1, 0xff, 0x77, 0, 0);
    expect_leaf(e, 0x23, 2, 0xfc, 3, 0xfc, 3);
    expect_leaf(e, 0x23, 3, 0x1f7f, 0, 0, 0);
    assert_int_equal(e->gp_count, 8);
    assert_int_equal(e->fixed_bitmap, 0x77);
    assert_true(e->stored[STORED_GLOBAL_CTRL].faults == 0xffffff88ffffff00);
    assert_true(e->stored[STORED_FIXED_CTR_CTRL].faults == 0xfeeefeeef444f444);
    assert_int_equal(e->reload_gp, 0xfc);
    assert_int_equal(e->reload_fixed, 3);
    /* UMASK2, EQ, branch counters, ADAPTIVE are taken; user-disable, TSX, AnyThread, PC fault */
    assert_true(p->evtsel.faults == 0xffff00e300280000);
}

/* Leaf 23H agrees with what exists. */
CASE(leaf_23_agrees)
{
    for_each_row (newest, row)
        for (const struct profile *core = profile_of(row->name); core && row->leaf23; core = core->second) {
            assert_int_equal(leaf_of(core, 0x23, 1)->value[0], (1u << core->gp_count) - 1);
            assert_int_equal(leaf_of(core, 0x23, 1)->value[1], core->fixed_bitmap);
            assert_int_equal(leaf_of(core, 0x23, 3)->value[0], (1u << core->event_length) - 1 - core->events_dead);
        }
}

CASE(netburst)
{
    const struct profile *p = profile_of("prescott");
    assert_int_equal(p->max_leaf, 5);
    assert_int_equal(p->netburst_count, 18);
    assert_int_equal(p->netburst_width, 40);
    assert_true(p->cccr.dropped == 0xffffffff00000fff && p->cccr.faults == 0);
    assert_true(p->escr.dropped == 0xffffffff00000000 && p->escr.flip_faults == 0x80000000);
    assert_true(p->netburst_counter.dropped == 0xffffff0000000000);
    assert_int_equal(p->cccr.scope, SCOPE_CORE);
    assert_int_equal(p->stored[STORED_PEBS_DATA_CFG].dropped, ~0x1fffull);
    for_each_profile (each)
        assert_int_equal((*each)->netburst_count, (*each)->version == 0 ? 18 : 0);
}

/* ---- In the model ---- */

/* Any write to any register of any kind of core: nothing breaks, and a fault changes nothing. */
CASE(every_register)
{
    static const u32 ranges[][2] = {{0xc1, 0xca},   {0x186, 0x18f}, {0x1a0, 0x1d9}, {0x309, 0x311},
                                    {0x329, 0x345}, {0x38d, 0x392}, {0x3f1, 0x3f7}, {0x4c1, 0x4ca}};
    for (unsigned i = 0; i < profile_count; i++)
        for (const struct profile *core = profiles[i]; core; core = core->second) {
            struct rig r;
            rig_open(&r, NULL, 1, 0);
            r.setup.profile = core;
            model_reset(r.model, &r.setup, &r.host);
            for_each_row (ranges, range)
                for (u32 msr = (*range)[0]; msr <= (*range)[1]; msr++)
                    for (unsigned bit = 0; bit < 64; bit++) {
                        u64 before = 0, after = 0;
                        bool there = model_rdmsr(r.model, msr, &before);
                        bool written = model_wrmsr(r.model, msr, 1ull << bit);
                        model_rdmsr(r.model, msr, &after);
                        if (!written && there && before != after)
                            fail_msg("%s %x: a fault changes it", core->name, msr);
                    }
            rig_close(&r);
        }
}

int main(void)
{
    return run_cases();
}
