/* The bytes of an instruction, for a line that says what was not done, or not as the guest wanted it. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

struct shown {
    char bytes[3 * INSTRUCTION_BYTES];
};
/* Those at RIP, as many as the longest instruction may have and as can be read; "none". */
struct shown shown(struct vcpu *v, const struct frame *f);
/* Those of the instruction that is about to be stepped. */
struct shown shown_current(const struct vcpu *v);
