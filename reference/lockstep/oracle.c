/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/lockstep/oracle.h"
#include "boot/cpu.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/counters.h"

#define FRAMES_MOST 4 /* body, PMI handler, a PMI within it, and a fault there */
#define CALLS_MOST 2
#define ARRIVALS_MOST 64   /* that can be decided either way */
#define NEAR_OVERFLOW 4096 /* counts: walks that are not skipped are not longer */

/* ---- What the model asks of the machine around it. */

static u32 lvtpc_read(void *context)
{
    return ((struct oracle *)context)->lvtpc;
}

static void lvtpc_write(void *context, u32 value)
{
    ((struct oracle *)context)->lvtpc = value;
}

static void interrupt(void *context, u8 vector)
{
    struct oracle *o = context;
    o->fixed = true;
    o->vector = vector;
}

static void nmi(void *context)
{
    ((struct oracle *)context)->nmi = true;
}

static void interrupt_other(void *context, u32 cpu, u8 vector, bool is_nmi)
{
    struct oracle *other = ((struct oracle *)context)->other;
    (void)cpu;
    if (is_nmi)
        nmi(other);
    else
        interrupt(other, vector);
}

#define TICKS 10000 /* the time moves on by this at each look: what a stopped counter owes comes at once */

static u64 time_of(void *context)
{
    return ((struct oracle *)context)->time += TICKS;
}

/* ---- What records contain, and where they go. */

/* A value that the oracle does not know has this upper part. The time does, too, and counts on from it. */
#define UNKNOWN 0x5d1c7e0000000000ull
#define UNKNOWN_BIT 40
#define UNKNOWN_BUT_SET (UNKNOWN + 1) /* it is not 0 */

static bool is_unknown(u64 word)
{
    return word >> UNKNOWN_BIT == UNKNOWN >> UNKNOWN_BIT;
}

static bool within(u64 first, u64 bytes, u64 address, u32 count)
{
    u64 offset = address - first;
    return first && offset < bytes && count <= bytes - offset;
}

static void *in_memory(const struct oracle *o, u64 address, u32 count)
{
    if (within(o->places.records, LOCKSTEP_AREA, address, count))
        return o->memory + (address - o->places.records);
    if (within(o->places.trace, LOCKSTEP_TRACE, address, count))
        return o->memory + LOCKSTEP_AREA + (address - o->places.trace);
    return NULL;
}

static bool memory_read(void *context, u64 address, void *to, u32 count)
{
    const void *from = in_memory(context, address, count);
    if (from)
        memcpy(to, from, count);
    return from;
}

static bool memory_write(void *context, u64 address, const void *from, u32 count)
{
    void *to = in_memory(context, address, count);
    if (to)
        memcpy(to, from, count);
    return to;
}

static void registers(void *context, struct model_registers *registers)
{
    const struct oracle *o = context;
    *registers = o->registers;
    registers->rip = o->next;
}

enum { RBX = 3, RSP = 4, RBP = 5, R11 = 11, R12 = 12, R13 = 13, R14 = 14, R15 = 15 }; /* in struct model_registers */

/* What is known of the registers in a walk: those that no operation changes, and that those with addresses are not 0.
 * Flags have a bit that is always 1. */
static void know_registers(struct oracle *o, const struct lockstep_run *run)
{
    static const u8 set[] = {RSP, R11, R12, R13, R15};
    u64 *words = (u64 *)(void *)&o->registers;
    for (u32 i = 0; i < sizeof(o->registers) / sizeof(*words); i++)
        words[i] = UNKNOWN;
    for (u32 i = 0; i < sizeof(set); i++)
        o->registers.general[set[i]] = UNKNOWN_BUT_SET;
    o->registers.rflags = UNKNOWN_BUT_SET;
    o->registers.general[RBP] = WALK_RBP;
    for (u32 n = 8; n <= 10; n++)
        o->registers.general[n] = WALK_RBP + n - 7;
    o->registers.general[RBX] = o->registers.general[R14] = (u64)run->memory;
}

