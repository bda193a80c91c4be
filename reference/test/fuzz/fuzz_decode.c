/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes: no read beyond what is readable, and each length is possible for an instruction. */
#include "reference/step/interpreter/interpret.h"
#include <stdlib.h>
#include <string.h>

#define BYTES 16 /* one more than an instruction has at most */

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void one_instruction(const u8 *bytes, unsigned count)
{
    struct instruction i = decode(bytes, count), legacy = decode_legacy(bytes, count, CODE_32);
    struct instruction narrow = decode_legacy(bytes, count, CODE_16);
    struct operation o = operation_or_copy_decode(bytes, count), o32 = operation_decode_legacy(bytes, count);
    if (i.length > INSTRUCTION_MAX + 8 || legacy.length > INSTRUCTION_MAX + 8 || narrow.length > INSTRUCTION_MAX + 8)
        abort();
    if ((o.code && o.length > count) || (o32.code && o32.length > count))
        abort();
    if (o.code == OP_COPY && (!o.copy.length || o.copy.length > COPY_BYTES || o.copy.reach > 32))
        abort();
    if (o.code == OP_COPY && o.from == OPERAND_MEMORY && !o.copy.reach)
        abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    unsigned count = (unsigned)(size < BYTES ? size : BYTES);
    u8 *exact = malloc(count ? count : 1); /* so that a read of one byte too many is noticed */
    memcpy(exact, data, count);
    one_instruction(exact, count);
    free(exact);
    return 0;
}
