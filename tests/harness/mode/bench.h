/* What the reference PMU costs: lines for `make bench`, printed only under the option `bench`. */
#pragma once

#include "harness/test.h"
#include "kernel/cpu/cpus.h"

/*
 * Speed of stepping on all CPUs of `cpus` at once:
 * `# bench cpu=... trap-ps=... step-ps=... exit-ps=... free-ps=... loop-us=...`.
 */
void bench_stepping(const struct cpu_set *cpus);
/*
 * Around each test: `# bench test=... us=... steps=... traps=... exits=... forwarded=...` of the boot CPU, and how many
 * of the exits left the guest in which state: `native=... shadowed=... inside=... by-exit=...`.
 */
void bench_test_begin(void);
void bench_test_end(const struct test_declaration *test);
/* Of random walks, all CPUs together: `# bench lockstep walks=... us=... oracle-us=...`. */
void bench_walks(u32 walks, u64 us, u64 oracle_us);
