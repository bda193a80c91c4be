#include "pmu/reference/monitor/interpreter/loop.h"
#include "pmu/reference/monitor/interpreter/arithmetic.h"

/*
 * The translation. RCX is borrowed at the end of each turn, since JRCXZ alone looks at a number without touching flags:
 *
 *     leave:  mov [state.rcx], rcx; lea rcx, [state]; jmp [rcx + leave]
 *     code:   mov rdi, [state.rdi]
 *     top:    the instructions; behind each branch that may leave, and over it otherwise:
 *                 mov [state.stop], LOOP_LEFT + number; jmp leave
 *             mov [state.rcx], rcx; mov rcx, [state.left]; lea rcx, [rcx - 1]; mov [state.left], rcx; jrcxz spent
 *             mov rcx, [state.rcx]; jmp top
 *     spent:  mov [state.stop], 0; jmp leave, behind its first instruction
 */
struct writer {
    u8 *code;
    unsigned count;
    u64 at;
    const struct loop_state *state;
    bool failed; /* no room, or out of reach */
};

static void put(struct writer *w, u64 value, unsigned size)
{
    if (w->count + size > LOOP_CODE) {
        w->failed = true;
        return;
    }
    for (unsigned i = 0; i < size; i++)
        w->code[w->count++] = (u8)(value >> 8 * i);
}

/* A displacement of 32 bits to `target`, with so many bytes of the instruction behind it. */
static void put_relative(struct writer *w, u64 target, unsigned behind)
{
    s64 distance = (s64)(target - (w->at + w->count + 4 + behind));
    w->failed |= distance != (s32)distance;
    put(w, (u64)distance, 4);
}

#define MOV_TO 0x0d8948   /* mov [rel], rcx */
#define MOV_FROM 0x0d8b48 /* mov rcx, [rel] */
#define LEA_RCX 0x0d8d48  /* lea rcx, [rel] */
#define MOV_RDI 0x3d8b48  /* mov rdi, [rel] */
#define MOV_IMMEDIATE 0x05c748
#define LEA_MINUS_1 0xff498d48 /* lea rcx, [rcx - 1] */
#define JMP_BY_RCX 0xa1ff      /* jmp [rcx + 32 bits] */
#define JMP 0xe9
#define JRCXZ 0xe3
#define LOOP 0xe2
#define JCC 0x70
#define EXIT_SIZE 16 /* of what put_exit() writes */
#define BEHIND_MOV 7

/* An instruction of three bytes with one of the state's words. */
static void put_state(struct writer *w, u32 opcode, unsigned offset, unsigned behind)
{
    put(w, opcode, 3);
    put_relative(w, (u64)w->state + offset, behind);
}

#define STATE(member) offsetof(struct loop_state, member)
#define STATE_RCX (STATE(registers) + 1 * 8)
#define STATE_RDI (STATE(registers) + 7 * 8)

static void put_leave(struct writer *w)
{
    put_state(w, MOV_TO, STATE_RCX, 0);
    put_state(w, LEA_RCX, 0, 0);
    put(w, JMP_BY_RCX, 2);
    put(w, STATE(leave), 4);
}

/* `skip`: RCX has been put away already. */
static void put_exit(struct writer *w, u32 stop, unsigned skip)
{
    put_state(w, MOV_IMMEDIATE, STATE(stop), 4);
    put(w, stop, 4);
    put(w, JMP, 1);
    put_relative(w, w->at + skip, 0);
}

static void put_turn(struct writer *w, u64 top)
{
    put_state(w, MOV_TO, STATE_RCX, 0);
    put_state(w, MOV_FROM, STATE(left), 0);
    put(w, LEA_MINUS_1, 4);
    put_state(w, MOV_TO, STATE(left), 0);
    put(w, JRCXZ, 1);
    put(w, BEHIND_MOV + 5, 1); /* over the next two instructions */
    put_state(w, MOV_FROM, STATE_RCX, 0);
    put(w, JMP, 1);
    put_relative(w, top, 0);
    put_exit(w, 0, BEHIND_MOV);
}

static bool has_memory(const struct operation *o)
{
    return o->to == OPERAND_MEMORY || o->from == OPERAND_MEMORY;
}

/* INC and DEC of 32-bit code, which are prefixes in 64-bit code. */
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

static void put_copy(struct writer *w, const struct operation *o, const u8 *bytes, u64 rip)
{
    if (short_increment(o)) {
        put_increment(w, o);
        return;
    }
    unsigned at = has_memory(o) && o->base == REGISTER_RIP ? o->displacement_at : o->length;
    for (unsigned i = 0; i < at; i++)
        put(w, bytes[i], 1);
    if (at == o->length)
        return;
    put_relative(w, rip + o->length + (u64)(s64)o->displacement, o->length - at - 4);
    for (unsigned i = at + 4; i < o->length; i++)
        put(w, bytes[i], 1);
}

/* Short, over the exit that follows. */
static void put_branch(struct writer *w, u8 opcode)
{
    put(w, opcode, 1);
    put(w, EXIT_SIZE, 1);
}

static void put_closing_branch(struct writer *w, const struct operation *o, u32 number)
{
    if (o->code != OP_JUMP) {
        if (o->width == 4 && o->code != OP_JUMP_IF)
            put(w, 0x67, 1); /* looks at ECX */
        put_branch(w, o->code == OP_LOOP ? LOOP : o->code == OP_JRCXZ ? JRCXZ : JCC | o->condition);
        put_exit(w, LOOP_LEFT + number, 0);
    }
}

