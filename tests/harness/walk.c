/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks a register bit by bit, and judges what became of each bit. */
#include "harness/core/budget.h"
#include "harness/test.h"
#include "kernel/text/text.h"
#include "pmu/cpu/class.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/run/bracket.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

#define TRIES 3

/* The gate's walk is open only for this write. */
static fault_t try_value(u32 msr, u64 value)
{
    gate_walk(true);
    fault_t fault = wrmsr_try(msr, value);
    gate_walk(false);
    return fault;
}

/* A bit that IA32_PERF_GLOBAL_STATUS_SET has set is cleared again through the RESET register beside it. */
static void put_back(struct test *t, u32 msr, u64 value, u64 bit)
{
    if (msr == MSR_PERF_GLOBAL_STATUS_SET)
        pmu_status_clear(bit);
    else if (msr != MSR_PERF_GLOBAL_STATUS_RESET)
        write_msr(t, msr, value);
}

/*
 * The same once more, together with a defined bit: a write that is refused takes nothing of the value. The gate tells
 * of a register that no longer holds what was written to it, which fails as "changed-unasked".
 */
static void refuse_again(struct test *t, u32 msr, u64 bit, const struct bit_walk *walk)
{
    u64 defined = gate_bits(t->caps, msr) & ~bit, harmless = defined & -defined;
    if (wrmsr_try(msr, walk->before) != NO_FAULT)
        return; /* each write of it faults */
    if (harmless && try_value(msr, walk->before ^ bit ^ harmless) == NO_FAULT)
        write_msr(t, msr, walk->before);
}

/* What IA32_PERF_GLOBAL_INUSE says; 0 without it. */
static u64 in_use(struct test *t)
{
    return t->caps->version >= VERSION_STREAMLINED ? read_msr(t, MSR_PERF_GLOBAL_INUSE) : 0;
}

static void try_bit(struct test *t, u32 msr, u32 seen, u64 bit, struct bit_walk *walk)
{
    u64 claims = in_use(t);
    fault_t fault = try_value(msr, seen == msr ? walk->before ^ bit : bit);
    if (fault == FAULT_REFUSED)
        walk->untried |= bit;
    else if (fault)
        walk->fault |= bit;
    if (fault == FAULT_GP && seen == msr && msr != MSR_PERF_GLOBAL_STATUS_RESET)
        refuse_again(t, msr, bit, walk);
    if (fault) {
        walk->claimed |= in_use(t) ^ claims;
        return;
    }
    u64 value = read_msr(t, seen);
    put_back(t, msr, walk->before, bit);
    if ((value ^ walk->before) & bit)
        walk->kept |= bit;
    else
        walk->dropped |= bit;
}

static bool walk_once(struct test *t, u32 msr, u32 seen, struct bit_walk *walk)
{
    struct bracket bracket;
    bracket_open(&bracket, t->caps);
    *walk = (struct bit_walk){.before = read_msr(t, seen)};
    walk->unstable = walk->before ^ read_msr(t, seen);
    for (unsigned b = 0; b < 64; b++)
        try_bit(t, msr, seen, BIT(b), walk);
    walk->after = read_msr(t, seen);
    return !(bracket_close(&bracket, t->caps) & ~(unsigned)BRACKET_THROTTLED);
}

void walk_bits(struct test *t, u32 msr, u32 seen, struct bit_walk *walk)
{
    char name[REGISTER_NAME_SIZE];
    if (t->caps->version >= 2 && read_msr(t, MSR_PERF_GLOBAL_CTRL))
        skip(t, "IA32_PERF_GLOBAL_CTRL=0x%lx: something counts", read_msr(t, MSR_PERF_GLOBAL_CTRL));
    for (unsigned i = 0; i < TRIES; i++)
        if (walk_once(t, msr, seen, walk))
            return;
    error_for(t, REASON_NOISE_SMI, "%s: no walk without an SMI or a foreign write in %u attempts",
              register_name(t->caps, msr, name), TRIES);
}

u32 walk_crc32(u32 crc, u32 msr, const struct bit_walk *walk)
{
    u64 stable = ~walk->unstable;
    u64 words[] = {msr, walk->kept & stable, walk->dropped & stable, walk->fault & stable, walk->untried & stable};
    return crc32_update(crc, words, sizeof(words));
}

static bool same_outcome(const struct bit_walk *a, const struct bit_walk *b)
{
    return a->kept == b->kept && a->dropped == b->dropped && a->fault == b->fault && a->untried == b->untried &&
           a->unstable == b->unstable;
}

