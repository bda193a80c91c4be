/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between stopping one sampling set-up and starting the next software allows a quiescent period, so that residual
 * records complete at the buffer address that they were armed with. No manual says how long it is. Here a counter
 * samples into area A and is stopped within a few events of an overflow; after a quiescent period q, IA32_DS_AREA is
 * pointed at area B with another counter, other groups and another reset value, and that counter is started and stopped
 * without an overflow of its own. So any record in B is a stray one, and so is any that A did not hold after q.
 *
 * q goes from 10 ms down to 0. The line "# curve" says for each q how many strays there were in A and in B, how many
 * records completed in A during q, and the number of tries. With 10 ms, everything off and no SMI, a stray is a
 * failure, looked for after another 10 ms (SKL104, HSD159, BDM114); with a shorter q it is a measurement. On CPUs where
 * a counter stopped as it overflows keeps its status bit for ever (AAJ143, BJ58, BV38) the stop stays 64 instructions
 * away.
 *
 * Under hypervisors on Ice Lake and Sapphire Rapids a pending record has been seen to go to the new area when sampling
 * continued, however long the period was, unless the counter's bit of IA32_PERF_GLOBAL_STATUS had been cleared. So the
 * same counter is also set up again without that step: how often a record then appears is measured.
 */
#include "harness/chapter/sampling.h"

#define ROUNDS 4
#define STOPS 8 /* the overflow comes 0 to 7 events before the stop */
#define FAR 0x1000000
#define JUDGED_US 10000
#define CURVE_SIZE 128

static const u32 waits_us[] = {0, 1, 10, 100, 1000, JUDGED_US};
#define WAITS ARRAY_SIZE(waits_us)

struct sweep {
    u64 length; /* measured length of the block in events: what starting and stopping adds is not promised */
    struct sampling_pair a, b;
    u32 tries[WAITS], late[WAITS], stray_a[WAITS], stray_b[WAITS];
};
static PER_CPU struct sweep sweeps;

/* In events; branches are further apart than instructions. */
static u64 distance(const struct test *t, const struct sampling_pair *pair, u32 stop)
{
    return stop % STOPS + (class_status_sticks(cpu_class(t->caps)) ? sampling_a_round(pair) : 0);
}

/* Samples into A, and stops near an overflow. Returns how many bytes of records had been written by then. */
static u64 sample_a(struct test *t, const struct sweep *sweep, u32 stop, struct sampling *a)
{
    sampling_clear(t, a);
    struct pebs_counter *c = sampling_add(a, &sweep->a);
    c->first = sweep->length - distance(t, &sweep->a, stop);
    sampling_registers(a);
    sampling_begin(t, a);
    sampling_run(a, ROUNDS);
    u64 at_stop = pebs_written(&a->setup);
    pebs_stop(&a->setup, 0);
    return at_stop;
}

static u64 block_length(struct test *t, const struct sampling_pair *pair)
{
    struct sampling s;
    u64 preset = counter_preset(pair->counter, FAR);
    sampling_clear(t, &s);
    sampling_add(&s, pair)->first = FAR;
    sampling_begin(t, &s);
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    return counter_read(pair->counter) - preset;
}

static void start_and_stop_b(struct test *t, const struct sweep *sweep, struct sampling *b)
{
    sampling_clear(t, b);
    struct pebs_counter *c = sampling_add(b, &sweep->b);
    c->first = FAR;
    c->period *= 2;
    b->setup.which = 1;
    sampling_begin(t, b);
    sampling_run(b, ROUNDS);
    sampling_end(b);
}

static bool one_try(struct test *t, void *argument)
{
    struct sweep *sweep = argument;
    unsigned i = WAITS - 1 - t->turn % WAITS; /* the longest first: it is the one that is judged */
    struct sampling a, b;
    u64 at_stop = sample_a(t, sweep, t->turn / WAITS, &a);
    if (waits_us[i])
        time_delay_us(waits_us[i]);
    u64 waited = pebs_written(&a.setup);
    start_and_stop_b(t, sweep, &b);
    if (waits_us[i] >= JUDGED_US)
        time_delay_us(JUDGED_US);
    bool stray_a = pebs_written(&a.setup) != waited;
    bool stray_b = ds_area_touched(&b.setup.area, 0) != ds_area_end(&b.setup.area) || pebs_written(&b.setup);
    sweep->tries[i]++;
    sweep->late[i] += waited != at_stop;
    sweep->stray_a[i] += stray_a;
    sweep->stray_b[i] += stray_b;
    check_whole(t, &a);
    if (waits_us[i] >= JUDGED_US) {
        check_equal(about(t, ASPECT_DISABLED_RECORDS), "stray-in-the-old-area", stray_a, 0, 0);
        check_equal(about(t, ASPECT_DISABLED_RECORDS), "stray-in-the-new-area", stray_b, 0, 0);
    }
    return sampling_more(t, WAITS * STOPS);
}

/* B is set up like A except for its area, and without an overflow of its own: a record in it was pending before. */
static bool one_uncleared(struct test *t, void *argument)
{
    const struct sweep *sweep = argument;
    struct sampling a, b;
    sample_a(t, sweep, t->turn, &a);
    time_delay_us(PEBS_QUIET_US);
    sampling_clear(t, &b);
    sampling_add(&b, &sweep->a)->first = FAR;
    b.setup.which = 1;
    if (!pebs_begin_without(&b.setup, "clear-overflow"))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    sampling_run(&b, ROUNDS);
    sampling_end(&b);
    check_whole(t, &a);
    measure(t, "uncleared-in-the-new-area", "records", check_whole(t, &b));
    return sampling_more(t, STOPS);
}

/* "us=0:a/b/late/tries,1:...", and the shortest q from which on there was no stray. */
static void note_curve(struct test *t, const struct sweep *sweep)
{
    char text[CURVE_SIZE];
    size_t used = 0;
    u32 least = 0;
    for (unsigned i = 0; i < WAITS; i++) {
        if (sweep->stray_a[i] || sweep->stray_b[i])
            least = i + 1;
        format_text(text + used, sizeof(text) - used, "%s%u:%u/%u/%u/%u", i ? "," : "us=", waits_us[i],
                    sweep->stray_a[i], sweep->stray_b[i], sweep->late[i], sweep->tries[i]);
        used = strlen(text);
    }
    if (least < WAITS)
        note(t, "curve", "of=strays-in-a/in-b/late/tries", "", "%s least-us=%u", text, waits_us[least]);
    else
        note(t, "curve", "of=strays-in-a/in-b/late/tries", "", "%s least-us=none", text);
}

static void reconfigure(struct test *t)
{
    struct sweep *sweep = &of_cpu(sweeps, t->cpu);
    struct sampling_pair a = sampling_basic(t), other;
    unsigned pairs = sampling_pair(t, 0, &other);
    for (unsigned turn = 1; turn < pairs && other.counter.bit == a.counter.bit; turn++)
        sampling_pair(t, turn, &other);
    *sweep = (struct sweep){.a = a, .b = other, .length = block_length(t, &a)};
    repeat_clean(t, one_try, sweep);
    note_curve(t, sweep);
    repeat_clean(t, one_uncleared, sweep);
}

TEST("pebs.reconfigure", .title = "After a quiescent period no residual record reaches the new set-up",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "B-084", .needs = {.pebs = true}, .scope = EACH_CPU,
     .run = reconfigure, .measures = true);
