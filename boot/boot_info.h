/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the boot loader reported, copied by a bounds-checked walk from the multiboot2 information or from PVH's start
 * information. Pure.
 */
#pragma once

#include "boot/bits.h"

#define BOOT_REGIONS 1024 /* the longest map that anybody has reported had 312 */
#define BOOT_REGION_AVAILABLE 1
#define BOOT_EFI_REGIONS 64
#define BOOT_MODULE_LINE 512
#define BOOT_SETTINGS "pmucheck.cfg"       /* what GRUB calls the module that is the user's file of options */
#define BOOT_INFORMATION_LIMIT (1ul << 20) /* most bytes of multiboot2 information */

/* Which kind of loader entered the image, as boot/entry.asm passes it on: the magic number of its protocol. */
#define BOOT_MULTIBOOT2 0x36d76289u
#define BOOT_PVH 0x336ec578u

struct boot_region {
    u64 base, length;
    u32 type; /* multiboot2 memory type; 1 is available RAM */
};

/* Memory that UEFI firmware keeps for its services at runtime. */
struct boot_efi_region {
    u64 base, pages, attributes; /* pages of 4096 bytes */
    u32 type;
};

struct boot_framebuffer {
    bool present;
    u64 address;
    u32 pitch, width, height;
    u8 depth, type; /* bits per pixel; 1 = direct RGB, 2 = EGA text */
    u8 red_position, red_size, green_position, green_size, blue_position, blue_size;
};

struct boot_info {
    u64 information, information_size; /* where the loader put its information: not free memory */
    char command_line[1024];
    bool command_line_cut;
    char loader[64];
    struct boot_region region[BOOT_REGIONS];
    unsigned regions, regions_dropped;
    struct boot_framebuffer framebuffer;
    u8 rsdp[36]; /* copy of the RSDP; rsdp_size 0: none given, 20: ACPI 1.0, 36: 2.0 */
    u32 rsdp_size;
    u8 smbios[32]; /* copy of the SMBIOS entry point; smbios_size 0: none given */
    u32 smbios_size;
    bool efi;                                            /* the loader gave an EFI tag */
    u64 efi_system_table;                                /* 0: not given */
    unsigned efi_pointer;                                /* bytes of a pointer in it: 8, or 4 of 32-bit firmware */
    struct boot_efi_region efi_region[BOOT_EFI_REGIONS]; /* in the order of the firmware's map */
    unsigned efi_regions, efi_regions_dropped;
    unsigned modules;
    struct {
        u64 start, end;
        char command_line[BOOT_MODULE_LINE];
    } module[8];
    unsigned settings; /* the files pmucheck.cfg on the medium, which are no modules of the user's */
    struct {
        u64 start, end;
    } setting[8];
    const char *error; /* what was wrong with the information, or NULL */
};

/* The boot CPU's registers as the loader left them, before boot/entry.asm set them; their low 32 bits. */
struct boot_found {
    u32 cr0, cr4, efer;
};
extern struct boot_found boot_found;

/* Physical memory: at() returns where `length` bytes at `address` can be read, NULL if not all of them can. */
struct boot_reader {
    const void *(*at)(const void *context, u64 address, u64 length);
    const void *context;
};

/*
 * Walks the multiboot2 information at `data` (NULL if there is none) and reads at most `limit` bytes of it. *info is
 * usable in any case: it holds what came before a broken tag, and info->error names the first error.
 */
void boot_info_walk(const void *data, u64 limit, struct boot_info *info);
/* The same for PVH's start information at physical address `at` and all that it points to. */
void pvh_walk(const struct boot_reader *reader, u64 at, struct boot_info *info);

/* For the walks: records an error. Only the first one is kept. */
void boot_info_complain(struct boot_info *info, const char *what);
void boot_info_add_region(const struct boot_region *region, struct boot_info *info);
/* Adds the module [start, end). Returns where its command line goes (BOOT_MODULE_LINE bytes), or NULL: not taken. */
char *boot_info_add_module(u64 start, u64 end, struct boot_info *info);

/* The last module has its command line: if it is the user's file of options, it is none of the modules. */
void boot_info_name_module(struct boot_info *info);

/* Walks the loader's information of this boot; boot_info() returns the result from then on. Only PVH needs `reader`. */
void boot_info_take(u32 loader, const struct boot_reader *reader, u64 information);
const struct boot_info *boot_info(void);
/* The options on the command line, without the name of the image: kexec puts it first, GRUB does not. */
const char *boot_options(const struct boot_info *info);
/* Was this image started by kexec from a running Linux? */
bool boot_by_kexec(const struct boot_info *info);
/* Records that the firmware is UEFI although the loader gave no EFI tag. */
void boot_info_tell_efi(void);
