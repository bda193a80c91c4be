/* The grammar of walks: what they consist of, and how often each step comes. */
#include "boot/cpu.h"
#include "pmu/area/ds.h"
#include "pmu/cpu/alias.h"
#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/reference/lockstep/space.h"
#include "pmu/registers.h"

#define VECTOR_PMI 0xe0 /* kernel/interrupt/vectors.h */
#define NEAR_MOST 60    /* events before an overflow, at most */
#define TURNS_MOST 40
#define PAGE_BYTES 4096

struct drawing {
    const struct space *s;
    u64 state;
    u64 delivery; /* LVTPC's delivery mode in the whole walk: no NMI may come into the handler of a vectored PMI */
    struct walk *walk;
    bool opens; /* the handler has opened LVTPC; only once, as each time a PMI on its way may arrive */
};

static u64 draw(struct drawing *d)
{
    u64 z = d->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static u32 below(struct drawing *d, u32 n)
{
    return (u32)((draw(d) >> 32) % n);
}

static bool one_in(struct drawing *d, u32 n)
{
    return !below(d, n);
}

static void step(struct drawing *d, u32 op, u32 number, u64 value)
{
    if (d->walk->body_count < WALK_BODY)
        d->walk->body[d->walk->body_count++] = (struct walk_step){op, number, value};
}

static void writes(struct drawing *d, u32 msr, u64 value)
{
    step(d, OP_WRMSR, msr, value);
}

static u32 count_of(u64 bits)
{
    u32 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* One of the set bits of `bits`, which must not be 0. */
static unsigned one_bit_of(struct drawing *d, u64 bits)
{
    for (u32 n = below(d, count_of(bits)); n; n--)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

/* ---- Counters. */

/* Some events before the lower half, or all bits but the highest, run over, which is no overflow. */
static u64 before_carry(struct drawing *d, unsigned width)
{
    u64 carry = one_in(d, 3) ? BIT(width - 1) : (draw(d) & counter_mask(width - 1) & ~MASK(31, 0)) + BIT(32);
    return width > 32 ? carry - 1 - below(d, one_in(d, 2) ? 3 : NEAR_MOST) : carry;
}

static u64 value_of(struct drawing *d, unsigned width, bool exact)
{
    u64 most = counter_mask(width);
    switch (below(d, 9)) {
    case 0:
        return 0;
    case 1:
        return draw(d) & most >> 1;
    case 3:
        return before_carry(d, width) & most;
    case 2:
        return exact ? most : 1;
    default:
        return exact ? most - below(d, NEAR_MOST) : draw(d) & most >> 2;
    }
}

/* Writes a GP counter with all its bits if there is such a name of it, else the lower ones. */
static void writes_gp(struct drawing *d, unsigned n, u64 value)
{
    if (d->s->caps->full_width)
        writes(d, MSR_A_PMC(n), value);
    else
        writes(d, MSR_PMC(n), value & MASK(31, 0));
}

static u64 rings(struct drawing *d)
{
    static const u64 values[] = {EVTSEL_OS | EVTSEL_USR, EVTSEL_OS | EVTSEL_USR, EVTSEL_OS, EVTSEL_USR, 0};
    return values[below(d, ARRAY_SIZE(values))];
}

/* Is this access to go by the counter's alias? */
static bool by_alias(struct drawing *d, unsigned bit)
{
    return aliased_counters(d->s->caps) >> bit & 1 && one_in(d, 3);
}

#define LBR_INSERTS 12 /* bit number in CPUID.0AH:EBX */

/* Events that the manual or the class's event list defines for each occurrence. */
static u64 event(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 conditional = class_conditional_branches(cpu_class(caps));
    if (conditional && one_in(d, 6))
        return conditional;
    if (caps_event_available(caps, LBR_INSERTS) && one_in(d, 4))
        return ARCH_EVENT_LBR_INSERTS;
    return one_in(d, 3) ? ARCH_EVENT_BRANCHES : ARCH_EVENT_INSTRUCTIONS;
}

static void event_select(struct drawing *d)
{
    unsigned n = one_bit_of(d, d->s->caps->gp_bitmap);
    u64 value = event(d);
    u64 bits = gate_bits(d->s->caps, MSR_PERFEVTSEL(n));
    if (one_in(d, 8)) /* an event select that is off: any value must read back */
        value = draw(d) & bits & ~(EVTSEL_EN | (one_in(d, 2) ? MASK(7, 0) : 0));
    else
        value |= rings(d) | (one_in(d, 3) ? 0 : EVTSEL_INT) | (one_in(d, 10) ? 0 : EVTSEL_EN) |
                 (one_in(d, 3) ? 0 : EVTSEL_BR_CNTR & bits) | (one_in(d, 8) ? EVTSEL_RDPMC_USER_DISABLE & bits : 0) |
                 (one_in(d, 8) ? draw(d) & (EVTSEL_IN_TX | EVTSEL_IN_TXCP) & bits : 0); /* no transaction ever runs */
    if (one_in(d, 12) && !(value & ~MASK(31, 0)))
        value |= EVTSEL_PC & gate_bits(d->s->caps, MSR_PERFEVTSEL(n));
    writes(d, by_alias(d, n) ? MSR_PMC_GP_CFG_A(n) : MSR_PERFEVTSEL(n), value);
}

static void gp_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = value_of(d, caps->gp_width, true);
    bool full = caps->full_width && !one_in(d, 6);
    u32 seen = caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n);
    if (by_alias(d, n))
        writes(d, MSR_PMC_GP_CTR(n), value);
    else if (full && one_in(d, 12)) /* a bit beyond the width: the write faults */
        writes(d, MSR_A_PMC(n), (one_in(d, 2) ? value : 0) | BIT(caps->gp_width));
    else
        writes(d, full ? MSR_A_PMC(n) : MSR_PMC(n), full || caps->gp_width < 32 ? value : value & MASK(31, 0));
    if (one_in(d, 4))
        step(d, OP_RDMSR, seen, 0);
}

static void fixed_control(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 value = 0;
    if (!caps->fixed_bitmap)
        return;
    for_each_fixed (caps, i)
        if (!one_in(d, 3))
            value |= (draw(d) & (FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i)));
    if (one_in(d, 6))
        value |= draw(d) & draw(d);
    writes(d, MSR_FIXED_CTR_CTRL, value & gate_bits(caps, MSR_FIXED_CTR_CTRL));
}

