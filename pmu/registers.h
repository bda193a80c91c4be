/*
 * Model-specific registers: every index and every bit that pmucheck names, and no other file has a number of its own.
 * Bits stand indented under their register; names are the SDM's. SDM 4, "Model-Specific Registers (MSRs)"; SDM 3B,
 * "Performance Monitoring". Macros only: usable in pure code and on the build host.
 *
 * A register may exist only for some architectural versions (v2: version 2 and later) or capabilities (345H[13]).
 */
#pragma once

#include "boot/cpu.h"

/* The indentation is part of the table. */
/* clang-format off */

/* ---- General-purpose counters ---- */

#define MSR_PERFEVTSEL(n)               (0x186 + (n))   /* IA32_PERFEVTSELn, event select of GP counter n */
  #define EVTSEL_EVENT(e)               FIELD(7, 0, e)
  #define EVTSEL_UMASK(u)               FIELD(15, 8, u)
  #define EVTSEL_ENCODING(event)        FIELD(15, 0, event)     /* umask:event, as in ARCH_EVENT_... */
  #define EVTSEL_USR                    BIT(16)         /* CPL 1 to 3 */
  #define EVTSEL_OS                     BIT(17)         /* CPL 0 */
  #define EVTSEL_EDGE                   BIT(18)         /* count rises of the condition, not its cycles */
  #define EVTSEL_PC                     BIT(19)         /* pin control */
  #define EVTSEL_INT                    BIT(20)         /* PMI on overflow */
  #define EVTSEL_ANY                    BIT(21)         /* AnyThread, v3 and v4 */
  #define EVTSEL_EN                     BIT(22)
  #define EVTSEL_INV                    BIT(23)         /* inverts the CMASK comparison */
  #define EVTSEL_CMASK(n)               FIELD(31, 24, n)        /* count cycles with at least n events; 0: events */
  #define EVTSEL_IN_TX                  BIT(32)
  #define EVTSEL_IN_TXCP                BIT(33)         /* IA32_PERFEVTSEL2 only */
  #define EVTSEL_ADAPTIVE               BIT(34)         /* 345H[14] */
  #define EVTSEL_BR_CNTR                BIT(35)         /* CPUID.1CH:ECX[19:16] */
  #define EVTSEL_EQ                     BIT(36)         /* v6 */
  #define EVTSEL_RDPMC_USER_DISABLE     BIT(37)         /* v6: CPUID.23H.0:EBX[2] */
  #define EVTSEL_UMASK2(u)              FIELD(47, 40, u)        /* v6 */
  #define EVTSEL_DEFINED                (MASK(31, 0) & ~(EVTSEL_PC | EVTSEL_ANY))       /* what every version has */

#define MSR_PMC(n)                      (0xc1 + (n))    /* IA32_PMCn; a write is sign-extended from bit 31 */
#define MSR_A_PMC(n)                    (0x4c1 + (n))   /* IA32_A_PMCn, the same counter at full width, 345H[13] */

/* ---- Fixed-function counters, v2 ---- */

#define MSR_FIXED_CTR(i)                (0x309 + (i))   /* IA32_FIXED_CTRi */
  #define FIXED_INSTRUCTIONS            0               /* INST_RETIRED.ANY */
  #define FIXED_CORE_CYCLES             1               /* CPU_CLK_UNHALTED.THREAD */
  #define FIXED_REF_CYCLES              2               /* CPU_CLK_UNHALTED.REF_TSC */
  #define FIXED_TOPDOWN_SLOTS           3               /* TOPDOWN.SLOTS */
  #define FIXED_BAD_SPECULATION         4               /* TOPDOWN_BAD_SPECULATION.ALL */
  #define FIXED_FRONTEND_BOUND          5               /* TOPDOWN_FE_BOUND.ALL */
