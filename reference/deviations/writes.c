/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of which registers exist and which writes they accept. All of them change data only. */
#define CHAPTERS "access.*,gp.*,fixed.*,handoff.*,enum.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Counters */

static void gp_32_bits(struct model *m)
{
    m->p.gp_width = 32;
    m->p.gp_drops_upper = true;
}
DEFECT(UPPER_BITS_LOST, "upper-bits-lost", "GP counters hold 32 bits whatever the leaf says (data)",
       "emulators; class of a wrong width", DATA(gp_32_bits));

static void fixed_32_bits(struct model *m)
{
    m->p.fixed_width = 32;
    m->p.fixed_drops_upper = true;
}
DEFECT(FIXED_UPPER_BITS_LOST, "fixed-upper-bits-lost", "fixed counters hold 32 bits whatever the leaf says (data)",
       "emulators; class of a wrong width", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0)),
       DATA(fixed_32_bits));

static void fixed_cut(struct model *m)
{
    m->p.fixed_drops_upper = true;
}
DEFECT(FIXED_UPPER_DROPPED, "fixed-upper-dropped", "WRMSR IA32_FIXED_CTRi above the width is accepted and cut (data)",
       "Core 2 stepping B2; here the class is known to fault", DATA(fixed_cut));

static void full_width_absent(struct model *m)
{
    m->p.full_width = false;
}
DEFECT(FULL_WIDTH_CLAIMED_ABSENT, "full-width-claimed-absent", "PERF_CAPABILITIES[13] is 1 and IA32_A_PMCn fault",
       "hypervisors that pass the register through", ALSO_ON("lunar-lake"), DATA(full_width_absent));

static void inuse_absent(struct model *m)
{
    m->p.inuse = false;
}
DEFECT(INUSE_ABSENT, "inuse-absent", "RDMSR of IA32_PERF_GLOBAL_INUSE is a #GP though the version is 4",
       "hypervisors without the register", MEANT_FOR("enum.registers"), DATA(inuse_absent));

static void fixed_ctrl_absent(struct model *m)
{
    m->p.stored[STORED_FIXED_CTR_CTRL].exists = false;
}
DEFECT(FIXED_CTRL_ABSENT, "fixed-ctrl-absent", "RDMSR of FIXED_CTR_CTRL is a #GP", "hypervisors without fixed counters",
       MEANT_FOR("enum.registers"), DATA(fixed_ctrl_absent));

static void global_ctrl_absent(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].exists = false;
}
DEFECT(GLOBAL_CTRL_ABSENT, "global-ctrl-absent", "RDMSR of GLOBAL_CTRL is a #GP", "hypervisors of version 1",
       MEANT_FOR("enum.registers"), DATA(global_ctrl_absent));

INSTEAD(status_readable, status_absent, !strikes(m, STATUS_ABSENT) && below(STATUS_ABSENT, status_readable));
DEFECT(STATUS_ABSENT, "status-absent", "RDMSR of STATUS is a #GP", "hypervisors of version 1",
       MEANT_FOR("enum.registers"), STANDS_IN(FOR(status_readable, status_absent)));

static void no_full_width(struct model *m)
{
    m->p.perf_capabilities &= ~PERF_CAP_FULL_WIDTH;
    m->p.full_width = false;
}
VARIATION(NO_FULL_WIDTH, "no-full-width", "no IA32_A_PMCn: upper counter bits cannot be restored", "Core 2 to Westmere",
          ALSO_ON("sapphire-rapids"), DATA(no_full_width));

/* ---- Control registers */

static void freeze_dropped(struct model *m)
{
    m->p.stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}
DEFECT(DEBUGCTL_FREEZE_DROPPED, "debugctl-freeze-dropped", "DEBUGCTL[12] is dropped (data)", "hypervisors",
       NOT_BY(ERRATUM_ON("haswell", "HSD52", 0x306c3, 0x28, 0, 0)), ALSO_ON("sandy-bridge"), DATA(freeze_dropped));

static void freeze_faults(struct model *m)
{
    m->p.stored[STORED_DEBUGCTL].faults |= DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}
DEFECT(DEBUGCTL_FREEZE_FAULTS, "debugctl-freeze-faults", "WRMSR that sets DEBUGCTL[12] is a #GP (data)",
       "KVM, vmx_get_supported_debugctl()", MEANT_FOR("access.debug-control"), DATA(freeze_faults));

static void smm_freeze_dropped(struct model *m)
{
    m->p.stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_WHILE_SMM;
}
DEFECT(SMM_FREEZE_CLAIMED_ABSENT, "smm-freeze-claimed-absent",
       "PERF_CAPABILITIES[12] is 1 and DEBUGCTL[14] is dropped (data)", "hypervisors that pass the register through",
       DATA(smm_freeze_dropped));