static void fixed_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    if (!caps->fixed_bitmap)
        return;
    unsigned i = one_in(d, 2) && caps->fixed_bitmap & 1 ? 0 : one_bit_of(d, caps->fixed_bitmap);
    u64 value = value_of(d, caps->fixed_width, i == FIXED_INSTRUCTIONS);
    if (one_in(d, 16))
        value |= BIT(caps->fixed_width);
    writes(d, by_alias(d, 32 + i) ? MSR_PMC_FX_CTR(i) : MSR_FIXED_CTR(i), value);
    if (one_in(d, 4))
        step(d, OP_RDMSR, MSR_FIXED_CTR(i), 0);
}

static u64 some_counters(struct drawing *d)
{
    u64 all = gate_bits(d->s->caps, MSR_PERF_GLOBAL_CTRL);
    return one_in(d, 3) ? draw(d) & all : all;
}

static void enable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, some_counters(d));
}

static void disable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
}

static void status_reset(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_RESET);
    writes(d, MSR_PERF_GLOBAL_STATUS_RESET, one_in(d, 2) ? bits : bits & draw(d));
}

static void status_set(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_SET);
    if (bits)
        writes(d, MSR_PERF_GLOBAL_STATUS_SET, one_in(d, 2) ? bits & draw(d) & draw(d) : BIT(one_bit_of(d, bits)));
}

/* ---- Freezing, branch records, PMIs. */

static u64 debugctl_rest(const struct space *s)
{
    for (u32 i = 0; i < s->changed_count; i++)
        if (s->changed[i].msr == MSR_DEBUGCTL)
            return s->changed[i].rest;
    return 0;
}