#define MSR_PERF_METRICS                0x329           /* 345H[15] */
#define MSR_FIXED_CTR_CTRL              0x38d           /* IA32_FIXED_CTR_CTRL, four bits a counter */
  #define FIXED_OS(i)                   BIT(4 * (i))
  #define FIXED_USR(i)                  BIT(4 * (i) + 1)
  #define FIXED_ANY(i)                  BIT(4 * (i) + 2)        /* v3 and v4 */
  #define FIXED_PMI(i)                  BIT(4 * (i) + 3)
  #define FIXED_METRICS_CLEAR           BIT(14)         /* 345H[19]: RDPMC of the metrics clears them and counter 3 */
  #define FIXED_FIELD(i)                MASK(4 * (i) + 3, 4 * (i))
  #define FIXED_ADAPTIVE(i)             BIT(32 + 4 * (i))       /* 345H[14] */
  #define FIXED_RDPMC_USER_DISABLE(i)   BIT(33 + 4 * (i))       /* v6: CPUID.23H.0:EBX[2] */

/* ---- Global control and status, v2 ---- */

#define MSR_PERF_GLOBAL_STATUS          0x38e           /* IA32_PERF_GLOBAL_STATUS, read-only */
  #define STATUS_GP(n)                  BIT(n)
  #define STATUS_FIXED(i)               BIT(32 + (i))
  #define STATUS_METRICS                BIT(48)
  #define STATUS_ARCH_PEBS              BIT(54)         /* architectural PEBS threshold */
  #define STATUS_TRACE_TOPA_PMI         BIT(55)
  #define STATUS_LBR_FRZ                BIT(58)         /* v4 */
  #define STATUS_CTR_FRZ                BIT(59)         /* v4 */
  #define STATUS_ASCI                   BIT(60)         /* v4 */
  #define STATUS_OVF_UNCORE             BIT(61)         /* v3 */
  #define STATUS_OVF_BUFFER             BIT(62)
  #define STATUS_COND_CHGD              BIT(63)
#define MSR_PERF_GLOBAL_CTRL            0x38f           /* IA32_PERF_GLOBAL_CTRL */
  #define GLOBAL_GP(n)                  BIT(n)
  #define GLOBAL_FIXED(i)               BIT(32 + (i))
  #define GLOBAL_METRICS                BIT(48)
#define MSR_PERF_GLOBAL_STATUS_RESET    0x390           /* v4; v2 and v3: IA32_PERF_GLOBAL_OVF_CTRL; bits as STATUS */
#define MSR_PERF_GLOBAL_STATUS_SET      0x391           /* v4; another register on older client parts; bits as STATUS */
#define MSR_PERF_GLOBAL_INUSE           0x392           /* v4, read-only */
  #define INUSE_GP(n)                   BIT(n)
  #define INUSE_FIXED(i)                BIT(32 + (i))
  #define INUSE_PMI                     BIT(63)

/* ---- Capabilities, freeze, DS and PEBS ---- */

#define MSR_PERF_CAPABILITIES           0x345           /* IA32_PERF_CAPABILITIES, CPUID.1:ECX[15]; read-only */
  #define PERF_CAP_LBR_FORMAT           MASK(5, 0)
  #define PERF_CAP_PEBS_TRAP            BIT(6)          /* record after the instruction */
  #define PERF_CAP_PEBS_ARCH_REGS       BIT(7)
  #define PERF_CAP_PEBS_FORMAT          MASK(11, 8)
  #define PERF_CAP_FREEZE_WHILE_SMM     BIT(12)
  #define PERF_CAP_FULL_WIDTH           BIT(13)         /* IA32_A_PMCn exist */
  #define PERF_CAP_PEBS_BASELINE        BIT(14)
  #define PERF_CAP_METRICS              BIT(15)
  #define PERF_CAP_PEBS_OUTPUT_PT       BIT(16)
  #define PERF_CAP_PEBS_TIMING          BIT(17)
  #define PERF_CAP_RDPMC_METRICS_CLEAR  BIT(19)

