/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's CPUID: the profile's CPU, and nothing from the machine that would contradict it. */
#include "reference/test/model/model_rig.h"

enum { EAX, EBX, ECX, EDX };

struct answer {
    u32 r[4];
};

static struct answer cpuid_of(const char *deviation, u32 cpu, u32 leaf, u32 subleaf, u32 native)
{
    struct rig r;
    struct answer a = {0};
    u32 machine[4] = {native, native, native, native};
    rig_open(&r, deviation, 1, cpu);
    model_cpuid(r.model, leaf, subleaf, machine, a.r);
    rig_close(&r);
    return a;
}

static struct answer plain_cpuid(u32 leaf, u32 native)
{
    return cpuid_of(NULL, 0, leaf, 0, native);
}

CASE(identity)
{
    char vendor[13] = "", brand[49] = "";
    struct answer a = plain_cpuid(0, 0x0d);
    memcpy(vendor, &a.r[EBX], 4);
    memcpy(vendor + 4, &a.r[EDX], 4);
    memcpy(vendor + 8, &a.r[ECX], 4);
    assert_string_equal(vendor, "GenuineIntel");
    assert_int_equal(a.r[EAX], 0x16);
    assert_int_equal(plain_cpuid(0, 4).r[EAX], 0x16);
    for (u32 part = 0; part < 3; part++)
        memcpy(brand + 16 * part, plain_cpuid(0x80000002 + part, 0x41414141).r, 16);
    assert_string_equal(brand, "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz");
}

CASE(features)
{
    struct answer none = plain_cpuid(1, 0), all = plain_cpuid(1, 0xffffffff);
    assert_int_equal(none.r[EAX], 0x506e3);
    assert_int_equal(none.r[ECX], 0x8014); /* PDCM, DS-CPL, DTES64 */
    assert_int_equal(none.r[EDX], 0x200000);
    assert_int_equal(all.r[ECX], 0x7fdfffff); /* no hypervisor, no x2APIC mode */
    assert_int_equal(all.r[EBX], 0xffffffff); /* the machine's APIC id */
    assert_int_equal(cpuid_of("hypervisor-bit", 0, 1, 0, 0).r[ECX], 0x80008014);
}

CASE(leaf_0a)
{
    static const struct answer want = {{0x07300404, 0, 0, 0x603}};
    struct answer a = plain_cpuid(0x0a, 0xffffffff);
    assert_memory_equal(&a, &want, sizeof(a));
}

/* The answer is 0, whatever the machine says there. */
CASE(hidden_leaves)
{
    static const u32 leaves[] = {0x12,       0x15,       0x16,       0x1a,       0x1c,       0x23,      0x40000000,
                                 0x40000001, 0x40000010, 0x80000005, 0x80000009, 0x8000000a, 0x8000001f};
    static const struct answer zero;
    for_each_row (leaves, leaf) {
        struct answer a = plain_cpuid(*leaf, 0xffffffff);
        assert_memory_equal(&a, &zero, sizeof(a));
    }
    struct answer trace = plain_cpuid(0x14, 0xffffffff);
    assert_int_equal(trace.r[ECX], 7); /* the CPU's own */
}

CASE(topology_is_the_machines)
{
    static const u32 leaves[] = {0x02, 0x04, 0x05, 0x0b, 0x0d};
    static const struct answer want = {{0x12345678, 0x12345678, 0x12345678, 0x12345678}};
    for_each_row (leaves, leaf) {
        struct answer a = plain_cpuid(*leaf, 0x12345678);
        assert_memory_equal(&a, &want, sizeof(a));
    }
}