static void debugctl(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_DEBUGCTL);
    u64 value = draw(d) & bits;
    if (d->s->records && one_in(d, 2))
        value |= DEBUGCTL_LBR;
    else
        value &= ~DEBUGCTL_LBR;
    writes(d, MSR_DEBUGCTL, debugctl_rest(d->s) | value);
}

static void records(struct drawing *d)
{
    const struct space *s = d->s;
    if (!s->records)
        return;
    if (s->lbr.architectural)
        writes(d, MSR_ARCH_LBR_CTL, draw(d) & gate_bits(s->caps, MSR_ARCH_LBR_CTL));
    else if (s->lbr.select && one_in(d, 2))
        writes(d, MSR_LBR_SELECT, draw(d) & draw(d) & gate_bits(s->caps, MSR_LBR_SELECT));
    else
        debugctl(d);
}

static void lvtpc(struct drawing *d)
{
    step(d, OP_WRITE_LVTPC, 0, d->delivery | (one_in(d, 5) ? LVT_MASKED : 0));
}

/* ---- Others. */

static void settle(struct drawing *d)
{
    step(d, OP_SETTLE, 0, 0);
}

/* Two counters of instructions that overflow together, or a few instructions apart. */
static void near_each_other(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 control = rings(d);
    u32 before = below(d, NEAR_MOST);
    if (one_in(d, 4) && gate_bits(caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        writes(d, MSR_DEBUGCTL, debugctl_rest(d->s) | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    for (u32 i = 0; i < 2; i++) {
        bool fixed = caps->fixed_bitmap & 1 && one_in(d, 3);
        unsigned n = fixed ? 0 : one_bit_of(d, caps->gp_bitmap), width = fixed ? caps->fixed_width : caps->gp_width;
        u64 value = counter_mask(width) - before - (one_in(d, 2) ? 0 : below(d, 9));
        if (fixed) {
            writes(d, MSR_FIXED_CTR_CTRL, FIXED_OS(0) | FIXED_USR(0) | FIXED_PMI(0));
            writes(d, MSR_FIXED_CTR(0), value);
            continue;
        }
        writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | control | EVTSEL_EN | (one_in(d, 2) ? EVTSEL_INT : 0));
        writes_gp(d, n, value);
    }
}

/* Counters are stopped right after one of them has overflowed, while its PMI is on its way. */
static void stops_soon(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = counter_mask(caps->gp_width) - below(d, 20);
    writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | EVTSEL_OS | EVTSEL_USR | EVTSEL_INT | EVTSEL_EN);
    writes_gp(d, n, value);
    enable(d);
    if (one_in(d, 2))
        step(d, OP_STRAIGHT, 0, 0);
    disable(d);
    if (one_in(d, 2))
        settle(d);
}

/* A counter is read again and again while its lower bits run over. */
static void read_at_carry(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = before_carry(d, caps->gp_width);
    if (!caps->full_width)
        return;
    writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | EVTSEL_OS | EVTSEL_EN);
    writes(d, MSR_A_PMC(n), value);
    enable(d);
    for (u32 times = 4; times; times--)
        if (one_in(d, 2))
            step(d, OP_RDMSR, MSR_A_PMC(n), 0);
        else
            step(d, OP_RDPMC, RDPMC_GP(n), 0);
}

/* Is it defined when the counter at this bit of IA32_PERF_GLOBAL_CTRL overflows? */
static bool is_exact(unsigned bit)
{
    return bit <= 32 + FIXED_INSTRUCTIONS;
}

/* The low half of CFG_C: a reload value near the overflow, or far from it. */
static u64 reload_value(struct drawing *d, unsigned bit)
{
    if (!is_exact(bit))
        return draw(d) & CFG_C_RELOAD >> 1;
    return one_in(d, 6) ? draw(d) & CFG_C_RELOAD : (CFG_C_RELOAD - below(d, 4 * NEAR_MOST)) & CFG_C_RELOAD;
}

