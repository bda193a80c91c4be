#include "pmu/class.h"
#include "pmu/lbr.h"
#include "pmu/registers.h"

bool lbr_stack(const struct pmu_caps *caps, struct lbr_stack *stack)
{
    enum cpu_class class = cpu_class(caps);
    unsigned format = (unsigned)(caps->perf_capabilities & PERF_CAP_LBR_FORMAT);
    *stack = (struct lbr_stack){
        .depth = format == LBR_FORMAT_ARCHITECTURAL ? 0 : (u8)class_lbr_depth(class),
        .info = format == LBR_FORMAT_INFO,
        .call_stack = class_lbr_call_stack(class),
    };
    return stack->depth && class_has_lbr_select(class);
}

/* Drivers of Nehalem let indirect jumps through where they want indirect calls: only both together are sure. */
bool lbr_filters_exactly(const struct pmu_caps *caps, u64 select)
{
    u64 indirect = select & (LBR_SELECT_JUMP_INDIRECT | LBR_SELECT_CALL_INDIRECT);
    return cpu_class(caps) != CLASS_NEHALEM || indirect != LBR_SELECT_JUMP_INDIRECT;
}
