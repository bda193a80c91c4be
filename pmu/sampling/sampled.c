/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/sampling/sampled.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/msr.h"
#include "pmu/gate/write.h"

void sampled_user(u64 sampled);
extern const u16 sampled_units[SAMPLED_INSTRUCTIONS]; /* offset of each instruction of the loop */
extern const u8 sampled_start[], sampled_end[], sampled_loop[], sampled_loop_end[], sampled_user_loop[],
    sampled_user_loop_end[];

/* The register's number fills every other hexadecimal digit from the fourth on; the last three digits differ from run
 * to run. */
#define SENTINEL 0x5e47000000001000
#define RUNS 0x1000

void sampled_prepare(struct sampled *sampled, u64 rounds)
{
    static u32 runs;
    u64 sentinel = SENTINEL + __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED) % RUNS;
    sampled->rounds = rounds;
    for (unsigned i = 0; i < PEBS_REGISTERS; i++)
        sampled->reg[i] = sentinel + i * 0x0000101010101000;
    for (unsigned i = 0; i < PEBS_XMM_REGISTERS; i++) {
        sampled->xmm[i][0] = sentinel + i * 0x0001010101010000;
        sampled->xmm[i][1] = ~sampled->xmm[i][0];
    }
    sampled->use_xmm = sampled->then_msr = 0;
    sampled->flags = (sentinel & 1 ? BIT(10) : 0) | (sentinel & 2 ? BIT(21) : 0);
    sampled->reg[PEBS_R14] = (u64)&sampled->word;
}

void sampled_run_user(const struct switch_write *sw, struct sampled *sampled)
{
    struct sampled *shared = ring3_room();
    u64 flags = interrupts_off(); /* ring3_run() returns with interrupts off */
    *shared = *sampled;
    shared->reg[PEBS_R14] = (u64)&shared->word;
    interrupts_restore(flags);
    wrmsr(sw->msr, sw->on);
    ring3_run(sampled_user, (u64)shared);
    wrmsr(sw->msr, sw->off);
    interrupts_restore(flags);
    *sampled = *shared;
}

/* The number of the instruction in a round. */
static unsigned number_in_loop(u64 rip)
{
    bool user = rip >= (u64)sampled_user_loop && rip <= (u64)sampled_user_loop_end;
    u64 offset = rip - (u64)(user ? sampled_user_loop : sampled_loop);
    unsigned i = 0;
    while (i + 1 < SAMPLED_INSTRUCTIONS && sampled_units[i + 1] <= offset)
        i++;
    return i;
}

/* Each unit has eight instructions, of which the first adds 8 to the clock. */
u64 sampled_instruction(u64 rip, u64 clock, bool next)
{
    unsigned i = number_in_loop(rip);
    if (!next)
        return clock - 8 + i % 8 + 1;
    return i % 8 ? clock - 8 + i % 8 : clock;
}

/* The third instruction of a unit changes it; the first one still has that of the unit before. */
bool sampled_carry(u64 rip, bool *set)
{
    unsigned i = number_in_loop(rip), in_unit = i % 8;
    *set = i && (i - 1) / 8 % 2 == 0;
    return i && (in_unit < 1 || in_unit > 3);
}

bool sampled_holds(u64 rip)
{
    return (rip >= (u64)sampled_start && rip <= (u64)sampled_end) ||
           (rip >= (u64)sampled_user && rip <= (u64)sampled_user_loop_end);
}

bool sampled_in_loop(u64 rip)
{
    return (rip > (u64)sampled_loop && rip < (u64)sampled_loop_end) ||
           (rip > (u64)sampled_user_loop && rip < (u64)sampled_user_loop_end);
}

#define NEEDED_BY_STOP (BIT(PEBS_RAX) | BIT(PEBS_RCX) | BIT(PEBS_RDX) | BIT(PEBS_RDI))

u32 sampled_kept(u64 rip)
{
    u32 all_but_clock = (u32)(MASK(PEBS_REGISTERS - 1, 0) & ~BIT(SAMPLED_CLOCK));
    if (sampled_in_loop(rip))
        return all_but_clock;
    bool at_stop = rip >= (u64)sampled_loop_end && rip <= (u64)sampled_end;
    return at_stop ? all_but_clock & (u32)~NEEDED_BY_STOP : 0;
}
