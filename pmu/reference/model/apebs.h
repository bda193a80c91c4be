/*
 * Architectural PEBS inside the model: its registers and what its files offer each other. Counters arm and fire as with
 * a DS area (pebs.h); what a record has each counter says for itself, in its CFG_C, and where it goes IA32_PEBS_BASE
 * and IA32_PEBS_INDEX say. SDM 3B, "Architectural PEBS"; CPUID leaf 23H, sub-leaves 4 and 5, says what there is.
 *
 * The rules, where the manual leaves something open, each of them a rule of rules.def:
 *
 * - Counters that fire in the same instruction share a record, which has the groups of all of them.
 * - A record of more than APEBS_FRAGMENT_MOST bytes comes in fragments, split between groups; it fits as a whole or
 *   not at all.
 * - The record that finds no room sets FULL, without a PMI; while FULL stands none is written, and counters are
 *   reloaded all the same, so that sampling goes on once software has made room.
 * - A reload value of 0 asks for no reload.
 * - With IA32_PEBS_INDEX.EN clear the counters are counters like any other.
 * - STATUS[54] that stands holds back the PMI of the next record at the threshold.
 */
#pragma once

#include "pmu/reference/model/pebs.h"

/* IA32_PEBS_BASE: the buffer's first page, and how many of them: 1 << SIZE */
#define APEBS_BASE_ADDRESS MASK(51, 12)
#define APEBS_BASE_SIZE MASK(3, 0)

/* IA32_PEBS_INDEX; WR and THRESH in units of 16 bytes, so that WR where it stands is in bytes */
#define APEBS_INDEX_WR MASK(26, 4)
#define APEBS_INDEX_FULL BIT(31)
#define APEBS_INDEX_EN BIT(32)

/* CFG_C of a counter, and the first word of a record, where the same bits tell of the same groups */
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

/* In the first word of a fragment only */
#define APEBS_SIZE MASK(15, 0) /* bytes, its header among them */
#define APEBS_64_BIT BIT(30)
#define APEBS_CONTINUED BIT(31)
#define APEBS_BASIC BIT(63)

#define APEBS_FRAGMENT_MOST 1024

/* Where headers may stand that name no group and have no flag, but only a size. */
enum apebs_place { APEBS_BEFORE_RECORD, APEBS_BETWEEN_FRAGMENTS, APEBS_BEHIND_RECORD };

/* apebs.c */
/* Can it be armed, with what is around it? */
bool model_apebs_usable(struct model *m);

/* apebs_record.c: builds the record, all its fragments, in m->pebs.record; its size in bytes. */
uint32_t model_apebs_build(struct model *m, const struct pebs_sample *sample);
