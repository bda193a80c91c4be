/* SPDX-License-Identifier: BSD-2-Clause */
/* What each kind of instruction does to the CPU that an oracle simulates. */
#include "reference/lockstep/player.h"

static void goes_to(struct player *p, const struct code_row *row)
{
    player_retires_here(p);
    p->row = row;
}

/* Does a counter that counts while its value is written count the WRMSR, too? No manual says. */
static void counts_itself(struct player *p, u32 counter)
{
    struct oracle *o = p->o;
    if (!promises_counts_each(&p->promises, p->m, counter, 0))
        return;
    o->near = player_near(p);
    o->wrote = true;
    o->vague |= o->near >> counter & 1;
    if (player_draws(o, 1) != o->uncounted)
        model_write_uncounted(p->m, BIT(counter));
}

static void written(struct player *p)
{
    u32 counter = promises_counter(p->step);
    promises_written(&p->promises, p->m, p->step);
    player_traces_write(p);
    if (counter >= COUNTER_BITS)
        return;
    p->o->owed[counter] = 0;
    if (player_on_hardware(p))
        counts_itself(p, counter);
}

/* What a step that reads would have read before its fence. Of metrics a read may clear them. */
static bool reads_early(struct player *p)
{
    const struct lockstep_step *step = p->step;
    if (step->op == OP_RDMSR)
        return model_rdmsr(p->m, step->number, &p->early);
    return step->number != RDPMC_METRICS && model_rdpmc(p->m, step->number, p->cpl, true, &p->early);
}

/* All earlier instructions have retired before the next one executes: SDM 2A, "LFENCE". Has the fence itself? */
static void fences(struct player *p)
{
    p->has_early = player_on_hardware(p) && reads_early(p);
    goes_to(p, p->row + 1);
}

static void access_register(struct player *p)
{
    bool answers;
    u32 counter = promises_counter(p->step);
    p->owed = counter < COUNTER_BITS ? p->o->owed[counter] : 0;
    p->before = p->pmis;
    if (p->row->kind == KIND_WRMSR) {
        answers = model_wrmsr(p->m, p->step->number, p->step->value);
        if (answers)
            written(p);
    } else if (p->row->kind == KIND_RDMSR)
        answers = model_rdmsr(p->m, p->step->number, &p->value);
    else /* walks run with CR4.PCE */
        answers = model_rdpmc(p->m, p->step->number, p->cpl, true, &p->value);
    if (player_comes_back(p, answers))
        goes_to(p, p->row + 1);
}

static void asks_cpuid(struct player *p)
{
    static const u32 nothing[4];
    u32 out[4];
    model_cpuid(p->m, p->step->number, (u32)p->step->value, nothing, out);
    p->value = (u64)out[1] << 32 | out[0];
    p->second = (u64)out[3] << 32 | out[2];
    p->rbx_used = true;
    goes_to(p, p->row + 1);
}

static void pokes(struct player *p)
{
    player_memory_write(p->o, p->step->place, &p->step->value, sizeof(u64));
    goes_to(p, p->row + 1);
}

static void peeks(struct player *p)
{
    p->value = 0;
    player_memory_read(p->o, p->step->place, &p->value, sizeof(u64));
    goes_to(p, p->row + 1);
}

static void turns_to_second(struct player *p)
{
    p->value = p->second;
    p->rbx_used = false;
    goes_to(p, p->row + 1);
}

static void returns_to_frame(struct player *p)
{
    if (!p->frames) {
        p->over = true;
        return;
    }
    const struct frame_kept *frame = &p->frame[--p->frames];
    player_retires(p, true, frame->cpl);
    p->words[0] = p->kept_words[0];
    p->words[1] = p->kept_words[1];
    p->word = p->kept_word;
    p->row = frame->row;
    p->step = frame->step;
    p->rcx = frame->rcx;
    p->value = frame->value;
    p->owed = frame->owed;
    p->before = frame->before;
    p->early = frame->early;
    p->has_early = frame->has_early;
    p->cpl = frame->cpl;
    p->open = frame->open;
    p->nmi_blocked = false;
    promises_switch(&p->promises);
    p->turns = 0;
}

