/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/errata.h"
#include "pmu/registers.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

#include <stdio.h>

static const char *id_of(const struct pmu_caps *caps, struct symptom symptom)
{
    const char *number = erratum_for(caps, &symptom);
    return number ? number : "none";
}

/* Most symptoms are single bits or small differences; tests of others set them. */
static const char *id(const struct pmu_caps *caps, u64 aspects)
{
    return id_of(caps,
                 (struct symptom){.aspects = aspects, .msr = MSR_A_PMC(7), .set = 1, .distance = 1, .beside_stop = 1});
}

CASE(by_signature)
{
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), skylake = cpu_caps("skylake");
    assert_string_equal(id(&sandy, ASPECT_STATUS_BIT), "BJ58");
    assert_string_equal(id(&skylake, ASPECT_STATUS_BIT), "none");
    assert_string_equal(id(&sandy, ASPECT_SAMPLED_STATUS), "none");
    assert_string_equal(id(&sandy, 0), "none");
}

/* A check that rests on two promises is excused by an erratum that breaks one. */
CASE(by_either_aspect)
{
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), atom = cpu_caps("goldmont-plus");
    atom.microcode = 1;
    assert_string_equal(id(&sandy, ASPECT_FREEZE | ASPECT_STATUS_BIT), "BJ58");
    assert_string_equal(id(&atom, ASPECT_FREEZE | ASPECT_STATUS_BIT), "freeze-ucode");
}

CASE(by_state)
{
    struct pmu_caps four = cpu_caps("skylake"), eight = cpu_caps("skylake-8");
    assert_string_equal(id(&four, ASPECT_STAYS_FROZEN), "none");
    assert_string_equal(id(&eight, ASPECT_STAYS_FROZEN), "SKL90");
    assert_string_equal(id(&eight, ASPECT_FREEZE), "none");
    assert_string_equal(id(&four, ASPECT_IN_USE), "none");
    struct pmu_caps haswell = cpu_caps("broadwell");
    struct symptom start = {.aspects = ASPECT_INSTRUCTIONS, .msr = MSR_FIXED_CTR(0), .distance = 32, .more = true};
    haswell.signature = 0x306c3;
    assert_string_equal(id_of(&haswell, start), "HSD143");
    start.less = true;
    assert_string_equal(id_of(&haswell, start), "none");
    start.less = false;
    haswell.threads_per_core = 1;
    assert_string_equal(id_of(&haswell, start), "none");
    haswell.threads_per_core = 2;
    assert_string_equal(id_of(&haswell, start), "HSD143");
    haswell.gp_count = 8; /* hyper-threading is off, whatever CPUID shows */
    assert_string_equal(id_of(&haswell, start), "none");
}

/* A hypervisor's differences hold for any CPU that it shows, and for no other hypervisor; some only from a version
 * on. */
CASE(by_hypervisor)
{
    static const struct {
        const char *name;
        u64 aspects;
        u32 msr;
        u8 version;
        const char *number;
    } rows[] = {
        {"", ASPECT_PMI_MASKS, 0, 2, "none"},
        {"KVMKVMKVM", ASPECT_PMI_MASKS, 0, 2, "lvtpc-open"},
        {"KVMKVMKV", ASPECT_PMI_MASKS, 0, 2, "none"},
        {"XenVMMXenVMM", ASPECT_PMI_MASKS, 0, 2, "none"},
        {"KVMKVMKVM", ASPECT_ANSWERS, MSR_DEBUGCTL, 2, "freeze-refused"},
        {"KVMKVMKVM", ASPECT_ANSWERS, MSR_PERF_GLOBAL_CTRL, 2, "none"},
        {"XenVMMXenVMM", ASPECT_ANSWERS, MSR_PERF_GLOBAL_INUSE, 4, "no-inuse"},
        {"XenVMMXenVMM", ASPECT_ANSWERS, MSR_PERF_GLOBAL_INUSE, 3, "none"},
        {"XenVMMXenVMM", ASPECT_ANSWERS, MSR_PERF_GLOBAL_STATUS_SET, 5, "no-status-set"},
        {"VMwareVMware", ASPECT_INSTRUCTIONS, 0, 2, "freeze-mode-vcpu"},
        {"VMwareVMware", ASPECT_OWN_EVENTS, 0, 2, "none"},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("skylake");
        caps.version = row->version;
        strcpy(caps.hypervisor_name, row->name);
        assert_string_equal(id_of(&caps, (struct symptom){.aspects = row->aspects, .msr = row->msr, .distance = 1}),
                            row->number);
    }
}

