/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * matrix prove|prove-benign|prove-excuses OUTPUT LOG...: joins the logs of all parts of a proof into a matrix, the
 * text OUTPUT; what errata hide is a table of words.
 */
#include "reference/proof/grid.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>

static struct grid grid;

static bool read_log(const char *path)
{
    size_t size;
    char *text = text_file_read("matrix", path, &size);
    if (!text)
        return false;
    grid_read(&grid, text, size);
    free(text);
    return true;
}

static bool write_grid(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file)
        grid_write_text(&grid, file);
    if (!file || ferror(file) | fclose(file)) {
        fprintf(stderr, "matrix: %s cannot be written\n", path);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const char *const proofs[] = {"prove", "prove-benign", "prove-excuses"};
    size_t kind = 0, kinds = sizeof(proofs) / sizeof(proofs[0]);
    while (argc > 3 && kind < kinds && strcmp(argv[1], proofs[kind]) != 0)
        kind++;
    if (argc < 4 || kind == kinds) {
        fprintf(stderr, "usage: matrix prove|prove-benign|prove-excuses OUTPUT LOG...\n");
        return 99;
    }
    grid.kind = (enum grid_kind)kind;
    for (int i = 3; i < argc; i++)
        if (!read_log(argv[i]))
            return 99;
    grid_sort(&grid);
    if (grid.overflowed)
        fprintf(stderr, "matrix: more rows, columns or lines than there is room for\n");
    return write_grid(argv[2]) && !grid.overflowed ? 0 : 99;
}
