/* links: pmu/reference/monitor/decode.c */
/* Any bytes: no read beyond what is readable, and a length that an instruction can have. */
#include "pmu/reference/monitor/decode.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    size_t count = size < 16 ? size : 16;
    u8 *exact = malloc(count ? count : 1); /* so that one byte too far is seen */
    memcpy(exact, data, count);
    struct instruction i = decode(exact, (unsigned)count), legacy = decode_legacy(exact, (unsigned)count);
    if (i.length > INSTRUCTION_MAX + 8 || legacy.length > INSTRUCTION_MAX + 8)
        abort();
    free(exact);
    return 0;
}