/* What the host's kernel has mended excuses nothing; judged strictly, nothing that its hypervisor is known for does. */
CASE(by_host_kernel)
{
    static const struct {
        struct guest_facts guest;
        u64 aspects;
        u32 msr;
        const char *number;
    } rows[] = {
        {{.host_kernel = 0}, ASPECT_PMI_MASKS, 0, "lvtpc-open"},
        {{.host_kernel = HOST_KERNEL(6, 5)}, ASPECT_PMI_MASKS, 0, "lvtpc-open"},
        {{.host_kernel = HOST_KERNEL(6, 6)}, ASPECT_PMI_MASKS, 0, "none"},
        {{.host_kernel = HOST_KERNEL(7, 0)}, ASPECT_PMI_MASKS, 0, "none"},
        {{.host_kernel = HOST_KERNEL(7, 0)}, ASPECT_ANSWERS, MSR_DEBUGCTL, "freeze-refused"},
        {{.strict = true}, ASPECT_PMI_MASKS, 0, "none"},
        {{.strict = true}, ASPECT_ANSWERS, MSR_DEBUGCTL, "none"},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("skylake");
        strcpy(caps.hypervisor_name, "KVMKVMKVM");
        caps.guest = row->guest;
        assert_string_equal(id_of(&caps, (struct symptom){.aspects = row->aspects, .msr = row->msr, .distance = 1}),
                            row->number);
    }
    /* The CPU's own errata still excuse. */
    struct pmu_caps haswell = cpu_caps("broadwell");
    haswell.signature = 0x306c3;
    haswell.guest.strict = true;
    struct symptom start = {.aspects = ASPECT_INSTRUCTIONS, .msr = MSR_FIXED_CTR(0), .distance = 32, .more = true};
    assert_string_equal(id_of(&haswell, start), "HSD143");
}

/*
 * Under KVM one counter of a guest that stands still while all are on is known; two are not, nor one that counts too
 * little, nor one that stands still alone.
 */
CASE(counter_held)
{
    static const struct {
        const char *name;
        bool held, nothing, in_words;
        u64 aspects;
        const char *number;
    } rows[] = {
        {"KVMKVMKVM", true, true, false, ASPECT_ALL_AT_ONCE, "counters-taken"},
        {"KVMKVMKVM", true, true, true, ASPECT_ALL_AT_ONCE | ASPECT_FREEZE, "counters-taken"},
        {"KVMKVMKVM", false, true, false, ASPECT_ALL_AT_ONCE, "none"},
        {"KVMKVMKVM", true, false, false, ASPECT_ALL_AT_ONCE, "none"},
        {"KVMKVMKVM", true, false, true, ASPECT_ALL_AT_ONCE, "none"},
        {"KVMKVMKVM", true, true, false, ASPECT_INSTRUCTIONS, "none"},
        {"XenVMMXenVMM", true, true, false, ASPECT_ALL_AT_ONCE, "none"},
        {"", true, true, false, ASPECT_ALL_AT_ONCE, "none"},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("skylake");
        caps.guest.counter_held = row->held;
        strcpy(caps.hypervisor_name, row->name);
        assert_string_equal(id_of(&caps, (struct symptom){.aspects = row->aspects,
                                                          .nothing = row->nothing,
                                                          .in_words = row->in_words,
                                                          .distance = 1}),
                            row->number);
    }
}

/* On a hybrid CPU an erratum of one kind of core does not excuse the others: Arrow Lake-H has two kinds of Atom. */
CASE(by_core_type)
{
    struct pmu_caps arrow_lake = cpu_caps("alder-lake");
    arrow_lake.signature = 0xc0652;
    arrow_lake.core_type = 0x40;
    arrow_lake.native_model = 2;
    assert_string_equal(id(&arrow_lake, ASPECT_BRANCHES), "none");
    arrow_lake.core_type = 0x20;
    assert_string_equal(id(&arrow_lake, ASPECT_BRANCHES), "ARL10");
    arrow_lake.native_model = 3;
    assert_string_equal(id(&arrow_lake, ASPECT_BRANCHES), "none");
}

CASE(of_sampling)
{
    struct pmu_caps conroe = cpu_caps("conroe-b2"), skylake = cpu_caps("skylake"), broadwell = cpu_caps("broadwell"),
                    sandy = cpu_caps("sandy-bridge"), penryn = cpu_caps("harpertown");
    assert_string_equal(id(&conroe, ASPECT_SAMPLED_LEVEL), "AJ67");
    assert_string_equal(id(&conroe, ASPECT_BUFFER_BIT), "AJ69");
    assert_string_equal(id(&conroe, ASPECT_THRESHOLD_PMI), "AJ68");
    assert_string_equal(id(&penryn, ASPECT_SAMPLED_LEVEL), "none");
    assert_string_equal(id(&sandy, ASPECT_FULL_BUFFER), "BJ101");
    assert_string_equal(id(&broadwell, ASPECT_ODD_PERIOD), "BDM55");
    skylake.microcode = 0x7b;
    assert_string_equal(id(&skylake, ASPECT_DISABLED_RECORDS), "SKL104");
    assert_string_equal(id(&skylake, ASPECT_EACH_RECORD), "SKL104");
    assert_string_equal(id_of(&skylake, (struct symptom){.aspects = ASPECT_EACH_RECORD, .distance = 2}), "none");
}

