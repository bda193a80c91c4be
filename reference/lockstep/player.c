/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU that an oracle simulates: where it is, what retires, which interrupts and faults come, and which values. */
#include "reference/lockstep/player.h"

void player_differs(struct player *p, enum difference_kind kind, u64 want, u64 got)
{
    bool handler = player_in_handler(p);
    const struct lockstep_step *first = handler ? p->run->handler : p->run->body;
    *p->difference = (struct difference){.kind = kind,
                                         .in_handler = handler,
                                         .step = (u32)(p->step - first),
                                         .op = p->step->op,
                                         .number = p->step->number,
                                         .want = want,
                                         .got = got};
    p->over = true;
}

/* The row of an address, searched from another row. */
const struct code_row *player_row_at(const struct code_row *from, u64 at)
{
    const struct code_row *row = from;
    while (row->at < at)
        row++;
    while (row->at > at)
        row--;
    return row;
}

/* ---- Reporting what retires. */

struct meaning {
    u8 kind, branch, access; /* enum retired_kind, branch_type, memory_access */
    bool taken;
};
static const struct meaning meanings[KIND_COUNT] = {
    [KIND_LOADS] = {.access = ACCESS_LOAD},
    [KIND_STORES] = {.access = ACCESS_STORE},
    [KIND_MODIFIES] = {.access = ACCESS_LOAD | ACCESS_STORE},
    [KIND_ARGUMENT] = {.access = ACCESS_LOAD},
    [KIND_LOOP] = {RETIRED_BRANCH, BRANCH_CONDITIONAL, 0, true},
    [KIND_GO] = {RETIRED_BRANCH, BRANCH_JUMP_INDIRECT, ACCESS_LOAD, true},
    [KIND_JUMP] = {RETIRED_BRANCH, BRANCH_JUMP, 0, true},
    [KIND_JUMP_INDIRECT] = {RETIRED_BRANCH, BRANCH_JUMP_INDIRECT, 0, true},
    [KIND_CALL] = {RETIRED_BRANCH, BRANCH_CALL, ACCESS_STORE, true},
    [KIND_CALL_INDIRECT] = {RETIRED_BRANCH, BRANCH_CALL_INDIRECT, ACCESS_STORE, true},
    [KIND_RETURN] = {RETIRED_BRANCH, BRANCH_RETURN, ACCESS_LOAD, true},
    [KIND_TAKEN] = {RETIRED_BRANCH, BRANCH_CONDITIONAL, 0, true},
    [KIND_NOT_TAKEN] = {RETIRED_BRANCH, BRANCH_CONDITIONAL, 0, false},
    [KIND_IF_USER] = {RETIRED_BRANCH, BRANCH_CONDITIONAL, 0, true},
    [KIND_POKES] = {.access = ACCESS_STORE},
    [KIND_PEEKS] = {.access = ACCESS_LOAD},
    [KIND_WRMSR] = {.kind = RETIRED_WRMSR},
    [KIND_CPUID] = {.kind = RETIRED_CPUID},
    [KIND_STRING] = {.kind = RETIRED_REP_STRING, .access = ACCESS_LOAD},
    [KIND_STORES_VALUE] = {.access = ACCESS_STORE},
    [KIND_STORES_WORD] = {.access = ACCESS_STORE},
    [KIND_READS_LVTPC] = {.access = ACCESS_LOAD},
    [KIND_WRITES_LVTPC] = {.access = ACCESS_STORE},
    [KIND_EOI] = {.access = ACCESS_STORE},
    [KIND_MSR_LVTPC] = {.kind = RETIRED_WRMSR},
    [KIND_MSR_EOI] = {.kind = RETIRED_WRMSR},
    [KIND_IRET] = {RETIRED_IRET, 0, 0, true}, /* what IRET and INT n access is part of no operand */
    [KIND_TO_USER] = {RETIRED_IRET, 0, 0, true},
    [KIND_FROM_USER] = {RETIRED_FAR_BRANCH, 0, 0, true},
    [KIND_FLAGS] = {.access = ACCESS_LOAD},
};

/* The address of the memory operand, where it is known: OP_MEMORY has one each 64 bytes. */
static u64 operand(const struct player *p)
{
    return p->step->op == OP_MEMORY && meanings[p->row->kind].access && p->row->kind != KIND_GO
               ? (u64)p->run->memory + 64 * (u64)(p->row - player_rows_of(OP_MEMORY, p->cpl))
               : UNKNOWN;
}

