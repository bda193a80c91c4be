/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/registers.h"
#include "tools/pmucheck/log/facts.h"

/* The names of single bits from `first` on, separated by commas, those of a byte on a line; "" for one that has none.
 */
#define BIT_NAMES(leaf, subleaf, reg, first, names)   \
    {                                                 \
        leaf, subleaf, reg, first, first, NULL, names \
    }

const struct field cpuid_fields[] = {
    {0x00, 0, FIELD_EAX, 31, 0, "highest leaf", NULL},
    {0x00, 0, FIELD_EBX, 31, 0, NULL, NULL}, /* of the vendor's name */
    {0x00, 0, FIELD_ECX, 31, 0, NULL, NULL},
    {0x00, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x01, 0, FIELD_EAX, 3, 0, "stepping", NULL},
    {0x01, 0, FIELD_EAX, 7, 4, "model", NULL},
    {0x01, 0, FIELD_EAX, 11, 8, "family", NULL},
    {0x01, 0, FIELD_EAX, 13, 12, "type", NULL},
    {0x01, 0, FIELD_EAX, 19, 16, "extended model", NULL},
    {0x01, 0, FIELD_EAX, 27, 20, "extended family", NULL},
    {0x01, 0, FIELD_EBX, 7, 0, "brand index", NULL},
    {0x01, 0, FIELD_EBX, 15, 8, "CLFLUSH size / 8", NULL},
    {0x01, 0, FIELD_EBX, 23, 16, "logical processor ids", NULL},
    {0x01, 0, FIELD_EBX, 31, 24, NULL, NULL},
    BIT_NAMES(0x01, 0, FIELD_ECX, 0,
              "SSE3,PCLMULQDQ,DTES64,MONITOR,DS-CPL,VMX,SMX,EIST,"
              "TM2,SSSE3,CNXT-ID,SDBG,FMA,CMPXCHG16B,xTPR,PDCM,"
              ",PCID,DCA,SSE4.1,SSE4.2,x2APIC,MOVBE,POPCNT,"
              "TSC-deadline,AES,XSAVE,OSXSAVE,AVX,F16C,RDRAND,hypervisor"),
    BIT_NAMES(0x01, 0, FIELD_EDX, 0,
              "FPU,VME,DE,PSE,TSC,MSR,PAE,MCE,"
              "CX8,APIC,,SEP,MTRR,PGE,MCA,CMOV,"
              "PAT,PSE-36,PSN,CLFSH,,DS,ACPI,MMX,"
              "FXSR,SSE,SSE2,SS,HTT,TM,,PBE"),
    BIT_NAMES(0x06, 0, FIELD_EAX, 0,
              "digital thermal sensor,turbo,always-running APIC timer,,power limit notification,"
              "clock modulation duty,package thermal management,HWP,"
              "HWP notification,HWP activity window,HWP energy preference,HWP package request,,HDC,turbo 3.0,"
              "HWP capabilities change,"
              "HWP PECI,flexible HWP,fast HWP request,hardware feedback,,,,thread director"),
    {0x06, 0, FIELD_EBX, 3, 0, "interrupt thresholds", NULL},
    {0x06, 0, FIELD_ECX, 0, 0, "APERF and MPERF", NULL},
    {0x06, 0, FIELD_ECX, 3, 3, "energy bias", NULL},
    {0x06, 0, FIELD_ECX, 15, 8, "thread director classes", NULL},
    {0x07, 0, FIELD_EAX, 31, 0, "highest sub-leaf", NULL},
    BIT_NAMES(0x07, 0, FIELD_EBX, 0,
              "FSGSBASE,TSC_ADJUST,SGX,BMI1,HLE,AVX2,,SMEP,"
              "BMI2,ERMS,INVPCID,RTM,RDT-M,,MPX,RDT-A,"
              "AVX512F,AVX512DQ,RDSEED,ADX,SMAP,AVX512IFMA,,CLFLUSHOPT,"
              "CLWB,PT,,,AVX512CD,SHA,AVX512BW,AVX512VL"),
    BIT_NAMES(0x07, 0, FIELD_ECX, 1,
              "AVX512VBMI,UMIP,PKU,OSPKE,WAITPKG,,CET shadow stack,"
              "GFNI,VAES,,,,TME,,,"
              "LA57,,,,,,RDPID,key locker,"
              "bus lock detection,CLDEMOTE,,MOVDIRI,MOVDIR64B,ENQCMD,SGX launch control,PKS"),
    BIT_NAMES(0x07, 0, FIELD_EDX, 4,
              "fast short REP MOV,UINTR,,,"
              "VP2INTERSECT,SRBDS_CTRL,MD_CLEAR,RTM_ALWAYS_ABORT,,TSX_FORCE_ABORT,SERIALIZE,hybrid,"
              "TSXLDTRK,,PCONFIG,architectural LBRs,CET IBT,,AMX-BF16,AVX512-FP16,"
              "AMX-TILE,AMX-INT8,IBRS and IBPB,STIBP,L1D_FLUSH,ARCH_CAPABILITIES,CORE_CAPABILITIES,SSBD"),
    BIT_NAMES(0x07, 1, FIELD_EAX, 4,
              "AVX-VNNI,AVX512-BF16,,,"
              "leaf 23H"),
    BIT_NAMES(0x07, 1, FIELD_EAX, 17,
              "FRED,LKGS,WRMSRNS,NMI source,,HRESET,,"
              ",,LAM,MSRLIST"),
    {0x0a, 0, FIELD_EAX, 7, 0, "version", NULL},
    {0x0a, 0, FIELD_EAX, 15, 8, "GP counters", NULL},
    {0x0a, 0, FIELD_EAX, 23, 16, "GP counter width", NULL},
    {0x0a, 0, FIELD_EAX, 31, 24, "event vector length", NULL},
    BIT_NAMES(0x0a, 0, FIELD_EBX, 0,
              "no core cycles,no instructions,no reference cycles,no LLC references,no LLC misses,no branches,"
              "no branch misses,no top-down slots,"
              "no backend bound,no bad speculation,no frontend bound,no retiring,no LBR inserts"),
    {0x0a, 0, FIELD_ECX, 31, 0, "fixed counters by bitmap", NULL},
    {0x0a, 0, FIELD_EDX, 4, 0, "contiguous fixed counters", NULL},
    {0x0a, 0, FIELD_EDX, 12, 5, "fixed counter width", NULL},
    {0x0a, 0, FIELD_EDX, 15, 15, "AnyThread deprecated", NULL},
    {0x0b, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x1f, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x0b, 1, FIELD_EDX, 31, 0, NULL, NULL},
    {0x1f, 1, FIELD_EDX, 31, 0, NULL, NULL},
    {0x0b, 2, FIELD_EDX, 31, 0, NULL, NULL},
    {0x1f, 2, FIELD_EDX, 31, 0, NULL, NULL},
    {0x0b, 3, FIELD_EDX, 31, 0, NULL, NULL},
    {0x1f, 3, FIELD_EDX, 31, 0, NULL, NULL},
    {0x0b, 0, FIELD_EBX, 15, 0, "threads per core", NULL},
    {0x0d, 0, FIELD_EBX, 31, 0, NULL, NULL},
    {0x0d, 1, FIELD_EBX, 31, 0, NULL, NULL},
    {0x14, 0, FIELD_EAX, 31, 0, "highest sub-leaf", NULL},
    BIT_NAMES(0x14, 0, FIELD_EBX, 0,
              "CR3 filter,PSB and cycle-accurate,IP filter,MTC,PTWRITE,power events,PMI preservation,event trace,"
              "TNT can be off"),
    BIT_NAMES(0x14, 0, FIELD_ECX, 0, "ToPA,ToPA tables,single range,trace transport"),
    {0x14, 0, FIELD_ECX, 31, 31, "IP with CS base", NULL},
    {0x14, 1, FIELD_EAX, 2, 0, "trace address ranges", NULL},
    {0x14, 1, FIELD_EAX, 31, 16, "MTC periods", NULL},
    {0x14, 1, FIELD_EBX, 15, 0, "cycle thresholds", NULL},
    {0x14, 1, FIELD_EBX, 31, 16, "PSB frequencies", NULL},
    {0x15, 0, FIELD_EAX, 31, 0, "TSC ratio denominator", NULL},
    {0x15, 0, FIELD_EBX, 31, 0, "TSC ratio numerator", NULL},
    {0x15, 0, FIELD_ECX, 31, 0, "crystal Hz", NULL},
    {0x16, 0, FIELD_EAX, 15, 0, "base MHz", NULL},
    {0x16, 0, FIELD_EBX, 15, 0, "highest MHz", NULL},
    {0x16, 0, FIELD_ECX, 15, 0, "bus MHz", NULL},
    {0x1a, 0, FIELD_EAX, 31, 24, "core type", NULL},
    {0x1a, 0, FIELD_EAX, 23, 0, "native model", NULL},
    {0x1c, 0, FIELD_EAX, 7, 0, NULL, NULL}, /* depths */
    {0x1c, 0, FIELD_EAX, 30, 30, "LBRs cleared by deep C-state", NULL},
    {0x1c, 0, FIELD_EAX, 31, 31, "LBR IPs hold LIPs", NULL},
    BIT_NAMES(0x1c, 0, FIELD_EBX, 0, "LBR CPL filter,LBR branch filter,LBR call stack"),
    BIT_NAMES(0x1c, 0, FIELD_ECX, 0, "LBR mispredict,LBR timed,LBR branch type"),
    {0x1c, 0, FIELD_ECX, 19, 16, "LBR counts events of GP counters", NULL},
    {0x23, 0, FIELD_EAX, 31, 0, "sub-leaves that exist", NULL},
    BIT_NAMES(0x23, 0, FIELD_EBX, 0, "UnitMask2,EQ,RDPMC user disable"),
    {0x23, 0, FIELD_ECX, 7, 0, "slots per cycle", NULL},
    {0x23, 1, FIELD_EAX, 31, 0, "GP counters by bitmap", NULL},
    {0x23, 1, FIELD_EBX, 31, 0, "fixed counters by bitmap", NULL},
    {0x23, 2, FIELD_EAX, 31, 0, "GP counters that reload", NULL},
    {0x23, 2, FIELD_EBX, 31, 0, "fixed counters that reload", NULL},
    {0x23, 2, FIELD_ECX, 31, 0, "GP counters that cause a reload", NULL},
    {0x23, 2, FIELD_EDX, 31, 0, "fixed counters that cause a reload", NULL},
    {0x23, 3, FIELD_EAX, 31, 0, "events by bitmap", NULL},
    BIT_NAMES(0x23, 4, FIELD_EBX, 3,
              "PEBS takes counters where allowed,PEBS group of GP counters,PEBS group of fixed counters,"
              "PEBS group of metrics"),
    {0x23, 4, FIELD_EBX, 9, 8, "PEBS group of LBRs", NULL},
    {0x23, 4, FIELD_EBX, 23, 16, "PEBS groups of vector registers", NULL},
    {0x23, 4, FIELD_EBX, 29, 29, "PEBS group of GPRs", NULL},
    {0x23, 4, FIELD_EBX, 30, 30, "PEBS group of AUX", NULL},
    {0x23, 5, FIELD_EAX, 31, 0, "GP counters with PEBS", NULL},
    {0x23, 5, FIELD_EBX, 31, 0, "GP counters with PDIST", NULL},
    {0x23, 5, FIELD_ECX, 31, 0, "fixed counters with PEBS", NULL},
    {0x23, 5, FIELD_EDX, 31, 0, "fixed counters with PDIST", NULL},
    {0x80000000, 0, FIELD_EAX, 31, 0, "highest leaf", NULL},
    {0x80000002, 0, FIELD_EAX, 31, 0, NULL, NULL},
    {0x80000002, 0, FIELD_EBX, 31, 0, NULL, NULL},
    {0x80000002, 0, FIELD_ECX, 31, 0, NULL, NULL},
    {0x80000002, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x80000003, 0, FIELD_EAX, 31, 0, NULL, NULL},
    {0x80000003, 0, FIELD_EBX, 31, 0, NULL, NULL},
    {0x80000003, 0, FIELD_ECX, 31, 0, NULL, NULL},
    {0x80000003, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x80000004, 0, FIELD_EAX, 31, 0, NULL, NULL},
    {0x80000004, 0, FIELD_EBX, 31, 0, NULL, NULL},
    {0x80000004, 0, FIELD_ECX, 31, 0, NULL, NULL},
    {0x80000004, 0, FIELD_EDX, 31, 0, NULL, NULL},
    {0x80000008, 0, FIELD_EAX, 7, 0, "physical address bits", NULL},
    {0x80000008, 0, FIELD_EAX, 15, 8, "linear address bits", NULL},
    {.high = 0xff},
};

/* Generated from the table of registers. */
#define BITS(mask, name) {0, 0, 0, 63 - __builtin_clzll(mask), __builtin_ctzll(mask), name, NULL},
const struct field perf_capabilities_fields[] = {
#include "perf_capabilities.def"
    {.high = 0xff},
};
#undef BITS
