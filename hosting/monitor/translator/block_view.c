/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An access, with T for RBX, RSI or RDI, one that the instruction itself does not name:
 *
 *     mov [state.rax], rax; lahf; seto al; mov [state.flags], rax; mov rax, [state.rax]
 *     mov [state.kept], T; lea T, its address, and add T, [a segment's base]
 *     xor T, [site.page]; cmp T, 4096 - size; ja miss: now T is the offset in that page
 *     add T, [site.where]
 *     mov [state.rax], rax; mov rax, [state.flags]; add al, 7FH; sahf; mov rax, [state.rax]
 *     the instruction on [T]; mov T, [state.kept]
 *
 *     miss: xor T, [site.page]; mov [state.address], T; mov T, [state.kept]; flags as above
 *           mov [state.missed], the site; jmp to the stub
 */
#include "hosting/monitor/translator/block_view.h"
#include "hosting/monitor/translator/block_writer.h"

#define PAGE 4096u
#define RBX 3
#define RSI 6
#define RDI 7

#define MOV_FROM_RAX 0x058948 /* mov [rel], rax */
#define MOV_TO_RAX 0x058b48   /* mov rax, [rel] */
#define LAHF_SETO 0xc0900f9f  /* lahf; seto al */
#define ADD_SAHF 0x9e7f04     /* add al, 7FH; sahf */
#define MOV_IMMEDIATE 0x05c748
#define JMP 0xe9
#define JA 0x870f
#define REX_W 0x48
#define LOAD 0x8b  /* mov r64, r/m64 */
#define STORE 0x89 /* mov r/m64, r64 */
#define XOR_LOAD 0x33
#define ADD_LOAD 0x03
#define LEA 0x8d

/* An instruction on T and the memory at `target`, with a 64-bit operand. */
static void put_on(struct writer *w, u8 opcode, unsigned t, u64 target)
{
    put(w, REX_W | (u32)opcode << 8 | (5 | t << 3) << 16, 3);
    put_relative(w, target, 0);
}

static void put_keep_flags(struct writer *w)
{
    put_to(w, MOV_FROM_RAX, 3, STATE_RAX);
    put(w, LAHF_SETO, 4);
    put_to(w, MOV_FROM_RAX, 3, STATE(flags));
    put_to(w, MOV_TO_RAX, 3, STATE_RAX);
}

static void put_flags_back(struct writer *w)
{
    put_to(w, MOV_FROM_RAX, 3, STATE_RAX);
    put_to(w, MOV_TO_RAX, 3, STATE(flags));
    put(w, ADD_SAHF, 3);
    put_to(w, MOV_TO_RAX, 3, STATE_RAX);
}

/* ---- Instructions as bytes. */

static bool is_prefix(u8 byte)
{
    return byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || (byte & 0xfe) == 0x64 ||
           (byte & 0xe7) == 0x26;
}

struct parts {
    unsigned prefixes;            /* number of bytes */
    u8 rex;                       /* 0: no REX prefix */
    unsigned opcode, modrm, rest; /* offsets; `rest` is what follows the operand in memory */
};

static unsigned displacement_size(const u8 *modrm, const struct operation *o)
{
    unsigned mod = *modrm >> 6;
    return mod == 1 ? 1 : mod == 2 || o->base == REGISTER_RIP || o->base == NO_REGISTER ? 4 : 0;
}

static struct parts take_apart(const struct operation *o, const u8 *bytes)
{
    struct parts p = {.prefixes = 0};
    while (is_prefix(bytes[p.prefixes]))
        p.prefixes++;
    p.opcode = p.prefixes;
    if (is_rex(bytes[p.opcode]))
        p.rex = bytes[p.opcode++];
    p.modrm = p.opcode + (bytes[p.opcode] == 0x0f ? 2 : 1);
    p.rest = o->displacement_at + displacement_size(bytes + p.modrm, o);
    return p;
}

/* The register in its reg field or opcode; 16: none. */
static unsigned named(const struct operation *o)
{
    return o->to == OPERAND_REGISTER ? o->to_register : o->from == OPERAND_REGISTER ? o->from_register : NO_REGISTER;
}

static unsigned other_than(unsigned reg)
{
    return reg == RBX ? RSI : RBX;
}

/* ---- Addresses. */

enum address { ADDRESS_OPERAND, ADDRESS_PUSHED, ADDRESS_POPPED, ADDRESS_FRAME };

static void put_operand_address(struct writer *w, const struct operation *o, u64 rip, unsigned t)
{
    bool based = o->base != NO_REGISTER, indexed = o->index != NO_REGISTER;
    if (o->base == REGISTER_RIP || (!based && !indexed)) {
        put(w, REX_W | (0xb8 + t) << 8, 2); /* mov T, 64 bits */
        put(w, (o->base == REGISTER_RIP ? rip + o->length : 0) + (u64)(s64)o->displacement, 8);
    } else { /* lea T, [base + index << shift + 32 bits] */
        put(w, REX_W | (indexed && o->index & 8 ? 2 : 0) | (based && o->base & 8 ? 1 : 0) | LEA << 8, 2);
        put(w, (based ? 0x84u : 0x04u) | t << 3, 1);
        put(w, (u32)o->shift << 6 | (indexed ? o->index & 7u : 4u) << 3 | (based ? o->base & 7u : 5u), 1);
        put(w, (u32)o->displacement, 4);
    }
    if (o->segment)
        put_on(w, ADD_LOAD, t, STATE(segments) + 8ul * (o->segment & 1u));
}

static void put_address(struct writer *w, enum address address, unsigned t)
{
    switch (address) {
    case ADDRESS_PUSHED:
        put(w, REX_W | LEA << 8 | (0x44ul | t << 3) << 16 | 0xf824ul << 24, 5); /* lea T, [rsp - 8] */
        break;
    case ADDRESS_POPPED:
        put(w, REX_W | STORE << 8 | (0xe0 | t) << 16, 3); /* mov T, rsp */
        break;
    default:
        put(w, REX_W | STORE << 8 | (0xe8 | t) << 16, 3); /* mov T, rbp */
    }
}

/* ---- An access. */

struct access {
    enum address address;
    unsigned t, size;
    bool stores;
};

/* Writes the code that makes T the address of the operand. */
static void put_access(struct writer *w, struct block *b, const struct access *a, const struct operation *o, u64 rip)
{
    w->failed |= b->site_count == BLOCK_SITES;
    if (w->failed)
        return;
    struct block_site *site = &b->sites[b->site_count++];
    *site = (struct block_site){.page = BLOCK_NO_PAGE, .where = BLOCK_NOWHERE};
    site->instruction = (u8)(b->count - 1);
    site->size = (u8)a->size;
    site->stores = a->stores;
    site->t = (u8)a->t;
    put_keep_flags(w);
    put_on(w, STORE, a->t, STATE(kept));
    if (a->address == ADDRESS_OPERAND)
        put_operand_address(w, o, rip, a->t);
    else
        put_address(w, a->address, a->t);
    put_on(w, XOR_LOAD, a->t, (u64)&site->page);
    put(w, REX_W | 0x81 << 8 | (0xf8 | a->t) << 16, 3); /* cmp T, 32 bits */
    put(w, PAGE - a->size, 4);
    put(w, JA, 2);
    site->miss_at = (u16)w->count;
    put(w, 0, 4);
    put_on(w, ADD_LOAD, a->t, (u64)&site->where);
    put_flags_back(w);
}

static void put_t_back(struct writer *w, unsigned t)
{
    put_on(w, LOAD, t, STATE(kept));
}

void block_view_put_misses(struct writer *w, struct block *b, unsigned number)
{
    for (unsigned i = 0; i < b->site_count && !w->failed; i++) {
        const struct block_site *site = &b->sites[i];
        u32 distance = w->count - site->miss_at - 4u;
        for (unsigned n = 0; n < 4; n++)
            w->code[site->miss_at + n] = (u8)(distance >> 8 * n);
        put_on(w, XOR_LOAD, site->t, (u64)&site->page);
        put_on(w, STORE, site->t, STATE(address));
        put_t_back(w, site->t);
        put_flags_back(w);
        put(w, MOV_IMMEDIATE, 3);
        put_relative(w, STATE(missed), 4);
        put(w, 1 + number * BLOCK_SITES + i, 4);
        put_to(w, JMP, 1, block_no_link(w->state));
    }
}

/* ---- Kinds of instructions. */

/* The instruction with [T] as its operand. */
static void put_in_place(struct writer *w, const struct operation *o, const u8 *bytes, unsigned t)
{
    struct parts p = take_apart(o, bytes);
    for (unsigned i = 0; i < p.prefixes; i++)
        if (bytes[i] == 0x66 || bytes[i] >= 0xf0)
            put(w, bytes[i], 1);
    if (p.rex)
        put(w, p.rex & ~3u, 1);
    for (unsigned i = p.opcode; i < p.modrm; i++)
        put(w, bytes[i], 1);
    put(w, (bytes[p.modrm] & 0x38u) | t, 1);
    for (unsigned i = p.rest; i < o->length; i++)
        put(w, bytes[i], 1);
}

static void put_operand(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip)
{
    bool copy = o->code == OP_COPY, loads = o->from == OPERAND_MEMORY;
    struct access a = {.t = copy ? RDI : other_than(named(o)),
                       .size = copy                    ? o->copy.reach
                               : loads && o->from_size ? o->from_size
                                                       : o->size,
                       .stores = copy ? o->copy.stores : o->to == OPERAND_MEMORY && o->code != OP_COMPARE};
    put_access(w, b, &a, o, rip);
    for (unsigned i = 0; copy && i < o->copy.length; i++)
        put(w, o->copy.bytes[i], 1);
    if (!copy)
        put_in_place(w, o, bytes, a.t);
    put_t_back(w, a.t);
}

/* A move between [T] and a register. */
static void put_move(struct writer *w, u8 opcode, unsigned reg, unsigned t)
{
    put(w, REX_W | (reg & 8 ? 4 : 0) | (u32)opcode << 8 | (t | (reg & 7) << 3) << 16, 3);
}

static void put_stack_pointer(struct writer *w, bool up)
{
    put(w, REX_W | LEA << 8 | 0x2464ul << 16 | (up ? 0x08ul : 0xf8ul) << 32, 5); /* lea rsp, [rsp +- 8] */
}

static void put_push(struct writer *w, struct block *b, const struct operation *o)
{
    struct access a = {ADDRESS_PUSHED, other_than(named(o)), 8, true};
    put_access(w, b, &a, o, 0);
    if (o->from == OPERAND_REGISTER) {
        put_move(w, STORE, o->from_register, a.t);
    } else {
        put(w, REX_W | 0xc7 << 8 | a.t << 16, 3); /* mov qword [T], 32 bits */
        put(w, (u64)o->immediate, 4);
    }
    put_t_back(w, a.t);
    put_stack_pointer(w, false);
}

static void put_pop(struct writer *w, struct block *b, const struct operation *o)
{
    struct access a = {ADDRESS_POPPED, other_than(o->to_register), 8, false};
    put_access(w, b, &a, o, 0);
    put_move(w, LOAD, o->to_register, a.t);
    put_t_back(w, a.t);
    put_stack_pointer(w, true);
}

static void put_leave(struct writer *w, struct block *b, const struct operation *o)
{
    struct access a = {ADDRESS_FRAME, RBX, 8, false};
    put_access(w, b, &a, o, 0);
    put(w, REX_W | LEA << 8 | 0x0865ul << 16, 4); /* lea rsp, [rbp + 8] */
    put_move(w, LOAD, 5, a.t);
    put_t_back(w, a.t);
}

static void put_call(struct writer *w, struct block *b, const struct operation *o, u64 behind)
{
    struct access a = {ADDRESS_PUSHED, RBX, 8, true};
    put_access(w, b, &a, o, 0);
    put(w, 0xc7 | a.t << 8, 2); /* mov dword [T], 32 bits */
    put(w, behind, 4);
    put(w, 0xc7 | (0x40 | a.t) << 8 | 4 << 16, 3); /* mov dword [T + 4], 32 bits */
    put(w, behind >> 32, 4);
    put_t_back(w, a.t);
    put_stack_pointer(w, false);
}

static void put_target(struct writer *w, struct block *b, const struct access *a, const struct operation *o, u64 rip)
{
    put_access(w, b, a, o, rip);
    put_move(w, LOAD, a->t, a->t);
    put_on(w, STORE, a->t, STATE(target));
    put_t_back(w, a->t);
}

static void put_return(struct writer *w, struct block *b, const struct operation *o)
{
    struct access a = {ADDRESS_POPPED, RBX, 8, false};
    put_target(w, b, &a, o, 0);
    put_stack_pointer(w, true);
}

void block_view_put(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip)
{
    const struct access operand = {ADDRESS_OPERAND, RBX, 8, false};
    switch (o->code) {
    case OP_PUSH:
        put_push(w, b, o);
        break;
    case OP_POP:
        put_pop(w, b, o);
        break;
    case OP_LEAVE:
        put_leave(w, b, o);
        break;
    case OP_RET:
        put_return(w, b, o);
        break;
    case OP_CALL:
        if (o->from == OPERAND_IMMEDIATE) {
            put_call(w, b, o, rip + o->length);
            break;
        }
        put_target(w, b, &operand, o, rip);
        break;
    case OP_JUMP:
        put_target(w, b, &operand, o, rip);
        break;
    default:
        put_operand(w, b, o, bytes, rip);
    }
}

/* Are its bytes laid out as those of an instruction with a ModRM byte? */
static bool plain_operand(const struct operation *o, const u8 *bytes)
{
    struct parts p = take_apart(o, bytes);
    unsigned mod = bytes[p.modrm] >> 6;
    bool sib = (bytes[p.modrm] & 7) == 4;
    return mod != 3 && p.modrm + 1 + sib == o->displacement_at;
}

static bool plain_copy(const struct operation *o)
{
    const struct copy *c = &o->copy;
    return c->rdi == ADDRESS_IN_RDI && c->rsi == NO_REGISTER && c->r8 == NO_REGISTER && !c->bits;
}

bool block_view_accesses(const struct operation *o)
{
    return operation_accesses(o) && !(o->code == OP_CALL && o->from == OPERAND_REGISTER);
}

bool block_view_takes(const struct operation *o, const u8 *bytes)
{
    if (!block_view_accesses(o))
        return !operation_names_memory(o) || o->base != REGISTER_RIP;
    if (o->width == 4 || o->code == OP_STRING)
        return false;
    switch (o->code) {
    case OP_PUSH:
        return o->from != OPERAND_MEMORY;
    case OP_POP:
        return o->to_register != 4;
    case OP_COPY:
        return plain_copy(o);
    default:
        return !operation_names_memory(o) || plain_operand(o, bytes);
    }
}
