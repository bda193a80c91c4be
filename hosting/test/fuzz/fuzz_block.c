/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a block of a guest: they become a translation within bounds or none. */
#include "hosting/monitor/translator/block.h"
#include "reference/step/interpreter/interpret.h"
#include <stdlib.h>
#include <string.h>

#define TOP 0x10000000ul

/* Nothing is executed. */
bool guest_store(u64 address, u64 value, u64 size)
{
    (void)address, (void)value, (void)size;
    return false;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void a_block(bool viewed, const u8 *bytes, unsigned size,
                    struct operation (*take_apart)(const u8 *bytes, unsigned count))
{
    struct block_source source = {.top = TOP, .viewed = viewed};
    static struct block_state state;
    static u8 room[BLOCK_CODE]; /* only its address matters */
    struct block block;
    u8 code[BLOCK_CODE];
    unsigned at = 0;
    for (bool ends = false; !ends && at < size && source.count < BLOCK_INSTRUCTIONS; source.count++) {
        struct operation o = take_apart(bytes + at, size - at);
        if (!o.code || !block_takes(&o, bytes + at, viewed, &ends))
            break;
        memcpy(source.bytes + at, bytes + at, o.length);
        source.body[source.count] = o;
        at += o.length;
    }
    unsigned length = block_translate(&block, 1, &source, code, (u64)room, &state);
    if (length > BLOCK_CODE || (length && block.starts[block.count] > at))
        abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    unsigned count = (unsigned)(size < BLOCK_BYTES ? size : BLOCK_BYTES);
    u8 *exact = malloc(count ? count : 1); /* so that a read of one byte too many is noticed */
    memcpy(exact, data, count);
    for (unsigned viewed = 0; viewed < 2; viewed++) {
        a_block(viewed, exact, count, operation_or_copy_decode);
        a_block(viewed, exact, count, operation_decode_legacy);
    }
    free(exact);
    return 0;
}
