/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any sequence of accesses and instructions, on any CPU with or without a deviation: the model writes only its own
 * memory, and without a deviation these hold: reserved bits are never set, a faulting access changes nothing, a counter
 * never exceeds its width, STATUS bits appear only by wraps, freezes and STATUS_SET, INUSE is a function of its
 * sources. The default profile is judged by numbers typed here, every profile by its own data.
 */
#include "reference/test/fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* ---- What must hold without a deviation. Masks typed from the probed Skylake. */

static u64 read(struct model *m, u32 msr)
{
    u64 value = 0;
    require(model_rdmsr(m, msr, &value));
    return value;
}

struct state {
    u64 evtsel[4], pmc[4], fixed[3], fixed_ctrl, status, global, debugctl, pebs, inuse;
};

static struct state look(struct model *m)
{
    struct state s;
    memset(&s, 0, sizeof(s));
    for (u32 n = 0; n < 4; n++) {
        s.evtsel[n] = read(m, MSR_PERFEVTSEL(n));
        s.pmc[n] = read(m, MSR_PMC(n));
        require(s.pmc[n] == read(m, MSR_A_PMC(n)));
    }
    for (u32 i = 0; i < 3; i++)
        s.fixed[i] = read(m, MSR_FIXED_CTR(i));
    s.fixed_ctrl = read(m, MSR_FIXED_CTR_CTRL);
    s.status = read(m, MSR_PERF_GLOBAL_STATUS);
    s.global = read(m, MSR_PERF_GLOBAL_CTRL);
    s.debugctl = read(m, MSR_DEBUGCTL);
    s.pebs = read(m, MSR_PEBS_ENABLE);
    s.inuse = read(m, MSR_PERF_GLOBAL_INUSE);
    return s;
}

static u64 inuse_of(const struct state *s)
{
    u64 in_use = s->fixed_ctrl & 0x888 || s->pebs ? 1ull << 63 : 0;
    for (unsigned n = 0; n < 4; n++) {
        in_use |= s->evtsel[n] & 0xff ? 1ull << n : 0;
        in_use |= s->evtsel[n] & 0x100000 ? 1ull << 63 : 0;
    }
    for (unsigned i = 0; i < 3; i++)
        in_use |= s->fixed_ctrl >> 4 * i & 3 ? 1ull << (32 + i) : 0;
    return in_use;
}

static void reserved_bits_clear(const struct state *s)
{
    for (unsigned n = 0; n < 4; n++) {
        require(!(s->evtsel[n] & (n == 2 ? 0xfffffffc00080000 : 0xfffffffe00080000)));
        require(!(s->pmc[n] >> 48));
    }
    for (unsigned i = 0; i < 3; i++)
        require(!(s->fixed[i] >> 48));
    require(!(s->fixed_ctrl >> 12));
    require(!(s->status & 0x837ffff8fffffff0));
    require(!(s->global & 0xfffffff8fffffff0));
    require(!(s->debugctl & 0xffffffffffff003c));
    require(!(s->pebs & 0xfffffff0fffffff0));
    require(s->inuse == inuse_of(s));
}

/* A retired instruction sets STATUS bits of wrapped counters and, if freezing is enabled, the freeze bits. */
static void only_wraps(const struct state *before, const struct state *after)
{
    u64 appeared = after->status & ~before->status, may = 0;
    require(!memcmp(before->evtsel, after->evtsel, sizeof(before->evtsel)) && before->global == after->global);
    sampled |= before->pebs != 0;
    if (sampled)
        return; /* records clear bits and reload counters */
    require(!(before->status & ~after->status));
    for (unsigned n = 0; n < 4; n++)
        may |= after->pmc[n] < before->pmc[n] ? 1ull << n : 0;
    for (unsigned i = 0; i < 3; i++)
        may |= after->fixed[i] < before->fixed[i] ? 1ull << (32 + i) : 0;
    if (may && (before->debugctl & 0x1000))
        may |= 1ull << 59;
    if (may && (before->debugctl & 0x800))
        may |= 1ull << 58;
    require(!(appeared & ~may));
    require(may == 0 || appeared || (before->status & may));
}

/* ---- One step */

