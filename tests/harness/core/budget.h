/* How long and how often measured blocks are repeated: as often as the time allows, and never too seldom. */
#pragma once

#include "boot/bits.h"

struct budget {
    u32 us;         /* time for the repeats of one test, shared by all its calls of repeat_clean() */
    u32 repeats;    /* clean repeats that each call makes in any case */
    u32 hopeless;   /* of them, if all from the first on have failed: the others would, and each may cost a wait */
    u32 idle_us;    /* how long a test that only waits may wait for what comes by itself, as SMIs do */
    u32 events;     /* that each exact count is repeated for in any case */
    u32 stretch;    /* periods before an overflow are that many times as long as usual */
    u32 timeout_ms; /* after this long a test is ended; its clean-up has as long again */
};

/* quick: 20 ms, at least 20 repeats, ended after 10 s; in a proof 2 ms, 5, 3 s; else 100 ms, 100, 20 s. Soak runs set
 * the time. A fifth of the repeats is hopeless, but in a proof, where each counter in its turn is to be seen failing.
 */
struct budget budget(void);
/*
 * What each of `cpus` CPUs has for its repeats where a test takes one after another: as the others, but that they share
 * ten seconds of a test, so that a machine of a thousand CPUs is tested in minutes. In a soak there is no such bound.
 */
u32 budget_turn_us(u32 cpus);
/*
 * By the suite's own arithmetic, how long on silicon `tests` tests take at most, of which `in_turn` run on one of
 * `cpus` CPUs after another. Pure but for the settings.
 */
u64 budget_suite_us(u32 tests, u32 in_turn, u32 cpus);
/* From now on. On real hardware normal runs gather a million events a count and idle for a second; elsewhere what the
 * repeats give. */
void budget_set_hardware(bool hardware);
void budget_set_quick(bool quick);
void budget_set_proof(bool proof);
void budget_set_soak(u32 us, u32 stretch);
