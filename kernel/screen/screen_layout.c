/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of the screen: characters and colours in a grid of cells, independent of how a display draws cells. */
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"

/* Rows from the top. The machine takes two rows. */
#define ROW_MACHINE 1u
#define ROW_RUNNING 4u
#define BAR_WIDTH 24u                           /* at the right end of ROW_RUNNING */
#define ROW_FINDINGS (LAYOUT_FIRST_FINDING - 1) /* the rule above the findings */
/* Rows at the bottom: a rule, then eight rows for letters 16 pixels high (two pixels per cell), then one for totals. */
#define LETTER_ROWS 8u
#define BOTTOM_ROWS (1 + LETTER_ROWS + 1)
#define LETTER_WIDTH 8u

#define RULE_COLOUR COLOUR(DARK_GREY, BLACK)
#define BAR_COLOUR COLOUR(GREEN, BLACK)

static const struct {
    unsigned row, rows;
    u8 colour;
} fields[SCREEN_FIELDS] = {
    [SCREEN_TITLE] = {0, 1, LAYOUT_TITLE_COLOUR},   [SCREEN_MACHINE] = {ROW_MACHINE, 2, LAYOUT_TEXT_COLOUR},
    [SCREEN_PMU] = {3, 1, LAYOUT_TEXT_COLOUR},      [SCREEN_RUNNING] = {ROW_RUNNING, 1, COLOUR(WHITE, BLACK)},
    [SCREEN_TOTALS] = {5, 1, COLOUR(WHITE, BLACK)},
};

static const u8 verdict_colours[] = {COLOUR(WHITE, GREEN), COLOUR(WHITE, RED), COLOUR(WHITE, BLUE)};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The largest whole scale that leaves 80 x 25 cells; cells are widened if more columns would fit than the maximum. */
bool layout_geometry(u32 width, u32 height, u32 font_height, struct geometry *geometry)
{
    unsigned scale = smaller(width / (80 * 8), height / (25 * font_height));
    if (!scale)
        scale = 1;
    geometry->scale = scale;
    geometry->columns = smaller(width / (8 * scale), LAYOUT_COLUMNS_MAX);
    geometry->rows = smaller(height / (font_height * scale), LAYOUT_ROWS_MAX);
    if (geometry->columns < LAYOUT_COLUMNS_MIN || geometry->rows < LAYOUT_ROWS_MIN)
        return false;
    geometry->cell_width = width / geometry->columns;
    geometry->cell_height = height / geometry->rows;
    return true;
}

static void fill(struct layout *layout, unsigned row, unsigned column, unsigned end, u8 character, u8 colour)
{
    for (; column < end && column < layout->columns; column++)
        layout->cell[row][column] = (struct screen_cell){character, colour};
}

/* Writes text up to its end or a line end, cut at column `end` with a '>', and colours the cells up to there. */
static void write_until(struct layout *layout, unsigned row, unsigned column, unsigned end, const char *text, u8 colour)
{
    fill(layout, row, column, end, ' ', colour);
    for (; *text && *text != '\r' && *text != '\n'; text++, column++) {
        if (column == end) {
            layout->cell[row][column - 1].character = '>';
            return;
        }
        layout->cell[row][column].character = (u8)*text;
    }
}

void layout_text(struct layout *layout, unsigned row, unsigned column, const char *text, u8 colour)
{
    write_until(layout, row, column, layout->columns, text, colour);
}

unsigned layout_taken(const char *text, unsigned room)
{
    unsigned length = (unsigned)strlen(text);
    if (length <= room)
        return length;
    for (unsigned i = room; i > room / 2; i--)
        if (text[i] == ' ')
            return i;
    return room;
}

/* Writes text that may continue, indented, in the row below; that row is overwritten in any case. */
static void write_two_rows(struct layout *layout, unsigned row, const char *text, u8 colour)
{
    unsigned length = layout_taken(text, layout->columns);
    char first[LAYOUT_COLUMNS_MAX + 1];
    format_text(first, sizeof(first), "%.*s", (int)length, text);
    layout_text(layout, row, 0, first, colour);
    text += length;
    text += *text == ' ';
    if (*text)
        layout_text(layout, row + 1, 2, text, colour);
    else
        fill(layout, row + 1, 0, layout->columns, ' ', colour);
}

void layout_rule(struct layout *layout, unsigned row, const char *name)
{
    layout_text(layout, row, 3, name, LAYOUT_TEXT_COLOUR); /* may include the result code, for a photo */
    fill(layout, row, 0, 2, LINE_HORIZONTAL, RULE_COLOUR);
    fill(layout, row, 4 + (unsigned)strlen(name), layout->columns, LINE_HORIZONTAL, RULE_COLOUR);
}

void layout_clear(struct layout *layout, unsigned first_row, unsigned end_row)
{
    for (unsigned row = first_row; row < end_row; row++)
        fill(layout, row, 0, layout->columns, ' ', LAYOUT_TEXT_COLOUR);
}

static unsigned bottom(const struct layout *layout)
{
    return layout->rows - BOTTOM_ROWS;
}

unsigned layout_end_of_findings(const struct layout *layout)
{
    return bottom(layout);
}

