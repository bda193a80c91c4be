/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/run.h"
#include <string.h>

#define OVMF "/usr/share/OVMF/"

static bool by_kvm(const struct qemu_setup *setup)
{
    return setup->accel && strcmp(setup->accel, "kvm") == 0;
}

static bool host_pmu(const struct qemu_setup *setup)
{
    return by_kvm(setup) && !setup->reference[0];
}

static void add(struct arena *arena, struct qemu_arguments *arguments, const char *text)
{
    *LIST_ADD(arena, &arguments->list) = arena_copy(arena, text, strlen(text));
}

static void add_pair(struct arena *arena, struct qemu_arguments *arguments, const char *option, char *value)
{
    add(arena, arguments, option);
    *LIST_ADD(arena, &arguments->list) = value;
}

/* QEMU splits option strings at commas; a doubled comma is a comma. */
static char *quoted(struct arena *arena, const char *text)
{
    char *copy = arena_alloc(arena, 2 * strlen(text) + 1), *out = copy;
    for (; *text; text++) {
        *out++ = *text;
        if (*text == ',')
            *out++ = ',';
    }
    return copy;
}

struct firmware {
    const char *name, *files;
    const char *machine; /* added to QEMU's -machine */
    const char *loader;  /* the loader's file for a network boot */
};

/* Debian builds 32-bit OVMF only for Secure Boot, which needs system management mode. */
static const struct firmware firmwares[] = {
    {"bios", NULL, "", "pmucheck.0"},
    {"uefi", OVMF "OVMF", "", "BOOTX64.EFI"},
    {"uefi32", OVMF "OVMF32", ",smm=on", "BOOTIA32.EFI"},
};

static const struct firmware *find_firmware(const char *name)
{
    for (size_t i = 0; i < sizeof(firmwares) / sizeof(firmwares[0]); i++)
        if (strcmp(firmwares[i].name, name) == 0)
            return &firmwares[i];
    return NULL;
}

static void add_firmware(struct arena *arena, const struct firmware *firmware, struct qemu_arguments *arguments)
{
    if (!firmware->files)
        return;
    add_pair(arena, arguments, "-drive",
             arena_print(arena, "if=pflash,format=raw,readonly=on,file=%s_CODE_4M%s.fd", firmware->files,
                         firmware->machine[0] ? ".secboot" : ""));
    add_pair(arena, arguments, "-drive",
             arena_print(arena, "if=pflash,format=raw,snapshot=on,file=%s_VARS_4M.fd", firmware->files));
}

/* QEMU serves the directory itself; nothing else can be reached. */
static void add_network(struct arena *arena, const char *file, const char *loader, struct qemu_arguments *arguments)
{
    add_pair(arena, arguments, "-netdev",
             arena_print(arena, "user,id=net,restrict=on,tftp=%s,bootfile=%s", file, loader));
    add(arena, arguments, "-device");
    add(arena, arguments, "virtio-net-pci,netdev=net,bootindex=0");
}

static char *image_options(struct arena *arena, const struct qemu_setup *setup)
{
    const char *reference = setup->reference, *kernel = setup->host_kernel ? setup->host_kernel : "";
    const char *judged = !host_pmu(setup) ? ""
                         : kernel[0]      ? arena_print(arena, "judge=virtual host-kernel=%s ", kernel)
                                          : "judge=virtual ";
    return arena_print(arena, "%s%s%s%s%safter=exit%s%s", reference[0] ? "reference=" : "", reference,
                       reference[0] ? " " : "", judged, setup->control ? "migrate=60 " : "",
                       setup->options[0] ? " " : "", setup->options);
}

/* A kernel that QEMU starts gets a command line; after a loader the image reads QEMU's fw_cfg. */
static void add_options(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments)
{
    char *options = image_options(arena, setup);
    if (strcmp(setup->medium, "kernel") == 0) {
        add_pair(arena, arguments, "-kernel", arena_copy(arena, setup->image, strlen(setup->image)));
        add_pair(arena, arguments, "-append", options);
    } else
        add_pair(arena, arguments, "-fw_cfg",
                 arena_print(arena, "name=opt/org.pmucheck/options,string=%s", quoted(arena, options)));
}

