/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A long transcript of all that a user of the PMU can do and see. Two models without a deviation give the same one;
 * each variation and each hazard gives another, so none of them is dead: for defects a proof shows that. The list of
 * names is well formed.
 */
#include "reference/test/model/model_rig.h"

#define ENTRIES 200000

struct transcript {
    u64 entry[ENTRIES];
    unsigned count;
};

static void note(struct transcript *t, u64 value)
{
    assert_true(t->count < ENTRIES);
    t->entry[t->count++] = value;
}

/* A register that may be missing with a deviation. */
static u64 look(struct rig *r, u32 msr)
{
    u64 value = 0xbad;
    return model_rdmsr(r->model, msr, &value) ? value : 0xbad;
}

static void note_cpuid(struct transcript *t, struct rig *r)
{
    static const u32 leaves[] = {0, 1, 5, 6, 7, 0x0a, 0x40000000, 0x80000002};
    for_each_row (leaves, leaf) {
        u32 native[4] = {0x0d, 1, 2, 3}, out[4];
        model_cpuid(r->model, *leaf, 0, native, out);
        for (unsigned i = 0; i < 4; i++)
            note(t, out[i]);
    }
}

static void note_msrs(struct transcript *t, struct rig *r)
{
    for (u32 msr = 0; msr < 0x2000; msr++)
        if (model_owns_msr(msr) && msr != MSR_MPERF && msr != MSR_APERF) {
            u64 value = 0xbad;
            note(t, model_rdmsr(r->model, msr, &value));
            note(t, value);
        }
    for (u32 index = 0; index < 8; index++) /* the second half at CPL 3, where none is allowed */
        for (u32 type = 0; type <= 0x40000000; type += 0x40000000) {
            u64 value = 0xbad;
            note(t, model_rdpmc(r->model, type + index % 4, index < 4 ? 0 : 3, false, &value));
            note(t, value);
        }
    note(t, (u64)r->interrupts << 32 | r->nmis);
    note(t, (u64)r->others << 32 | r->forced);
    note(t, (u64)r->vector << 32 | r->lvtpc);
    note(t, (u64)r->machine_checks << 32 | r->delivered_at);
}

/* Every pattern into every register: faults, what is kept, and STATUS and INUSE afterwards. */
/* A write that only a deviation lets fault has no effect. */
static void put(struct rig *r, u32 msr, u64 value)
{
    (void)model_wrmsr(r->model, msr, value);
}

static void put_retired(struct rig *r, u32 msr, u64 value)
{
    put(r, msr, value);
    retire(r, RETIRED_WRMSR, 0, false, 1);
}

static void write_patterns(struct transcript *t, struct rig *r)
{
    static const u32 msrs[] = {0x186, 0x188, 0x189, 0xc1,  0xc4,  0x4c1, 0x4c2, 0x309, 0x30a, 0x38d,
                               0x38e, 0x38f, 0x390, 0x391, 0x392, 0x1d9, 0x1a0, 0x1a6, 0x1c8, 0x3f1};
    static const u64 patterns[] = {0xffffffffffff, BIT(48), BIT(55), BIT(31), BIT(19), BIT(20), BIT(21),
                                   BIT(22),        0x00c0,  0x0100,  0x888,   0x121,   BIT(33), BIT(14),
                                   0x80000000000,  0xf0,    5,       BIT(18), BIT(59), 0x8000,  0};
    note(t, model_wrmsr(r->model, MSR_PERF_CAPABILITIES, 0));
    for_each_row (msrs, msr)
        for_each_row (patterns, pattern) {
            u64 value = 0xbad;
            if (*msr == MSR_PERF_GLOBAL_STATUS_SET)
                put(r, MSR_PERF_GLOBAL_CTRL, 1); /* bits that STATUS_SET should not change */
            note(t, model_never_returns(r->model, *msr, true) << 1 | model_never_returns(r->model, *msr, false));
            note(t, model_wrmsr(r->model, *msr, *pattern));
            note(t, model_rdmsr(r->model, *msr, &value) ? value : 0xbad);
            note(t, look(r, 0xc1)); /* the other address of 4C1H */
            note(t, look(r, 0x38e));
            note(t, look(r, 0x38f));
            note(t, model_rdmsr(r->model, 0x392, &value) ? value : 0xbad);
        }
}

