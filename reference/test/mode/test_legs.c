/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs of a proof: each profile once, each defect in all its forms. */
#include "kernel/text/text.h"
#include "reference/mode/prove.h"
#include "reference/model/profile.h"
#include "reference/test/model/model_rig.h"

static unsigned profiles_of_all(const struct profile *on[LEGS_MAX])
{
    static int list[1024];
    unsigned count = 0;
    for (int i = 0; i < (int)deviation_count; i++)
        if (deviations[i]->kind == KIND_DEFECT)
            list[count++] = i;
    return legs_profiles(profiles[0], list, count, on);
}

/* Of one defect: the proof's own profile and those on which it is shown. */
CASE(profiles_of_one)
{
    const struct profile *on[LEGS_MAX];
    int eq = deviation_find("eq-ignored"), lost = deviation_find("counter-dead");
    assert_true(eq >= 0 && lost >= 0);
    assert_int_equal(legs_profiles(profiles[0], &eq, 1, on), 2);
    assert_ptr_equal(on[0], profiles[0]);
    assert_ptr_equal(on[1], model_profile("lunar-lake"));
    assert_true(legs_profiles(profiles[0], &lost, 1, on) < profiles_of_all(on));
}

CASE(profiles_once)
{
    const struct profile *list[LEGS_MAX];
    unsigned count = profiles_of_all(list);
    assert_ptr_equal(list[0], profiles[0]);
    assert_true(count > 1 && count <= LEGS_MAX);
    for (unsigned i = 0; i < count; i++)
        for (unsigned other = 0; other < i; other++)
            assert_ptr_not_equal(list[i], list[other]);
}

/* Every profile of a defect's forms also runs without a deviation, or is the proof's own. */
CASE(profiles_complete)
{
    const struct profile *list[LEGS_MAX];
    unsigned count = profiles_of_all(list);
    struct leg leg;
    for (int i = 0; i < (int)deviation_count; i++) {
        if (deviations[i]->kind != KIND_DEFECT)
            continue;
        for (unsigned n = 0; leg_of(profiles[0], i, n, &leg); n++) {
            bool found = false;
            for (unsigned p = 0; p < count; p++)
                found |= list[p] == leg.run.profile;
            assert_true(found);
        }
    }
}

/* What no CPU without the errata has is shown on those CPUs alone. */
CASE(only_there)
{
    struct leg leg;
    int defect = deviation_find("ept-misses-count-all");
    assert_true(leg_of(profiles[0], defect, 0, &leg));
    assert_int_equal(leg.kind, LEG_ERRATUM);
    assert_true(leg_of(profiles[0], defect, 1, &leg));
    assert_int_equal(leg.kind, LEG_ERRATUM);
    assert_false(leg_of(profiles[0], defect, 2, &leg));
}

CASE(guises)
{
    struct leg leg;
    int defect = deviation_find("debugctl-freeze-dropped");
    assert_true(leg_of(profiles[0], defect, 0, &leg));
    assert_int_equal(leg.kind, LEG_PLAIN);
    assert_ptr_equal(leg.run.profile, profiles[0]);
    assert_string_equal(leg.name, "debugctl-freeze-dropped");
    assert_true(leg_of(profiles[0], defect, 1, &leg));
    assert_int_equal(leg.kind, LEG_ELSEWHERE);
    assert_string_equal(leg.name, "debugctl-freeze-dropped@sandy-bridge");
    assert_ptr_equal(leg.run.profile, model_profile("sandy-bridge"));
    assert_true(leg_of(profiles[0], defect, 2, &leg));
    assert_int_equal(leg.kind, LEG_NOT_BY);
    assert_string_equal(leg.name, "debugctl-freeze-dropped@000306c3:28");
    assert_ptr_equal(leg.run.profile, model_profile("haswell"));
    assert_false(leg_of(profiles[0], defect, 3, &leg));
}

/* A variation runs on the profiles that it names, and last with a normal run's number of repeats. */
CASE(crossed)
{
    static const struct {
        const char *name, *profile;
        enum leg_kind kind;
    } want[] = {
        {"fixed0-plus-32", "skylake", LEG_PLAIN},
        {"fixed0-plus-32@haswell", "haswell", LEG_ELSEWHERE},
        {"fixed0-plus-32@haswell+normal", "haswell", LEG_THOROUGH},
    };
    struct leg leg;
    int variation = deviation_find("fixed0-plus-32");
    for (unsigned n = 0; n < ARRAY_SIZE(want); n++) {
        assert_true(leg_of(profiles[0], variation, n, &leg));
        assert_int_equal(leg.kind, want[n].kind);
        assert_string_equal(leg.name, want[n].name);
        assert_ptr_equal(leg.run.profile, model_profile(want[n].profile));
    }
    assert_false(leg_of(profiles[0], variation, ARRAY_SIZE(want), &leg));
}

/* Rows of deviations name profiles as text: each must exist. */
CASE(profiles_exist)
{
    for (unsigned i = 0; i < deviation_count; i++) {
        if (deviations[i]->profile)
            assert_non_null(model_profile(deviations[i]->profile));
        for (const char *const *name = deviations[i]->elsewhere; *name; name++)
            assert_non_null(model_profile(*name));
    }
}

