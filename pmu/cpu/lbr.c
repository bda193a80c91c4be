/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records: those of a class, in its own format, and architectural ones. */
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"

#define DEPTH_NEWER 16     /* classes with fewer records have them at other addresses */
#define BONNELL_RECORDS 10 /* stepping: drivers trust no earlier one */

static u8 deepest(u32 depths)
{
    u8 depth = 0;
    for (u8 n = 1; n <= LBR_DEPTH_MAX / 8; n++)
        if (depths >> (n - 1) & 1)
            depth = (u8)(8 * n);
    return depth;
}

/* Without selection of levels and kinds no manual says what is recorded: not used. */
static bool architectural(const struct pmu_caps *caps, struct lbr_stack *stack)
{
    *stack = (struct lbr_stack){
        .from = MSR_ARCH_LBR_FROM(0),
        .to = MSR_ARCH_LBR_TO(0),
        .infos = MSR_ARCH_LBR_INFO(0),
        .architectural = true,
        .depth = deepest(caps->lbr_depths),
        .info = true,
        .select = true,
        .writable = true,
        .call_stack = caps->lbr_call_stack,
    };
    return stack->depth && caps->lbr_levels && caps->lbr_filters;
}

bool lbr_distrusted(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_BONNELL && caps->stepping < BONNELL_RECORDS;
}

bool lbr_stack(const struct pmu_caps *caps, struct lbr_stack *stack)
{
    enum cpu_class class = cpu_class(caps);
    unsigned format = (unsigned)(caps->perf_capabilities & PERF_CAP_LBR_FORMAT);
    if (caps->lbr_depths)
        return architectural(caps, stack);
    u8 depth = format == LBR_FORMAT_ARCHITECTURAL ? 0 : (u8)class_lbr_depth(class);
    bool old = depth < DEPTH_NEWER;
    *stack = (struct lbr_stack){
        .from = old ? MSR_LBR_OLD_FROM(0) : MSR_LBR_FROM(0),
        .to = old ? MSR_LBR_OLD_TO(0) : MSR_LBR_TO(0),
        .infos = MSR_LBR_INFO(0),
        .depth = depth,
        .info = format == LBR_FORMAT_INFO || format == LBR_FORMAT_INFO_PLAIN,
        .select = has_lbr_select(caps),
        .call_stack = class_lbr_call_stack(class),
        .writable = depth >= DEPTH_NEWER,
    };
    if (lbr_distrusted(caps))
        return false;
    if (caps->hypervisor && !format) /* a guest without branch records sees format 0 */
        return false;
    /* MSR_LBR_INFO came together with 32 records: if class and format disagree, something hides the real CPU. */
    return depth && (depth == LBR_DEPTH_MAX) == (format >= LBR_FORMAT_INFO);
}

/* The filters of MSR_LBR_SELECT from bit 2 on, in the order of its bits. */
static const u64 selects[] = {LBR_CTL_CONDITIONAL,   LBR_CTL_CALL, LBR_CTL_CALL_INDIRECT, LBR_CTL_RETURN,
                              LBR_CTL_JUMP_INDIRECT, LBR_CTL_JUMP, LBR_CTL_OTHER};

u64 lbr_control(u64 select)
{
    u64 control = LBR_CTL_EN | (select & LBR_SELECT_CPL_0 ? 0 : LBR_CTL_OS) |
                  (select & LBR_SELECT_CPL_ABOVE ? 0 : LBR_CTL_USR) |
                  (select & LBR_SELECT_CALL_STACK ? LBR_CTL_CALL_STACK : 0);
    for (unsigned i = 0; i < ARRAY_SIZE(selects); i++)
        control |= select >> (2 + i) & 1 ? 0 : selects[i];
    return control;
}

/* SDM 3B, "Last Branch Records": 55:16 are undefined, without transactions also 62:61; others are not on all CPUs. */
u64 lbr_info_kept(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    u64 kept = LBR_INFO_MISPREDICTED | LBR_INFO_CYCLES | (caps->rtm ? LBR_INFO_IN_TX | LBR_INFO_ABORT : 0);
    bool architectural = lbr_stack(caps, &stack) && stack.architectural;
    return architectural ? kept | LBR_INFO_TYPE | LBR_INFO_CYCLES_VALID : kept;
}

/* Drivers for Nehalem and Silvermont also let jumps through when they want calls, and far branches when they want
 * returns: otherwise they miss some. */
u64 lbr_filter_whole(const struct pmu_caps *caps, u64 select)
{
    static const struct {
        u64 by, too;
    } groups[] = {
        {LBR_SELECT_JUMP, LBR_SELECT_CALL | LBR_SELECT_RETURN},
        {LBR_SELECT_JUMP_INDIRECT, LBR_SELECT_CALL | LBR_SELECT_CALL_INDIRECT | LBR_SELECT_RETURN},
        {LBR_SELECT_FAR, LBR_SELECT_RETURN},
    };
    if (cpu_class(caps) != CLASS_NEHALEM && cpu_class(caps) != CLASS_SILVERMONT)
        return select;
    for (unsigned i = 0; i < ARRAY_SIZE(groups); i++)
        select |= select & groups[i].by ? groups[i].too : 0;
    return select;
}
