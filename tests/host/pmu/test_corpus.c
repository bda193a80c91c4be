/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every known CPU's dump, run through the code that decides which features exist, what may be written and what is
 * tested. The expected results are derived here a second time, from the manual and with MSR numbers typed again.
 */
#include "harness/run/needs.h"
#include "pmu/cpu/class.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_corpus.h"
#include "tests/host/pmu/gate_question.h"

#include <string.h>

#define ROW "%08x %s %s: "
#define OF(row) (row)->signature, (row)->name, (row)->class

/* Runs a check on each row. A failure names the row. */
static void of_all(void (*check)(const struct corpus_row *row, const struct pmu_caps *caps))
{
    const struct corpus_row *rows;
    unsigned count = corpus_read(&rows);
    for (unsigned i = 0; i < count; i++) {
        struct caps_dump dump = corpus_dump(&rows[i]);
        struct pmu_caps caps;
        caps_decode(&dump, &caps);
        check(&rows[i], &caps);
    }
}

static void same(const struct corpus_row *row, const char *what, u64 got, u64 want)
{
    if (got != want)
        fail_msg(ROW "%s is %llx, and %llx in the dump", OF(row), what, (unsigned long long)got,
                 (unsigned long long)want);
}

static u32 version(const struct corpus_row *row)
{
    return row->leaf0a.eax & 0xff;
}

/*
 * SDM 2A, "CPUID": counters of leaf 0AH, and those that leaf 23H adds for this kind of core. Core 2 and Bonnell have
 * three fixed counters, whatever CPUID shows.
 */
static u32 fixed_of(const struct corpus_row *row)
{
    u32 contiguous = version(row) >= 2 ? (1u << (row->leaf0a.edx & 0x1f)) - 1 : 0;
    u32 named = version(row) >= 5 ? row->leaf0a.ecx : 0;
    bool understates = !row->hypervisor && (!strcmp(row->class, "core2") || !strcmp(row->class, "bonnell"));
    return understates ? 7 : contiguous | named | row->leaf23[1].ebx;
}

static u32 gp_of(const struct corpus_row *row)
{
    return ((1u << (row->leaf0a.eax >> 8 & 0xff)) - 1) | row->leaf23[1].eax;
}

static void check_counters(const struct corpus_row *row, const struct pmu_caps *caps)
{
    u32 gp = gp_of(row);
    same(row, "version", caps->version, version(row));
    same(row, "vendor", caps->intel, row->intel);
    same(row, "hypervisor", caps->hypervisor, row->hypervisor);
    same(row, "presence", caps->present, version(row) != 0);
    same(row, "GP counters", caps->gp_bitmap, gp);
    same(row, "number of GP counters", caps->gp_count, (u64)__builtin_popcount(gp));
    same(row, "width of GP counters", caps->gp_width, row->leaf0a.eax >> 16 & 0xff);
    same(row, "fixed counters", caps->fixed_bitmap, fixed_of(row));
    same(row, "all counters", caps_counter_bits(caps), (u64)fixed_of(row) << 32 | gp);
    if (caps->fixed_bitmap && !caps->leaf_understates)
        same(row, "width of fixed counters", caps->fixed_width, row->leaf0a.edx >> 5 & 0xff);
    same(row, "counters that count for both threads", caps->anythread_deprecated, row->leaf0a.edx >> 15 & 1);
}

CASE(every_counter)
{
    of_all(check_counters);
}

/* Events with a set bit of EBX, and events beyond the length, do not exist. */
static void check_events(const struct corpus_row *row, const struct pmu_caps *caps)
{
    u32 length = row->leaf0a.eax >> 24;
    for (u32 i = 0; i < 40; i++)
        if (caps_event_available(caps, i) != (i < length && !(row->leaf0a.ebx >> i & 1)))
            fail_msg(ROW "event %u", OF(row), i);
}

CASE(every_event)
{
    of_all(check_events);
}

static void check_kind(const struct corpus_row *row, const struct pmu_caps *caps)
{
    same(row, "kind of core", caps->core_type, row->leaf1a >> 24);
    same(row, "family", caps->family, (row->signature >> 8 & 15) + (row->signature >> 20 & 0xff));
    same(row, "stepping", caps->stepping, row->signature & 15);
}

