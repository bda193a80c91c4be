/* links: pmu/reference/monitor/interpreter/decode.c pmu/reference/monitor/interpreter/operation.c
 * pmu/reference/monitor/interpreter/copy.c pmu/reference/monitor/interpreter/arithmetic.c
 * pmu/reference/monitor/interpreter/loop.c pmu/reference/monitor/interpreter/loop.asm */
/*
 * Any bytes: no read beyond what is readable, and a length that an instruction can have. As a loop, they become a
 * translation within bounds or none.
 */
#include "pmu/reference/monitor/interpreter/decode.h"
#include "pmu/reference/monitor/interpreter/loop.h"
#include <stdlib.h>
#include <string.h>

#define TOP 0x10000000ul

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void one_instruction(const u8 *bytes, unsigned count)
{
    struct instruction i = decode(bytes, count), legacy = decode_legacy(bytes, count);
    struct operation o = operation_decode(bytes, count), o32 = operation_decode_legacy(bytes, count);
    if (i.length > INSTRUCTION_MAX + 8 || legacy.length > INSTRUCTION_MAX + 8)
        abort();
    if ((o.code && o.length > count) || (o32.code && o32.length > count))
        abort();
    if (o.code == OP_COPY && (!o.copy.length || o.copy.length > COPY_BYTES || o.copy.reach > 32))
        abort();
    if (o.code == OP_COPY && o.from == OPERAND_MEMORY && !o.copy.reach)
        abort();
}

static void a_loop(const u8 *bytes, unsigned size, struct operation (*take_apart)(const u8 *bytes, unsigned count))
{
    struct operation body[LOOP_INSTRUCTIONS];
    struct loop loop;
    u8 code[LOOP_CODE];
    unsigned count = 0;
    for (unsigned at = 0; at < size && count < LOOP_INSTRUCTIONS; at += body[count++].length) {
        body[count] = take_apart(bytes + at, size - at);
        if (!body[count].code)
            return;
    }
    const struct loop_state *state = (const struct loop_state *)(TOP + 0x1000); /* only its address matters */
    unsigned length = loop_translate(&loop, body, count, TOP, bytes, code, TOP + 0x2000, state);
    if (length > LOOP_CODE || (length && loop.starts[loop.count] > size))
        abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    unsigned count = (unsigned)(size < LOOP_BYTES ? size : LOOP_BYTES);
    u8 *exact = malloc(count ? count : 1); /* so that one byte too far is seen */
    memcpy(exact, data, count);
    one_instruction(exact, count < 16 ? count : 16);
    a_loop(exact, count, operation_decode);
    a_loop(exact, count, operation_decode_legacy);
    free(exact);
    return 0;
}