#define MSR_DEBUGCTL                    0x1d9           /* IA32_DEBUGCTL */
  #define DEBUGCTL_LBR                  BIT(0)
  #define DEBUGCTL_BTF                  BIT(1)
  #define DEBUGCTL_BUS_LOCK             BIT(2)
  #define DEBUGCTL_TR                   BIT(6)
  #define DEBUGCTL_BTS                  BIT(7)
  #define DEBUGCTL_BTINT                BIT(8)
  #define DEBUGCTL_BTS_OFF_OS           BIT(9)
  #define DEBUGCTL_BTS_OFF_USR          BIT(10)
  #define DEBUGCTL_FREEZE_LBRS_ON_PMI   BIT(11)
  #define DEBUGCTL_FREEZE_PERFMON_ON_PMI BIT(12)
  #define DEBUGCTL_UNCORE_PMI           BIT(13)
  #define DEBUGCTL_FREEZE_WHILE_SMM     BIT(14)         /* 345H[12] */
  #define DEBUGCTL_RTM                  BIT(15)

#define MSR_MISC_ENABLE                 0x1a0           /* IA32_MISC_ENABLE */
  #define MISC_ENABLE_FAST_STRINGS      BIT(0)
  #define MISC_ENABLE_TM1               BIT(3)
  #define MISC_ENABLE_PERFMON           BIT(7)          /* read-only: performance monitoring available */
  #define MISC_ENABLE_BTS_UNAVAILABLE   BIT(11)         /* read-only */
  #define MISC_ENABLE_PEBS_UNAVAILABLE  BIT(12)         /* read-only */
  #define MISC_ENABLE_EIST              BIT(16)
  #define MISC_ENABLE_MONITOR           BIT(18)
  #define MISC_ENABLE_LIMIT_CPUID       BIT(22)
  #define MISC_ENABLE_XTPR_DISABLE      BIT(23)
  #define MISC_ENABLE_XD_DISABLE        BIT(34)
  #define MISC_ENABLE_TURBO_DISABLE     BIT(38)

#define MSR_PEBS_ENABLE                 0x3f1           /* IA32_PEBS_ENABLE */
  #define PEBS_GP(n)                    BIT(n)
  #define PEBS_LL(n)                    BIT(32 + (n))   /* load latency, before 345H[14] */
  #define PEBS_FIXED(i)                 BIT(32 + (i))   /* with 345H[14] */
  #define PEBS_PMI_AFTER_EACH           BIT(60)         /* 345H[16]: a PMI after each record */
  #define PEBS_OUTPUT                   MASK(62, 61)    /* 345H[16]: 0 the DS area, 1 processor trace */
  #define PEBS_PS                       BIT(63)         /* precise store, Sandy Bridge and Ivy Bridge */
  #define PEBS_REPLAY_METRICS           MASK(12, 0)     /* NetBurst: what tags uops for replay_event */
  #define PEBS_UOP_TAG                  BIT(24)         /* NetBurst */
  #define PEBS_MY_THREAD                BIT(25)         /* NetBurst: relative to the thread that writes */
  #define PEBS_OTHER_THREAD             BIT(26)         /* NetBurst */
#define MSR_PEBS_DATA_CFG               0x3f2           /* MSR_PEBS_DATA_CFG, 345H[14] */
  #define PEBS_DATA_MEMINFO             BIT(0)
  #define PEBS_DATA_GPR                 BIT(1)
  #define PEBS_DATA_XMM                 BIT(2)
  #define PEBS_DATA_LBR                 BIT(3)
  #define PEBS_DATA_COUNTERS            BIT(4)          /* record format 6 */
  #define PEBS_DATA_METRICS             BIT(5)          /* record format 6 */
  #define PEBS_DATA_LBR_ENTRIES(n)      FIELD(31, 24, (n) - 1)
  #define PEBS_DATA_GP(n)               BIT(32 + (n))   /* of the counters group: PMCn is in it */
  #define PEBS_DATA_FIXED(i)            BIT(48 + (i))   /* of the counters group: FIXED_CTRi is in it */
