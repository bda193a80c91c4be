/* SPDX-License-Identifier: BSD-2-Clause */
/* A log becomes a profile that the profiles' own reader accepts, with the log's values. */
#include "host/tools/facts_rig.h"
#include "tests/host/case.h"
#include "tools/pmucheck/profile/make.h"
#include "tools/profile/text.h"
#include <stdlib.h>

static struct profile_file profile;

static const char *const header[] = {
    "# pmucheck version=0.1.0 commit=1a2b3c4 log=1",
    "# machine vendor=GenuineIntel signature=000306c3 hypervisor=none cpus=4",
    "# cpu cpus=0-3 signature=000306c3 microcode=00000028 core-type=0 threads-per-core=2 misc-enable=850089",
    "# cpuid core-type=0 leaf=00000000 sub=0 eax=0000000d ebx=756e6547 ecx=6c65746e edx=49656e69",
    "# cpuid core-type=0 leaf=00000001 sub=0 eax=000306c3 ebx=00100800 ecx=7ffafbff edx=bfebfbff",
    "# cpuid core-type=0 leaf=00000006 sub=0 eax=00000077 ebx=00000002 ecx=00000009 edx=00000000",
    "# cpuid core-type=0 leaf=0000000a sub=0 eax=07300403 ebx=00000000 ecx=00000000 edx=00000603",
    "# cpuid core-type=0 leaf=80000000 sub=0 eax=80000008 ebx=00000000 ecx=00000000 edx=00000000",
    "# cpuid core-type=0 leaf=80000002 sub=0 eax=65746e49 ebx=2952286c ecx=726f4320 edx=4d542865",
    "# cpuid core-type=0 leaf=80000003 sub=0 eax=37692029 ebx=00000000 ecx=00000000 edx=00000000",
    "# run pmu=hardware",
    "# core-type id=0 cpus=0-3 kind=core signature=000306c3 version=3 gp=4x48 fixed=3x48 fixed-bitmap=00000007 "
    "perfcap=000032c4",
    "# platform id=0x4000000000000 info=0x80000002200 apic=xapic smi-count=yes",
    "# found cpus=0-3 IA32_PERF_GLOBAL_CTRL=0x70000000f MSR_PEBS_LD_LAT_THRESHOLD=0xffff",
    "1..3",
    NULL,
};

static const char *const tests[] = {
    "# begin access.event-select",
    "# bits reg=IA32_PERFEVTSEL0..IA32_PERFEVTSEL1 cpus=0-3 kept=0xfff7ffff dropped=0x0 fault=0xffffffff00080000 "
    "untried=0x0 unstable=0x0",
    "# bits reg=IA32_PERFEVTSEL2 cpus=0-3 kept=0x2fff7ffff dropped=0x0 fault=0xfffffffd00080000 untried=0x0 "
    "unstable=0x0",
    "# bits reg=IA32_PERF_GLOBAL_CTRL cpus=0-3 kept=0x70000000f dropped=0x10 fault=0xffffffe0 "
    "untried=0xfffffff800000000 "
    "unstable=0x0",
    "ok 1 access.event-select",
    "# begin global.start-stop",
    "# measure global.start-stop name=gp-instructions cpus=0-3 unit=instructions n=9 min=8 median=8 p99=8 max=8 "
    "hist=8:9",
    "ok 2 global.start-stop # XFAIL HSD140 it did",
    "# begin pmi.latency",
    "# measure pmi.latency name=skid cpus=0-3 unit=instructions n=9 min=11 median=12 p99=40 max=41 hist=8:9",
    "ok 3 pmi.latency",
    NULL,
};

static void read_made(void)
{
    made_end("verdict=pass pass=2 known=1");
    facts_of(made.text);
    assert_int_equal(file.boots.item[0].problems.count, 0);
}

static void make_profile(void)
{
    struct profile_error error = {0};
    char *text = NULL;
    size_t size;
    assert_null(profile_refusal(&facts));
    FILE *out = open_memstream(&text, &size);
    profile_make(out, &facts, "lab-7", "made.log");
    fclose(out);
    if (!profile_read(text, size, NULL, &profile, &error))
        fail_msg("%u: %s\n%s", error.line, error.text, text);
    free(text);
}

