/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual machine control block, as far as the monitor uses it. AMD64 Architecture Programmer's Manual 2, "VMCB
 * Layout, Control Area" and "VMCB Layout, State Save Area".
 */
#pragma once

#include "boot/bits.h"

struct vmcb_segment {
    u16 selector, attributes; /* attributes: descriptor bits 55:52 and 47:40 */
    u32 limit;
    u64 base;
};

struct vmcb {
    u32 intercept_control;    /* 000: a bit per control register, reads low, writes high */
    u32 intercept_debug;      /* 004: likewise debug registers */
    u32 intercept_exceptions; /* 008: a bit per vector */
    u32 intercept[2];         /* 00c: INTERCEPT_*, low half first: not aligned for a 64-bit word */
    u8 reserved1[0x40 - 0x14];
    u64 io_permissions;         /* 040 */
    u64 msr_permissions;        /* 048 */
    u64 tsc_offset;             /* 050 */
    u32 asid;                   /* 058 */
    u32 tlb_control;            /* 05c */
    u64 interrupt_control;      /* 060 */
    u64 interrupt_shadow;       /* 068 */
    u64 exit_code;              /* 070 */
    u64 exit_info1, exit_info2; /* 078, 080 */
    u64 exit_interrupt_info;    /* 088 */
    u64 nested_paging;          /* 090 */
    u8 reserved2[0xa8 - 0x98];
    u64 event_injection; /* 0a8 */
    u64 nested_cr3;      /* 0b0 */
    u8 reserved3[0x400 - 0xb8];
    struct vmcb_segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr; /* 400 */
    u8 reserved4[0x4cb - 0x4a0];
    u8 cpl; /* 4cb */
    u8 reserved5[4];
    u64 efer; /* 4d0 */
    u8 reserved6[0x548 - 0x4d8];
    u64 cr4, cr3, cr0, dr7, dr6, rflags, rip; /* 548 */
    u8 reserved7[0x5d8 - 0x580];
    u64 rsp; /* 5d8 */
    u8 reserved8[0x5f8 - 0x5e0];
    u64 rax; /* 5f8 */
    u64 star, lstar, cstar, fmask, kernel_gs_base, sysenter_cs, sysenter_esp, sysenter_eip;
    u64 cr2; /* 640 */
    u8 reserved10[0x668 - 0x648];
    u64 pat; /* 668 */
    u8 reserved11[0x1000 - 0x670];
};

_Static_assert(offsetof(struct vmcb, intercept) == 0x0c, "VMCB layout");
_Static_assert(offsetof(struct vmcb, exit_code) == 0x70, "VMCB layout");
_Static_assert(offsetof(struct vmcb, event_injection) == 0xa8, "VMCB layout");
_Static_assert(offsetof(struct vmcb, tr) == 0x490, "VMCB layout");
_Static_assert(offsetof(struct vmcb, efer) == 0x4d0, "VMCB layout");
_Static_assert(offsetof(struct vmcb, rip) == 0x578, "VMCB layout");
_Static_assert(offsetof(struct vmcb, rax) == 0x5f8, "VMCB layout");
_Static_assert(offsetof(struct vmcb, pat) == 0x668, "VMCB layout");
_Static_assert(sizeof(struct vmcb) == 4096, "VMCB layout");

_Static_assert(offsetof(struct vmcb, cr2) == 0x640, "VMCB layout");

#define INTERCEPT_INTR BIT(0)
#define INTERCEPT_NMI BIT(1)
#define INTERCEPT_TABLES (BIT(6) | BIT(10) | BIT(11) | BIT(13)) /* SIDT, LIDT, LGDT, LTR */
#define INTERCEPT_TSC (BIT(14) | BIT(39))                       /* RDTSC, RDTSCP */
#define INTERCEPT_RDPMC BIT(15)
#define INTERCEPT_CPUID BIT(18)
#define INTERCEPT_IRET BIT(20)
#define INTERCEPT_INTN BIT(21)
#define INTERCEPT_HLT BIT(24)
#define INTERCEPT_PORTS BIT(27) /* exit by the MSR permission map */
#define INTERCEPT_MSR BIT(28)
#define INTERCEPT_SHUTDOWN BIT(31)
#define INTERCEPT_MWAIT BIT(43)
#define INTERCEPT_SVM MASK(37, 32) /* VMRUN, VMMCALL, VMLOAD, VMSAVE, STGI, CLGI */

#define MASK_INTERRUPTS BIT(24) /* in interrupt_control: the host's IF, always clear, masks the guest's */

/* Bits of intercept_control. */
#define CONTROL_CR4 (BIT(4) | BIT(16 + 4))
#define CONTROL_PAGING (BIT(16 + 0) | BIT(16 + 3)) /* writes of CR0 and CR3 */

#define DEBUG_DR6 (BIT(6) | BIT(16 + 6)) /* of intercept_debug */

static inline void vmcb_intercept(struct vmcb *c, u64 what)
{
    c->intercept[0] = (u32)what;
    c->intercept[1] = (u32)(what >> 32);
}

enum vm_exit {
    EXIT_CR4_READ = 0x04,
    EXIT_CR0_WRITE = 0x10,
    EXIT_CR3_WRITE = 0x13,
    EXIT_CR4_WRITE = 0x14,
    EXIT_DR6_READ = 0x26,
    EXIT_DR6_WRITE = 0x36,
    EXIT_EXCEPTION = 0x40, /* plus the vector */
    EXIT_INTR = 0x60,
    EXIT_NMI = 0x61,
    EXIT_IDTR_READ = 0x66,
    EXIT_IDTR_WRITE = 0x6a,
    EXIT_GDTR_WRITE = 0x6b,
    EXIT_TR_WRITE = 0x6d,
    EXIT_RDTSC = 0x6e, /* QEMU uses it for RDTSCP as well */
    EXIT_RDPMC = 0x6f,
    EXIT_CPUID = 0x72,
    EXIT_IRET = 0x74,
    EXIT_INTN = 0x75,
    EXIT_HLT = 0x78,
    EXIT_PORT = 0x7b,
    EXIT_MSR = 0x7c,
    EXIT_SHUTDOWN = 0x7f,
    EXIT_VMRUN = 0x80,
    EXIT_VMMCALL = 0x81,
    EXIT_SKINIT = 0x86, /* the last of SVM's instructions */
    EXIT_RDTSCP = 0x87,
    EXIT_MWAIT = 0x8b,
    EXIT_NESTED_FAULT = 0x400,
};

/* exit_info1 of a nested page fault. */
#define NESTED_FAULT_WRITE BIT(1)
#define NESTED_FAULT_FETCH BIT(4)
#define NESTED_FAULT_TABLE BIT(33) /* during a walk of the guest's own page tables */

#define FLUSH_ALL 1 /* tlb_control: the next entry flushes the TLB of all guests */

/* Event injection. */
#define INJECT_VALID BIT(31)
#define INJECT_ERROR_CODE BIT(11)
#define INJECT_NMI (FIELD(10, 8, 2) | 2)
#define INJECT_EXCEPTION(vector) (FIELD(10, 8, 3) | (vector))
#define INJECT_INTERRUPT(vector) FIELD(7, 0, vector)
