/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The `# topology` and `# place` lines: how many sockets, dies, modules, cores and threads there are, and which CPU is
 * where. Pure.
 *
 *     # topology leaf=1fh bits=1,5,5,7 sockets=1 dies=1 modules=1 cores=2 threads=4
 *     # place socket=0 die=0 module=0 cpus=0:0.0,1:0.1,2:1.0,3:1.1
 *
 * bits: the lowest bit of the APIC id that numbers cores, modules, dies, sockets. After each CPU: its core and thread.
 */
#pragma once

#include "harness/core/place.h"
#include "kernel/cpu/cpus.h"

#define PLACES_LINE 240

/* Hands each line to `line`. place_of_cpu: where a CPU of the set sits; count: one more than the highest CPU. */
void places_lines(const struct place_bits *bits, const struct cpu_set *set, u32 count,
                  struct place (*place_of_cpu)(u32 cpu), void (*line)(const char *text));