CASE(every_kind)
{
    of_all(check_kind);
}

/* ---- The class. Its name comes from the dump, which has the name of the product or plan. */

static void check_class(const struct corpus_row *row, const struct pmu_caps *caps)
{
    for (unsigned class = 0; class < CLASSES; class ++) {
        if (strcmp(class_name(class), row->class))
            continue;
        same(row, "class", cpu_class(caps), class);
        return;
    }
    fail_msg(ROW "no such class", OF(row));
}

CASE(every_class)
{
    of_all(check_class);
}

/*
 * ---- The gate: all enumerated registers may be written, and no counters beyond them; nor registers that a hypervisor
 * hides although the CPU model has them, because KVM faults.
 */

static void written(const struct corpus_row *row, const struct pmu_caps *caps, u32 msr, u64 value, bool want)
{
    const struct gate_context stopped = {.counters_stopped = true};
    const char *rule;
    if (row_allows(caps, &stopped, msr, value, &rule) != want)
        fail_msg(ROW "a write of %llx to MSR %x is %s (%s)", OF(row), (unsigned long long)value, msr,
                 want ? "refused" : "let through", rule);
}

static void gp_writes(const struct corpus_row *row, const struct pmu_caps *caps, u32 n)
{
    bool there = gp_of(row) >> n & 1;
    u64 most = there ? (1ull << (row->leaf0a.eax >> 16 & 0xff)) - 1 : 0;
    written(row, caps, 0x186 + n, 0x5300c0, there);
    written(row, caps, 0xc1 + n, most, there);
    written(row, caps, 0x4c1 + n, most, there && row->pdcm && row->perfcap & 0x2000);
}

static void fixed_writes(const struct corpus_row *row, const struct pmu_caps *caps, u32 n)
{
    bool there = fixed_of(row) >> n & 1;
    written(row, caps, 0x309 + n, 1, there);
    written(row, caps, 0x38d, 0xbull << 4 * n, there);
    written(row, caps, 0x38f, 1ull << (32 + n), there);
}

static void writes(const struct corpus_row *row, const struct pmu_caps *caps)
{
    u64 all = (u64)fixed_of(row) << 32 | gp_of(row);
    if (!row->has_leaf0a || !row->intel)
        return;
    for (u32 n = 0; n < 12; n++)
        gp_writes(row, caps, n);
    for (u32 n = 0; n < 8; n++)
        fixed_writes(row, caps, n);
    written(row, caps, 0x38f, all, version(row) >= 2);
    if (row->hypervisor)
        written(row, caps, 0x38f, all | 1ull << 48, row->pdcm && row->perfcap & 0x8000);
    written(row, caps, 0x390, all | 3ull << 62, version(row) >= 2);
    written(row, caps, 0x391, all, version(row) >= 4);
    written(row, caps, 0x1d9, 0x1800, version(row) >= 2 && row->pdcm);
    written(row, caps, 0x1a0, row->misc, false);
}

CASE(what_is_enumerated_may_be_written)
{
    of_all(writes);
}

/* ---- The tests: a test is left out only for a reason in the dump. */

static const struct environment two_cpus = {.vendor = "CentaurHauls", .apic = true, .cpus = 2};

/* A need is unmet exactly if the dump says so; then the reason must name the value. NULL: it is met. */
static void met(const struct corpus_row *row, const struct pmu_caps *caps, struct needs needs, const char *reason)
{
    struct unmet unmet;
    const char *got = needs_unmet(&needs, caps, &two_cpus, &unmet) ? unmet.text : NULL;
    if (!got != !reason || (got && !strstr(got, reason)))
        fail_msg(ROW "\"%s\", where the dump has \"%s\"", OF(row), got ? got : "met", reason ? reason : "met");
}

static const char *no_pmu_of(const struct corpus_row *row)
{
    if (!row->intel)
        return "vendor CentaurHauls";
    if (!row->has_leaf0a)
        return "no leaf 0AH";
    return version(row) ? NULL : "CPUID.0AH:EAX=0x00000000: no architectural PMU";
}

