/* Where on a screen a QR code stands, and which fits there: at the left, as large as possible, words beside. Pure. */
#pragma once

#include "kernel/qr/qr.h"
#include "kernel/screen/screen_layout.h"

/* A screen as the codes see it. width and height are pixels; 0 if it has only characters. */
struct screen_size {
    unsigned columns, rows;
    u32 width, height;
};

struct code_place {
    unsigned version; /* the largest that fits; 0: none does */
    enum qr_level level;
    u32 room;        /* pixels of each side of the square for it; 0: a character is two modules, one above the other */
    unsigned column; /* the words beside it begin there */
};
struct code_place screen_code_place(const struct screen_size *size);
/* How many pixels a side of a module has. */
u32 screen_code_pixels(const struct code_place *place, unsigned version);
/* Draws a code by half blocks: for a place without pixels. */
void screen_code_blocks(struct layout *layout, const struct qr *qr);