/* Reloads the counter at a bit of IA32_PERF_GLOBAL_CTRL: on its own overflow, on that of another, or of several. */
static void reload(struct drawing *d)
{
    u64 all = caps_counter_bits(d->s->caps);
    if (!aliased_counters(d->s->caps))
        return;
    unsigned bit = one_bit_of(d, aliased_counters(d->s->caps));
    u32 cfg_c = alias_cfg_c(bit), cfg_b = cfg_c - 1;
    u64 causes = gate_bits(d->s->caps, cfg_b) & all;
    if (!one_in(d, 4))
        writes(d, cfg_c, reload_value(d, bit));
    if (!causes || one_in(d, 6))
        return;
    unsigned cause = causes >> bit & 1 && one_in(d, 2) ? bit : one_bit_of(d, causes);
    writes(d, cfg_b, one_in(d, 6) ? 0 : BIT(cause) | (one_in(d, 3) ? draw(d) & causes : 0));
    if (cause < 32)
        writes(d, MSR_PERFEVTSEL(cause),
               ARCH_EVENT_INSTRUCTIONS | rings(d) | EVTSEL_EN | (one_in(d, 2) ? EVTSEL_INT : 0));
    if (cause < 32 || cause == 32)
        writes(d, cause < 32 ? MSR_A_PMC(cause) : MSR_FIXED_CTR(0),
               counter_mask(cause < 32 ? d->s->caps->gp_width : d->s->caps->fixed_width) - below(d, NEAR_MOST));
}

static u64 address(struct drawing *d)
{
    u64 low = draw(d) & MASK(46, 0);
    return one_in(d, 3) ? MASK(63, 47) | low : one_in(d, 8) ? LBR_NOT_CANONICAL : low;
}

static bool of_record(const struct drawing *d, u32 msr)
{
    const struct lbr_stack *lbr = &d->s->lbr;
    return d->s->records && (msr - lbr->from < lbr->depth || msr - lbr->to < lbr->depth);
}

/* Writes and reads slots and metrics, with each way to read them. */
static void topdown(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 bits = gate_bits(caps, MSR_FIXED_CTR_CTRL);
    if (!caps->metrics)
        return;
    writes(d, MSR_FIXED_CTR_CTRL,
           (FIXED_OS(FIXED_TOPDOWN_SLOTS) | FIXED_USR(FIXED_TOPDOWN_SLOTS) | FIXED_OS(0) | FIXED_USR(0) |
            (one_in(d, 3) ? FIXED_METRICS_CLEAR : 0)) &
               bits);
    if (!one_in(d, 3))
        writes(d, MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS), one_in(d, 3) ? counter_mask(caps->fixed_width) : 0);
    if (one_in(d, 3))
        writes(d, MSR_PERF_METRICS, draw(d) & gate_bits(caps, MSR_PERF_METRICS));
    writes(d, MSR_PERF_GLOBAL_CTRL, gate_bits(caps, MSR_PERF_GLOBAL_CTRL));
    step(d, OP_LOOP, 2 * TURNS_MOST, 0);
    if (one_in(d, 2))
        writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    step(d, OP_RDPMC, RDPMC_METRICS, 0);
    step(d, OP_RDMSR, one_in(d, 2) ? MSR_PERF_METRICS : MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS), 0);
}

static u64 some_bits(struct drawing *d, u64 bits)
{
    switch (below(d, 5)) {
    case 0:
        return 0;
    case 1:
        return bits;
    case 2:
        return bits ? BIT(one_bit_of(d, bits)) : 0;
    default:
        return draw(d) & bits;
    }
}

/* An event that is drawn bit by bit stays off. Records have no values of counters that cycles move, and no branch
 * records, whose cycles are unknown. */
static u64 drawn_bits(struct drawing *d, u32 msr)
{
    u64 bits = gate_bits(d->s->caps, msr);
    if (msr == MSR_PEBS_DATA_CFG)
        return bits & ~(PEBS_DATA_METRICS | PEBS_DATA_LBR | MASK(63, 49) | MASK(31, 24));
    return alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX) != 64 ? bits & ~EVTSEL_EN : bits;
}

