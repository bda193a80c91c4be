/* SPDX-License-Identifier: BSD-2-Clause */
/* SDM 2D, "Opcode Map"; SDM 2A, "Instruction Format" with its part on VEX. */
#include "reference/step/interpreter/interpret.h"
#include "reference/step/interpreter/operation_reader.h"

/* Mandatory prefixes that a row is for. 66H beside F2H or F3H is an operand size. */
enum { NP = 1, P66 = 2, PF3 = 4, PF2 = 8, MMX = NP | P66, SCALAR = PF3 | PF2, ANY = 15 };

/* The parts of an instruction. Operands that are not marked as general registers are vector registers or extensions. */
enum {
    REG = 1 << 0,         /* the reg field names a general register */
    RM = 1 << 1,          /* r/m does, where it is not memory */
    THIRD = 1 << 2,       /* VEX.vvvv does */
    BYTES = 1 << 3,       /* general registers of even opcodes are bytes */
    STORE = 1 << 4,       /* writes its memory operand, whether it reads it or not */
    LOCKED = 1 << 5,      /* may have LOCK if the operand is memory */
    LOCK_ONLY = 1 << 6,   /* this row is for LOCK only: interpret.h has the others */
    IN_MEMORY = 1 << 7,   /* the operand must be in memory */
    IN_REGISTER = 1 << 8, /* the operand must not be in memory */
    BYTE = 1 << 9,        /* has an immediate of a byte */
    WORD = 1 << 10,       /* has an immediate of a word or doubleword */
    INTEGER = 1 << 11,    /* needs no vector registers */
    VEX = 1 << 12,        /* exists with and without VEX */
    VEX_ONLY = 1 << 13,   /* exists only with VEX */
    BITS = 1 << 14,       /* the register numbers a bit of the operand, which may lie outside of it in memory */
};

struct row {
    u8 first, last, prefixes;
    u8 extensions; /* reg fields that the row is for, a bit each; 0: all */
    u16 parts;
};

static const struct row one_byte[] = {
    {0x80, 0x80, MMX, 0x7f, RM | STORE | LOCK_ONLY | BYTE | INTEGER},
    {0x81, 0x81, MMX, 0x7f, RM | STORE | LOCK_ONLY | WORD | INTEGER},
    {0x83, 0x83, MMX, 0x7f, RM | STORE | LOCK_ONLY | BYTE | INTEGER},
    {0x86, 0x87, MMX, 0, REG | RM | STORE | LOCKED | BYTES | INTEGER}, /* XCHG */
    {0xf6, 0xf6, MMX, 0xf0, RM | BYTES | INTEGER},                     /* MUL, IMUL, DIV, IDIV */
    {0xf7, 0xf7, MMX, 0xc0, RM | INTEGER},                             /* DIV, IDIV; operation.c has the others */
    {0xf6, 0xf7, MMX, 0x0c, RM | STORE | LOCK_ONLY | INTEGER},         /* NOT, NEG */
    {0xfe, 0xff, MMX, 0x03, RM | STORE | LOCK_ONLY | INTEGER},         /* INC, DEC */
};

