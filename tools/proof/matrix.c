/*
 * matrix prove|prove-benign OUTPUT LOG...: joins the logs of all parts of a proof into a matrix, OUTPUT.txt,
 * OUTPUT.html, and OUTPUT.svg, which shows all of it at once.
 *
 * links: tools/proof/grid.c tools/proof/grid_html.c tools/proof/grid_read.c tools/proof/grid_svg.c
 * tools/proof/grid_text.c tools/span.c tools/text_file.c
 */
#include "tools/proof/grid.h"
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

static bool write_file(const char *output, const char *ending, void (*write)(const struct grid *grid, FILE *file))
{
    char path[4096];
    snprintf(path, sizeof(path), "%s%s", output, ending);
    FILE *file = fopen(path, "w");
    if (file)
        write(&grid, file);
    if (!file || ferror(file) | fclose(file)) {
        fprintf(stderr, "matrix: %s cannot be written\n", path);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    bool benign = argc > 1 && strcmp(argv[1], "prove-benign") == 0;
    if (argc < 4 || (!benign && strcmp(argv[1], "prove") != 0)) {
        fprintf(stderr, "usage: matrix prove|prove-benign OUTPUT LOG...\n");
        return 99;
    }
    grid.kind = benign ? GRID_VARIATIONS : GRID_DEFECTS;
    for (int i = 3; i < argc; i++)
        if (!read_log(argv[i]))
            return 99;
    grid_sort(&grid);
    if (grid.overflowed)
        fprintf(stderr, "matrix: more rows, columns or lines than there is room for\n");
    bool written = write_file(argv[2], ".txt", grid_write_text) && write_file(argv[2], ".html", grid_write_html) &&
                   write_file(argv[2], ".svg", grid_write_svg);
    return written && !grid.overflowed ? 0 : 99;
}
