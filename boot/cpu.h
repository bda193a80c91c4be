/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processor's own numbers: flags, control registers, exception vectors, the local APIC, CPUID bits, and the MSRs
 * that do not belong to the performance monitoring unit (those are in pmu/registers.def). No other file defines one of
 * these. Macros only, usable in pure code and on the build host; the build turns them into cpu.inc for NASM, so each
 * comment stands at the end of its line and each macro fits on one line. Bits are indented under their register.
 */
#pragma once

#include "boot/bits.h"

/* The indentation is part of the table. */
/* clang-format off */

/* ---- RFLAGS. SDM 1, "EFLAGS Register" ---- */

#define RFLAGS_CF                       BIT(0)
#define RFLAGS_FIXED                    BIT(1)          /* always set */
#define RFLAGS_PF                       BIT(2)
#define RFLAGS_AF                       BIT(4)
#define RFLAGS_ZF                       BIT(6)
#define RFLAGS_SF                       BIT(7)
#define RFLAGS_TF                       BIT(8)          /* #DB after each instruction */
#define RFLAGS_IF                       BIT(9)
#define RFLAGS_DF                       BIT(10)
#define RFLAGS_OF                       BIT(11)
#define RFLAGS_IOPL                     MASK(13, 12)
#define RFLAGS_NT                       BIT(14)
#define RFLAGS_RF                       BIT(16)
#define RFLAGS_VM                       BIT(17)
#define RFLAGS_AC                       BIT(18)
#define RFLAGS_ID                       BIT(21)
#define RFLAGS_STATUS                   0x8d5ul         /* CF, PF, AF, ZF, SF, OF: what arithmetic sets */

/* ---- Control and debug registers. SDM 3A, "Control Registers", "Debug Registers" ---- */

#define CR0_PE                          BIT(0)
#define CR0_MP                          BIT(1)
#define CR0_EM                          BIT(2)
#define CR0_TS                          BIT(3)
#define CR0_ET                          BIT(4)
#define CR0_NE                          BIT(5)          /* x87 errors raise exceptions */
#define CR0_WP                          BIT(16)         /* the supervisor, too, may not write read-only pages */
#define CR0_NW                          BIT(29)
#define CR0_CD                          BIT(30)
#define CR0_PG                          BIT(31)
#define CR0_IMAGE                       (CR0_PG | CR0_WP | CR0_NE | CR0_ET | CR0_MP | CR0_PE) /* what the image sets */
#define CR4_TSD                         BIT(2)          /* RDTSC is not allowed above CPL 0 */
#define CR4_PSE                         BIT(4)
#define CR4_PAE                         BIT(5)
#define CR4_MCE                         BIT(6)
#define CR4_PCE                         BIT(8)          /* RDPMC is allowed at CPL 3 */
#define CR4_OSFXSR                      BIT(9)
#define CR4_OSXMMEXCPT                  BIT(10)
#define CR4_UMIP                        BIT(11)
#define CR4_LA57                        BIT(12)         /* five levels of page tables; changed only outside of long mode */
#define CR4_VMXE                        BIT(13)
#define CR4_OSXSAVE                     BIT(18)
#define CR4_SMEP                        BIT(20)
#define CR4_SMAP                        BIT(21)
#define CR4_PKE                         BIT(22)
#define CR4_CET                         BIT(23)
#define DR6_BS                          BIT(14)         /* the #DB is a single-step trap */
#define DR6_RESET                       0xffff0ff0
#define DR7_RESET                       0x400

/* ---- Exceptions. SDM 3A, "Exception and Interrupt Reference" ---- */

#define VECTOR_DB                       1
#define VECTOR_NMI                      2
#define VECTOR_BP                       3
#define VECTOR_UD                       6
#define VECTOR_DF                       8
#define VECTOR_TS                       10
#define VECTOR_SS                       12
#define VECTOR_GP                       13
#define VECTOR_PF                       14
#define VECTOR_AC                       17
#define VECTOR_MC                       18
#define VECTOR_CP                       21
#define VECTOR_VC                       29              /* AMD's: VMM communication, security */
#define VECTOR_SX                       30
#define EXCEPTIONS                      32              /* vectors below this are the CPU's own */

