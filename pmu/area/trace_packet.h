/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packets of a processor trace, and what they say about the traced code. Pure: whatever the bytes are, nothing
 * outside the given room is read. SDM 3C, "Packet Definitions".
 */
#pragma once

#include "boot/bits.h"

enum trace_packet_kind {
    PACKET_PAD,
    PACKET_TNT, /* conditional branches, taken or not */
    PACKET_TIP, /* target of a branch that the code does not show */
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
    PACKET_MORE, /* MNT, and packets that are only written on request: power, PTWRITE, events */
};

struct trace_packet {
    enum trace_packet_kind kind;
    u32 bytes;
    u32 branches; /* for TNT: 1 to 47 */
    u64 taken;    /* one bit per branch, the youngest in bit 0 */
    bool has_ip;  /* for TIP, TIP.PGE, TIP.PGD and FUP */
    u64 ip;
};

/* The position in a trace. It starts at the first byte of a packet. */
struct trace_reader {
    const u8 *data;
    u64 size, at;
    u64 last_ip;        /* the address that completes a shortened one */
    const char *wanted; /* what should be at `at` but is not; NULL if a packet was read or the trace ended */
};
/* Reads the next packet; false at the end, or if there is no valid packet. */
bool trace_packet_next(struct trace_reader *reader, struct trace_packet *packet);

/*
 * The contents of a whole trace. Directions and targets are two separate lists, each in the order of execution, because
 * a CPU may collect several of one kind before it writes them.
 */
#define TRACE_DIRECTIONS_MOST 128
#define TRACE_TARGETS_MOST 128
struct trace_told {
    u32 begins, ends;        /* TIP.PGE and TIP.PGD */
    u32 boundaries;          /* PSB */
    u32 directions, targets; /* how many there are, including those without room below */
    u64 begin;               /* where tracing began: the first address in a TIP.PGE; 0 if there is none */
    bool lost;               /* OVF: packets are missing */
    bool taken[TRACE_DIRECTIONS_MOST];
    u64 target[TRACE_TARGETS_MOST];
    u64 end;            /* the offset up to which the bytes are a valid trace */
    const char *wanted; /* what should come next but does not, in words; NULL: the trace is complete */
};
void trace_read(const u8 *data, u64 size, struct trace_told *told);