#define MSR_PEBS_MATRIX_VERT            0x3f2           /* MSR_PEBS_MATRIX_VERT on NetBurst */
  #define PEBS_MATRIX                   MASK(12, 0)
#define MSR_PEBS_BASE                   0x3f4           /* IA32_PEBS_BASE, architectural PEBS: a physical address */
  #define PEBS_BASE_SIZE                MASK(11, 0)     /* the buffer's: 4 KiB << size; how wide the field is is not told */
  #define PEBS_BASE_ADDRESS             MASK(51, 12)
#define MSR_PEBS_INDEX                  0x3f5           /* IA32_PEBS_INDEX, architectural PEBS */
  #define PEBS_INDEX_WR                 MASK(26, 4)     /* bytes from the base to the next record */
  #define PEBS_INDEX_FULL               BIT(31)         /* there was no room for a record */
  #define PEBS_INDEX_EN                 BIT(32)
  #define PEBS_INDEX_THRESHOLD          MASK(58, 36)    /* bytes << 32, as PEBS_INDEX_WR */
#define MSR_PEBS_LD_LAT                 0x3f6           /* MSR_PEBS_LD_LAT_THRESHOLD */
  #define PEBS_LD_LAT_THRESHOLD         MASK(15, 0)     /* core cycles */
#define MSR_PEBS_FRONTEND               0x3f7           /* MSR_PEBS_FRONTEND */
#define MSR_DS_AREA                     0x600           /* IA32_DS_AREA */
#define MSR_RELOAD_PMC(n)               (0x14c1 + (n))  /* MSR_RELOAD_PMCn, 345H[16] */
#define MSR_RELOAD_FIXED_CTR(i)         (0x1309 + (i))  /* MSR_RELOAD_FIXED_CTRi, 345H[16] */
#define MSR_OFFCORE_RSP(n)              (0x1a6 + (n))   /* MSR_OFFCORE_RSP_n */
  #define OFFCORE_RSP_DATA_READ         BIT(0)          /* demand data reads */

/* ---- Version 6 aliases of counters and their controls (CPUID leaf 23H) ---- */

#define MSR_PMC_GP_CTR(n)               (0x1900 + 4 * (n))      /* value; CFG_A, CFG_B, CFG_C follow */
#define MSR_PMC_GP_CFG_A(n)             (0x1901 + 4 * (n))
#define MSR_PMC_GP_CFG_B(n)             (0x1902 + 4 * (n))
#define MSR_PMC_GP_CFG_C(n)             (0x1903 + 4 * (n))
#define MSR_PMC_FX_CTR(i)               (0x1980 + 4 * (i))
#define MSR_PMC_FX_CFG_B(i)             (0x1982 + 4 * (i))
#define MSR_PMC_FX_CFG_C(i)             (0x1983 + 4 * (i))
/* CFG_C. From bit 32 on architectural PEBS: which groups a record of the counter has, each as CPUID.23H.4:EBX has it. */
  #define CFG_C_RELOAD                  MASK(31, 0)     /* what the counter is reloaded with; its upper bits become ones */
  #define CFG_C_ALLOW                   BIT(35)         /* records of other counters may hold this one's value */
  #define CFG_C_CNTR_GP                 BIT(36)
  #define CFG_C_CNTR_FIXED              BIT(37)
  #define CFG_C_CNTR_METRICS            BIT(38)
  #define CFG_C_LBR                     MASK(41, 40)    /* 1: 8 entries, 2: 16, 3: as many as there are */
  #define CFG_C_XMM                     BIT(49)
  #define CFG_C_YMMH                    BIT(50)
  #define CFG_C_OPMASK                  BIT(53)
  #define CFG_C_ZMMH                    BIT(54)
  #define CFG_C_H16ZMM                  BIT(55)
  #define CFG_C_GPR                     BIT(61)
  #define CFG_C_AUX                     BIT(62)
  #define CFG_C_PEBS_EN                 BIT(63)

