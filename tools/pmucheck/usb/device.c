/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's facts about a block device. A disk is in use if it, one of its partitions, or a device built on them
 * (RAID, LVM, encryption: their "holders") is mounted or swap space.
 */
#include "tools/pmucheck/usb/usb.h"
#include "tools/text_file.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define DEPTH_MOST 8
#define LINE_SIZE 4096

const struct usb_places usb_places = {"/sys", "/proc/self/mountinfo", "/proc/swaps"};

struct look {
    const struct usb_places *places;
    struct usb_device *device;
};

static uint64_t read_number(const char *directory, const char *name)
{
    char text[64];
    return strtoull(text_file_start(directory, name, text, sizeof(text)), NULL, 10);
}

/* ---- Mounts and swap space */

static bool part_of_the_system(const char *where)
{
    static const char *const parts[] = {"/", "/usr", "/boot", "/boot/efi", "/efi", "/var", "/home", "/etc", "/nix"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strcmp(where, parts[i]) == 0)
            return true;
    return false;
}

static bool is_device(const char *path, dev_t number)
{
    struct stat status;
    return path[0] == '/' && stat(path, &status) == 0 && S_ISBLK(status.st_mode) && status.st_rdev == number;
}

/* "36 35 98:0 /root /where options - type source ...": file systems on several devices name one of them as their
 * source. */
static void find_mounts(const struct look *look, dev_t number)
{
    char line[LINE_SIZE];
    FILE *file = fopen(look->places->mountinfo, "r");
    while (file && fgets(line, sizeof(line), file)) {
        unsigned major, minor;
        char where[256], source[256] = "";
        if (sscanf(line, "%*d %*d %u:%u %*s %255s", &major, &minor, where) != 3)
            continue;
        const char *behind = strstr(line, " - ");
        if (behind && sscanf(behind, " - %*s %255s", source) != 1)
            source[0] = 0;
        if (makedev(major, minor) != number && !is_device(source, number))
            continue;
        look->device->system |= part_of_the_system(where);
        snprintf(look->device->mounted, sizeof(look->device->mounted), "%s", where);
    }
    if (file)
        fclose(file);
}

static void find_swap(const struct look *look, dev_t number)
{
    char line[LINE_SIZE], path[256];
    FILE *file = fopen(look->places->swaps, "r");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "%255s", path) == 1 && is_device(path, number))
            look->device->in_use = true;
    if (file)
        fclose(file);
}

/* ---- The device, its partitions, and the devices built on them */

static void look_at(const struct look *look, const char *directory, unsigned depth);

/* Visits the devices in a directory: "holders", or the partitions of a disk. */
static void look_into(const struct look *look, const char *directory, bool holders, unsigned depth)
{
    char path[PATH_MAX];
    DIR *list = opendir(directory);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (entry->d_name[0] == '.' || snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) >= PATH_MAX)
            continue;
        if (!holders && !text_file_there(path, "partition"))
            continue;
        look->device->in_use |= holders;
        look_at(look, path, depth + 1);
    }
    if (list)
        closedir(list);
}

static void look_at(const struct look *look, const char *directory, unsigned depth)
{
    char text[64], path[PATH_MAX];
    unsigned major, minor;
    if (depth > DEPTH_MOST)
        return;
    if (sscanf(text_file_start(directory, "dev", text, sizeof(text)), "%u:%u", &major, &minor) == 2) {
        find_mounts(look, makedev(major, minor));
        find_swap(look, makedev(major, minor));
    }
    look_into(look, directory, false, depth);
    if (snprintf(path, sizeof(path), "%s/holders", directory) < PATH_MAX)
        look_into(look, path, true, depth);
}

void usb_look(const struct usb_places *places, dev_t number, struct usb_device *device)
{
    char path[PATH_MAX], directory[PATH_MAX], vendor[64] = "", model[64] = "";
    memset(device, 0, sizeof(*device));
    const struct look look = {places, device};
    snprintf(path, sizeof(path), "%s/dev/block/%u:%u", places->sys, major(number), minor(number));
    if (!realpath(path, directory))
        return;
    device->known = true;
    snprintf(device->name, sizeof(device->name), "%.63s", strrchr(directory, '/') + 1);
    device->partition = text_file_there(directory, "partition");
    device->removable = read_number(directory, "removable") == 1;
    device->read_only = read_number(directory, "ro") == 1;
    device->size = read_number(directory, "size") * 512;
    text_file_start(directory, "device/vendor", vendor, sizeof(vendor));
    text_file_start(directory, "device/model", model, sizeof(model));
    snprintf(device->model, sizeof(device->model), "%s%s%s", vendor, vendor[0] && model[0] ? " " : "", model);
    look_at(&look, directory, 0);
}

const char *usb_refusal(const struct usb_device *d, uint64_t bytes, const struct usb_permission *allowed)
{
    static char text[1024];
    if (d->file)
        return d->size >= bytes ? NULL : "the file is smaller than the image: enlarge it, for instance by truncate";
    if (!d->known)
        return "the system has no such block device; lsblk lists the devices";
    if (d->system)
        return "the running system is on it; no option allows that";
    if (d->partition)
        return "it is a partition: name the whole disk";
    if (d->in_use)
        return "it is swap space, or part of a RAID, a volume group or an encrypted device: remove it from there first";
    if (d->mounted[0] && !allowed->mounted) {
        snprintf(text, sizeof(text),
                 "it is mounted on %s: unmount it first (umount %s), or allow it by --even-if=mounted", d->mounted,
                 d->mounted);
        return text;
    }
    if (d->read_only)
        return "it is write-protected";
    if (!d->removable && !allowed->fixed)
        return "it is not removable, so hardly a stick; --even-if=fixed allows it";
    if (d->size < bytes)
        return d->size ? "it is smaller than the image" : "there is no medium in it";
    if (d->size > USB_LIMIT && !allowed->large) {
        snprintf(text, sizeof(text), "it has %llu GiB, so hardly a stick; --even-if=large allows it",
                 (unsigned long long)(d->size >> 30));
        return text;
    }
    return NULL;
}
