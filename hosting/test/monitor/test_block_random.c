/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of a few blocks executed from their translations, compared to the same instructions interpreted one by one:
 * random code, starts and lengths. Registers, flags, memory, counts and the next instruction must be the same, wherever
 * the program ends: after a number of blocks, at an address without code, or at an access that faults.
 */
#include "hosting/test/monitor/random_code.h"

#define ROUNDS 10000
#define INSTRUCTIONS_MOST 3000

static u8 area_given[AREA];
static unsigned executed, whole, left, faulted, linked;

/* ---- The comparison. */

static void fail_with(const char *what, const struct frame *begin)
{
    char text[3 * 48 + 1] = "";
    for (unsigned i = 0; i < 48; i++)
        snprintf(text + 3 * i, 4, "%02x ", ((const u8 *)begin->rip)[i]);
    fail_msg("%s differs after the code %s", what, text);
}

/* Will the CPU fault as well, without another access before? A call accesses its stack after its operand. */
static bool faults_alike(const struct frame *f)
{
    struct operation o = take_apart(f->rip);
    return near_miss && o.code && (o.code != OP_CALL || inside(f->rsp - 8, 8));
}

/* Executes part of the program both ways; false: it is over, or the next instruction would access memory that is not
 * ours. */
static bool compare_some(struct frame *f)
{
    struct frame begin = *f, stepped = *f;
    u32 most = 1 + (u32)(draw() % INSTRUCTIONS_MOST);
    memcpy(area_given, area, AREA);
    struct outcome o = step(&stepped, most);
    bool real = o.faulted && faults_alike(&stepped);
    u32 blocks = o.counts.instructions / BLOCK_INSTRUCTIONS; /* none of them accesses anything else */
    if (real || !is_code(stepped.rip))
        blocks = o.counts.instructions + 1;
    memcpy(area, area_given, AREA);
    unsigned faults_before = faults;
    struct outcome r = execute(f, blocks);
    memcpy(area_stepped, area, AREA);
    memcpy(area, area_given, AREA);
    stepped = begin;
    o = step(&stepped, r.counts.instructions);
    const char *what = difference(f, &r, &stepped, &o);
    memcpy(area, area_stepped, AREA);
    if (what)
        fail_with(what, &begin);
    assert_true(!only_canonical_stacks() || is_canonical(f->rsp));
    if (r.faulted != (faults != faults_before) || (real && !r.faulted && block_at(f->rip)))
        fail_with("the fault", &begin);
    executed += r.counts.instructions;
    whole += !r.faulted && is_code(f->rip);
    left += !is_code(f->rip);
    faulted += r.faulted;
    return r.counts.instructions && !r.faulted && is_code(f->rip);
}

static void compare_programs(unsigned rounds)
{
    only_canonical_stacks();
    catch_faults();
    executed = whole = left = faulted = 0;
    for (unsigned n = 0; n < rounds; n++) {
        struct frame f;
        draw_code();
        draw_state(&f);
        for (unsigned i = 0; i < AREA; i += 8)
            memcpy(area + i, (u64[]){value()}, 8);
        for (u32 done = 0; done < 3; done++)
            if (!compare_some(&f))
                break;
        for (unsigned i = 0; i < known; i++)
            linked += near->blocks[i].links[1] != block_no_link(&near->state);
    }
}

static void test_random_programs(void **unused)
{
    (void)unused;
    compare_programs(ROUNDS);
    assert_true(executed > 10 * ROUNDS && linked > ROUNDS / 4);
    assert_true(whole > ROUNDS / 20 && left > ROUNDS / 100 && faulted > ROUNDS / 200);
}

static void test_random_programs_of_32_bit_code(void **unused)
{
    (void)unused;
    legacy = true;
    compare_programs(ROUNDS);
    legacy = false;
    assert_true(executed > ROUNDS && whole > ROUNDS / 50);
}

/* With a guest whose memory is seen from outside. */
static void test_random_programs_seen_from_outside(void **unused)
{
    (void)unused;
    viewed = true;
    elsewhere = 0x10000000;
    compare_programs(ROUNDS);
    viewed = false;
    elsewhere = 0;
    assert_true(executed > 10 * ROUNDS && linked > ROUNDS / 4 && misses > ROUNDS / 4);
    assert_true(whole > ROUNDS / 20 && left > ROUNDS / 100 && faulted > ROUNDS / 200);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs),
                                              cmocka_unit_test(test_random_programs_seen_from_outside),
                                              cmocka_unit_test(test_random_programs_of_32_bit_code)};
    return cmocka_run_group_tests(tests, prepare, NULL);
}
