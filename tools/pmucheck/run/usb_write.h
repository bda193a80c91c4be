/* An image written to a device and compared. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Tells how far it is; called for each piece. */
typedef void (*usb_progress)(const char *what, uint64_t done, uint64_t of);

/* Does the file have this text anywhere? Leaves it rewound. */
bool usb_holds(FILE *image, const char *text);
/*
 * Copies the image to the open device and waits until it is there; then reads it back, past the page cache where that
 * can be, and compares. NULL, or what went wrong and at which byte.
 */
const char *usb_write(FILE *image, uint64_t size, int device, usb_progress progress);
const char *usb_verify(FILE *image, uint64_t size, const char *path, usb_progress progress);
