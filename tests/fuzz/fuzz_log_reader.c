/* links: tools/log_reader.c tools/span.c */
/* Any bytes as a log: no crash, no overrun, and no pass without a start and an END line. */
#include "tools/log_reader.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct log_reader reader;
    log_read(&reader, (const char *)data, size);
    if (log_status(&reader) == STATUS_PASS && !(reader.started && reader.ended))
        abort();
    return 0;
}
