/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter's memory: the address space is the program's own. */
#include "reference/step/access.h"
#include "reference/step/interpreter/interpret.h"

bool guest_load(u64 *value, u64 address, u64 size)
{
    return direct_load(value, address, size);
}

bool guest_store(u64 address, u64 value, u64 size)
{
    return direct_store(address, value, size);
}

bool guest_reach(u64 *where, u64 address, u64 size, bool store)
{
    (void)size;
    (void)store;
    *where = address;
    return true;
}

/* The CPU steps the instructions that another stepper executes from copies. */
bool guest_copied(const struct copy *copy, struct copy_state *state)
{
    (void)copy;
    (void)state;
    return false;
}
