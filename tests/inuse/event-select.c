/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE tells cooperating agents which counters are claimed. A GP counter's bit depends only on
 * whether the event-select byte of its IA32_PERFEVTSELn is non-zero. It does not depend on the enable bit (a claimed
 * counter need not run) or on the unit mask.
 *
 * Each pattern is written with the counter stopped, and INUSE is read back at once. If the bit followed EN instead of
 * the event byte, agents would steal claimed, stopped counters from each other. Each value of the event byte but 0
 * claims the counter, and no bit of the unit mask does: the test walks both bytes, to find a CPU whose comparison
 * leaves out a bit. With event 0 no other field claims, alone or all together; with an event none ends the claim.
 * Nothing counts meanwhile, so an event that this CPU does not have is harmless.
 */
#include "harness/test.h"

#define EVENTS 255 /* from 1 on */

static const struct {
    const char *label;
    u64 evtsel;
    bool in_use;
} patterns[] = {
    {"zero", 0, false},
    {"event-only", EVTSEL_EVENT(0xc0), true},
    {"umask-only", EVTSEL_UMASK(0x01), false},
    {"enable-only", EVTSEL_EN | EVTSEL_OS | EVTSEL_USR, false},
    {"all", EVTSEL_EN | EVTSEL_OS | EVTSEL_EVENT(0x3c), true},
};

/* Fields that neither claim nor end a claim; AnyThread and those of the upper half not every CPU has. */
static const u64 others[] = {EVTSEL_USR, EVTSEL_OS, EVTSEL_EDGE, EVTSEL_INT, EVTSEL_EN, EVTSEL_INV};

static void ask(struct test *t, unsigned n, const char *label, u64 evtsel, bool in_use)
{
    write_msr(t, MSR_PERFEVTSEL(n), evtsel);
    check_bit(t, label, MSR_PERF_GLOBAL_INUSE, INUSE_GP(n), in_use);
}

static void each_bit(struct test *t, unsigned n)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        ask(t, n, "event-only", EVTSEL_EVENT(BIT(bit)), true);
        ask(t, n, "umask-only", EVTSEL_UMASK(BIT(bit)), false);
    }
    for_each_own_turn (t, event, EVENTS)
        ask(t, n, "event-only", EVTSEL_EVENT(event + 1), true);
}

static void each_field(struct test *t, unsigned n)
{
    u64 all = EVTSEL_UMASK(0xff) | EVTSEL_CMASK(0xff);
    for_each_row (others, field) {
        ask(t, n, "other-field", *field, false);
        ask(t, n, "event-and-field", *field | EVTSEL_EVENT(0xc0), true);
        all |= *field;
    }
    for (unsigned bit = 0; bit < 8; bit++)
        ask(t, n, "other-field", EVTSEL_CMASK(BIT(bit)), false);
    for (u64 some = gate_bits(t->caps, MSR_PERFEVTSEL(n)) & (EVTSEL_ANY | MASK(63, 32)); some; some &= some - 1) {
        if (wrmsr_try(MSR_PERFEVTSEL(n), some & -some) != NO_FAULT)
            continue;
        ask(t, n, "other-field", some & -some, false);
        ask(t, n, "event-and-field", (some & -some) | EVTSEL_EVENT(0xc0), true);
    }
    ask(t, n, "other-field", all, false);
    ask(t, n, "event-and-field", all | EVTSEL_EVENT(0x01), true);
}

static void event_select(struct test *t)
{
    for_each_gp_counter (t, n) {
        under_test(t, BIT(n), BIT(n));
        for_each_row (patterns, p)
            ask(t, n, p->label, p->evtsel, p->in_use);
        each_bit(t, n);
        each_field(t, n);
        write_msr(t, MSR_PERFEVTSEL(n), 0);
    }
}

TEST("inuse.event-select", .title = "INUSE bit n follows the event-select byte of IA32_PERFEVTSELn",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-015,B-018",
     .needs = NEEDS_VERSION(4), .scope = EACH_CPU, .run = event_select,
     .aside = ASIDE_OTHERS | ASIDE(AROUND_SAMPLED) | ASIDE(AROUND_FROZEN) | ASIDE(AROUND_FREEZING));