/* ---- NetBurst ---- */

#define MSR_NETBURST_COUNTER(n)         (0x300 + (n))   /* 18 counters of 40 bits */
  #define NETBURST_COUNTERS             18
  #define NETBURST_IQ_COUNTER(n)        (12 + (n))      /* MSR_IQ_COUNTERn; 4 samples for thread 0, 5 for thread 1 */
  #define NETBURST_SAMPLERS             2
#define MSR_CCCR(n)                     (0x360 + (n))   /* counter configuration control */
  #define CCCR_ENABLE                   BIT(12)
  #define CCCR_ESCR_SELECT              MASK(15, 13)
  #define CCCR_ACTIVE_THREAD            MASK(17, 16)    /* 3: any, and the only value without hyper-threading */
  #define CCCR_COMPARE                  BIT(18)
  #define CCCR_COMPLEMENT               BIT(19)
  #define CCCR_THRESHOLD                MASK(23, 20)
  #define CCCR_EDGE                     BIT(24)
  #define CCCR_FORCE_OVF                BIT(25)
  #define CCCR_OVF_PMI_T0               BIT(26)
  #define CCCR_OVF_PMI_T1               BIT(27)
  #define CCCR_CASCADE                  BIT(30)
  #define CCCR_OVF                      BIT(31)
#define MSR_ESCR                        0x3a0           /* event selection control, the first of them */
#define MSR_ESCR_LAST                   0x3e1
  #define ESCR_T1_USR                   BIT(0)
  #define ESCR_T1_OS                    BIT(1)
  #define ESCR_T0_USR                   BIT(2)
  #define ESCR_T0_OS                    BIT(3)
  #define ESCR_TAG_ENABLE               BIT(4)
  #define ESCR_TAG_VALUE                MASK(8, 5)
  #define ESCR_EVENT_MASK               MASK(24, 9)
  #define ESCR_EVENT                    MASK(30, 25)
#define MSR_FIRM_ESCR(n)                (0x3a4 + (n))   /* of these, MSR_FIRM_ESCR0 and 1 */
#define MSR_RAT_ESCR(n)                 (0x3bc + (n))   /* of these, MSR_RAT_ESCR0 and 1 */
#define MSR_CRU_ESCR(n)                 (0x3b8 + (n) / 2 * 0x14 + (n) % 2)      /* of these, MSR_CRU_ESCR0 to 5 */

/* ---- Last-branch records ---- */

#define MSR_LBR_SELECT                  0x1c8           /* a set bit suppresses */
  #define LBR_SELECT_CPL_0              BIT(0)
  #define LBR_SELECT_CPL_ABOVE          BIT(1)
  #define LBR_SELECT_CONDITIONAL        BIT(2)
  #define LBR_SELECT_CALL               BIT(3)          /* near relative */
  #define LBR_SELECT_CALL_INDIRECT      BIT(4)
  #define LBR_SELECT_RETURN             BIT(5)
  #define LBR_SELECT_JUMP_INDIRECT      BIT(6)
  #define LBR_SELECT_JUMP               BIT(7)          /* near relative */
  #define LBR_SELECT_FAR                BIT(8)
  #define LBR_SELECT_CALL_STACK         BIT(9)          /* not a filter: a return takes its call from the stack */
#define MSR_LBR_TOS                     0x1c9
#define MSR_LBR_OLD_FROM(n)             (0x40 + (n))    /* where there are eight or fewer */
#define MSR_LBR_OLD_TO(n)               (0x60 + (n))
#define MSR_LBR_FROM(n)                 (0x680 + (n))   /* where there are more than eight */
#define MSR_LBR_TO(n)                   (0x6c0 + (n))
  #define LBR_SIGN_LOST                 0x1fffa34500000000ull   /* of the upper half, as format 4 may have it: 63:61 are flags */
  #define LBR_NOT_CANONICAL             0x0400012345000000ull   /* with 48 bits of address, and with 57 */
