/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of a device, and whether it may be overwritten. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define USB_LIMIT (256ull << 30) /* a larger device is hardly a stick */

struct usb_device {
    bool known;     /* the system has facts about it */
    bool file;      /* not a device but an image file */
    bool partition; /* not a whole disk */
    bool removable, read_only;
    bool system;   /* / or a part of the running system is on it, perhaps through RAID, LVM or encryption */
    bool in_use;   /* used by RAID, LVM or encryption, or as swap space */
    uint64_t size; /* bytes; 0: no medium */
    char name[64], model[128], mounted[256]; /* mount point; "": not mounted */
};

/* The kernel's files about devices; tests use other ones. */
struct usb_places {
    const char *sys;       /* "/sys" */
    const char *mountinfo; /* "/proc/self/mountinfo" */
    const char *swaps;     /* "/proc/swaps" */
};
extern const struct usb_places usb_places;

/* The user's permissions. */
struct usb_permission {
    bool fixed, large, mounted;
};

/* Reads the facts about a block device, by its number. */
void usb_look(const struct usb_places *places, dev_t number, struct usb_device *device);
/* NULL if it may be overwritten with `bytes` bytes; else the reason, and the option that allows it, if there is one. */
const char *usb_refusal(const struct usb_device *device, uint64_t bytes, const struct usb_permission *allowed);

/* ---- write.c: writes an image to a device, and compares */

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
