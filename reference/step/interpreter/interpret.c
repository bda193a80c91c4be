/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/interpreter/interpret.h"

#define PAGE 4096ul

u64 operation_address(const struct operation *o, struct frame *f)
{
    u64 base = o->base == REGISTER_RIP ? f->rip + o->length : o->base == NO_REGISTER ? 0 : *frame_register(f, o->base);
    u64 index = o->index == NO_REGISTER ? 0 : *frame_register(f, o->index) << o->shift;
    u64 segment = o->segment ? guest_segment(o->segment) : 0;
    return (segment + base + index + (u64)(s64)o->displacement) & size_mask(o->width);
}

static bool unwatched(u64 watched, u64 address, unsigned size)
{
    return address + size - 1 - watched >= PAGE + size - 1;
}

static bool load_at(u64 watched, u64 address, unsigned size, u64 *value)
{
    return unwatched(watched, address, size) && guest_load(value, address, size);
}

static bool store_at(u64 watched, u64 address, u64 value, unsigned size)
{
    return unwatched(watched, address, size) && guest_store(address, value, size);
}

/* AH to BH are the second byte of their register. */
static u64 from_register(struct frame *f, u8 number, unsigned size, bool high)
{
    return (high ? *frame_register(f, number - 4u) >> 8 : *frame_register(f, number)) & size_mask(size);
}

static void to_register(const struct operation *o, struct frame *f, u64 value)
{
    if (o->to_high)
        frame_set(f, o->to_register - 4u, (*frame_register(f, o->to_register - 4u) & 0xff) | (value & 0xff) << 8, 2);
    else
        frame_set(f, o->to_register, value, o->size);
}

static bool load(const struct operation *o, struct frame *f, u64 watched, unsigned size, u64 *value)
{
    if (o->from == OPERAND_MEMORY)
        return load_at(watched, operation_address(o, f), size, value);
    *value = o->from == OPERAND_REGISTER ? from_register(f, o->from_register, size, o->from_high) : (u64)o->immediate;
    return true;
}

/* The operand that is changed, or only looked at. */
static bool load_changed(const struct operation *o, struct frame *f, u64 watched, u64 *value)
{
    if (o->to == OPERAND_MEMORY)
        return load_at(watched, operation_address(o, f), o->size, value);
    *value = from_register(f, o->to_register, o->size, o->to_high);
    return true;
}

static bool store(const struct operation *o, struct frame *f, u64 watched, u64 value)
{
    if (o->to == OPERAND_MEMORY)
        return store_at(watched, operation_address(o, f), value, o->size);
    to_register(o, f, value);
    return true;
}

static bool move(const struct operation *o, struct frame *f, u64 watched)
{
    unsigned from_size = o->from_size ? o->from_size : o->size;
    u64 value;
    if (!load(o, f, watched, from_size, &value))
        return false;
    if (o->code == OP_MOVE_SIGNED)
        value = (u64)sign_extended(value, from_size);
    return store(o, f, watched, value) && operation_done(o, f);
}

static bool calculate(const struct operation *o, struct frame *f, u64 watched)
{
    u64 a, b = 0, rflags = f->rflags;
    if (!load_changed(o, f, watched, &a))
        return false;
    if (o->from && !load(o, f, watched, o->size, &b))
        return false;
    a = arithmetic((enum function)o->function, o->size, a, b, &rflags);
    if (o->code == OP_ARITHMETIC && !store(o, f, watched, a))
        return false;
    f->rflags = rflags;
    return operation_done(o, f);
}

static bool scale(const struct operation *o, struct frame *f, u64 watched)
{
    u64 value;
    if (!load(o, f, watched, o->size, &value))
        return false;
    to_register(o, f, arithmetic(DO_IMUL, o->size, value, (u64)o->immediate, &f->rflags));
    return operation_done(o, f);
}

static bool multiply(const struct operation *o, struct frame *f, u64 watched)
{
    u64 b, low = f->rax, high = 0;
    if (!load_changed(o, f, watched, &b))
        return false;
    arithmetic_wide((enum function)o->function, o->size, &low, &high, b, &f->rflags);
    frame_set(f, 0, low, o->size);
    frame_set(f, 2, high, o->size);
    return operation_done(o, f);
}