static const struct row two_bytes[] = {
    {0x0d, 0x0d, NP, 0x03, IN_MEMORY | INTEGER}, /* PREFETCHW */
    {0x10, 0x10, ANY, 0, VEX},
    {0x11, 0x11, ANY, 0, VEX | STORE},
    {0x12, 0x12, ANY, 0, VEX},
    {0x13, 0x13, MMX, 0, VEX | STORE | IN_MEMORY},
    {0x14, 0x15, MMX, 0, VEX},
    {0x16, 0x16, NP | P66 | PF3, 0, VEX},
    {0x17, 0x17, MMX, 0, VEX | STORE | IN_MEMORY},
    {0x18, 0x18, NP, 0x0f, IN_MEMORY | INTEGER}, /* PREFETCH */
    {0x28, 0x28, MMX, 0, VEX},
    {0x29, 0x29, MMX, 0, VEX | STORE},
    {0x2a, 0x2a, MMX, 0, 0},
    {0x2a, 0x2a, SCALAR, 0, VEX | RM},
    {0x2b, 0x2b, MMX, 0, VEX | STORE | IN_MEMORY},
    {0x2c, 0x2d, MMX, 0, 0},
    {0x2c, 0x2d, SCALAR, 0, VEX | REG},
    {0x2e, 0x2f, MMX, 0, VEX},
    {0x50, 0x50, MMX, 0, VEX | REG | IN_REGISTER},
    {0x51, 0x5f, ANY, 0, VEX},
    {0x60, 0x6d, MMX, 0, VEX},
    {0x6e, 0x6e, MMX, 0, VEX | RM},
    {0x6f, 0x6f, NP | P66 | PF3, 0, VEX},
    {0x70, 0x70, ANY, 0, VEX | BYTE},
    {0x71, 0x73, MMX, 0xd4, VEX | BYTE | IN_REGISTER},
    {0x73, 0x73, P66, 0x88, VEX | BYTE | IN_REGISTER},
    {0x74, 0x76, MMX, 0, VEX},
    {0x7c, 0x7d, P66 | PF2, 0, VEX},
    {0x7e, 0x7e, MMX, 0, VEX | RM | STORE},
    {0x7e, 0x7e, PF3, 0, VEX},
    {0x7f, 0x7f, NP | P66 | PF3, 0, VEX | STORE},
    {0xa3, 0xa3, MMX, 0, REG | RM | IN_MEMORY | BITS | INTEGER}, /* BT; operation.c has that of registers */
    {0xa4, 0xa4, MMX, 0, REG | RM | STORE | BYTE | INTEGER},     /* SHLD, SHRD */
    {0xa5, 0xa5, MMX, 0, REG | RM | STORE | INTEGER},
    {0xab, 0xab, MMX, 0, REG | RM | STORE | LOCKED | BITS | INTEGER}, /* BTS, BTR, BTC */
    {0xac, 0xac, MMX, 0, REG | RM | STORE | BYTE | INTEGER},
    {0xad, 0xad, MMX, 0, REG | RM | STORE | INTEGER},
    {0xae, 0xae, NP, 0x04, VEX | IN_MEMORY}, /* LDMXCSR, STMXCSR */
    {0xae, 0xae, NP, 0x08, VEX | STORE | IN_MEMORY},
    {0xb0, 0xb1, MMX, 0, REG | RM | STORE | LOCKED | BYTES | INTEGER}, /* CMPXCHG */
    {0xb3, 0xb3, MMX, 0, REG | RM | STORE | LOCKED | BITS | INTEGER},
    {0xb8, 0xb8, PF3, 0, REG | RM | INTEGER}, /* POPCNT */
    {0xba, 0xba, MMX, 0xe0, RM | STORE | LOCKED | BYTE | INTEGER},
    {0xbb, 0xbb, MMX, 0, REG | RM | STORE | LOCKED | BITS | INTEGER},
    {0xbc, 0xbd, NP | P66 | PF3, 0, REG | RM | INTEGER},               /* BSF, BSR, TZCNT, LZCNT */
    {0xc0, 0xc1, MMX, 0, REG | RM | STORE | LOCKED | BYTES | INTEGER}, /* XADD */
    {0xc2, 0xc2, ANY, 0, VEX | BYTE},
    {0xc3, 0xc3, NP, 0, REG | STORE | IN_MEMORY | INTEGER}, /* MOVNTI */
    {0xc4, 0xc4, MMX, 0, VEX | RM | BYTE},
    {0xc5, 0xc5, MMX, 0, VEX | REG | BYTE | IN_REGISTER},
    {0xc6, 0xc6, MMX, 0, VEX | BYTE},
    {0xd0, 0xd0, P66 | PF2, 0, VEX},
    {0xd1, 0xd5, MMX, 0, VEX},
    {0xd6, 0xd6, P66, 0, VEX | STORE},
    {0xd6, 0xd6, SCALAR, 0, IN_REGISTER},
    {0xd7, 0xd7, MMX, 0, VEX | REG | IN_REGISTER},
    {0xd8, 0xe5, MMX, 0, VEX},
    {0xe6, 0xe6, P66 | SCALAR, 0, VEX},
    {0xe7, 0xe7, MMX, 0, VEX | STORE | IN_MEMORY},
    {0xe8, 0xef, MMX, 0, VEX},
    {0xf0, 0xf0, PF2, 0, VEX | IN_MEMORY},
    {0xf1, 0xf6, MMX, 0, VEX},
    {0xf8, 0xfe, MMX, 0, VEX},
};