static u64 further_value(struct drawing *d, u32 msr)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned fixed = alias_number(msr, MSR_PMC_FX_CTR(0), FIXED_COUNTERS_MAX);
    if (of_record(d, msr))
        return one_in(d, 6) ? 0 : address(d);
    if (alias_cfg_c_bit(msr) != 64)
        return reload_value(d, alias_cfg_c_bit(msr));
    if (fixed != 64)
        return value_of(d, caps->fixed_width, is_exact(32 + fixed));
    return some_bits(d, drawn_bits(d, msr));
}

/* Any writable register, with any of its bits. */
static void further(struct drawing *d)
{
    const struct space *s = d->s;
    if (!s->further_count)
        return;
    bool record = s->records && one_in(d, 5);
    u32 msr = record ? (one_in(d, 2) ? s->lbr.from : s->lbr.to) + below(d, s->lbr.depth)
                     : s->further[below(d, s->further_count)];
    writes(d, msr, further_value(d, msr));
    if (one_in(d, 2))
        step(d, OP_RDMSR, msr, 0);
}

static void refused(struct drawing *d)
{
    if (d->s->refusing_count)
        writes(d, d->s->refusing[below(d, d->s->refusing_count)], 0);
}

/* ---- Sampling. */

#define SAMPLING_STEPS 20

/* An event of instructions or branches: each occurrence is defined. */
static bool some_event(struct drawing *d, struct pebs_event *event)
{
    struct pebs_event found;
    u32 count = 0;
    for (unsigned i = 0; pebs_event(d->s->caps, i, &found); i++)
        if (found.kind <= PEBS_BRANCHES && (found.counters &= space_precise(d->s, found.event)) && !below(d, ++count))
            *event = found;
    return count;
}

/* The management area: bounds in any order, and the counter's reset value. */
static void place_for_records(struct drawing *d, const struct ds_layout *layout, unsigned bit, u64 reset)
{
    u64 base = d->s->area + LOCKSTEP_BUFFER, maximum = base + 8 * below(d, 200);
    u64 values[] = {base, one_in(d, 3) ? base + 8 * below(d, 64) : base, one_in(d, 4) ? maximum : base + 2000,
                    one_in(d, 3) ? maximum : base + 8 * below(d, 100)};
    for (u32 i = 0; i < ARRAY_SIZE(values); i++)
        step(d, OP_POKE, 8 * (DS_PEBS_BASE + i), values[i]);
    step(d, OP_POKE, bit < 32 ? layout->gp_reset + 8 * bit : layout->fixed_reset + 8 * (bit - 32), reset);
}

static void sampled_counter(struct drawing *d, const struct pebs_event *event, unsigned bit, u64 value)
{
    const struct pmu_caps *caps = d->s->caps;
    bool groups = pebs_adaptive(caps) && !d->s->apebs && !one_in(d, 4);
    u64 interrupts = one_in(d, 2);
    if (bit < 32) {
        writes(d, MSR_PERFEVTSEL(bit),
               event->event | rings(d) | EVTSEL_EN | (interrupts ? EVTSEL_INT : 0) | (groups ? EVTSEL_ADAPTIVE : 0));
        writes_gp(d, bit, value);
        return;
    }
    writes(d, MSR_FIXED_CTR_CTRL,
           FIXED_OS(bit - 32) | FIXED_USR(bit - 32) | (interrupts ? FIXED_PMI(bit - 32) : 0) |
               (groups ? FIXED_ADAPTIVE(bit - 32) : 0));
    writes(d, MSR_FIXED_CTR(bit - 32), value);
}

/* Groups whose words are known, or known to be unknown: no branch records, and no counters that cycles move. */
#define GROUPS_LEFT_OUT (CFG_C_LBR | CFG_C_CNTR_FIXED | CFG_C_CNTR_METRICS)