/* Even if the condition does not hold, the operand is read and a 32-bit destination's upper half is cleared. */
static bool conditional_move(const struct operation *o, struct frame *f, u64 watched)
{
    u64 value;
    if (!load(o, f, watched, o->size, &value))
        return false;
    if (!condition_holds(o->condition, f->rflags))
        value = *frame_register(f, o->to_register);
    to_register(o, f, value);
    return operation_done(o, f);
}

static bool set_by_condition(const struct operation *o, struct frame *f, u64 watched)
{
    return store(o, f, watched, condition_holds(o->condition, f->rflags)) && operation_done(o, f);
}

static bool load_address(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    to_register(o, f, operation_address(o, f));
    return operation_done(o, f);
}

static bool widen(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    frame_set(f, 0, (u64)sign_extended(f->rax, o->size / 2), o->size);
    return operation_done(o, f);
}

static bool spread(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    frame_set(f, 2, sign_extended(f->rax, o->size) < 0 ? ~0ull : 0, o->size);
    return operation_done(o, f);
}

static bool change_flag(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    u64 opcode = (u64)o->immediate, which = opcode >= 0xfc ? RFLAGS_DF : RFLAGS_CF, *rflags = &f->rflags;
    bool set = opcode == 0xf5 ? !(*rflags & RFLAGS_CF) : opcode & 1;
    *rflags = (*rflags & ~which) | (set ? which : 0);
    return operation_done(o, f);
}

static bool read_clock(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    u64 tsc = guest_rdtsc();
    f->rax = (u32)tsc;
    f->rdx = tsc >> 32;
    return operation_done(o, f);
}

static bool push(const struct operation *o, struct frame *f, u64 watched, u64 value)
{
    u64 to = (f->rsp - o->width) & size_mask(o->width);
    if (!store_at(watched, to, value, o->width))
        return false;
    f->rsp = to;
    return true;
}

static bool pop(const struct operation *o, struct frame *f, u64 from, u64 *value)
{
    if (!guest_load(value, from & size_mask(o->width), o->width))
        return false;
    f->rsp = (from + o->width) & size_mask(o->width);
    return true;
}

static bool push_operand(const struct operation *o, struct frame *f, u64 watched)
{
    u64 value;
    return load(o, f, watched, o->width, &value) && push(o, f, watched, value) && operation_done(o, f);
}

static bool pop_register(const struct operation *o, struct frame *f, u64 watched)
{
    u64 value;
    (void)watched;
    if (!pop(o, f, f->rsp, &value))
        return false;
    *frame_register(f, o->to_register) = value;
    return operation_done(o, f);
}

static bool leave(const struct operation *o, struct frame *f, u64 watched)
{
    u64 value;
    (void)watched;
    if (!pop(o, f, f->rbp, &value))
        return false;
    f->rbp = value;
    return operation_done(o, f);
}

static bool ret(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    u64 target, rsp = f->rsp;
    if (!pop(o, f, rsp, &target))
        return false;
    if (is_canonical(target))
        f->rip = target;
    else
        f->rsp = rsp;
    return is_canonical(target);
}

static bool taken(const struct operation *o, struct frame *f)
{
    switch (o->code) {
    case OP_JUMP_IF:
        return condition_holds(o->condition, f->rflags);
    case OP_LOOP:
        f->rcx = (f->rcx - 1) & size_mask(o->width);
        return f->rcx;
    case OP_JRCXZ:
        return !(f->rcx & size_mask(o->width));
    default:
        return true;
    }
}

/* By a distance from the instruction behind. */
static bool jump_near(const struct operation *o, struct frame *f, u64 watched)
{
    u64 behind = (f->rip + o->length) & size_mask(o->width),
        target = (behind + (u64)o->immediate) & size_mask(o->width);
    (void)watched;
    if (!is_canonical(target))
        return false;
    f->rip = taken(o, f) ? target : behind;
    return true;
}

