/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reference PMU costs: lines for `make bench`, printed only with the option `bench`. */
#pragma once

#include "harness/test.h"
#include "kernel/cpu/cpus.h"

/*
 * Measures the speed of stepping on all CPUs in `cpus` at once: `# bench cpu=... trap-ps=... step-ps=... call-ps=...
 * site-ps=... free-ps=... loop-us=...`.
 */
void bench_stepping(const struct cpu_set *cpus);
/*
 * Around each test: `# bench test=... us=... steps=... traps=... exits=... forwarded=...` of the boot CPU, and the
 * number of exits by the state in which they left the guest: `native=... shadowed=... inside=... by-exit=...`.
 */
void bench_test_begin(void);
void bench_test_end(const struct test_declaration *test);
/* For random walks, all CPUs together: `# bench lockstep walks=... us=... oracle-us=...`. */
void bench_walks(u32 walks, u64 us, u64 oracle_us);
