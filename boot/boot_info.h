/*
 * What the boot loader tells, copied out of the multiboot2 information, or out of the start information of the PVH
 * start, by a bounds-checked walk. Pure.
 */
#pragma once

#include "boot/bits.h"

#define BOOT_REGIONS 128
#define BOOT_REGION_AVAILABLE 1
#define BOOT_EFI_REGIONS 64
#define BOOT_MODULE_LINE 512
#define BOOT_INFORMATION_LIMIT (1ul << 20) /* of multiboot2's, in bytes */

/* Who entered the image, as boot/entry.asm hands it on: both are magic numbers of theirs. */
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
    u64 information, information_size; /* where the loader put it: not free memory */
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
    bool efi;                                            /* an EFI tag was there */
    u64 efi_system_table;                                /* 0: not given */
    unsigned efi_pointer;                                /* bytes of a pointer in it: 8, or 4 of 32-bit firmware */
    struct boot_efi_region efi_region[BOOT_EFI_REGIONS]; /* in the order of the firmware's map */
    unsigned efi_regions, efi_regions_dropped;
    unsigned modules;
    struct {
        u64 start, end;
        char command_line[BOOT_MODULE_LINE];
    } module[8];
    const char *error; /* what was wrong with the information, or NULL */
};

/* The registers of the boot CPU as the loader left them; boot/entry.asm sets them anew. Their lower halves. */
struct boot_found {
    u32 cr0, cr4, efer;
};
extern struct boot_found boot_found;

/* Physical memory: where `length` bytes at `address` can be read; NULL: not all of them can. */
struct boot_reader {
    const void *(*at)(const void *context, u64 address, u64 length);
    const void *context;
};

/*
 * Walks multiboot2's information at `data` (NULL: there is none), of which at most `limit` bytes may be read. Always
 * leaves *info usable: what comes before a broken tag is there, info->error names the first thing that is wrong.
 */
void boot_info_walk(const void *data, u64 limit, struct boot_info *info);
/* The same for the start information of the PVH start at physical address `at`, and what it points to. */
void pvh_walk(const struct boot_reader *reader, u64 at, struct boot_info *info);

/* For the walks. Keeps the first complaint. */
void boot_info_complain(struct boot_info *info, const char *what);
void boot_info_add_region(const struct boot_region *region, struct boot_info *info);
/* The module [start, end). Returns where its command line belongs, BOOT_MODULE_LINE bytes; NULL: it was not taken. */
char *boot_info_add_module(u64 start, u64 end, struct boot_info *info);

/* The walk of this boot, which boot_info() hands out from then on. `reader`: for the PVH start. */
void boot_info_take(u32 loader, const struct boot_reader *reader, u64 information);
const struct boot_info *boot_info(void);
/* The options on the command line: without the name of the image, which kexec puts before them, as GRUB does not. */
const char *boot_options(const struct boot_info *info);
/* Was this image started by a Linux that ran? */
bool boot_by_kexec(const struct boot_info *info);
/* Says that the firmware of this boot is UEFI, where the loader had no tag for it. */
void boot_info_tell_efi(void);
