/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data types of an instruction, by which NetBurst's execution tagging distinguishes uops: single or double
 * precision, packed or scalar, integers in MMX or XMM registers, x87.
 */
#include "reference/step/interpreter/interpret.h"

enum { NO_PREFIX, PREFIX_66, PREFIX_F3, PREFIX_F2 };

/* Of F2H and F3H the last one counts, and 66H only without them. SDM 2A, "Instruction Prefixes". */
static unsigned skip_prefixes(const u8 *bytes, unsigned count, unsigned *prefix)
{
    unsigned i = 0;
    *prefix = NO_PREFIX;
    for (; i < count; i++)
        if (bytes[i] == 0xf3 || bytes[i] == 0xf2)
            *prefix = bytes[i] == 0xf3 ? PREFIX_F3 : PREFIX_F2;
        else if (bytes[i] == 0x66)
            *prefix = *prefix == NO_PREFIX ? PREFIX_66 : *prefix;
        else
            break;
    return i < count && is_rex(bytes[i]) ? i + 1 : i; /* REX */
}

static bool is_integer(u8 opcode)
{
    return (opcode >= 0x60 && opcode <= 0x6d) || (opcode >= 0x71 && opcode <= 0x76) ||
           (opcode >= 0xd1 && opcode <= 0xfe && opcode != 0xd6 && opcode != 0xd7 && opcode != 0xe6 && opcode != 0xe7 &&
            opcode != 0xf0 && opcode != 0xf7);
}

static bool is_floating(u8 opcode)
{
    return (opcode >= 0x51 && opcode <= 0x5f && opcode != 0x5a && opcode != 0x5b) || opcode == 0xc2;
}

u8 execution_decode(const u8 *bytes, unsigned count)
{
    static const u8 floating[] = {EXECUTION_PACKED_SP, EXECUTION_PACKED_DP, EXECUTION_SCALAR_SP, EXECUTION_SCALAR_DP};
    unsigned prefix, i = skip_prefixes(bytes, count, &prefix);
    if (i < count && bytes[i] >= 0xd8 && bytes[i] <= 0xdf)
        return EXECUTION_X87;
    if (i + 1 >= count || bytes[i] != 0x0f)
        return EXECUTION_OTHER;
    if (is_floating(bytes[i + 1]))
        return floating[prefix];
    if (is_integer(bytes[i + 1]) && prefix <= PREFIX_66)
        return prefix ? EXECUTION_MMX_128 : EXECUTION_MMX_64;
    return EXECUTION_OTHER;
}
