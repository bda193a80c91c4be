/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an aborted transaction retired is not counted by IA32_PERFEVTSEL2 with IN_TXCP, and nothing else is left out.
 * With IN_TX a counter counts at most what the transaction holds, and with both bits only transactions that are
 * committed, of which there are none. Whether XBEGIN itself is counted no manual says, so that each bound has room for
 * it, and a transaction may abort before its first instruction. Judged is the difference between a short and a long run
 * at CPL 3.
 *
 * This is the only code here that begins a transaction. Microcode that lets each transaction abort is no reason against
 * it; a CPU on which XBEGIN is undefined is.
 */
#include "harness/test.h"

#define SHORT_K 1
#define LONG_K 9
#define TURNS (LONG_K - SHORT_K)
#define LOOP 10  /* instructions around the transaction, with those of settled_work.inc */
#define INSIDE 5 /* XBEGIN, three instructions, XABORT */
#define TXCP_COUNTER 2

void aborts_work(void);

static const struct {
    const char *label;
    u64 bits, least, most; /* instructions of a turn */
} kinds[] = {
    {"checkpointed", EVTSEL_IN_TXCP, LOOP, LOOP + 1},
    {"inside", EVTSEL_IN_TX, 0, INSIDE},
    {"committed", EVTSEL_IN_TX | EVTSEL_IN_TXCP, 0, 1},
};

static void need_checkpoint(struct test *t)
{
    if (!(caps_gp_bits(t->caps) & BIT(TXCP_COUNTER)))
        skip(t, "no IA32_PERFEVTSEL2: IN_TXCP is only there");
}

static bool aborts(struct test *t)
{
    unsigned kind = t->turn % ARRAY_SIZE(kinds);
    struct counter counter = gp_counter(t->caps, TXCP_COUNTER);
    u64 counted;
    write_msr(t, MSR_PERFEVTSEL(TXCP_COUNTER),
              EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_USR | EVTSEL_EN | kinds[kind].bits);
    count_settled(t, aborts_work, &counter, 1, SHORT_K, LONG_K, &counted);
    u64 aspects = ASPECT_INSTRUCTIONS | (kinds[kind].bits & EVTSEL_IN_TXCP ? ASPECT_CHECKPOINT : 0);
    check_range(about(t, aspects), kinds[kind].label, counted, TURNS * kinds[kind].least, TURNS * kinds[kind].most,
                counter.msr);
    counter_clear(counter);
    return more_samples_of(t, ARRAY_SIZE(kinds));
}

TEST("gp.aborts", .title = "With IN_TXCP a counter leaves out what aborted transactions retired",
     .spec = "SDM 3B, Performance Monitoring and Intel TSX", .covers = "A-092,B-073",
     .needs = {.version = 2, .event = 2, .transactions = true}, .scope = EACH_CPU, .prepare = need_checkpoint,
     .repeat = aborts);
