/* SPDX-License-Identifier: BSD-2-Clause */
/* A block whose path is given by a number, for a trace. */
#include "pmu/workload/workload.h"

static struct path_branch conditional(u64 from, u64 to, bool taken)
{
    return (struct path_branch){.from = from, .to = to, .conditional = true, .taken = taken};
}

static struct path_branch by_value(u64 from, u64 to)
{
    return (struct path_branch){.from = from, .to = to, .taken = true, .by_value = true};
}

u32 path_branches(const struct path_code *code, u64 way, struct path_branch list[PATH_BRANCHES])
{
    u32 n = 0;
    for (; way > 1 && n + PATH_BRANCHES_PER_BIT < PATH_BRANCHES; way >>= 1) {
        bool set = way & 1;
        list[n++] = conditional(code->leave, code->left, false);
        list[n++] = conditional(code->skip, code->skipped, !set);
        list[n++] = by_value(code->call, set ? code->set : code->clear);
        list[n++] = by_value(set ? code->set_ret : code->clear_ret, code->called);
        list[n++] = (struct path_branch){.from = code->again, .to = code->start, .taken = true};
    }
    list[n++] = conditional(code->leave, code->left, true);
    return n;
}