static void global_takes_reserved(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].faults &= ~MASK(31, 16);
}
DEFECT(GLOBAL_CTRL_ACCEPTS_RESERVED, "global-ctrl-accepts-reserved", "GLOBAL_CTRL keeps bits 31 to 16 (data)", "class",
       DATA(global_takes_reserved));

static void global_takes_more(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].faults &= ~(MASK(7, 0) | GLOBAL_FIXED(3) | GLOBAL_METRICS);
}
VARIATION(GLOBAL_CTRL_ACCEPTS_MORE, "global-ctrl-accepts-more",
          "GLOBAL_CTRL holds bits of counters that are not enumerated", "Core 2, hybrid cores",
          DATA(global_takes_more));

static void fixed_ctrl_takes_absent(struct model *m)
{
    m->p.stored[STORED_FIXED_CTR_CTRL].faults &= ~MASK(31, 12);
}
DEFECT(FIXED_CTRL_ACCEPTS_ABSENT, "fixed-ctrl-accepts-absent",
       "FIXED_CTR_CTRL keeps the fields of absent counters (data)", "class", DATA(fixed_ctrl_takes_absent));

/* ---- STATUS_SET */

static void status_set_absent(struct model *m)
{
    m->p.status_set.exists = false;
}
DEFECT(STATUS_SET_ABSENT, "status-set-absent", "version 4, and access to STATUS_SET is a #GP (data)",
       "hypervisors that raise the version", DATA(status_set_absent));

static void status_set_takes_63(struct model *m)
{
    m->p.status_set.faults &= ~STATUS_COND_CHGD;
    m->p.status_set.dropped |= STATUS_COND_CHGD;
}
VARIATION(STATUS_SET_63_NO_GP, "status-set-63-no-gp", "STATUS_SET takes bit 63 without a fault",
          "SKL164; Skylake to Comet Lake", ON("ice-lake"), DATA(status_set_takes_63));

static void status_set_refuses_55(struct model *m)
{
    m->p.status_set.faults |= STATUS_TRACE_TOPA_PMI;
}
VARIATION(STATUS_SET_55_GP, "status-set-55-gp", "STATUS_SET faults on bit 55", "SKL51; Skylake with early microcode",
          DATA(status_set_refuses_55));

/* ---- Event selects */

#define TSX (EVTSEL_IN_TX | EVTSEL_IN_TXCP)

static void pc_kept(struct model *m)
{
    m->p.evtsel.faults &= ~EVTSEL_PC;
}
VARIATION(EVTSEL_PC_KEPT, "evtsel-pc-kept", "EVTSEL[19] is kept", "Core 2, Bonnell, Silvermont", DATA(pc_kept));

static void pc_dropped(struct model *m)
{
    m->p.evtsel.dropped |= EVTSEL_PC;
    m->p.evtsel.faults &= ~EVTSEL_PC;
}
VARIATION(EVTSEL_PC_DROPPED, "evtsel-pc-dropped", "EVTSEL[19] is dropped", "reserved in version 6", DATA(pc_dropped));

static void any_faults(struct model *m)
{
    m->p.evtsel.faults |= EVTSEL_ANY;
}
VARIATION(EVTSEL_ANY_FAULTS, "evtsel-any-faults", "EVTSEL[21] faults", "Harpertown; version 5", DATA(any_faults));

static void any_dropped(struct model *m)
{
    m->p.evtsel.dropped |= EVTSEL_ANY;
}
VARIATION(EVTSEL_ANY_DROPPED, "evtsel-any-dropped", "EVTSEL[21] is dropped", "version 5", DATA(any_dropped));

static void tsx_faults(struct model *m)
{
    m->p.evtsel.faults |= TSX;
    m->p.evtsel2_accepts = 0;
}
VARIATION(EVTSEL_TSX_FAULTS, "evtsel-tsx-faults", "EVTSEL[33:32] fault", "microcode that removes TSX",
          DATA(tsx_faults));

static void tsx_dropped(struct model *m)
{
    m->p.evtsel.dropped |= TSX;
    m->p.evtsel.faults &= ~TSX;
}
VARIATION(EVTSEL_TSX_DROPPED, "evtsel-tsx-dropped", "EVTSEL[33:32] are dropped", "microcode that removes TSX",
          DATA(tsx_dropped));

static void takes_reserved(struct model *m)
{
    m->p.evtsel.faults &= ~MASK(63, 48);
}
DEFECT(EVTSEL_ACCEPTS_RESERVED, "evtsel-accepts-reserved", "event selects keep bits 63 to 48 (data)", "class",
       ALSO_ON("sandy-bridge", "silvermont"), DATA(takes_reserved));

/* With leaf 23H, which enumerates a second unit mask, that is kept. Not on classes of which a dump shows the fault. */
static void upper_dropped(struct model *m)
{
    if (has_leaf_23(&m->p))
        return;
    m->p.evtsel.dropped |= MASK(63, 32);
    m->p.evtsel.faults &= ~MASK(63, 32);
}
VARIATION(EVTSEL_UPPER_DROPPED, "evtsel-upper-dropped", "EVTSEL[63:32] are dropped", "Core Duo, Core 2", ON("haswell"),
          DATA(upper_dropped));

