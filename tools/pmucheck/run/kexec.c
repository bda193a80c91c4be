#include "tools/pmucheck/run/kexec.h"
#include <ctype.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct kexec_places kexec_places = {"/sys", "/proc"};

/* A file's first bytes; false if it is not there. */
static bool read_text(const char *root, const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
    return true;
}

static bool there(const char *root, const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    return access(path, F_OK) == 0;
}

const char *kexec_refusal(const struct kexec_places *places)
{
    char text[4096];
    if (read_text(places->sys, "hypervisor/type", text, sizeof(text)) && strncmp(text, "xen", 3) == 0)
        return "this Linux runs on Xen, whose kexec starts nothing but Linux: boot the image from a medium";
    if (read_text(places->sys, "kernel/security/lockdown", text, sizeof(text)) && !strstr(text, "[none]"))
        return "this kernel is locked down, as under Secure Boot, and loads only kernels with a signature: turn Secure "
               "Boot off, or boot the image from a signed stick";
    if (!there(places->sys, "kernel/kexec_loaded"))
        return "this kernel was built without kexec";
    if (read_text(places->proc, "sys/kernel/kexec_load_disabled", text, sizeof(text)) && text[0] != '0')
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
    /* A graphics driver of its own shows another memory than the one that firmware set up. */
    if (!good || strncmp(fix.id, "EFI VGA", sizeof(fix.id)) != 0 || var.bits_per_pixel != 32 || var.red.offset != 16 ||
        var.blue.offset != 0)
        return none;
    return (struct kexec_framebuffer){fix.smem_start, var.xres, var.yres, fix.line_length, var.bits_per_pixel};
}

/* "ACPI20=0x7fffe014", a line of its own. */
static unsigned long long rsdp_of(const char *systab)
{
    unsigned long long address = 0;
    const char *line = strstr(systab, "ACPI20=");
    if (!line)
        line = strstr(systab, "ACPI=");
    return line && sscanf(strchr(line, '=') + 1, "%llx", &address) == 1 ? address : 0;
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
    if (there(places->sys, "firmware/efi"))
        line = arena_print(arena, "%s firmware=uefi", line);
    if (read_text(places->sys, "firmware/efi/systab", systab, sizeof(systab)) && rsdp_of(systab))
        line = arena_print(arena, "%s rsdp=0x%llx", line, rsdp_of(systab));
    if (framebuffer->address)
        line = arena_print(arena, "%s framebuffer=0x%llx,%ux%u,%u", line, framebuffer->address, framebuffer->width,
                           framebuffer->height, framebuffer->pitch);
    return options[0] ? arena_print(arena, "%s %s", line, options) : line;
}
