/*
 * A matrix as one small picture, each cell a dot: rows in bands by chapter of tests, columns in the proof's order. It
 * shows at a glance that every row and every column has a dot, and that chapters find their own defects.
 */
#include "pmu/reference/proof/grid.h"
#include <string.h>

#define DOT_WIDTH 3
#define DOT_HEIGHT 2
#define LEFT 84 /* for the chapters' names */
#define TOP 44
#define BOTTOM 26

/* By the letter's word; those of a false alarm are the loud ones. */
static const char *colour_of(const char *word)
{
    static const struct {
        const char *word, *colour;
    } colours[] = {{"fail", "#c8321e"},     {"review", "#f0b400"}, {"known", "#5b8fd0"}, {"pass", "#b9dfb9"},
                   {"measured", "#8fcccc"}, {"skip", "#dddddd"},   {"error", "#8a4fa8"}};
    for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
        if (strcmp(colours[i].word, word) == 0)
            return colours[i].colour;
    return "#000000";
}

static size_t chapter_length(const struct grid *grid, unsigned row)
{
    return strcspn(grid->row[row].test, ".");
}

/* The first row after those of the chapter that begins at `row`. */
static unsigned chapter_end(const struct grid *grid, unsigned row)
{
    size_t length = chapter_length(grid, row) + 1;
    unsigned end = row;
    while (end < grid->rows && strncmp(grid->row[end].test, grid->row[row].test, length) == 0)
        end++;
    return end > row ? end : row + 1;
}

static void write_chapters(const struct grid *grid, FILE *file)
{
    unsigned width = grid->columns * DOT_WIDTH, next, band = 0;
    for (unsigned row = 0; row < grid->rows; row = next, band++) {
        next = chapter_end(grid, row);
        unsigned height = (next - row) * DOT_HEIGHT, y = TOP + row * DOT_HEIGHT;
        fprintf(file, "<rect x=\"%d\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n", LEFT, y, width, height,
                band & 1 ? "#ffffff" : "#f3f3f3");
        if (height >= 10)
            fprintf(file, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%.*s</text>\n", LEFT - 6, y + height / 2 + 4,
                    (int)chapter_length(grid, row), grid->row[row].test);
    }
}

/* All dots of a letter are one path. */
static void write_dots(const struct grid *grid, FILE *file, const struct grid_letter *letter)
{
    fprintf(file, "<path fill=\"%s\" d=\"", colour_of(letter->word));
    for (unsigned row = 0; row < grid->rows; row++)
        for (unsigned column = 0; column < grid->columns; column++)
            if (grid->cell[row][column] == letter->letter)
                fprintf(file, "M%u %uh%dv%dh-%dz", LEFT + column * DOT_WIDTH, TOP + row * DOT_HEIGHT, DOT_WIDTH,
                        DOT_HEIGHT, DOT_WIDTH);
    fputs("\"/>\n", file);
}

static void write_legend(const struct grid *grid, FILE *file, unsigned y)
{
    unsigned x = LEFT;
    for (const struct grid_letter *l = grid_letters(grid->kind); l->letter; l++) {
        fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"10\" height=\"10\" fill=\"%s\"/>", x, y - 9, colour_of(l->word));
        fprintf(file, "<text x=\"%u\" y=\"%u\">%s</text>\n", x + 14, y, l->word);
        x += 90;
    }
}

void grid_write_svg(const struct grid *grid, FILE *file)
{
    char summary[GRID_LINE];
    unsigned width = LEFT + grid->columns * DOT_WIDTH + 10, height = TOP + grid->rows * DOT_HEIGHT + BOTTOM;
    grid_summary(grid, summary, sizeof(summary));
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
    fprintf(file, "<text x=\"%d\" y=\"18\" font-size=\"14\" font-weight=\"bold\">%s</text>\n", LEFT,
            grid->kind == GRID_DEFECTS ? "Which check (down) fails under which defect (across)"
                                       : "How each test (down) comes out under each legal variation (across)");
    fprintf(file, "<text x=\"%d\" y=\"35\">%s</text>\n", LEFT, summary);
    write_chapters(grid, file);
    for (const struct grid_letter *l = grid_letters(grid->kind); l->letter; l++)
        write_dots(grid, file, l);
    write_legend(grid, file, height - 8);
    fputs("</svg>\n", file);
}