static bool jump(const struct operation *o, struct frame *f, u64 watched)
{
    u64 target;
    if (o->from == OPERAND_IMMEDIATE)
        return jump_near(o, f, watched);
    if (!load(o, f, watched, o->width, &target) || !is_canonical(target))
        return false;
    f->rip = target;
    return true;
}

static bool call(const struct operation *o, struct frame *f, u64 watched)
{
    u64 target, behind = (f->rip + o->length) & size_mask(o->width);
    if (!load(o, f, watched, o->width, &target))
        return false;
    if (o->from == OPERAND_IMMEDIATE)
        target = (target + behind) & size_mask(o->width);
    if (!is_canonical(target) || !push(o, f, watched, behind))
        return false;
    f->rip = target;
    return true;
}

static u64 stand_in_value(struct frame *f, u8 number)
{
    return number < NO_REGISTER ? *frame_register(f, number) : 0;
}

static void stand_in_done(struct frame *f, u8 number, u64 value)
{
    if (number < NO_REGISTER)
        *frame_register(f, number) = value;
}

static u64 *copied_register(struct copy_state *s, u8 number)
{
    u64 *const registers[] = {&s->rax, &s->rcx, &s->rdx};
    return number < ARRAY_SIZE(registers) ? registers[number] : &s->rsi;
}

/* BT and the like number a bit, forwards or backwards from the operand: finds the one that has it. SDM 2A, "BT - Bit
 * Test". Returns its address, and changes the number to that of a bit in it. */
static u64 operand_of_bit(const struct copy *copy, u64 address, u64 *number)
{
    unsigned above = 64 - 8u * copy->bits;
    s64 bit = (s64)(*number << above) >> above, mask = 8 * copy->bits - 1;
    *number = (u64)(bit & mask);
    return address + (u64)((bit & ~mask) / 8);
}

static bool copy(const struct operation *o, struct frame *f, u64 watched)
{
    const struct copy *copy = &o->copy;
    u64 address = o->from == OPERAND_MEMORY ? operation_address(o, f) : 0;
    struct copy_state s = {.rax = f->rax,
                           .rcx = f->rcx,
                           .rdx = f->rdx,
                           .rsi = stand_in_value(f, copy->rsi),
                           .rdi = stand_in_value(f, copy->rdi),
                           .r8 = stand_in_value(f, copy->r8),
                           .flags = flags_pack(f->rflags),
                           .rip = f->rip,
                           .address = address};
    u64 *bit = copied_register(&s, copy->bit_register), number = *bit;
    if (copy->bits)
        address = operand_of_bit(copy, address, bit);
    if (o->from == OPERAND_MEMORY &&
        (!unwatched(watched, address, copy->reach) || !guest_reach(&s.rdi, address, copy->reach, copy->stores)))
        return false;
    if (!guest_copied(copy, &s))
        return false;
    if (copy->bits)
        *bit = number;
    f->rax = s.rax;
    f->rcx = s.rcx;
    f->rdx = s.rdx;
    stand_in_done(f, copy->rsi, s.rsi);
    stand_in_done(f, copy->rdi, s.rdi);
    stand_in_done(f, copy->r8, s.r8);
    flags_unpack((u32)s.flags, &f->rflags);
    return operation_done(o, f);
}

#define ITERATIONS 128 /* of a repeated instruction at once: an interrupt waits no longer than these */

static bool iterate(const struct operation *o, struct frame *f, u64 watched)
{
    u64 step = f->rflags & RFLAGS_DF ? 0ull - o->size : o->size, value = f->rax;
    if (o->from == OPERAND_MEMORY && !load_at(watched, f->rsi, o->size, &value))
        return false;
    if (o->to == OPERAND_MEMORY && !store_at(watched, f->rdi, value, o->size))
        return false;
    if (o->to == OPERAND_REGISTER)
        frame_set(f, 0, value, o->size);
    f->rsi += o->from == OPERAND_MEMORY ? step : 0;
    f->rdi += o->to == OPERAND_MEMORY ? step : 0;
    f->rcx -= o->repeated;
    return true;
}

static u64 least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* How many of `size` bytes there are from `address` to the end of its page. */
static u64 to_page_end(u64 address, unsigned size)
{
    return (PAGE - address % PAGE) / size;
}

