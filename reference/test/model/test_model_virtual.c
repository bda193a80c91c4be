/* SPDX-License-Identifier: BSD-2-Clause */
/* A profile as a hypervisor shows it: its name, and a version without features of later ones. */
#include "reference/test/model/model_rig.h"

/* The rig of a profile under that hypervisor. */
static void open_under(struct rig *r, struct profile *profile, const char *of, const char *hypervisor, unsigned version)
{
    rig_open_on(r, of, NULL, 1, 0);
    *profile = *model_profile(of);
    profile_virtual(profile, hypervisor, version);
    r->setup.profile = profile;
    model_reset(r->model, &r->setup, &r->host);
}

static u32 answer(struct rig *r, u32 leaf, unsigned reg)
{
    u32 native[4] = {0x20, 0, 0, 0}, out[4];
    model_cpuid(r->model, leaf, 0, native, out);
    return out[reg];
}

CASE(name)
{
    static const char *const names[] = {"KVMKVMKVM", "Microsoft Hv", "X"};
    for_each_row (names, shown) {
        struct profile profile;
        struct rig r;
        char text[13] = "";
        u32 native[4] = {0}, out[4];
        open_under(&r, &profile, "skylake", *shown, 9);
        model_cpuid(r.model, 0x40000000, 0, native, out);
        memcpy(text, &out[1], 12);
        assert_string_equal(text, *shown);
        assert_int_equal(answer(&r, 1, 2) >> 31, 1);
        assert_int_equal(answer(&r, 0x0a, 0) & 0xff, 4); /* the profile's own version */
        assert_false(rd_faults(&r, MSR_PERF_GLOBAL_INUSE));
        rig_close(&r);
    }
}

/* Features that each version has, and the one before it lacks. */
CASE(versions)
{
    static const struct {
        const char *of;
        unsigned asked, version;
        bool inuse, any, aliases, leaf_7_1;
        u32 fixed_named; /* leaf 0AH ECX */
    } rows[] = {
        {"skylake", 255, 4, true, true, false, false, 0},   {"skylake", 4, 4, true, true, false, false, 0},
        {"skylake", 9, 4, true, true, false, false, 0},     {"skylake", 3, 3, false, true, false, false, 0},
        {"skylake", 2, 2, false, false, false, false, 0},   {"ice-lake", 5, 5, true, false, false, false, 0xf},
        {"ice-lake", 4, 4, true, false, false, false, 0},   {"lunar-lake", 6, 6, true, false, true, true, 7},
        {"lunar-lake", 5, 5, true, false, false, false, 7}, {"lunar-lake", 2, 2, false, false, false, false, 0},
    };
    for_each_row (rows, row) {
        struct profile profile;
        struct rig r;
        open_under(&r, &profile, row->of, "KVMKVMKVM", row->asked);
        assert_int_equal(answer(&r, 0x0a, 0) & 0xff, row->version);
        assert_int_equal(answer(&r, 0x0a, 2), row->fixed_named);
        assert_int_equal(!rd_faults(&r, MSR_PERF_GLOBAL_INUSE), row->inuse);
        assert_int_equal(!wr_faults(&r, MSR_PERF_GLOBAL_STATUS_SET, 0), row->inuse);
        assert_int_equal(!wr_faults(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ), row->inuse);
        assert_int_equal(!wr_faults(&r, MSR_PERFEVTSEL(0), EVTSEL_ANY), row->any);
        assert_int_equal(!rd_faults(&r, MSR_PMC_GP_CTR(0)), row->aliases);
        assert_int_equal(profile.leaf7_1_eax >> 8 & 1, row->leaf_7_1);
        assert_false(wr_faults(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_COND_CHGD | 1));
        rig_close(&r);
    }
}