/* With architectural PEBS: a buffer of one or two pages, and a threshold within it or behind it. */
static void architectural(struct drawing *d, const struct pebs_event *event)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned bit = one_bit_of(d, event->counters);
    u64 order = below(d, 2), room = apebs_buffer_bytes(order) / 16, first = one_in(d, 3) ? below(d, (u32)room) : 0;
    u64 threshold = one_in(d, 3) ? below(d, (u32)room + 1) : first + below(d, 60);
    u64 most = counter_mask(bit < 32 ? caps->gp_width : caps->fixed_width);
    u64 groups = one_in(d, 3) ? 0 : some_bits(d, apebs_config_bits(caps) & ~(CFG_C_PEBS_EN | GROUPS_LEFT_OUT));
    u64 page = order || one_in(d, 2) ? 0 : PAGE_BYTES;
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    settle(d);
    writes(d, alias_cfg_c(bit), 0);
    writes(d, MSR_PEBS_BASE, (d->s->area + page) | order);
    writes(d, MSR_PEBS_INDEX,
           apebs_index(16 * first, 16 * (threshold < room ? threshold : room)) | (one_in(d, 8) ? 0 : PEBS_INDEX_EN) |
               (one_in(d, 12) ? PEBS_INDEX_FULL : 0));
    writes(d, alias_cfg_c(bit), CFG_C_PEBS_EN | groups | reload_value(d, bit));
    sampled_counter(d, event, bit, most - below(d, NEAR_MOST));
    enable(d);
    step(d, OP_LOOP, 1 + below(d, TURNS_MOST), 0);
    step(d, OP_RDMSR, MSR_PEBS_INDEX, 0);
}

static void debug_store(struct drawing *d, const struct pebs_event *event)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned bit = one_bit_of(d, event->counters);
    u64 most = counter_mask(bit < 32 ? caps->gp_width : caps->fixed_width);
    struct ds_layout layout = ds_layout(true, pebs_format(caps));
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    settle(d);
    writes(d, MSR_PEBS_ENABLE, 0);
    place_for_records(d, &layout, bit, most - below(d, 2 * NEAR_MOST));
    writes(d, MSR_DS_AREA, one_in(d, 12) ? 0 : d->s->area);
    if (pebs_adaptive(caps))
        writes(d, MSR_PEBS_DATA_CFG, one_in(d, 3) ? 0 : some_bits(d, drawn_bits(d, MSR_PEBS_DATA_CFG)));
    writes(d, MSR_PEBS_ENABLE, BIT(bit) | (one_in(d, 4) ? draw(d) & pebs_precise_bits(caps) : 0));
    sampled_counter(d, event, bit, most - below(d, NEAR_MOST));
    enable(d);
    step(d, OP_LOOP, 1 + below(d, TURNS_MOST), 0);
    step(d, OP_PEEK, 8 * DS_PEBS_INDEX, 0);
}

/* A counter of such an event samples, set up as the manual says: with everything off. */
static void sampling(struct drawing *d)
{
    struct pebs_event event = {0};
    if (!d->s->area || d->walk->body_count + SAMPLING_STEPS > WALK_BODY || !some_event(d, &event))
        return;
    if (d->s->apebs)
        architectural(d, &event);
    else
        debug_store(d, &event);
}

/* ---- Reading, and instructions that are counted. */

static void read_register(struct drawing *d)
{
    if (d->s->further_count && one_in(d, 3))
        step(d, OP_RDMSR, d->s->further[below(d, d->s->further_count)], 0);
    else
        step(d, OP_RDMSR, d->s->read[below(d, d->s->read_count)], 0);
}

static void read_status(struct drawing *d)
{
    if (d->s->caps->version >= 2)
        step(d, OP_RDMSR, one_in(d, 3) ? MSR_PERF_GLOBAL_CTRL : MSR_PERF_GLOBAL_STATUS, 0);
}

static void read_lvtpc(struct drawing *d)
{
    step(d, OP_READ_LVTPC, 0, 0);
}