/* One record too many may have been written after sampling was off; a missing record is another failure. */
CASE(by_direction)
{
    struct pmu_caps skylake = cpu_caps("skylake");
    struct symptom symptom = {.aspects = ASPECT_EACH_RECORD, .distance = 1, .less = true};
    skylake.microcode = 0x7b;
    assert_string_equal(id_of(&skylake, symptom), "none");
    symptom.less = false;
    assert_string_equal(id_of(&skylake, symptom), "SKL104");
    skylake.microcode = 0x7c;
    assert_string_equal(id_of(&skylake, symptom), "none");
}

/* A counter that counts nothing counts too little; a second record, or a record of another ring, is one too many. */
CASE(by_direction_of_each)
{
    static const struct {
        const char *cpu;
        u64 aspects, msr;
        bool less;
        const char *id;
    } rows[] = {
        {"broadwell", ASPECT_USR_ALONE, MSR_PMC(4), true, "BDM126"},
        {"broadwell", ASPECT_USR_ALONE, MSR_PMC(4), false, "none"},
        {"broadwell", ASPECT_ODD_PERIOD, 0, false, "BDM55"},
        {"broadwell", ASPECT_ODD_PERIOD, 0, true, "none"},
        {"conroe-b2", ASPECT_SAMPLED_LEVEL, 0, false, "AJ67"},
        {"conroe-b2", ASPECT_SAMPLED_LEVEL, 0, true, "none"},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps(row->cpu);
        struct symptom symptom = {.aspects = row->aspects, .msr = row->msr, .distance = 100, .less = row->less};
        caps.gp_count = 8;
        assert_string_equal(id_of(&caps, symptom), row->id);
    }
}

/* An SMI clears one bit of IA32_DEBUGCTL and leaves the others alone. */
CASE(by_cleared_bits)
{
    struct pmu_caps haswell = cpu_caps("broadwell");
    struct symptom symptom = {.aspects = ASPECT_FREEZE_ENABLE, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI};
    haswell.signature = 0x306c3;
    assert_string_equal(id_of(&haswell, symptom), "none");
    symptom.smi = true;
    assert_string_equal(id_of(&haswell, symptom), "HSD52");
    symptom.clear |= DEBUGCTL_LBR;
    assert_string_equal(id_of(&haswell, symptom), "none");
    symptom = (struct symptom){
        .aspects = ASPECT_FREEZE_ENABLE, .set = DEBUGCTL_BTS, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI, .smi = true};
    assert_string_equal(id_of(&haswell, symptom), "none");
}

CASE(by_microcode)
{
    struct pmu_caps caps = cpu_caps("goldmont-plus");
    caps.microcode = 0x27;
    assert_string_equal(id(&caps, ASPECT_FREEZE), "freeze-ucode");
    assert_string_equal(id(&caps, ASPECT_FREEZE_ENABLE), "none");
    caps.microcode = 0x28;
    assert_string_equal(id(&caps, ASPECT_FREEZE), "none");
}

/* Counters 4 to 7, under each of their register names; the first four must freeze. */
CASE(by_counter)
{
    static const struct {
        u32 msr;
        const char *id;
    } rows[] = {
        {MSR_PMC(3), "none"},         {MSR_PMC(4), "SKL90"}, {MSR_A_PMC(7), "SKL90"},    {MSR_A_PMC(0), "none"},
        {MSR_PERFEVTSEL(4), "SKL90"}, {0, "none"},           {MSR_FIXED_CTR(0), "none"},
    };
    struct pmu_caps eight = cpu_caps("skylake-8"), sandy = cpu_caps("sandy-bridge");
    for_each_row (rows, row)
        assert_string_equal(id_of(&eight, (struct symptom){.aspects = ASPECT_STAYS_FROZEN, .msr = row->msr}), row->id);
    struct symptom symptom = {.aspects = ASPECT_COUNTER_VALUE, .msr = MSR_FIXED_CTR(1), .wanted = MASK(31, 1)};
    assert_string_equal(id_of(&sandy, symptom), "BJ54");
    symptom.wanted = MASK(30, 0);
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.wanted = ~0ull;
    symptom.msr = MSR_FIXED_CTR(2);
    assert_string_equal(id_of(&sandy, symptom), "none");
}

/* A bound on numbers applies to numbers only, and a CPU's occasional miscount is not the same each time. */
CASE(by_rate)
{
    static const struct {
        const char *cpu;
        struct symptom symptom;
        const char *id;
    } rows[] = {
        {"sandy-bridge", {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .more = true}, "BJ136"},
        {"sandy-bridge", {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .more = true, .steady = true}, "none"},
        {"sandy-bridge", {.aspects = ASPECT_INSTRUCTIONS, .in_words = true}, "none"},
        {"nehalem", {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .less = true, .steady = true}, "AAJ107"},
        {"nehalem", {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .more = true}, "none"},
        {"nehalem", {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .less = true, .more = true}, "none"},
        {"nehalem",
         {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .less = true, .more = true, .difference = true},
         "AAJ107"},
        {"nehalem",
         {.aspects = ASPECT_INSTRUCTIONS, .distance = 10, .more = true, .difference = true, .steady = true},
         "none"},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("sandy-bridge");
        caps.signature = strcmp(row->cpu, "nehalem") ? caps.signature : 0x106a5;
        assert_string_equal(id_of(&caps, row->symptom), row->id);
    }
}