static u32 draw(void *context, u32 most, u8 counter)
{
    struct oracle *o = context;
    u32 drawn = 0;
    if ((!o->chance || counter >= COUNTER_BITS || o->near >> counter & 1) && o->draws < DRAWS_MOST) {
        o->most[o->draws] = most;
        drawn = o->drawn[o->draws++];
    }
    o->chance = most > o->chance ? most : o->chance;
    if (counter < COUNTER_BITS)
        o->owed[counter] += most - drawn;
    return drawn;
}

void oracle_reset(struct oracle *oracle, struct model *model, const struct model_setup *setup, bool plays)
{
    struct model_setup own = *setup;
    *oracle = (struct oracle){.model = model,
                              .reached = setup->reached,
                              .other = plays ? oracle->other : NULL,
                              .lvtpc = (u32)LVT_MASKED | VECTOR_PMI,
                              .time = UNKNOWN};
    oracle->host = (struct model_host){.context = oracle,
                                       .lvtpc_read = lvtpc_read,
                                       .lvtpc_write = lvtpc_write,
                                       .interrupt = interrupt,
                                       .nmi = nmi,
                                       .interrupt_other = oracle->other ? interrupt_other : NULL,
                                       .time = time_of,
                                       .memory_read = memory_read,
                                       .memory_write = memory_write,
                                       .physical_read = memory_read,
                                       .physical_write = memory_write,
                                       .registers = registers};
    own.arrivals_told = !plays;
    oracle->host.draw = plays ? NULL : draw;
    model_reset(model, &own, &oracle->host);
}

/* ---- Following the code. */

/* The state that an interrupt or fault has saved. */
struct frame_kept {
    const struct code_row *row;
    const struct lockstep_step *step;
    u64 rcx, value;
    u32 owed;
    u8 cpl;
    bool open;
};

struct player {
    struct oracle *o;
    struct model *m;
    const struct lockstep_run *run;
    bool plays;
    const u64 *trace, *end;
    u64 *write; /* used if it plays */
    u64 choices;
    u32 used, pmis, done;
    struct difference *difference;
    /* The simulated CPU's state. */
    const struct code_row *row;
    const struct lockstep_step *step;
    u64 rcx, value, second; /* the value that was read; of CPUID, `second` is its other half */
    u32 owed;               /* by the counter that was read, at that moment */
    u8 cpl;
    bool open, shadow, nmi_blocked; /* IF; is this the instruction after STI? */
    u8 tpr;                         /* CR8: vectors up to this class wait */
    bool rbx_used;                  /* by OP_CPUID, also in a handler that interrupts it */
    bool over, waits;               /* the walk is over; a PMI was on its way when OP_SETTLE began, and has not come */
    u64 words[PMI_WORDS];           /* words of the current entry for the trace; `word` of them are done */
    u64 kept_words[FAULT_WORDS];    /* the same, of a fault's entry that a PMI has interrupted */
    unsigned word, kept_word;
    unsigned frames, calls;
    u32 turns; /* of a loop, one after the other and each by itself */
    struct frame_kept frame[FRAMES_MOST];
    const struct code_row *call[CALLS_MOST];
    struct promises promises;
};

static const struct code_row *rows_of(unsigned op, u8 cpl)
{
    const struct code_operation *operation = &lockstep_code[op];
    return cpl ? operation->at_cpl3.rows : operation->at_cpl0.rows;
}

static bool in_handler(const struct player *p)
{
    return p->step >= p->run->handler && p->step < p->run->handler + RUN_HANDLER;
}

static void differs(struct player *p, enum difference_kind kind, u64 want, u64 got)
{
    bool handler = in_handler(p);
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
static const struct code_row *row_at(const struct code_row *from, u64 at)
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
               ? (u64)p->run->memory + 64 * (u64)(p->row - rows_of(OP_MEMORY, p->cpl))
               : UNKNOWN;
}