/* Each counter of the profile once, general-purpose and fixed, and the counters that only another profile has. */
CASE(on_each_counter)
{
    struct leg leg;
    int defect = deviation_find("overflow-asks-nothing");
    u64 all = 0, asked = 0;
    assert_true(deviation_narrows(deviations[defect], true, false));
    assert_non_null(deviation_meant(deviations[defect]));
    for (const struct profile *own = profiles[0]; own; own = own == profiles[0] ? model_profile("lunar-lake") : NULL)
        for (const struct profile *kind = own; kind; kind = kind->second)
            all |= (BIT(kind->gp_count) - 1) | (u64)kind->fixed_bitmap << 32;
    for (unsigned n = 1; leg_of(profiles[0], defect, n, &leg); n++) {
        u64 counter = BIT(leg.run.place.counter - 1);
        assert_int_equal(leg.kind, LEG_COUNTER);
        assert_false(asked & counter);
        asked |= counter;
        bool own = counter & ((BIT(profiles[0]->gp_count) - 1) | (u64)profiles[0]->fixed_bitmap << 32);
        assert_ptr_equal(leg.run.profile, own ? profiles[0] : model_profile("lunar-lake"));
        if (n == 1)
            assert_string_equal(leg.name, "overflow-asks-nothing(counter=0)");
    }
    assert_true(all == asked);
    assert_string_equal(leg.name, "overflow-asks-nothing(counter=fixed6)");
}

/* Defects that are intermittent on real CPUs also run intermittently. */
CASE(rarely)
{
    struct leg leg;
    int defect = deviation_find("freeze-missing");
    assert_true(deviations[defect]->rare);
    for (unsigned n = 0; leg_of(profiles[0], defect, n, &leg); n++)
        if (leg.kind == LEG_RARE)
            break;
    assert_int_equal(leg.kind, LEG_RARE);
    assert_int_equal(leg.run.rate, 40);
    assert_string_equal(leg.name, "freeze-missing:40+normal");
    defect = deviation_find("leaf-missing");
    for (unsigned n = 0; leg_of(profiles[0], defect, n, &leg); n++)
        assert_int_not_equal(leg.kind, LEG_RARE);
}

/* A leg is marked as unseen only if no test is known to notice the defect there. */
CASE(unseen)
{
    struct leg leg;
    int defect = deviation_find("counter-drifts");
    unsigned told = 0;
    for (unsigned n = 0; leg_of(profiles[0], defect, n, &leg); n++) {
        assert_int_equal(leg.unseen, leg.run.place.counter > 1 + 32);
        told += leg.unseen;
    }
    assert_int_equal(told, 6);
}

/* A defect of registers is shown on each register of the table that the profile has, and need not be noticed there. */
CASE(on_each_register)
{
    struct leg leg;
    int defect = deviation_find("register-reads-zero");
    unsigned n = 0;
    for (; leg_of(profiles[0], defect, n, &leg); n++) {
        assert_int_equal(leg.kind, LEG_REGISTER);
        assert_true(leg.unseen && leg.run.place.member);
        assert_true(n || !strcmp(leg.name, "register-reads-zero(register=evtsel)"));
    }
    assert_in_range(n, 20, 40);
}

/* A defect on each counter can be narrowed to one counter, and names its tests. */
CASE(each_can_be_narrowed)
{
    for (unsigned i = 0; i < deviation_count; i++)
        if (deviations[i]->each) {
            assert_true(deviation_narrows(deviations[i], true, false));
            assert_non_null(deviation_meant(deviations[i]));
        }
}

CASE(with_errata)
{
    struct leg leg;
    int defect = deviation_find("inst-retired-undercounts");
    assert_true(leg_of(profiles[0], defect, 1, &leg));
    assert_int_equal(leg.kind, LEG_RARE);
    assert_true(leg_of(profiles[0], defect, 2, &leg));
    assert_int_equal(leg.kind, LEG_ERRATUM);
    assert_string_equal(leg.name, "inst-retired-undercounts@000106a5");
    assert_ptr_equal(leg.run.profile, model_profile("nehalem"));
    assert_string_equal(leg.run.erratum->id, "AAJ107");
}

/* First the CPUs on which a defect must be taken for an erratum, then those on which it must not. */
CASE(beside_errata)
{
    struct leg leg;
    int defect = deviation_find("inuse-3-foreign");
    unsigned mimicked = 0;
    while (leg_of(profiles[0], defect, 1 + mimicked, &leg) && leg.kind == LEG_ERRATUM)
        mimicked++;
    assert_int_equal(mimicked, 2);
    assert_int_equal(leg.kind, LEG_NOT_BY);
    assert_string_equal(leg.name, "inuse-3-foreign@000506e3:f0");
    assert_false(leg_of(profiles[0], defect, 2 + mimicked, &leg));
}

/* A proof of one profile shows each deviation there that is no other CPU's alone. */
CASE(alone)
{
    struct leg leg;
    const struct profile *haswell = model_profile("haswell");
    assert_true(leg_alone(haswell, deviation_find("debugctl-freeze-dropped"), &leg));
    assert_string_equal(leg.name, "debugctl-freeze-dropped@haswell");
    assert_ptr_equal(leg.run.profile, haswell);
    assert_true(leg.unseen);
    assert_true(leg_alone(model_profile("sandy-bridge"), deviation_find("debugctl-freeze-dropped"), &leg));
    assert_false(leg.unseen);
    assert_true(leg_alone(haswell, deviation_find("freeze-bit-cleared-by-smi"), &leg));
    assert_false(leg_alone(profiles[0], deviation_find("freeze-bit-cleared-by-smi"), &leg));
    assert_false(leg_alone(profiles[0], deviation_find("ept-misses-count-all"), &leg));
    assert_true(leg_alone(profiles[0], deviation_find("condchgd-sticky"), &leg));
}

int main(void)
{
    return run_cases();
}
