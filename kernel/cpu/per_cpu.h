/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-CPU variables. The boot CPU uses the variable itself; each other CPU gets memory for its copy when it is created,
 * so memory use grows with the number of CPUs. All start as zero.
 *
 *     static PER_CPU struct log logs;
 *     of_cpu(logs, cpu_index()).count++;
 */
#pragma once

#include "boot/bits.h"

#define PER_CPU __attribute__((section(".bss.per_cpu")))
/* The copy that belongs to a CPU below cpu_count(). */
#define of_cpu(variable, cpu) (*(__typeof__(variable) *)per_cpu_at((u64) & (variable), cpu))

u64 per_cpu_at(u64 variable, u32 cpu);
/* Allocates the copies of CPU `cpu`; false if there is no memory. Call once, before the CPU runs. */
bool per_cpu_create(u32 cpu);