/* `after`: the CPL after it. */
static void retires(struct player *p, bool taken, u8 after)
{
    const struct meaning *meaning = &meanings[p->row->kind];
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
        p->o->near = model_near_overflow(p->m, NEAR_OVERFLOW);
    p->o->next = taken || p->row->kind == KIND_STI ? UNKNOWN : p->row[1].at; /* STI is stepped with the next one */
    p->o->registers.general[RBX] = p->rbx_used ? UNKNOWN : p->o->registers.general[R14];
    model_retire(p->m, &instruction);
}

static void retires_here(struct player *p)
{
    retires(p, meanings[p->row->kind].taken, p->cpl);
}

/* ---- Interrupts and faults. */

static bool push(struct player *p)
{
    if (p->frames == FRAMES_MOST)
        return false;
    p->frame[p->frames++] = (struct frame_kept){p->row, p->step, p->rcx, p->value, p->owed, p->cpl, p->open};
    return true;
}

static void append(struct player *p, u64 word)
{
    if (p->write < p->end)
        *p->write++ = word;
}

static void enter(struct player *p, unsigned entry, u8 vector)
{
    if (!push(p)) {
        differs(p, DIFFERENCE_STORM, 0, vector);
        return;
    }
    if (model_stepping(p->m)) {
        if (vector >= EXCEPTIONS)
            model_interrupted(p->m, p->cpl);
        model_delivered(p->m, vector, p->cpl, p->row->at);
    }
    p->open = p->shadow = false;
    p->cpl = 0;
    p->row = rows_of(entry, 0);
}

/* Does a fixed interrupt with this vector have to wait, whatever the instruction? */
static bool waits_for_software(const struct player *p, u8 vector)
{
    return !p->open || vector >> 4 <= p->tpr;
}

static bool deliverable(const struct player *p)
{
    return (p->o->nmi && !p->nmi_blocked) || (p->o->fixed && !waits_for_software(p, p->o->vector) && !p->shadow);
}

static void enter_pmi(struct player *p, u8 vector)
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

/* Is the next word of the trace a PMI's entry? pmi_here(): and did the PMI come at this instruction? */
static bool pmi_next(const struct player *p)
{
    return p->end - p->trace >= PMI_WORDS && (*p->trace & ~0xffull) == TAG_PMI;
}

static bool pmi_here(const struct player *p)
{
    bool turns = p->row->kind == KIND_COUNT_DOWN || p->row->kind == KIND_LOOP;
    return pmi_next(p) && p->trace[1] == p->row->at && p->trace[2] == (u64)p->step &&
           (!turns || (u32)p->trace[3] == (u32)p->rcx);
}

static bool came_by(const struct player *p, u8 vector)
{
    return vector == VECTOR_NMI ? p->o->nmi : p->o->fixed && p->o->vector == vector;
}

/* The trace does not tell whether a PMI on its way has arrived by now: `choices` decides. */
static void maybe_arrives(struct player *p)
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
static void take_pmi(struct player *p)
{
    u8 vector = (u8)*p->trace;
    bool closed = vector == VECTOR_NMI ? p->nmi_blocked : waits_for_software(p, vector);
    if (!came_by(p, vector))
        model_pmi_arrives(p->m);
    else
        maybe_arrives(p); /* another one may merge with it */
    if (closed || !came_by(p, vector))
        differs(p, DIFFERENCE_PMI, 0, vector);
    else
        enter_pmi(p, vector);
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
    p->o->owed[counter] -= p->owed < p->o->owed[counter] ? p->owed : p->o->owed[counter];
    if (more > p->owed)
        return false;
    model_counted_more(p->m, (u8)counter, more);
    return true;
}

static void take_value(struct player *p)
{
    if (p->plays) {
        append(p, p->value);
        return;
    }
    if (p->trace == p->end || pmi_next(p)) {
        differs(p, DIFFERENCE_PLACE, 0, p->trace == p->end ? 0 : p->trace[1]);
        return;
    }
    u64 got = *p->trace++;
    if (p->step->op == OP_PEEK && is_unknown(p->value))
        return;
    if (!decides(p, got) && !promises_keep(&p->promises, p->m, p->step, p->value, got))
        differs(p, DIFFERENCE_VALUE, p->value, got);
}