/* IRET to CPL 3: that of an operation, or of the fault entry if the fault came from there. */
static void goes_to_user(struct player *p)
{
    bool fault = p->frames && p->frame[p->frames - 1].cpl;
    if (fault)
        p->open = p->frame[--p->frames].open;
    player_retires(p, true, 3);
    p->cpl = 3;
    promises_switch(&p->promises);
    p->row = player_rows_of(OP_ENTRY_BACK, 3);
    p->nmi_blocked = false;
}

static void writes_lvtpc(struct player *p)
{
    player_maybe_arrives(p);
    p->o->lvtpc = (u32)(p->step->value & ~LVT_STATUS);
    goes_to(p, p->row + 1);
}

/* The step at which the trace's next PMI came; 0: there is none. */
static u64 comes_at(const struct player *p)
{
    const u64 *word = p->trace;
    while (word < p->end && (*word & ~0xffull) != TAG_PMI)
        word++;
    return p->end - word < PMI_WORDS ? 0 : (word[2] - (u64)p->run->body) / sizeof(struct lockstep_step);
}

static void settles(struct player *p)
{
    goes_to(p, p->row + 1);
    if (p->plays || !p->waits)
        return;
    model_pmi_arrives(p->m);
    if (player_deliverable(p) && !player_pmi_here(p))
        player_differs(p, DIFFERENCE_NO_PMI, p->o->nmi ? VECTOR_NMI : p->o->vector, comes_at(p));
}

/* A loop while nothing is counted and nothing arrives: only its end matters. */
static bool skips_loop(struct player *p)
{
    bool comes = p->plays ? p->o->fixed || p->o->nmi : player_pmi_next(p) && p->trace[2] == (u64)p->step;
    return !comes && !model_stepping(p->m) && !player_is_traced(p);
}

/* Do further turns leave the same branch record as the last one, or none? */
static bool alike(const struct player *p)
{
    return model_wants_branches(p->m) == BRANCHES_TOGETHER || (p->turns >= 2 && model_turns_alike(p->m));
}

/* The turns of a loop of two instructions that can be reported together: neither an overflow nor a PMI is in them. */
static u32 turns_together(struct player *p)
{
    u64 stops_at = !p->plays && player_pmi_next(p) && p->trace[2] == (u64)p->step ? (u32)p->trace[3] : 0;
    u64 room = model_run_room(p->m) / 2, left = (u32)p->rcx;
    if (p->row[-1].at != p->row->target || player_is_traced(p) || !alike(p))
        return 0;
    left = left > stops_at ? left - stops_at : 0;
    return (u32)(left < room ? left : room);
}

static void loop_together(struct player *p)
{
    u32 turns = turns_together(p);
    struct model_run run = {.cpl = p->cpl,
                            .rip = p->row->at,
                            .instructions = 2 * turns,
                            .branches = turns,
                            .taken = turns,
                            .conditional = turns,
                            .alike = model_wants_branches(p->m) != BRANCHES_TOGETHER};
    if (!turns)
        return;
    if (model_predicts(p->m, p->cpl))
        model_run_predict(p->m, &run, p->row->at, true, turns);
    model_retire_run(p->m, &run);
    p->promises.moment += run.instructions;
    promises_count(&p->promises, p->m, p->cpl);
    p->rcx -= turns;
}

static void loops(struct player *p)
{
    if (skips_loop(p))
        p->rcx = 0;
    else if (model_stepping(p->m))
        loop_together(p);
    bool taken = (u32)p->rcx != 0;
    player_retires(p, taken, p->cpl);
    p->turns++;
    p->row = taken ? player_row_at(p->row, p->row->target) : p->row + 1;
}

static void calls(struct player *p)
{
    if (p->calls < CALLS_MOST)
        p->call[p->calls++] = p->row + 1;
    goes_to(p, player_row_at(p->row, p->row->target));
}

static void stores_word(struct player *p)
{
    u64 word = p->words[p->word++ % PMI_WORDS];
    bool fault = (p->words[0] & ~0xffull) == TAG_FAULT;
    if (p->plays)
        player_append(p, word);
    else if (fault && (p->trace == p->end || *p->trace != word))
        player_differs(p, DIFFERENCE_NO_FAULT, VECTOR_GP, 0);
    else
        p->trace++;
    goes_to(p, p->row + 1);
}

/* Restores the flags from the frame and drops the frame. */
static void restores_flags(struct player *p)
{
    goes_to(p, p->row + 1);
    if (p->frames)
        p->open = p->frame[--p->frames].open;
}