bool layout_init(struct layout *layout, unsigned columns, unsigned rows)
{
    if (columns < LAYOUT_COLUMNS_MIN || rows < LAYOUT_ROWS_MIN)
        return false;
    memset(layout, 0, sizeof(*layout));
    layout->columns = smaller(columns, LAYOUT_COLUMNS_MAX);
    layout->rows = smaller(rows, LAYOUT_ROWS_MAX);
    layout_clear(layout, 0, layout->rows);
    fill(layout, 0, 0, layout->columns, ' ', LAYOUT_TITLE_COLOUR);
    layout_rule(layout, ROW_FINDINGS, "findings");
    layout_rule(layout, bottom(layout), "log");
    return true;
}

void layout_field(struct layout *layout, enum screen_field field, const char *text)
{
    unsigned end = field == SCREEN_RUNNING ? layout->columns - BAR_WIDTH - 1 : layout->columns;
    if (field >= SCREEN_FIELDS)
        return;
    if (fields[field].rows == 2)
        write_two_rows(layout, fields[field].row, text, fields[field].colour);
    else
        write_until(layout, fields[field].row, 0, end, text, fields[field].colour);
}

void layout_progress(struct layout *layout, unsigned done, unsigned total)
{
    unsigned start = layout->columns - BAR_WIDTH,
             full = total ? (unsigned)((u64)smaller(done, total) * BAR_WIDTH / total) : 0;

    fill(layout, ROW_RUNNING, start, start + full, BLOCK_FULL, BAR_COLOUR);
    fill(layout, ROW_RUNNING, start + full, layout->columns, LINE_HORIZONTAL, BAR_COLOUR);
}

/* A finding may take two rows, the second one indented. The last row shows how many findings did not fit. */
void layout_finding(struct layout *layout, const char *text)
{
    unsigned first = ROW_FINDINGS + 1, last = bottom(layout) - 1, row = first + layout->finding_rows;
    unsigned needed = strlen(text) > layout->columns ? 2 : 1;
    char more[40];
    if (!layout->findings_hidden && row + needed <= last) {
        if (needed == 2)
            write_two_rows(layout, row, text, LAYOUT_FINDING_COLOUR);
        else
            layout_text(layout, row, 0, text, LAYOUT_FINDING_COLOUR);
        layout->finding_rows += needed;
        return;
    }
    format_text(more, sizeof(more), "... and %u more, see the log", ++layout->findings_hidden);
    layout_text(layout, last, 0, more, LAYOUT_FINDING_COLOUR);
}

static size_t log_one_line(struct layout *layout, const char *line, size_t length)
{
    unsigned first = bottom(layout) + 1, last = layout->rows - 1;
    char text[LAYOUT_COLUMNS_MAX + 2]; /* one more character than fits, so that a cut is visible */
    size_t used = 0, copied;
    while (used < length && line[used] != '\n')
        used++;
    copied = used < sizeof(text) - 1 ? used : sizeof(text) - 1;
    memcpy(text, line, copied);
    text[copied] = 0;
    memmove(layout->cell[first], layout->cell[first + 1], (last - first) * sizeof(layout->cell[0]));
    layout_text(layout, last, 0, text, LAYOUT_TEXT_COLOUR);
    return used < length ? used + 1 : used;
}

void layout_log(struct layout *layout, const char *text, size_t length)
{
    while (length && !layout->ended) {
        size_t used = log_one_line(layout, text, length);
        text += used;
        length -= used;
    }
}

/* One capital letter; a cell is one pixel wide and two pixels high. Each pixel is doubled to the right, because thin
 * strokes vanish in photos. */
static void large_letter(struct layout *layout, const struct font *font, unsigned row, unsigned column, char letter,
                         u8 colour)
{
    static const u8 blocks[] = {' ', BLOCK_LOWER, BLOCK_UPPER, BLOCK_FULL};
    u8 capital = (u8)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    for (unsigned y = 0; y < LETTER_ROWS; y++) {
        unsigned upper = font_row(font, capital, 2 * y), lower = font_row(font, capital, 2 * y + 1);
        upper |= upper >> 1;
        lower |= lower >> 1;
        for (unsigned x = 0; x < LETTER_WIDTH; x++) {
            unsigned block = (upper << x & 0x80 ? 2 : 0) + (lower << x & 0x80 ? 1 : 0);
            fill(layout, row + y, column + x, column + x + 1, blocks[block], colour);
        }
    }
}

static unsigned centred(const struct layout *layout, size_t width)
{
    return width < layout->columns ? (layout->columns - (unsigned)width) / 2 : 0;
}

void layout_verdict(struct layout *layout, const struct font *font, const char *verdict, int colour, const char *totals)
{
    u8 paint = verdict_colours[colour >= 0 && colour < (int)ARRAY_SIZE(verdict_colours) ? colour : 2];
    unsigned top = bottom(layout) + 1;
    size_t length = strlen(verdict);
    bool large = font && font->height >= 2 * LETTER_ROWS && length * LETTER_WIDTH <= layout->columns;
    layout->ended = true;
    layout_rule(layout, bottom(layout), "verdict");
    for (unsigned row = top; row < layout->rows; row++)
        fill(layout, row, 0, layout->columns, ' ', paint);
    for (unsigned i = 0; large && i < length; i++)
        large_letter(layout, font, top, centred(layout, length * LETTER_WIDTH) + i * LETTER_WIDTH, verdict[i], paint);
    if (!large)
        layout_text(layout, top + LETTER_ROWS / 2, centred(layout, length), verdict, paint);
    layout_text(layout, layout->rows - 1, centred(layout, strlen(totals)), totals, paint);
}
