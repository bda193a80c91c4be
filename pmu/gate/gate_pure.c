#include "pmu/cpu/class.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/gate_row.h"
#include "pmu/gate/tested.h"
#include "pmu/registers.h"

/* ---- Walks: one bit changed from what the register reads, with nothing counting. */

/* As cpu_class() has it, which looks for the model too. */
static bool is_netburst(const struct pmu_caps *caps)
{
    return caps->intel && caps->family == 15;
}

/* NetBurst's registers of these numbers are others, and an unknown class has none at all to try. */
static bool walk_possible(const struct pmu_caps *caps, const struct gate_context *context)
{
    return walk_tested(caps) || (context->unlocked && !is_netburst(caps));
}

static bool one_bit(u64 value)
{
    return value && !(value & (value - 1));
}

static bool walk_permits(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return context->walking && context->counters_stopped && context->current_known &&
           one_bit(value ^ context->current) && walk_possible(caps, context);
}

/* ---- Rows. */

/*
 * The row of each register that was asked for last, so that the list is not walked for every write: MSR in bits 39:8,
 * the row's place on the list + 1 in bits 7:0, 0 if nothing is known yet. Read and written whole: CPUs may overwrite
 * each other's, never half of one.
 */
#define REMEMBERED 64
#define NO_ROW 0xff
static volatile u64 remembered[2][REMEMBERED];

static u64 place_of(bool netburst, u32 msr)
{
    for_each_gate_row (collected) {
        const struct pmu_gate_row *row = pmu_gate_row(*collected);
        if (row && row->netburst == netburst && gate_row_holds(&row->gate, msr))
            return (u64)(collected - __start_gate) + 1;
    }
    return NO_ROW;
}

static const struct pmu_gate_row *find_of(bool netburst, u32 msr)
{
    volatile u64 *place = &remembered[netburst][msr % REMEMBERED];
    u64 known = *place;
    if (!known || known >> 8 != msr)
        *place = known = (u64)msr << 8 | place_of(netburst, msr);
    known &= 0xff;
    return known == NO_ROW ? NULL : pmu_gate_row(__start_gate[known - 1]);
}

static const struct pmu_gate_row *find(const struct pmu_caps *caps, u32 msr)
{
    const struct pmu_gate_row *row = caps && is_netburst(caps) ? find_of(true, msr) : NULL;
    return row ? row : find_of(false, msr);
}

unsigned gate_wants(u32 msr)
{
    const struct pmu_gate_row *row = find_of(false, msr), *netburst = find_of(true, msr);
    return (row ? row->wants : 0) | (netburst ? netburst->wants : 0);
}

/* NetBurst has no leaf 0AH, and registers that its class stands for. */
static bool pmu_known(const struct pmu_gate_row *row, const struct pmu_caps *caps)
{
    return caps && (caps->present || row->netburst);
}

static bool row_exists(const struct pmu_gate_row *row, const struct pmu_caps *caps, u32 msr)
{
    u32 n = msr - row->gate.first;
    return (!row->version || caps->version >= row->version) && (!row->exists || row->exists(caps)) &&
           (!row->enumerated || row->enumerated(caps) >> n & 1) && (!row->which || row->which >> n & 1);
}

static bool decides_by_bits(const struct pmu_gate_row *row)
{
    return row->bits[0].bits || row->bits[0].of;
}

static u64 bits_of(const struct gate_part *part, const struct pmu_caps *caps, u32 n)
{
    if ((part->version && caps->version < part->version) || (part->when && !part->when(caps)) ||
        (part->capability && !(caps->perf_capabilities & part->capability)) ||
        (part->which && !(part->which >> n & 1)) || (part->only && !(part->only(caps) >> n & 1)))
        return 0;
    return part->bits | (part->of ? part->of(caps) : 0);
}

static u64 row_bits(const struct pmu_gate_row *row, const struct pmu_caps *caps, u32 msr)
{
    u64 bits = 0;
    for (unsigned i = 0; i < GATE_PARTS; i++)
        bits |= bits_of(&row->bits[i], caps, msr - row->gate.first);
    return bits;
}

/* `others`: the bits of the value that are none of the row's own. */
static bool others_as_read(const struct pmu_gate_row *row, const struct gate_context *context, u64 others, u64 own)
{
    return row->others_as_read && context->current_known && others == (context->current & ~own);
}

/* The clauses that look at the situation besides the value. */
static bool situation_permits(const struct pmu_gate_row *row, const struct pmu_caps *caps,
                              const struct gate_context *context, u64 value)
{
    bool as_read = context->current_known && value == context->current;
    if (row->as_read && row->as_read(caps) && (!value || as_read))
        return true;
    if (row->changes && context->current_known && !((value ^ context->current) & ~row->changes(context)))
        return true;
    return row->any && row->any(context);
}

static bool row_permits(const struct pmu_gate_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                        u32 msr, u64 value)
{
    if (!row_exists(row, caps, msr) || (row->where && !row->where(context)))
        return false;
    if (row->wants & GATE_WALK && walk_permits(caps, context, value))
        return true;
    u64 own = row_bits(row, caps, msr), others = value & ~own;
    return (decides_by_bits(row) && !others) || others_as_read(row, context, others, own) || (row->zero && !value) ||
           (row->value && row->value(value)) || (row->one_more && one_bit(others) && row->one_more(caps)) ||
           situation_permits(row, caps, context, value);
}

bool gate_allows(const struct pmu_caps *caps, const struct gate_context *context, u32 msr, u64 value, const char **rule)
{
    const struct pmu_gate_row *row = find(caps, msr);
    *rule = row ? row->rule : "no row allows a write to this register";
    if (!row)
        return false;
    if (row->wants & GATE_CAPS && !pmu_known(row, caps)) {
        *rule = "no PMU known on this CPU";
        return false;
    }
    if (row->wants & GATE_STOPPED && value && !context->counters_stopped)
        return false;
    bool handed_over = row->wants & GATE_HANDOFF && context->handoff_known && value == context->handoff;
    if (row->wants & GATE_SAMPLING && value && context->sampling && !context->own_area)
        return handed_over;
    return handed_over || row_permits(row, caps, context, msr, value);
}

u64 gate_bits(const struct pmu_caps *caps, u32 msr)
{
    const struct pmu_gate_row *row = find(caps, msr);
    return row && row->wants & GATE_CAPS && pmu_known(row, caps) && row_exists(row, caps, msr)
               ? row_bits(row, caps, msr)
               : 0;
}