static void goes(struct player *p)
{
    if (p->row < player_rows_of(OP_ENTRY_FAULT, 0) && p->row >= player_rows_of(OP_ENTRY_PMI, 0))
        p->step = p->run->handler;
    p->done += !player_in_handler(p);
    player_retires_here(p);
    p->row = player_rows_of(p->step->op, p->cpl);
    if (!p->row)
        p->over = true;
}

void player_goes_on(struct player *p)
{
    goes_to(p, p->row + 1);
}

static void takes_argument(struct player *p)
{
    p->rcx = p->step->number;
    p->turns = 0;
    p->waits = model_pmi_on_its_way(p->m) || p->o->nmi || p->o->fixed;
    player_goes_on(p);
}

static void counts_down(struct player *p)
{
    p->rcx = (u32)(p->rcx - 1);
    player_goes_on(p);
}

static void goes_next(struct player *p)
{
    player_goes_on(p);
    p->step++;
}

static void jumps(struct player *p)
{
    goes_to(p, player_row_at(p->row, p->row->target));
}

static void returns_from_call(struct player *p)
{
    goes_to(p, p->calls ? p->call[--p->calls] : p->row + 1);
}

static void asks_for_user(struct player *p)
{
    bool taken = p->frames ? p->frame[p->frames - 1].cpl : p->step->op == OP_FROM_USER;
    player_retires(p, taken, p->cpl);
    p->row = taken ? player_row_at(p->row, p->row->target) : p->row + 1;
}

static void stores_value(struct player *p)
{
    player_take_value(p);
    promises_read(&p->promises, p->m, p->step);
    player_goes_on(p);
}

static void reads_lvtpc(struct player *p)
{
    player_maybe_arrives(p);
    p->value = p->o->lvtpc;
    player_goes_on(p);
}

static void closes(struct player *p)
{
    p->open = false;
    player_goes_on(p);
}

static void opens(struct player *p)
{
    p->shadow = !p->open;
    p->open = true;
    player_goes_on(p);
}

static void sets_tpr(struct player *p)
{
    p->tpr = p->step->value & 15;
    player_goes_on(p);
}

static void leaves_user(struct player *p)
{
    player_retires(p, true, 0);
    p->cpl = 0;
    p->open = false;
    promises_switch(&p->promises);
    p->row = player_rows_of(OP_ENTRY_BACK, 0);
}

static void ends(struct player *p)
{
    p->over = true;
}

/* NULL: it only retires. */
void (*const player_executes[KIND_COUNT])(struct player *p) = {
    [KIND_ARGUMENT] = takes_argument,
    [KIND_COUNT_DOWN] = counts_down,
    [KIND_LOOP] = loops,
    [KIND_NEXT] = goes_next,
    [KIND_GO] = goes,
    [KIND_JUMP] = jumps,
    [KIND_JUMP_INDIRECT] = jumps,
    [KIND_CALL] = calls,
    [KIND_CALL_INDIRECT] = calls,
    [KIND_RETURN] = returns_from_call,
    [KIND_TAKEN] = jumps,
    [KIND_IF_USER] = asks_for_user,
    [KIND_FENCE] = fences,
    [KIND_RDMSR] = access_register,
    [KIND_WRMSR] = access_register,
    [KIND_RDPMC] = access_register,
    [KIND_CPUID] = asks_cpuid,
    [KIND_SECOND] = turns_to_second,
    [KIND_POKES] = pokes,
    [KIND_PEEKS] = peeks,
    [KIND_STORES_VALUE] = stores_value,
    [KIND_STORES_WORD] = stores_word,
    [KIND_READS_LVTPC] = reads_lvtpc,
    [KIND_WRITES_LVTPC] = writes_lvtpc,
    [KIND_MSR_LVTPC] = writes_lvtpc,
    [KIND_CLI] = closes,
    [KIND_STI] = opens,
    [KIND_SETS_TPR] = sets_tpr,
    [KIND_IRET] = returns_to_frame,
    [KIND_TO_USER] = goes_to_user,
    [KIND_FROM_USER] = leaves_user,
    [KIND_FLAGS] = restores_flags,
    [KIND_SETTLED] = settles,
    [KIND_END] = ends,
};