/* A mixed block: rings, branches taken and not, far transfers, halts. */
static void block(struct rig *r, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        plain(r, 7);
        retire(r, RETIRED_BRANCH, 0, i & 1, 1);
        retire(r, RETIRED_PLAIN, 3, false, 5);
        retire(r, RETIRED_BRANCH, 3, !(i & 1), 1);
        retire(r, RETIRED_FAR_BRANCH, 3, true, 1);
        retire(r, RETIRED_IRET, 0, true, 1);
        retire(r, RETIRED_HLT, 0, false, 1);
    }
}

static void count(struct transcript *t, struct rig *r)
{
    static const u64 selects[] = {
        0x4300c0, 0x4100c0, 0x4200c0, 0x4000c0,  0x0300c0,  0x4300c4,  0x43003c,  0x43013c,
        0x434f2e, 0x4300c5, 0x0,      0x14300c0, 0x14700c0, 0x18300c4, 0x1c300c4,
    };
    for_each_row (selects, select)
        for (u64 global = 0; global < 2; global++) {
            put(r, MSR_PERF_GLOBAL_CTRL, 0);
            for (unsigned n = 0; n < 4; n++) {
                put(r, MSR_PMC(n), 0);
                put(r, MSR_PERFEVTSEL(n), *select);
            }
            put(r, MSR_FIXED_CTR_CTRL, *select >> 16 & 3 ? 0x333 : 0x020);
            put_retired(r, MSR_PERF_GLOBAL_CTRL, global ? 0x70000000f : 0);
            block(r, 100);
            put_retired(r, MSR_PERF_GLOBAL_CTRL, 0);
            note_msrs(t, r);
            put(r, MSR_PERFEVTSEL(0), 0);
            note(t, look(r, MSR_PERFEVTSEL(0)));
        }
}

/* Does the WRMSR to a counter that counts count there? */
static void written_while_counting(struct transcript *t, struct rig *r)
{
    put(r, MSR_PERFEVTSEL(0), 0x4300c0);
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    put_retired(r, MSR_PMC(0), 1000);
    note(t, look(r, MSR_PMC(0)));
    put(r, MSR_PERF_GLOBAL_CTRL, 0);
}

