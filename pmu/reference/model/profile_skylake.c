/*
 * Skylake client, signature 506E3 (Core i7-6700K), hyper-threading on.
 *
 * "probed": write behaviour of each bit on an i7-6700K as published in a database of CPUs (kept, ignored, #GP).
 * "dump": published CPUID dump. "assumed": nobody has told; a value that hurts no check.
 */
#include "pmu/reference/model/profile.h"

/* One register a row. */
/* clang-format off */
const struct profile profile_skylake = {
    .name      = "skylake",
    .vendor    = "GenuineIntel",
    .brand     = "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz",
    .signature = 0x000506e3,
    .leaf1_ecx = BIT(2) | BIT(4) | BIT(15),                     /* DTES64, DS-CPL, PDCM: dump */
    .leaf1_edx = BIT(21),                                       /* DS: dump */
    .leaf6_eax = BIT(0) | BIT(6),                               /* digital and package thermal sensor */
    .leaf6_ecx = BIT(0),                                        /* MPERF and APERF */
    .leaf0a    = {0x07300404, 0, 0, 0x00000603},                /* dump */

    .version = 4, .gp_count = 4, .gp_width = 48, .fixed_bitmap = 7, .fixed_width = 48,
    .full_width = true, .inuse = true, .smi_count = true,
    .freeze = FREEZE_STREAMLINED, .event_length = 7,

    .evtsel          = {.exists = true, .faults = MASK(63, 33) | EVTSEL_PC},        /* probed */
    .evtsel2_accepts = EVTSEL_IN_TXCP,                                              /* probed */
    .status_reset    = {.exists = true, .faults = ~0xfc8000070000000full},          /* probed */
    /* The manual reserves bit 63; it is taken without a fault here (erratum SKL164). */
    .status_set      = {.exists = true, .faults = ~0xfc8000070000000full, .dropped = BIT(63)},
    .stored = {
        [STORED_FIXED_CTR_CTRL] = {.exists = true, .faults = ~0xfffull},                            /* probed */
        [STORED_GLOBAL_CTRL]    = {.exists = true, .faults = 0xfffffff8fffffff0, .reset = 0xf},     /* probed */
        [STORED_DEBUGCTL]       = {.exists = true, .faults = ~(MASK(15, 6) | MASK(1, 0))},          /* probed */
        /* Bits 7 and 12 keep their value, changing 11 faults: probed. What else cannot be changed: assumed. */
        [STORED_MISC_ENABLE]    = {.exists = true, .flip_faults = MISC_ENABLE_BTS_UNAVAILABLE,
            .dropped = ~(MISC_ENABLE_FAST_STRINGS | MISC_ENABLE_TM1 | MISC_ENABLE_EIST | MISC_ENABLE_MONITOR |
                         MISC_ENABLE_LIMIT_CPUID | MISC_ENABLE_XTPR_DISABLE | MISC_ENABLE_XD_DISABLE |
                         MISC_ENABLE_TURBO_DISABLE | MISC_ENABLE_BTS_UNAVAILABLE),
            .reset = 0x850089},
        [STORED_PEBS_ENABLE]    = {.exists = true, .faults = 0xfffffff0fffffff0},                   /* probed */
        [STORED_PEBS_LD_LAT]    = {.exists = true, .dropped = MASK(63, 16), .reset = 0xffff},       /* probed */
        [STORED_PEBS_FRONTEND]  = {.exists = true, .faults = 0xffffffffff8000e8, .reset = 0x800},   /* probed */
        [STORED_DS_AREA]        = {.exists = true, .canonical = true},                              /* probed */
        [STORED_OFFCORE_RSP0]   = {.exists = true, .faults = 0xffffffc000006000},                   /* probed */
        [STORED_OFFCORE_RSP1]   = {.exists = true, .faults = 0xffffffc000006000},                   /* probed */
        /* Reading valid, 40 degrees below the limit, no throttling: assumed. Log bits can be cleared: manual. */
        [STORED_THERM_STATUS]         = {.exists = true, .dropped = ~0xaaaull, .clear_only = 0xaaa,
            .reset = 0x88280000},
        [STORED_PACKAGE_THERM_STATUS] = {.exists = true, .dropped = ~0xaaaull, .clear_only = 0xaaa,
            .reset = 0x08280000},
    },
    .perf_capabilities = 0x33c5,                                /* probed */
    .platform_id       = FIELD(52, 50, 1),                      /* assumed */
    .platform_info     = FIELD(47, 40, 8) | FIELD(15, 8, 40),   /* ratios of 800 MHz and 4.0 GHz */
    .microcode         = 0xf0,                                  /* assumed */

    .core_ratio = 42, .tsc_ratio = 40,                          /* 4.2 GHz turbo, TSC at 4.0 GHz */
    .crystal_divider = 167,                                     /* event 013CH ticks with the 24 MHz crystal */
    .ref_step = 1, .slots = 4,
    .llc_reference_every = 64, .llc_miss_every = 1024, .branch_miss_every = 16,     /* assumed */
    .skid_min = 1, .skid_spread = 4,                            /* assumed */
    .start_stop = COUNT_START,                                  /* assumed; no manual says */
};
