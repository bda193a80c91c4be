/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/translator/block.h"
#include "hosting/monitor/translator/block_view.h"
#include "hosting/monitor/translator/block_writer.h"
#include "kernel/text/text.h"
#include "reference/step/interpreter/interpret.h"

/*
 * The translation. RCX is borrowed for each note, since JRCXZ alone looks at a number without touching flags, and only
 * LEA, MOV and MOVZX calculate without:
 *
 *     the instructions; for the branch: JCC, LOOP or JRCXZ to the second way out, or what a call or return does
 *     a way out:  mov [state.rcx], rcx; mov rcx, [state.note]; lea rcx, [rcx - 2]; mov word [rcx], note
 *                 mov [state.note], rcx; movzx ecx, cx; jrcxz full
 *                 mov rcx, [state.rcx]; jmp [link], or to the beginning
 *                 (before that, if it leads to [state.target]: full, unless the entry of the targets is for that)
 *         full:   jmp to the stub, where RCX has been put away
 *
 * The stub:
 *
 *     enter:      mov rdi, [state.rdi]; jmp [state.code]
 *     no link:    mov [state.rcx], rcx
 *     full:       lea rcx, [state]; jmp [rcx + leave]
 */
#define MOV_TO 0x0d8948         /* mov [rel], rcx */
#define MOV_FROM 0x0d8b48       /* mov rcx, [rel] */
#define MOV_RDI 0x3d8b48        /* mov rdi, [rel] */
#define LEA_RCX 0x0d8d48        /* lea rcx, [rel] */
#define LEA_MINUS_2 0xfe498d48  /* lea rcx, [rcx - 2] */
#define MOV_TO_RDX 0x158948     /* mov [rel], rdx */
#define MOV_FROM_RDX 0x158b48   /* mov rdx, [rel] */
#define LEA_SUM 0x110c8d48      /* lea rcx, [rcx + rdx] */
#define MOVZX_TARGET 0x0db60f   /* movzx ecx, byte [rel] */
#define LEA_TWICE 0x090c8d48    /* lea rcx, [rcx + rcx] */
#define LEA_ENTRY 0xca148d48    /* lea rdx, [rdx + rcx * 8] */
#define MOV_LINK 0x084a8b48     /* mov rcx, [rdx + 8] */
#define MOV_MINUS 0x0a8b48      /* mov rcx, [rdx] */
#define MOV_WORD 0x01c766       /* mov word [rcx], 16 bits */
#define MOVZX_ECX 0xc9b70f      /* movzx ecx, cx */
#define MOV_LOW 0xf82444c7      /* mov dword [rsp - 8], 32 bits */
#define MOV_HIGH 0xfc2444c7     /* mov dword [rsp - 4], 32 bits */
#define LEA_PUSHED 0xf824648d48 /* lea rsp, [rsp - 8] */
#define POP_REL 0x058f          /* pop qword [rel] */
#define JMP_REL 0x25ff          /* jmp [rel] */
#define JMP_BY_RCX 0xa1ff       /* jmp [rcx + 32 bits] */
#define JMP 0xe9
#define JRCXZ 0xe3
#define LOOP 0xe2
#define JCC 0x70
#define WAY_SIZE 128 /* bytes that put_way() writes, at most */
#define CLOSING_SIZE (64 + 2 * WAY_SIZE)
#define STUB_FULL 20

void block_forget_targets(struct block_state *state)
{
    for (unsigned i = 0; i < BLOCK_TARGETS; i++)
        state->targets[i] = (struct block_target){.link = block_no_link(state)};
}

unsigned block_stub(struct block_state *state, u8 *code, u64 at)
{
    struct writer writer = {.code = code, .most = BLOCK_STUB, .at = at, .state = state}, *w = &writer;
    put_to(w, MOV_RDI, 3, STATE_RDI);
    put_to(w, JMP_REL, 2, STATE(code));
    w->failed |= w->count != BLOCK_STUB_OUT;
    put_to(w, MOV_TO, 3, STATE_RCX);
    w->failed |= w->count != STUB_FULL;
    put_to(w, LEA_RCX, 3, STATE(registers));
    put(w, JMP_BY_RCX, 2);
    put(w, offsetof(struct block_state, leave), 4);
    state->leave = (u64)block_leave;
    state->stub = at;
    block_forget_targets(state);
    return w->failed ? 0 : w->count;
}

