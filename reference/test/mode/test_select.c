/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/needs.h"
#include "harness/run/run.h"
#include "kernel/cpu/cpus.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"
#include "reference/mode/runs.h"
#include "tests/host/case.h"

#include <string.h>

/* ---- Stand-ins for the reference model's tables. */

static const struct profile skylake = {.name = "skylake", .brand = "x"}, haswell = {.name = "haswell", .brand = "x"};
const struct profile *const profiles[] = {&skylake, &haswell};
const unsigned profile_count = 2;
const struct dumped_cpu dumped_cpus[] = {
    {.name = "906ea", .cores = 1},
    {.name = "906ea.2", .cores = 1},
    {.name = "b0671", .cores = 2},
};
const unsigned dumped_cpu_count = 3;

const struct profile *dump_like(const struct dumped_cpu *cpu)
{
    return cpu->cores == 1 ? &skylake : &haswell;
}

const struct profile *dump_profile(const struct dumped_cpu *cpu, struct profile room[DUMPED_CORES_MOST])
{
    room[0] = (struct profile){.name = "made", .brand = cpu->cores == 1 ? "coffeelake" : "raptorlake"};
    return room;
}

static const struct deviation_erratum mimicked[] = {{.id = "KBL1", .signature = 0x906e9},
                                                    {.id = "HSW1", .signature = 0x306c3, .profile = "haswell"}};
static const struct deviation lost = {.name = "pmi-lost", .errata = mimicked},
                              late = {.name = "pmi-late", .kind = KIND_VARIATION, .parameter = {"by", 2, 500, 8}};
const struct deviation *const deviations[] = {&lost, &late};
const unsigned deviation_count = 2;

const struct profile *model_profile(const char *name)
{
    for_each_row (profiles, p)
        if (!strcmp((*p)->name, name))
            return *p;
    return NULL;
}

const char *model_profile_name(const struct profile *profile)
{
    return profile->name;
}

bool deviation_narrows(const struct deviation *deviation, bool counter, bool ring)
{
    return deviation == &late || (!counter && !ring);
}

bool deviation_narrows_to_register(const struct deviation *deviation)
{
    return deviation == &late;
}

bool deviation_waits(const struct deviation *deviation)
{
    return deviation == &late;
}

const struct deviation_erratum *deviation_erratum(const struct deviation *deviation, unsigned n)
{
    return deviation->errata && n < ARRAY_SIZE(mimicked) ? &deviation->errata[n] : NULL;
}

int deviation_find(const char *name)
{
    for (int i = 0; i < 2; i++)
        if (!strcmp(deviations[i]->name, name))
            return i;
    return -1;
}

/* ---- Registry and selection */

static const struct test_declaration declarations[] = {
    {.id = "pmi.nmi"}, {.id = "gp.rdpmc"}, {.id = "enum.leaf-0a"}, {.id = "gp.branches"}, {.id = "gp.branches"}};
static const struct test_declaration *const pointers[] = {&declarations[0], &declarations[1], &declarations[2],
                                                          &declarations[3], &declarations[4]};
static struct registry registry;
static struct selection selection;
static char why[RUN_ERROR_SIZE];

CASE(registering)
{
    assert_true(registry_fill(&registry, pointers, pointers + 4, 4, why));
    assert_string_equal(registry.test[0]->id, "enum.leaf-0a");
    assert_string_equal(registry.test[3]->id, "pmi.nmi");
    assert_false(registry_fill(&registry, pointers, pointers + 4, 5, why));
    assert_string_equal(why, "4 tests registered by 5 test files");
    assert_false(registry_fill(&registry, pointers, pointers + 5, 5, why));
    assert_string_equal(why, "two tests are called gp.branches");
}

