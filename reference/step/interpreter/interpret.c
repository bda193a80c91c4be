/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/interpreter/interpret.h"

#define PAGE 4096ul
#define WORD(member) (u8)(offsetof(struct frame, member) / sizeof(u64))

static const u8 places[16] = {
    WORD(rax), WORD(rcx), WORD(rdx), WORD(rbx), WORD(rsp), WORD(rbp), WORD(rsi), WORD(rdi),
    WORD(r8),  WORD(r9),  WORD(r10), WORD(r11), WORD(r12), WORD(r13), WORD(r14), WORD(r15),
};

u64 *frame_register(struct frame *f, unsigned number)
{
    return (u64 *)f + places[number & 15];
}

static u64 mask_of(unsigned size)
{
    return size == 8 ? ~0ull : BIT(8 * size) - 1;
}

/* 32-bit results clear the upper half of their register, smaller ones keep the rest. */
static void set_register(struct frame *f, unsigned number, u64 value, unsigned size)
{
    u64 *r = frame_register(f, number);
    if (size == 8)
        *r = value;
    else if (size == 4)
        *r = (u32)value;
    else
        *r = (*r & ~mask_of(size)) | (value & mask_of(size));
}

u64 operation_address(const struct operation *o, struct frame *f)
{
    u64 base = o->base == REGISTER_RIP ? f->rip + o->length : o->base == NO_REGISTER ? 0 : *frame_register(f, o->base);
    u64 index = o->index == NO_REGISTER ? 0 : *frame_register(f, o->index) << o->shift;
    u64 segment = o->segment ? guest_segment(o->segment) : 0;
    return (segment + base + index + (u64)(s64)o->displacement) & mask_of(o->width);
}

struct context {
    const struct operation *o;
    struct frame *f;
    u64 watched;
    u64 address; /* of the memory operand, if there is one */
};

/* The CPU has to make every access to the watched page. */
static bool unwatched(const struct context *c, u64 address, unsigned size)
{
    return address + size - 1 - c->watched >= PAGE + size - 1;
}

static bool load_at(const struct context *c, u64 address, unsigned size, u64 *value)
{
    return unwatched(c, address, size) && guest_load(value, address, size);
}

/* AH to BH are the second byte of their register. */
static u64 from_register(const struct context *c, u8 number, unsigned size, bool high)
{
    return (high ? *frame_register(c->f, number - 4u) >> 8 : *frame_register(c->f, number)) & mask_of(size);
}

static bool load(const struct context *c, u8 kind, u8 number, unsigned size, bool high, u64 *value)
{
    switch (kind) {
    case OPERAND_REGISTER:
        *value = from_register(c, number, size, high);
        return true;
    case OPERAND_IMMEDIATE:
        *value = (u64)c->o->immediate;
        return true;
    default:
        return load_at(c, c->address, size, value);
    }
}

static bool store_at(const struct context *c, u64 address, u64 value, unsigned size)
{
    return unwatched(c, address, size) && guest_store(address, value, size);
}

static bool store(const struct context *c, u64 value)
{
    if (c->o->to == OPERAND_MEMORY)
        return store_at(c, c->address, value, c->o->size);
    if (c->o->to_high)
        set_register(c->f, c->o->to_register - 4u,
                     (*frame_register(c->f, c->o->to_register - 4u) & 0xff) | (value & 0xff) << 8, 2);
    else
        set_register(c->f, c->o->to_register, value, c->o->size);
    return true;
}

static s64 extend(u64 value, unsigned size)
{
    unsigned unused = 64 - 8 * size;
    return (s64)(value << unused) >> unused;
}

static bool move(const struct context *c)
{
    const struct operation *o = c->o;
    unsigned from_size = o->from_size ? o->from_size : o->size;
    u64 value;
    if (!load(c, o->from, o->from_register, from_size, o->from_high, &value))
        return false;
    return store(c, o->code == OP_MOVE_SIGNED ? (u64)extend(value, from_size) : value);
}

static bool calculate(const struct context *c)
{
    const struct operation *o = c->o;
    u64 a, b = 0, rflags = c->f->rflags;
    if (!load(c, o->to, o->to_register, o->size, o->to_high, &a))
        return false;
    if (o->from && !load(c, o->from, o->from_register, o->size, o->from_high, &b))
        return false;
    u64 result = arithmetic((enum function)o->function, o->size, a, b, &rflags);
    if (o->code == OP_ARITHMETIC && !store(c, result))
        return false;
    c->f->rflags = rflags;
    return true;
}