static const char *no_full_width(const struct corpus_row *row)
{
    if (!row->pdcm)
        return "CPUID.1:ECX[15]=0";
    if (!row->perfcap_known)
        return "IA32_PERF_CAPABILITIES was not read";
    return row->perfcap & 0x2000 ? NULL : "IA32_PERF_CAPABILITIES[13]=0";
}

static const char *no_event(const struct corpus_row *row, u32 event)
{
    if (event >= row->leaf0a.eax >> 24)
        return "CPUID.0AH:EAX[31:24]=";
    return row->leaf0a.ebx >> event & 1 ? "CPUID.0AH:EBX=" : NULL;
}

/* All events of the leaf are marked as missing. */
static const char *nothing_counts(const struct corpus_row *row)
{
    u32 told = (1u << (row->leaf0a.eax >> 24)) - 1;
    return row->leaf0a.ebx & told && !(told & ~row->leaf0a.ebx) ? "no architectural event available" : NULL;
}

static void check_reasons(const struct corpus_row *row, const struct pmu_caps *caps)
{
    const char *no_pmu = no_pmu_of(row), *nothing = no_pmu ? NULL : nothing_counts(row);
    met(row, caps, (struct needs){.version = 1}, nothing ? nothing : no_pmu);
    met(row, caps, (struct needs){.no_pmu = true}, row->intel ? NULL : no_pmu);
    for (u8 v = 2; v < 8 && !no_pmu; v++)
        met(row, caps, (struct needs)NEEDS_VERSION(v), v > version(row) ? "CPUID.0AH:EAX[7:0]=" : nothing);
    for (u32 event = 0; event < 16 && !no_pmu; event++)
        met(row, caps, (struct needs){.version = 1, .event = event + 1}, nothing ? nothing : no_event(row, event));
    if (no_pmu)
        return;
    met(row, caps, (struct needs){.fixed = true}, nothing ? nothing : fixed_of(row) ? NULL : "CPUID.0AH:EDX=");
    met(row, caps, (struct needs){.full_width = true}, nothing ? nothing : no_full_width(row));
}

CASE(every_reason_is_true)
{
    of_all(check_reasons);
}

/* The reason why PEBS is not tested, if the dump has a value for it. */
static void pebs_reason(const struct corpus_row *row, const struct pmu_caps *caps)
{
    const char *reason = row->misc >> 12 & 1              ? "IA32_MISC_ENABLE[12]=1"
                         : !row->ds                       ? "CPUID.1:EDX[21]=0"
                         : !row->pdcm                     ? "CPUID.1:ECX[15]=0"
                         : !row->perfcap_known            ? "IA32_PERF_CAPABILITIES was not read"
                         : !strcmp(row->class, "unknown") ? "PEBS is not known for this class"
                                                          : NULL;
    if (!no_pmu_of(row))
        met(row, caps, (struct needs){.pebs = true}, reason ? reason : nothing_counts(row));
}

CASE(every_reason_against_sampling_is_true)
{
    of_all(pebs_reason);
}

static void unread_is_a_reason(const struct corpus_row *row, const struct pmu_caps *caps)
{
    struct pmu_caps unread = *caps;
    unread.misc_enable_unread = true;
    unread.perfmon_available = unread.pebs_unavailable = false;
    unread.misc_enable = 0;
    if (!no_pmu_of(row))
        met(row, &unread, (struct needs){.version = 1}, "IA32_MISC_ENABLE was not read"); /* checked first */
}

CASE(what_was_not_read_says_nothing)
{
    of_all(unread_is_a_reason);
}

/* ---- The text itself. */

CASE(the_corpus_is_whole)
{
    const struct corpus_row *rows;
    unsigned count = corpus_read(&rows), with_leaf0a = 0, with_leaf23 = 0;
    for (unsigned i = 0; i < count; i++) {
        with_leaf0a += rows[i].has_leaf0a;
        with_leaf23 += rows[i].has_leaf23;
        assert_true(!strncmp(rows[i].source, "InstLatx64@", 11) || !strncmp(rows[i].source, "libcpuid@", 9) ||
                    !strncmp(rows[i].source, "log:", 4));
    }
    assert_int_equal(count, 228);
    assert_int_equal(with_leaf0a, 178);
    assert_int_equal(with_leaf23, 16);
}

int main(void)
{
    return run_cases();
}