/* Iterations of MOVS or STOS at once, upwards and up to the end of a page. Returns how many; 0: one is to be tried. */
static u64 iterate_together(const struct operation *o, struct frame *f, u64 watched)
{
    bool loads = o->from == OPERAND_MEMORY;
    u64 to, from, n = least(least(f->rcx, ITERATIONS), to_page_end(f->rdi, o->size));
    if (loads)
        n = least(n, to_page_end(f->rsi, o->size));
    unsigned bytes = (unsigned)n * o->size;
    if (o->to != OPERAND_MEMORY || f->rflags & RFLAGS_DF || n < 2 || !unwatched(watched, f->rdi, bytes) ||
        !guest_reach(&to, f->rdi, bytes, true))
        return 0;
    if (loads && (!unwatched(watched, f->rsi, bytes) || !guest_reach(&from, f->rsi, bytes, false)))
        return 0;
    if (!(loads ? guest_move(to, from, n, o->size) : guest_fill(to, f->rax, n, o->size)))
        return 0;
    f->rsi += loads ? bytes : 0;
    f->rdi += bytes;
    f->rcx -= n;
    return n;
}

/* A repeated instruction retires when RCX is 0: iterations may be interrupted, and each may fault. */
static bool string(const struct operation *o, struct frame *f, u64 watched)
{
    u64 done = 0, more = 1;
    if (!o->repeated && !iterate(o, f, watched))
        return false;
    while (o->repeated && f->rcx && done < ITERATIONS && more) {
        more = iterate_together(o, f, watched);
        more = more ? more : iterate(o, f, watched);
        done += more;
    }
    if (o->repeated && f->rcx)
        return done;
    f->rip += o->length;
    return true;
}

static bool nop(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    return operation_done(o, f);
}

static bool store_task(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    to_register(o, f, guest_task());
    return operation_done(o, f);
}

static bool leave_to_cpu(const struct operation *o, struct frame *f, u64 watched)
{
    (void)o;
    (void)f;
    (void)watched;
    return false;
}

static const execution executions[] = {
    [OP_NONE] = leave_to_cpu,
    [OP_NOP] = nop,
    [OP_MOVE] = move,
    [OP_MOVE_SIGNED] = move,
    [OP_LEA] = load_address,
    [OP_CMOV] = conditional_move,
    [OP_SETCC] = set_by_condition,
    [OP_ARITHMETIC] = calculate,
    [OP_COMPARE] = calculate,
    [OP_SCALE] = scale,
    [OP_MULTIPLY] = multiply,
    [OP_WIDEN] = widen,
    [OP_SPREAD] = spread,
    [OP_FLAG] = change_flag,
    [OP_PUSH] = push_operand,
    [OP_POP] = pop_register,
    [OP_LEAVE] = leave,
    [OP_JUMP] = jump,
    [OP_JUMP_IF] = jump_near,
    [OP_LOOP] = jump_near,
    [OP_JRCXZ] = jump_near,
    [OP_CALL] = call,
    [OP_RET] = ret,
    [OP_FENCE] = nop,
    [OP_RDTSC] = read_clock,
    [OP_STR] = store_task,
    [OP_STRING] = string,
    [OP_COPY] = copy,
};

/* Are its operands whole registers, or immediate, of one size? */
static bool plain(const struct operation *o)
{
    return !operation_names_memory(o) && !o->to_high && !o->from_high && !o->from_size;
}

static bool move_plainly(const struct operation *o, struct frame *f, u64 watched)
{
    (void)watched;
    frame_set(f, o->to_register, o->from == OPERAND_REGISTER ? *frame_register(f, o->from_register) : (u64)o->immediate,
              o->size);
    return operation_done(o, f);
}

execution execution_of(const struct operation *o)
{
    if (plain(o) && o->code == OP_MOVE)
        return move_plainly;
    if (plain(o) && (o->code == OP_ARITHMETIC || o->code == OP_COMPARE))
        return arithmetic_of(o);
    return executions[o->code];
}

bool interpret(const struct operation *o, struct frame *f, u64 watched)
{
    return execution_of(o)(o, f, watched);
}
