/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices that may be overwritten, with trees of files like the kernel's; and that a bad stick is found. */
#include "tests/host/tools/root.h"
#include "tools/pmucheck/usb/usb.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define IMAGE_SIZE 5000000u

/* A disk of 16 MB, removable, with one partition, 8:17. */
static int a_stick(void **state)
{
    char link[512];
    (void)state;
    root_make();
    put("sys/devices/sdb/dev", "8:16\n");
    put("sys/devices/sdb/removable", "1\n");
    put("sys/devices/sdb/ro", "0\n");
    put("sys/devices/sdb/size", "32768\n");
    put("sys/devices/sdb/device/vendor", "ACME    \n");
    put("sys/devices/sdb/device/model", "Stick\n");
    put("sys/devices/sdb/sdb1/partition", "1\n");
    put("sys/devices/sdb/sdb1/dev", "8:17\n");
    put("sys/devices/sdb/sdb1/size", "32000\n");
    put("sys/dev/block/none", "");
    put("mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
    put("swaps", "Filename Type Size Used Priority\n");
    snprintf(link, sizeof(link), "%s", at("sys/devices/sdb"));
    assert_int_equal(symlink(link, at("sys/dev/block/8:16")), 0);
    strcat(link, "/sdb1");
    assert_int_equal(symlink(link, at("sys/dev/block/8:17")), 0);
    return 0;
}

static struct usb_device look(unsigned minor)
{
    char sys[512], mountinfo[512], swaps[512];
    struct usb_device device;
    strcpy(sys, at("sys"));
    strcpy(mountinfo, at("mountinfo"));
    strcpy(swaps, at("swaps"));
    const struct usb_places places = {sys, mountinfo, swaps};
    usb_look(&places, makedev(8, minor), &device);
    return device;
}

static const struct usb_permission nothing, everything = {true, true, true};

static const char *refusal(const struct usb_permission *allowed)
{
    struct usb_device device = look(16);
    return usb_refusal(&device, IMAGE_SIZE, allowed);
}

CASE(a_stick_may_be_written)
{
    assert_null(refusal(&nothing));
    struct usb_device device = look(16);
    assert_string_equal(device.name, "sdb");
    assert_string_equal(device.model, "ACME Stick");
    assert_int_equal(device.size, 16 << 20);
}

CASE(a_partition_is_refused)
{
    struct usb_device device = look(17);
    assert_non_null(strstr(usb_refusal(&device, IMAGE_SIZE, &everything), "whole disk"));
}

CASE(an_unknown_device_is_refused)
{
    struct usb_device device = look(99);
    assert_non_null(usb_refusal(&device, IMAGE_SIZE, &everything));
}

CASE(a_mounted_partition_is_refused)
{
    put("mountinfo", "30 1 8:17 / /media/stick rw,nosuid shared:1 - vfat /dev/sdb1 rw\n");
    assert_non_null(strstr(refusal(&nothing), "/media/stick"));
    assert_null(refusal(&everything));
}

CASE(the_system_disk_is_refused_whatever_is_allowed)
{
    static const char *const where[] = {"/", "/boot", "/boot/efi", "/home"};
    for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
        char line[128];
        snprintf(line, sizeof(line), "30 1 8:17 / %s rw - ext4 /dev/sdb1 rw\n", where[i]);
        put("mountinfo", line);
        assert_non_null(strstr(refusal(&everything), "no option allows"));
    }
}

/* Encryption or LVM between the partition and /. */
CASE(a_system_on_top_of_a_holder_is_refused)
{
    put("sys/devices/sdb/sdb1/holders/dm-0/dev", "253:0\n");
    assert_non_null(strstr(refusal(&everything), "encrypted"));
    put("mountinfo", "30 1 253:0 / / rw - ext4 /dev/mapper/root rw\n");
    assert_non_null(strstr(refusal(&everything), "no option allows"));
}

CASE(what_is_no_stick_needs_a_word)
{
    static const struct {
        const char *file, *text, *word;
        struct usb_permission allowed;
        bool ever;
    } rows[] = {
        {"sys/devices/sdb/removable", "0\n", "not removable", {.fixed = true}, true},
        {"sys/devices/sdb/size", "600000000\n", "286 GiB", {.large = true}, true},
        {"sys/devices/sdb/ro", "1\n", "write-protected", {true, true, true}, false},
        {"sys/devices/sdb/size", "0\n", "no medium", {true, true, true}, false},
        {"sys/devices/sdb/size", "100\n", "smaller", {true, true, true}, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        put("sys/devices/sdb/removable", "1\n");
        put("sys/devices/sdb/ro", "0\n");
        put("sys/devices/sdb/size", "32768\n");
        put(rows[i].file, rows[i].text);
        assert_non_null(strstr(refusal(&nothing), rows[i].word));
        assert_int_equal(refusal(&rows[i].allowed) == NULL, rows[i].ever);
    }
}

/* The disk of this system, from the real kernel's files, must never be writable. */
CASE(the_disk_below_us_is_refused)
{
    struct stat status;
    struct usb_device device;
    assert_int_equal(stat("/", &status), 0);
    usb_look(&usb_places, status.st_dev, &device);
    assert_non_null(usb_refusal(&device, IMAGE_SIZE, &everything));
}

/* ---- Writing */

static void silent(const char *what, uint64_t done, uint64_t of)
{
    (void)what;
    assert_true(done <= of);
}

static FILE *an_image(void)
{
    FILE *image = tmpfile();
    assert_non_null(image);
    for (unsigned i = 0; i < IMAGE_SIZE / 4; i++)
        fwrite(&i, 4, 1, image);
    return image;
}

CASE(what_was_written_is_compared)
{
    FILE *image = an_image();
    put("stick", "");
    int device = open(at("stick"), O_RDWR);
    assert_int_equal(ftruncate(device, 16 << 20), 0);
    assert_null(usb_write(image, IMAGE_SIZE, device, silent));
    assert_null(usb_verify(image, IMAGE_SIZE, at("stick"), silent));
    assert_int_equal(pwrite(device, "x", 1, 3000000), 1); /* one byte went bad */
    fsync(device);
    assert_non_null(strstr(usb_verify(image, IMAGE_SIZE, at("stick"), silent), "bad stick"));
    assert_int_equal(lseek(device, 0, SEEK_SET), 0);
    assert_null(usb_write(image, IMAGE_SIZE, device, silent));
    assert_int_equal(ftruncate(device, 4 << 20), 0); /* a stick that claims more than it has */
    assert_non_null(strstr(usb_verify(image, IMAGE_SIZE, at("stick"), silent), "read back"));
    close(device);
    fclose(image);
}

/* Also if the text lies across two pieces of the file. */
CASE(an_image_is_known_by_its_text)
{
    static const long places[] = {0, 511, (1 << 20) - 3, (1 << 20) - 5, (2 << 20) - 1, IMAGE_SIZE - 4};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        FILE *image = tmpfile();
        assert_non_null(image);
        assert_int_equal(ftruncate(fileno(image), IMAGE_SIZE), 0);
        assert_false(usb_holds(image, "mark"));
        fseek(image, places[i], SEEK_SET);
        fputs("mark", image);
        assert_true(usb_holds(image, "mark"));
        assert_int_equal(ftell(image), 0);
        assert_false(usb_holds(image, "marker"));
        fclose(image);
    }
}

CASE(a_full_device_is_told)
{
    FILE *image = an_image();
    int device = open("/dev/full", O_WRONLY);
    assert_non_null(strstr(usb_write(image, IMAGE_SIZE, device, silent), "cannot be written"));
    close(device);
    fclose(image);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_stick, .after_each = root_remove});
}
