/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/sampling.h"
#include "harness/core/budget.h"
#include "harness/core/results.h"
#include "harness/test.h"
#include "kernel/core/time.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"

#define TURNS_LEAST 3

static u64 sample_period(enum pebs_kind kind)
{
    return kind == PEBS_INSTRUCTIONS ? SAMPLE_INSTRUCTIONS : SAMPLE_OTHERS;
}

static struct counter counter_of(const struct test *t, unsigned bit)
{
    return bit < 32 ? gp_counter(t->caps, bit) : fixed_counter(t->caps, bit - 32);
}

unsigned sampling_number(u64 counters)
{
    unsigned n = 0;
    for (; counters; counters &= counters - 1)
        n++;
    return n;
}

struct counter sampling_in_turn(const struct test *t, u64 counters, u32 turn)
{
    for (u32 n = turn % sampling_number(counters); n; n--)
        counters &= counters - 1;
    return counter_of(t, (unsigned)__builtin_ctzll(counters));
}

/* Counters that can sample the event while other CPUs are busy too. */
static u64 counters_at_any_time(const struct pebs_event *event)
{
    return event->kind >= PEBS_LATENCY || event->care != PEBS_ANY_TIME ? 0 : event->counters;
}

static unsigned count_pairs(const struct test *t)
{
    struct pebs_event event;
    unsigned pairs = 0;
    for (unsigned i = 0; pebs_event(t->caps, i, &event); i++)
        for (u64 left = counters_at_any_time(&event); left; left &= left - 1)
            pairs++;
    return pairs;
}

unsigned sampling_pair(const struct test *t, u32 turn, struct sampling_pair *pair)
{
    unsigned pairs = count_pairs(t), wanted = pairs ? turn % pairs : 0;
    for (unsigned i = 0; pebs_event(t->caps, i, &pair->event); i++)
        for (u64 left = counters_at_any_time(&pair->event); left; left &= left - 1) {
            if (wanted--)
                continue;
            pair->counter = counter_of(t, (unsigned)__builtin_ctzll(left));
            return pairs;
        }
    return 0;
}

static u64 all_at_any_time(const struct test *t)
{
    struct pebs_event event;
    u64 counters = 0;
    for (unsigned i = 0; pebs_event(t->caps, i, &event); i++)
        counters |= counters_at_any_time(&event);
    return counters;
}

unsigned sampling_counter(const struct test *t, u32 turn, struct sampling_pair *pair)
{
    u64 all = all_at_any_time(t);
    unsigned counters = sampling_number(all), pairs = count_pairs(t);
    if (!counters)
        return 0;
    struct counter chosen = sampling_in_turn(t, all, turn);
    for (u32 i = 0, from = turn / counters; i < pairs; i++) {
        sampling_pair(t, from + i, pair);
        if (pair->counter.bit == chosen.bit)
            break;
    }
    return counters;
}

struct sampling_pair sampling_need(struct test *t, enum pebs_kind kind)
{
    static const char *const names[] = {"instructions", "branches", "loads", "loads by latency", "precise stores"};
    struct sampling_pair pair;
    if (!pebs_event_of(t->caps, kind, &pair.event))
        skip(t, "signature %08x: %s cannot be sampled", t->caps->signature, names[kind]);
    pair.counter = counter_of(t, (unsigned)__builtin_ctzll(pair.event.counters));
    return pair;
}

struct sampling_pair sampling_basic(struct test *t)
{
    struct sampling_pair pair;
    if (!pebs_basic_event(t->caps, &pair.event))
        skip(t, "signature %08x: neither instructions nor branches can be sampled", t->caps->signature);
    pair.counter = counter_of(t, (unsigned)__builtin_ctzll(pair.event.counters));
    return pair;
}

/* The highest bit first, because fixed counters lie above the GP counters. */
bool sampling_precise(const struct test *t, unsigned which, struct sampling_pair *pair)
{
    for (unsigned bit = 64; bit-- > 0;) {
        if (!(pebs_precise_bits(t->caps) >> bit & 1))
            continue;
        pair->counter = counter_of(t, bit);
        for (unsigned i = 0; pebs_event(t->caps, i, &pair->event); i++)
            if (pair->event.kind == PEBS_INSTRUCTIONS && (pair->event.counters >> bit & 1) && !which--)
                return true;
    }
    return false;
}

struct sampling_pair sampling_best(struct test *t)
{
    struct sampling_pair pair;
    return sampling_precise(t, 0, &pair) && pair.event.care == PEBS_ANY_TIME ? pair : sampling_basic(t);
}