/* A few instructions too many are known; a whole block is another failure; texts have no distance. */
CASE(by_distance)
{
    struct pmu_caps sandy = cpu_caps("sandy-bridge");
    struct symptom symptom = {.aspects = ASPECT_INSTRUCTIONS, .distance = 16};
    assert_string_equal(id_of(&sandy, symptom), "BJ136");
    symptom.distance = 17;
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.distance = ~0ull;
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.aspects = ASPECT_LONG_COUNT;
    symptom.distance = 64;
    assert_string_equal(id_of(&sandy, symptom), "BJ136");
    symptom.distance = 65;
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.aspects = ASPECT_INSTRUCTIONS;
    symptom.in_words = true;
    assert_string_equal(id_of(&sandy, symptom), "none");
    assert_string_equal(id(&sandy, ASPECT_BRANCHES), "none");
}

/* A bit that stays set beside a stop is known; a bit of another counter, a missing bit or a freeze bit is another
 * failure. */
CASE(by_bits)
{
    static const struct {
        u64 set, clear;
        const char *id;
    } rows[] = {
        {STATUS_GP(0), 0, "BJ58"}, {STATUS_GP(0) | STATUS_FIXED(2), 0, "BJ58"}, {STATUS_CTR_FRZ, 0, "none"},
        {0, STATUS_GP(1), "none"}, {STATUS_GP(0), STATUS_GP(1), "none"},        {~0ull, ~0ull, "none"},
        {STATUS_GP(1), 0, "none"}, {STATUS_GP(0) | STATUS_GP(1), 0, "none"},
    };
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), skylake = cpu_caps("skylake");
    for_each_row (rows, row)
        assert_string_equal(id_of(&sandy, (struct symptom){.aspects = ASPECT_STATUS_BIT,
                                                           .set = row->set,
                                                           .clear = row->clear,
                                                           .beside_stop = STATUS_GP(0) | STATUS_FIXED(2)}),
                            row->id);
    struct symptom symptom = {.aspects = ASPECT_IN_USE, .set = INUSE_GP(3)};
    assert_string_equal(id_of(&skylake, symptom), "none");
    skylake.rtm = true;
    assert_string_equal(id_of(&skylake, symptom), "none");
    skylake.tsx_takes_pmc3 = true;
    assert_string_equal(id_of(&skylake, symptom), "SKL179");
    symptom.set = INUSE_GP(2);
    assert_string_equal(id_of(&skylake, symptom), "none");
}

CASE(other_vendors_have_none_of_them)
{
    struct pmu_caps caps = cpu_caps("sandy-bridge");
    caps.intel = false;
    assert_string_equal(id(&caps, ASPECT_STATUS_BIT), "none");
}