/* A version without the global registers, and a guest without a PMU. */
CASE(hardly_any)
{
    static const u32 global[] = {MSR_FIXED_CTR(0),       MSR_FIXED_CTR_CTRL,           MSR_PERF_GLOBAL_CTRL,
                                 MSR_PERF_GLOBAL_STATUS, MSR_PERF_GLOBAL_STATUS_RESET, MSR_PERF_GLOBAL_STATUS_SET,
                                 MSR_PERF_GLOBAL_INUSE};
    static const u32 all[] = {MSR_PMC(0), MSR_PMC(2), MSR_PERFEVTSEL(0), MSR_PERF_CAPABILITIES, MSR_PEBS_ENABLE};
    static const char *const names[] = {"skylake", "ice-lake", "haswell", "conroe", "tremont", "lunar-lake"};
    for_each_row (names, of)
        for (unsigned version = 0; version < 2; version++) {
            struct profile profile;
            struct rig r;
            open_under(&r, &profile, *of, "KVMKVMKVM", version);
            assert_int_equal(answer(&r, 0x0a, 0) & 0xff, version);
            for_each_row (global, msr)
                assert_true(rd_faults(&r, *msr));
            for_each_row (all, msr)
                assert_true(version || rd_faults(&r, *msr));
            assert_true(!version || !rd_faults(&r, MSR_PMC(0)));
            rig_close(&r);
        }
}

/* Below version 4 a PMI freezes the old way: it clears GLOBAL_CTRL, and sets no bit of STATUS. */
CASE(freezes_as_of_old)
{
    struct profile profile = *model_profile("skylake");
    profile_virtual(&profile, "KVMKVMKVM", 4);
    assert_int_equal(profile.freeze, FREEZE_STREAMLINED);
    profile_virtual(&profile, "KVMKVMKVM", 3);
    assert_int_equal(profile.freeze, FREEZE_LEGACY);
}

/* Only the first counters: those beyond are in no leaf, their registers fault, and so do their bits. */
CASE(fewer_counters)
{
    struct profile profile;
    struct rig r;
    open_under(&r, &profile, "ice-lake", "KVMKVMKVM", 5);
    profile_counters(&profile, 3, 1);
    model_reset(r.model, &r.setup, &r.host);
    assert_int_equal(answer(&r, 0x0a, 0) >> 8 & 0xff, 3);
    assert_int_equal(answer(&r, 0x0a, 2), 1);
    assert_int_equal(answer(&r, 0x0a, 3) & 0x1f, 1);
    assert_false(rd_faults(&r, MSR_PMC(2)));
    assert_false(rd_faults(&r, MSR_FIXED_CTR(0)));
    assert_false(wr_faults(&r, MSR_PERF_GLOBAL_CTRL, 0x100000007));
    assert_true(rd_faults(&r, MSR_PMC(3)) && rd_faults(&r, MSR_PERFEVTSEL(3)) && rd_faults(&r, MSR_A_PMC(3)));
    assert_true(rd_faults(&r, MSR_FIXED_CTR(1)) && rd_faults(&r, MSR_PERF_METRICS));
    assert_true(wr_faults(&r, MSR_PERF_GLOBAL_CTRL, BIT(3)) && wr_faults(&r, MSR_PERF_GLOBAL_CTRL, BIT(33)));
    assert_true(wr_faults(&r, MSR_FIXED_CTR_CTRL, FIXED_OS(1)));
    assert_true(wr_faults(&r, MSR_PEBS_ENABLE, BIT(3)));
    rig_close(&r);
}

/* More than there are: all. */
CASE(no_more_counters)
{
    struct profile profile = *model_profile("skylake");
    profile_counters(&profile, 255, 255);
    assert_int_equal(profile.gp_count, model_profile("skylake")->gp_count);
    assert_int_equal(profile.fixed_bitmap, model_profile("skylake")->fixed_bitmap);
    assert_int_equal(profile.leaf0a[0], model_profile("skylake")->leaf0a[0]);
}

int main(void)
{
    return run_cases();
}
