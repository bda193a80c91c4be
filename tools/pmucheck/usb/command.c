/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck usb: writes the image to a stick, and to nothing else. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/beside.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/usb/usb.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *image, *even_if = "";
static bool yes, foreign; /* foreign: an image of another program may be written */

static const struct option_row options[] = {
    {'i', "image", "FILE", &image, NULL,
     "The image (pmucheck.img, built or installed with this program); the ISO works as well."},
    {'y', "yes", NULL, NULL, &yes, "Does not ask for confirmation."},
    {0, "even-if", "WORD,...", &even_if, NULL,
     "Allows what is otherwise refused: fixed (not removable), large (more than 256 GiB), mounted, foreign (an image "
     "of another program)."},
    {0},
};

/* ---- Progress: on a terminal one line that is rewritten, in a pipe a line for each quarter. */

static void show(const char *what, uint64_t done, uint64_t of)
{
    static unsigned told;
    unsigned percent = (unsigned)(done * 100 / of);
    if (isatty(1)) {
        printf("\r%s: %3u %%%s", what, percent, done == of ? "\n" : "");
        fflush(stdout);
    } else if (percent / 25 != told) {
        told = done == of ? 0 : percent / 25;
        printf("%s: %u %%\n", what, percent);
    }
}

/* ---- Options */

static bool read_permission(struct usb_permission *allowed)
{
    const char *words = even_if;
    while (*words) {
        size_t length = strcspn(words, ",");
        bool *flag = strncmp(words, "fixed", length) == 0 && length == 5     ? &allowed->fixed
                     : strncmp(words, "large", length) == 0 && length == 5   ? &allowed->large
                     : strncmp(words, "mounted", length) == 0 && length == 7 ? &allowed->mounted
                     : strncmp(words, "foreign", length) == 0 && length == 7 ? &foreign
                                                                             : NULL;
        if (!flag) {
            command_refuse(&command_usb,
                           "--even-if=%s: it must be fixed, large, mounted or foreign, with commas between", even_if);
            return false;
        }
        *flag = true;
        words += length + (words[length] == ',');
    }
    return true;
}

/* Firmware starts only media whose first sector ends with these bytes; the stick's image and the ISO both have them. */
static bool is_bootable(FILE *file)
{
    unsigned char sector[512];
    bool good = fread(sector, 1, sizeof(sector), file) == sizeof(sector) && sector[510] == 0x55 && sector[511] == 0xaa;
    rewind(file);
    return good;
}

/* An image is no log, whatever texts it holds. */
static bool is_spare(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool image_before = file && is_bootable(file);
    if (file)
        fclose(file);
    return image_before || load_spare(&command_usb, path);
}

static bool look(const char *path, struct usb_device *device)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        command_refuse(&command_usb, "%s: %s; lsblk lists the devices", path, strerror(errno));
        return false;
    }
    if (S_ISREG(status.st_mode)) {
        if (!is_spare(path))
            return false;
        *device = (struct usb_device){.known = true, .file = true, .size = (uint64_t)status.st_size};
        return true;
    }
    if (S_ISBLK(status.st_mode)) {
        usb_look(&usb_places, status.st_rdev, device);
        return true;
    }
    command_refuse(&command_usb, "%s: neither a block device nor an image file", path);
    return false;
}

static bool agreed(const char *path, const struct usb_device *device)
{
    char answer[16] = "";
    if (device->file || yes)
        return true;
    printf("%s: %s, %llu MB. Everything on it will be lost. Write %s to it? (yes/no) ", path,
           device->model[0] ? device->model : "no name", (unsigned long long)(device->size / 1000000), image);
    fflush(stdout);
    if (fgets(answer, sizeof(answer), stdin) && strcmp(answer, "yes\n") == 0)
        return true;
    command_refuse(&command_usb, "nothing was written");
    return false;
}

/* ---- Writing */

/* Each image contains the kernel, which contains the name of the file by which QEMU passes options. */
#define OURS "opt/org.pmucheck/options"

/* With O_EXCL the kernel refuses a block device that is mounted. */
static int write_and_verify(FILE *file, uint64_t size, const char *path, bool shared)
{
    int device = open(path, O_WRONLY | O_CLOEXEC | (shared ? 0 : O_EXCL));
    const char *error = NULL;
    if (device < 0)
        return command_refuse(&command_usb, "%s cannot be opened: %s%s", path, strerror(errno),
                              errno == EACCES ? "; writing to a disk needs root" : "");
    error = usb_write(file, size, device, show);
    if (close(device) != 0 && !error)
        error = strerror(errno);
    if (!error)
        error = usb_verify(file, size, path, show);
    if (error)
        return command_refuse(&command_usb, "%s: %s", path, error);
    printf("%s: written and compared\n", path);
    return STATUS_PASS;
}

static int write_image(const char *path, FILE *file)
{
    struct usb_permission allowed = {0};
    struct usb_device device;
    struct stat status;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return command_refuse(&command_usb, "%s is no image", image);
    if (!is_bootable(file))
        return command_refuse(&command_usb, "%s is no image: firmware cannot start its first sector", image);
    if (!path[0])
        return command_refuse(&command_usb,
                              "name a device, for instance make usb DEVICE=/dev/sdX; lsblk lists the devices");
    if (!read_permission(&allowed))
        return STATUS_ERROR;
    if (!foreign && !usb_holds(file, OURS))
        return command_refuse(&command_usb, "%s is no image of pmucheck; --even-if=foreign writes it nevertheless",
                              image);
    if (!look(path, &device))
        return STATUS_ERROR;
    const char *refusal = usb_refusal(&device, (uint64_t)status.st_size, &allowed);
    if (refusal)
        return command_refuse(&command_usb, "%s: %s", path, refusal);
    if (!agreed(path, &device))
        return STATUS_ERROR;
    return write_and_verify(file, (uint64_t)status.st_size, path, device.file || allowed.mounted);
}

static int run(int argc, char **argv)
{
    if (argc != 1)
        return command_refuse(&command_usb, "name one device, such as /dev/sdX; lsblk lists the devices");
    if (!beside_default(&command_usb, &image, "pmucheck.img"))
        return STATUS_ERROR;
    FILE *file = fopen(image, "rb");
    if (!file)
        return command_refuse(&command_usb, "%s: %s; `make` builds the image", image, strerror(errno));
    int status = write_image(argv[0], file);
    fclose(file);
    return status;
}

const struct command command_usb = {
    .name = "usb",
    .summary = "writes the image to a stick and verifies it",
    .arguments = "DEVICE",
    .description =
        "Asks, writes the image over the whole device, then reads it back from the device itself and compares. "
        "Refuses devices that do not look like a stick: partitions, devices that are mounted, in use, "
        "write-protected, not removable or larger than 256 GiB; and any image but pmucheck's. The disk of the running "
        "system is always refused. An image file that is large enough is written without a question.",
    .options = options,
    .statuses = "0 if the device holds the image, 99 if not.",
    .examples = "pmucheck usb /dev/sdX",
    .run = run,
};
