/*
 * Variables of which each CPU has its own. The boot CPU's is the variable itself; for each other CPU memory is taken
 * when it is created, so that a machine costs as much as it has CPUs. All begin as zeros.
 *
 *     static PER_CPU struct log logs;
 *     of_cpu(logs, cpu_index()).count++;
 */
#pragma once

#include "boot/bits.h"

#define PER_CPU __attribute__((section(".bss.per_cpu")))
/* The one of a CPU below cpu_count(). */
#define of_cpu(variable, cpu) (*(__typeof__(variable) *)per_cpu_at((u64) & (variable), cpu))

u64 per_cpu_at(u64 variable, u32 cpu);
/* Takes the memory of CPU `cpu`; false if there is none. Before the CPU runs; once is enough. */
bool per_cpu_create(u32 cpu);
