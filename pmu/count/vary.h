/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a set-up of counters leaves open can be varied: fields of their controls, and which counters run beside those
 * that are started.
 */
#pragma once

#include "pmu/cpu/counters.h"

struct counter_vary {
    /* The control that is written instead: of a GP counter its IA32_PERFEVTSELn, of a fixed one its field in place. */
    u64 (*control)(void *argument, struct counter counter, u64 control);
    /* The bits of IA32_PERF_GLOBAL_CTRL that are set instead of `mask`. */
    u64 (*started)(void *argument, u64 mask);
    void *argument;
};

/* From now on for counter_setup() and counters_switch() of the calling CPU; NULL: as they are asked. It must stay. */
void counter_vary(const struct counter_vary *vary);
