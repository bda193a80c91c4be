/*
 * The packets of a processor trace, and what they tell of the code that was traced. Pure: whatever the bytes are,
 * nothing outside the given room is read. SDM 3C, "Packet Definitions".
 */
#pragma once

#include "boot/bits.h"

enum trace_packet_kind {
    PACKET_PAD,
    PACKET_TNT, /* conditional branches taken and not */
    PACKET_TIP, /* where a branch went whose code does not tell it */
    PACKET_TIP_PGE,
    PACKET_TIP_PGD,
    PACKET_FUP,
    PACKET_PSB,
    PACKET_PSBEND,
    PACKET_OVF,
    PACKET_STOP,
    PACKET_MODE,
    PACKET_TIME, /* TSC, TMA, MTC, CYC, CBR */
    PACKET_PAGE, /* PIP, VMCS */
    PACKET_MORE, /* MNT, and what has to be asked for: power, PTWRITE, events */
};

struct trace_packet {
    enum trace_packet_kind kind;
    u32 bytes;
    u32 branches; /* of a TNT, 1 to 47 */
    u64 taken;    /* a bit each, the youngest in bit 0 */
    bool has_ip;  /* of a TIP, TIP.PGE, TIP.PGD or FUP */
    u64 ip;
};

/* Where in a trace one is. It begins with the first byte of a packet. */
struct trace_reader {
    const u8 *data;
    u64 size, at;
    u64 last_ip;        /* what a shortened address is completed by */
    const char *wanted; /* what should be at `at`, and is not; NULL: there is a packet, or the end */
};
/* The next packet; false at the end, and where there is none. */
bool trace_packet_next(struct trace_reader *reader, struct trace_packet *packet);

/*
 * What a whole trace tells. Directions and targets are two rows, each in the order of execution: a CPU may gather some
 * of either before it writes them.
 */
#define TRACE_DIRECTIONS_MOST 128
#define TRACE_TARGETS_MOST 128
struct trace_told {
    u32 begins, ends;        /* TIP.PGE and TIP.PGD */
    u32 boundaries;          /* PSB */
    u32 directions, targets; /* how many there are, also of those that have no room below */
    u64 begin;               /* where tracing began, of the first TIP.PGE that says so; else 0 */
    bool lost;               /* OVF: packets are missing */
    bool taken[TRACE_DIRECTIONS_MOST];
    u64 target[TRACE_TARGETS_MOST];
    u64 end;            /* the byte up to which it is a trace */
    const char *wanted; /* what should be there, in words, and is not; NULL: the trace is over */
};
void trace_read(const u8 *data, u64 size, struct trace_told *told);
