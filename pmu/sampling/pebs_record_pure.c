#include "pmu/registers.h"
#include "pmu/sampling/pebs_record.h"

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

/* ---- Formats 0 to 3: the same fields in the same places, each format with more of them. */

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

/* ---- Adaptive: a basic group that names the others. */

/* The registers of the GPR group, after flags and IP: in another order than in the older formats. */
static const u8 gpr_order[PEBS_REGISTERS] = {
    PEBS_RAX, PEBS_RCX, PEBS_RDX, PEBS_RBX, PEBS_RSP, PEBS_RBP, PEBS_RSI, PEBS_RDI,
    PEBS_R8,  PEBS_R9,  PEBS_R10, PEBS_R11, PEBS_R12, PEBS_R13, PEBS_R14, PEBS_R15,
};

static u32 lbr_entries(u64 groups)
{
    return groups & PEBS_DATA_LBR ? (u32)FIELD_GET(groups, 31, 24) + 1 : 0;
}

/* All but the counters group, whose size stands in its own header. */
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
    r->flags = quad(at); /* the IP after it is the basic group's again */
    for (unsigned i = 0; i < PEBS_REGISTERS; i++)
        r->reg[gpr_order[i]] = quad(at + 16 + 8 * i);
}

/* Groups of known size, in their order; the record has room for them. Returns the bytes taken. */
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

/* Format 6: a header of masks, and a value for each bit of them. */
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

bool pebs_decode(unsigned format, const u8 *at, u64 room, struct pebs_record *record)
{
    *record = (struct pebs_record){0};
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
