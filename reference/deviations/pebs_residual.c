/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of residual records: where the record of a counter goes that was stopped before it, and what it holds. */
#define CHAPTERS "pebs.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Held back until the same counter samples again, and then written to the area of then. */

struct held_record {
    uint64_t counters;
};

static void hold(struct at_work *self, struct model *m, uint64_t was, uint64_t stopped, bool concerned)
{
    struct held_record *held = memory(struct held_record);
    bool holds = stopped && concerned && strikes();
    replaced(pebs_changed)(m, was, holds ? 0 : stopped);
    if (holds)
        held->counters = stopped;
    if (!m->pebs.sampling)
        return;
    if (m->pebs.sampling & held->counters) {
        m->pebs.area = m->controls.stored[STORED_DS_AREA];
        model_pebs_leave_residual(m, held->counters, 0);
    }
    held->counters = 0;
}

static bool all_of(struct model *m, uint64_t counters, bool (*such)(const struct model *m, unsigned bit))
{
    for (unsigned bit = 0; bit < 64; bit++)
        if ((counters >> bit & 1) && !such(m, bit))
            return false;
    return true;
}

static uint32_t encoding(const struct model *m, unsigned bit)
{
    return bit < 32 ? (uint32_t)(m->controls.evtsel[bit] & MASK(15, 0)) : 0;
}

static bool with_usr(const struct model *m, unsigned bit)
{
    if (bit < 32)
        return m->controls.evtsel[bit] & EVTSEL_USR;
    return m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_USR(bit - 32);
}

static bool with_usr_alone(const struct model *m, unsigned bit)
{
    return bit < 32 && with_usr(m, bit) && !(m->controls.evtsel[bit] & EVTSEL_OS);
}

static bool by_latency(const struct model *m, unsigned bit)
{
    return m->p.event_load_latency && encoding(m, bit) == m->p.event_load_latency;
}

static bool not_instructions(const struct model *m, unsigned bit)
{
    return bit < 32 && (encoding(m, bit) & 0xff) != (ARCH_EVENT_INSTRUCTIONS & 0xff);
}

static bool fixed(const struct model *m, unsigned bit)
{
    (void)m;
    return bit >= 32;
}

STAND_IN(residual_waits_for_counter, pebs_changed)
{
    hold(self, m, was, stopped, true);
}
DEFECT(residual_waits_for_counter, FUNCTIONS,
       "the record of a counter that was stopped before it goes to the area of the next set-up of the same counter",
       "SKL104 class", ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_waits_with_usr, pebs_changed)
{
    hold(self, m, was, stopped, all_of(m, stopped, with_usr));
}
DEFECT(residual_waits_with_usr, FUNCTIONS, "the same, with USR set only", "SKL104 class", ALSO_ON("ice-lake"),
       MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_waits_at_cpl_3, pebs_changed)
{
    hold(self, m, was, stopped, all_of(m, stopped, with_usr_alone));
}
DEFECT(residual_waits_at_cpl_3, FUNCTIONS, "the same, with USR set and OS clear only", "SKL104 class",
       ALSO_ON("ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_waits_by_latency, pebs_changed)
{
    hold(self, m, was, stopped, all_of(m, stopped, by_latency));
}
DEFECT(residual_waits_by_latency, FUNCTIONS, "the same, with loads by latency only", "SKL104 class",
       ALSO_ON("ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_waits_of_event, pebs_changed)
{
    hold(self, m, was, stopped, all_of(m, stopped, not_instructions));
}
DEFECT(residual_waits_of_event, FUNCTIONS, "the same, with any event but instructions only", "SKL104 class",
       ALSO_ON("ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_waits_of_fixed, pebs_changed)
{
    hold(self, m, was, stopped, all_of(m, stopped, fixed));
}
DEFECT(residual_waits_of_fixed, FUNCTIONS, "the same, of fixed counters only", "SKL104 class", ON("ice-lake"),
       ALSO_ON("sapphire-rapids"), MEANT_FOR("pebs.reconfigure-residual"));

/* ---- Its contents */

STAND_IN(residual_vanishes, pebs_write)
{
    if (stopped && strikes())
        model_status_drop(m, sample->counters);
    else
        below(pebs_write);
}
DEFECT(residual_vanishes, FUNCTIONS,
       "the record of a counter that was stopped before it is dropped, and its status bit cleared",
       "class: a flush on the wrong signal", ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_elsewhere, pebs_write)
{
    struct pebs_sample wrong = *sample;
    wrong.registers.rip += FAR_AWAY;
    wrong.eventing_ip += FAR_AWAY;
    replaced(pebs_write)(m, stopped && strikes() ? &wrong : sample, stopped);
}
DEFECT(residual_elsewhere, FUNCTIONS,
       "the record of a counter that was stopped before it has an address 64 KB above where it should",
       "class: SKL120, late", ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_registers_lost, pebs_write)
{
    struct pebs_sample wrong = *sample;
    wrong.registers.general[ARRAY_SIZE(wrong.registers.general) - 1] = 0;
    replaced(pebs_write)(m, stopped && strikes() ? &wrong : sample, stopped);
}
DEFECT(residual_registers_lost, FUNCTIONS, "the record of a counter that was stopped before it has an R15 of 0",
       "class: a buffer that is cleared too early", ALSO_ON("haswell", "ice-lake"),
       MEANT_FOR("pebs.reconfigure-residual"));

STAND_IN(residual_without_registers, pebs_write)
{
    struct pebs_sample without = *sample;
    without.groups &= ~PEBS_DATA_GPR;
    replaced(pebs_write)(m, stopped && strikes() ? &without : sample, stopped);
}
DEFECT(residual_without_registers, FUNCTIONS,
       "the record of a counter that was stopped before it lacks the group of registers",
       "class: a configuration that is cleared too early", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
       MEANT_FOR("pebs.reconfigure-residual"));
VARIATION(pebs_residual_never, BEFORE(pebs_changed, true, stopped = 0),
          "a counter that is stopped between its overflow and the next event writes no record",
          "the manual: the next event writes it", ALSO_ON("haswell", "ice-lake"));

DEFECT(residual_names_next,
       ALL(NOTES(pebs_write, true, noted = stopped), CHANGED(pebs_named, noted, good << 1 & MASK(7, 0))),
       "a residual record names the counter above its own", "class: off by one", ALSO_ON("ice-lake"),
       MEANT_FOR("pebs.reconfigure-residual"));