CASE(no_amd_shines_through)
{
    assert_int_equal(plain_cpuid(0x80000000, 0x8000001f).r[EAX], 0x80000008);
    struct answer a = plain_cpuid(0x80000001, 0xffffffff);
    assert_int_equal(a.r[ECX] & 4, 0); /* SVM */
    assert_int_equal(a.r[ECX], 0x121);
    assert_int_equal(a.r[EDX], 0x2c100800);
    a = plain_cpuid(0x80000008, 0x3028);
    assert_int_equal(a.r[EAX], 0x3028);
    assert_int_equal(a.r[EBX] | a.r[ECX] | a.r[EDX], 0);
    a = plain_cpuid(7, 0xffffffff);
    assert_int_equal(a.r[EBX] & 0x2000814, 0x2000000); /* of RTM, HLE, SGX and PT it has only PT */
    assert_int_equal(a.r[EDX] & 0x8a000, 0);           /* architectural LBR, hybrid, TSX_FORCE_ABORT */
    assert_int_equal(cpuid_of(NULL, 0, 7, 1, 0xffffffff).r[EAX] & 0x100, 0);
}

/* The answers with a deviation of enumeration, on the first CPU and on the last. */
CASE(deviating_leaf)
{
    static const struct {
        const char *name;
        u32 first, last, edx; /* EAX of the first and of the last CPU, EDX of the first */
    } rows[] = {
        {"fixed-count-zero-in-leaf", 0x07300404, 0x07300404, 0x600},
        {"fixed-count-one-in-leaf", 0x07300404, 0x07300404, 0x601},
        {"version-without-counters", 0x07300004, 0x07300004, 0x603},
        {"width-below-32", 0x071f0404, 0x071f0404, 0x603},
        {"leaf-overstates", 0x07300504, 0x07300504, 0x603},
        {"leaf-overstates-fixed", 0x07300404, 0x07300404, 0x604},
        {"one-cpu-differs", 0x07300404, 0x07300304, 0x603},
        {"eight-counters", 0x07300804, 0x07300804, 0x603},
        {"counters-beyond-leaf", 0x07300404, 0x07300404, 0x603},
        {"unknown-version", 0x10300407, 0x10300407, 0x86603},
    };
    for_each_row (rows, row) {
        assert_int_equal(cpuid_of(row->name, 0, 0x0a, 0, 0).r[EAX], row->first);
        assert_int_equal(cpuid_of(row->name, 3, 0x0a, 0, 0).r[EAX], row->last);
        assert_int_equal(cpuid_of(row->name, 0, 0x0a, 0, 0).r[EDX], row->edx);
    }
}

/* The last CPU differs in one register of leaf 0AH; the others are as they were. */
CASE(last_cpu_differs)
{
    static const struct {
        const char *name;
        struct answer last;
    } rows[] = {
        {"one-cpu-differs", {{0x07300304, 0, 0, 0x603}}},
        {"one-cpu-differs-events", {{0x07300404, 0x40, 0, 0x603}}},
        {"one-cpu-differs-bitmap", {{0x07300404, 0, 7, 0x603}}},
        {"one-cpu-differs-fixed", {{0x07300404, 0, 0, 0x602}}},
    };
    static const struct answer others = {{0x07300404, 0, 0, 0x603}};
    for_each_row (rows, row)
        for (u32 cpu = 0; cpu < 4; cpu++) {
            struct answer a = cpuid_of(row->name, cpu, 0x0a, 0, 0);
            assert_memory_equal(&a, cpu == 3 ? &row->last : &others, sizeof(a));
        }
}