/* ---- A block's own code. */

/* INC and DEC as in 32-bit code, where these opcodes are REX prefixes in 64-bit code. */
static void put_increment(struct writer *w, const struct operation *o)
{
    if (o->size == 2)
        put(w, 0x66, 1);
    put(w, 0xff, 1);
    put(w, (o->function == DO_DEC ? 0xc8 : 0xc0) | o->to_register, 1);
}

static bool short_increment(const struct operation *o)
{
    return o->width == 4 && o->code == OP_ARITHMETIC && o->function <= DO_DEC && o->function >= DO_INC &&
           o->length == (o->size == 2 ? 2 : 1);
}

/* The bytes of the instruction at `rip`, from byte `from` on. */
static void put_rest(struct writer *w, const struct operation *o, const u8 *bytes, unsigned from, u64 rip)
{
    unsigned at = operation_names_memory(o) && o->base == REGISTER_RIP ? o->displacement_at : o->length;
    for (unsigned i = from; i < at; i++)
        put(w, bytes[i], 1);
    if (at == o->length)
        return;
    put_relative(w, rip + o->length + (u64)(s64)o->displacement, o->length - at - 4);
    for (unsigned i = at + 4; i < o->length; i++)
        put(w, bytes[i], 1);
}

static void put_copy(struct writer *w, const struct operation *o, const u8 *bytes, u64 rip)
{
    if (short_increment(o))
        put_increment(w, o);
    else
        put_rest(w, o, bytes, 0, rip);
}

static bool to_target(const struct block *b, bool taken)
{
    return taken && (b->indirect || b->end == BLOCK_RETURN);
}

/* Looks the target up: jumps to the stub unless its entry in `targets` is for this address. */
static void put_comparison(struct writer *w)
{
    put_to(w, MOVZX_TARGET, 3, STATE(target));
    put_to(w, MOV_TO_RDX, 3, STATE_RDX);
    put_to(w, MOV_FROM_RDX, 3, STATE(targets));
    put(w, LEA_TWICE, 4);
    put(w, LEA_ENTRY, 4);
    put(w, MOV_LINK, 4);
    put_to(w, MOV_TO, 3, STATE(link));
    put(w, MOV_MINUS, 3);
    put_to(w, MOV_FROM_RDX, 3, STATE(target));
    put(w, LEA_SUM, 4);
    put_to(w, MOV_FROM_RDX, 3, STATE_RDX);
    put(w, JRCXZ, 1);
    put(w, 5, 1);
    put_to(w, JMP, 1, w->state->stub + STUB_FULL);
}

static void put_way(struct writer *w, const struct block *b, unsigned note, bool taken)
{
    unsigned start = w->count;
    put_to(w, MOV_TO, 3, STATE_RCX);
    put_to(w, MOV_FROM, 3, STATE(note));
    put(w, LEA_MINUS_2, 4);
    put(w, MOV_WORD, 3);
    bool nowhere = b->end == BLOCK_CONDITIONAL && b->targets[0] == b->targets[1]; /* both ways lead to the next block */
    put(w, note | (taken && !nowhere), 2);
    put_to(w, MOV_TO, 3, STATE(note));
    put(w, MOVZX_ECX, 3);
    if (b->end == BLOCK_CALL && b->indirect) { /* the monitor has to make the call */
        put_to(w, JMP, 1, w->state->stub + STUB_FULL);
        return;
    }
    put(w, JRCXZ, 1);
    unsigned distance_at = w->count;
    put(w, 0, 1);
    if (to_target(b, taken))
        put_comparison(w);
    put_to(w, MOV_FROM, 3, STATE_RCX);
    if (!to_target(b, taken) && b->targets[taken] == b->top)
        put_to(w, JMP, 1, w->at);
    else
        put_to(w, JMP_REL, 2, to_target(b, taken) ? STATE(link) : (u64)&b->links[taken]);
    if (!w->failed)
        w->code[distance_at] = (u8)(w->count - distance_at - 1);
    put_to(w, JMP, 1, w->state->stub + STUB_FULL);
    w->failed |= w->count - start > WAY_SIZE;
}

static void put_condition(struct writer *w, const struct operation *o)
{
    if (o->width == 4 && o->code != OP_JUMP_IF)
        put(w, 0x67, 1); /* tests ECX, not RCX */
    put(w, o->code == OP_LOOP ? LOOP : o->code == OP_JRCXZ ? JRCXZ : JCC | o->condition, 1);
}

