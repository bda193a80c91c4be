/* links: tools/pmucheck/log_*.c tools/pmucheck/report*.c tools/pmucheck/arena.c tools/span.c */
/* Any bytes as a log: no crash, no overrun, no pass without a start and an END line, and every report can be written.
 */
#include "tools/pmucheck/report.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct log_file file;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    log_read(&file, "fuzz", (const char *)data, size);
    for (unsigned i = 0; i < file.boots.count; i++)
        if (log_boot_status(&file.boots.item[i]) == STATUS_PASS &&
            !(file.boots.item[i].started && file.boots.item[i].ended))
            abort();
    for (const struct report_format *format = report_formats; format->name; format++)
        format->write(nowhere, &file, 1);
    report_problems(nowhere, &file, 1);
    log_free(&file);
    return 0;
}
