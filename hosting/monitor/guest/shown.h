/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of an instruction as text, for log lines about it. */
#pragma once

#include "hosting/monitor/vcpu.h"

struct shown {
    char bytes[3 * INSTRUCTION_BYTES];
};
/* The bytes at RIP, at most the longest instruction's and as many as can be read; "none" if none can. */
struct shown shown(struct vcpu *v, const struct frame *f);
/* The bytes of the instruction that is about to be stepped. */
struct shown shown_current(const struct vcpu *v);