CASE(a_log_becomes_a_profile)
{
    const struct profile *p = &profile.core[0];
    made_begin();
    made_list(header);
    made_list(tests);
    read_made();
    make_profile();
    assert_string_equal(p->name, "lab-7");
    assert_string_equal(p->brand, "Intel(R) Core(TM) i7");
    assert_int_equal(p->signature, 0x306c3);
    assert_int_equal(p->microcode, 0x28);
    assert_int_equal(p->platform_info, 0x80000002200);
    assert_int_equal(p->leaf1_ecx, 1u << 2 | 1u << 4 | 1u << 15);
    assert_int_equal(p->leaf6_eax, 1u << 0 | 1u << 6);
    assert_int_equal(p->gp_count, 4);
    assert_int_equal(p->fixed_bitmap, 7);
    assert_int_equal(p->threads, 2);
    assert_true(p->apic_x2_available && p->smi_count && p->full_width);
    assert_int_equal(p->evtsel.faults, 0xffffffff00080000);
    assert_int_equal(p->evtsel2_accepts, 0x200000000);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].reset, 0x70000000f);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].dropped, 0x10);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].faults, 0xfffffff8ffffffe0);
    assert_int_equal(p->stored[STORED_MISC_ENABLE].reset, 0x850089);
    assert_int_equal(p->start_stop, COUNT_BOTH);
    assert_int_equal(p->skid_min, 11);
    assert_int_equal(p->skid_spread, 31);
    assert_string_equal(p->errata, "HSD140");
}

/* Architectural branch records: their leaf, and the bit that announces it. */
CASE(branch_records_come_along)
{
    made_begin();
    made_lines(
        "# machine vendor=GenuineIntel signature=000806f8 hypervisor=none cpus=4",
        "# cpu cpus=0-3 signature=000806f8 microcode=2b000643 core-type=0 threads-per-core=2 misc-enable=850089",
        "# cpuid core-type=0 leaf=00000000 sub=0 eax=00000020 ebx=756e6547 ecx=6c65746e edx=49656e69",
        "# cpuid core-type=0 leaf=00000001 sub=0 eax=000806f8 ebx=00100800 ecx=7ffafbff edx=bfebfbff",
        "# cpuid core-type=0 leaf=00000007 sub=0 eax=00000000 ebx=00000000 ecx=00000000 edx=00080000",
        "# cpuid core-type=0 leaf=0000000a sub=0 eax=08300805 ebx=00000000 ecx=0000000f edx=00008604",
        "# cpuid core-type=0 leaf=0000001c sub=0 eax=40000003 ebx=00000007 ecx=00000007 edx=00000000",
        "# run pmu=hardware",
        "# core-type id=0 cpus=0-3 kind=core signature=000806f8 version=5 gp=8x48 fixed=4x48 fixed-bitmap=0000000f "
        "perfcap=0002f4ff lbr=16",
        "1..3", "ok 1 a", "ok 2 b", "ok 3 c # XFAIL");
    read_made();
    make_profile();
    assert_int_equal(profile.core[0].leaf7_edx, 1u << 19);
    assert_int_equal(profile.core[0].lbr_depth, 16);
}

/* A log of some tests only: missing values are assumed, and the profile is valid. */
CASE(a_poor_log_is_enough)
{
    made_begin();
    made_list(header);
    made_lines("ok 1 a", "ok 2 b", "ok 3 c # XFAIL");
    read_made();
    make_profile();
    assert_int_equal(profile.core[0].stored[STORED_GLOBAL_CTRL].reset, 0x70000000f);
}

CASE(what_cannot_be_a_profile_is_refused)
{
    made_begin();
    made_lines("# run pmu=virtual:KVMKVMKVM",
               "# core-type id=0 cpus=0 kind=core signature=000306c3 version=0 perfcap=0", "1..3", "ok 1 a", "ok 2 b",
               "ok 3 c # XFAIL");
    read_made();
    assert_non_null(profile_refusal(&facts));
    assert_true(profile_name_fits("lab-7"));
    assert_false(profile_name_fits("Lab 7"));
    assert_false(profile_name_fits(""));
}

int main(void)
{
    int failed = run_cases();
    log_free(&file);
    arena_free(&arena);
    return failed;
}
