/* SPDX-License-Identifier: BSD-2-Clause */
/* RDPMC at both privilege levels, with programs allowed to use it or not. */
#include "boot/cpu.h"
#include "harness/test.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"

#define VALUE_READ BIT(63) /* no counter is that wide; a fault has bits 31:0 only */

bool set_pce(bool allowed)
{
    u64 cr4 = read_cr4();
    write_cr4(allowed ? cr4 | CR4_PCE : cr4 & ~CR4_PCE);
    return cr4 & CR4_PCE;
}

void rdpmc_value_user_code(u64 index); /* rdpmc_value_user.asm */

fault_t rdpmc_value_user(u32 index, u64 *value)
{
    u64 result = ring3_run(rdpmc_value_user_code, index);
    if (!(result & VALUE_READ))
        return (fault_t)result;
    *value = result & ~VALUE_READ;
    return NO_FAULT;
}

void check_rdpmc(struct test *t, u32 index, u32 msr)
{
    u64 value = 0;
    fault_t fault = rdpmc_try(index, &value);
    if (check_fault(t, "differs", fault, NO_FAULT, msr))
        check_equal(t, "differs", value, read_msr(t, msr), msr);
}