/* A register and a value for testing each promise, chosen to match its errata. */
static const struct {
    const char *name;
    struct symptom symptom;
} promises[] = {
    {"instructions", {.aspects = ASPECT_INSTRUCTIONS, .msr = MSR_A_PMC(0), .distance = 16, .less = true}},
    {"fixed-instructions", {.aspects = ASPECT_INSTRUCTIONS, .msr = MSR_FIXED_CTR(0), .distance = 32, .more = true}},
    {"branches", {.aspects = ASPECT_BRANCHES, .msr = MSR_A_PMC(0), .distance = 16}},
    {"own-events", {.aspects = ASPECT_OWN_EVENTS, .in_words = true}},
    {"iret", {.aspects = ASPECT_IRET, .msr = MSR_PMC(0), .distance = 4, .more = true}},
    {"usr", {.aspects = ASPECT_USR_ALONE, .msr = MSR_A_PMC(4), .distance = 10000, .less = true}},
    {"value", {.aspects = ASPECT_COUNTER_VALUE, .msr = MSR_FIXED_CTR(1), .distance = 10000, .wanted = ~0ull}},
    {"select", {.aspects = ASPECT_EVENT_SELECT, .msr = MSR_PERFEVTSEL(4), .set = ~0ull, .clear = ~0ull}},
    {"in-use", {.aspects = ASPECT_IN_USE, .set = INUSE_GP(3)}},
    {"control", {.aspects = ASPECT_CONTROL_SEEN, .msr = MSR_PERFEVTSEL(3), .distance = 10000}},
    {"status", {.aspects = ASPECT_STATUS_BIT, .set = STATUS_GP(0), .beside_stop = STATUS_GP(0)}},
    {"fixed-overflow", {.aspects = ASPECT_FIXED_OVERFLOW, .clear = STATUS_FIXED(0)}},
    {"vector", {.aspects = ASPECT_MASKED_VECTOR, .in_words = true}},
    {"freeze", {.aspects = ASPECT_FREEZE, .in_words = true}},
    {"frozen", {.aspects = ASPECT_STAYS_FROZEN, .msr = MSR_A_PMC(4), .distance = 10000}},
    {"freeze-enable", {.aspects = ASPECT_FREEZE_ENABLE, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI, .smi = true}},
    {"level", {.aspects = ASPECT_SAMPLED_LEVEL, .distance = 10000}},
    {"sampled-status", {.aspects = ASPECT_SAMPLED_STATUS, .set = STATUS_GP(0)}},
    {"buffer-bit", {.aspects = ASPECT_BUFFER_BIT, .in_words = true}},
    {"threshold", {.aspects = ASPECT_THRESHOLD_PMI, .in_words = true}},
    {"full", {.aspects = ASPECT_FULL_BUFFER, .distance = 10}},
    {"disabled", {.aspects = ASPECT_DISABLED_RECORDS, .distance = 10000}},
    {"each-record", {.aspects = ASPECT_EACH_RECORD, .distance = 1}},
    {"odd-period", {.aspects = ASPECT_ODD_PERIOD, .distance = 10}},
    {"latency", {.aspects = ASPECT_LATENCY, .in_words = true}},
    {"call-next", {.aspects = ASPECT_CALL_NEXT, .distance = 4, .less = true}},
    {"far-branches", {.aspects = ASPECT_FAR_BRANCHES, .distance = 16, .more = true}},
    {"far-instructions", {.aspects = ASPECT_FAR_INSTRUCTIONS, .distance = 16, .more = true}},
    {"strings", {.aspects = ASPECT_STRINGS, .distance = 32, .more = true}},
    {"far-kind", {.aspects = ASPECT_FAR_KIND, .distance = 16, .less = true}},
    {"near-kinds", {.aspects = ASPECT_NEAR_KINDS, .distance = 16, .more = true}},
    {"inverted", {.aspects = ASPECT_INVERTED, .distance = 10000, .more = true}},
    {"any-thread", {.aspects = ASPECT_ANY_THREAD, .distance = 10000, .less = true}},
    {"any-in-ring", {.aspects = ASPECT_ANY_IN_RING, .distance = 10000, .less = true}},
    {"simd", {.aspects = ASPECT_SIMD, .distance = 24, .more = true}},
    {"misaligned", {.aspects = ASPECT_MISALIGNED, .distance = 24, .more = true}},
    {"write-silent", {.aspects = ASPECT_WRITE_SILENT, .msr = MSR_FIXED_CTR(2), .distance = 1, .more = true}},
    {"stores", {.aspects = ASPECT_STORES, .distance = 24, .more = true}},
    {"ept-misses", {.aspects = ASPECT_EPT_MISSES, .distance = 24, .more = true}},
    {"prefetch-hits", {.aspects = ASPECT_PREFETCH_HITS, .distance = 24, .more = true}},
    {"ring-entry", {.aspects = ASPECT_RING_ENTRY, .msr = MSR_A_PMC(0), .distance = 500, .less = true}},
    {"cycles-record", {.aspects = ASPECT_CYCLES_RECORD, .distance = 10, .more = true}},
    {"short-precise", {.aspects = ASPECT_SHORT_PRECISE, .in_words = true}},
    {"load-sign", {.aspects = ASPECT_LOAD_SIGN, .clear = MASK(63, 48)}},
    {"cr3-low", {.aspects = ASPECT_CR3_LOW, .msr = MSR_RTIT_CR3_MATCH, .in_words = true}},
    {"cr3-high", {.aspects = ASPECT_CR3_HIGH, .msr = MSR_RTIT_CR3_MATCH, .in_words = true}},
    {"trace-alone", {.aspects = ASPECT_TRACE_ALONE, .msr = MSR_RTIT_CTL, .in_words = true}},
    {"trace-beside", {.aspects = ASPECT_TRACE_BESIDE, .msr = MSR_DEBUGCTL, .in_words = true}},
    {"records-traced", {.aspects = ASPECT_RECORDS_TRACED, .msr = MSR_LBR_TO(0), .in_words = true}},
    {"checkpoint", {.aspects = ASPECT_CHECKPOINT, .msr = MSR_A_PMC(2), .distance = 10000}},
};

#define FREEZE_UCODE " freeze=freeze-ucode frozen=freeze-ucode"
#define ISOLATION " disabled=pebs-isolation each-record=pebs-isolation"
#define TFA " in-use=tsx-force-abort control=tsx-force-abort"
#define SKYLAKE                                                                                                      \
    " in-use=SKL179 control=SKL179 frozen=SKL90 disabled=SKL104 each-record=SKL104 strings=SKL91 ring-entry=SKL117 " \
    "cycles-record=SKL161 cr3-low=SKL141 checkpoint=SKL194"

/*
 * Everything that is excused, typed from the sheets: on every CPU of every sheet, with every condition of errata met
 * (two threads or eight counters, TSX, the first microcode). No sheet here covers the last CPUs.
 */
