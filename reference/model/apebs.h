/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS inside the model: its registers and the interfaces of its files. Counters arm and fire as with
 * a DS area (pebs.h); each counter's CFG_C selects the contents of its records, and IA32_PEBS_BASE and
 * IA32_PEBS_INDEX tell where they go. SDM 3B, "Architectural PEBS"; CPUID leaf 23H, sub-leaves 4 and 5, tells what
 * exists.
 *
 * What the manual leaves open follows these rules, each of which is in rules.def:
 *
 * - Counters that fire in the same instruction share a record, which has the groups of all of them.
 * - A record of more than APEBS_FRAGMENT_MOST bytes comes in fragments, split between groups; it fits as a whole or
 *   not at all.
 * - A record without room sets FULL, without a PMI; while FULL is set none is written, but counters are reloaded, so
 *   that sampling goes on once software has made room.
 * - With a reload value of 0 the counter is not reloaded.
 * - With IA32_PEBS_INDEX.EN clear the counters are counters like any other.
 * - While STATUS[54] is set, further records at the threshold raise no PMI.
 */
#pragma once

#include "reference/model/pebs.h"

/* IA32_PEBS_BASE: the address of the buffer's first page, and the number of its pages: 1 << SIZE */
#define APEBS_BASE_ADDRESS MASK(51, 12)
#define APEBS_BASE_SIZE MASK(3, 0)

/* IA32_PEBS_INDEX; WR and THRESH count 16 bytes, so WR in its place is a number of bytes */
#define APEBS_INDEX_WR MASK(26, 4)
#define APEBS_INDEX_FULL BIT(31)
#define APEBS_INDEX_EN BIT(32)

/* CFG_C of a counter, and the first word of a record: the same bits mean the same groups in both */
#define APEBS_RELOAD MASK(31, 0)
#define APEBS_ALLOW BIT(35)
#define APEBS_GP BIT(36)
#define APEBS_FIXED BIT(37)
#define APEBS_METRICS BIT(38)
#define APEBS_COUNTERS MASK(38, 36)
#define APEBS_LBR MASK(41, 40)
#define APEBS_XMM BIT(49)
#define APEBS_YMMH BIT(50)
#define APEBS_OPMASK BIT(53)
#define APEBS_ZMMH BIT(54)
#define APEBS_H16ZMM BIT(55)
#define APEBS_VECTORS (APEBS_XMM | APEBS_YMMH | APEBS_OPMASK | APEBS_ZMMH | APEBS_H16ZMM)
#define APEBS_GPR BIT(61)
#define APEBS_AUX BIT(62)
#define APEBS_GROUPS (APEBS_COUNTERS | APEBS_LBR | APEBS_VECTORS | APEBS_GPR | APEBS_AUX)
#define APEBS_EN BIT(63) /* of CFG_C */

/* Only in the first word of a fragment */
#define APEBS_SIZE MASK(15, 0) /* bytes, with the fragment's header */
#define APEBS_64_BIT BIT(30)
#define APEBS_CONTINUED BIT(31)
#define APEBS_BASIC BIT(63)

#define APEBS_FRAGMENT_MOST 1024

/* Where fillers may be: headers with no group and no flag, only a size. */
enum apebs_place { APEBS_BEFORE_RECORD, APEBS_BETWEEN_FRAGMENTS, APEBS_BEHIND_RECORD };

/* apebs.c */
/* Can it sample, with the current registers and host? */
bool model_apebs_usable(struct model *m);

/* apebs_record.c: builds the record with all its fragments in m->pebs.record; returns its size in bytes. */
uint32_t model_apebs_build(struct model *m, const struct pebs_sample *sample);