/* After an access that may fault; `answers`: the model's does not. True: continue behind it. */
static bool comes_back(struct player *p, bool answers)
{
    if (!p->plays && answers && fault_next(p)) {
        differs(p, DIFFERENCE_FAULT, 0, VECTOR_GP);
        return false;
    }
    if (!answers)
        faults(p);
    return answers;
}

/* ---- The kinds of instructions. */

static void goes_to(struct player *p, const struct code_row *row)
{
    retires_here(p);
    p->row = row;
}

static void written(struct player *p)
{
    u32 counter = promises_counter(p->step);
    promises_written(&p->promises, p->m, p->step);
    if (counter < COUNTER_BITS)
        p->o->owed[counter] = 0;
}

static void access_register(struct player *p)
{
    bool answers;
    u32 counter = promises_counter(p->step);
    p->owed = counter < COUNTER_BITS ? p->o->owed[counter] : 0;
    if (p->row->kind == KIND_WRMSR) {
        answers = model_wrmsr(p->m, p->step->number, p->step->value);
        if (answers)
            written(p);
    } else if (p->row->kind == KIND_RDMSR)
        answers = model_rdmsr(p->m, p->step->number, &p->value);
    else /* walks run with CR4.PCE */
        answers = model_rdpmc(p->m, p->step->number, p->cpl, true, &p->value);
    if (comes_back(p, answers))
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
    memory_write(p->o, p->step->place, &p->step->value, sizeof(u64));
    goes_to(p, p->row + 1);
}

static void peeks(struct player *p)
{
    p->value = 0;
    memory_read(p->o, p->step->place, &p->value, sizeof(u64));
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
    retires(p, true, frame->cpl);
    p->words[0] = p->kept_words[0];
    p->words[1] = p->kept_words[1];
    p->word = p->kept_word;
    p->row = frame->row;
    p->step = frame->step;
    p->rcx = frame->rcx;
    p->value = frame->value;
    p->owed = frame->owed;
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
    retires(p, true, 3);
    p->cpl = 3;
    promises_switch(&p->promises);
    p->row = rows_of(OP_ENTRY_BACK, 3);
    p->nmi_blocked = false;
}

static void writes_lvtpc(struct player *p)
{
    maybe_arrives(p);
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
    if (deliverable(p) && !pmi_here(p))
        differs(p, DIFFERENCE_NO_PMI, p->o->nmi ? VECTOR_NMI : p->o->vector, comes_at(p));
}

/* A loop while nothing is counted and nothing arrives: only its end matters. */
static bool skips_loop(struct player *p)
{
    bool comes = p->plays ? p->o->fixed || p->o->nmi : pmi_next(p) && p->trace[2] == (u64)p->step;
    return !comes && !model_stepping(p->m);
}

/* Do further turns leave the same branch record as the last one, or none? */
static bool alike(const struct player *p)
{
    return model_wants_branches(p->m) == BRANCHES_TOGETHER || (p->turns >= 2 && model_turns_alike(p->m));
}

/* The turns of a loop of two instructions that can be reported together: neither an overflow nor a PMI is in them. */
static u32 turns_together(struct player *p)
{
    u64 stops_at = !p->plays && pmi_next(p) && p->trace[2] == (u64)p->step ? (u32)p->trace[3] : 0;
    u64 room = model_run_room(p->m) / 2, left = (u32)p->rcx;
    if (p->row[-1].at != p->row->target || !alike(p))
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
    retires(p, taken, p->cpl);
    p->turns++;
    p->row = taken ? row_at(p->row, p->row->target) : p->row + 1;
}

static void calls(struct player *p)
{
    if (p->calls < CALLS_MOST)
        p->call[p->calls++] = p->row + 1;
    goes_to(p, row_at(p->row, p->row->target));
}

