/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as the log of a proof, the first of which selects the kind: no crash, no overrun in the output. */
#include "reference/proof/grid.h"
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct grid grid;
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (!size)
        return 0;
    memset(&grid, 0, sizeof(grid));
    grid.kind = data[0] % (GRID_HIDDEN + 1);
    grid_read(&grid, (const char *)data + 1, size - 1);
    grid_sort(&grid);
    grid_write_text(&grid, nowhere);
    return 0;
}
