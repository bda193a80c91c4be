/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of errata_facts.def, as initializers of the structures in errata.h. MODEL is a signature without its
 * stepping, STEPPING a whole one. CRESTMONT and GRACEMONT stand for only those cores of a hybrid CPU: Atoms (20H) of
 * native model 2 and 1. CORE stands for other parts with the same core, whose own sheets are not at hand; HYPERVISOR a
 * hypervisor by its name, whatever CPU it shows.
 */
#pragma once

#include "harness/core/errata.h"
#include "pmu/registers.h"

#define MODEL(of)                             \
    {                                         \
        .signature = (of), .mask = 0x0fff0ff0 \
    }
#define STEPPING(of)                          \
    {                                         \
        .signature = (of), .mask = 0x0fff0fff \
    }
#define CRESTMONT(of)                                                               \
    {                                                                               \
        .signature = (of), .mask = 0x0fff0ff0, .core_type = 0x20, .native_model = 2 \
    }
#define GRACEMONT(of)                                                               \
    {                                                                               \
        .signature = (of), .mask = 0x0fff0ff0, .core_type = 0x20, .native_model = 1 \
    }
#define CORE(of)                                            \
    {                                                       \
        .signature = (of), .mask = 0x0fff0ff0, .core = true \
    }
#define HYPERVISOR(name)     \
    {                        \
        .hypervisor = (name) \
    }
#define NO_CPUS \
    {           \
        0       \
    }
#define SHEET_CPUS(...)                   \
    .cpus = (const struct erratum_cpus[]) \
    {                                     \
        __VA_ARGS__,                      \
        {                                 \
            0                             \
        }                                 \
    }

#define IN(sheet, number)     \
    {                         \
        SHEET_##sheet, number \
    }
#define NUMBERS(...)                           \
    .numbers = (const struct erratum_number[]) \
    {                                          \
        __VA_ARGS__,                           \
        {                                      \
            0                                  \
        }                                      \
    }
#define FIXED(...)                        \
    .fixed = (const struct erratum_fix[]) \
    {                                     \
        __VA_ARGS__,                      \
        {                                 \
            0                             \
        }                                 \
    }
/* BREAKS(aspects, bounds, ...): a promise that an erratum breaks. */
#define BREAKS(of, ...)                           \
    {                                             \
        .aspects = (of), .bound = { __VA_ARGS__ } \
    }
#define EXCUSES(...)                           \
    .excuses = (const struct erratum_excuse[]) \
    {                                          \
        __VA_ARGS__,                           \
        {                                      \
            .aspects = 0                       \
        }                                      \
    }