/* Of 32-bit code; in 64-bit code the same bytes are relative to RIP. */
static bool absolute(const struct operation *o)
{
    return o->width == 4 && has_memory(o) && o->base == NO_REGISTER && o->index == NO_REGISTER;
}

/* Neither a branch nor anything that looks beyond registers, flags and memory. */
static bool straight(const struct operation *o)
{
    return !absolute(o) && !o->segment && o->code != OP_NONE && (o->code < OP_JUMP || o->code == OP_FENCE);
}

static bool closes(const struct operation *o)
{
    bool direct = o->code == OP_JUMP && o->from == OPERAND_IMMEDIATE;
    return direct || o->code == OP_JUMP_IF || o->code == OP_LOOP || o->code == OP_JRCXZ;
}

/* Notes where its instructions are and what they do; false: not a loop of ours. */
static bool survey(struct loop *l, const struct operation *body, unsigned count, u64 top)
{
    unsigned length = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct operation *o = &body[i];
        bool last = i == count - 1;
        l->starts[i] = (u8)length;
        length += o->length;
        if (length > LOOP_BYTES || !(last ? closes(o) : straight(o) || o->code == OP_JUMP_IF))
            return false;
        l->is_branch[i] = last || o->code == OP_JUMP_IF;
        l->targets[i] = top + length + (u64)o->immediate;
        if (o->width == 4)
            l->targets[i] = (u32)l->targets[i];
        l->branches += l->is_branch[i];
        bool stack = o->code >= OP_PUSH && o->code <= OP_LEAVE;
        l->touches_memory |= stack || (has_memory(o) && o->code != OP_LEA && o->code != OP_NOP);
        l->stores |= o->code == OP_PUSH || (o->to == OPERAND_MEMORY && o->code != OP_COMPARE);
    }
    l->always = body[count - 1].code == OP_JUMP;
    l->closing = body[count - 1];
    l->starts[count] = (u8)length;
    l->count = (u8)count;
    l->top = top;
    l->behind = top + length;
    return l->targets[count - 1] == top;
}

/* Do the other branches lead out of the loop? */
static bool leaves(const struct loop *l)
{
    for (unsigned i = 0; i + 1 < l->count; i++)
        if (l->is_branch[i] && l->targets[i] >= l->top && l->targets[i] < l->behind)
            return false;
    return true;
}

unsigned loop_translate(struct loop *l, const struct operation *body, unsigned count, u64 top, const u8 *bytes,
                        u8 *code, u64 at, const struct loop_state *state)
{
    struct writer w = {.code = code, .at = at, .state = state};
    *l = (struct loop){.count = 0};
    if (!count || count > LOOP_INSTRUCTIONS || !survey(l, body, count, top) || !leaves(l))
        return 0;
    put_leave(&w);
    w.failed |= w.count != LOOP_ENTRY;
    put_state(&w, MOV_RDI, STATE_RDI, 0);
    u64 again = at + w.count;
    for (unsigned i = 0; i < count; i++) {
        l->places[i] = (u16)w.count;
        if (i == count - 1) {
            put_closing_branch(&w, &body[i], i);
        } else if (l->is_branch[i]) {
            put_branch(&w, JCC | (body[i].condition ^ 1));
            put_exit(&w, LOOP_LEFT + i, 0);
        } else {
            put_copy(&w, &body[i], bytes + l->starts[i], top + l->starts[i]);
        }
    }
    l->places[count] = (u16)w.count;
    put_turn(&w, again);
    for (unsigned i = 0; i < l->starts[count]; i++)
        l->bytes[i] = bytes[i];
    return w.failed ? 0 : w.count;
}

/* How often a branch to itself is taken before it is not, which is never in ~0 times. */
static u64 times_taken(const struct operation *o, const struct loop_state *state)
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

/* Nothing but RCX changes from one turn to the next. */
static void spin(const struct operation *o, struct loop_state *state)
{
    u64 times = times_taken(o, state), turns = state->left, taken = times < turns ? times : turns;
    bool ends = times < turns;
    if (o->code == OP_LOOP) {
        u64 rcx = state->registers[1] - taken - ends;
        state->registers[1] = o->width == 4 ? (u32)rcx : rcx;
    }
    state->left = turns - taken;
    state->stop = ends ? LOOP_LEFT : 0;
}

void loop_run(const struct loop *l, struct loop_state *state)
{
    if (l->count == 1)
        spin(&l->closing, state);
    else
        loop_enter(state);
}

static u32 branches_before(const struct loop *l, unsigned instruction)
{
    u32 sum = 0;
    for (unsigned i = 0; i < instruction; i++)
        sum += l->is_branch[i];
    return sum;
}

struct loop_result loop_result(const struct loop *l, const struct loop_state *state, u64 turns)
{
    u32 whole = (u32)(turns - state->left), by = (u32)(state->stop % LOOP_LEFT);
    bool left = state->stop >= LOOP_LEFT;
    u32 part = left ? by + 1 : by;    /* of the last turn */
    bool ended = by == l->count - 1u; /* the branch back was not taken */
    u64 target = ended ? l->behind : l->targets[by];
    u32 branches = whole * l->branches + branches_before(l, part);
    return (struct loop_result){
        .instructions = whole * l->count + part,
        .branches = branches,
        .taken = whole + (left && !ended),
        .conditional = l->always ? branches - whole : branches,
        .last = l->top + l->starts[(part ? part : l->count) - 1],
        .rip = left ? target : l->top + l->starts[by],
    };
}

bool loop_faulted(const struct loop *l, u64 offset, unsigned *instruction)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->places[i] == offset) {
            *instruction = i;
            return true;
        }
    return false;
}