/* Overflows on all counters, alone and together, in each delivery mode; acknowledged in the handler's order. */
static void overflow(struct transcript *t, struct rig *r)
{
    static const u32 entries[] = {VECTOR, VECTOR | LVTPC_MASK, LVTPC_NMI_MODE, LVTPC_NMI_MODE};
    for_each_row (entries, entry)
        for (u64 interrupt = 0; interrupt < 2; interrupt++) {
            put(r, MSR_PERF_GLOBAL_CTRL, 0);
            r->lvtpc = *entry;
            for (unsigned n = 0; n < 4; n++) {
                put(r, MSR_PMC(n), (u64)-100 - 100 * n);
                put(r, MSR_PERFEVTSEL(n), 0x4300c0 | interrupt << 20);
            }
            put(r, MSR_FIXED_CTR_CTRL, interrupt ? 0xbbb : 0x333);
            put(r, MSR_FIXED_CTR(0), interrupt ? 0xffffffffffd0 : 0xffffffffff9c);
            put(r, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
            plain(r, 250);
            note_msrs(t, r);
            put(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
            note_msrs(t, r);
            r->lvtpc &= ~LVTPC_MASK;
            plain(r, 350);
            note_msrs(t, r);
            put(r, MSR_PERF_GLOBAL_STATUS_RESET, 0x70000000f);
            retire(r, RETIRED_IRET, 0, true, 1);
        }
}

static void branch_to(struct rig *r, u64 target)
{
    struct retired branch = {.kind = RETIRED_BRANCH, .taken = true, .rip = target - 0x100}, next = {.rip = target};
    model_retire(r->model, &branch);
    model_retire(r->model, &next);
}

/* Deviations of PEBS show in records, which proofs check, and test_model_pebs_deviations.c for variations. */
static bool is_of_pebs(const char *name)
{
    static const char *const also[] = {
        "ovfbuf-",      "threshold-",    "redundant-records-", "record-",
        "eventing-ip-", "dla-not-sign-", "load-latency-",      "pdir-",
        "pdist-",       "ld-lat-",       "pmi-at-buffer-",     "pebs-",
        "buffer-over-", "ds-area-",      "sampling-",          "data-cfg-",
    };
    for_each_row (also, prefix)
        if (!strncmp(name, *prefix, strlen(*prefix)))
            return true;
    return false;
}

/* A PMI that freezes counters and LBRs; thawed twice, and then GLOBAL_CTRL written. */
static void freeze(struct transcript *t, struct rig *r)
{
    for (u64 interrupt = 0; interrupt < 2; interrupt++) {
        r->lvtpc = VECTOR;
        put(r, MSR_DEBUGCTL, 0x1801);
        put(r, MSR_PMC(0), (u64)-10);
        for (unsigned n = 0; n < 4; n++)
            put(r, MSR_PERFEVTSEL(n), 0x4300c0 | (n ? 0 : interrupt << 20));
        put(r, MSR_PERF_GLOBAL_CTRL, 0xf);
        for (unsigned round = 0; round < 3; round++) {
            branch_to(r, 0x2000 + 0x10 * round);
            plain(r, 12);
            branch_to(r, 0x3000 + 0x10 * round);
            note_msrs(t, r);
            put(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | STATUS_LBR_FRZ);
        }
        put(r, MSR_PERF_GLOBAL_CTRL, 0);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    }
}

/* Two event selects ask for the PMI, then the second no longer does. */
static void interrupt_users(struct transcript *t, struct rig *r)
{
    for (unsigned n = 0; n < 2; n++)
        put(r, MSR_PERFEVTSEL(n), EVTSEL_INT);
    note(t, look(r, MSR_PERF_GLOBAL_INUSE));
    put(r, MSR_PERFEVTSEL(1), 0);
    note(t, look(r, MSR_PERF_GLOBAL_INUSE));
    put(r, MSR_PERFEVTSEL(0), 0);
}

/* PMC0 is stopped one instruction after it wrapped, and a PMI's entry is rewritten or the CPU halts before it comes. */
static void coincidences(struct transcript *t, struct rig *r)
{
    for (unsigned halts = 0; halts < 2; halts++) {
        r->lvtpc = VECTOR;
        put(r, MSR_PMC(0), (u64)-10);
        put(r, MSR_PERFEVTSEL(0), 0x5300c0);
        put(r, MSR_PERF_GLOBAL_CTRL, 1);
        plain(r, 10);
        put_retired(r, MSR_PERF_GLOBAL_CTRL, 0);
        if (halts)
            retire(r, RETIRED_HLT, 0, false, 1);
        else
            r->lvtpc = (VECTOR + 1) | LVTPC_MASK;
        plain(r, 10);
        note_msrs(t, r);
        put(r, MSR_PERFEVTSEL(0), 0);
        note_msrs(t, r);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
        note_msrs(t, r);
    }
}

/* Properties that most events ignore: REP, CPUID, halts, rings with AnyThread and INV, the microcode's events. */
static void rarities(struct transcript *t, struct rig *r)
{
    static const u64 selects[] = {0x4100c0, 0x6200c0, 0x6300c0, 0x4100c4, 0x4300c4, 0x4300c5, 0x1c200c0, 0x434f2e};
    for_each_row (selects, select) {
        put(r, MSR_PERF_GLOBAL_CTRL, 0);
        for (unsigned n = 0; n < 4; n++)
            note(t, model_wrmsr(r->model, MSR_PERFEVTSEL(n), *select));
        put(r, MSR_PERF_GLOBAL_CTRL, 15);
        struct retired syscall = {.kind = RETIRED_FAR_BRANCH, .cpl = 3, .cpl_after = 0, .taken = true};
        for (unsigned i = 0; i < 40; i++) {
            retire(r, RETIRED_REP_STRING, 0, false, 2);
            retire(r, RETIRED_CPUID, 3, false, 1);
            model_retire(r->model, &syscall);
            block(r, 2);
        }
        note_msrs(t, r);
    }
    r->lvtpc = VECTOR;
    put(r, MSR_FIXED_CTR(2), 0xffffffffffd0);
    plain(r, 10);
    note_msrs(t, r);
}

/* Fixed counters wrap together and freeze; LVTPC is unmasked before and after STATUS is cleared. Nine rounds. */
static void handlers(struct transcript *t, struct rig *r)
{
    for (unsigned round = 0; round < 9; round++) {
        r->lvtpc = VECTOR;
        put(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
        put(r, MSR_FIXED_CTR_CTRL, round < 3 ? 0x0bb : round & 1 ? 0xb00 : 0x00b);
        for (unsigned i = 0; i < 3; i++)
            put(r, MSR_FIXED_CTR(i), 0xffffffffffe0);
        put(r, MSR_PERF_GLOBAL_CTRL, 0x700000000);
        plain(r, 50);
        note_msrs(t, r);
        if (round % 3)
            r->lvtpc = VECTOR;
        plain(r, 50);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | 0x500000000);
        r->lvtpc = VECTOR;
        plain(r, 50);
        note_msrs(t, r);
    }
}

static void carry(struct transcript *t, struct rig *r)
{
    put(r, MSR_PERF_GLOBAL_CTRL, 0);
    put(r, MSR_FIXED_CTR(0), 0xfffffff0);
    put(r, MSR_PMC(0), 0);
    put(r, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
    plain(r, 60000);
    note_msrs(t, r);
}

/* One PMI, unmasked and acknowledged, and no other for long after it. */
static void afterwards(struct transcript *t, struct rig *r)
{
    put(r, MSR_PERFEVTSEL(0), 0x5300c0);
    put(r, MSR_PMC(0), 0xfffffff0);
    r->lvtpc = VECTOR;
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    plain(r, 100);
    put(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    r->lvtpc = VECTOR;
    plain(r, 25000);
    note_msrs(t, r);
}

/* The state after a deep sleep. */
static void sleep_deeply(struct transcript *t, struct rig *r)
{
    for (unsigned n = 0; n < 4; n++) {
        put(r, MSR_PMC(n), 0x5a5a + n);
        put(r, MSR_PERFEVTSEL(n), 0x4300c0);
    }
    model_slept(r->model);
    note_msrs(t, r);
}

/* STATUS by software alone, while counters with a value ask for PMIs: bits of features, also while CTR_FRZ is set. */
static void commands(struct transcript *t, struct rig *r)
{
    static const u64 features[] = {0, STATUS_LBR_FRZ, STATUS_OVF_BUFFER, STATUS_CTR_FRZ};
    r->lvtpc = VECTOR;
    put(r, MSR_PMC(0), 0x1234);
    put(r, MSR_PERFEVTSEL(0), 0x5300c0);
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    for_each_row (features, feature) {
        note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_STATUS_SET, *feature));
        note_msrs(t, r);
        note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_STATUS_SET, 3));
        plain(r, 50);
        note_msrs(t, r);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, 2);
        note_msrs(t, r);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, *feature);
        note_msrs(t, r);
        put(r, MSR_PERF_GLOBAL_STATUS_RESET, 3);
    }
}

