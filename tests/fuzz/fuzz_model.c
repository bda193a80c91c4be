/* links: pmu/reference/model/active.c pmu/reference/model/alias.c pmu/reference/model/controls.c
 * pmu/reference/model/counters.c pmu/reference/model/cpuid.c pmu/reference/model/data.c
 * pmu/reference/model/data_hardware.c pmu/reference/model/deviate_count.c pmu/reference/model/deviations.c
 * pmu/reference/model/events.c pmu/reference/model/freeze.c pmu/reference/model/inuse.c pmu/reference/model/lapic.c
 * pmu/reference/model/machine.c pmu/reference/model/netburst.c pmu/reference/model/overflow.c
 * pmu/reference/model/pmi.c pmu/reference/model/profiles.c pmu/reference/model/registers.c
 * pmu/reference/model/reset.c pmu/reference/model/retire.c pmu/reference/model/smi.c pmu/reference/model/status.c
 * pmu/reference/model/topdown.c pmu/reference/model/watch.c */
/*
 * Any sequence of accesses and instructions, on any CPU with or without a deviation: the model's memory stays its own,
 * and without one these hold: reserved bits are never set, a faulting access changes nothing, a counter never exceeds
 * its width, STATUS bits appear only by wraps, freezes and STATUS_SET, INUSE is a function of its sources.
 */
#include "pmu/reference/model/profile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct input {
    const u8 *data;
    size_t left;
};

static u64 take(struct input *in, size_t bytes)
{
    u64 value = 0;
    for (size_t i = 0; i < bytes && in->left; i++, in->left--)
        value = value << 8 | *in->data++;
    return value;
}

static void require(bool held)
{
    if (!held)
        abort();
}

/* ---- The host */

static u32 lvtpc;
static u64 clock_ticks;

static u32 lvtpc_read(void *context)
{
    (void)context;
    return lvtpc;
}

static void lvtpc_write(void *context, u32 value)
{
    (void)context;
    require((value & ~0x10000u) == (lvtpc & ~0x10000u) || context);
    lvtpc = value;
}

static void interrupt(void *context, u8 vector)
{
    (void)context;
    require(vector >= 16);
}

static void nmi(void *context)
{
    (void)context;
}

static u64 ticks(void *context)
{
    (void)context;
    return clock_ticks += 100;
}

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
        s.evtsel[n] = read(m, 0x186 + n);
        s.pmc[n] = read(m, 0xc1 + n);
        require(s.pmc[n] == read(m, 0x4c1 + n));
    }
    for (u32 i = 0; i < 3; i++)
        s.fixed[i] = read(m, 0x309 + i);
    s.fixed_ctrl = read(m, 0x38d);
    s.status = read(m, 0x38e);
    s.global = read(m, 0x38f);
    s.debugctl = read(m, 0x1d9);
    s.pebs = read(m, 0x3f1);
    s.inuse = read(m, 0x392);
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

/* A retired instruction sets STATUS bits of wrapped counters and, with a freeze asked for, the freeze bits. */
static void only_wraps(const struct state *before, const struct state *after)
{
    u64 appeared = after->status & ~before->status, may = 0;
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
    require(!memcmp(before->evtsel, after->evtsel, sizeof(before->evtsel)) && before->global == after->global);
}

/* ---- One step */

static u32 take_msr(struct input *in)
{
    static const u32 msrs[] = {0x186, 0x187, 0x188, 0x189, 0x18a, 0xc1,  0xc2,  0xc4,  0xc5,  0x4c1, 0x4c3, 0x4c5,
                               0x309, 0x30a, 0x30b, 0x30c, 0x345, 0x38d, 0x38e, 0x38f, 0x390, 0x391, 0x392, 0x1d9,
                               0x1a0, 0x3f1, 0x3f6, 0x3f7, 0x600, 0x34,  0x8b,  0xe7,  0xe8,  0x19c};
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

static void retire(struct model *m, struct input *in, bool judged)
{
    u8 shape = (u8)take(in, 1);
    struct retired instruction = {
        .kind = (enum retired_kind)(take(in, 1) % (RETIRED_PAUSE + 1)),
        .cpl = shape & 3,
        .cpl_after = shape >> 2 & 3,
        .taken = shape >> 4 & 1,
    };
    for (unsigned i = 0; i < (shape >> 5) + 1u; i++) {
        struct state before = judged ? look(m) : (struct state){0};
        bool quiet = model_quiet_for(m, 1);
        model_retire(m, &instruction);
        if (!judged)
            continue;
        struct state after = look(m);
        only_wraps(&before, &after);
        require(!quiet || before.status == after.status);
    }
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

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    struct input in = {data, size};
    struct model_host host = {
        .lvtpc_read = lvtpc_read, .lvtpc_write = lvtpc_write, .interrupt = interrupt, .nmi = nmi, .time = ticks};
    int deviation = (int)(take(&in, 1) % (model_deviation_count + 1)) - 1;
    bool judged = take(&in, 1) & 1;
    struct model_setup setup = {profiles[0], judged ? -1 : deviation, (u32)take(&in, 1), (u32)take(&in, 1) % 4, 4};
    struct model *m = calloc(1, model_size());
    host.context = judged ? NULL : m; /* a deviation may change LVTPC's vector */
    lvtpc = 0x100f0;
    model_reset(m, &setup, &host);
    while (in.left)
        step(m, &in, judged);
    free(m);
    return 0;
}