static void stores_word(struct player *p)
{
    u64 word = p->words[p->word++ % PMI_WORDS];
    bool fault = (p->words[0] & ~0xffull) == TAG_FAULT;
    if (p->plays)
        append(p, word);
    else if (fault && (p->trace == p->end || *p->trace != word))
        differs(p, DIFFERENCE_NO_FAULT, VECTOR_GP, 0);
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
    if (p->row < rows_of(OP_ENTRY_FAULT, 0) && p->row >= rows_of(OP_ENTRY_PMI, 0))
        p->step = p->run->handler;
    p->done += !in_handler(p);
    retires_here(p);
    p->row = rows_of(p->step->op, p->cpl);
    if (!p->row)
        p->over = true;
}

static void goes_on(struct player *p)
{
    goes_to(p, p->row + 1);
}

static void takes_argument(struct player *p)
{
    p->rcx = p->step->number;
    p->turns = 0;
    p->waits = model_pmi_on_its_way(p->m) || p->o->nmi || p->o->fixed;
    goes_on(p);
}

static void counts_down(struct player *p)
{
    p->rcx = (u32)(p->rcx - 1);
    goes_on(p);
}

static void goes_next(struct player *p)
{
    goes_on(p);
    p->step++;
}

static void jumps(struct player *p)
{
    goes_to(p, row_at(p->row, p->row->target));
}

static void returns_from_call(struct player *p)
{
    goes_to(p, p->calls ? p->call[--p->calls] : p->row + 1);
}

static void asks_for_user(struct player *p)
{
    bool taken = p->frames ? p->frame[p->frames - 1].cpl : p->step->op == OP_FROM_USER;
    retires(p, taken, p->cpl);
    p->row = taken ? row_at(p->row, p->row->target) : p->row + 1;
}

static void stores_value(struct player *p)
{
    take_value(p);
    promises_read(&p->promises, p->m, p->step);
    goes_on(p);
}

static void reads_lvtpc(struct player *p)
{
    maybe_arrives(p);
    p->value = p->o->lvtpc;
    goes_on(p);
}

static void closes(struct player *p)
{
    p->open = false;
    goes_on(p);
}

static void opens(struct player *p)
{
    p->shadow = !p->open;
    p->open = true;
    goes_on(p);
}

static void sets_tpr(struct player *p)
{
    p->tpr = p->step->value & 15;
    goes_on(p);
}

static void leaves_user(struct player *p)
{
    retires(p, true, 0);
    p->cpl = 0;
    p->open = false;
    promises_switch(&p->promises);
    p->row = rows_of(OP_ENTRY_BACK, 0);
}

static void ends(struct player *p)
{
    p->over = true;
}

