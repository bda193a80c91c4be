/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes in the kernel's files about devices, mounts, swap space, firmware and pstore. */
#include "tools/pmucheck/collect/collect.h"
#include "tools/pmucheck/kexec/kexec.h"
#include "tools/pmucheck/usb/usb.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[64];

static const char *const folders[] = {"",
                                      "dev",
                                      "dev/block",
                                      "dev/block/8:1",
                                      "dev/block/8:1/device",
                                      "dev/block/8:1/queue",
                                      "firmware",
                                      "firmware/efi",
                                      "module",
                                      "module/ramoops",
                                      "module/ramoops/parameters",
                                      "hypervisor",
                                      "kernel",
                                      "kernel/security",
                                      "sys",
                                      "sys/kernel",
                                      "pstore"};
static const char *const files[] = {
    "mountinfo",
    "swaps",
    "dev/block/8:1/size",
    "dev/block/8:1/ro",
    "dev/block/8:1/removable",
    "dev/block/8:1/device/model",
    "firmware/efi/systab",
    "module/ramoops/parameters/mem_address",
    "module/ramoops/parameters/mem_size",
    "module/ramoops/parameters/record_size",
    "module/ramoops/parameters/console_size",
    "module/ramoops/parameters/ecc",
    "hypervisor/type",
    "kernel/security/lockdown",
    "kernel/kexec_loaded",
    "sys/kernel/kexec_load_disabled",
    "pstore/console-ramoops-0",
    "backend",
};
#define FILES (sizeof(files) / sizeof(files[0]))

static char *at(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
    return path;
}

static void remove_root(void)
{
    for (size_t i = 0; i < FILES; i++)
        unlink(at(files[i]));
    for (size_t i = sizeof(folders) / sizeof(folders[0]); i-- > 0;)
        rmdir(at(folders[i]));
}

static void make_root(void)
{
    strcpy(root, "/tmp/pmucheck-fuzz-XXXXXX");
    if (!mkdtemp(root))
        abort();
    for (size_t i = 1; i < sizeof(folders) / sizeof(folders[0]); i++)
        mkdir(at(folders[i]), 0777);
    atexit(remove_root);
}

/* The input's pieces, which NULs part, become the files; a piece that is missing removes its file. */
static void write_files(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < FILES; i++) {
        const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
        size_t length = nul ? (size_t)(nul - data) : size;
        unlink(at(files[i]));
        FILE *out = size ? fopen(at(files[i]), "w") : NULL;
        if (out) {
            fwrite(data, 1, length, out);
            fclose(out);
        }
        data += length + (nul != NULL);
        size -= length + (nul != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct usb_device device;
    const struct usb_permission none = {0}, all = {true, true, true};
    if (!root[0])
        make_root();
    write_files(data, size);
    const struct usb_places usb = {root, at("mountinfo"), at("swaps")};
    memset(&device, 0, sizeof(device));
    usb_look(&usb, makedev(8, 1), &device);
    /* What may be written without permission may be with it. */
    if (usb_refusal(&device, 1 << 20, &all) && !usb_refusal(&device, 1 << 20, &none))
        abort();
    const struct kexec_places kexec = {root, root};
    const struct kexec_framebuffer framebuffer = {0};
    kexec_refusal(&kexec);
    if (strchr(kexec_options(&arena, &kexec, &framebuffer, "lab \"7", ""), '"'))
        abort();
    char pstore[300];
    snprintf(pstore, sizeof(pstore), "%s/pstore", root);
    const struct collect_places places = {pstore, at("moved"), root, at("backend")};
    collect_find(&arena, &places);
    collect_kind((const char *)data, size);
    arena_free(&arena);
    return 0;
}