static void add_medium(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments)
{
    const char *file = quoted(arena, setup->image);
    bool usb = strcmp(setup->medium, "usb") == 0;
    if (strcmp(setup->medium, "kernel") == 0)
        return;
    if (strcmp(setup->medium, "net") == 0) {
        add_network(arena, file, find_firmware(setup->firmware)->loader, arguments);
        return;
    }
    add_pair(arena, arguments, "-drive",
             arena_print(arena, "if=none,id=medium,format=raw,file=%s,%s", file,
                         usb ? "snapshot=on" : "media=cdrom,readonly=on"));
    if (usb) {
        add(arena, arguments, "-device");
        add(arena, arguments, "qemu-xhci");
    }
    add(arena, arguments, "-device");
    add(arena, arguments,
        usb ? "usb-storage,drive=medium,removable=on,bootindex=0" : "ide-cd,drive=medium,bus=ide.1,bootindex=0");
}

/* The log's UART: a legacy one, or the only one on PCI, or a PCI card's second. */
static const struct {
    const char *name, *arguments[6];
} uarts[] = {
    {"isa", {"-serial", "chardev:serial"}},
    {"pci", {"-serial", "none", "-device", "pci-serial,chardev=serial"}},
    {"pci2",
     {"-serial", "none", "-chardev", "null,id=nothing", "-device", "pci-serial-2x,chardev1=nothing,chardev2=serial"}},
};

static void add_uart(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments)
{
    for (size_t i = 0; i < sizeof(uarts) / sizeof(uarts[0]); i++)
        if (strcmp(uarts[i].name, setup->serial ? setup->serial : "isa") == 0)
            for (size_t n = 0; n < 6 && uarts[i].arguments[n]; n++)
                add(arena, arguments, uarts[i].arguments[n]);
}

static void add_control(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments)
{
    if (!setup->control)
        return;
    add_pair(arena, arguments, "-chardev", arena_print(arena, "socket,id=control,fd=%d", setup->control));
    add_pair(arena, arguments, "-mon", arena_print(arena, "chardev=control,mode=control"));
    if (setup->incoming)
        add_pair(arena, arguments, "-incoming", arena_print(arena, "%s", setup->incoming));
}

void qemu_arguments(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments)
{
    static const char *const first[] = {
        "-nic",
        "none",
        "-display",
        "none",
        "-no-reboot",
        "-chardev",
        "stdio,id=serial,signal=off",
        "-monitor",
        "none",
        "-device",
        "isa-debug-exit,iobase=0xf4,iosize=4",
    };
    const struct firmware *firmware = find_firmware(setup->firmware);
    add(arena, arguments, QEMU);
    add(arena, arguments, "-accel");
    add(arena, arguments, by_kvm(setup) ? "kvm" : "tcg");
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
        add(arena, arguments, first[i]);
    add_uart(arena, setup, arguments);
    add_pair(arena, arguments, "-machine", arena_print(arena, "%s%s", setup->machine, firmware->machine));
    const char *cpu = setup->cpu ? setup->cpu : host_pmu(setup) ? "host,pmu=on" : by_kvm(setup) ? "host" : "max";
    add_pair(arena, arguments, "-cpu", arena_copy(arena, cpu, strlen(cpu)));
    add_pair(arena, arguments, "-smp", arena_print(arena, "%u", setup->cpus));
    add_pair(arena, arguments, "-m", arena_print(arena, "%u", setup->memory));
    add_options(arena, setup, arguments);
    if (setup->profile)
        add_pair(arena, arguments, "-fw_cfg",
                 arena_print(arena, "name=opt/org.pmucheck/profile,file=%s", quoted(arena, setup->profile)));
    add_firmware(arena, firmware, arguments);
    add_medium(arena, setup, arguments);
    add_control(arena, setup, arguments);
    for (char **more = setup->more; more && *more; more++)
        add(arena, arguments, *more);
    *LIST_ADD(arena, &arguments->list) = NULL;
}
