/* A display: a grid of cells that can be drawn one at a time. Two kinds, of which a machine has at most one. */
#pragma once

#include "kernel/screen/screen_layout.h"

struct display {
    unsigned columns, rows;
    u32 width, height; /* pixels; 0: it has only cells */
    void (*draw)(unsigned column, unsigned row, struct cell cell);
    /* Fills a rectangle, which lies inside, with one of the 16 colours; NULL without pixels. */
    void (*fill)(u32 x, u32 y, u32 width, u32 height, u8 colour);
    /* Maps it where it is: when it is opened, and again in the page tables that come later. False: it cannot be. */
    bool (*map)(void);
};

/* VGA text mode: at the address that the loader gives, or where it always was. False if nothing is there. */
bool vga_text_open(const struct boot_framebuffer *framebuffer, struct display *display);
/* "ADDRESS,WIDTHxHEIGHT,PITCH": 32 bits a pixel, blue in the lowest byte. False, with nothing changed, if it is not. */
bool framebuffer_parse(const char *text, struct boot_framebuffer *framebuffer);
/* A linear framebuffer of 24 or 32 bits. False if it is none that can be drawn on. `font` must stay. */
bool framebuffer_open(const struct boot_framebuffer *framebuffer, const struct font *font, struct display *display);
