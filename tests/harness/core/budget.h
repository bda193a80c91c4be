/* SPDX-License-Identifier: BSD-2-Clause */
/* How long and how often measured blocks are repeated: as often as the time allows, and never too rarely. */
#pragma once

#include "boot/bits.h"
#include "harness/core/judge.h"

struct budget {
    u32 us;         /* time for the repeats of one test, shared by all its calls of repeat_clean() */
    u32 repeats;    /* clean repeats that each call makes at least */
    u32 hopeless;   /* end after so many if all of them failed: each more may cost a wait */
    u32 idle_us;    /* how long a test that only waits may wait for events that come by themselves, such as SMIs */
    u32 events;     /* events that each exact count goes on for in any case */
    u32 stretch;    /* periods before an overflow are longer by this factor */
    u32 draws;      /* surroundings that each test is run in at least */
    u32 share;      /* each CPU takes one of so many cells and counters */
    bool alike;     /* the CPUs of a test share its surroundings, as their PMUs are alike */
    bool hurried;   /* no time for registers of a family that show the same, nor for what a failure needs around it */
    u32 timeout_ms; /* after this time a test is ended; its clean-up has the same time again */
};

/*
 * quick: 19 ms, at least 20 repeats, ended after 10 s; otherwise 94 ms, 100, 20 s. On the reference PMU, where a
 * repeat takes milliseconds and a fault strikes in each one, 2 ms and 7, 20 ms and 40. In a proof 2 ms, 5, 3 s. Soak
 * runs set the time. `hopeless` is about a fifth of the repeats, except in a proof, which must see each counter fail.
 */
struct budget budget(void);
/*
 * The time for repeats on each of `cpus` CPUs if a test runs on one after another: as in other tests, but together at
 * most ten seconds, so that a machine with a thousand CPUs is tested in minutes. A soak has no such bound.
 */
u32 budget_turn_us(u32 cpus);
/*
 * The longest time that `tests` tests take on silicon, by this suite's own arithmetic; `in_turn` of them run on one of
 * `cpus` CPUs after another. Pure except for the settings.
 */
u64 budget_suite_us(u32 tests, u32 in_turn, u32 cpus);
/*
 * Have effect from now on; at first the PMU is the reference PMU. On real hardware normal runs collect a million events
 * per count and wait a second where tests only wait; elsewhere the repeats decide.
 */
void budget_set_pmu(enum pmu_kind kind);
/* How many CPUs run a test at the same time: on the reference PMU many of them share repeats, cells and counters. At
 * first one. */
void budget_set_cpus(u32 cpus);
void budget_set_quick(bool quick);
void budget_set_proof(bool proof);
/* Every test may take so much longer: one of them waits for a person or another program. */
void budget_set_wait(u32 seconds);
void budget_set_soak(u32 us, u32 stretch);
