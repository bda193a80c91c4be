/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds boot information tag by tag, whole and broken, and walks it. */
#include "boot/boot_info.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static u8 information[32768];
static u32 used;

static void begin(void)
{
    memset(information, 0, sizeof(information));
    used = 8;
}

static void number(u64 value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        information[used++] = (u8)(value >> 8 * i);
}

/* A tag header with this `size`; the caller writes the rest. */
static void tag(u32 type, u32 size)
{
    used = (used + 7) & ~7u;
    number(type, 4);
    number(size, 4);
}

static void text_tag(u32 type, const char *text)
{
    tag(type, 8 + (u32)strlen(text) + 1);
    memcpy(information + used, text, strlen(text) + 1);
    used += (u32)strlen(text) + 1;
}

/* A copy of exact size on the heap, so that the sanitiser sees every read beyond the end. */
static void walk(struct boot_info *info)
{
    u8 *copy;
    used = (used + 7) & ~7u;
    information[0] = (u8)used;
    information[1] = (u8)(used >> 8);
    copy = malloc(used);
    memcpy(copy, information, used);
    boot_info_walk(copy, used, info);
    free(copy);
}

static void region(u64 base, u64 length, u32 type)
{
    number(base, 8);
    number(length, 8);
    number(type, 4);
    number(0, 4);
}

/* A descriptor that is longer than the part that is read. */
static void efi_region(u32 type, u64 base, u64 pages, u64 attributes)
{
    number(type, 8);
    number(base, 8);
    number(0, 8);
    number(pages, 8);
    number(attributes, 8);
    number(0, 8);
}

static void framebuffer_tag(u32 size)
{
    tag(8, size);
    number(0x4000000000, 8);
    number(7680, 4);
    number(1920, 4);
    number(1080, 4);
    number(32, 1);
    number(1, 1);
    number(0, 2);
    if (size >= 38)
        number(0x080008080810, 6);
}

CASE(everything_is_read)
{
    struct boot_info info;
    begin();
    text_tag(1, "quick run=gp.*");
    text_tag(2, "GRUB 2.06");
    tag(3, 16 + 4);
    number(0x200000, 4);
    number(0x201000, 4);
    number('m' | 'o' << 8 | 'd' << 16, 4);
    tag(6, 16 + 2 * 24);
    number(24, 4);
    number(0, 4);
    region(0, 0x9fc00, 1);
    region(0x100000, 0x7ee0000, 1);
    framebuffer_tag(38);
    tag(12, 16);
    number(0x1234, 8);
    tag(17, 16 + 3 * 48);
    number(48, 4);
    number(1, 4);
    efi_region(5, 0x7f10000, 16, 1ull << 63 | 15);
    efi_region(7, 0x100000, 100, 15); /* the loader's own: not kept */
    efi_region(11, 0xffc00000, 1024, 1ull << 63 | 1);
    tag(13, 16 + 31);
    number(3, 1);
    number(0, 7);
    number(0x5f4d535f, 4);
    used += 27;
    tag(15, 8 + 36);
    number(0x2052545020445352, 8);
    used += 28;
    tag(14, 8 + 20);
    number(0x1111111111111111, 8);
    used += 12;
    tag(99, 12); /* unknown: skipped */
    number(0, 4);
    tag(0, 8);
    walk(&info);
    assert_null(info.error);
    assert_string_equal(info.command_line, "quick run=gp.*");
    assert_false(info.command_line_cut);
    assert_string_equal(info.loader, "GRUB 2.06");
    assert_int_equal(info.modules, 1);
    assert_string_equal(info.module[0].command_line, "mod");
    assert_int_equal(info.module[0].end, 0x201000);
    assert_int_equal(info.regions, 2);
    assert_int_equal(info.region[1].base, 0x100000);
    assert_int_equal(info.region[1].length, 0x7ee0000);
    assert_true(info.framebuffer.present);
    assert_true(info.framebuffer.address == 0x4000000000);
    assert_int_equal(info.framebuffer.width, 1920);
    assert_int_equal(info.framebuffer.red_position, 16);
    assert_int_equal(info.framebuffer.red_size, 8);
    assert_true(info.efi);
    assert_int_equal(info.efi_system_table, 0x1234);
    assert_int_equal(info.efi_pointer, 8);
    assert_int_equal(info.efi_regions, 2);
    assert_int_equal(info.efi_region[0].type, 5);
    assert_true(info.efi_region[1].base == 0xffc00000 && info.efi_region[1].pages == 1024);
    assert_true(info.efi_region[1].attributes == (1ull << 63 | 1));
    assert_int_equal(info.smbios_size, 31);
    assert_int_equal(info.smbios[0], '_');
    assert_int_equal(info.rsdp_size, 36);
    assert_int_equal(info.rsdp[0], 'R');
}