struct counter sampling_beside(struct test *t, const struct sampling_pair *pair)
{
    unsigned other = pair->counter.fixed || pair->counter.index ? 0 : caps_gp_index(t->caps, 1);
    if (other == pair->counter.index && !pair->counter.fixed)
        skip(t, "CPUID.0AH:EAX[15:8]=%u: no second counter", t->caps->gp_count);
    return gp_counter(t->caps, other);
}

void sampling_clear(const struct test *t, struct sampling *s)
{
    *s = (struct sampling){.setup.caps = t->caps, .user = t->cell.user};
}

struct pebs_counter *sampling_add(struct sampling *s, const struct sampling_pair *pair)
{
    struct pebs_counter *c = &s->setup.counter[s->own++];
    s->setup.counters = s->own;
    s->alone |= pair->event.care != PEBS_ANY_TIME || pair->event.kind >= PEBS_LATENCY;
    *c = (struct pebs_counter){.counter = pair->counter,
                               .event = pair->event.event,
                               .flags = s->user ? COUNT_USR : COUNT_OS,
                               .period = sample_period(pair->event.kind)};
    return c;
}

#define SOME 4
#define STRIDE 11 /* has no common factor with the number of pairs on any CPU */

unsigned sampling_some(const struct test *t, struct sampling *s)
{
    struct sampling_pair pair;
    u32 cells = t->cells ? t->cells : 1; /* each pair in every cell */
    unsigned pairs = sampling_pair(t, (t->turn / cells * t->cpus + t->position) * STRIDE, &pair);
    sampling_clear(t, s);
    sampling_add(s, &pair);
    return (pairs < SOME ? pairs : SOME) * cells;
}

void sampling_registers(struct sampling *s)
{
    for (unsigned i = 0; apebs_usable(s->setup.caps) && i < s->setup.counters; i++)
        s->setup.counter[i].groups |= CFG_C_GPR & apebs_config_bits(s->setup.caps);
    if (!pebs_adaptive(s->setup.caps))
        return;
    s->setup.data_cfg |= PEBS_DATA_GPR;
    for (unsigned i = 0; i < s->setup.counters; i++)
        s->setup.counter[i].adaptive = true;
}

/* No test judges which upper bits an event select keeps, but without this bit records have no groups. */
static void need_adaptive_kept(struct test *t, const struct pebs_setup *setup, const struct pebs_counter *c)
{
    if (!c->adaptive || c->counter.fixed)
        return;
    u64 kept = read_msr(t, MSR_PERFEVTSEL(c->counter.index));
    if (kept & EVTSEL_ADAPTIVE)
        return;
    pebs_stop(setup, 0);
    skip(t, "IA32_PERFEVTSEL%u=0x%lx: bit 34, adaptive records, was not kept", c->counter.index, kept);
}

/* Far from a record, with a reset value of its own. */
static void add_sampler(struct sampling *s, const struct pebs_event *event, struct counter counter)
{
    s->setup.counter[s->setup.counters++] = (struct pebs_counter){
        .counter = counter, .event = event->event, .flags = COUNT_OS | COUNT_USR, .period = SAMPLER_FAR + counter.bit};
}

/* Those of these counters that can sample any event beside others; what one with the precise distribution does then is
 * undefined (BJ97). */
static void add_samplers(const struct test *t, struct sampling *s, u64 wanted)
{
    struct pebs_event event;
    wanted &= ~pebs_precise_bits(t->caps);
    for (unsigned i = 0; pebs_event(t->caps, i, &event); i++)
        for (u64 left = wanted & counters_at_any_time(&event); left; left &= left - 1) {
            if (s->setup.counters == PEBS_COUNTERS_MAX)
                return;
            add_sampler(s, &event, counter_of(t, (unsigned)__builtin_ctzll(left)));
            wanted &= ~(left & -left);
        }
}

static void put_around(struct test *t, struct sampling *s)
{
    u64 own = s->others;
    s->setup.counters = s->own;
    for (unsigned i = 0; i < s->own; i++)
        own |= BIT(s->setup.counter[i].counter.bit);
    if (t->around) {
        s->setup.base = around_bytes(t, AROUND_BASE);
        s->setup.place = around_bytes(t, AROUND_PLACE);
    }
    under_test(t, s->alone ? ~0ull : own, own);
    if (!s->alone && !(own & pebs_precise_bits(t->caps)))
        add_samplers(t, s, around_samplers(t));
}

