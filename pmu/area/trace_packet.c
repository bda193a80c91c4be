/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of a processor trace, and what they say about the traced code. */
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"

#define EXTENDED 0x02 /* first byte of packets that the second byte identifies */
#define PSB_BYTES 16
#define MNT_THIRD 0x88
#define SHORT_BITS 7 /* of a TNT of one byte, with its stop bit */
#define LONG_BYTES 6 /* of a TNT of eight bytes: after its first two */
#define CYC_MOST 15

/* ---- Packets whose size follows from their first bytes */

static const struct {
    u8 second, mask, bytes;
    enum trace_packet_kind kind;
} extended[] = {
    {0x23, 0xff, 2, PACKET_PSBEND}, {0xf3, 0xff, 2, PACKET_OVF},   {0x83, 0xff, 2, PACKET_STOP},
    {0x03, 0xff, 4, PACKET_TIME},   {0x73, 0xff, 7, PACKET_TIME},  /* CBR, TMA */
    {0x43, 0xff, 8, PACKET_PAGE},   {0xc8, 0xff, 7, PACKET_PAGE},  /* PIP, VMCS */
    {0x12, 0x7f, 6, PACKET_MORE},   {0x32, 0x7f, 10, PACKET_MORE}, /* PTW */
    {0x62, 0x7f, 2, PACKET_MORE},   {0xc2, 0xff, 10, PACKET_MORE}, /* EXSTOP, MWAIT */
    {0x22, 0xff, 4, PACKET_MORE},   {0xa2, 0xff, 7, PACKET_MORE},  /* PWRE, PWRX */
    {0x13, 0xff, 4, PACKET_MORE},   {0x53, 0xff, 11, PACKET_MORE}, /* CFE, EVD */
};

static const struct {
    u8 first, bytes;
    enum trace_packet_kind kind;
} plain[] = {
    {0x00, 1, PACKET_PAD},
    {0x19, 8, PACKET_TIME}, /* TSC */
    {0x59, 2, PACKET_TIME}, /* MTC */
    {0x99, 2, PACKET_MODE},
};

static const struct {
    u8 opcode;
    enum trace_packet_kind kind;
} with_ip[] = {{0x0d, PACKET_TIP}, {0x11, PACKET_TIP_PGE}, {0x01, PACKET_TIP_PGD}, {0x1d, PACKET_FUP}};

static bool none(struct trace_reader *reader, const char *wanted)
{
    reader->wanted = wanted;
    return false;
}

static u64 left(const struct trace_reader *reader)
{
    return reader->size - reader->at;
}

/* Sets kind and size, if that many bytes are left. */
static bool of_size(struct trace_reader *reader, struct trace_packet *packet, enum trace_packet_kind kind, u32 bytes)
{
    if (bytes > left(reader))
        return none(reader, "a whole packet");
    packet->kind = kind;
    packet->bytes = bytes;
    return true;
}

static u64 number(const u8 *from, u32 bytes)
{
    u64 value = 0;
    for (u32 i = bytes; i--;)
        value = value << 8 | from[i];
    return value;
}

/* ---- The other packets */

/* The highest set bit is the stop bit; below it is the oldest branch. */
static bool take_branches(struct trace_reader *reader, struct trace_packet *packet, u64 bits)
{
    if (bits <= 1)
        return none(reader, "a TNT with a branch");
    packet->branches = 63 - (u32)__builtin_clzll(bits);
    packet->taken = bits & ~BIT(packet->branches);
    return true;
}

static bool take_boundary(struct trace_reader *reader, struct trace_packet *packet)
{
    if (!of_size(reader, packet, PACKET_PSB, PSB_BYTES))
        return false;
    for (u32 i = 0; i < PSB_BYTES; i++)
        if (reader->data[reader->at + i] != (i % 2 ? 0x82 : EXTENDED))
            return none(reader, "a PSB of 16 bytes");
    reader->last_ip = 0;
    return true;
}

static bool take_extended(struct trace_reader *reader, struct trace_packet *packet)
{
    const u8 *at = reader->data + reader->at;
    if (left(reader) < 2)
        return none(reader, "a whole packet");
    if (at[1] == 0x82)
        return take_boundary(reader, packet);
    if (at[1] == 0xa3)
        return of_size(reader, packet, PACKET_TNT, 2 + LONG_BYTES) &&
               take_branches(reader, packet, number(at + 2, LONG_BYTES));
    if (at[1] == 0xc3)
        return of_size(reader, packet, PACKET_MORE, 11) &&
               (at[2] == MNT_THIRD || none(reader, "a packet that the manual has"));
    for_each_row (extended, row)
        if ((at[1] & row->mask) == row->second)
            return of_size(reader, packet, row->kind, row->bytes);
    return none(reader, "a packet that the manual has");
}