static const struct {
    u32 signature;
    const char *answers;
} cpus[] = {
    {0x006f7, " level=AJ67 buffer-bit=AJ69 threshold=AJ68"},
    {0x10661, " level=AR63 threshold=AR64"},
    {0x106a5, " instructions=AAJ107 status=AAJ143 fixed-overflow=AAJ148 vector=AAJ35 simd=AAJ8 misaligned=AAJ57 "
              "stores=AAJ86 ept-misses=AAJ90 prefetch-hits=AAJ147 load-sign=AAJ75"},
    {0x20655, " instructions=AAT50 status=AAT107 fixed-overflow=AAT112 vector=AAT27 simd=AAT4 stores=AAT38 "
              "ept-misses=AAT41 prefetch-hits=AAT111"},
    {0x206a7, " instructions=BJ136 own-events=BJ122 value=BJ54 status=BJ58 fixed-overflow=BJ74 full=BJ101 "
              "near-kinds=BJ90 any-thread=BJ91 simd=BJ37 write-silent=BJ77 prefetch-hits=BJ70 short-precise=BJ103"},
    {0x306a9, " instructions=BV112 own-events=BV98 iret=BV52 value=BV36 select=BV80 status=BV85 fixed-overflow=BV72 "
              "full=BV51 simd=BV4 write-silent=BV35"},
    {0x306c3, " instructions=HSD140 fixed-instructions=HSD143 own-events=HSD29 freeze-enable=HSD52 disabled=HSD159 "
              "each-record=HSD159 latency=HSD171 inverted=HSD73 short-precise=HSD11 checkpoint=HSD176"},
    {0x40661, " instructions=HSD140 fixed-instructions=HSD143 own-events=HSD29 freeze-enable=HSD52 disabled=HSD159 "
              "each-record=HSD159 latency=HSD171 inverted=HSD73 short-precise=HSD11 checkpoint=HSD176"},
    {0x40651, " instructions=HSM151 fixed-instructions=HSM154 own-events=HSM30 freeze-enable=HSM53 disabled=HSM169 "
              "each-record=HSM169 latency=HSM181 inverted=HSM74 short-precise=HSM11 checkpoint=HSM186"},
    {0x306f4, " instructions=HSD140 fixed-instructions=HSD143 own-events=HSD29 freeze-enable=HSD52" ISOLATION
              " latency=HSD171 inverted=HSD73 short-precise=HSD11 checkpoint=HSD176"},
    {0x306f2, " instructions=HSD140 fixed-instructions=HSD143 own-events=HSD29 freeze-enable=HSD52" ISOLATION
              " latency=HSD171 inverted=HSD73 short-precise=HSD11 checkpoint=HSD176"},
    {0x40671, " instructions=BDD58 usr=BDD116 disabled=BDD102 each-record=BDD102 odd-period=BDD53 far-kind=BDD101 "
              "any-in-ring=BDD59 cycles-record=BDD120 short-precise=BDD11 cr3-high=BDD66 trace-alone=BDD90 "
              "trace-beside=BDD108 records-traced=BDD96"},
    {0x306d4, " instructions=BDM61 usr=BDM126 disabled=BDM114 each-record=BDM114 odd-period=BDM55 far-kind=BDW98 "
              "any-in-ring=BDM62 ring-entry=BDM120 cycles-record=BDM130 short-precise=BDM11 cr3-high=BDM71 "
              "trace-alone=BDM106 trace-beside=BDM104 records-traced=BDM110"},
    {0x406f1, " instructions=BDM61 usr=BDM126" ISOLATION " odd-period=BDM55 far-kind=BDW98 short-precise=BDM11"},
    {0x50662, " instructions=BDM61 usr=BDM126" ISOLATION " odd-period=BDM55 far-kind=BDW98 short-precise=BDM11"},
    {0x50663, " instructions=BDM61 usr=BDM126" ISOLATION " odd-period=BDM55 far-kind=BDW98 short-precise=BDM11"},
    {0x50664, " instructions=BDM61 usr=BDM126" ISOLATION " odd-period=BDM55 far-kind=BDW98 short-precise=BDM11"},
    {0x50665, " instructions=BDM61 usr=BDM126" ISOLATION " odd-period=BDM55 far-kind=BDW98 short-precise=BDM11"},
    {0x406e3, SKYLAKE},
    {0x506e3, SKYLAKE},
    {0x806e9,
     TFA " frozen=KBL56" ISOLATION
         " latency=KBL115 strings=KBL57 ring-entry=KBL63 cycles-record=KBL114 cr3-low=KBL91 checkpoint=KBL151"},
    {0x806eb,
     TFA " frozen=KBL56" ISOLATION
         " latency=KBL115 strings=KBL57 ring-entry=KBL63 cycles-record=KBL114 cr3-low=KBL91 checkpoint=KBL151"},
    {0x906e9,
     TFA " frozen=KBL56" ISOLATION
         " latency=KBL115 strings=KBL57 ring-entry=KBL63 cycles-record=KBL114 cr3-low=KBL91 checkpoint=KBL151"},
    {0x906ea, TFA " frozen=337346-56" ISOLATION " latency=337346-100 strings=337346-57 ring-entry=337346-62 "
                  "cycles-record=337346-99 cr3-low=337346-81 checkpoint=KBL151"},
    {0x906eb, TFA " frozen=337346-56" ISOLATION " latency=337346-100 strings=337346-57 ring-entry=337346-62 "
                  "cycles-record=337346-99 cr3-low=337346-81 checkpoint=KBL151"},
    {0x906ec, TFA " frozen=337346-56" ISOLATION " latency=337346-100 strings=337346-57 ring-entry=337346-62 "
                  "cycles-record=337346-99 cr3-low=337346-81 checkpoint=KBL151"},
    {0x906ed, TFA " frozen=337346-56" ISOLATION " latency=337346-100 strings=337346-57 ring-entry=337346-62 "
                  "cycles-record=337346-99 cr3-low=337346-81 checkpoint=KBL151"},
    {0x806ea, TFA " frozen=337346-56" ISOLATION " latency=337346-100 strings=337346-57 ring-entry=337346-62 "
                  "cycles-record=337346-99 cr3-low=337346-81 checkpoint=KBL151"},
    {0x806ec, TFA " frozen=CML56" ISOLATION
                  " latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa0660, TFA
     " frozen=CML56 latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa0661, TFA
     " frozen=CML56 latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa0652, TFA
     " frozen=CML56 latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa0653, TFA
     " frozen=CML56 latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa0655, TFA
     " frozen=CML56 latency=CML95 strings=CML57 ring-entry=CML62 cycles-record=CML94 cr3-low=CML78 checkpoint=CML134"},
    {0xa06a4, " branches=MTL12 far-branches=MTL13"},
    {0xa06c0, " branches=MTL12 far-branches=MTL13"},
    {0xb0650, " branches=MTL12 far-branches=MTL13"},
    {0xc0652, " branches=ARL10 far-branches=ARL11"},
    {0xa06f3, " branches=SRF6 far-branches=SRF7 far-instructions=far-transfers"},
    {0x506c2, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x506c9, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x506ca, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x506f1, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x706a1, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x706a8, FREEZE_UCODE " far-branches=far-branches far-instructions=far-transfers"},
    {0x00f07, ""},
    {0x00f12, ""},
    {0x00f29, ""},
    {0x00f34, ""},
    {0x00f41, ""},
    {0x00f64, ""},
    {0x10676, ""},
    {0x106e5, " instructions=AAJ107 status=AAJ143 fixed-overflow=AAJ148 vector=AAJ35 simd=AAJ8 misaligned=AAJ57 "
              "stores=AAJ86 ept-misses=AAJ90 prefetch-hits=AAJ147 load-sign=AAJ75"},
    {0x206e6, " instructions=AAJ107 status=AAJ143 fixed-overflow=AAJ148 vector=AAJ35 simd=AAJ8 misaligned=AAJ57 "
              "stores=AAJ86 ept-misses=AAJ90 prefetch-hits=AAJ147 load-sign=AAJ75"},
    {0x206c2, " instructions=AAT50 status=AAT107 fixed-overflow=AAT112 vector=AAT27 simd=AAT4 stores=AAT38 "
              "ept-misses=AAT41 prefetch-hits=AAT111"},
    {0x206f2, " instructions=AAT50 status=AAT107 fixed-overflow=AAT112 vector=AAT27 simd=AAT4 stores=AAT38 "
              "ept-misses=AAT41 prefetch-hits=AAT111"},
    {0x206d7, " instructions=BJ136 own-events=BJ122 value=BJ54 status=BJ58 fixed-overflow=BJ74 full=BJ101 "
              "near-kinds=BJ90 any-thread=BJ91 simd=BJ37 write-silent=BJ77 prefetch-hits=BJ70 short-precise=BJ103"},
    {0x306e4, " instructions=BV112 own-events=BV98 iret=BV52 value=BV36 select=BV80 status=BV85 fixed-overflow=BV72 "
              "full=BV51 simd=BV4 write-silent=BV35"},
    {0x50653, TFA " frozen=SKL90" ISOLATION " strings=SKL91"},
    {0x50654, TFA " frozen=SKL90 strings=SKL91"},
    {0x50657, TFA " frozen=SKL90 strings=SKL91"},
    {0xa0671, ""},
    {0x90672, ""},
    {0x906a3, ""},
    {0xb0671, " call-next=RPL54 far-branches=RPL55"},
    {0xb06a2, " call-next=RPL54 far-branches=RPL55"},
    {0xb06f2, " call-next=RPL54 far-branches=RPL55"},
    {0x406d8, " far-branches=far-branches far-instructions=far-transfers"},
    {0x80667, " far-branches=far-branches far-instructions=far-transfers"},
    {0xd06d0, " far-instructions=far-transfers"},
    {0x30678, " far-branches=far-branches far-instructions=far-transfers"},
    {0x406a8, " far-branches=far-branches far-instructions=far-transfers"},
    {0x406c4, " far-branches=far-branches far-instructions=far-transfers"},
    {0x506a0, " far-branches=far-branches far-instructions=far-transfers"},
    {0x506d1, " far-branches=far-branches far-instructions=far-transfers"},
    {0x70650, " far-branches=far-branches far-instructions=far-transfers"},
    {0x90661, " far-branches=far-branches far-instructions=far-transfers"},
    {0x906c0, " far-branches=far-branches far-instructions=far-transfers"},
    {0xb06e0, " far-branches=far-branches far-instructions=far-transfers"},
    {0xb0660, " far-branches=far-branches far-instructions=far-transfers"},
    {0x606a6, ""},
    {0x606c1, ""},
    {0xc06f2, ""},
    {0xa06d1, ""},
    {0xa06e1, ""},
    {0x400f10, ""},
    {0x60663, ""},
    {0x706d1, ""},
    {0x806c1, ""},
    {0x806d1, ""},
    {0xa0680, ""},
    {0xc06c2, ""},
    {0x706e5, ""},
    {0x806f8, ""},
    {0xb06d1, ""},
    {0xc0662, ""},
};