static void rdpmc(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    if (caps->metrics && one_in(d, 6))
        step(d, OP_RDPMC, RDPMC_METRICS, 0);
    else if (caps->fixed_bitmap && one_in(d, 3))
        step(d, OP_RDPMC, RDPMC_FIXED(one_bit_of(d, caps->fixed_bitmap)), 0);
    else
        step(d, OP_RDPMC, RDPMC_GP(one_bit_of(d, caps->gp_bitmap)), 0);
}

/* Leaves that belong to the PMU alone, and are the same on every machine of a model. */
static void cpuid(struct drawing *d)
{
    static const struct {
        u8 leaf, subleaf;
    } leaves[] = {{0x0a, 0}, {0x23, 0}, {0x23, 1}, {0x23, 2}, {0x23, 3},
                  {0x23, 4}, {0x23, 5}, {0x1c, 0}, {0x14, 0}, {0x14, 1}};
    u32 i = one_in(d, 4) ? 0 : below(d, ARRAY_SIZE(leaves));
    step(d, OP_CPUID, leaves[i].leaf, leaves[i].subleaf);
}

static void block(struct drawing *d)
{
    static const u32 ops[] = {OP_LOOP, OP_LOOP, OP_BRANCHES, OP_STRAIGHT, OP_MEMORY};
    u32 op = ops[below(d, ARRAY_SIZE(ops))];
    step(d, op, op == OP_LOOP ? 1 + below(d, TURNS_MOST) : 0, 0);
}

/* Drawn only if there is room for all of it, so that no walk has half of it. */
static void user(struct drawing *d)
{
    if (d->walk->body_count + 8 > WALK_BODY)
        return;
    step(d, OP_TO_USER, 0, 0);
    for (u32 n = 1 + below(d, 3); n; n--)
        if (one_in(d, 3))
            rdpmc(d);
        else
            block(d);
    step(d, OP_FROM_USER, 0, 0);
    if (!one_in(d, 4))
        step(d, OP_STI, 0, 0);
}

static void close_interrupts(struct drawing *d)
{
    step(d, OP_CLI, 0, 0);
}

static void open_interrupts(struct drawing *d)
{
    step(d, OP_STI, 0, 0);
}

/* ---- The whole walk. */

struct choice {
    void (*draws)(struct drawing *d);
    u8 weight, version; /* minimum version of the PMU */
};
static const struct choice program[] = {{event_select, 4, 0}, {gp_value, 4, 0},        {fixed_control, 2, 2},
                                        {fixed_value, 2, 2},  {debugctl, 2, 2},        {records, 2, 0},
                                        {lvtpc, 2, 0},        {open_interrupts, 1, 0}, {further, 1, 0},
                                        {reload, 6, 6},       {near_each_other, 1, 2}};
static const struct choice anything[] = {
    {event_select, 3, 0},  {gp_value, 3, 0},     {fixed_control, 2, 2},    {fixed_value, 2, 2},     {enable, 4, 2},
    {disable, 2, 2},       {status_reset, 2, 2}, {status_set, 1, 4},       {debugctl, 2, 2},        {records, 3, 0},
    {further, 4, 0},       {reload, 4, 6},       {near_each_other, 1, 2},  {refused, 1, 2},         {stops_soon, 1, 2},
    {read_at_carry, 1, 2}, {topdown, 1, 5},      {sampling, 4, 2},         {cpuid, 1, 0},           {lvtpc, 3, 0},
    {read_register, 5, 0}, {read_status, 4, 2},  {read_lvtpc, 2, 0},       {rdpmc, 3, 0},           {block, 8, 0},
    {user, 4, 0},          {settle, 1, 0},       {close_interrupts, 1, 0}, {open_interrupts, 3, 0},
};

static void draw_one(struct drawing *d, const struct choice *list, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++)
        sum += d->s->caps->version >= list[i].version ? list[i].weight : 0;
    u32 n = below(d, sum);
    for (u32 i = 0; i < count; i++) {
        u32 weight = d->s->caps->version >= list[i].version ? list[i].weight : 0;
        if (n < weight) {
            list[i].draws(d);
            return;
        }
        n -= weight;
    }
}

