/* SPDX-License-Identifier: BSD-2-Clause */
/* A block whose path is given by a number, for a trace. */
#include "pmu/workload/workload.h"
#include "kernel/text/text.h"

/* The blocks declare their numbers as absolute symbols, whose addresses are the values. */
#define EXTERN_BLOCK(id)                                                                            \
    extern void id##_run(const struct switch_write *sw, u64 k);                                     \
    extern void id##_run_user(const struct switch_write *sw, u64 k);                                \
    extern void id##_user(u64 k);                                                                   \
    extern void id##_user_work(void);                                                               \
    extern const u8 id##_start[], id##_end[], id##_instructions_per_k[], id##_instructions_fixed[], \
        id##_branches_per_k[], id##_branches_fixed[];

#define BLOCK(id)                                                                                                    \
    {                                                                                                                \
        .name = #id, .run = id##_run, .run_user = id##_run_user, .user = id##_user, .user_work = id##_user_work,     \
        .instructions_per_k = (u64)id##_instructions_per_k, .instructions_fixed = (u64)id##_instructions_fixed,      \
        .branches_per_k = (u64)id##_branches_per_k, .branches_fixed = (u64)id##_branches_fixed, .start = id##_start, \
        .end = id##_end,                                                                                             \
    }

EXTERN_BLOCK(plain)
EXTERN_BLOCK(branches)
EXTERN_BLOCK(memory)
EXTERN_BLOCK(straight)

const struct workload workloads[] = {
    BLOCK(plain),
    BLOCK(branches),
    BLOCK(memory),
    BLOCK(straight),
};
const unsigned workload_count = ARRAY_SIZE(workloads);

const struct workload *workload(const char *name)
{
    for_each_row (workloads, row)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

u64 workload_instructions(const struct workload *w, u64 k)
{
    return w->instructions_per_k * k + w->instructions_fixed;
}

u64 workload_branches(const struct workload *w, u64 k)
{
    return w->branches_per_k * k + w->branches_fixed;
}

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
