/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of which registers exist and which writes they accept. All of them change data only. */
#define CHAPTERS "access.*,gp.*,fixed.*,handoff.*,enum.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Counters */

DEFECT(upper_bits_lost, DATA(m->p.gp_width = 32; m->p.gp_drops_upper = true),
       "GP counters hold 32 bits whatever the leaf says (data)", "emulators; class of a wrong width");
DEFECT(fixed_upper_bits_lost, DATA(m->p.fixed_width = 32; m->p.fixed_drops_upper = true),
       "fixed counters hold 32 bits whatever the leaf says (data)", "emulators; class of a wrong width",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0)));
DEFECT(fixed_upper_dropped, DATA(m->p.fixed_drops_upper = true),
       "WRMSR IA32_FIXED_CTRi above the width is accepted and cut (data)",
       "Core 2 stepping B2; here the class is known to fault");
DEFECT(full_width_claimed_absent, DATA(m->p.full_width = false), "PERF_CAPABILITIES[13] is 1 and IA32_A_PMCn fault",
       "hypervisors that pass the register through", ALSO_ON("lunar-lake"));
DEFECT(inuse_absent, DATA(m->p.inuse = false), "RDMSR of IA32_PERF_GLOBAL_INUSE is a #GP though the version is 4",
       "hypervisors without the register", MEANT_FOR("enum.registers"));
DEFECT(fixed_ctrl_absent, DATA(m->p.stored[STORED_FIXED_CTR_CTRL].exists = false), "RDMSR of FIXED_CTR_CTRL is a #GP",
       "hypervisors without fixed counters", MEANT_FOR("enum.registers"));
DEFECT(global_ctrl_absent, DATA(m->p.stored[STORED_GLOBAL_CTRL].exists = false), "RDMSR of GLOBAL_CTRL is a #GP",
       "hypervisors of version 1", MEANT_FOR("enum.registers"));
DEFECT(status_absent, INSTEAD(status_readable, true, false), "RDMSR of STATUS is a #GP", "hypervisors of version 1",
       MEANT_FOR("enum.registers"));
VARIATION(no_full_width, DATA(m->p.perf_capabilities &= ~PERF_CAP_FULL_WIDTH; m->p.full_width = false),
          "no IA32_A_PMCn: upper counter bits cannot be restored", "Core 2 to Westmere", ALSO_ON("sapphire-rapids"));

/* ---- Control registers */

DEFECT(debugctl_freeze_dropped, DATA(m->p.stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_PERFMON_ON_PMI),
       "DEBUGCTL[12] is dropped (data)", "hypervisors", NOT_BY(ERRATUM_ON("haswell", "HSD52", 0x306c3, 0x28, 0, 0)),
       ALSO_ON("sandy-bridge"));
DEFECT(debugctl_freeze_faults, DATA(m->p.stored[STORED_DEBUGCTL].faults |= DEBUGCTL_FREEZE_PERFMON_ON_PMI),
       "WRMSR that sets DEBUGCTL[12] is a #GP (data)", "KVM, vmx_get_supported_debugctl()",
       MEANT_FOR("access.debug-control"));
DEFECT(smm_freeze_claimed_absent, DATA(m->p.stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_WHILE_SMM),
       "PERF_CAPABILITIES[12] is 1 and DEBUGCTL[14] is dropped (data)", "hypervisors that pass the register through");
DEFECT(global_ctrl_accepts_reserved, DATA(m->p.stored[STORED_GLOBAL_CTRL].faults &= ~MASK(31, 16)),
       "GLOBAL_CTRL keeps bits 31 to 16 (data)", "class");
VARIATION(global_ctrl_accepts_more,
          DATA(m->p.stored[STORED_GLOBAL_CTRL].faults &= ~(MASK(7, 0) | GLOBAL_FIXED(3) | GLOBAL_METRICS)),
          "GLOBAL_CTRL holds bits of counters that are not enumerated", "Core 2, hybrid cores");
DEFECT(fixed_ctrl_accepts_absent, DATA(m->p.stored[STORED_FIXED_CTR_CTRL].faults &= ~MASK(31, 12)),
       "FIXED_CTR_CTRL keeps the fields of absent counters (data)", "class");

/* ---- STATUS_SET */

DEFECT(status_set_absent, DATA(m->p.status_set.exists = false), "version 4, and access to STATUS_SET is a #GP (data)",
       "hypervisors that raise the version");
VARIATION(status_set_63_no_gp,
          DATA(m->p.status_set.faults &= ~STATUS_COND_CHGD; m->p.status_set.dropped |= STATUS_COND_CHGD),
          "STATUS_SET takes bit 63 without a fault", "SKL164; Skylake to Comet Lake", ON("ice-lake"));
