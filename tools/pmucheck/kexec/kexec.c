/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/kexec/kexec.h"
#include "tools/text_file.h"
#include <ctype.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGE 4096 /* the image keeps its log in whole pages */

const struct kexec_places kexec_places = {"/sys", "/proc"};

const char *kexec_refusal(const struct kexec_places *places)
{
    char text[4096];
    if (strncmp(text_file_start(places->sys, "hypervisor/type", text, sizeof(text)), "xen", 3) == 0)
        return "this Linux runs on Xen, whose kexec starts only Linux: boot the image from a medium";
    if (text_file_start(places->sys, "kernel/security/lockdown", text, sizeof(text))[0] && !strstr(text, "[none]"))
        return "this kernel is locked down, as under Secure Boot, and loads only signed kernels: turn Secure "
               "Boot off, or boot the image from a signed stick";
    if (!text_file_there(places->sys, "kernel/kexec_loaded"))
        return "this kernel was built without kexec";
    if (text_file_start(places->proc, "sys/kernel/kexec_load_disabled", text, sizeof(text))[0] && text[0] != '0')
        return "kexec is switched off until the next boot (kernel.kexec_load_disabled)";
    return NULL;
}

struct kexec_framebuffer kexec_framebuffer(const char *device)
{
    struct fb_fix_screeninfo fix;
    struct fb_var_screeninfo var;
    struct kexec_framebuffer none = {0};
    int file = open(device, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return none;
    bool good = ioctl(file, FBIOGET_FSCREENINFO, &fix) == 0 && ioctl(file, FBIOGET_VSCREENINFO, &var) == 0;
    close(file);
    /* A native graphics driver uses other memory than the firmware's framebuffer. */
    if (!good || strncmp(fix.id, "EFI VGA", sizeof(fix.id)) != 0 || var.bits_per_pixel != 32 || var.red.offset != 16 ||
        var.blue.offset != 0)
        return none;
    return (struct kexec_framebuffer){fix.smem_start, var.xres, var.yres, fix.line_length, var.bits_per_pixel};
}

/* The address of a table of UEFI, from its line "ACPI20=0x7fffe014"; 0 if there is no such table. */
static unsigned long long table_of(const char *systab, const char *name)
{
    unsigned long long address = 0;
    size_t length = strlen(name);
    for (const char *line = systab; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            sscanf(line + length + 1, "%llx", &address);
    }
    return address;
}

/* " rsdp=0x7fffe014": the newer of two kinds if it exists, else the older; "" if there is neither. */
static const char *table_option(struct arena *arena, const char *systab, const char *option, const char *newer,
                                const char *older)
{
    unsigned long long address = table_of(systab, newer) ? table_of(systab, newer) : table_of(systab, older);
    return address ? arena_print(arena, " %s=0x%llx", option, address) : "";
}

/* ---- The zones of ramoops: Linux rounds them down to powers of two, and the zones of dumps come first. */

static unsigned long long ramoops_number(const struct kexec_places *places, const char *name)
{
    char path[64], text[32];
    unsigned long long number = 0;
    snprintf(path, sizeof(path), "module/ramoops/parameters/%s", name);
    sscanf(text_file_start(places->sys, path, text, sizeof(text)), "%llu", &number);
    return number;
}

static unsigned long long ramoops_size(const struct kexec_places *places, const char *name)
{
    unsigned long long size = ramoops_number(places, name), power = 1;
    while (power <= size / 2)
        power *= 2;
    return size ? power : 0;
}

/*
 * The zone of the console, or else the zone of user space's messages, is a single file in pstore, whatever its size.
 * With error correction Linux would "correct" data without check bytes.
 */
static const char *save_option(struct arena *arena, const struct kexec_places *places)
{
    unsigned long long address = ramoops_number(places, "mem_address"), all = ramoops_number(places, "mem_size"),
                       record = ramoops_size(places, "record_size"), console = ramoops_size(places, "console_size"),
                       ftrace = ramoops_size(places, "ftrace_size"), pmsg = ramoops_size(places, "pmsg_size");
    if (!address || console + ftrace + pmsg > all || ramoops_number(places, "ecc"))
        return "";
    unsigned long long dumps = all - console - ftrace - pmsg, count = record ? dumps / record : 0;
    unsigned long long zone = console ? console : ftrace ? 0 : pmsg;
    address += count ? dumps / count * count : 0;
    bool whole = zone % PAGE == 0 && address % PAGE == 0;
    return zone && whole ? arena_print(arena, " save=ramoops:0x%llx,0x%llx", address, zone) : "";
}

static const char *name_of(struct arena *arena, const char *host)
{
    char *name = arena_copy(arena, host, strlen(host));
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            *c = '-';
    return name;
}

const char *kexec_options(struct arena *arena, const struct kexec_places *places,
                          const struct kexec_framebuffer *framebuffer, const char *host, const char *options)
{
    char systab[4096];
    const char *line = arena_print(arena, "after=reboot%s%s", host[0] ? " machine=" : "", name_of(arena, host));
    if (text_file_there(places->sys, "firmware/efi"))
        line = arena_print(arena, "%s firmware=uefi", line);
    text_file_start(places->sys, "firmware/efi/systab", systab, sizeof(systab));
    line = arena_print(arena, "%s%s%s", line, table_option(arena, systab, "rsdp", "ACPI20", "ACPI"),
                       table_option(arena, systab, "smbios", "SMBIOS3", "SMBIOS"));
    if (framebuffer->address)
        line = arena_print(arena, "%s framebuffer=0x%llx,%ux%u,%u", line, framebuffer->address, framebuffer->width,
                           framebuffer->height, framebuffer->pitch);
    line = arena_print(arena, "%s%s", line, save_option(arena, places));
    return options[0] ? arena_print(arena, "%s %s", line, options) : line;
}
