/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of PEBS records, by number. */
#pragma once

/* IA32_PERF_CAPABILITIES[11:8]; 0 on NetBurst and Core. PEBS_FORMAT_32: NetBurst without 64-bit debug store. */
#define PEBS_FORMAT_32 0xff
#define PEBS_FORMAT_ADAPTIVE 4 /* from this one on records state what they hold */
#define PEBS_FORMAT_VALUES 6   /* from this one on records may hold values of other counters */
#define PEBS_FORMAT_LAST 6
#define PEBS_FORMAT_ARCHITECTURAL 15 /* no debug store, no IA32_PEBS_ENABLE */