VARIATION(status_set_55_gp, DATA(m->p.status_set.faults |= STATUS_TRACE_TOPA_PMI), "STATUS_SET faults on bit 55",
          "SKL51; Skylake with early microcode");

/* ---- Event selects */

#define TSX (EVTSEL_IN_TX | EVTSEL_IN_TXCP)

VARIATION(evtsel_pc_kept, DATA(m->p.evtsel.faults &= ~EVTSEL_PC), "EVTSEL[19] is kept", "Core 2, Bonnell, Silvermont");
VARIATION(evtsel_pc_dropped, DATA(m->p.evtsel.dropped |= EVTSEL_PC; m->p.evtsel.faults &= ~EVTSEL_PC),
          "EVTSEL[19] is dropped", "reserved in version 6");
VARIATION(evtsel_any_faults, DATA(m->p.evtsel.faults |= EVTSEL_ANY), "EVTSEL[21] faults", "Harpertown; version 5");
VARIATION(evtsel_any_dropped, DATA(m->p.evtsel.dropped |= EVTSEL_ANY), "EVTSEL[21] is dropped", "version 5");
VARIATION(evtsel_tsx_faults, DATA(m->p.evtsel.faults |= TSX; m->p.evtsel2_accepts = 0), "EVTSEL[33:32] fault",
          "microcode that removes TSX");
VARIATION(evtsel_tsx_dropped, DATA(m->p.evtsel.dropped |= TSX; m->p.evtsel.faults &= ~TSX), "EVTSEL[33:32] are dropped",
          "microcode that removes TSX");
DEFECT(evtsel_accepts_reserved, DATA(m->p.evtsel.faults &= ~MASK(63, 48)), "event selects keep bits 63 to 48 (data)",
       "class", ALSO_ON("sandy-bridge", "silvermont"));

/* With leaf 23H, which enumerates a second unit mask, that is kept. Not on classes of which a dump shows the fault. */
static void upper_dropped(struct model *m)
{
    if (has_leaf_23(&m->p))
        return;
    m->p.evtsel.dropped |= MASK(63, 32);
    m->p.evtsel.faults &= ~MASK(63, 32);
}
VARIATION(evtsel_upper_dropped, NO_RULE, "EVTSEL[63:32] are dropped", "Core Duo, Core 2", ON("haswell"),
          PREPARED(upper_dropped));

/* ---- Side effects of an access */

DEFECT(select_touches_neighbour, BEFORE(evtsel_kept, n + 1u < m->p.gp_count, m->counters.pmc[n + 1]++),
       "writing an event select adds one to the next counter", "class: a write strobe that is too wide",
       MEANT_FOR("access.*"));
DEFECT(fixed_control_clears_status,
       BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL, m->status.bits &= ~STATUS_FIXED(0)),
       "writing IA32_FIXED_CTR_CTRL clears the overflow bit of fixed counter 0", "class: a reset shared by two",
       MEANT_FOR("access.*"));
DEFECT(fixed_write_clears_status, BEFORE(fixed_write, true, m->status.bits &= ~STATUS_FIXED(i)),
       "writing a fixed counter clears its overflow bit", "class: a reset shared by two", MEANT_FOR("access.*"));
DEFECT(counter_read_clears_status, BEFORE(gp_shown, true, m->status.bits &= ~STATUS_GP(n)),
       "reading a counter clears its overflow bit", "class: a bit that is cleared by reading", MEANT_FOR("access.*"));
DEFECT(rdpmc_touches_select, AFTER(rdpmc_shown, bit < m->p.gp_count, m->controls.evtsel[bit] &= ~EVTSEL_USR),
       "RDPMC of a counter clears USR of its event select", "class: a read with a side effect", MEANT_FOR("access.*"));
DEFECT(refused_write_touches, AFTER(a_pmc_write, !good && n < m->p.gp_count, m->controls.evtsel[n] &= ~EVTSEL_OS),
       "a write above the width faults, and clears OS of the event select", "class: a fault that comes too late",
       MEANT_FOR("access.*"));
DEFECT(refused_control_reaches,
       AFTER(stored_taken, !good && which == STORED_GLOBAL_CTRL,
             m->controls.stored[STORED_FIXED_CTR_CTRL] ^= FIXED_OS(0)),
       "a write of a reserved bit of GLOBAL_CTRL faults, and flips a bit of FIXED_CTR_CTRL",
       "class: a fault that comes too late", MEANT_FOR("access.*"));
DEFECT(refused_write_taken_in_part,
       AFTER(stored_taken, !good, *result = (*result & ~MASK(3, 0)) | (value & MASK(3, 0))),
       "a write of a control that faults for a reserved bit takes the lowest four bits",
       "class: a fault that comes too late", MEANT_FOR("access.*"));
