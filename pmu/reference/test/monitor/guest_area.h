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

bool guest_reach(u64 *where, u64 address, u64 size, bool store)
{
    (void)store;
    *where = address - elsewhere;
    return inside(address, size);
}
