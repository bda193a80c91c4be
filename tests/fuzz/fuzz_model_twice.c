/* links: pmu/reference/model/ pmu/reference/deviations/ */
/*
 * Two instances of the model that are told the same in two ways stay the same: a good one may have its control
 * registers written in another order while nothing counts, and whatever deviates, a run of instructions may be reported
 * at once or one by one. What comes of it is compared: every register, and every answer to RDPMC.
 */
#include "tests/fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define BOTH(twin, m) for (struct model *const *m = (twin)->model; m < (twin)->model + 2; m++)

struct twin {
    struct model *model[2];
    bool plain; /* good PMUs, for which no order matters */
};

/* Looking more often shows no other time. */
static u64 still(void *context)
{
    (void)context;
    return 1000000;
}

/* What a counter needs, besides its value, to be set up; GLOBAL_CTRL comes last. */
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

/* With GLOBAL_CTRL 0 nothing counts, and no order of the other registers matters. */
static void program(const struct twin *twin, struct input *in)
{
    static const u64 events[] = {0xc0, 0xc4, 0xc5, 0x3c, 0x13c, 0x4f2e, 0x412e};
    u64 flags = 0x430000 | (take(in, 1) & 0x14) << 16, near = 0xffffffffffff - take(in, 2);
    u32 n = (u32)take(in, 1) % 4;
    const struct set_up rows[] = {
        {0x186 + n, flags | events[take(in, 1) % ARRAY_SIZE(events)]},
        {0xc1 + n, near},
        {0x309 + n % 3, near},
        {0x38d, take(in, 1) & 1 ? 0xbbb : take(in, 2) & 0xfff},
        {0x1d9, take(in, 1) & 1 ? 0x1801 : 0},
    };
    u64 enable = take(in, 1) & 1 ? 0x70000000f : 1ull << n;
    BOTH(twin, m)
    model_wrmsr(*m, 0x38f, 0);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        model_wrmsr(twin->model[0], rows[i].msr, rows[i].value);
        const struct set_up *other = twin->plain ? &rows[ARRAY_SIZE(rows) - 1 - i] : &rows[i];
        model_wrmsr(twin->model[1], other->msr, other->value);
    }
    BOTH(twin, m)
    model_wrmsr(*m, 0x38f, enable);
}

static void retire_both(const struct twin *twin, struct input *in)
{
    u8 shape = (u8)take(in, 1);
    struct retired instruction = {
        .kind = (enum retired_kind)(take(in, 1) % (RETIRED_PAUSE + 1)),
        .cpl = shape & 3,
        .cpl_after = shape & 3,
        .taken = shape >> 4 & 1,
    };
    BOTH(twin, m)
    model_retire(*m, &instruction);
}

/* At once, and one by one, the branches first. */
static void retire_run(const struct twin *twin, struct input *in)
{
    u32 count = 1 + (u32)take(in, 2) % 2000, branches = (u32)take(in, 2) % (count + 1);
    u8 cpl = take(in, 1) & 1 ? 3 : 0;
    if (model_run_room(twin->model[0]) < count)
        return;
    model_retire_run(twin->model[0], &(struct model_run){.cpl = cpl,
                                                         .instructions = count,
                                                         .branches = branches,
                                                         .taken = branches,
                                                         .returns = branches,
                                                         .loads = count});
    for (u32 i = 0; i < count; i++)
        model_retire(twin->model[1], &(struct retired){.kind = i < branches ? RETIRED_BRANCH : RETIRED_PLAIN,
                                                       .branch = i < branches ? BRANCH_RETURN : BRANCH_OTHER,
                                                       .access = ACCESS_LOAD,
                                                       .cpl = cpl,
                                                       .cpl_after = cpl,
                                                       .taken = true});
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
    lvtpc = 0x100f0; /* masked: an NMI or interrupt would be one of the host's, which both share */
    find_owned();
    open_twin(&twin, &in);
    compare(&twin);
    while (in.left) {
        u8 what = (u8)take(&in, 1);
        if (what % 4 == 0)
            program(&twin, &in);
        else if (what % 4 == 1)
            retire_run(&twin, &in);
        else
            retire_both(&twin, &in);
        stores = 0;
    }
    compare(&twin);
    BOTH(&twin, m)
    free(*m);
    return 0;
}