#define MSR_LBR_INFO(n)                 (0xdc0 + (n))   /* record format 5 */
  #define LBR_INFO_CYCLES               MASK(15, 0)
  #define LBR_INFO_ABORT                BIT(61)
  #define LBR_INFO_IN_TX                BIT(62)
  #define LBR_INFO_MISPREDICTED         BIT(63)
  #define LBR_INFO_TYPE                 MASK(59, 56)    /* architectural ones */
  #define LBR_INFO_CYCLES_VALID         BIT(60)         /* likewise */
  #define LBR_INFO_COUNTS               MASK(39, 32)    /* likewise: two bits of each logged counter */
/* Architectural branch records: CPUID.7.0:EDX[19] and leaf 1CH. A set bit of the control selects. */
#define MSR_ARCH_LBR_CTL                0x14ce
  #define LBR_CTL_EN                    BIT(0)
  #define LBR_CTL_OS                    BIT(1)
  #define LBR_CTL_USR                   BIT(2)
  #define LBR_CTL_CALL_STACK            BIT(3)
  #define LBR_CTL_CONDITIONAL           BIT(16)
  #define LBR_CTL_JUMP                  BIT(17)
  #define LBR_CTL_JUMP_INDIRECT         BIT(18)
  #define LBR_CTL_CALL                  BIT(19)
  #define LBR_CTL_CALL_INDIRECT         BIT(20)
  #define LBR_CTL_RETURN                BIT(21)
  #define LBR_CTL_OTHER                 BIT(22)
#define MSR_ARCH_LBR_DEPTH              0x14cf          /* a write clears all records */
#define MSR_ARCH_LBR_INFO(n)            (0x1200 + (n))  /* n = 0: the newest */
#define MSR_ARCH_LBR_FROM(n)            (0x1500 + (n))
#define MSR_ARCH_LBR_TO(n)              (0x1600 + (n))

/* ---- Processor trace: CPUID.7.0:EBX[25] and leaf 14H; what a bit needs of the leaf stands behind it ---- */

#define MSR_RTIT_OUTPUT_BASE            0x560           /* IA32_RTIT_OUTPUT_BASE: physical, of the table of regions */
  #define RTIT_BASE_RESERVED            MASK(6, 0)
#define MSR_RTIT_OUTPUT_MASK_PTRS       0x561           /* IA32_RTIT_OUTPUT_MASK_PTRS */
  #define RTIT_PTRS_ONES                MASK(6, 0)      /* read as 1 whatever is written */
  #define RTIT_PTRS_INDEX(n)            FIELD(31, 7, n) /* entry of the table */
  #define RTIT_PTRS_OFFSET(n)           FIELD(63, 32, n)        /* in its region, of the next byte */
#define MSR_RTIT_CTL                    0x570           /* IA32_RTIT_CTL */
  #define RTIT_CTL_TRACE_EN             BIT(0)
  #define RTIT_CTL_CYC_EN               BIT(1)          /* EBX[1] */
  #define RTIT_CTL_OS                   BIT(2)
  #define RTIT_CTL_USER                 BIT(3)
  #define RTIT_CTL_PWR_EVT_EN           BIT(4)          /* EBX[5] */
  #define RTIT_CTL_FUP_ON_PTW           BIT(5)          /* EBX[4] */
  #define RTIT_CTL_FABRIC_EN            BIT(6)          /* ECX[3] */
  #define RTIT_CTL_CR3_FILTER           BIT(7)          /* EBX[0] */
  #define RTIT_CTL_TOPA                 BIT(8)          /* ECX[0] */
  #define RTIT_CTL_MTC_EN               BIT(9)          /* EBX[3] */
  #define RTIT_CTL_TSC_EN               BIT(10)
  #define RTIT_CTL_DIS_RETC             BIT(11)
  #define RTIT_CTL_PTW_EN               BIT(12)         /* EBX[4] */
  #define RTIT_CTL_BRANCH_EN            BIT(13)
  #define RTIT_CTL_MTC_FREQ             MASK(17, 14)    /* EBX[3]; values of sub-leaf 1, EAX[31:16] */
  #define RTIT_CTL_CYC_THRESH           MASK(22, 19)    /* EBX[1]; values of sub-leaf 1, EBX[15:0] */
  #define RTIT_CTL_PSB_FREQ             MASK(27, 24)    /* EBX[1]; values of sub-leaf 1, EBX[31:16] */
  #define RTIT_CTL_EVENT_EN             BIT(31)         /* EBX[7] */
  #define RTIT_CTL_ADDR_CFG             MASK(47, 32)    /* four bits a range: sub-leaf 1, EAX[2:0] */
  #define RTIT_CTL_DIS_TNT              BIT(55)         /* EBX[8] */
  #define RTIT_CTL_INJECT               BIT(56)         /* EBX[6]: a PSB and a PMI that are pending come with TraceEn */
