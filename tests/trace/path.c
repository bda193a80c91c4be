/*
 * A decoder that has a trace and the code that was traced knows each branch that retired: a TNT has the direction of
 * each conditional one, in order, a TIP where each other one went whose code does not tell it, and TIP.PGE and TIP.PGD
 * stand where tracing began and ended.
 *
 * A number decides which way a block goes, at CPL 0 and at CPL 3, and what the trace tells must be that way: as many
 * directions as conditional branches, each the right one, and each target. Returns are not compressed (DisRETC). When
 * a CPU writes a packet and what it puts between is not asked, nor is where a TIP.PGD says that tracing ended.
 *
 * A decoder starts at a PSB: with IA32_RTIT_STATUS empty a trace begins with one.
 */
#include "harness/chapter/traced_path.h"
#include "harness/chapter/tracing.h"
#include "harness/samples.h"

static bool path(struct test *t)
{
    struct traced_path path = {.counter = NULL};
    trace_path(t, path_way(t), &path);
    check_path(t, &path);
    return more_samples(t);
}

TEST("trace.path", .title = "A trace tells the path that was taken",
     .spec = "SDM 3C, Change of Flow Instruction (COFI) Tracing", .covers = "S-018", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .prepare = need_trace, .repeat = path, .cells = CELL_RINGS);