static const struct row three_bytes_38[] = {
    {0x00, 0x0b, MMX, 0, VEX},
    {0x0c, 0x0f, P66, 0, VEX_ONLY},
    {0x10, 0x10, P66, 0, 0},
    {0x13, 0x13, P66, 0, VEX_ONLY},
    {0x14, 0x15, P66, 0, 0},
    {0x16, 0x16, P66, 0, VEX_ONLY},
    {0x17, 0x17, P66, 0, VEX},
    {0x18, 0x1a, P66, 0, VEX_ONLY},
    {0x1c, 0x1e, MMX, 0, VEX},
    {0x20, 0x25, P66, 0, VEX},
    {0x28, 0x29, P66, 0, VEX},
    {0x2a, 0x2a, P66, 0, VEX | IN_MEMORY},
    {0x2b, 0x2b, P66, 0, VEX},
    {0x2c, 0x2d, P66, 0, VEX_ONLY | IN_MEMORY},
    {0x2e, 0x2f, P66, 0, VEX_ONLY | STORE | IN_MEMORY},
    {0x30, 0x35, P66, 0, VEX},
    {0x36, 0x36, P66, 0, VEX_ONLY},
    {0x37, 0x41, P66, 0, VEX},
    {0x45, 0x47, P66, 0, VEX_ONLY},
    {0x58, 0x5a, P66, 0, VEX_ONLY},
    {0x78, 0x79, P66, 0, VEX_ONLY},
    {0x8c, 0x8c, P66, 0, VEX_ONLY | IN_MEMORY},
    {0x8e, 0x8e, P66, 0, VEX_ONLY | STORE | IN_MEMORY},
    {0x96, 0x9f, P66, 0, VEX_ONLY},
    {0xa6, 0xaf, P66, 0, VEX_ONLY},
    {0xb6, 0xbf, P66, 0, VEX_ONLY},
    {0xc8, 0xcd, NP, 0, 0},
    {0xdb, 0xdf, P66, 0, VEX},
    {0xf0, 0xf0, MMX, 0, REG | IN_MEMORY | INTEGER}, /* MOVBE */
    {0xf1, 0xf1, MMX, 0, REG | STORE | IN_MEMORY | INTEGER},
    {0xf0, 0xf1, PF2, 0, REG | RM | BYTES | INTEGER},          /* CRC32 */
    {0xf2, 0xf2, NP, 0, VEX_ONLY | REG | RM | THIRD},          /* ANDN */
    {0xf3, 0xf3, NP, 0x0e, VEX_ONLY | RM | THIRD},             /* BLSR, BLSMSK, BLSI */
    {0xf5, 0xf5, NP | SCALAR, 0, VEX_ONLY | REG | RM | THIRD}, /* BZHI, PEXT, PDEP */
    {0xf6, 0xf6, P66 | PF3, 0, REG | RM | INTEGER},            /* ADCX, ADOX */
    {0xf6, 0xf6, PF2, 0, VEX_ONLY | REG | RM | THIRD},         /* MULX */
    {0xf7, 0xf7, ANY, 0, VEX_ONLY | REG | RM | THIRD},         /* BEXTR, SARX, SHLX, SHRX */
};