#define MSR_RTIT_STATUS                 0x571           /* IA32_RTIT_STATUS */
  #define RTIT_STATUS_FILTER_EN         BIT(0)          /* these three are not software's to write */
  #define RTIT_STATUS_CONTEXT_EN        BIT(1)
  #define RTIT_STATUS_TRIGGER_EN        BIT(2)
  #define RTIT_STATUS_ERROR             BIT(4)
  #define RTIT_STATUS_STOPPED           BIT(5)
  #define RTIT_STATUS_PENDING           MASK(7, 6)      /* EBX[6]: a PSB, a PMI */
  #define RTIT_STATUS_BYTES             MASK(48, 32)    /* EBX[1] */
#define MSR_RTIT_CR3_MATCH              0x572           /* IA32_RTIT_CR3_MATCH, EBX[0] */
  #define RTIT_CR3_RESERVED             MASK(4, 0)
#define MSR_RTIT_ADDR(n)                (0x580 + (n))   /* IA32_RTIT_ADDRn_A, IA32_RTIT_ADDRn_B: two of each range */
  #define RTIT_RANGES_MAX               4
/* CPUID leaf 14H: what IA32_RTIT_CTL has, EBX, and where the trace may go, ECX. */
  #define TRACE_CR3                     BIT(0)
  #define TRACE_CYCLES                  BIT(1)
  #define TRACE_RANGES                  BIT(2)
  #define TRACE_MTC                     BIT(3)
  #define TRACE_PTWRITE                 BIT(4)
  #define TRACE_POWER                   BIT(5)
  #define TRACE_PENDING                 BIT(6)
  #define TRACE_EVENTS                  BIT(7)
  #define TRACE_NO_TNT                  BIT(8)
  #define TRACE_TO_TABLE                BIT(0)          /* the table of physical addresses */
  #define TRACE_TO_REGIONS              BIT(1)          /* of more than one region */
  #define TRACE_TO_RANGE                BIT(2)          /* one range without a table */
  #define TRACE_TO_FABRIC               BIT(3)

/* ---- Identity, clocks, heat: read only to bracket and to describe ---- */

#define MSR_TIME_STAMP_COUNTER          0x10
#define MSR_PLATFORM_ID                 0x17
  #define PLATFORM_ID                   MASK(52, 50)
#define MSR_SMI_COUNT                   0x34
#define MSR_FEATURE_CONTROL             0x3a            /* IA32_FEATURE_CONTROL */
#define MSR_BIOS_SIGN_ID                0x8b            /* IA32_BIOS_SIGN_ID: microcode revision in 63:32 after CPUID */
  #define BIOS_SIGN_REVISION            MASK(63, 32)