/* The rest of the line: why bits were not tried. */
static const char *why_untried(const struct test *t, u32 msr, const struct bit_walk *walk)
{
    const struct register_row *row = register_row_of(t->caps, msr);
    if (!walk->untried)
        return "";
    if (t->caps->hypervisor)
        return "because=\"under a hypervisor only bits that CPUID shows\"";
    if (!row || !known_since_version_4(t->caps))
        return "because=\"no dump of this class shows what comes of it\"";
    return row->untried ? row->untried : "because=\"they turn on what other software may own\"";
}

static void note_range(struct test *t, u32 first, u32 last, const struct bit_walk *walk)
{
    char name[REGISTER_NAME_SIZE], end[REGISTER_NAME_SIZE], subject[2 * REGISTER_NAME_SIZE];
    register_name(t->caps, first, name);
    register_name(t->caps, last, end);
    format_text(subject, sizeof(subject), last > first ? "reg=%s..%s" : "reg=%s", name, end);
    note(t, "bits", subject, why_untried(t, first, walk),
         "kept=0x%lx dropped=0x%lx fault=0x%lx untried=0x%lx unstable=0x%lx crc32=%08x", walk->kept, walk->dropped,
         walk->fault, walk->untried, walk->unstable, walk_crc32(0, first, walk));
}

/* In a hurry only the first and the last register of a family are walked. */
static bool left_out(u32 member, unsigned count)
{
    return budget().hurried && member && member + 1 < count;
}

/* `count` consecutive registers. */
static void walk_neighbours(struct test *t, u32 first, unsigned count, u32 seen,
                            void (*judge)(struct test *t, u32 msr, const struct bit_walk *walk))
{
    struct bit_walk walk, started = {0};
    u32 start = first;
    for (u32 msr = first; msr < first + count; msr++) {
        if (left_out(msr - first, count))
            continue;
        walk_bits(t, msr, seen ? seen : msr, &walk);
        judge(t, msr, &walk);
        if (msr > start && !same_outcome(&started, &walk)) {
            note_range(t, start, msr - 1, &started);
            start = msr;
        }
        if (msr == start)
            started = walk;
    }
    note_range(t, start, first + count - 1, &started);
}

void walk_family(struct test *t, u32 first, u32 members, u32 seen,
                 void (*judge)(struct test *t, u32 msr, const struct bit_walk *walk))
{
    u64 left = members;
    for (u32 msr = first; left;) {
        u32 gap = (u32)__builtin_ctzll(left), count = (u32)__builtin_ctzll(~(left >> gap));
        walk_neighbours(t, msr + gap, count, seen, judge);
        msr += gap + count;
        left >>= gap + count;
    }
}

void check_restored(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_equal(t, "not-restored", walk->after & ~walk->unstable, walk->before & ~walk->unstable, msr);
}

void check_kept(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits)
{
    bits &= ~walk->untried;
    check_equal(t, label, walk->kept & bits, bits, msr);
}

void check_faulting(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits)
{
    bits &= ~walk->untried;
    check_equal(t, label, walk->fault & bits, bits, msr);
}

void check_refuses_above(struct test *t, u32 msr, u8 width, u64 kept)
{
    write_msr(t, msr, kept);
    fault_t fault = wrmsr_try(msr, BIT(width));
    check_fault(t, "accepted", fault, FAULT_GP, msr);
    check_bits(t, "changed", msr, ~0ull, kept);
}

void check_reads_back(struct test *t, const char *label, u32 msr, u32 seen, u8 width)
{
    static const u64 patterns[] = {
        0, ~0ull, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00000000ffffffff, 0xffffffff00000000, 1, ~1ull,
    };
    for_each_row (patterns, p) {
        u64 value = *p & counter_mask(width);
        write_msr(t, msr, value);
        check_bits(about(t, ASPECT_COUNTER_VALUE), label, seen, ~0ull, value);
    }
    for (unsigned bit = 0; bit < width; bit++) {
        write_msr(t, msr, BIT(bit));
        check_bits(about(t, ASPECT_COUNTER_VALUE), label, seen, ~0ull, BIT(bit));
    }
}

bool reserved_bits_judged(const struct pmu_caps *caps)
{
    return class_reserved_dumped(cpu_class(caps)) && (caps->version == 3 || caps->version == 4);
}
