/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes of a running image, in pieces of any size, for the progress bar; and any line as a typed result code. */
#include "kernel/qr/qr.h"
#include "tools/pmucheck/run/run.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_line(const char *line)
{
    char code[RESULT_CODE_SIZE];
    progress_notable(line);
    if (result_code_parse(line, code) && strlen(code) != RESULT_CODE_SIZE - 1)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct progress progress = {0};
    char bar[256];
    while (size > 0) {
        size_t piece = data[0] % 40u + 1, done = 0;
        piece = piece < size ? piece : size;
        while (done < piece) {
            const char *line;
            size_t taken = progress_take(&progress, (const char *)data + done, piece - done, &line);
            if (taken == 0 || taken > piece - done)
                abort();
            done += taken;
            if (line)
                use_line(line);
        }
        for (unsigned width = 1; width < 120; width += 59) {
            progress_bar(&progress, 100, width, bar, sizeof(bar));
            if (strlen(bar) > width)
                abort();
        }
        data += piece;
        size -= piece;
    }
    return 0;
}