/* ---- Selectors of the global descriptor table, which kernel/interrupt/tables.c fills ---- */

#define SELECTOR_CODE_CPL_1             (0x08 | 1)
#define SELECTOR_CODE_CPL_2             (0x10 | 2)
#define SELECTOR_CODE                   0x18
#define SELECTOR_DATA                   0x20
#define SELECTOR_USER_DATA              (0x28 | 3)
#define SELECTOR_USER_CODE              (0x30 | 3)
#define SELECTOR_TSS(cpu)               (0x40 + 16 * (cpu))

/* ---- Local APIC: offsets of its page; x2APIC has them as MSRs. SDM 3A, "Local APIC" ---- */

#define APIC_ID                         0x020
#define APIC_VERSION                    0x030
#define APIC_TPR                        0x080
#define APIC_EOI                        0x0b0
#define APIC_LDR                        0x0d0           /* logical destination, in bits 31:24 */
#define APIC_DFR                        0x0e0           /* how logical destinations are interpreted */
#define APIC_SPURIOUS                   0x0f0
  #define SPURIOUS_ENABLE               BIT(8)
#define APIC_ISR                        0x100
#define APIC_IRR                        0x200
#define APIC_ESR                        0x280
#define APIC_LVT_CMCI                   0x2f0
#define APIC_ICR                        0x300           /* bits 31:0; writing them sends the interrupt */
  #define ICR_VECTOR(v)                 FIELD(7, 0, v)
  #define ICR_DELIVERY_MODE             MASK(10, 8)
  #define ICR_NMI                       FIELD(10, 8, 4)
  #define ICR_INIT                      FIELD(10, 8, 5)
  #define ICR_STARTUP                   FIELD(10, 8, 6)
  #define ICR_LOGICAL                   BIT(11)
  #define ICR_BUSY                      BIT(12)
  #define ICR_ASSERT                    BIT(14)
  #define ICR_LEVEL                     BIT(15)
  #define ICR_SHORTHAND                 MASK(19, 18)
  #define ICR_SELF                      FIELD(19, 18, 1)
  #define ICR_ALL_BUT_SELF              FIELD(19, 18, 3)
#define APIC_ICR_HIGH                   0x310           /* the destination, in bits 31:24 */
#define APIC_LVT_TIMER                  0x320
#define APIC_LVT_THERMAL                0x330
#define APIC_LVT_PC                     0x340
#define APIC_LVT_LINT0                  0x350
#define APIC_LVT_LINT1                  0x360
#define APIC_LVT_ERROR                  0x370
  #define LVT_VECTOR(v)                 FIELD(7, 0, v)          /* of any entry of the local vector table */
  #define LVT_VECTOR_MASK               MASK(7, 0)
  #define LVT_DELIVERY_FIXED            FIELD(10, 8, 0)
  #define LVT_DELIVERY_SMI              FIELD(10, 8, 2)
  #define LVT_DELIVERY_NMI              FIELD(10, 8, 4)
  #define LVT_DELIVERY_MASK             MASK(10, 8)
  #define LVT_STATUS                    BIT(12)
  #define LVT_MASKED                    BIT(16)
#define APIC_TIMER_INITIAL              0x380
#define APIC_TIMER_CURRENT              0x390
#define APIC_TIMER_DIVIDE               0x3e0

/* ---- MSRs that are not the PMU's. SDM 4, "Architectural MSRs" ---- */

#define MSR_APIC_BASE                   0x1b            /* IA32_APIC_BASE */
  #define APIC_BASE_BSP                 BIT(8)
  #define APIC_BASE_EXTD                BIT(10)         /* x2APIC mode */
  #define APIC_BASE_EN                  BIT(11)
  #define APIC_BASE_ADDRESS             MASK(51, 12)
  #define APIC_BASE_RESET               0xfee00000ul    /* the address after reset */