#define REX_W 0x48
#define REX_R 4u
#define OPCODE_GROUP_5 0xff
#define OPCODE_LOAD 0x8b /* mov r64, r/m64 */

/* Loads RCX with the operand. */
static void put_load(struct writer *w, const struct operation *o, const u8 *bytes, u64 rip)
{
    bool rex = is_rex(bytes[0]);
    put(w, REX_W | (rex ? bytes[0] & ~REX_R : 0), 1);
    put(w, OPCODE_LOAD, 1);
    put(w, (bytes[rex + 1] & 0xc7) | 1 << 3, 1);
    put_rest(w, o, bytes, rex + 2u, rip);
}

/* For CALL and JMP to an address in an operand: stores the address in the state, by way of RCX. */
static void put_target(struct writer *w, const struct block *b, const u8 *bytes, u64 rip)
{
    put_to(w, MOV_TO, 3, STATE_RCX);
    put_load(w, &b->closing, bytes, rip);
    put_to(w, MOV_TO, 3, STATE(target));
    put_to(w, MOV_FROM, 3, STATE_RCX);
}

static void put_call(struct writer *w, u64 behind)
{
    put(w, MOV_LOW, 4);
    put(w, behind, 4);
    put(w, MOV_HIGH, 4);
    put(w, behind >> 32, 4);
    put(w, LEA_PUSHED, 5);
}

/* What the branch does apart from changing RIP. */
static void put_branch(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip)
{
    if (b->viewed && b->end != BLOCK_GOES_ON && block_view_accesses(o)) {
        block_view_put(w, b, o, bytes, rip);
        return;
    }
    if (b->indirect)
        put_target(w, b, bytes, rip);
    if (b->end == BLOCK_CALL && !b->indirect)
        put_call(w, b->behind);
    if (b->end == BLOCK_RETURN)
        put_to(w, POP_REL, 2, STATE(target));
}

static void put_ways(struct writer *w, struct block *b, unsigned note)
{
    if (b->end == BLOCK_CONDITIONAL) {
        put_condition(w, &b->closing);
        unsigned distance_at = w->count;
        put(w, 0, 1);
        put_way(w, b, note, false);
        if (!w->failed)
            w->code[distance_at] = (u8)(w->count - distance_at - 1);
    }
    put_way(w, b, note, b->end != BLOCK_GOES_ON);
}

/* ---- What a block is. */

/* An absolute address in 32-bit code; in 64-bit code the same bytes are relative to RIP. */
static bool absolute(const struct operation *o)
{
    return o->width == 4 && operation_names_memory(o) && o->base == NO_REGISTER && o->index == NO_REGISTER;
}

static bool straight(const struct operation *o)
{
    bool simple = o->code && (o->code < OP_JUMP || o->code == OP_FENCE);
    bool whole = (o->code == OP_STRING && !o->repeated) || o->code == OP_COPY;
    return !absolute(o) && (simple || (whole && o->width == 8));
}

static bool direct(const struct operation *o)
{
    return o->from == OPERAND_IMMEDIATE;
}

/* Not calls and returns of 32-bit code, whose stack slots are narrower, nor branches with prefixes. */
static bool ends_block(const struct operation *o)
{
    switch (o->code) {
    case OP_JUMP_IF:
    case OP_LOOP:
    case OP_JRCXZ:
        return true;
    case OP_JUMP:
        return direct(o) || o->width == 8;
    case OP_CALL:
        return o->width == 8;
    case OP_RET:
        return o->width == 8;
    default:
        return false;
    }
}

/* Has it no prefix but REX? */
static bool plain_group_5(const struct operation *o, const u8 *bytes)
{
    return o->code && bytes[is_rex(bytes[0])] == OPCODE_GROUP_5;
}

bool block_takes(const struct operation *o, const u8 *bytes, bool viewed, bool *ends)
{
    *ends = ends_block(o);
    bool indirect = *ends && (o->code == OP_JUMP || o->code == OP_CALL) && !direct(o);
    if (indirect && !plain_group_5(o, bytes))
        return false;
    return (*ends || straight(o)) && (viewed ? block_view_takes(o, bytes) : !o->segment);
}