static const struct row three_bytes_3a[] = {
    {0x00, 0x02, P66, 0, VEX_ONLY | BYTE},
    {0x04, 0x06, P66, 0, VEX_ONLY | BYTE},
    {0x08, 0x0e, P66, 0, VEX | BYTE},
    {0x0f, 0x0f, MMX, 0, VEX | BYTE},
    {0x14, 0x17, P66, 0, VEX | RM | STORE | BYTE},
    {0x18, 0x18, P66, 0, VEX_ONLY | BYTE},
    {0x19, 0x19, P66, 0, VEX_ONLY | STORE | BYTE},
    {0x1d, 0x1d, P66, 0, VEX_ONLY | STORE | BYTE},
    {0x20, 0x20, P66, 0, VEX | RM | BYTE},
    {0x21, 0x21, P66, 0, VEX | BYTE},
    {0x22, 0x22, P66, 0, VEX | RM | BYTE},
    {0x38, 0x38, P66, 0, VEX_ONLY | BYTE},
    {0x39, 0x39, P66, 0, VEX_ONLY | STORE | BYTE},
    {0x40, 0x42, P66, 0, VEX | BYTE},
    {0x44, 0x44, P66, 0, VEX | BYTE},
    {0x46, 0x46, P66, 0, VEX_ONLY | BYTE},
    {0x4a, 0x4c, P66, 0, VEX_ONLY | BYTE},
    {0x60, 0x63, P66, 0, VEX | BYTE}, /* PCMPESTRM and the like: lengths and result in RAX, RDX, RCX */
    {0xcc, 0xcc, NP, 0, BYTE},
    {0xdf, 0xdf, P66, 0, VEX | BYTE},
    {0xf0, 0xf0, PF2, 0, VEX_ONLY | REG | RM | BYTE}, /* RORX */
};

enum { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A };

static const struct {
    const struct row *rows;
    unsigned count;
} maps[] = {
    [MAP_ONE_BYTE] = {one_byte, ARRAY_SIZE(one_byte)},
    [MAP_0F] = {two_bytes, ARRAY_SIZE(two_bytes)},
    [MAP_0F38] = {three_bytes_38, ARRAY_SIZE(three_bytes_38)},
    [MAP_0F3A] = {three_bytes_3a, ARRAY_SIZE(three_bytes_3a)},
};

/* The parts of the instruction, as read and as they go into the copy. */
struct source {
    struct reader r;
    struct operation *o;
    u8 map, opcode;
    bool vex, length_256;
    u8 vvvv; /* the register's number */
    u8 modrm;
    u8 reg, rm; /* the copy's registers, 0 to 15 */
    u8 immediate[4];
    unsigned immediates;
};

static void put(struct operation *o, unsigned byte)
{
    if (o->copy.length < COPY_BYTES)
        o->copy.bytes[o->copy.length++] = (u8)byte;
    else
        o->code = OP_NONE;
}

/* ---- Stand-ins: registers of the copy that hold the guest's. */

enum { RDX = 2, RSI = 6, RDI = 7, R8 = 8 };

/*
 * RAX, RCX and RDX, which instructions use implicitly, stand for themselves; each other register has one stand-in,
 * however many operands name it.
 */
static u8 stand_in(struct copy *c, u8 number)
{
    if (number <= RDX)
        return number;
    if (c->rdi == number || (c->rdi == NO_REGISTER && c->r8 != number && c->rsi != number)) {
        c->rdi = number;
        return RDI;
    }
    if (c->rsi == number || (c->rsi == NO_REGISTER && c->r8 != number)) {
        c->rsi = number;
        return RSI;
    }
    c->r8 = number;
    return R8;
}

static bool takes_bytes(const struct source *s, const struct row *row)
{
    return row->parts & (BYTES | LOCK_ONLY) && !(s->opcode & 1);
}

/* Replaces the general registers among the operands. RDI has the memory operand's address, if there is one. */
static bool assign(struct source *s, const struct row *row, bool memory)
{
    struct copy *c = &s->o->copy;
    bool crc = s->map == MAP_0F38, bytes = takes_bytes(s, row);
    if (memory)
        c->rdi = ADDRESS_IN_RDI;
    if (!memory && row->parts & RM) {
        s->r.cut |= bytes && high_byte(&s->r, s->rm, 1);
        s->rm = stand_in(c, s->rm);
    }
    if (row->parts & REG) {
        s->r.cut |= bytes && !crc && high_byte(&s->r, s->reg, 1);
        s->reg = stand_in(c, s->reg);
    }
    if (row->parts & THIRD)
        s->vvvv = stand_in(c, s->vvvv);
    return !s->r.cut;
}

/* ---- Reading. */