#define MSR_MTRRCAP                     0xfe
  #define MTRRCAP_RANGES                MASK(7, 0)      /* how many variable ranges there are */
#define MSR_MTRR_PHYSBASE(n)            (0x200 + 2 * (n))
  #define MTRR_TYPE                     MASK(7, 0)      /* of PHYSBASEn and DEF_TYPE */
  #define MTRR_ADDRESS                  MASK(51, 12)    /* of PHYSBASEn and PHYSMASKn */
#define MSR_MTRR_PHYSMASK(n)            (0x201 + 2 * (n))
  #define MTRR_PHYSMASK_VALID           BIT(11)
#define MSR_MTRR_DEF_TYPE               0x2ff
  #define MTRR_DEF_TYPE_ENABLE          BIT(11)
#define MSR_PLATFORM_INFO               0xce            /* model-specific */
  #define PLATFORM_INFO_RATIO           MASK(15, 8)     /* the TSC's rate, in bus clocks */
#define MSR_TSC_ADJUST                  0x3b            /* IA32_TSC_ADJUST */
#define MSR_BIOS_SIGN_ID                0x8b            /* IA32_BIOS_SIGN_ID: microcode revision in 63:32 after CPUID */
  #define BIOS_SIGN_REVISION            MASK(63, 32)
#define MSR_PAT                         0x277           /* IA32_PAT */
#define MSR_X2APIC                      0x800           /* register at offset n of the xAPIC page: 800H + n / 16 */
  #define MSR_X2APIC_REGISTER(offset)   (MSR_X2APIC + (offset) / 16)
  #define MSR_X2APIC_LAST               0x83f
#define MSR_MCG_CAP                     0x179           /* IA32_MCG_CAP */
  #define MCG_CAP_COUNT                 MASK(7, 0)
#define MSR_MCG_STATUS                  0x17a           /* IA32_MCG_STATUS */
  #define MCG_STATUS_RIPV               BIT(0)          /* the interrupted program can be resumed */
#define MSR_MC_CTL(i)                   (0x400 + 4 * (i))       /* IA32_MCi_CTL */
#define MSR_MC_STATUS(i)                (0x401 + 4 * (i))       /* IA32_MCi_STATUS */
  #define MC_STATUS_VALID               BIT(63)
  #define MC_STATUS_MISC_VALID          BIT(59)
  #define MC_STATUS_ADDRESS_VALID       BIT(58)
#define MSR_MC_ADDR(i)                  (0x402 + 4 * (i))
#define MSR_MC_MISC(i)                  (0x403 + 4 * (i))
#define MSR_EFER                        0xc0000080u     /* IA32_EFER */
  #define EFER_SCE                      BIT(0)
  #define EFER_LME                      BIT(8)
  #define EFER_LMA                      BIT(10)
  #define EFER_NXE                      BIT(11)
  #define EFER_SVME                     BIT(12)         /* AMD SVM */
#define MSR_STAR                        0xc0000081u
#define MSR_LSTAR                       0xc0000082u
#define MSR_FMASK                       0xc0000084u
#define MSR_FS_BASE                     0xc0000100u
#define MSR_GS_BASE                     0xc0000101u
#define MSR_KERNEL_GS_BASE              0xc0000102u
#define MSR_TSC_AUX                     0xc0000103u     /* what RDTSCP shows in ECX */
#define MSR_VM_CR                       0xc0010114u     /* AMD SVM */
  #define VM_CR_SVMDIS                  BIT(4)
#define MSR_VM_HSAVE_PA                 0xc0010117u     /* AMD SVM */

/* ---- CPUID bits: leaf, subleaf, register (0 EAX to 3 EDX) and bit in one number, for cpuid_has(). SDM 2A, "CPUID" ---- */

#define CPUID_BIT(leaf, sub, reg, bit)  ((leaf) | (sub) << 16 | (reg) << 24 | (bit) << 26)
  #define CPUID_BIT_LEAF(fact)          ((fact) & 0x8000ffff)
  #define CPUID_BIT_SUBLEAF(fact)       ((fact) >> 16 & 0xff)
  #define CPUID_BIT_REGISTER(fact)      ((fact) >> 24 & 3)
  #define CPUID_BIT_NUMBER(fact)        ((fact) >> 26 & 31)
  #define CPUID_BIT_MASK(fact)          (1u << CPUID_BIT_NUMBER(fact))  /* within its register */