static u8 end_of(const struct operation *o)
{
    static const u8 ends[] = {
        [OP_JUMP] = BLOCK_JUMP,         [OP_JUMP_IF] = BLOCK_CONDITIONAL, [OP_LOOP] = BLOCK_CONDITIONAL,
        [OP_JRCXZ] = BLOCK_CONDITIONAL, [OP_CALL] = BLOCK_CALL,           [OP_RET] = BLOCK_RETURN};
    return ends_block(o) ? ends[o->code] : BLOCK_GOES_ON;
}

static void note_memory(struct block *b, const struct operation *o, u8 access)
{
    b->touches_memory |= operation_accesses(o);
    b->vector |= o->code == OP_COPY && o->copy.vector;
    b->vex |= o->code == OP_COPY && o->copy.vex;
    b->counts.loads += !!(access & ACCESS_LOAD);
    b->counts.stores += !!(access & ACCESS_STORE);
}

/* Ends the block after `count` instructions. */
static void close(struct block *b, const struct operation *last, unsigned length)
{
    u64 behind = b->top + length, target = behind + (u64)last->immediate;
    b->end = end_of(last);
    b->behind = behind;
    b->indirect = (b->end == BLOCK_JUMP || b->end == BLOCK_CALL) && !direct(last);
    b->closing = *last;
    bool narrow = last->width == 4;
    b->targets[0] = narrow ? (u32)behind : behind;
    b->targets[1] = b->indirect || b->end == BLOCK_RETURN ? 0 : narrow ? (u32)target : target;
    b->counts.instructions = b->count;
    if (b->end != BLOCK_GOES_ON)
        model_run_branch(&b->counts, b->branch, false);
}

static void put_one(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip)
{
    if (b->viewed && block_view_accesses(o))
        block_view_put(w, b, o, bytes, rip);
    else
        put_copy(w, o, bytes, rip);
}

/* For one more instruction, which may be the last one, and for the code that ends the block. */
static bool has_room(const struct writer *w, const struct block *b)
{
    unsigned viewed = b->viewed ? BLOCK_VIEW_SIZE * (2 + b->site_count / 2u) : 0;
    return w->count + viewed + INSTRUCTION_BYTES + CLOSING_SIZE <= w->most && b->site_count < BLOCK_SITES;
}

/* Adds instructions until one ends the block or there is no room. Returns the offset of the last one. */
static unsigned put_body(struct writer *w, struct block *b, const struct block_source *s)
{
    unsigned length = 0, begins = 0;
    bool ends = false;
    while (b->count < s->count && !ends && has_room(w, b)) {
        const struct operation *o = &s->body[b->count];
        if (length + o->length > BLOCK_BYTES)
            break;
        begins = length;
        ends = ends_block(o);
        b->starts[b->count] = (u8)length;
        b->places[b->count] = (u16)w->count;
        b->access[b->count] = s->access[b->count];
        note_memory(b, o, s->access[b->count++]);
        if (!ends)
            put_one(w, b, o, s->bytes + length, s->top + length);
        length += o->length;
        b->starts[b->count] = (u8)length;
    }
    return begins;
}

unsigned block_translate(struct block *b, unsigned number, const struct block_source *source, u8 *code, u64 at,
                         const struct block_state *state)
{
    struct writer w = {.code = code, .most = BLOCK_CODE, .at = at, .state = state};
    *b = (struct block){.top = source->top, .branch = source->branch, .viewed = source->viewed};
    unsigned begins = put_body(&w, b, source);
    if (!b->count)
        return 0;
    const struct operation *last = &source->body[b->count - 1];
    const u8 *bytes = source->bytes + begins;
    close(b, last, b->starts[b->count]);
    put_branch(&w, b, last, bytes, source->top + begins);
    b->places[b->count] = (u16)w.count;
    put_ways(&w, b, 2 * number);
    block_view_put_misses(&w, b, number);
    b->links[0] = b->links[1] = block_no_link(state);
    memcpy(b->bytes, source->bytes, b->starts[b->count]);
    b->count = w.failed ? 0 : b->count;
    return w.failed ? 0 : w.count;
}

unsigned block_instruction_at(const struct block *b, u64 offset)
{
    for (unsigned i = 0; i < b->count; i++)
        if (offset >= b->places[i] && offset < b->places[i + 1])
            return i;
    return b->count;
}