CASE(selecting)
{
    static const struct {
        const char *run, *skip, *first;
        unsigned count;
        const char *why;
    } rows[] = {
        {"", "", "enum.leaf-0a", 4, NULL},
        {"gp.*", "", "gp.branches", 2, NULL},
        {"gp.*,pmi.nmi", "*.branches", "gp.rdpmc", 2, NULL},
        {"", "gp.*", "enum.leaf-0a", 2, NULL},
        {"gp.nothing", "", NULL, 0, "run=gp.nothing matches no test (the option `list` names them)"},
        {"gp.*,x", "", NULL, 0, "run=x matches no test (the option `list` names them)"},
        {"", "y*", NULL, 0, "skip=y* matches no test (the option `list` names them)"},
        {"gp.*", "gp.*", NULL, 0, "run= and skip= leave no test"},
    };
    assert_true(registry_fill(&registry, pointers, pointers + 4, 4, why));
    for_each_row (rows, row) {
        assert_int_equal(select_tests(&registry, row->run, row->skip, &selection, why), !row->why);
        if (row->why) {
            assert_string_equal(why, row->why);
            continue;
        }
        assert_int_equal(selection.count, row->count);
        assert_string_equal(selection.test[0]->id, row->first);
    }
}

/* A seed gives one order, with every test once; another seed gives another order. */
CASE(shuffling)
{
    struct selection again;
    unsigned other_orders = 0;
    for (u64 seed = 0; seed < 20; seed++) {
        assert_true(select_tests(&registry, "", "", &selection, why));
        again = selection;
        select_shuffle(&selection, seed);
        select_shuffle(&again, seed);
        assert_memory_equal(&selection, &again, sizeof(selection));
        unsigned seen = 0;
        for (unsigned i = 0; i < 4; i++)
            for (unsigned n = 0; n < 4; n++)
                seen |= (selection.test[i] == registry.test[n]) << n;
        assert_int_equal(seen, 15);
        other_orders += selection.test[0] != registry.test[0];
    }
    assert_true(other_orders > 5 && other_orders < 20);
}

CASE(cpu_lists)
{
    static const struct {
        const char *list;
        u64 set;
        const char *why;
    } rows[] = {
        {"0", 1, NULL},
        {"0,2-3", 0xd, NULL},
        {"3,3,1", 0xa, NULL},
        {"4", 0, "cpus=4: this machine runs CPUs 0 to 3"},
        {"0-9999999999", 0, "cpus=0-9999999999: not a list like 0,2-3"},
        {"2-1", 0, "cpus=2-1: not a list like 0,2-3"},
        {"1x", 0, "cpus=1x: not a list like 0,2-3"},
        {"-1", 0, "cpus=-1: not a list like 0,2-3"},
        {"1-", 0, "cpus=1-: not a list like 0,2-3"},
        {",", 0, "cpus=, names no CPU"},
        {"", 0, "cpus= names no CPU"},
    };
    for_each_row (rows, row) {
        struct cpu_set set;
        assert_int_equal(cpu_list_parse(row->list, 4, &set, why), !row->why);
        if (row->why)
            assert_string_equal(why, row->why);
        else
            assert_int_equal(set.word[0], row->set);
    }
}

CASE(parts)
{
    static const struct {
        const char *text;
        u32 part, parts; /* 0: refused */
    } rows[] = {{"", 1, 1},       {"1/1", 1, 1}, {"2/3", 2, 3}, {"0/1", 0, 0},  {"3/2", 0, 0},
                {"1/1001", 0, 0}, {"1", 0, 0},   {"1/", 0, 0},  {"1/2x", 0, 0}, {"/2", 0, 0}};
    for_each_row (rows, row) {
        u32 part, count;
        assert_int_equal(select_part(row->text, &part, &count, why), row->parts != 0);
        if (row->parts) {
            assert_int_equal(part, row->part);
            assert_int_equal(count, row->parts);
        }
    }
}

