/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two instances of the model that get the same input in two ways stay the same: on a good one control registers may be
 * written in another order while nothing counts, and with any deviation a run of instructions may be reported at once
 * or one by one. All registers and all results of RDPMC are compared.
 */
#include "reference/test/fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define BOTH(twin, m) for (struct model *const *m = (twin)->model; m < (twin)->model + 2; m++)

struct twin {
    struct model *model[2];
    const struct profile *profile;
    bool plain; /* good PMUs, on which the order does not matter */
};

/* The time does not depend on how often it is read. */
static u64 still(void *context)
{
    (void)context;
    return 1000000;
}

/* The registers that set a counter up, besides its value; GLOBAL_CTRL comes last. */
struct set_up {
    u32 msr;
    u64 value;
};

static void compare(const struct twin *twin)
{
    for (unsigned i = 0; i < owned_count; i++) {
        u32 msr = owned[i];
        u64 value[2] = {0, 0};
        bool there = model_rdmsr(twin->model[0], msr, &value[0]);
        require(there == model_rdmsr(twin->model[1], msr, &value[1]) && value[0] == value[1]);
    }
    for (u32 i = 0; i < 16; i++) {
        u32 index = i < 8 ? i : 0x40000000 + i - 8;
        u64 value[2] = {0, 0};
        bool there = model_rdpmc(twin->model[0], index, 0, true, &value[0]);
        require(there == model_rdpmc(twin->model[1], index, 0, true, &value[1]) && value[0] == value[1]);
    }
    require(model_stepping(twin->model[0]) == model_stepping(twin->model[1]));
}

/* An event that every core has, or one of this profile's table. */
static u64 event_of(const struct twin *twin, u8 choice)
{
    static const u64 events[] = {0xc0, 0xc4, 0xc5, 0x3c, 0x13c, 0x4f2e, 0x412e, 0x1a4, 0x2a4, 0x2c2};
    const struct profile_event *row = &twin->profile->events[choice % EVENTS_MAX];
    if (choice < 128 && row->encoding)
        return (row->encoding & 0xffff) | (u64)(row->encoding >> 16) << 40;
    return events[choice % ARRAY_SIZE(events)];
}

/* CMASK and INV. */
static u64 cycles_of(u8 choice)
{
    return choice & 1 ? (u64)(choice >> 1 & 3) << 24 | (u64)(choice >> 3 & 1) << 23 : 0;
}

/* With GLOBAL_CTRL 0 nothing counts, and no order of the other registers matters. */
static void program(const struct twin *twin, struct input *in)
{
    u64 flags = EVTSEL_EN | EVTSEL_OS | EVTSEL_USR | (take(in, 1) & 0x14) << 16, near = 0xffffffffffff - take(in, 2);
    u32 n = (u32)take(in, 1) % 4;
    const struct set_up rows[] = {
        {MSR_PERFEVTSEL(n), flags | cycles_of((u8)take(in, 1)) | event_of(twin, (u8)take(in, 1))},
        {MSR_PMC(n), near},
        {MSR_FIXED_CTR(n % 3), near},
        {MSR_FIXED_CTR_CTRL, take(in, 1) & 1 ? 0xbbb : take(in, 2) & 0xfff},
        {MSR_DEBUGCTL, take(in, 1) & 1 ? 0x1801 : 0},
    };
    u64 enable = take(in, 1) & 1 ? 0x70000000f : 1ull << n;
    BOTH(twin, m)
    model_wrmsr(*m, MSR_PERF_GLOBAL_CTRL, 0);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        model_wrmsr(twin->model[0], rows[i].msr, rows[i].value);
        const struct set_up *other = twin->plain ? &rows[ARRAY_SIZE(rows) - 1 - i] : &rows[i];
        model_wrmsr(twin->model[1], other->msr, other->value);
    }
    BOTH(twin, m)
    model_wrmsr(*m, MSR_PERF_GLOBAL_CTRL, enable);
}

static void retire_both(const struct twin *twin, struct input *in)
{
    u8 shape = (u8)take(in, 1);
    struct retired instruction = {
        .kind = (enum retired_kind)(take(in, 1) % (RETIRED_XBEGIN + 1)),
        .cpl = shape & 3,
        .cpl_after = shape & 3,
        .taken = shape >> 4 & 1,
    };
    BOTH(twin, m)
    model_retire(*m, &instruction);
}

static void interrupt_both(const struct twin *twin, u8 cpl)
{
    BOTH(twin, m)
    model_interrupted(*m, cpl);
}

static struct retired nth_of_run(u32 i, u32 branches, u8 cpl)
{
    return (struct retired){.kind = i < branches ? RETIRED_BRANCH : RETIRED_PLAIN,
                            .branch = i < branches / 2 ? BRANCH_RETURN
                                      : i < branches   ? BRANCH_CALL_INDIRECT
                                                       : BRANCH_OTHER,
                            .access = ACCESS_LOAD,
                            .cpl = cpl,
                            .cpl_after = cpl,
                            .taken = i < branches};
}

static void retire_each(struct model *m, u32 count, u32 branches, u8 cpl)
{
    for (u32 i = 0; i < count; i++) {
        struct retired instruction = nth_of_run(i, branches, cpl);
        model_retire(m, &instruction);
    }
}

/* Reported at once, as far as branches need not be reported by themselves; and one by one, branches first. */
static void retire_run(const struct twin *twin, struct input *in)
{
    u32 count = 1 + (u32)take(in, 2) % 2000, branches = (u32)take(in, 2) % (count + 1);
    u8 cpl = take(in, 1) & 1 ? 3 : 0;
    if (model_run_room(twin->model[0]) < count)
        return;
    u32 alone = model_wants_branches(twin->model[0]) ? branches : 0, taken = branches - alone;
    retire_each(twin->model[0], alone, branches, cpl);
    if (count > alone)
        model_retire_run(twin->model[0], &(struct model_run){.cpl = cpl,
                                                             .instructions = count - alone,
                                                             .branches = taken,
                                                             .taken = taken,
                                                             .returns = taken / 2,
                                                             .calls = taken - taken / 2,
                                                             .indirect_calls = taken - taken / 2,
                                                             .loads = count - alone});
    retire_each(twin->model[1], count, branches, cpl);
}

static void open_twin(struct twin *twin, struct input *in)
{
    static struct model_host host;
    u8 deviation = (u8)take(in, 1);
    struct deviating deviating = {.deviation = deviation & 1 ? deviations[take(in, 2) % deviation_count] : NULL};
    struct model_setup setup = {
        .profile = profiles[take(in, 1) % profile_count], .cpus = 4, .change = deviate, .how = &deviating};
    start_host(&host, false);
    host.context = twin; /* a deviation may change LVTPC */
    host.time = still;
    twin->plain = !deviating.deviation;
    twin->profile = setup.profile;
    BOTH(twin, m)
    {
        *(struct model **)m = calloc(1, model_size());
        model_reset(*m, &setup, &host);
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    struct input in = {data, size};
    struct twin twin;
    lvtpc = 0x100f0; /* masked: an NMI or interrupt would reach the host, which both share */
    find_owned();
    open_twin(&twin, &in);
    compare(&twin);
    while (in.left) {
        u8 what = (u8)take(&in, 1);
        if (what % 4 == 0)
            program(&twin, &in);
        else if (what % 4 == 1)
            retire_run(&twin, &in);
        else if (what % 16 == 2)
            interrupt_both(&twin, what >> 6);
        else
            retire_both(&twin, &in);
        stores = 0;
    }
    compare(&twin);
    BOTH(&twin, m)
    free(*m);
    return 0;
}
