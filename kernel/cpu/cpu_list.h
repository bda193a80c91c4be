/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of CPUs as users write it: the option cpus. Pure. */
#pragma once

#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"

extern struct option_value option_cpus;

#define CPU_LIST_ERROR 160
/* Parses "0,2-3" into *set; every number must be below `cpus`. False with one line in error. */
bool cpu_list_parse(const char *list, u32 cpus, struct cpu_set *set, char error[CPU_LIST_ERROR]);