static const struct {
    const char *reference, *defect;
    unsigned count;
    const char *last; /* name of the last run, or the error */
} plans[] = {
    {"", "", 1, "hardware"},
    {"skylake", "", 1, "reference:skylake"},
    {"skylake,haswell", "", 2, "reference:haswell"},
    {"skylake,haswell", "pmi-lost,pmi-late:8", 4, "reference:haswell+pmi-late:8"},
    {"all", "pmi-lost", 2, "reference:haswell+pmi-lost"},
    {"all:2/2", "", 1, "reference:haswell"},
    {"all:3/2", "", 0, NULL},
    {"", "pmi-lost", 0, "defect= needs reference=PROFILE"},
    {"906ea", "", 2, "reference:906ea.2"},
    {"906ea.1", "pmi-lost", 1, "reference:906ea+pmi-lost"},
    {"b0671,haswell", "", 2, "reference:haswell"},
    {"corpus", "", 3, "reference:b0671"},
    {"corpus:2/2", "", 1, "reference:906ea.2"},
    {"corpus:1/2", "", 2, "reference:b0671"},
    {"corpus:3/2", "", 0, NULL},
    {"corpus:0/2", "", 0, NULL},
    {"906ea.3", "", 0, NULL},
    {"906ea.", "", 0, NULL},
    {"906eb", "", 0, NULL},
    {"nehalem", "", 0,
     "no reference profile or signature nehalem; the option `list` names all dumped CPUs; profiles: all skylake "
     "haswell"},
    {"skylake", "pmi", 0, "no defect or variation pmi (the option `list` names them)"},
    {"skylake", "pmi-lost:0", 0, "defect=pmi-lost:0: a rate is a number of 1 or more"},
    {"skylake", "pmi-lost:x", 0, "defect=pmi-lost:x: a rate is a number of 1 or more"},
    {"skylake", "pmi-late(counter=3)", 1, "reference:skylake+pmi-late(counter=3)"},
    {"skylake", "pmi-late(counter=fixed1/ring=3/cpu=last/by=500):9", 1,
     "reference:skylake+pmi-late(counter=fixed1/ring=3/cpu=last/by=500):9"},
    {"skylake", "pmi-late(from=500/while=frozen/cpu=1)", 1, "reference:skylake+pmi-late(cpu=1/while=frozen/from=500)"},
    {"skylake", "pmi-late(register=global-ctrl)", 1, "reference:skylake+pmi-late(register=global-ctrl)"},
    {"skylake", "pmi-late(while=cold)", 0,
     "defect=pmi-late has no while=cold; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"skylake", "pmi-late(from=0)", 0,
     "defect=pmi-late has no from=0; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"skylake", "pmi-lost(while=frozen)", 0,
     "defect=pmi-lost has no while=frozen; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE"},
    {"skylake", "pmi-lost(cpu=1),pmi-late(ring=0)", 2, "reference:skylake+pmi-late(ring=0)"},
    {"skylake", "pmi-lost(counter=3)", 0,
     "defect=pmi-lost has no counter=3; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE"},
    {"skylake", "pmi-late(ring=1)", 0,
     "defect=pmi-late has no ring=1; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"skylake", "pmi-late(by=1)", 0,
     "defect=pmi-late has no by=1; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"skylake", "pmi-late(counter)", 0,
     "defect=pmi-late has no counter=; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"skylake", "pmi-lost(as=906e9/cpu=1)", 1, "reference:skylake+pmi-lost(cpu=1/as=906e9)"},
    {"haswell", "pmi-lost(as=306c3):2", 1, "reference:haswell+pmi-lost(as=306c3):2"},
    {"haswell", "pmi-lost(as=906e9)", 0,
     "defect=pmi-lost has no as=906e9; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE"},
    {"skylake", "pmi-late(as=906e9)", 0,
     "defect=pmi-late has no as=906e9; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE, by"},
    {"906ea", "pmi-lost(as=906e9)", 0,
     "defect=pmi-lost has no as=906e9; there may be: counter=3, counter=fixed1, ring=0, ring=3, cpu=last, "
     "register=NAME, while=CONDITION, from=500, as=SIGNATURE"},
    {"skylake", "pmi-late(cpu=1", 0, "no defect or variation pmi-late(cpu=1 (the option `list` names them)"},
    {",", "", 0, "reference= or defect= names nothing"},
    {"skylake", ",", 0, "reference= or defect= names nothing"},
};

CASE(run_plans)
{
    static struct runs runs;
    char name[RUN_NAME_SIZE];
    for_each_row (plans, row) {
        assert_int_equal(runs_plan(row->reference, row->defect, &runs, why), row->count != 0);
        if (row->count) {
            assert_int_equal(runs.count, row->count);
            assert_string_equal(run_name(&runs.run[runs.count - 1], name), row->last);
        } else if (row->last) {
            assert_string_equal(why, row->last);
        } else {
            assert_non_null(strstr(why, "the option `list` names"));
        }
    }
}

/* A handed profile comes before a built-in one. */
CASE(a_handed_profile)
{
    static const struct profile lab = {.name = "lab-7", .brand = "x"}, newer = {.name = "skylake", .brand = "y"};
    static struct runs runs;
    char name[RUN_NAME_SIZE];
    assert_false(runs_plan("lab-7", "", &runs, why));
    runs_hand(&lab);
    assert_true(runs_plan("skylake,lab-7", "pmi-lost", &runs, why));
    assert_ptr_equal(run_profile(&runs.run[0]), &skylake);
    assert_ptr_equal(run_profile(&runs.run[1]), &lab);
    assert_string_equal(run_name(&runs.run[1], name), "reference:lab-7+pmi-lost");
    runs_hand(&newer);
    assert_true(runs_plan("skylake", "", &runs, why));
    assert_ptr_equal(run_profile(&runs.run[0]), &newer);
    runs_hand(NULL);
}

/* A run of a dumped CPU uses its values, any other run its profile; the list names all choices. */
CASE(references)
{
    static const char *const lines[] = {
        "# profile skylake signature=00000000 brand=\"x\"",
        "# profile haswell signature=00000000 brand=\"x\"",
        "# dumped-cpu 906ea name=coffeelake kinds=1 like=skylake",
        "# dumped-cpu 906ea.2 name=coffeelake kinds=1 like=skylake",
        "# dumped-cpu b0671 name=raptorlake kinds=2 like=haswell",
    };
    static struct runs runs;
    char line[200];
    for (unsigned i = 0; i < ARRAY_SIZE(lines); i++) {
        assert_true(runs_reference(i, line, sizeof(line)));
        assert_string_equal(line, lines[i]);
    }
    assert_false(runs_reference(ARRAY_SIZE(lines), line, sizeof(line)));
    assert_true(runs_plan("b0671,skylake", "", &runs, why));
    assert_ptr_equal(runs.run[0].profile, &haswell);
    assert_string_equal(run_profile(&runs.run[0])->brand, "raptorlake");
    assert_ptr_equal(run_profile(&runs.run[1]), &skylake);
}

CASE(needs)
{
    static const struct pmu_caps caps = {.intel = true,
                                         .present = true,
                                         .perfmon_available = true,
                                         .version = 3,
                                         .pdcm = true,
                                         .gp_count = 4,
                                         .event_length = 7,
                                         .leaf0a = {.eax = 0x07300403}};
    static const struct environment one_cpu = {.vendor = "GenuineIntel", .cpus = 1};
    static const struct {
        struct needs needs;
        const char *reason;
        enum reason code;
    } rows[] = {
        {{.version = 3}, NULL, REASON_NONE},
        {{.version = 4}, "CPUID.0AH:EAX[7:0]=3: version 4 is needed", REASON_NONE},
        {{.full_width = true}, "IA32_PERF_CAPABILITIES[13]=0 (0x0): no full-width writes", REASON_NONE},
        {{.fixed = true}, "CPUID.0AH:EDX=0x00000000: no fixed counter", REASON_NONE},
        {{.apic = true}, "no local APIC", REASON_FIRMWARE_NO_APIC},
        {{.cpus = 2}, "1 CPU, 2 are needed", REASON_FIRMWARE_CPUS},
        {{.event = 2}, NULL, REASON_NONE},
        {{.event = 9}, "CPUID.0AH:EAX[31:24]=7: event 8 is not enumerated", REASON_NONE},
        {{.pebs = true}, "CPUID.1:EDX[21]=0: no debug store", REASON_NONE},
        {{.adaptive = true}, "IA32_PERF_CAPABILITIES=0x0: no adaptive PEBS", REASON_NONE},
        {{.netburst = true}, "CPUID.1:EAX=0x00000000: no NetBurst", REASON_NONE},
        {{.probe = true}, "errata=probe is not given: published errata are not provoked", REASON_OPTION_ERRATA},
    };
    struct unmet unmet;
    for_each_row (rows, row) {
        assert_int_equal(needs_unmet(&row->needs, &caps, &one_cpu, &unmet), !!row->reason);
        if (!row->reason)
            continue;
        assert_string_equal(unmet.text, row->reason);
        assert_int_equal(unmet.code, row->code);
    }
}

static void unmet_by(const struct needs *needs, const struct pmu_caps *caps, enum reason code, const char *reason)
{
    static const struct environment one_cpu = {.vendor = "AuthenticAMD", .cpus = 1};
    struct unmet unmet;
    assert_true(needs_unmet(needs, caps, &one_cpu, &unmet));
    assert_int_equal(unmet.code, code);
    assert_non_null(strstr(unmet.text, reason));
}

CASE(no_pmu)
{
    struct environment amd = {.vendor = "AuthenticAMD", .cpus = 1};
    struct pmu_caps caps = {.present = true};
    struct needs nothing = {0}, leaf_only = {.version = 1, .no_counter = true};
    struct unmet unmet;
    unmet_by(&nothing, &caps, REASON_CPU_VENDOR, "vendor AuthenticAMD: only promises of GenuineIntel are tested here");
    caps.intel = true;
    caps.present = false;
    unmet_by(&nothing, &caps, REASON_CPU_NO_PMU, "CPUID.0:EAX=0x0: no leaf 0AH, and so no architectural PMU");
    caps.max_leaf = 0x0d;
    unmet_by(&nothing, &caps, REASON_CPU_NO_PMU, "CPUID.0AH:EAX=0x00000000: no architectural PMU");
    caps.cpuid_limited = true;
    unmet_by(&nothing, &caps, REASON_ENUM_CPUID_LIMIT, "limit CPUID maximum");
    caps.cpuid_limited = false;
    caps.present = true;
    unmet_by(&nothing, &caps, REASON_FIRMWARE_PERFMON, "IA32_MISC_ENABLE[7]=0");
    caps.misc_enable_unread = true; /* whose bits are then unknown */
    unmet_by(&nothing, &caps, REASON_NONE, "IA32_MISC_ENABLE was not read: RDMSR faults");
    caps.misc_enable_unread = false;
    caps.perfmon_available = true;
    caps.version = 4;
    unmet_by(&nothing, &caps, REASON_NONE, "CPUID.0AH:EAX=0x00000000: no GP counter");
    assert_false(needs_unmet(&leaf_only, &caps, &amd, &unmet));
}

/* Sampling that was switched off, or that newer microcode repairs, is not missing in the CPU. */
CASE(no_sampling)
{
    struct needs sampling = {.pebs = true};
    struct pmu_caps caps = {.intel = true, .present = true, .perfmon_available = true, .gp_count = 4};
    caps.pebs_unavailable = true;
    unmet_by(&sampling, &caps, REASON_CPU_NO_PEBS, "IA32_MISC_ENABLE[12]=1");
    caps.pebs_unavailable = false;
    unmet_by(&sampling, &caps, REASON_NONE, "no debug store");
    caps.ds = caps.pdcm = true;
    caps.signature = 0x000206a7;
    caps.microcode = 0x27;
    unmet_by(&sampling, &caps, REASON_FIRMWARE_MICROCODE, "microcode 0x27: PEBS is broken below 0x28");
}

CASE(deviation_lines)
{
    static const struct deviation defect = {.name = "pmi-lost", .kind = KIND_DEFECT, .what = "no PMI", .source = "KVM"},
                                  hazard = {.name = "hang", .kind = KIND_HAZARD, .what = "never", .source = "HSD79"};
    char line[200];
    assert_string_equal(runs_deviation(&defect, line, sizeof(line)),
                        "# deviation pmi-lost kind=defect what=\"no PMI\" source=KVM");
    const struct deviation rare = {
        .name = "pmi-lost", .what = "no", .source = "KVM", .rare = true, .chapters = "pmi.*"};
    assert_string_equal(runs_deviation(&rare, line, sizeof(line)),
                        "# deviation pmi-lost kind=defect what=no source=KVM intermittent=\"pmi.*\"");
    assert_string_equal(runs_deviation(&hazard, line, sizeof(line)),
                        "# deviation hang kind=hazard what=never source=HSD79");
}

int main(void)
{
    return run_cases();
}