static u8 prefix_of(const struct reader *r)
{
    return r->repeat == 0xf3 ? PF3 : r->repeat == 0xf2 ? PF2 : r->word ? P66 : NP;
}

/* One byte follows C5H, two follow C4H: SDM 2A, "The VEX Prefix". */
static void take_vex(struct source *s, u8 first)
{
    static const u8 repeats[] = {0, 0, 0xf3, 0xf2};
    struct reader *r = &s->r;
    r->cut |= r->rex || r->repeat || r->word || r->lock;
    u8 high = next(r), low = high;
    s->map = MAP_0F;
    if (first == 0xc4) {
        low = next(r);
        s->map = high & 31;
        r->index_high = high & 0x40 ? 0 : 8;
        r->base_high = high & 0x20 ? 0 : 8;
        r->wide = low & 0x80;
    }
    r->cut |= s->map < MAP_0F || s->map > MAP_0F3A;
    r->reg_high = high & 0x80 ? 0 : 8;
    s->vvvv = (u8)(~low >> 3 & 15);
    s->length_256 = low & 4;
    r->word = (low & 3) == 1;
    r->repeat = repeats[low & 3];
    s->vex = true;
    s->opcode = next(r);
}

static void take_opcode(struct source *s)
{
    struct reader *r = &s->r;
    u8 opcode = take_prefixes(r);
    if (opcode == 0xc4 || opcode == 0xc5) {
        take_vex(s, opcode);
        return;
    }
    if (opcode == 0x0f) {
        s->map = MAP_0F;
        opcode = next(r);
        if (opcode == 0x38 || opcode == 0x3a) {
            s->map = opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
            opcode = next(r);
        }
    }
    s->opcode = opcode;
}

static bool row_fits(const struct source *s, const struct row *row, u8 modrm)
{
    bool memory = modrm >> 6 != 3;
    u16 parts = row->parts;
    return s->opcode >= row->first && s->opcode <= row->last && row->prefixes & prefix_of(&s->r) &&
           (!row->extensions || row->extensions >> (modrm >> 3 & 7) & 1) && !(parts & IN_MEMORY && !memory) &&
           !(parts & IN_REGISTER && memory) && (s->vex ? parts & (VEX | VEX_ONLY) : !(parts & VEX_ONLY)) &&
           (s->r.lock ? memory && parts & (LOCKED | LOCK_ONLY) : !(parts & LOCK_ONLY));
}

/* ADD and the like on memory, with LOCK. */
static const struct row *locked_arithmetic(const struct source *s, u8 modrm)
{
    static const struct row row = {0, 0x3f, MMX, 0, REG | RM | STORE | LOCK_ONLY | INTEGER};
    bool form = s->map == MAP_ONE_BYTE && s->opcode < 0x38 && (s->opcode & 7) < 2;
    return form && row_fits(s, &row, modrm) ? &row : NULL;
}

static const struct row *row_of(const struct source *s, u8 modrm)
{
    for (unsigned i = 0; i < maps[s->map].count; i++)
        if (row_fits(s, &maps[s->map].rows[i], modrm))
            return &maps[s->map].rows[i];
    return locked_arithmetic(s, modrm);
}

static void take_rm(struct source *s)
{
    struct reader *r = &s->r;
    struct operation *o = s->o;
    s->modrm = next(r);
    s->reg = (s->modrm >> 3 & 7) | r->reg_high;
    s->rm = (s->modrm & 7) | r->base_high;
    if (s->modrm >> 6 == 3)
        return;
    o->from = OPERAND_MEMORY;
    take_address(r, o, s->modrm);
    s->rm = RDI;
}

static void take_immediates(struct source *s, u16 parts)
{
    s->immediates = parts & BYTE ? 1 : parts & WORD ? (s->r.word && !s->r.wide ? 2 : 4) : 0;
    for (unsigned i = 0; i < s->immediates; i++)
        s->immediate[i] = next(&s->r);
}

/* ---- Writing. */

/* Its operand is [RDI], or a register. */
static u8 modrm_of(const struct source *s)
{
    u8 mod = s->o->from == OPERAND_MEMORY ? 0 : 3;
    return (u8)(mod << 6 | (s->reg & 7) << 3 | (s->rm & 7));
}

