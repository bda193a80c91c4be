/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defects that any register can have. Each is shown on one register at a time, defect=NAME(register=global-ctrl), and
 * exists for each register of the table: see members.c. A proof shows each register that the profile has to the tests
 * of access alone, as there are hundreds, and lists the ones on which none notices it yet.
 */
#define CHAPTERS "access.*,alias.value,inuse.read-only,lbr.write,trace.errors"
#include "reference/deviations/stand_in.h"

#define A_BIT PARAMETER("bit", 1, 63, 4)

/* Could the register be read? Then this is what it holds. */
static bool holds(struct at_work *self, struct model *m, uint32_t msr, uint64_t *value)
{
    return replaced(register_read)(m, msr, value);
}

DEFECT(register_read_faults, INSTEAD(register_read, true, false), "RDMSR of the register is a #GP",
       "hypervisors without the register", EACH_REGISTER);
DEFECT(register_write_faults, INSTEAD(register_write, true, false), "WRMSR of the register is a #GP",
       "hypervisors without the register", EACH_REGISTER);
DEFECT(register_reads_zero, AFTER(register_read, good, *value = 0), "the register reads as 0",
       "class: a write-only register", EACH_REGISTER);
DEFECT(register_bit_reads_set, AFTER(register_read, good, *value |= BIT(parameter())),
       "a bit of the register reads as 1", "class: one bad bit", A_BIT, EACH_REGISTER);
DEFECT(register_bit_reads_clear, AFTER(register_read, good, *value &= ~BIT(parameter())),
       "a bit of the register reads as 0", "class: one bad bit", A_BIT, EACH_REGISTER);
DEFECT(register_bit_lost, BEFORE(register_write, true, value &= ~BIT(parameter())),
       "a write of the register leaves a bit 0", "class: one bad bit", A_BIT, EACH_REGISTER);
DEFECT(register_bits_joined, BEFORE(register_write, true, value |= (value & BIT(parameter())) << 1),
       "a bit that is written sets the next one, too", "class: two lines that touch", PARAMETER("bit", 1, 62, 4),
       EACH_REGISTER);
DEFECT(register_write_lost, INSTEAD(register_write, holds(self, m, msr, &value), true),
       "a write of the register is lost", "class: a write port that is missing", EACH_REGISTER);
DEFECT(register_write_leaks, AFTER(register_write, good, replaced(register_write)(m, msr + 1, value)),
       "a write also goes to the register with the next number", "class: a wrong address line", EACH_REGISTER);
DEFECT(register_read_clears, AFTER(register_read, good, replaced(register_write)(m, msr, 0)),
       "RDMSR clears the register", "class: read-to-clear latches", EACH_REGISTER);

/* What the register held before the last write, for one read. */
struct before_write {
    uint64_t value;
    uint32_t msr; /* 0: none */
};

STAND_IN(register_reads_stale, register_write)
{
    struct before_write before = {.msr = msr};
    bool known = holds(self, m, msr, &before.value), taken = below(register_write);
    if (known && taken)
        *memory(struct before_write) = before;
    return taken;
}

DEFECT(register_reads_stale,
       ALL(AFTER(register_read, good && (memory(struct before_write)->msr == msr),
                 *value = memory(struct before_write)->value;
                 memory(struct before_write)->msr = 0),
           FUNCTIONS),
       "the first read after a write shows what the register held before", "class of BV80", EACH_REGISTER);
