/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_RTIT_CTL's bits OS and User select whose branches are traced: code at CPL 0 leaves next to nothing with User
 * alone, and a packet for each of its branches with OS.
 *
 * A trace also writes packets for the decoder while no branch is traced: how many bytes is measured.
 */
#include "harness/chapter/tracing.h"

static u64 traced(struct test *t, u64 level)
{
    tracing_begin(t, 0, 0);
    trace_once((TRACE_CONTROL & ~RTIT_CTL_OS) | level);
    u64 bytes = tracing_bytes();
    tracing_end(t);
    return bytes;
}

static bool rings(struct test *t)
{
    u64 supervisor = traced(t, RTIT_CTL_OS), user = traced(t, RTIT_CTL_USER), both;
    both = traced(t, RTIT_CTL_OS | RTIT_CTL_USER);
    measure(t, "of-nothing", "bytes", user);
    measure(t, "of-64-turns", "bytes", supervisor);
    check_true(t, "user-alone", user < supervisor / 2, user, "fewer bytes than half of those with OS", MSR_RTIT_CTL);
    check_true(t, "both", both > user, both, "more bytes than with User alone", MSR_RTIT_CTL);
    return more_samples(t);
}

TEST("trace.rings", .title = "A trace covers only the privilege levels that it is turned on for",
     .spec = "SDM 3C, Filtering by Current Privilege Level (CPL)", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .prepare = need_trace, .repeat = rings, .measures = true);