/* NULL: it only retires. */
static void (*const executes[KIND_COUNT])(struct player *p) = {
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

static void note_situation(const struct player *p)
{
    u32 situation = (p->cpl ? SITUATION_CPL_3 : 0) | (p->o->lvtpc & LVT_MASKED ? SITUATION_MASKED : 0) |
                    ((p->o->lvtpc & LVT_DELIVERY_MASK) == LVT_DELIVERY_NMI ? SITUATION_NMI : 0) |
                    (model_pmi_on_its_way(p->m) ? SITUATION_ON_ITS_WAY : 0);
    p->o->reached->now = (u16)BIT(situation);
}

/* While interrupts are closed the trace does not tell when a PMI on its way arrives. */
static bool arrives_unseen(const struct player *p)
{
    return (waits_for_software(p, VECTOR_PMI) || p->nmi_blocked) && model_pmi_on_its_way(p->m) &&
           model_arrival_shows(p->m);
}

static void execute(struct player *p)
{
    p->o->unsure |= arrives_unseen(p);
    void (*executes_this)(struct player * p) = executes[p->row->kind];
    p->shadow = false;
    p->o->retold++;
    (executes_this ? executes_this : goes_on)(p);
}

static void play(struct player *p)
{
    p->m = p->o->model;
    promises_begin(&p->promises);
    p->step = p->run->body;
    know_registers(p->o, p->run);
    p->row = rows_of(p->step->op, 0);
    while (!p->over && p->pmis < LOCKSTEP_PMIS) {
        if (p->o->reached)
            note_situation(p);
        if (p->o->between)
            p->o->between(p->o);
        if (p->plays && deliverable(p))
            enter_pmi(p, p->o->nmi && !p->nmi_blocked ? VECTOR_NMI : p->o->vector);
        else if (!p->plays && pmi_here(p))
            take_pmi(p);
        else
            execute(p);
    }
}

/* An unknown word may have any value; but an unknown time is not 0. The flags of the first branch record since the
 * oracle's start, also in a record of PEBS, tell of unknown cycles. */
static bool may_be(u64 want, u64 got)
{
    return (is_unknown(want) && (want == UNKNOWN || got)) || promises_unknown_cycles(want);
}

/* The offset of the first word from `offset` on in which they differ, or `bytes`. */
static u32 next_other(const u8 *want, const u8 *got, u32 offset, u32 bytes)
{
    const u64 *a = (const void *)want, *b = (const void *)got;
    u32 n = offset / 8;
    while (n < bytes / 8 && a[n] == b[n])
        n++;
    return n * 8;
}

/* Compares memory from this offset in LOCKSTEP_MEMORY on; unknown words become what the CPU has. */
static void compare_memory(struct player *p, const u8 *found, u32 first, u32 bytes)
{
    u8 *expected = p->o->memory + first;
    for (u32 offset = 0; (offset = next_other(expected, found, offset, bytes)) < bytes; offset += 8) {
        u64 want, got;
        memcpy(&want, expected + offset, 8);
        memcpy(&got, found + offset, 8);
        if (may_be(want, got)) {
            memcpy(expected + offset, &got, 8);
            continue;
        }
        differs(p, DIFFERENCE_RECORD, want, got);
        p->difference->number = 0;
        p->difference->step = first + offset;
        return;
    }
}

static void compare_all_memory(struct player *p)
{
    const struct lockstep_run *run = p->run;
    if (run->area && p->o->places.records)
        compare_memory(p, run->area, 0, LOCKSTEP_AREA);
    if (run->traces && p->o->places.trace && !p->difference->kind)
        compare_memory(p, run->traced, LOCKSTEP_AREA, LOCKSTEP_TRACE);
}

u32 oracle_retell(struct oracle *oracle, const struct lockstep_run *run, const u64 *end, bool storm, u64 choices,
                  u32 *used, struct difference *difference)
{
    struct player p = {
        .o = oracle,
        .promises = {.info_kept = oracle->info_kept, .info_told = oracle->info_told, .modelled = oracle->modelled},
        .run = run,
        .trace = run->trace,
        .end = end,
        .choices = choices,
        .difference = difference};
    *difference = (struct difference){0};
    play(&p);
    bool storms = p.pmis >= LOCKSTEP_PMIS;
    if (!difference->kind && storm != storms)
        differs(&p, DIFFERENCE_STORM, 0, p.pmis);
    *used = p.used;
    if (storms)
        return p.done;
    if (!difference->kind && p.trace != p.end)
        differs(&p, DIFFERENCE_PLACE, 0, pmi_next(&p) ? p.trace[1] : *p.trace);
    if (!difference->kind)
        compare_all_memory(&p);
    return p.done;
}

u64 *oracle_play(struct oracle *oracle, struct lockstep_run *run)
{
    struct difference unused;
    struct player p = {.o = oracle,
                       .run = run,
                       .plays = true,
                       .end = run->trace + RUN_TRACE,
                       .write = run->trace,
                       .difference = &unused};
    play(&p);
    return p.pmis >= LOCKSTEP_PMIS ? NULL : p.write;
}

const char *difference_name(enum difference_kind kind)
{
    static const char *const names[DIFFERENCE_KINDS] = {
        [DIFFERENCE_NONE] = "none",         [DIFFERENCE_VALUE] = "value", [DIFFERENCE_FAULT] = "fault",
        [DIFFERENCE_NO_FAULT] = "no-fault", [DIFFERENCE_PMI] = "pmi",     [DIFFERENCE_NO_PMI] = "no-pmi",
        [DIFFERENCE_PLACE] = "place",       [DIFFERENCE_STORM] = "storm", [DIFFERENCE_RECORD] = "record",
    };
    return kind < DIFFERENCE_KINDS ? names[kind] : "?";
}