static bool is_conditional(const struct meaning *meaning)
{
    return meaning->branch == BRANCH_CONDITIONAL;
}

/* Does the code not show where the branch leads? */
static bool shows_no_target(const struct meaning *meaning)
{
    return meaning->branch == BRANCH_JUMP_INDIRECT || meaning->branch == BRANCH_CALL_INDIRECT ||
           meaning->branch == BRANCH_RETURN || meaning->kind == RETIRED_IRET || meaning->kind == RETIRED_FAR_BRANCH;
}

u64 player_near(const struct player *p)
{
    return model_near_overflow(p->m, player_on_hardware(p) ? NEAR_ON_HARDWARE : NEAR_OVERFLOW);
}

/* `after`: the CPL after it. */
void player_retires(struct player *p, bool taken, u8 after)
{
    const struct meaning *meaning = &meanings[p->row->kind];
    if (player_is_traced(p) && (is_conditional(meaning) || shows_no_target(meaning)))
        player_traces_branch(p, is_conditional(meaning), taken, after);
    bool stepping = model_stepping(p->m);
    if (!stepping && meaning->kind != RETIRED_WRMSR)
        return;
    p->promises.moment += stepping;
    promises_count(&p->promises, p->m, p->cpl);
    struct retired instruction = {.kind = (enum retired_kind)meaning->kind,
                                  .cpl = p->cpl,
                                  .cpl_after = after,
                                  .taken = taken,
                                  .branch = meaning->branch,
                                  .access = meaning->access,
                                  .rip = p->row->at,
                                  .address = operand(p)};
    if (p->o->chance)
        p->o->near = player_near(p);
    p->o->next = taken || p->row->kind == KIND_STI ? UNKNOWN : p->row[1].at; /* STI is stepped with the next one */
    p->o->registers.general[RBX] = p->rbx_used ? UNKNOWN : p->o->registers.general[R14];
    model_retire(p->m, &instruction);
}

void player_retires_here(struct player *p)
{
    player_retires(p, meanings[p->row->kind].taken, p->cpl);
}

/* ---- Interrupts and faults. */

static bool push(struct player *p)
{
    if (p->frames == FRAMES_MOST)
        return false;
    p->frame[p->frames++] = (struct frame_kept){p->row,    p->step,  p->rcx,       p->value, p->owed,
                                                p->before, p->early, p->has_early, p->cpl,   p->open};
    return true;
}

void player_append(struct player *p, u64 word)
{
    if (p->write < p->end)
        *p->write++ = word;
}

static void enter(struct player *p, unsigned entry, u8 vector)
{
    if (!push(p)) {
        player_differs(p, DIFFERENCE_STORM, 0, vector);
        return;
    }
    if (model_stepping(p->m)) {
        if (vector >= EXCEPTIONS)
            model_interrupted(p->m, p->cpl);
        model_delivered(p->m, vector, p->cpl, p->row->at);
    }
    p->open = p->shadow = false;
    p->cpl = 0;
    p->row = player_rows_of(entry, 0);
}

/* Does a fixed interrupt with this vector have to wait, whatever the instruction? */
bool player_waits_for_software(const struct player *p, u8 vector)
{
    return !p->open || vector >> 4 <= p->tpr;
}

bool player_deliverable(const struct player *p)
{
    return (p->o->nmi && !p->nmi_blocked) || (p->o->fixed && !player_waits_for_software(p, p->o->vector) && !p->shadow);
}

void player_enter_pmi(struct player *p, u8 vector)
{
    bool nmi_comes = vector == VECTOR_NMI;
    p->kept_words[0] = p->words[0];
    p->kept_words[1] = p->words[1];
    p->kept_word = p->word;
    p->words[0] = TAG_PMI | vector;
    p->words[1] = p->row->at;
    p->words[2] = (u64)p->step;
    p->words[3] = p->rcx;
    p->word = 0;
    if (nmi_comes) {
        p->o->nmi = false;
        p->nmi_blocked = true;
    } else {
        p->o->fixed = false;
    }
    p->pmis++;
    p->waits = false;
    enter(p, nmi_comes ? OP_ENTRY_NMI : OP_ENTRY_PMI, vector);
}

