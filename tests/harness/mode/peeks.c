/* SPDX-License-Identifier: BSD-2-Clause */
/* Options read= and write=: single registers before the tests of each run (harness/run/peek.h). */
#include "harness/mode/modes.h"
#include "harness/mode/options.h"
#include "harness/run/peek.h"

static bool asked(void)
{
    return option_read.given || option_write.given;
}

static bool plan(char *error)
{
    return peek_plan(option_read.text, option_write.text, error);
}

MODE(peeks, .name = "read= or write=", .asked = asked, .with = "soak=,microcode,resets=,states=", .plan = plan);