static bool scale(const struct context *c)
{
    const struct operation *o = c->o;
    u64 value;
    if (!load(c, o->from, o->from_register, o->size, o->from_high, &value))
        return false;
    return store(c, arithmetic(DO_IMUL, o->size, value, (u64)o->immediate, &c->f->rflags));
}

static bool multiply(const struct context *c)
{
    const struct operation *o = c->o;
    u64 b, low = c->f->rax, high = 0;
    if (!load(c, o->to, o->to_register, o->size, o->to_high, &b))
        return false;
    arithmetic_wide((enum function)o->function, o->size, &low, &high, b, &c->f->rflags);
    set_register(c->f, 0, low, o->size);
    set_register(c->f, 2, high, o->size);
    return true;
}

/* Even if the condition does not hold, the operand is read and a 32-bit destination's upper half is cleared. */
static bool conditional_move(const struct context *c)
{
    const struct operation *o = c->o;
    u64 value;
    if (!load(c, o->from, o->from_register, o->size, o->from_high, &value))
        return false;
    if (!condition_holds(o->condition, c->f->rflags))
        value = *frame_register(c->f, o->to_register);
    return store(c, value);
}

static bool spread(const struct context *c)
{
    set_register(c->f, 2, extend(c->f->rax, c->o->size) < 0 ? ~0ull : 0, c->o->size);
    return true;
}

static bool change_flag(const struct context *c)
{
    u64 opcode = (u64)c->o->immediate, which = opcode >= 0xfc ? RFLAGS_DF : RFLAGS_CF, *rflags = &c->f->rflags;
    bool set = opcode == 0xf5 ? !(*rflags & RFLAGS_CF) : opcode & 1;
    *rflags = (*rflags & ~which) | (set ? which : 0);
    return true;
}

static bool push(const struct context *c, u64 value)
{
    unsigned width = c->o->width;
    u64 to = (c->f->rsp - width) & mask_of(width);
    if (!store_at(c, to, value, width))
        return false;
    c->f->rsp = to;
    return true;
}

static bool pop(const struct context *c, u64 from, u64 *value)
{
    unsigned width = c->o->width;
    if (!guest_load(value, from & mask_of(width), width))
        return false;
    c->f->rsp = (from + width) & mask_of(width);
    return true;
}

static bool stack(const struct context *c)
{
    const struct operation *o = c->o;
    u64 value;
    if (o->code == OP_PUSH)
        return load(c, o->from, o->from_register, o->width, false, &value) && push(c, value);
    if (!pop(c, o->code == OP_LEAVE ? c->f->rbp : c->f->rsp, &value))
        return false;
    *frame_register(c->f, o->code == OP_LEAVE ? 5 : o->to_register) = value;
    return true;
}

static bool ret(const struct context *c)
{
    u64 target, rsp = c->f->rsp;
    if (!pop(c, rsp, &target))
        return false;
    if (is_canonical(target))
        c->f->rip = target;
    else
        c->f->rsp = rsp;
    return is_canonical(target);
}

static bool taken(const struct operation *o, struct frame *f)
{
    switch (o->code) {
    case OP_JUMP_IF:
        return condition_holds(o->condition, f->rflags);
    case OP_LOOP:
        f->rcx = (f->rcx - 1) & mask_of(o->width);
        return f->rcx;
    case OP_JRCXZ:
        return !(f->rcx & mask_of(o->width));
    default:
        return true;
    }
}

