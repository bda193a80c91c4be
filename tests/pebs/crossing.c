/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record is written at the index, in one piece, whatever borders of cache lines and pages it crosses. The index is
 * set to the record that begins on the buffer's first page and ends on the second, and the absolute maximum to two
 * records after it; the block has enough events for four. The records are those of the block, with the right registers;
 * nothing is written before them or past the maximum (or past a record at it, on CPUs that allow one there).
 *
 * A buffer has such a border every twenty records or so.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 256
#define ROOM 2
#define RECORDS 4

/* Checks the records from `offset` on. */
static void check_records(struct test *t, const struct sampling *s, u64 offset)
{
    struct pebs_record record;
    unsigned count = 0;
    while (pebs_next(&s->setup, &offset, &record)) {
        count++;
        check_true(t, "not-in-the-block", sampled_holds(record.ip), record.ip, "an address of the block", 0);
        unsigned wrong = (record.has & PEBS_HAS_REGISTERS) && sampled_in_loop(record.ip)
                             ? sampling_wrong_register(s, &record)
                             : PEBS_REGISTERS;
        if (wrong < PEBS_REGISTERS)
            check_equal(t, "register", record.reg[wrong], s->block.reg[wrong], 0);
        else
            check_true(t, "register", true, 0, "the program's values", 0);
    }
    check_true(t, "no-record", count > 0, pebs_written(&s->setup), "1 record or more", 0);
    check_equal(t, "not-whole-records", offset, pebs_written(&s->setup), 0);
}

static void set(const struct sampling *s, enum ds_field field, u64 offset)
{
    ds_put(&s->setup.area.layout, s->setup.area.management, field, (u64)s->setup.area.buffer + offset);
}

static bool one_sample(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = sampling_period(&pair, PERIOD);
    sampling_registers(&s);
    sampling_begin(t, &s);
    u64 size = s.setup.size, at = PAGE_SIZE / size * size;
    set(&s, DS_PEBS_INDEX, at);
    set(&s, DS_PEBS_MAXIMUM, at + ROOM * size);
    set(&s, DS_PEBS_THRESHOLD, at + (ROOM + 2) * size);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    check_equal(t, "before-the-index", ds_area_touched(&s.setup.area, 0), at, 0);
    check_equal(t, "behind-the-maximum", ds_area_touched(&s.setup.area, pebs_bound(&s.setup)),
                ds_area_end(&s.setup.area), 0);
    check_records(t, &s, at);
    return sampling_more(t, 1);
}

static void need_two_pages(struct test *t)
{
    if (pebs_pages_most(t->caps) < 2)
        skip(t, "signature %08x: a buffer of more than a page hangs the CPU", t->caps->signature);
}

TEST("pebs.crossing", .title = "A record that crosses a page is whole, and nothing is written around it",
     .spec = "SDM 3B, Setting Up the DS Save Area", .covers = "B-078,B-080", .needs = {.pebs = true}, .scope = EACH_CPU,
     .prepare = need_two_pages, .repeat = one_sample);
