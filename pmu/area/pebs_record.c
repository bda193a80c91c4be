/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS records of every format, decoded from bytes. */
#include "pmu/area/ds.h"
#include "pmu/registers.h"

#define BASIC_BYTES 32
#define MEMINFO_BYTES 32
#define GPR_BYTES 144
#define XMM_BYTES (PEBS_XMM_REGISTERS * PEBS_XMM_BYTES)
#define VALUES_HEADER_BYTES 16

static u64 quad(const u8 *at)
{
    u64 value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (u64)at[i] << 8 * i;
    return value;
}

static u32 dword(const u8 *at)
{
    return (u32)at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24;
}

static u32 bits_in(u64 mask)
{
    u32 count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* ---- Formats 0 to 3: the same fields at the same offsets; each format adds some. */

enum { AT_FLAGS = 0x00, AT_IP = 0x08, AT_REGISTERS = 0x10, AT_STATUS = 0x90, AT_ADDRESS = 0x98, AT_SOURCE = 0xa0 };
enum { AT_LATENCY = 0xa8, AT_EVENTING = 0xb0, AT_TSX = 0xb8, AT_TSC = 0xc0 };

static const u8 fixed_sizes[] = {0x90, 0xb0, 0xc0, 0xc8};

static void decode_fixed(unsigned format, const u8 *at, struct pebs_record *r)
{
    r->has = PEBS_HAS_REGISTERS;
    r->flags = quad(at + AT_FLAGS);
    r->ip = quad(at + AT_IP);
    for (unsigned i = 0; i < PEBS_REGISTERS; i++)
        r->reg[i] = quad(at + AT_REGISTERS + 8 * i);
    if (format >= 1) {
        r->has |= PEBS_HAS_MEMORY | (format >= 3 ? PEBS_HAS_COUNTERS : PEBS_HAS_STATUS);
        *(format >= 3 ? &r->applicable : &r->status) = quad(at + AT_STATUS);
        r->address = quad(at + AT_ADDRESS);
        r->source = quad(at + AT_SOURCE);
        r->latency = quad(at + AT_LATENCY);
    }
    if (format >= 2) {
        r->has |= PEBS_HAS_EVENTING | PEBS_HAS_TSX;
        r->eventing_ip = quad(at + AT_EVENTING);
        r->tsx = quad(at + AT_TSX);
    }
    if (format >= 3) {
        r->has |= PEBS_HAS_TSC;
        r->tsc = quad(at + AT_TSC);
    }
}

/* ---- 32-bit debug store: EFLAGS, IP and eight registers. */

#define BYTES_32 40
#define REGISTERS_32 8

static void decode_32(const u8 *at, struct pebs_record *r)
{
    r->has = PEBS_HAS_REGISTERS;
    r->flags = dword(at);
    r->ip = dword(at + 4);
    for (unsigned i = 0; i < REGISTERS_32; i++)
        r->reg[i] = dword(at + 8 + 4 * i);
}

/* ---- Adaptive: a basic group that names the other groups. */

/* The registers of the GPR group, after flags and IP; their order differs from the older formats. */
static const u8 gpr_order[PEBS_REGISTERS] = {
    PEBS_RAX, PEBS_RCX, PEBS_RDX, PEBS_RBX, PEBS_RSP, PEBS_RBP, PEBS_RSI, PEBS_RDI,
    PEBS_R8,  PEBS_R9,  PEBS_R10, PEBS_R11, PEBS_R12, PEBS_R13, PEBS_R14, PEBS_R15,
};

static u32 lbr_entries(u64 groups)
{
    return groups & PEBS_DATA_LBR ? (u32)FIELD_GET(groups, 31, 24) + 1 : 0;
}

/* The size of all groups except the counters group, whose header states its size. */
static u32 plain_groups_size(u64 groups)
{
    return BASIC_BYTES + (groups & PEBS_DATA_MEMINFO ? MEMINFO_BYTES : 0) + (groups & PEBS_DATA_GPR ? GPR_BYTES : 0) +
           (groups & PEBS_DATA_XMM ? XMM_BYTES : 0) + lbr_entries(groups) * PEBS_LBR_BYTES;
}

static void decode_memory(const u8 *at, struct pebs_record *r)
{
    r->has |= PEBS_HAS_MEMORY | PEBS_HAS_TSX;
    r->address = quad(at);
    r->source = quad(at + 8);
    r->latency = quad(at + 16);
    r->tsx = quad(at + 24);
}

static void decode_registers(const u8 *at, struct pebs_record *r)
{
    r->has |= PEBS_HAS_REGISTERS;
    r->flags = quad(at); /* the IP after it repeats the basic group's */
    for (unsigned i = 0; i < PEBS_REGISTERS; i++)
        r->reg[gpr_order[i]] = quad(at + 16 + 8 * i);
}

/* Decodes the groups of fixed size, in their order; the record has room for them. Returns the bytes taken. */
static u32 decode_plain_groups(const u8 *at, struct pebs_record *r)
{
    u32 offset = BASIC_BYTES;
    if (r->groups & PEBS_DATA_MEMINFO) {
        decode_memory(at + offset, r);
        offset += MEMINFO_BYTES;
    }
    if (r->groups & PEBS_DATA_GPR) {
        decode_registers(at + offset, r);
        offset += GPR_BYTES;
    }
    if (r->groups & PEBS_DATA_XMM) {
        r->has |= PEBS_HAS_XMM;
        r->xmm = at + offset;
        offset += XMM_BYTES;
    }
    if (r->groups & PEBS_DATA_LBR) {
        r->has |= PEBS_HAS_LBR;
        r->lbr = at + offset;
        r->lbr_count = lbr_entries(r->groups);
        offset += r->lbr_count * PEBS_LBR_BYTES;
    }
    return offset;
}

/* Format 6: a header of masks, then a value for each bit of the masks. */
static bool decode_values(const u8 *at, u32 room, struct pebs_record *r)
{
    if (room < VALUES_HEADER_BYTES)
        return false;
    r->gp_mask = dword(at);
    r->fixed_mask = dword(at + 4);
    r->values = bits_in(r->gp_mask) + bits_in(r->fixed_mask) + bits_in(dword(at + 8));
    if (room - VALUES_HEADER_BYTES < 8 * r->values)
        return false;
    r->has |= PEBS_HAS_VALUES;
    r->value = at + VALUES_HEADER_BYTES;
    r->walked += VALUES_HEADER_BYTES + 8 * r->values;
    return true;
}

static bool decode_adaptive(unsigned format, const u8 *at, u64 room, struct pebs_record *r)
{
    if (room < BASIC_BYTES)
        return false;
    u64 head = quad(at);
    r->groups = (u32)head;
    r->retire_latency = (u16)FIELD_GET(head, 47, 32);
    r->size = (u32)FIELD_GET(head, 63, 48);
    r->has = PEBS_HAS_COUNTERS | PEBS_HAS_TSC;
    r->ip = r->eventing_ip = quad(at + 8);
    r->applicable = quad(at + 16);
    r->tsc = quad(at + 24);
    if (r->size > room || r->size < plain_groups_size(r->groups))
        return false;
    r->walked = decode_plain_groups(at, r);
    bool values = format >= PEBS_FORMAT_VALUES && r->groups & (PEBS_DATA_COUNTERS | PEBS_DATA_METRICS);
    return !values || decode_values(at + r->walked, r->size - r->walked, r);
}

/* ---- Architectural: pieces, each with a header that names its groups; the first piece has the basic group. */

#define ARCH_BASIC_BYTES 48
#define ARCH_AUX_BYTES 64
#define ARCH_GPR_BYTES 160
#define ARCH_XER_HEADER_BYTES 16
#define ARCH_LBR_HEADER_BYTES 48
#define ARCH_SIZE 0xffff

static const struct {
    u64 group;
    u16 bytes;
} vectors[] = {{CFG_C_XMM, 256}, {CFG_C_YMMH, 256}, {CFG_C_OPMASK, 64}, {CFG_C_ZMMH, 512}, {CFG_C_H16ZMM, 1024}};
#define VECTORS (CFG_C_XMM | CFG_C_YMMH | CFG_C_OPMASK | CFG_C_ZMMH | CFG_C_H16ZMM)
#define VALUES (CFG_C_CNTR_GP | CFG_C_CNTR_FIXED | CFG_C_CNTR_METRICS)

/* A piece while it is decoded. */
struct piece {
    const u8 *at;
    u32 size, offset;
};

/* Takes the next `bytes` of the piece; NULL if it has fewer. */
static const u8 *take(struct piece *piece, u32 bytes)
{
    if (bytes > piece->size - piece->offset)
        return NULL;
    const u8 *at = piece->at + piece->offset;
    piece->offset += bytes;
    return at;
}

static bool take_basic(struct piece *piece, struct pebs_record *r)
{
    const u8 *at = take(piece, ARCH_BASIC_BYTES);
    if (!at)
        return false;
    r->has |= PEBS_HAS_COUNTERS | PEBS_HAS_TSC;
    r->ip = r->eventing_ip = quad(at);
    r->applicable = quad(at + 8);
    r->tsc = quad(at + 16);
    r->retire_latency = (u16)quad(at + 24);
    return true;
}

static bool take_aux(struct piece *piece, struct pebs_record *r)
{
    const u8 *at = take(piece, ARCH_AUX_BYTES);
    if (!at)
        return false;
    r->has |= PEBS_HAS_AUX | PEBS_HAS_MEMORY | PEBS_HAS_TSX;
    r->address = quad(at);
    r->source = quad(at + 40);
    r->latency = quad(at + 48);
    r->tsx = quad(at + 56);
    return true;
}

static bool take_registers(struct piece *piece, struct pebs_record *r)
{
    const u8 *at = take(piece, ARCH_GPR_BYTES);
    if (at)
        decode_registers(at, r);
    return at;
}

static bool take_vectors(struct piece *piece, u64 groups, struct pebs_record *r)
{
    const u8 *header = take(piece, ARCH_XER_HEADER_BYTES);
    if (!header)
        return false;
    r->xstate = quad(header);
    for_each_row (vectors, row) {
        const u8 *at = groups & row->group ? take(piece, row->bytes) : header;
        if (!at)
            return false;
        r->xmm = groups & row->group & CFG_C_XMM ? at : r->xmm;
        r->ymmh = groups & row->group & CFG_C_YMMH ? at : r->ymmh;
    }
    r->has |= (groups & CFG_C_XMM ? PEBS_HAS_XMM : 0) | (groups & CFG_C_YMMH ? PEBS_HAS_YMMH : 0);
    return true;
}

static u32 arch_lbr_entries(u64 groups)
{
    return 8 * (u32)FIELD_GET(groups, 41, 40); /* the value 3 does not mean 24 entries, but all that exist */
}

static bool take_branches(struct piece *piece, u64 groups, struct pebs_record *r)
{
    const u8 *header = take(piece, ARCH_LBR_HEADER_BYTES);
    if (!header)
        return false;
    u64 count = (groups & CFG_C_LBR) == CFG_C_LBR ? quad(header + 16) : arch_lbr_entries(groups);
    r->lbr_control = quad(header + 8);
    r->lbr = count <= ARCH_SIZE ? take(piece, (u32)count * PEBS_LBR_BYTES) : NULL;
    if (!r->lbr)
        return false;
    r->has |= PEBS_HAS_LBR;
    r->lbr_count = (u32)count;
    return true;
}

static bool take_values(struct piece *piece, struct pebs_record *r)
{
    const u8 *at = piece->at + piece->offset;
    u32 before = r->walked;
    if (!decode_values(at, piece->size - piece->offset, r))
        return false;
    r->metrics = dword(at + 8);
    piece->offset += r->walked - before;
    r->walked = before;
    return true;
}

static bool decode_piece(struct piece *piece, u64 head, struct pebs_record *r)
{
    return (!(head & PEBS_HEAD_BASIC) || take_basic(piece, r)) && (!(head & CFG_C_AUX) || take_aux(piece, r)) &&
           (!(head & CFG_C_GPR) || take_registers(piece, r)) && (!(head & VECTORS) || take_vectors(piece, head, r)) &&
           (!(head & CFG_C_LBR) || take_branches(piece, head, r)) && (!(head & VALUES) || take_values(piece, r));
}

/* The piece after those decoded so far; false if it does not end within the room. */
static bool next_piece(const u8 *at, u64 room, const struct pebs_record *r, struct piece *piece, u64 *head)
{
    *piece = (struct piece){.at = at + r->size, .offset = PEBS_FRAGMENT_BYTES};
    if (room - r->size < PEBS_FRAGMENT_BYTES)
        return false;
    *head = quad(piece->at);
    piece->size = *head & ARCH_SIZE;
    return piece->size >= PEBS_FRAGMENT_BYTES && piece->size <= room - r->size;
}

/* A header without any group does not end a record: drivers read on after it as after a continued piece. */
static bool names_nothing(u64 head)
{
    return !(head & ~(u64)ARCH_SIZE);
}

/* Drivers also skip pieces before the one with the basic group: they belong to no record. */
static bool holds_nothing(const struct pebs_record *r, u64 head)
{
    return names_nothing(head) || (!r->fragments && !(head & PEBS_HEAD_BASIC));
}

static bool decode_architectural(const u8 *at, u64 room, struct pebs_record *r)
{
    struct piece piece;
    u64 head;
    do {
        if (!next_piece(at, room, r, &piece, &head))
            return false;
        if (holds_nothing(r, head)) {
            r->padding += piece.size;
            piece.offset = piece.size;
        } else {
            if (!decode_piece(&piece, head, r))
                return false;
            r->fragments++;
            r->head |= head & ~(u64)ARCH_SIZE;
        }
        r->size += piece.size;
        r->walked += piece.offset;
    } while (!r->fragments || head & PEBS_HEAD_CONTINUED || names_nothing(head));
    return true;
}

u32 apebs_record_size(u64 groups)
{
    u32 size = PEBS_FRAGMENT_BYTES + ARCH_BASIC_BYTES + (groups & CFG_C_AUX ? ARCH_AUX_BYTES : 0) +
               (groups & CFG_C_GPR ? ARCH_GPR_BYTES : 0) + (groups & VECTORS ? ARCH_XER_HEADER_BYTES : 0) +
               (groups & CFG_C_LBR ? ARCH_LBR_HEADER_BYTES : 0) + (groups & VALUES ? VALUES_HEADER_BYTES : 0);
    for_each_row (vectors, row)
        size += groups & row->group ? row->bytes : 0;
    return size + ((groups & CFG_C_LBR) == CFG_C_LBR ? 0 : arch_lbr_entries(groups) * PEBS_LBR_BYTES);
}

bool pebs_decode(unsigned format, const u8 *at, u64 room, struct pebs_record *record)
{
    *record = (struct pebs_record){0};
    if (format == PEBS_FORMAT_ARCHITECTURAL)
        return decode_architectural(at, room, record);
    if (format >= PEBS_FORMAT_ADAPTIVE && format <= PEBS_FORMAT_LAST)
        return decode_adaptive(format, at, room, record);
    record->size = record->walked = pebs_record_size(format, 0);
    if (!record->size || room < record->size)
        return false;
    if (format == PEBS_FORMAT_32)
        decode_32(at, record);
    else
        decode_fixed(format, at, record);
    return true;
}

u32 pebs_record_size(unsigned format, u64 data_cfg)
{
    if (format == PEBS_FORMAT_32)
        return BYTES_32;
    if (format > PEBS_FORMAT_LAST)
        return 0;
    if (format < PEBS_FORMAT_ADAPTIVE)
        return fixed_sizes[format];
    u32 size = plain_groups_size(data_cfg);
    if (format >= PEBS_FORMAT_VALUES && data_cfg & (PEBS_DATA_COUNTERS | PEBS_DATA_METRICS))
        size += VALUES_HEADER_BYTES + 8 * bits_in(data_cfg & MASK(55, 32)) + (data_cfg & PEBS_DATA_METRICS ? 16 : 0);
    return size;
}