/* ---- Side effects of an access */

static uint64_t select_clears_neighbour(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (n + 1u < m->p.gp_count && strikes(m, SELECT_TOUCHES_NEIGHBOUR))
        m->counters.pmc[n + 1]++;
    return replaced(m, SELECT_TOUCHES_NEIGHBOUR, evtsel_kept)(m, n, was, value);
}
DEFECT(SELECT_TOUCHES_NEIGHBOUR, "select-touches-neighbour", "writing an event select adds one to the next counter",
       "class: a write strobe that is too wide", MEANT_FOR("access.*"),
       STANDS_IN(FOR(evtsel_kept, select_clears_neighbour)));

static uint64_t control_clears_status(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_FIXED_CTR_CTRL && strikes(m, FIXED_CONTROL_CLEARS_STATUS))
        m->status.bits &= ~STATUS_FIXED(0);
    return replaced(m, FIXED_CONTROL_CLEARS_STATUS, stored_kept)(m, which, was, value);
}
DEFECT(FIXED_CONTROL_CLEARS_STATUS, "fixed-control-clears-status",
       "writing IA32_FIXED_CTR_CTRL clears the overflow bit of fixed counter 0", "class: a reset shared by two",
       MEANT_FOR("access.*"), STANDS_IN(FOR(stored_kept, control_clears_status)));

static bool counter_clears_status(struct model *m, unsigned i, uint64_t value)
{
    if (strikes(m, FIXED_WRITE_CLEARS_STATUS))
        m->status.bits &= ~STATUS_FIXED(i);
    return replaced(m, FIXED_WRITE_CLEARS_STATUS, fixed_write)(m, i, value);
}
DEFECT(FIXED_WRITE_CLEARS_STATUS, "fixed-write-clears-status", "writing a fixed counter clears its overflow bit",
       "class: a reset shared by two", MEANT_FOR("access.*"), STANDS_IN(FOR(fixed_write, counter_clears_status)));

static uint64_t read_clears_status(struct model *m, unsigned n)
{
    if (strikes(m, COUNTER_READ_CLEARS_STATUS))
        m->status.bits &= ~STATUS_GP(n);
    return replaced(m, COUNTER_READ_CLEARS_STATUS, gp_shown)(m, n);
}
DEFECT(COUNTER_READ_CLEARS_STATUS, "counter-read-clears-status", "reading a counter clears its overflow bit",
       "class: a bit that is cleared by reading", MEANT_FOR("access.*"), STANDS_IN(FOR(gp_shown, read_clears_status)));

static uint64_t rdpmc_counts(struct model *m, unsigned bit, uint8_t cpl)
{
    uint64_t value = replaced(m, RDPMC_TOUCHES_SELECT, rdpmc_shown)(m, bit, cpl);
    if (bit < m->p.gp_count && strikes(m, RDPMC_TOUCHES_SELECT))
        m->controls.evtsel[bit] &= ~EVTSEL_USR;
    return value;
}
DEFECT(RDPMC_TOUCHES_SELECT, "rdpmc-touches-select", "RDPMC of a counter clears USR of its event select",
       "class: a read with a side effect", MEANT_FOR("access.*"), STANDS_IN(FOR(rdpmc_shown, rdpmc_counts)));

static bool refused_but_cleared(struct model *m, unsigned n, uint64_t value)
{
    bool taken = replaced(m, REFUSED_WRITE_TOUCHES, a_pmc_write)(m, n, value);
    if (!taken && n < m->p.gp_count && strikes(m, REFUSED_WRITE_TOUCHES))
        m->controls.evtsel[n] &= ~EVTSEL_OS;
    return taken;
}
DEFECT(REFUSED_WRITE_TOUCHES, "refused-write-touches",
       "a write above the width faults, and clears OS of the event select", "class: a fault that comes too late",
       MEANT_FOR("access.*"), STANDS_IN(FOR(a_pmc_write, refused_but_cleared)));

static bool refused_but_reaches(struct model *m, unsigned which, uint64_t value, uint64_t *result)
{
    bool taken = replaced(m, REFUSED_CONTROL_REACHES, stored_taken)(m, which, value, result);
    if (!taken && which == STORED_GLOBAL_CTRL && strikes(m, REFUSED_CONTROL_REACHES))
        m->controls.stored[STORED_FIXED_CTR_CTRL] ^= FIXED_OS(0);
    return taken;
}
DEFECT(REFUSED_CONTROL_REACHES, "refused-control-reaches",
       "a write of a reserved bit of GLOBAL_CTRL faults, and flips a bit of FIXED_CTR_CTRL",
       "class: a fault that comes too late", MEANT_FOR("access.*"), STANDS_IN(FOR(stored_taken, refused_but_reaches)));