#define MSR_CORE_CAPABILITIES           0xcf
#define MSR_MPERF                       0xe7            /* IA32_MPERF */
#define MSR_APERF                       0xe8            /* IA32_APERF */
#define MSR_ARCH_CAPABILITIES           0x10a           /* IA32_ARCH_CAPABILITIES */
  #define ARCH_CAP_TSX_CTRL             BIT(7)          /* IA32_TSX_CTRL exists */
  #define ARCH_CAP_XAPIC_DISABLE_STATUS BIT(21)         /* IA32_XAPIC_DISABLE_STATUS exists */
#define MSR_XAPIC_DISABLE_STATUS        0xbd
#define MSR_TSX_FORCE_ABORT             0x10f           /* IA32_TSX_FORCE_ABORT */
  #define TSX_FORCE_ABORT_RTM           BIT(0)          /* every transaction aborts; PMC3 is software's then */
#define MSR_TSX_CTRL                    0x122
#define MSR_THERM_STATUS                0x19c           /* IA32_THERM_STATUS */
#define MSR_PACKAGE_THERM_STATUS        0x1b1           /* IA32_PACKAGE_THERM_STATUS */
  #define THERM_PROCHOT                 BIT(0)          /* both: throttled now */
  #define THERM_PROCHOT_LOG             BIT(1)          /* both: throttled since the log was cleared */
  #define THERM_CRITICAL                BIT(4)

/* ---- RDPMC index (ECX) ---- */

#define RDPMC_GP(n)                     (n)
#define RDPMC_FIXED(i)                  (0x40000000u + (i))
#define RDPMC_METRICS                   0x20000000u

/* ---- Architectural events, umask:event; the index is the bit in CPUID.0AH:EBX ---- */

#define ARCH_EVENT_CORE_CYCLES          0x003c          /* 0 */
#define ARCH_EVENT_INSTRUCTIONS         0x00c0          /* 1 */
#define ARCH_EVENT_REF_CYCLES           0x013c          /* 2 */
#define ARCH_EVENT_LLC_REFERENCE        0x4f2e          /* 3 */
#define ARCH_EVENT_LLC_MISS             0x412e          /* 4 */
#define ARCH_EVENT_BRANCHES             0x00c4          /* 5 */
#define ARCH_EVENT_BRANCH_MISSES        0x00c5          /* 6 */
#define ARCH_EVENT_TOPDOWN_SLOTS        0x01a4          /* 7 */
#define ARCH_EVENT_TOPDOWN_BACKEND      0x02a4          /* 8 */
#define ARCH_EVENT_TOPDOWN_BAD_SPEC     0x0073          /* 9 */
#define ARCH_EVENT_TOPDOWN_FRONTEND     0x019c          /* 10 */
#define ARCH_EVENT_TOPDOWN_RETIRING     0x02c2          /* 11 */
#define ARCH_EVENT_LBR_INSERTS          0x01e4          /* 12 */

/* ---- Events of single generations that PEBS is for, umask:event ---- */

#define EVENT_CODE_PREC_DIST            0x01c0          /* INST_RETIRED.PREC_DIST, Sandy Bridge to Comet Lake */
#define EVENT_CODE_LOAD_LATENCY         0x01cd          /* MEM_TRANS_RETIRED.LOAD_LATENCY, since Sandy Bridge */
#define EVENT_CODE_LOAD_LATENCY_NHM     0x100b          /* MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD, Nehalem, Westmere */
#define EVENT_CODE_PRECISE_STORE        0x02cd          /* MEM_TRANS_RETIRED.PRECISE_STORE, Sandy Bridge, Ivy Bridge */
#define EVENT_CODE_ALL_LOADS            0x81d0          /* MEM_UOPS_RETIRED or MEM_INST_RETIRED.ALL_LOADS */
#define EVENT_CODE_ALL_BRANCHES_PEBS    0x04c4          /* BR_INST_RETIRED.ALL_BRANCHES, Nehalem to Comet Lake */
#define EVENT_CODE_ALL_STORES           0x82d0          /* MEM_UOPS_RETIRED or MEM_INST_RETIRED.ALL_STORES */
/* clang-format on */