/* Complete answers, for a machine that has no bit and for one that has all. */
CASE(whole_answers)
{
    static const struct {
        const char *profile;
        u32 cpu, leaf, subleaf;
        struct answer of_none, of_all;
    } rows[] = {
        {"skylake", 0, 0x06, 0, {{0x41, 0, 1, 0}}, {{~0u, ~0u, ~0u, ~0u}}},
        {"skylake", 0, 0x07, 0, {{0, 0x2000000, 0, 0}}, {{~0u, 0xfffff7eb, 0xfeffffff, 0xfff75fff}}},
        {"skylake", 0, 0x07, 1, {{0, 0, 0, 0}}, {{0xfffffeff, ~0u, ~0u, ~0u}}},
        {"skylake", 0, 0x80000000, 0, {{0x80000008, 0, 0, 0}}, {{0x80000008, 0, 0, 0}}},
        {"skylake", 0, 0x80000001, 0, {{0, 0, 0, 0}}, {{0, 0, 0x121, 0x2c100800}}},
        {"skylake", 0, 0x80000006, 0, {{0, 0, 0, 0}}, {{~0u, ~0u, ~0u, ~0u}}},
        {"skylake", 0, 0x80000007, 0, {{0, 0, 0, 0}}, {{~0u, ~0u, ~0u, ~0u}}},
        {"lunar-lake",
         0,
         0x00,
         0,
         {{0x23, 0x756e6547, 0x6c65746e, 0x49656e69}},
         {{0x23, 0x756e6547, 0x6c65746e, 0x49656e69}}},
        {"lunar-lake", 0, 0x07, 0, {{1, 0x2000000, 0, 0x88000}}, {{~0u, 0xfffff7eb, 0xfeffffff, 0xffffdfff}}},
        {"lunar-lake", 0, 0x07, 1, {{0x100, 0, 0, 0}}, {{~0u, ~0u, ~0u, ~0u}}},
        {"lunar-lake", 0, 0x0e, 0, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}},
        {"lunar-lake", 0, 0x1a, 0, {{0x40000003, 0, 0, 0}}, {{0x40000003, 0, 0, 0}}},
        {"lunar-lake", 1, 0x1a, 0, {{0x40000003, 0, 0, 0}}, {{0x40000003, 0, 0, 0}}},
        {"lunar-lake", 2, 0x1a, 0, {{0x20000003, 0, 0, 0}}, {{0x20000003, 0, 0, 0}}},
        {"lunar-lake", 0, 0x23, 1, {{0x3ff, 0xf, 0, 0}}, {{0x3ff, 0xf, 0, 0}}},
        {"lunar-lake", 0, 0x23, 2, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}},
        {"lunar-lake", 3, 0x23, 2, {{0xfc, 3, 0xfc, 3}}, {{0xfc, 3, 0xfc, 3}}},
        /* 4 CPUs: two cores of two threads. */
        {"prescott", 0, 0x01, 0, {{0xf43, 0x40000, 0x14, 0x10200000}}, {{0xf43, 0xff04ffff, 0x7fdf7fff, ~0u}}},
        {"prescott", 0, 0x04, 0, {{0x04004121, 0x1c0003f, 0x1f, 0}}, {{0x04004121, 0x1c0003f, 0x1f, 0}}},
        {"prescott", 0, 0x0b, 0, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}},
        {"lunar-lake", 0, 0x24, 0, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}},
    };
    for_each_row (rows, row)
        for (u32 ones = 0; ones < 2; ones++) {
            u32 native[4] = {-ones, -ones, -ones, -ones};
            struct rig r;
            struct answer a;
            rig_open_on(&r, row->profile, NULL, 1, row->cpu);
            model_cpuid(r.model, row->leaf, row->subleaf, native, a.r);
            rig_close(&r);
            assert_memory_equal(&a, ones ? &row->of_all : &row->of_none, sizeof(a));
        }
}

/* The first leaf of a hypervisor has its name; the others are empty. */
CASE(hypervisor)
{
    static const struct answer zero;
    char name[13] = "";
    struct answer a = cpuid_of("hypervisor-bit", 0, 0x40000000, 0, 0xffffffff);
    memcpy(name, &a.r[EBX], 12);
    assert_int_equal(a.r[EAX], 0x40000000);
    assert_string_equal(name, "PmuReference");
    a = cpuid_of("hypervisor-bit", 0, 0x40000001, 0, 0xffffffff);
    assert_memory_equal(&a, &zero, sizeof(a));
}

CASE(limited)
{
    assert_int_equal(cpuid_of("cpuid-limited", 0, 0, 0, 0x0d).r[EAX], 3);
    assert_int_equal(cpuid_of("cpuid-limited", 0, 0x0a, 0, 0x0d).r[EAX], 0);
    assert_int_equal(cpuid_of("cpuid-limited", 0, 0x80000000, 0, 0).r[EAX], 0x80000008);
}

int main(void)
{
    return run_cases();
}
