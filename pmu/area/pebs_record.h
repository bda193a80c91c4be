/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PEBS records of every format, decoded from bytes. Pure: whatever the bytes say, nothing outside the given room is
 * read. SDM 3B, "PEBS Record Format" of each microarchitecture, "Adaptive PEBS".
 */
#pragma once

#include "boot/bits.h"
#include "pmu/cpu/pebs_format.h"

enum pebs_register {
    PEBS_RAX,
    PEBS_RBX,
    PEBS_RCX,
    PEBS_RDX,
    PEBS_RSI,
    PEBS_RDI,
    PEBS_RBP,
    PEBS_RSP,
    PEBS_R8,
    PEBS_R9,
    PEBS_R10,
    PEBS_R11,
    PEBS_R12,
    PEBS_R13,
    PEBS_R14,
    PEBS_R15,
    PEBS_REGISTERS,
};
#define PEBS_XMM_REGISTERS 16
#define PEBS_XMM_BYTES 16
#define PEBS_LBR_BYTES 24      /* FROM, TO, INFO */
#define PEBS_FRAGMENT_BYTES 16 /* the header of each piece of an architectural record */

/* The contents of a record. */
enum pebs_has {
    PEBS_HAS_REGISTERS = 1, /* reg[], flags */
    PEBS_HAS_STATUS = 2,    /* status: IA32_PERF_GLOBAL_STATUS at the time of the record */
    PEBS_HAS_COUNTERS = 4,  /* applicable: the counters that the record belongs to */
    PEBS_HAS_MEMORY = 8,    /* address, source, latency */
    PEBS_HAS_EVENTING = 16, /* eventing_ip: the address of the instruction itself */
    PEBS_HAS_TSX = 32,
    PEBS_HAS_TSC = 64,
    PEBS_HAS_XMM = 128,
    PEBS_HAS_LBR = 256,
    PEBS_HAS_VALUES = 512, /* values of other counters, format 6 and architectural */
    PEBS_HAS_YMMH = 1024,
    PEBS_HAS_AUX = 2048, /* architectural records: address, source, latency, tsx */
};

/* Bits of an architectural record's header that do not stand for a group of CFG_C. */
#define PEBS_HEAD_64_BIT BIT(30)
#define PEBS_HEAD_CONTINUED BIT(31)
#define PEBS_HEAD_BASIC BIT(63)

struct pebs_record {
    u32 size;   /* the format's size, or the size that the record states */
    u32 walked; /* adaptive: the sum of its groups' sizes; otherwise equal to size */
    u32 groups; /* adaptive: its groups and number of LBR entries, as in MSR_PEBS_DATA_CFG[31:0] */
    unsigned has;
    u64 ip, eventing_ip, flags, reg[PEBS_REGISTERS];
    u64 status, applicable, tsc;
    u64 address, source, latency, tsx;
    u16 retire_latency;      /* adaptive records only */
    const u8 *xmm, *lbr;     /* XMM0 first; the newest branch first */
    u32 lbr_count, values;   /* numbers of LBR entries and of counter values */
    u64 gp_mask, fixed_mask; /* the counters that have a value */
    const u8 *value;
    /* Architectural records only. */
    u32 fragments;   /* its number of pieces: 1, unless the record is continued */
    u32 padding;     /* bytes of `size` in pieces that name no group or come before the first */
    u64 head;        /* the groups that its headers name, with the bits of CFG_C, and PEBS_HEAD_... */
    u64 lbr_control; /* from the header of the LBR group */
    u64 xstate;      /* from the header of the vector registers: components of state */
    const u8 *ymmh;
    u32 metrics; /* from the header of the counters group: the mask of PERF_METRICS */
};

/*
 * Decodes the record at the start of `room` bytes. False if the format is unknown, the room is too small, or an
 * adaptive record states a size that is too small for its groups; *record is then not usable, except its size and its
 * padding, the bytes at the start that belong to no record.
 */
bool pebs_decode(unsigned format, const u8 *at, u64 room, struct pebs_record *record);
/* Bytes of a record: of a fixed format, or of an adaptive record with these groups (MSR_PEBS_DATA_CFG); 0: unknown. */
u32 pebs_record_size(unsigned format, u64 data_cfg);
/*
 * Bytes of an architectural record in one piece, with these groups of CFG_C. The counters group counts with its header
 * only, and so do branch records if their number is not fixed.
 */
u32 apebs_record_size(u64 groups);