void sampling_begin(struct test *t, struct sampling *s)
{
    put_around(t, s);
    if (!pebs_begin(&s->setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the buffer, or no room in it");
    for (unsigned i = 0; i < s->setup.counters; i++)
        need_adaptive_kept(t, &s->setup, &s->setup.counter[i]);
}

/* The number of events in one round of the loop, by the encodings that this program samples. */
static u64 events_a_round(struct counter counter, u16 event)
{
    if (counter.fixed || (u8)event == (u8)ARCH_EVENT_INSTRUCTIONS)
        return SAMPLED_INSTRUCTIONS;
    if (event == EVENT_CODE_PRECISE_STORE)
        return SAMPLED_STORES;
    return (u8)event == (u8)ARCH_EVENT_BRANCHES ? SAMPLED_BRANCHES : SAMPLED_LOADS;
}

u64 sampling_a_round(const struct sampling_pair *pair)
{
    return events_a_round(pair->counter, pair->event.event);
}

#define PERIOD_STEP 64 /* of other periods some CPUs write a record twice (BDM55) */

u64 sampling_period(const struct sampling_pair *pair, u64 instructions)
{
    u64 events = instructions * sampling_a_round(pair) / SAMPLED_INSTRUCTIONS / PERIOD_STEP * PERIOD_STEP;
    return events ? events : PERIOD_STEP;
}

u64 sampling_rounds(const struct sampling *s, u32 records)
{
    const struct pebs_counter *c = &s->setup.counter[0];
    u64 first = c->first ? c->first : c->period, last = records > 1 ? c->period : first;
    u64 events = first + (records - 1) * c->period + last / 2;
    return events / events_a_round(c->counter, c->event);
}

void sampling_run(struct sampling *s, u64 rounds)
{
    struct sampled asked = s->block;
    sampled_prepare(&s->block, rounds);
    s->block.use_xmm = asked.use_xmm;
    s->block.then_msr = asked.then_msr;
    s->block.then_value = asked.then_value;
    s->before = time_now();
    if (s->user)
        sampled_run_user(&s->setup.start_stop, &s->block);
    else
        sampled_run(&s->setup.start_stop, &s->block);
    s->after = time_now();
}

void sampling_end(struct sampling *s)
{
    pebs_stop(&s->setup, PEBS_QUIET_US);
}

void sample(struct test *t, struct sampling *s, u32 records)
{
    sampling_begin(t, s);
    sampling_run(s, sampling_rounds(s, records));
    sampling_end(s);
}

u32 sampling_count(const struct sampling *s, u64 *end)
{
    struct pebs_record record;
    u32 count = 0;
    *end = 0;
    while (pebs_next(&s->setup, end, &record))
        count++;
    return count;
}

u64 sampling_padding(const struct sampling *s)
{
    struct pebs_record record;
    u64 offset = 0, padding = 0;
    for (bool more = true; more; padding += record.padding)
        more = pebs_next(&s->setup, &offset, &record);
    return padding;
}

unsigned sampling_wrong_register(const struct sampling *s, const struct pebs_record *r)
{
    u32 kept = sampled_kept(r->ip);
    unsigned i = 0;
    while (i < PEBS_REGISTERS && (!(kept >> i & 1) || r->reg[i] == s->block.reg[i]))
        i++;
    return i;
}

bool check_recorded(struct test *t, const struct sampling *s)
{
    u64 end;
    return check_true(t, "no-record", sampling_count(s, &end) > 0, pebs_written(&s->setup), "1 record or more",
                      s->setup.counter[0].counter.msr);
}

u32 check_whole(struct test *t, const struct sampling *s)
{
    u64 end;
    u32 count = sampling_count(s, &end);
    check_equal(t, "not-whole-records", end, pebs_written(&s->setup), 0);
    return count;
}

bool sampling_more(struct test *t, u32 kinds)
{
    u32 all = kinds > t->cells ? kinds : t->cells, least = all > TURNS_LEAST ? all : TURNS_LEAST;
    t->turns = least;
    return t->turn + 1 < least || time_now() < t->results->deadline;
}

void need_unlocked(struct test *t)
{
    if (!dangerous_allowed("pebs"))
        skip_for(t, REASON_OPTION_PEBS, "dangerous=pebs is not given: not for a machine that is needed");
}

u32 sampling_config(const struct sampling *s)
{
    return apebs_usable(s->setup.caps) ? alias_cfg_c(s->setup.counter[0].counter.bit) : MSR_PEBS_DATA_CFG;
}

void sampling_group(struct test *t, struct sampling *s, u64 data_cfg, u64 groups)
{
    s->setup.data_cfg |= data_cfg;
    s->setup.counter[0].adaptive = pebs_adaptive(t->caps);
    s->setup.counter[0].groups |= apebs_usable(t->caps) ? groups : 0;
}

void need_group(struct test *t, u64 groups)
{
    if (apebs_usable(t->caps) && groups & ~apebs_config_bits(t->caps))
        skip(t, "CPUID.23H.4:EBX=0x%08x: no such group", t->caps->pebs_groups);
    if (!apebs_usable(t->caps) && !pebs_adaptive(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no adaptive PEBS", t->caps->perf_capabilities);
}