/* A PMI at CPL 3, and LVTPC after it. */
static void interrupted_user(struct transcript *t, struct rig *r)
{
    r->lvtpc = VECTOR;
    put(r, MSR_PMC(0), 0xfffffff0);
    put(r, MSR_PERFEVTSEL(0), 0x5100c0);
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    struct retired user = {.kind = RETIRED_PLAIN, .cpl = 3, .cpl_after = 3};
    for (unsigned i = 0; i < 50; i++)
        model_retire(r->model, &user);
    note_msrs(t, r);
}

/* Cycles by EDGE, the wider counters' upper bits, and counters that are written while they count. */
static void odd_uses(struct transcript *t, struct rig *r)
{
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    put(r, MSR_PMC(0), 0);
    put(r, MSR_PERFEVTSEL(0), 0x147003c);
    plain(r, 50);
    note_msrs(t, r);
    put(r, MSR_PERFEVTSEL(0), 0x4300c0);
    for (unsigned i = 0; i < 10; i++) {
        put(r, MSR_PMC(0), 0x1000 * i);
        plain(r, 10);
        note(t, look(r, MSR_PMC(0)));
    }
    put(r, MSR_PERF_GLOBAL_CTRL, 0);
    note(t, model_wrmsr(r->model, MSR_A_PMC(0), BIT(42) | 0xfffffff0));
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    plain(r, 50);
    note_msrs(t, r);
}

