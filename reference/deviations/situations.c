/* SPDX-License-Identifier: BSD-2-Clause */
/* Defects that show in one situation alone: with one value, beside one neighbour, after one access. */
#define CHAPTERS NULL
#include "reference/deviations/stand_in.h"

#define STORED(which) (m->controls.stored[STORED_##which])
#define FIELD_OF(i) (STORED(FIXED_CTR_CTRL) >> 4 * (i)&15)

DEFECT(inuse_by_refused_write,
       ALL(NOTED(register_write, msr - MSR_PERFEVTSEL(0) < m->p.gp_count,
                 noted = good ? noted & ~BIT(msr - MSR_PERFEVTSEL(0)) : noted | BIT(msr - MSR_PERFEVTSEL(0))),
           CHANGED(gp_in_use, noted >> n & 1, true)),
       "after a write of IA32_PERFEVTSELn that faulted INUSE shows the counter as in use, until the next write",
       "class: a strobe before the check", ON("skylake"), MEANT_FOR("access.event-select"));
DEFECT(inuse_not_by_81h, CHANGED(gp_in_use, n == 0 && (m->controls.evtsel[0] & 0xff) == 0x81, false),
       "event select 81H does not claim PMC0", "class: one value of a comparison", ON("skylake"),
       MEANT_FOR("inuse.event-select"));
DEFECT(pmi_not_beside_asking_neighbour,
       CHANGED(overflows_asking, good == BIT(32) && (m->status.bits >> 33 & 1) && (FIELD_OF(1) & 8), 0),
       "fixed counter 0 raises no PMI while the overflow bit of fixed counter 1, with its PMI bit, stands",
       "class: a request that is still held", ON("skylake"), MEANT_FOR("pmi.beside-status"));
DEFECT(overflow_of_enabled_neighbour,
       CHANGED(overflow_status, (good & BIT(34)) && !(FIELD_OF(1) & 3) && (STORED(GLOBAL_CTRL) >> 33 & 1),
               good | BIT(33)),
       "fixed counter 2's overflow sets the bit of fixed counter 1, if that is enabled in IA32_PERF_GLOBAL_CTRL alone",
       "class: an enable that is taken for a count", ON("skylake"), MEANT_FOR("overflow.status"));
DEFECT(lbr_select_unseen_while_freezing,
       CHANGED(stored_shown,
               which == STORED_LBR_SELECT &&
                   (STORED(DEBUGCTL) & (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR)) == DEBUGCTL_FREEZE_LBRS_ON_PMI,
               0),
       "MSR_LBR_SELECT reads 0 while IA32_DEBUGCTL freezes branch records and records none",
       "class: a read of a block that sleeps", ON("skylake"), MEANT_FOR("access.combinations"));
#define ALL_FREEZES_BUT_LBRS (DEBUGCTL_FREEZE_WHILE_SMM | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_LBR)
DEFECT(smm_freeze_not_beside_two,
       CHANGED(stored_kept, which == STORED_DEBUGCTL && (good & ALL_FREEZES_BUT_LBRS) == ALL_FREEZES_BUT_LBRS,
               good & ~DEBUGCTL_FREEZE_WHILE_SMM),
       "IA32_DEBUGCTL drops bit 14 together with bits 12 and 0, and with neither alone", "class: three of a decoder",
       ON("skylake"), MEANT_FOR("access.combinations"));
DEFECT(needless_thaw_takes_freeze,
       ALL(NOTES(status_reset, true, noted = clear == STATUS_CTR_FRZ && !(m->status.bits & STATUS_CTR_FRZ)),
           LOST(freeze_counters, noted && (noted = 0, true))),
       "CTR_FRZ that was cleared while it was clear takes the next freeze with it", "class: a request that is kept",
       ON("skylake"), MEANT_FOR("freeze.again"));
DEFECT(status_set_one_of_two, CHANGED(status_set, good == (STATUS_OVF_BUFFER | STATUS_CTR_FRZ), STATUS_OVF_BUFFER),
       "IA32_PERF_GLOBAL_STATUS_SET of exactly bits 59 and 62 sets bit 62 alone", "class: one value of a decoder",
       ON("skylake"), MEANT_FOR("global.status-bits"));
