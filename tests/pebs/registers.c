/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record holds the values of the general-purpose registers, at CPL 0 and at CPL 3. The sampled loop keeps a different
 * value in each of them (except the one that counts), and other values in each run, so it does not matter at which
 * instruction the record was taken: each register must hold its own value. Of RFLAGS only the bit that is always 1, DF
 * and ID, which each run sets or clears, and CF are judged: the loop sets CF for eight instructions and clears it for
 * the next eight; records near a change are left out. Adaptive records include the group of these registers.
 *
 * A failure prints the value read; every other digit of the expected value is the register's number.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4
#define FLAGS_CF BIT(0)
#define FLAGS_ALWAYS_1 BIT(1)

static bool check_record(struct test *t, const struct sampling *s, const struct pebs_record *r)
{
    if (!check_true(t, "no-registers", r->has & PEBS_HAS_REGISTERS, r->groups, "the group of general registers",
                    sampling_config(s)))
        return false;
    bool carry, known = sampled_carry(r->ip, &carry);
    u64 judged = FLAGS_ALWAYS_1 | SAMPLED_FLAGS | (known ? FLAGS_CF : 0);
    check_equal(t, "flags", r->flags & judged, FLAGS_ALWAYS_1 | s->block.flags | (known && carry ? FLAGS_CF : 0), 0);
    return true;
}

/* One check for all records of a run: a single record with the values of an earlier run is wrong. */
static void check_records(struct test *t, const struct sampling *s)
{
    struct pebs_record bad;
    unsigned wrong = PEBS_REGISTERS, looked_at = 0;
    for_each_record (s, record) {
        if (!sampled_in_loop(record.ip) || !check_record(t, s, &record))
            continue;
        looked_at++;
        if (wrong == PEBS_REGISTERS) {
            wrong = sampling_wrong_register(s, &record);
            bad = record;
        }
    }
    if (wrong < PEBS_REGISTERS)
        check_equal(t, "register", bad.reg[wrong], s->block.reg[wrong], 0);
    else if (looked_at)
        check_true(t, "register", true, 0, "the program's values", 0);
}

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    sampling_registers(&s);
    sample(t, &s, RECORDS);
    check_records(t, &s);
    check_recorded(t, &s);
    return sampling_more(t, pairs);
}

TEST("pebs.registers", .title = "A record holds the values of the general-purpose registers",
     .spec = "SDM 3B, PEBS Record Format", .covers = "B-080", .needs = {.sampling = true}, .scope = EACH_CPU,
     .repeat = one_pair, .cells = CELL_RINGS, .aside = ASIDE_SAMPLING);
