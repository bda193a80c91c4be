/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record that does not fit between the index and the end of the buffer is not written, and FULL of IA32_PEBS_INDEX is
 * set until software has read the records and clears FULL with the index. All records here have the same size: no
 * public document says whether a smaller one is written while FULL is set. No byte is written behind the end of the
 * buffer, whose size is in IA32_PEBS_BASE: one page and four pages in turn, with guard pages around them. Then records
 * start again at the beginning. How much of the buffer stays free at the end is measured: drivers leave a page there,
 * because a record may need that much, and no document says what the hardware keeps free.
 *
 * The buffer is physical memory: the memory behind its end may belong to anybody. No public document says whether FULL
 * causes a PMI: that is measured.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 128
#define FURTHER 4 /* records without room */
#define AGAIN 2
#define LEFT_MOST 4096 /* bytes that may stay free at the end, besides less than one record */

static struct pebs_counter *begin(struct test *t, struct sampling *s, const struct sampling_pair *pair)
{
    sampling_clear(t, s);
    struct pebs_counter *c = sampling_add(s, pair);
    c->period = sampling_period(pair, PERIOD);
    s->setup.one_page = t->turn % 2 == 0;
    sampling_registers(s);
    sampling_begin(t, s);
    return c;
}

static void check_end(struct test *t, const struct sampling *s, u64 written)
{
    u64 room = s->setup.area.room, size = s->setup.size, left = LEFT_MOST + size - 1;
    check_range(t, "other-end", written, room > left + size ? room - left : size, room, MSR_PEBS_INDEX);
    measure(t, "left-at-the-end", "bytes", room - written);
}

static void fill(struct test *t, struct sampling *s)
{
    u32 room = (u32)(s->setup.area.room / s->setup.size);
    pmi_open(PMI_FIXED, PMI_ACK);
    sampling_run(s, sampling_rounds(s, room + FURTHER));
    sampling_end(s);
    u64 index = read_msr(t, MSR_PEBS_INDEX), written = apebs_written(index);
    check_true(t, "not-full", index & PEBS_INDEX_FULL, index, "bit 31 set", MSR_PEBS_INDEX);
    check_end(t, s, written);
    check_true(t, "past-the-end", apebs_area_kept_in(&s->setup.area), written, "nothing behind the end of the buffer",
               MSR_PEBS_BASE);
    check_whole(t, s);
    interrupts_on();
    measure(t, "pmis", "pmis", pmi_settled());
    pmi_close();
}

static bool one_buffer(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct sampling s;
    begin(t, &s, &pair);
    fill(t, &s);
    /* The counter still has the value that the last unwritten record left. */
    counter_write(pair.counter, counter_preset(pair.counter, s.setup.counter[0].period));
    pebs_rewind(&s.setup);
    pebs_resume(&s.setup);
    sampling_run(&s, sampling_rounds(&s, AGAIN));
    sampling_end(&s);
    u64 index = read_msr(t, MSR_PEBS_INDEX);
    check_true(t, "full-again", !(index & PEBS_INDEX_FULL), index, "bit 31 clear", MSR_PEBS_INDEX);
    check_range(t, "no-record-again", check_whole(t, &s), 1, AGAIN + 1, MSR_PEBS_INDEX);
    return sampling_more(t, 2);
}

TEST("apebs.full", .title = "A full buffer takes no more records, and nothing is written behind its end",
     .spec = "SDM 3B, Architectural PEBS", .covers = "B-093", .needs = {.apebs = true, .apic = true}, .scope = EACH_CPU,
     .repeat = one_buffer, .measures = true);
