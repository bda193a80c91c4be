/* SPDX-License-Identifier: BSD-2-Clause */
/* How pmu/registers.def writes its first columns: which registers a row has, and their names. */
#pragma once

#define ONE 1, 1, 0
#define FAMILY(count, apart) count, apart, 0
#define NUMBERED(count, from) count, 1, from
#define NAME(now) now, NULL
#define NAMES(now, old) now, old
#define UNNAMED NULL, NULL