/* Relative jumps are in the upper half of the addresses. */
static void take(struct rig *r, u8 type, u8 cpl)
{
    u64 base = type == BRANCH_JUMP ? 0xffff800000000000 : 0;
    struct retired branch = {.kind = type == BRANCH_OTHER ? RETIRED_FAR_BRANCH : RETIRED_BRANCH,
                             .branch = type,
                             .cpl = cpl,
                             .cpl_after = cpl,
                             .taken = true,
                             .rip = base + 0x1001 + 0x10u * type};
    model_retire(r->model, &branch);
    model_retire(r->model,
                 &(struct retired){.kind = RETIRED_PLAIN, .cpl = cpl, .cpl_after = cpl, .rip = base + 0x2000 + type});
}

static void note_branches(struct transcript *t, struct rig *r)
{
    note(t, look(r, MSR_LBR_TOS));
    for (u32 n = 0; n < 32; n++) {
        note(t, look(r, MSR_LBR_FROM(n)));
        note(t, look(r, MSR_LBR_TO(n)));
        note(t, look(r, MSR_LBR_INFO(n)));
    }
}

/* Branches of each kind through each filter, and with recording off and frozen; records that are written. */
static void branches(struct transcript *t, struct rig *r)
{
    static const u64 written[] = {0x1235, 0, 0xffff800000001001, LBR_NOT_CANONICAL};
    for (unsigned bit = 0; bit <= 10; bit++) {
        put(r, MSR_LBR_SELECT, bit == 10 ? 3 : BIT(bit) | (bit == 7 ? BIT(2) : 0));
        for (unsigned on = 0; on < 2; on++) {
            put(r, MSR_DEBUGCTL, on);
            for (u8 type = 0; type <= BRANCH_JUMP_INDIRECT; type++)
                take(r, type, type == BRANCH_CALL ? 3 : 0);
        }
        note_branches(t, r);
    }
    for_each_row (written, value) {
        note(t, model_wrmsr(r->model, MSR_LBR_FROM(3), *value));
        note(t, model_wrmsr(r->model, MSR_LBR_TO(4), *value));
        note(t, model_wrmsr(r->model, MSR_LBR_INFO(4), *value & 0xffff ? LBR_INFO_MISPREDICTED | 5 : 0));
        note(t, model_wrmsr(r->model, MSR_LBR_TOS, *value & 31));
        note_branches(t, r);
    }
    put(r, MSR_LBR_SELECT, 0);
    for (unsigned frozen = 2; frozen--;) {
        u32 command = frozen ? MSR_PERF_GLOBAL_STATUS_SET : MSR_PERF_GLOBAL_STATUS_RESET;
        note(t, model_wrmsr(r->model, command, STATUS_LBR_FRZ));
        for (unsigned i = 0; i < 6; i++)
            take(r, BRANCH_JUMP, 0);
        note_branches(t, r);
    }
}

/* Ends of loops, and returns: mispredicted now and then. */
static void predicted(struct transcript *t, struct rig *r)
{
    put(r, MSR_PERFEVTSEL(0), 0x4300c5);
    put(r, MSR_PERF_GLOBAL_CTRL, 1);
    for (unsigned i = 0; i < 64; i++) {
        struct retired branch = {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = i % 8 != 7};
        model_retire(r->model, &branch);
        take(r, BRANCH_RETURN, 0);
        note(t, look(r, MSR_PMC(0)));
    }
}

/* ---- Processor trace: memory by physical addresses, with a page before and behind the regions of the table. */

#define TABLE 0x10000u
#define PAGES 7u

static bool physical_read(void *context, u64 address, void *to, u32 count)
{
    return rig_memory_read(context, address, to, count);
}

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    return rig_memory_write(context, address, from, count);
}

static void note_trace(struct transcript *t, struct rig *r)
{
    for (u32 msr = MSR_RTIT_OUTPUT_BASE; msr <= MSR_RTIT_CR3_MATCH; msr++)
        note(t, look(r, msr));
    note(t, look(r, MSR_PERF_GLOBAL_STATUS));
    note(t, look(r, MSR_PERF_GLOBAL_CTRL));
    note(t, look(r, MSR_PMC(0)));
    note(t, look(r, MSR_LBR_TOS));
    note(t, (u64)r->interrupts << 32 | r->others);
}

static void note_memory(struct transcript *t, const struct rig *r)
{
    u64 sum = 0;
    for (u64 i = 0; i < r->size; i++)
        sum = sum * 31 + r->memory[i];
    note(t, sum);
}