static void put_vex(const struct source *s)
{
    static const u8 prefixes[] = {[NP] = 0, [P66] = 1, [PF3] = 2, [PF2] = 3};
    put(s->o, 0xc4);
    put(s->o, (s->reg & 8 ? 0 : 0x80) | 0x40 | (s->rm & 8 ? 0 : 0x20) | s->map);
    put(s->o, (s->r.wide ? 0x80 : 0) | (~s->vvvv & 15) << 3 | (s->length_256 ? 4 : 0) | prefixes[prefix_of(&s->r)]);
}

static void put_legacy(const struct source *s)
{
    struct operation *o = s->o;
    if (s->r.lock)
        put(o, 0xf0);
    if (s->r.word)
        put(o, 0x66);
    if (s->r.repeat)
        put(o, s->r.repeat);
    put(o, 0x40 | (s->r.wide ? 8 : 0) | (s->reg & 8 ? 4 : 0) | (s->rm & 8 ? 1 : 0));
    if (s->map >= MAP_0F)
        put(o, 0x0f);
    if (s->map >= MAP_0F38)
        put(o, s->map == MAP_0F38 ? 0x38 : 0x3a);
}

static void put_all(struct source *s)
{
    if (s->vex)
        put_vex(s);
    else
        put_legacy(s);
    put(s->o, s->opcode);
    put(s->o, modrm_of(s));
    for (unsigned i = 0; i < s->immediates; i++)
        put(s->o, s->immediate[i]);
}

/* The number of bytes of memory that it may access, at most. */
static u8 reach_of(const struct source *s, const struct row *row)
{
    static const u8 single[] = {0x10, 0x11, 0x2c, 0x2d, 0x51, 0x52, 0x53, 0x58,
                                0x59, 0x5a, 0x5c, 0x5d, 0x5e, 0x5f, 0xc2};
    if (row->parts & (INTEGER | RM))
        return 8;
    if (s->map == MAP_0F && prefix_of(&s->r) & SCALAR)
        for (unsigned i = 0; i < ARRAY_SIZE(single); i++)
            if (s->opcode == single[i])
                return 8;
    if (s->map == MAP_0F && (s->opcode == 0x13 || s->opcode == 0x17 || s->opcode == 0x2e || s->opcode == 0x2f))
        return 8;
    return s->length_256 ? 32 : 16;
}

static void take_row(struct source *s, const struct row *row)
{
    struct operation *o = s->o;
    bool memory = s->modrm >> 6 != 3;
    take_immediates(s, row->parts);
    if (!assign(s, row, memory))
        return;
    o->copy.stores = row->parts & STORE;
    o->copy.reach = reach_of(s, row);
    o->copy.vector = !(row->parts & INTEGER);
    o->copy.vex = s->vex;
    o->copy.bits = memory && row->parts & BITS ? s->r.wide ? 8 : s->r.word ? 2 : 4 : 0;
    o->copy.bit_register = s->reg;
    put_all(s);
}

/* ---- Instructions without a row. */

/* x87, by its opcode's low three bits and the extension: bytes of memory; 0: an environment or state, or undefined. */
static u8 x87_reach(u8 opcode, unsigned extension)
{
    static const u8 reach[8][8] = {
        {4, 4, 4, 4, 4, 4, 4, 4}, {4, 0, 4, 4, 0, 2, 0, 2}, {4, 4, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 0, 10, 0, 10},
        {8, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 0, 0, 0, 2}, {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 10, 8, 10, 8},
    };
    return reach[opcode & 7][extension];
}

static bool x87_stores(u8 opcode, unsigned extension)
{
    static const u8 stores[8] = {0x00, 0x8c, 0x00, 0x8e, 0x00, 0x8e, 0x00, 0xce};
    return stores[opcode & 7] >> extension & 1;
}