#define CPUID_VMX                       CPUID_BIT(1u, 0u, 2u, 5u)
#define CPUID_SMX                       CPUID_BIT(1u, 0u, 2u, 6u)
#define CPUID_PDCM                      CPUID_BIT(1u, 0u, 2u, 15u)      /* IA32_PERF_CAPABILITIES */
#define CPUID_X2APIC                    CPUID_BIT(1u, 0u, 2u, 21u)
#define CPUID_XSAVE                     CPUID_BIT(1u, 0u, 2u, 26u)
#define CPUID_OSXSAVE                   CPUID_BIT(1u, 0u, 2u, 27u)      /* CR4.OSXSAVE as it is now */
#define CPUID_HYPERVISOR                CPUID_BIT(1u, 0u, 2u, 31u)      /* 0 on real machines */
#define CPUID_MCE                       CPUID_BIT(1u, 0u, 3u, 7u)
#define CPUID_APIC                      CPUID_BIT(1u, 0u, 3u, 9u)
#define CPUID_MTRR                      CPUID_BIT(1u, 0u, 3u, 12u)
#define CPUID_MCA                       CPUID_BIT(1u, 0u, 3u, 14u)
#define CPUID_PAT                       CPUID_BIT(1u, 0u, 3u, 16u)
#define CPUID_DS                        CPUID_BIT(1u, 0u, 3u, 21u)
#define CPUID_ACPI                      CPUID_BIT(1u, 0u, 3u, 22u)      /* IA32_THERM_STATUS */
#define CPUID_HTT                       CPUID_BIT(1u, 0u, 3u, 28u)
#define CPUID_PACKAGE_THERMAL           CPUID_BIT(6u, 0u, 0u, 6u)       /* IA32_PACKAGE_THERM_STATUS */
#define CPUID_SGX                       CPUID_BIT(7u, 0u, 1u, 2u)
#define CPUID_RTM                       CPUID_BIT(7u, 0u, 1u, 11u)
#define CPUID_PT                        CPUID_BIT(7u, 0u, 1u, 25u)      /* leaf 14H */
#define CPUID_OSPKE                     CPUID_BIT(7u, 0u, 2u, 4u)       /* CR4.PKE as it is now */
#define CPUID_RTM_ALWAYS_ABORT          CPUID_BIT(7u, 0u, 3u, 11u)
#define CPUID_TSX_FORCE_ABORT           CPUID_BIT(7u, 0u, 3u, 13u)
#define CPUID_ARCH_LBR                  CPUID_BIT(7u, 0u, 3u, 19u)      /* leaf 1CH */
#define CPUID_ARCH_CAPABILITIES         CPUID_BIT(7u, 0u, 3u, 29u)
#define CPUID_ARCH_PERFMON_EXT          CPUID_BIT(7u, 1u, 0u, 8u)       /* leaf 23H */
#define CPUID_ANYTHREAD_DEPRECATED      CPUID_BIT(0xau, 0u, 3u, 15u)
#define CPUID_LBR_LEVELS                CPUID_BIT(0x1cu, 0u, 1u, 0u)    /* IA32_LBR_CTL selects privilege levels */
#define CPUID_LBR_KINDS                 CPUID_BIT(0x1cu, 0u, 1u, 1u)    /* and kinds of branches */
#define CPUID_LBR_CALL_STACK            CPUID_BIT(0x1cu, 0u, 1u, 2u)
#define CPUID_LBR_TYPES                 CPUID_BIT(0x1cu, 0u, 2u, 2u)    /* a record tells its kind of branch */
#define CPUID_SVM                       CPUID_BIT(0x80000001u, 0u, 2u, 2u)      /* AMD */
#define CPUID_NX                        CPUID_BIT(0x80000001u, 0u, 3u, 20u)