static bool branch(const struct context *c)
{
    const struct operation *o = c->o;
    u64 target, behind = (c->f->rip + o->length) & mask_of(o->width);
    if (o->code == OP_RET)
        return ret(c);
    if (!load(c, o->from, o->from_register, o->width, false, &target))
        return false;
    if (o->from == OPERAND_IMMEDIATE)
        target = (target + behind) & mask_of(o->width);
    if (!is_canonical(target) || (o->code == OP_CALL && !push(c, behind)))
        return false;
    c->f->rip = taken(o, c->f) ? target : behind;
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

static bool copy(const struct context *c)
{
    const struct copy *copy = &c->o->copy;
    struct frame *f = c->f;
    u64 address = c->address;
    struct copy_state s = {.rax = f->rax,
                           .rcx = f->rcx,
                           .rdx = f->rdx,
                           .rsi = stand_in_value(f, copy->rsi),
                           .rdi = stand_in_value(f, copy->rdi),
                           .r8 = stand_in_value(f, copy->r8),
                           .flags = flags_pack(f->rflags),
                           .rip = f->rip,
                           .address = c->address};
    u64 *bit = copied_register(&s, copy->bit_register), number = *bit;
    if (copy->bits)
        address = operand_of_bit(copy, address, bit);
    if (c->o->from == OPERAND_MEMORY &&
        (!unwatched(c, address, copy->reach) || !guest_reach(&s.rdi, address, copy->reach, copy->stores)))
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
    return true;
}

#define ITERATIONS 128 /* of a repeated instruction at once: an interrupt waits no longer than these */

static bool iterate(const struct context *c)
{
    const struct operation *o = c->o;
    struct frame *f = c->f;
    u64 step = f->rflags & RFLAGS_DF ? 0ull - o->size : o->size, value = f->rax;
    if (o->from == OPERAND_MEMORY && !load_at(c, f->rsi, o->size, &value))
        return false;
    if (o->to == OPERAND_MEMORY && !store_at(c, f->rdi, value, o->size))
        return false;
    if (o->to == OPERAND_REGISTER)
        set_register(f, 0, value, o->size);
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
static u64 iterate_together(const struct context *c)
{
    const struct operation *o = c->o;
    struct frame *f = c->f;
    bool loads = o->from == OPERAND_MEMORY;
    u64 to, from, n = least(least(f->rcx, ITERATIONS), to_page_end(f->rdi, o->size));
    if (loads)
        n = least(n, to_page_end(f->rsi, o->size));
    unsigned bytes = (unsigned)n * o->size;
    if (o->to != OPERAND_MEMORY || f->rflags & RFLAGS_DF || n < 2 || !unwatched(c, f->rdi, bytes) ||
        !guest_reach(&to, f->rdi, bytes, true))
        return 0;
    if (loads && (!unwatched(c, f->rsi, bytes) || !guest_reach(&from, f->rsi, bytes, false)))
        return 0;
    if (!(loads ? guest_move(to, from, n, o->size) : guest_fill(to, f->rax, n, o->size)))
        return 0;
    f->rsi += loads ? bytes : 0;
    f->rdi += bytes;
    f->rcx -= n;
    return n;
}

/* A repeated instruction retires when RCX is 0: iterations may be interrupted, and each may fault. */
static bool string(const struct context *c)
{
    const struct operation *o = c->o;
    struct frame *f = c->f;
    u64 done = 0, more = 1;
    if (!o->repeated && !iterate(c))
        return false;
    while (o->repeated && f->rcx && done < ITERATIONS && more) {
        more = iterate_together(c);
        more = more ? more : iterate(c);
        done += more;
    }
    if (o->repeated && f->rcx)
        return done;
    f->rip += o->length;
    return true;
}

static bool execute(const struct context *c)
{
    const struct operation *o = c->o;
    switch (o->code) {
    case OP_NOP:
    case OP_FENCE:
        return true;
    case OP_MOVE:
    case OP_MOVE_SIGNED:
        return move(c);
    case OP_ARITHMETIC:
    case OP_COMPARE:
        return calculate(c);
    case OP_SCALE:
        return scale(c);
    case OP_LEA:
        return store(c, c->address);
    case OP_CMOV:
        return conditional_move(c);
    case OP_SETCC:
        return store(c, condition_holds(o->condition, c->f->rflags));
    case OP_MULTIPLY:
        return multiply(c);
    case OP_WIDEN:
        set_register(c->f, 0, (u64)extend(c->f->rax, o->size / 2), o->size);
        return true;
    case OP_SPREAD:
        return spread(c);
    case OP_FLAG:
        return change_flag(c);
    case OP_PUSH:
    case OP_POP:
    case OP_LEAVE:
        return stack(c);
    case OP_RDTSC: {
        u64 tsc = guest_rdtsc();
        c->f->rax = (u32)tsc;
        c->f->rdx = tsc >> 32;
        return true;
    }
    case OP_STR:
        return store(c, guest_task());
    case OP_COPY:
        return copy(c);
    }
    return false;
}

bool interpret(const struct operation *o, struct frame *f, u64 watched)
{
    struct context c = {o, f, watched, 0};
    if (o->code == OP_STRING)
        return string(&c);
    if (operation_names_memory(o))
        c.address = operation_address(o, f);
    if (o->code >= OP_JUMP && o->code <= OP_RET)
        return branch(&c);
    if (!execute(&c))
        return false;
    f->rip = (f->rip + o->length) & mask_of(o->width);
    return true;
}