static u32 take_msr(struct input *in)
{
    static const u32 msrs[] = {0x186, 0x187, 0x188, 0x189, 0x18a, 0xc1,  0xc2,  0xc4,  0xc5,  0x4c1, 0x4c3, 0x4c5,
                               0x309, 0x30a, 0x30b, 0x30c, 0x345, 0x38d, 0x38e, 0x38f, 0x390, 0x391, 0x392, 0x1d9,
                               0x1a0, 0x3f1, 0x3f2, 0x3f6, 0x3f7, 0x600, 0x34,  0x8b,  0xe7,  0xe8,  0x19c};
    u8 index = (u8)take(in, 1);
    return index < 200 ? msrs[index % ARRAY_SIZE(msrs)] : (u32)take(in, 2);
}

/* Values that matter: small, near the top of a counter, single bits, anything. */
static u64 take_value(struct input *in)
{
    u8 form = (u8)take(in, 1);
    switch (form & 3) {
    case 0:
        return take(in, 3);
    case 1:
        return 0xffffffffff00 | take(in, 1);
    case 2:
        return 1ull << (form >> 2);
    }
    return take(in, 8);
}

static void access(struct model *m, struct input *in, bool judged)
{
    u32 msr = take_msr(in);
    u64 value = take_value(in), got = 0x5a;
    struct state before = judged ? look(m) : (struct state){0};
    if (!model_owns_msr(msr))
        return;
    bool done = model_wrmsr(m, msr, value);
    if (!model_rdmsr(m, msr, &got))
        require(got == 0x5a);
    if (!judged)
        return;
    struct state after = look(m);
    if (!done)
        require(!memcmp(&before, &after, sizeof(before)));
}

/* Returns whether model_run_room() speaks of such instructions. */
static bool retire(struct model *m, struct input *in, bool judged)
{
    u8 shape = (u8)take(in, 1);
    struct retired instruction = {
        .kind = (enum retired_kind)(take(in, 1) % (RETIRED_XBEGIN + 1)),
        .cpl = shape & 3,
        .cpl_after = shape >> 2 & 3,
        .taken = shape >> 4 & 1,
        .access = (shape ^ shape >> 2) & 3,
        .rip = clock_ticks,
        .address = (u64)shape << 56 | clock_ticks,
    };
    bool plain = instruction.kind <= RETIRED_BRANCH && instruction.cpl == instruction.cpl_after;
    for (unsigned i = 0; i < (shape >> 5) + 1u; i++) {
        struct state before = judged ? look(m) : (struct state){0};
        bool quiet = plain && model_run_room(m) >= 1;
        stores = 0;
        model_retire(m, &instruction);
        if (!judged)
            continue;
        struct state after = look(m);
        only_wraps(&before, &after);
        require(!quiet || before.status == after.status);
    }
    return plain;
}

static void step(struct model *m, struct input *in, bool judged)
{
    u32 native[4] = {1, 2, 3, 4}, out[4];
    u64 value;
    switch (take(in, 1) % 8) {
    case 0:
        model_cpuid(m, (u32)take(in, 4), (u32)take(in, 1), native, out);
        break;
    case 1:
        model_rdpmc(m, (u32)take(in, 4), take(in, 1) & 3, true, &value);
        break;
    case 2:
        lvtpc = (u32)take(in, 3);
        if (!judged)
            place(in);
        break;
    case 3:
    case 4:
        retire(m, in, judged);
        break;
    default:
        access(m, in, judged);
    }
    if (!judged)
        return;
    struct state s = look(m);
    reserved_bits_clear(&s);
}

/* ---- Any profile without a deviation, by its own data */

static void within(struct model *m, u32 msr, u64 mask)
{
    u64 value = 0;
    if (model_rdmsr(m, msr, &value))
        require(!(value & ~mask));
}

static void holds_for(struct model *m, const struct profile *p)
{
    u64 gp = (1ull << p->gp_width) - 1, fixed = (1ull << p->fixed_width) - 1, value;
    for (u32 n = 0; n < GP_MAX; n++) {
        within(m, MSR_PMC(n), n < p->gp_count ? gp : 0);
        within(m, MSR_A_PMC(n), gp);
        within(m, MSR_PMC_GP_CTR(n), gp);
        within(m, MSR_PERFEVTSEL(n), ~p->evtsel.faults | p->evtsel2_accepts);
        require(model_rdmsr(m, MSR_PERFEVTSEL(n), &value) == (n < p->gp_count));
    }
    for (u32 i = 0; i < FIXED_MAX && !p->netburst_count; i++) {
        within(m, MSR_FIXED_CTR(i), fixed);
        require(model_rdmsr(m, MSR_FIXED_CTR(i), &value) == (p->fixed_bitmap >> i & 1));
    }
    for (u32 n = 0; n < p->netburst_count; n++)
        within(m, MSR_NETBURST_COUNTER(n), 0xffffffffff);
    within(m, MSR_PERF_GLOBAL_CTRL, ~p->stored[STORED_GLOBAL_CTRL].faults);
    within(m, MSR_FIXED_CTR_CTRL, ~p->stored[STORED_FIXED_CTR_CTRL].faults);
    within(m, MSR_PERF_GLOBAL_STATUS, ~p->status_reset.faults | p->status);
}

