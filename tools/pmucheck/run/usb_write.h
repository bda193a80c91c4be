/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes an image to a device and compares. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Reports the progress; called for each piece. */
typedef void (*usb_progress)(const char *what, uint64_t done, uint64_t of);

/* Does the file contain this text? Rewinds the file. */
bool usb_holds(FILE *image, const char *text);
/*
 * Copies the image to the open device and waits until it is written; then reads it back, past the page cache if
 * possible, and compares. Returns NULL, or the error and its byte.
 */
const char *usb_write(FILE *image, uint64_t size, int device, usb_progress progress);
const char *usb_verify(FILE *image, uint64_t size, const char *path, usb_progress progress);