/* An address may be shortened to the part that differs from the last one. */
static bool take_ip(struct trace_reader *reader, struct trace_packet *packet, enum trace_packet_kind kind)
{
    static const u8 sizes[8] = {0, 2, 4, 6, 6, 0, 8, 0};
    const u8 *at = reader->data + reader->at;
    unsigned form = at[0] >> 5;
    if (form && !sizes[form])
        return none(reader, "an address of a known form");
    if (!of_size(reader, packet, kind, 1u + sizes[form]))
        return false;
    packet->has_ip = form;
    if (!form)
        return true;
    u64 value = number(at + 1, sizes[form]), told = form == 6 ? ~0ull : MASK(8u * sizes[form] - 1, 0);
    if (form == 3)
        packet->ip = value | (value >> 47 ? MASK(63, 48) : 0);
    else
        packet->ip = (reader->last_ip & ~told) | value;
    reader->last_ip = packet->ip;
    return true;
}

/* Each byte says whether another one follows. */
static bool take_cycles(struct trace_reader *reader, struct trace_packet *packet)
{
    const u8 *at = reader->data + reader->at;
    u32 bytes = 1;
    if (at[0] & 4)
        do
            if (++bytes > CYC_MOST || bytes > left(reader))
                return none(reader, "the end of a CYC");
        while (at[bytes - 1] & 1);
    return of_size(reader, packet, PACKET_TIME, bytes);
}

static bool take(struct trace_reader *reader, struct trace_packet *packet)
{
    u8 first = reader->data[reader->at];
    if (first == EXTENDED)
        return take_extended(reader, packet);
    for_each_row (plain, row)
        if (first == row->first)
            return of_size(reader, packet, row->kind, row->bytes);
    for_each_row (with_ip, row)
        if ((first & 0x1f) == row->opcode)
            return take_ip(reader, packet, row->kind);
    if ((first & 3) == 3)
        return take_cycles(reader, packet);
    if (first & 1)
        return none(reader, "a packet that the manual has");
    return of_size(reader, packet, PACKET_TNT, 1) &&
           take_branches(reader, packet, first >> 1 & MASK(SHORT_BITS - 1, 0));
}

bool trace_packet_next(struct trace_reader *reader, struct trace_packet *packet)
{
    reader->wanted = NULL;
    *packet = (struct trace_packet){0};
    if (!left(reader) || !take(reader, packet))
        return false;
    reader->at += packet->bytes;
    return true;
}

/* ---- A whole trace */

struct place {
    bool in_boundary; /* between PSB and PSBEND: packets there describe a state, not an event */
    bool open;        /* between TIP.PGE and TIP.PGD */
};

static void add_directions(struct trace_told *told, const struct trace_packet *packet)
{
    for (u32 i = packet->branches; i--; told->directions++)
        if (told->directions < TRACE_DIRECTIONS_MOST)
            told->taken[told->directions] = packet->taken >> i & 1;
}

static const char *add_target(struct trace_told *told, const struct trace_packet *packet)
{
    if (!packet->has_ip)
        return "a TIP with an address";
    if (told->targets < TRACE_TARGETS_MOST)
        told->target[told->targets] = packet->ip;
    told->targets++;
    return NULL;
}

static const char *add_branch(struct trace_told *told, const struct place *place, const struct trace_packet *packet)
{
    if (place->in_boundary)
        return "PSBEND before the next branch";
    if (!place->open)
        return "TIP.PGE before the next branch";
    if (packet->kind == PACKET_TIP)
        return add_target(told, packet);
    add_directions(told, packet);
    return NULL;
}

static void begin(struct trace_told *told, const struct trace_packet *packet)
{
    told->begins++;
    if (packet->has_ip && !told->begin)
        told->begin = packet->ip;
}

/* Adds a packet to the results. Returns NULL, or what should have come instead. */
static const char *add(struct trace_told *told, struct place *place, const struct trace_packet *packet)
{
    switch (packet->kind) {
    case PACKET_TNT:
    case PACKET_TIP:
        return add_branch(told, place, packet);
    case PACKET_TIP_PGE:
        begin(told, packet);
        place->open = true;
        return NULL;
    case PACKET_TIP_PGD:
        told->ends++;
        place->open = false;
        return NULL;
    case PACKET_PSB:
        told->boundaries++;
        place->in_boundary = true;
        return NULL;
    case PACKET_PSBEND:
        if (!place->in_boundary)
            return "PSB before PSBEND";
        place->in_boundary = false;
        return NULL;
    case PACKET_OVF:
        told->lost = true;
        place->in_boundary = false;
        return NULL;
    default:
        return NULL;
    }
}

void trace_read(const u8 *data, u64 size, struct trace_told *told)
{
    struct trace_reader reader = {.data = data, .size = size};
    struct place place = {0};
    struct trace_packet packet;
    memset(told, 0, sizeof(*told));
    while (trace_packet_next(&reader, &packet)) {
        told->end = reader.at - packet.bytes;
        told->wanted = add(told, &place, &packet);
        if (told->wanted)
            return;
    }
    told->end = reader.at;
    told->wanted = reader.wanted;
}
