/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A decoder that has a trace and the traced code knows each branch that retired: TNT packets have the direction of each
 * conditional branch, in order, a TIP the target of each other branch whose code does not say it, and TIP.PGE and
 * TIP.PGD are where tracing began and ended.
 *
 * A number selects the path through a block, at CPL 0 and at CPL 3, and the trace must show that path: as many
 * directions as conditional branches, each the right one, and each target. Returns are not compressed (DisRETC). When
 * the CPU writes a packet and what it puts in between is not judged, nor is the place in TIP.PGD where tracing ended.
 *
 * A decoder starts at a PSB: if IA32_RTIT_STATUS is 0 when it starts, a trace begins with one.
 */
#include "harness/chapter/traced_path.h"
#include "harness/chapter/tracing.h"

static bool path(struct test *t)
{
    struct traced_path path = {.counter = NULL};
    trace_path(t, path_way(t), &path);
    check_path(t, &path);
    return more_samples(t);
}

TEST("trace.path", .title = "A trace shows the path that was taken",
     .spec = "SDM 3C, Change of Flow Instruction (COFI) Tracing", .covers = "S-018", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .prepare = need_trace, .repeat = path, .cells = CELL_RINGS);