/* Steps of a handler, in any order: it stops counters, acknowledges, opens LVTPC again, reads. */
static void draw_for_handler(struct drawing *d)
{
    switch (below(d, 6)) {
    case 0:
        if (d->s->caps->version >= 2)
            disable(d);
        break;
    case 1:
        if (d->s->caps->version >= 2)
            status_reset(d);
        break;
    case 2:
        if (!d->opens)
            step(d, OP_WRITE_LVTPC, 0, d->delivery);
        d->opens = true;
        break;
    case 3:
        read_lvtpc(d);
        break;
    case 4:
        read_status(d);
        break;
    default:
        read_register(d);
    }
}

/* Drawn as a body, then moved to the handler. */
static void draw_handler(struct drawing *d)
{
    struct walk *walk = d->walk;
    for (u32 n = below(d, 6); n; n--)
        draw_for_handler(d);
    for (; walk->handler_count < walk->body_count && walk->handler_count < WALK_HANDLER; walk->handler_count++)
        walk->handler[walk->handler_count] = walk->body[walk->handler_count];
    walk->body_count = 0;
}

void walk_draw(const struct space *space, u64 seed, struct walk *walk)
{
    struct drawing d = {.s = space, .state = seed, .walk = walk};
    *walk = (struct walk){0};
    d.delivery = one_in(&d, 2) ? LVT_DELIVERY_NMI : LVT_DELIVERY_FIXED | VECTOR_PMI;
    draw_handler(&d);
    for (u32 n = 2 + below(&d, 8); n; n--)
        draw_one(&d, program, ARRAY_SIZE(program));
    if (space->caps->version >= 2 && !one_in(&d, 6))
        enable(&d);
    for (u32 n = 3 + below(&d, 38); n; n--)
        draw_one(&d, anything, ARRAY_SIZE(anything));
}

/* ---- Variations of a walk. */

/* The walk's delivery mode: that of its first write to LVTPC. */
static u64 delivery_of(struct drawing *d)
{
    const struct walk *walk = d->walk;
    for (u32 i = 0; i < walk->body_count; i++)
        if (walk->body[i].op == OP_WRITE_LVTPC)
            return walk->body[i].value & ~LVT_MASKED;
    return one_in(d, 2) ? LVT_DELIVERY_NMI : LVT_DELIVERY_FIXED | VECTOR_PMI;
}

/* Appends steps from..to of another walk. */
static void append(struct drawing *d, const struct walk *from, u32 first, u32 end)
{
    for (u32 i = first; i < end; i++)
        step(d, from->body[i].op, from->body[i].number, from->body[i].value);
}

/* From `at` on: `gone` steps go, up to three are drawn, and the rest follows; or the gone ones come twice. */
static void vary_body(struct drawing *d, const struct walk *was)
{
    u32 at = below(d, was->body_count + 1), rest = was->body_count - at;
    u32 gone = rest ? below(d, rest < 6 ? rest + 1 : 6) : 0;
    bool twice = one_in(d, 4);
    d->walk->body_count = 0;
    append(d, was, 0, twice ? at + gone : at);
    for (u32 n = twice ? 0 : below(d, 4); n; n--)
        draw_one(d, anything, ARRAY_SIZE(anything));
    append(d, was, twice ? at : at + gone, was->body_count);
}

static void vary_handler(struct drawing *d, const struct walk *was)
{
    d->walk->body_count = d->walk->handler_count = 0;
    draw_handler(d);
    append(d, was, 0, was->body_count);
}

void walk_vary(const struct space *space, u64 seed, struct walk *walk)
{
    struct walk was = *walk;
    struct drawing d = {.s = space, .state = seed, .walk = walk};
    d.delivery = delivery_of(&d);
    if (one_in(&d, 5))
        vary_handler(&d, &was);
    else
        vary_body(&d, &was);
}