/* What a CPU's sheet does not list it does not have, if all of the sheet was read, and it is for that very CPU. */
CASE(told_by_documents)
{
    static const struct {
        u32 signature;
        bool told;
    } rows[] = {{0x306a9, true},  {0x306e4, true},  {0x506e3, true},  {0x906ed, true},  {0x106a5, true},
                {0x50654, false}, {0x206d7, false}, {0x90672, false}, {0xa0671, false}, {0xb0671, false},
                {0x10676, false}, {0x706a8, false}, {0x806f8, false}};
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("skylake");
        caps.signature = row->signature;
        assert_int_equal(erratum_documented(&erratum_facts[FACT_IRET], &caps), row->told);
        caps.intel = false;
        assert_false(erratum_documented(&erratum_facts[FACT_IRET], &caps));
    }
}

/* Hyper-threading is on, or off and each core has eight counters. */
static struct pmu_caps with_everything(u32 signature, bool threads)
{
    struct pmu_caps caps = cpu_caps("skylake-8");
    caps.signature = signature;
    caps.microcode = 0;
    caps.gp_count = threads ? 4 : 8;
    caps.threads_per_core = threads ? 2 : 1;
    caps.rtm = caps.tsx_takes_pmc3 = true;
    caps.core_type = 0x20;
    caps.native_model = 2;
    return caps;
}