static void x87(struct source *s)
{
    struct operation *o = s->o;
    take_rm(s);
    unsigned extension = s->reg & 7;
    bool memory = o->from == OPERAND_MEMORY;
    s->r.cut |= s->r.word || s->r.repeat || s->r.lock;
    if (memory) {
        o->copy.rdi = ADDRESS_IN_RDI;
        o->copy.reach = x87_reach(s->opcode, extension);
        o->copy.stores = x87_stores(s->opcode, extension);
        s->r.cut |= !o->copy.reach;
    }
    o->copy.vector = true;
    put(o, s->opcode);
    put(o, memory ? extension << 3 | RDI : s->modrm);
}

/* Instructions without a ModRM byte. */
static bool plain(struct source *s)
{
    static const u8 flags[] = {0x9e, 0x9f, 0xf5, 0xf8, 0xf9}; /* SAHF, LAHF, CMC, CLC, STC */
    struct operation *o = s->o;
    if (s->map != MAP_ONE_BYTE || prefix_of(&s->r) != NP || s->r.lock)
        return false;
    bool found = s->opcode == 0x9b; /* FWAIT */
    o->copy.vector = found;
    for (unsigned i = 0; i < ARRAY_SIZE(flags); i++)
        found |= s->opcode == flags[i];
    if (found)
        put(o, s->opcode);
    return found;
}

/* Instructions with a general register in the opcode: XCHG with RAX, BSWAP. */
static bool by_opcode(struct source *s)
{
    struct operation *o = s->o;
    bool exchange = s->map == MAP_ONE_BYTE && s->opcode > 0x90 && s->opcode < 0x98;
    bool swap = s->map == MAP_0F && s->opcode >= 0xc8 && s->opcode <= 0xcf && !s->r.word;
    if (s->vex || s->r.repeat || s->r.lock || !(exchange || swap))
        return false;
    s->reg = 0;
    s->rm = stand_in(&o->copy, (s->opcode & 7) | s->r.base_high);
    put_legacy(s);
    put(o, (s->opcode & 0xf8) | (s->rm & 7));
    return true;
}

/* ENDBR64 and ENDBR32, EMMS, VZEROUPPER and VZEROALL: copied unchanged. */
static bool as_it_is(struct source *s)
{
    struct operation *o = s->o;
    bool empty = s->map == MAP_0F && s->opcode == 0x77 && prefix_of(&s->r) == NP && !s->r.lock;
    bool marker = !s->vex && s->map == MAP_0F && s->opcode == 0x1e && prefix_of(&s->r) == PF3 && !s->r.lock;
    if (marker) {
        u8 which = next(&s->r);
        s->r.cut |= which != 0xfa && which != 0xfb;
    }
    if (!empty && !marker)
        return false;
    o->copy.vector = empty;
    o->copy.vex = s->vex;
    for (unsigned i = 0; i < s->r.position && i < INSTRUCTION_BYTES; i++)
        put(o, s->r.at[i]);
    return true;
}

static void by_row(struct source *s)
{
    u8 modrm = s->r.position < s->r.count ? s->r.at[s->r.position] : 0;
    const struct row *row = row_of(s, modrm);
    if (!row) {
        s->o->code = OP_NONE;
        return;
    }
    take_rm(s);
    take_row(s, row);
}

/* Its code is OP_COPY, or OP_NONE if it cannot be copied. */
static struct operation copy_decode(const u8 *bytes, unsigned count)
{
    struct operation o = {
        .code = OP_COPY, .width = 8, .copy = {.rsi = NO_REGISTER, .rdi = NO_REGISTER, .r8 = NO_REGISTER}};
    struct source s = {.r = {.at = bytes, .count = count, .width = 8}, .o = &o};
    take_opcode(&s);
    if (s.r.cut)
        return (struct operation){.code = OP_NONE};
    if (s.map == MAP_ONE_BYTE && (s.opcode & 0xf8) == 0xd8)
        x87(&s);
    else if (!plain(&s) && !by_opcode(&s) && !as_it_is(&s))
        by_row(&s);
    if (s.r.cut)
        o.code = OP_NONE;
    o.segment = s.r.segment;
    o.length = (u8)s.r.position;
    return o;
}

struct operation operation_or_copy_decode(const u8 *bytes, unsigned count)
{
    struct operation o = operation_decode(bytes, count);
    return o.code ? o : copy_decode(bytes, count);
}