/* A fault changes nothing at all. */
static void generic_access(struct model *m, struct input *in)
{
    static u8 before[1 << 16];
    u64 size = model_size();
    u32 msr = take(in, 1) & 1 ? take_msr(in) : owned[take(in, 2) % owned_count];
    u64 value = take_value(in);
    require(size <= sizeof(before));
    memcpy(before, m, size);
    if (model_owns_msr(msr) && !model_wrmsr(m, msr, value))
        require(!memcmp(before, m, size));
}

/* STATUS loses bits only when a record is written, at once or later, and gains bits only where a counter may have
 * wrapped. */
static void generic_retire(struct model *m, struct input *in)
{
    u64 before = 0, after = 0, sampling = 0;
    bool exists = model_rdmsr(m, MSR_PERF_GLOBAL_STATUS, &before), quiet = model_run_room(m) >= 8;
    sampled |= model_rdmsr(m, MSR_PEBS_ENABLE, &sampling) && sampling;
    quiet &= retire(m, in, false);
    if (exists)
        require(model_rdmsr(m, MSR_PERF_GLOBAL_STATUS, &after) && (sampled || !(before & ~after)) &&
                (!quiet || before == after));
}

static void generic_step(struct model *m, struct input *in, const struct profile *p)
{
    u64 value;
    u8 what = (u8)take(in, 1);
    if (what % 8 == 0)
        model_rdpmc(m, (u32)take(in, 4), what >> 6, what & 0x20, &value);
    else if (what == 1)
        lvtpc = (u32)take(in, 3);
    else if (what == 9)
        set_up_sampling(m, in);
    else if (what % 8 == 1)
        place(in);
    else if (what % 8 < 4)
        generic_retire(m, in);
    else
        generic_access(m, in);
    holds_for(m, p);
}

/* The kinds of a hybrid have equal parts of the CPUs. */
static const struct profile *kind_of(const struct profile *p, u32 cpu, u32 cpus)
{
    const struct profile *kinds[3] = {p, p->second, p->second ? p->second->second : NULL};
    return kinds[cpu * (kinds[2] ? 3 : kinds[1] ? 2 : 1) / cpus];
}

static int any_profile(struct input *in)
{
    struct model_host host;
    const struct profile *p = profiles[take(in, 1) % profile_count];
    start_host(&host, true);
    struct model_setup setup = {.profile = p, .cpu = (u32)take(in, 1) % 4, .cpus = 4};
    skips_told = kind_of(p, setup.cpu, setup.cpus)->pebs_tells_skips;
    struct model *m = calloc(1, model_size());
    find_owned();
    lvtpc = 0x100f0;
    model_reset(m, &setup, &host);
    while (in->left)
        generic_step(m, in, kind_of(p, setup.cpu, setup.cpus));
    free(m);
    return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    struct input in = {data, size};
    struct model_host host;
    int deviation = (int)(take(&in, 1) % (deviation_count + 1)) - 1;
    u8 form = (u8)take(&in, 1);
    bool judged = form & 1;
    if (form & 2)
        return any_profile(&in);
    const struct profile *profile = profiles[judged ? 0 : (form >> 2) % profile_count];
    struct deviating deviating = {.deviation = judged || deviation < 0 ? NULL : deviations[deviation]};
    struct model_setup setup = {.profile = profile, .cpus = 4, .change = deviate, .how = &deviating};
    start_host(&host, !deviating.deviation);
    deviating.rate = (u32)take(&in, 1);
    deviating.also = judged || !(form & 4) ? NULL : deviations[take(&in, 1) % deviation_count];
    setup.cpu = (u32)take(&in, 1) % 4;
    skips_told = kind_of(profile, setup.cpu, setup.cpus)->pebs_tells_skips;
    struct model *m = calloc(1, model_size());
    host.context = judged ? NULL : m; /* a deviation may change LVTPC's vector */
    lvtpc = 0x100f0;
    model_reset(m, &setup, &host);
    while (in.left)
        step(m, &in, judged);
    free(m);
    return 0;
}