/* Is the next word of the trace a PMI's entry? player_pmi_here(): and did the PMI come at this instruction? */
bool player_pmi_next(const struct player *p)
{
    return p->end - p->trace >= PMI_WORDS && (*p->trace & ~0xffull) == TAG_PMI;
}

bool player_pmi_here(const struct player *p)
{
    bool turns = p->row->kind == KIND_COUNT_DOWN || p->row->kind == KIND_LOOP;
    return player_pmi_next(p) && p->trace[1] == p->row->at && p->trace[2] == (u64)p->step &&
           (!turns || (u32)p->trace[3] == (u32)p->rcx);
}

static bool came_by(const struct player *p, u8 vector)
{
    return vector == VECTOR_NMI ? p->o->nmi : p->o->fixed && p->o->vector == vector;
}

/* The trace does not tell whether a PMI on its way has arrived by now: `choices` decides. */
void player_maybe_arrives(struct player *p)
{
    if (p->plays || !model_pmi_on_its_way(p->m))
        return;
    if (p->used == ARRIVALS_MOST) {
        p->o->unsure = true;
        return;
    }
    if (p->choices >> p->used++ & 1)
        model_pmi_arrives(p->m);
}

/* The trace says that a PMI came here: one that has arrived already, or arrives now. */
void player_take_pmi(struct player *p)
{
    u8 vector = (u8)*p->trace;
    bool closed = vector == VECTOR_NMI ? p->nmi_blocked : player_waits_for_software(p, vector);
    if (!came_by(p, vector))
        model_pmi_arrives(p->m);
    else
        player_maybe_arrives(p); /* another one may merge with it */
    if (closed || !came_by(p, vector))
        player_differs(p, DIFFERENCE_PMI, 0, vector);
    else
        player_enter_pmi(p, vector);
}

/* Is the next word of the trace a fault's entry of this step? */
static bool fault_next(const struct player *p)
{
    return p->end - p->trace >= FAULT_WORDS && *p->trace == (TAG_FAULT | VECTOR_GP) && p->trace[1] == (u64)p->step;
}

static void faults(struct player *p)
{
    p->words[0] = TAG_FAULT | VECTOR_GP;
    p->words[1] = (u64)p->step;
    p->word = 0;
    enter(p, OP_ENTRY_FAULT, VECTOR_GP);
}

/* ---- Values. */

/* What the counter has drawn so far is decided. True: by drawing more it has counted as much as was read. */
static bool decides(struct player *p, u64 got)
{
    u32 counter = promises_counter(p->step);
    u64 more = got - p->value;
    if (counter >= COUNTER_BITS || !p->o->chance)
        return false;
    u32 decided = p->has_early ? (u32)more : p->owed; /* the last instruction may be missing in what was read */
    if (more > p->owed)
        return false;
    p->o->owed[counter] -= decided < p->o->owed[counter] ? decided : p->o->owed[counter];
    model_counted_more(p->m, (u8)counter, more);
    return true;
}

void player_take_value(struct player *p)
{
    if (p->plays) {
        player_append(p, p->value);
        return;
    }
    if (p->trace == p->end || player_pmi_next(p)) {
        player_differs(p, DIFFERENCE_PLACE, 0, p->trace == p->end ? 0 : p->trace[1]);
        return;
    }
    u64 got = *p->trace++;
    if (player_notes(p, got))
        return;
    if (p->step->op == OP_PEEK && player_is_unknown(p->value))
        return;
    if (p->pmis != p->before && promises_moving(&p->promises, p->step))
        return; /* a PMI came between the read and this store: its handler was counted, or has read the counter, too */
    if (p->has_early && got == p->early && !promises_moving(&p->promises, p->step))
        return;
    if (!decides(p, got) && !promises_keep(&p->promises, p->m, p->step, p->value, got))
        player_differs(p, DIFFERENCE_VALUE, p->value, got);
}

/* After an access that may fault; `answers`: the model's does not. True: continue behind it. */
bool player_comes_back(struct player *p, bool answers)
{
    if (!p->plays && answers && fault_next(p)) {
        player_differs(p, DIFFERENCE_FAULT, 0, VECTOR_GP);
        return false;
    }
    if (!answers)
        faults(p);
    return answers;
}
