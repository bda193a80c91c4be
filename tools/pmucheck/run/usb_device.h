/* What a device is, and whether it may be overwritten. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define USB_LIMIT (256ull << 30) /* larger is hardly a stick */

struct usb_device {
    bool known;     /* the system tells about it */
    bool file;      /* no device, an image file */
    bool partition; /* not a whole disk */
    bool removable, read_only;
    bool system;   /* / or a part of the running system stands on it, maybe through RAID, LVM or encryption */
    bool in_use;   /* by such a thing, or as swap space */
    uint64_t size; /* bytes; 0: no medium */
    char name[64], model[128], mounted[256]; /* mounted: where; "": nowhere */
};

/* Where the kernel tells about devices; another place in tests. */
struct usb_places {
    const char *sys;       /* "/sys" */
    const char *mountinfo; /* "/proc/self/mountinfo" */
    const char *swaps;     /* "/proc/swaps" */
};
extern const struct usb_places usb_places;

/* What the user allows. */
struct usb_permission {
    bool fixed, large, mounted;
};

/* Looks at a block device by its number. */
void usb_look(const struct usb_places *places, dev_t number, struct usb_device *device);
/* NULL if it may be overwritten with `bytes` bytes; else why not, and what allows it if anything does. */
const char *usb_refusal(const struct usb_device *device, uint64_t bytes, const struct usb_permission *allowed);
