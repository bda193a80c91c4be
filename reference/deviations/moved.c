/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hypervisor may lose when it moves a guest to another host, or saves and loads it. */
#define CHAPTERS "access.migrated"
#include "reference/deviations/stand_in.h"

DEFECT(move_loses_counters, AFTER(moved, true, m->counters = (struct counters_state){0}),
       "counters are 0 after a move to another host", "class: state that a hypervisor does not save");
DEFECT(move_loses_selects, AFTER(moved, true, for (unsigned n = 0; n < m->p.gp_count; n++) m->controls.evtsel[n] = 0),
       "event selects are 0 after a move to another host", "class: state that a hypervisor does not save");
DEFECT(move_loses_fixed_control, AFTER(moved, true, m->controls.stored[STORED_FIXED_CTR_CTRL] = 0),
       "IA32_FIXED_CTR_CTRL is 0 after a move to another host", "class: state that a hypervisor does not save");
DEFECT(move_enables_all, AFTER(moved, true, m->controls.stored[STORED_GLOBAL_CTRL] = width_mask(m->p.gp_count)),
       "IA32_PERF_GLOBAL_CTRL is as after a reset after a move to another host",
       "class: state that a hypervisor does not save");
DEFECT(move_loses_status, AFTER(moved, true, m->status.bits = 0), "no overflow bit stands after a move to another host",
       "class: state that a hypervisor does not save");
DEFECT(move_loses_debug,
       AFTER(moved, true, m->controls.stored[STORED_DEBUGCTL] = 0; m->controls.stored[STORED_LBR_SELECT] = 0),
       "IA32_DEBUGCTL and MSR_LBR_SELECT are 0 after a move to another host",
       "class: state that a hypervisor does not save");
DEFECT(move_loses_sampling,
       AFTER(moved, true, m->controls.stored[STORED_PEBS_ENABLE] = 0; m->controls.stored[STORED_PEBS_DATA_CFG] = 0;
             m->controls.stored[STORED_DS_AREA] = 0),
       "the registers of sampling are 0 after a move to another host", "class: state that a hypervisor does not save");
DEFECT(move_loses_entry, AFTER(moved, true, m->host.lvtpc_write(m->host.context, (uint32_t)LVT_MASKED)),
       "LVTPC is as after a reset after a move to another host", "class: state that a hypervisor does not save");
