/* SPDX-License-Identifier: BSD-2-Clause */
/* VGA text mode 3, as a BIOS and GRUB leave it: 80 x 25 words of character and colour. */
#include "kernel/core/memory.h"
#include "kernel/register/instructions.h"
#include "kernel/screen/screen.h"

#define TEXT_ADDRESS 0xb8000
#define TEXT_COLUMNS 80
#define TEXT_ROWS 25
#define TYPE_TEXT 2

#define CRTC_INDEX 0x3d4
#define CRTC_DATA 0x3d5
#define CRTC_CURSOR_START 0x0a
#define CURSOR_OFF 0x20

static volatile u16 *cells;
static u64 address;
static unsigned columns, rows;

static bool map(void)
{
    cells = memory_map(address, (u64)columns * rows * sizeof(*cells), MEMORY_MMIO);
    return cells;
}

static void draw(unsigned column, unsigned row, struct screen_cell cell)
{
    cells[row * columns + column] = (u16)(cell.colour << 8 | cell.character);
}

/* A machine without VGA memory reads ones there, or nothing that stays. */
static bool answers(void)
{
    static const u16 patterns[] = {0x0755, 0x07aa};
    for_each_row (patterns, pattern) {
        cells[0] = *pattern;
        if (cells[0] != *pattern)
            return false;
    }
    return true;
}

static void hide_cursor(void)
{
    outb(CRTC_INDEX, CRTC_CURSOR_START);
    outb(CRTC_DATA, CURSOR_OFF);
}

bool vga_text_open(const struct boot_framebuffer *framebuffer, struct display *display)
{
    bool told = framebuffer->present && framebuffer->type == TYPE_TEXT;
    bool sized = told && framebuffer->width && framebuffer->height;
    address = told && framebuffer->address ? framebuffer->address : TEXT_ADDRESS;
    columns = sized ? framebuffer->width : TEXT_COLUMNS;
    rows = sized ? framebuffer->height : TEXT_ROWS;
    if (columns > 256 || rows > 256 || !map() || !answers())
        return false;
    hide_cursor();
    *display = (struct display){.columns = columns, .rows = rows, .draw = draw, .map = map};
    return true;
}