u64 block_faulted(const struct block *b, unsigned number, u64 offset, struct block_state *state)
{
    unsigned i = block_instruction_at(b, offset);
    if (i == b->count)
        return 0;
    bool by_site = b->viewed && block_view_accesses(&b->closing);
    bool borrowed = b->indirect && !by_site && i == b->count - 1u && offset > b->places[i]; /* RCX is in the state */
    state->faulted = 1 + number;
    state->faulted_at = i;
    return state->stub + (borrowed ? STUB_FULL : BLOCK_STUB_OUT);
}

u64 block_next(const struct block *b, const struct block_state *state, bool taken)
{
    return to_target(b, taken) ? state->target : b->targets[taken];
}

bool block_branches(const struct block *b, struct block_state *state, bool taken)
{
    u64 *rsp = &state->registers[4];
    bool can_be = is_canonical(block_next(b, state, taken));
    if (b->end == BLOCK_RETURN && !can_be)
        *rsp -= 8;
    if (b->end != BLOCK_CALL || !b->indirect)
        return can_be;
    if (!can_be || !guest_store(*rsp - 8, b->behind, 8))
        return false;
    *rsp -= 8;
    return true;
}

void block_give_back(const struct block *b, unsigned instruction, struct block_state *state)
{
    for (unsigned i = 0; i < b->site_count; i++)
        if (b->sites[i].instruction == instruction)
            state->registers[b->sites[i].t] = state->kept;
}

u64 *block_connect(struct block *b, struct block_state *state, bool taken, u64 next, u64 code)
{
    if (b->end == BLOCK_CALL && b->indirect)
        return NULL;
    struct block_target *target = &state->targets[next % BLOCK_TARGETS];
    u64 *link = to_target(b, taken) ? &target->link : &b->links[taken];
    if (to_target(b, taken))
        target->minus = -next;
    else if (b->targets[taken] != next)
        return NULL;
    *link = code;
    return link;
}

/* ---- What a block counts. */

void block_count_part(struct model_run *sum, const struct block *b, unsigned instructions)
{
    sum->instructions += instructions;
    for (unsigned i = 0; i < instructions; i++) {
        sum->loads += !!(b->access[i] & ACCESS_LOAD);
        sum->stores += !!(b->access[i] & ACCESS_STORE);
    }
}

void block_count(struct model_run *sum, const struct block *b, u32 times, bool taken)
{
    const struct model_run *c = &b->counts;
    sum->instructions += times * c->instructions;
    sum->branches += times * c->branches;
    sum->taken += taken ? times : 0;
    sum->conditional += times * c->conditional;
    sum->calls += times * c->calls;
    sum->returns += times * c->returns;
    sum->indirect_calls += times * c->indirect_calls;
    sum->indirect_jumps += times * c->indirect_jumps;
    sum->loads += times * c->loads;
    sum->stores += times * c->stores;
}

bool block_spins(const struct block *b)
{
    return b->count == 1 && b->targets[1] == b->top && (b->end == BLOCK_CONDITIONAL || b->end == BLOCK_JUMP);
}

/* How often a branch to itself is taken until it is not; ~0: always. */
static u64 times_taken(const struct operation *o, const struct block_state *state)
{
    u64 rcx = o->width == 4 ? (u32)state->registers[1] : state->registers[1];
    switch (o->code) {
    case OP_JUMP_IF:
        return condition_holds(o->condition, state->rflags) ? ~0ull : 0;
    case OP_JRCXZ:
        return rcx ? 0 : ~0ull;
    case OP_LOOP:
        return o->width == 4 ? (u32)(rcx - 1) : rcx - 1;
    default:
        return ~0ull;
    }
}

/* Only RCX changes from one turn to the next. */
bool block_spin(const struct block *b, struct block_state *state, u32 turns, struct model_run *counts)
{
    const struct operation *o = &b->closing;
    u64 times = times_taken(o, state);
    u32 taken = times < turns ? (u32)times : turns;
    bool ends = times < turns;
    if (o->code == OP_LOOP) {
        u64 rcx = state->registers[1] - taken - ends;
        state->registers[1] = o->width == 4 ? (u32)rcx : rcx;
    }
    counts->taken += taken;
    counts->instructions += taken + ends;
    counts->branches += taken + ends;
    counts->conditional += b->end == BLOCK_CONDITIONAL ? taken + ends : 0;
    return ends;
}
