/* SPDX-License-Identifier: BSD-2-Clause */
/* A display: a grid of cells that can be drawn one at a time. There are two kinds; a machine has at most one
 * display. */
#pragma once

#include "kernel/screen/screen_layout.h"

struct display {
    unsigned columns, rows;
    u32 width, height; /* in pixels; 0: the display has only cells */
    void (*draw)(unsigned column, unsigned row, struct cell cell);
    /* Fills a rectangle within the screen with one of the 16 colours; NULL for a display without pixels. */
    void (*fill)(u32 x, u32 y, u32 width, u32 height, u8 colour);
    /* Maps the display's memory when it is opened, and again for the final page tables. False: it cannot be mapped. */
    bool (*map)(void);
};

/* VGA text mode: at the address that the loader gives, or at the standard one. False if there is no display. */
bool vga_text_open(const struct boot_framebuffer *framebuffer, struct display *display);
/* "ADDRESS,WIDTHxHEIGHT,PITCH": 32 bits a pixel, blue in the lowest byte. False, with nothing changed, if malformed. */
bool framebuffer_parse(const char *text, struct boot_framebuffer *framebuffer);
/* A linear framebuffer of 24 or 32 bits. False if its format is not supported. `font` must stay. */
bool framebuffer_open(const struct boot_framebuffer *framebuffer, const struct font *font, struct display *display);
