/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/traced_path.h"
#include "harness/chapter/tracing.h"
#include "harness/core/random.h"

#define TRIES 16
#define DIRECTIONS_SHOWN 64

u64 path_way(const struct test *t)
{
    u64 state = random_begin((u64)t->turn << 32 | t->cpu);
    return BIT(PATH_BITS) | (random_next(&state) >> 32 & MASK(PATH_BITS - 1, 0));
}

static void go(const struct test *t, u64 way, const struct switch_write *around)
{
    u64 level = t->cell.user ? RTIT_CTL_USER : RTIT_CTL_OS;
    struct switch_write start_stop = {.msr = MSR_RTIT_CTL,
                                      .on = (TRACE_CONTROL & ~RTIT_CTL_OS) | level | RTIT_CTL_DIS_RETC};
    if (t->cell.user)
        counted_user(&start_stop, way, path_user);
    else
        path_run(&start_stop, way, around);
    trace_off();
}

static void go_counted(const struct test *t, struct traced_path *path)
{
    struct switch_write around = {.msr = MSR_PERF_GLOBAL_CTRL, .on = BIT(path->counter->bit)};
    counter_setup(*path->counter, ARCH_EVENT_BRANCHES, COUNT_OS, 0);
    go(t, path->way, &around);
    path->count = counter_read(*path->counter);
    counter_clear(*path->counter);
}

static void trace_once_more(struct test *t, struct traced_path *path)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    tracing_blank(&tracing);
    if (path->counter)
        go_counted(t, path);
    else
        go(t, path->way, NULL);
    u64 bytes = tracing_bytes() + tracing.untold;
    trace_read(tracing.area.region, bytes < TRACE_REGION_BYTES ? bytes : TRACE_REGION_BYTES, &path->told);
    tracing_end(t);
}

void trace_path(struct test *t, u64 way, struct traced_path *path)
{
    path->code = t->cell.user ? &path_user_code : &path_code;
    path->way = way;
    path->branches = path_branches(path->code, way, path->branch);
    for (unsigned n = 0; n < TRIES; n++) {
        trace_once_more(t, path);
        if (!path->told.lost)
            return;
    }
    skip(t, "each of %u traces of some hundred bytes reports lost packets: OVF", TRIES);
}

/* The first directions as a number, the oldest in bit 0. */
static u64 traced_directions(const struct trace_told *told)
{
    u64 bits = 0;
    for (u32 i = 0; i < told->directions && i < DIRECTIONS_SHOWN; i++)
        bits |= (u64)told->taken[i] << i;
    return bits;
}

static u64 directions_of(const struct traced_path *path, u32 *count)
{
    u64 bits = 0;
    *count = 0;
    for (u32 i = 0; i < path->branches; i++)
        if (path->branch[i].conditional)
            bits |= (u64)path->branch[i].taken << (*count)++;
    return bits;
}

static void check_directions(struct test *t, const struct traced_path *path)
{
    u32 count;
    u64 bits = directions_of(path, &count);
    if (check_equal(t, "conditional-branches", path->told.directions, count, MSR_RTIT_CTL))
        check_equal(t, "wrong-direction", traced_directions(&path->told), bits, MSR_RTIT_CTL);
}

static u32 targets_of(const struct traced_path *path)
{
    u32 count = 0;
    for (u32 i = 0; i < path->branches; i++)
        count += path->branch[i].by_value;
    return count;
}

static bool targets_are_traced(const struct traced_path *path)
{
    u32 n = 0;
    for (u32 i = 0; i < path->branches; i++)
        if (path->branch[i].by_value && path->told.target[n++] != path->branch[i].to)
            return false;
    return n == path->told.targets;
}

bool path_is_traced(const struct traced_path *path)
{
    u32 count;
    u64 bits = directions_of(path, &count);
    return !path->told.wanted && path->told.directions == count && traced_directions(&path->told) == bits &&
           targets_are_traced(path);
}

static void check_targets(struct test *t, const struct traced_path *path)
{
    if (!check_equal(t, "targets", path->told.targets, targets_of(path), MSR_RTIT_CTL))
        return;
    for (u32 i = 0, n = 0; i < path->branches; i++)
        if (path->branch[i].by_value &&
            !check_equal(t, "wrong-target", path->told.target[n++], path->branch[i].to, MSR_RTIT_CTL))
            return;
}

void check_path(struct test *t, const struct traced_path *path)
{
    const struct trace_told *told = &path->told;
    const char *wanted = told->wanted ? told->wanted : "the end";
    if (!check_true(t, "not-decodable", !told->wanted, told->end, wanted, MSR_RTIT_CTL))
        return;
    check_true(t, "no-boundary", told->boundaries, told->boundaries, "a PSB", MSR_RTIT_CTL);
    if (check_true(t, "not-begun", told->begins, told->begins, "a TIP.PGE", MSR_RTIT_CTL) && told->begin)
        check_equal(t, "begun-elsewhere", told->begin, path->code->entry, MSR_RTIT_CTL);
    check_true(t, "not-ended", told->ends >= told->begins, told->ends, "a TIP.PGD", MSR_RTIT_CTL);
    check_directions(t, path);
    check_targets(t, path);
}