/* Calls until both regions are full, with a handler that acknowledges now and then. */
static void trace_calls(struct transcript *t, struct rig *r, bool masked, unsigned calls)
{
    for (unsigned n = 0; n < calls; n++) {
        take(r, BRANCH_CALL_INDIRECT, 0);
        if (n % 50 == 25)
            note_trace(t, r);
        if (n == 650)
            note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_OVF_BUFFER));
        if (n == 700) {
            u64 frozen = STATUS_LBR_FRZ + STATUS_CTR_FRZ, trace = STATUS_TRACE_TOPA_PMI;
            bool freezes = look(r, MSR_DEBUGCTL) >> 12;
            note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_STATUS_RESET, freezes ? frozen + trace : trace));
            r->lvtpc &= masked ? ~0u : ~LVTPC_MASK;
        }
    }
    note_trace(t, r);
}

static const struct {
    u64 first, second, base, position, control, debugctl;
    bool masked;
} traces[] = {
    {BIT(2), BIT(4), TABLE, 0, RTIT_CTL_OS, 0, false},
    {BIT(2), BIT(4), TABLE, 0, RTIT_CTL_OS, 0, true},
    {BIT(2), BIT(4), TABLE, 0, RTIT_CTL_OS | RTIT_CTL_USER, MASK(12, 11), false},
    {0, BIT(4), TABLE, 256, RTIT_CTL_USER, 0, false},
    {0, BIT(4), TABLE, 256, RTIT_CTL_OS, MASK(12, 11) | BIT(0), false},
    {BIT(1), 0, TABLE, 0, RTIT_CTL_OS, 0, false},
    {0, 0, TABLE | BIT(7), 0, RTIT_CTL_OS, 0, false},
    {0, 0, TABLE, 4096, RTIT_CTL_OS, 0, false},
    {0, BIT(4), TABLE, 0, RTIT_CTL_OS, 0, false},
};

static void trace_one(struct transcript *t, struct rig *r, unsigned which)
{
    u64 entries[] = {0x12000 | traces[which].first, 0x13000 | traces[which].second, TABLE | BIT(0)};
    u64 on = RTIT_CTL_TRACE_EN | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN | traces[which].control;
    memset(r->memory, 0, r->size);
    rig_memory_write(r, TABLE, entries, sizeof(entries));
    r->lvtpc = traces[which].masked ? VECTOR | LVTPC_MASK : VECTOR;
    note(t, model_wrmsr(r->model, MSR_DEBUGCTL, traces[which].debugctl));
    note(t, model_wrmsr(r->model, MSR_RTIT_STATUS, 0));
    note(t, model_wrmsr(r->model, MSR_RTIT_OUTPUT_BASE, traces[which].base));
    note(t, model_wrmsr(r->model, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_OFFSET(traces[which].position)));
    for (unsigned turn = 0; turn < 2; turn++) {
        note(t, model_wrmsr(r->model, MSR_RTIT_CTL, on));
        note(t, model_wrmsr(r->model, MSR_RTIT_CTL, on));
        note(t, model_wrmsr(r->model, MSR_RTIT_CTL, on ^ RTIT_CTL_TSC_EN));
        note(t, model_wrmsr(r->model, MSR_RTIT_OUTPUT_BASE, TABLE));
        trace_calls(t, r, traces[which].masked, turn ? 60 : 950);
        note(t, model_wrmsr(r->model, MSR_RTIT_CTL, on & ~RTIT_CTL_TRACE_EN));
        model_wrmsr(r->model, MSR_RTIT_CTL, 0);
        note_memory(t, r);
        note_trace(t, r);
    }
}

static void traced(struct transcript *t, struct rig *r)
{
    r->memory = calloc(PAGES, 4096);
    r->address = TABLE - 4096;
    r->size = PAGES * 4096;
    r->host.physical_read = physical_read;
    r->host.physical_write = physical_write;
    model_reset(r->model, &r->setup, &r->host);
    for (unsigned bit = 0; bit < 57; bit++)
        note(t, model_wrmsr(r->model, MSR_RTIT_CTL, bit ? BIT(bit) : 0) + look(r, MSR_RTIT_CTL));
    model_wrmsr(r->model, MSR_RTIT_CTL, 0);
    note(t, model_wrmsr(r->model, MSR_RTIT_CR3_MATCH, BIT(7)) + look(r, MSR_RTIT_CR3_MATCH));
    note(t, model_wrmsr(r->model, MSR_RTIT_OUTPUT_BASE, TABLE | 1));
    note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_STATUS_SET, STATUS_TRACE_TOPA_PMI));
    note_trace(t, r);
    note(t, model_wrmsr(r->model, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS)));
    note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_CTRL, 1));
    for (unsigned i = 0; i < ARRAY_SIZE(traces); i++) {
        note(t, model_wrmsr(r->model, MSR_PMC(0), (u32)-1200)); /* wraps on the way */
        note(t, model_wrmsr(r->model, MSR_PERF_GLOBAL_CTRL, 1));
        trace_one(t, r, i);
    }
    free(r->memory);
    r->memory = NULL;
}

