/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that an interpreted guest may access: inside(address, size), which the including file defines, decides,
 * and the guest's addresses are higher by `elsewhere`. */
#pragma once

bool guest_load(u64 *value, u64 address, u64 size)
{
    *value = 0;
    if (!inside(address, size))
        return false;
    memcpy(value, (const void *)(address - elsewhere), size);
    return true;
}

bool guest_store(u64 address, u64 value, u64 size)
{
    if (!inside(address, size))
        return false;
    memcpy((void *)(address - elsewhere), &value, size);
    return true;
}

/* One by one, as they may overlap. */
bool guest_move(u64 to, u64 from, u64 count, u64 size)
{
    for (u64 i = 0; i < count * size; i += size) {
        u64 value;
        memcpy(&value, (const void *)(from + i), size);
        memcpy((void *)(to + i), &value, size);
    }
    return true;
}

bool guest_fill(u64 to, u64 value, u64 count, u64 size)
{
    for (u64 i = 0; i < count * size; i += size)
        memcpy((void *)(to + i), &value, size);
    return true;
}

bool guest_reach(u64 *where, u64 address, u64 size, bool store)
{
    (void)store;
    *where = address - elsewhere;
    return inside(address, size);
}
