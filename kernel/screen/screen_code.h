/* SPDX-License-Identifier: BSD-2-Clause */
/* Place and size of a QR code on the screen: at the left, as large as possible, with words beside it. Pure. */
#pragma once

#include "kernel/qr/qr.h"
#include "kernel/screen/screen_layout.h"

/* A screen's size for codes. width and height are in pixels; 0 if it has only characters. */
struct screen_size {
    unsigned columns, rows;
    u32 width, height;
};

struct code_place {
    unsigned version; /* the largest version that fits; 0: none fits */
    enum qr_level level;
    u32 room;        /* side of its square in pixels; 0: a character shows two modules, one above the other */
    unsigned column; /* where the words beside it begin */
};
struct code_place screen_code_place(const struct screen_size *size);
/* The side of a module in pixels. */
u32 screen_code_pixels(const struct code_place *place, unsigned version);
/* Draws a code with half-block characters, for a screen without pixels. */
void screen_code_blocks(struct layout *layout, const struct qr *qr);