/* A hosted kernel's CPU, with a clock of its own. */
static void hosted(struct transcript *t, struct rig *r)
{
    u32 native[4] = {0}, out[4];
    r->setup.tsc_khz = 2000000;
    model_reset(r->model, &r->setup, &r->host);
    model_cpuid(r->model, 0x0b, 0, native, out);
    note(t, out[3]);
    note(t, model_tsc_ahead(r->model));
}

/* Parts of what a user does; most begin at power-up. */
static const struct {
    void (*part)(struct transcript *t, struct rig *r);
    bool goes_on; /* in the state that the part before has left */
} parts[] = {
    {.part = note_cpuid, .goes_on = true},
    {.part = note_msrs, .goes_on = true},
    {.part = write_patterns, .goes_on = true},
    {.part = overflow},
    {.part = freeze},
    {.part = count},
    {.part = carry, .goes_on = true},
    {.part = written_while_counting},
    {.part = interrupt_users},
    {.part = coincidences, .goes_on = true},
    {.part = rarities},
    {.part = handlers},
    {.part = afterwards},
    {.part = sleep_deeply},
    {.part = commands},
    {.part = odd_uses},
    {.part = interrupted_user},
    {.part = branches},
    {.part = predicted},
    {.part = traced, .goes_on = true},
    {.part = hosted, .goes_on = true},
};

static struct transcript without, with;

static bool differ(void)
{
    return with.count > without.count || memcmp(with.entry, without.entry, with.count * sizeof(with.entry[0]));
}

/* With `only_until_it_differs` the transcript ends where it differs from the other one. */
static void run(struct transcript *t, const char *deviation, bool only_until_it_differs)
{
    struct rig r;
    rig_open(&r, deviation, 1, 3);
    *t = (struct transcript){.count = 0};
    for_each_row (parts, p) {
        if (!p->goes_on)
            model_reset(r.model, &r.setup, &r.host);
        p->part(t, &r);
        if (only_until_it_differs && differ())
            break;
    }
    rig_close(&r);
}

CASE(plain_is_repeatable)
{
    run(&without, NULL, false);
    run(&with, NULL, true);
    assert_false(differ());
    assert_int_equal(with.count, without.count);
}

CASE(each_shows_that_no_proof_catches)
{
    unsigned silent = 0;
    run(&without, NULL, false);
    for (unsigned i = 0; i < deviation_count; i++) {
        if (deviations[i]->kind == KIND_DEFECT)
            continue;
        if (deviations[i]->profile) { /* not on this CPU: its probe shows it on another */
            assert_non_null(model_profile(deviations[i]->profile));
            continue;
        }
        if (is_of_pebs(deviations[i]->name))
            continue;
        run(&with, deviations[i]->name, true);
        if (!differ() && with.count == without.count) {
            print_error("%s shows nowhere\n", deviations[i]->name);
            silent++;
        }
    }
    assert_int_equal(silent, 0);
}

CASE(names)
{
    unsigned defects = 0;
    for (unsigned i = 0; i < deviation_count; i++) {
        const struct deviation *d = deviations[i];
        assert_int_equal(deviation_find(d->name), i);
        assert_int_equal(strspn(d->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(d->name));
        assert_true(*d->what && *d->source && !strchr(d->what, '\n'));
        defects += d->kind == KIND_DEFECT;
    }
    assert_true(defects >= 40 && deviation_count - defects >= 15);
    assert_int_equal(deviation_find(""), -1);
    assert_int_equal(deviation_find("lvtpc-not-maske"), -1);
    assert_null(model_profile("pentium"));
    assert_string_equal(model_profile_name(model_profile("skylake")), "skylake");
}

int main(void)
{
    return run_cases();
}