CASE(broken_information_says_what_is_wrong)
{
    static const struct {
        u32 type, size;
        u64 first, second;
        const char *error;
    } rows[] = {
        {1, 0, 0, 0, "a tag's size is wrong"},
        {1, 7, 0, 0, "a tag's size is wrong"},
        {1, 1000, 0, 0, "a tag's size is wrong"},
        {1, 0xffffffff, 0, 0, "a tag's size is wrong"},
        {3, 12, 0, 0, "a module tag is too small"},
        {3, 16, 0x0000100000002000, 0, "a module ends before it starts"},
        {6, 12, 0, 0, "the memory map tag is too small"},
        {6, 24, 0, 0, "the memory map's entries are too small"},
        {8, 24, 0, 0, "the framebuffer tag is too small"},
        {17, 12, 0, 0, "the EFI memory map tag is too small"},
        {17, 24, 39, 0, "the entries of the EFI memory map are too small"},
        {11, 8, 0, 0, "the EFI tag is too small"},
        {12, 12, 0, 0, "the EFI tag is too small"},
        {13, 12, 0, 0, "the SMBIOS tag is too small"},
        {14, 24, 0, 0, "the RSDP tag is too small"},
        {15, 24, 0, 0, "the RSDP tag is too small"},
    };
    for_each_row (rows, row) {
        struct boot_info info;
        begin();
        text_tag(1, "kept");
        tag(row->type, row->size);
        number(row->first, 8);
        number(row->second, 8);
        tag(0, 8);
        walk(&info);
        assert_non_null(info.error);
        assert_string_equal(info.error, row->error);
        assert_string_equal(info.command_line, "kept");
    }
}

CASE(odd_headers)
{
    struct boot_info info;
    u8 header[8] = {0};
    boot_info_walk(NULL, 1 << 20, &info);
    assert_string_equal(info.error, "not loaded by a multiboot2 loader, nor by a PVH start");
    boot_info_walk(header, 7, &info);
    assert_string_equal(info.error, "not loaded by a multiboot2 loader, nor by a PVH start");
    boot_info_walk(header, 8, &info);
    assert_string_equal(info.error, "the end tag is missing");
    memset(header, 0xff, 4);
    boot_info_walk(header, 8, &info);
    assert_string_equal(info.error, "larger than can be believed");
    assert_int_equal(info.information_size, 8);
}

CASE(a_framebuffer_without_colours_is_none)
{
    struct boot_info info;
    begin();
    framebuffer_tag(32);
    tag(0, 8);
    walk(&info);
    assert_string_equal(info.error, "the framebuffer's colours are missing");
    assert_false(info.framebuffer.present);
}

/* The user's file of options is none of the modules, wherever it stands among them. */
CASE(settings_are_no_module)
{
    static struct boot_info info;
    static const char names[][16] = {"first", "pmucheck.cfg", "pmucheck.cfgx", "pmucheck.cfg"};
    begin();
    for (u32 i = 0; i < 4; i++) {
        tag(3, 16 + 16);
        number(0x200000 + 0x1000 * i, 4);
        number(0x200800 + 0x1000 * i, 4);
        for (unsigned n = 0; n < 16; n++)
            number((u8)names[i][n], 1);
    }
    tag(0, 8);
    walk(&info);
    assert_null(info.error);
    assert_int_equal(info.modules, 2);
    assert_string_equal(info.module[1].command_line, "pmucheck.cfgx");
    assert_int_equal(info.settings, 2);
    assert_int_equal(info.setting[0].start, 0x201000);
    assert_int_equal(info.setting[1].end, 0x203800);
}

#define LONG_MAP 700

/* Servers have maps of hundreds of regions. */
CASE(a_long_map_is_kept_whole)
{
    static struct boot_info info;
    begin();
    tag(6, 16 + 24 * LONG_MAP);
    number(24, 4);
    number(0, 4);
    for (u64 i = 0; i < LONG_MAP; i++)
        region(i << 20, 1 << 19, 1 + i % 2);
    tag(0, 8);
    walk(&info);
    assert_null(info.error);
    assert_int_equal(info.regions, LONG_MAP);
    assert_int_equal(info.regions_dropped, 0);
    assert_true(info.region[LONG_MAP - 1].base == (LONG_MAP - 1ull) << 20);
}

CASE(too_much_is_counted)
{
    static struct boot_info info;
    char line[2000];
    begin();
    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = 0;
    text_tag(1, line);
    tag(6, 16 + 24 * (BOOT_REGIONS + 3));
    number(24, 4);
    number(0, 4);
    for (u64 i = 0; i < BOOT_REGIONS + 1; i++)
        region(i << 20, 1 << 20, 1);
    region(0, 0, 1);
    region(~0ull, 2, 1);
    tag(0, 8);
    walk(&info);
    assert_string_equal(info.error, "a memory region wraps around");
    assert_true(info.command_line_cut);
    assert_int_equal(strlen(info.command_line), sizeof(info.command_line) - 1);
    assert_int_equal(info.regions, BOOT_REGIONS);
    assert_in_range(info.regions_dropped, 1, 2);
}

/* kexec puts the file's name first; GRUB leaves it out. */
CASE(the_files_name_is_no_option)
{
    static const struct {
        const char *loader, *line, *options;
    } rows[] = {
        {"GRUB 2.06", "quick after=exit", "quick after=exit"},
        {"kexec 2.0.25", "/boot/pmucheck.elf quick", "quick"},
        {"kexec 2.0.25", "pmucheck.elf", ""},
        {"kexec 2.0.25", "", ""},
        {"kexecutor", "quick", "quick"},
    };
    static struct boot_info info;
    for_each_row (rows, row) {
        strcpy(info.loader, row->loader);
        strcpy(info.command_line, row->line);
        assert_string_equal(boot_options(&info), row->options);
        assert_int_equal(boot_by_kexec(&info), strncmp(row->loader, "kexec ", 6) == 0);
    }
}

int main(void)
{
    return run_cases();
}