CASE(every_signature)
{
    for_each_row (cpus, cpu) {
        struct pmu_caps on = with_everything(cpu->signature, true), off = with_everything(cpu->signature, false);
        char all[512] = "";
        for_each_row (promises, promise) {
            const char *number = erratum_for(&on, &promise->symptom);
            number = number ? number : erratum_for(&off, &promise->symptom);
            size_t used = strlen(all);
            if (number)
                snprintf(all + used, sizeof(all) - used, " %s=%s", promise->name, number);
        }
        assert_string_equal(all, cpu->answers);
    }
}

static bool asked(const struct erratum_cpus *of)
{
    for_each_row (cpus, cpu)
        if ((cpu->signature & of->mask) == of->signature)
            return true;
    return false;
}

/* The rows above include every CPU of every sheet. */
CASE(every_sheet)
{
    for_each_row (erratum_sheets, sheet)
        for (const struct erratum_cpus *of = sheet->cpus; of->mask; of++)
            if (!asked(of))
                fail_msg("signature %x is asked nowhere", of->signature);
}

static bool in_sheets(const struct erratum_fact *fact, u32 signature)
{
    struct pmu_caps caps = with_everything(signature, fact->smt);
    return erratum_number(fact, &caps);
}

/* The same erratum with one of its conditions not met. */
static void check_conditions(const struct erratum_fact *fact, u32 signature)
{
    struct pmu_caps caps = with_everything(signature, true);
    assert_true(!fact->eight_counters || !erratum_number(fact, &caps));
    caps = with_everything(signature, false);
    assert_true(!fact->smt || !erratum_number(fact, &caps));
    caps = with_everything(signature, fact->smt);
    caps.tsx_takes_pmc3 = false;
    assert_true(!fact->tsx_takes_pmc3 || !erratum_number(fact, &caps));
    caps = with_everything(signature, fact->smt);
    caps.rtm = false;
    assert_true(!fact->tsx_takes_pmc3 || !erratum_number(fact, &caps));
}

/* On each CPU above: with one condition not met, the CPU does not have the erratum. */
CASE(every_condition)
{
    unsigned shown = 0;
    for_each_row (cpus, cpu)
        for_each_row (erratum_facts, fact)
            if (in_sheets(fact, cpu->signature)) {
                shown++;
                check_conditions(fact, cpu->signature);
            }
    assert_true(shown > 100);
}

/* Each first fixed revision belongs to a CPU with the erratum; from it on the CPU no longer has it. */
CASE(every_fix)
{
    for_each_row (erratum_facts, fact)
        for (const struct erratum_fix *fix = fact->fixed; fix && fix->signature; fix++) {
            struct pmu_caps caps = with_everything(fix->signature, fact->smt);
            assert_true(in_sheets(fact, fix->signature));
            caps.microcode = fix->microcode - 1;
            assert_non_null(erratum_number(fact, &caps));
            caps.microcode = fix->microcode;
            assert_null(erratum_number(fact, &caps));
        }
}

int main(void)
{
    return run_cases();
}
