/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's services are called only if all its information about them is consistent. */
#include "kernel/firmware/acpi.h"
#include "kernel/text/text.h"
#include "tests/host/case.h"

#include <string.h>

static struct boot_info good, boot;
static u8 table[EFI_RUNTIME_TABLE_SIZE];
static struct efi_services services;

static void put(u8 *at, u64 value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (u8)(value >> 8 * i);
}

static void sum_up(void)
{
    put(table + 16, 0, 4);
    put(table + 16, crc32_update(0, table, sizeof(table)), 4);
}

static int a_machine(void **state)
{
    (void)state;
    good = (struct boot_info){.efi = true,
                              .efi_system_table = 0x7f00000,
                              .efi_pointer = 8,
                              .efi_regions = 3,
                              .efi_region = {{.base = 0x7f00000, .pages = 16, .type = EFI_RUNTIME_DATA},
                                             {.base = 0x7f10000, .pages = 16, .type = EFI_RUNTIME_CODE},
                                             {.base = 0xffc00000, .pages = 1024, .type = 11}},
                              .regions = 2,
                              .region = {{0x100000, 0x7e00000, BOOT_REGION_AVAILABLE}, {0x7f00000, 0x100000, 2}}};
    boot = good;
    memset(table, 0, sizeof(table));
    memcpy(table, "RUNTSERV", 8);
    put(table + 8, 2u << 16 | 70, 4);
    put(table + 12, sizeof(table), 4);
    put(table + 88, 0x7f10100, 8);
    put(table + 128, 0x7f10200, 8);
    sum_up();
    return 0;
}

static void says(const char *refusal, const char *what)
{
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, what));
}

CASE(machines)
{
    assert_null(efi_refusal(&boot));
    boot.efi = false;
    says(efi_refusal(&boot), "not UEFI");
    boot = good;
    boot.efi_system_table = 0;
    says(efi_refusal(&boot), "kexec");
    boot = good;
    boot.efi_pointer = 4;
    says(efi_refusal(&boot), "32-bit");
    boot = good;
    boot.efi_regions = 0;
    says(efi_refusal(&boot), "which memory");
    boot = good;
    boot.efi_regions_dropped = 1;
    says(efi_refusal(&boot), "more pieces");
}

CASE(maps)
{
    static const struct boot_efi_region wrong[] = {
        {.base = 0, .pages = 1},
        {.base = 0x7f20001, .pages = 1},
        {.base = 0x7f20000, .pages = 0},
        {.base = 0x7f20000, .pages = 1ull << 52},
        {.base = 0xfffffffffffff000, .pages = 1},
        {.base = 0x400000000000, .pages = 1},
        {.base = 0x200000, .pages = 1},  /* free memory */
        {.base = 0xff000, .pages = 2},   /* its first page */
        {.base = 0x7eff000, .pages = 1}, /* its last */
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        boot = good;
        boot.efi_region[2] = wrong[i];
        says(efi_refusal(&boot), "contradicts itself");
    }
    assert_true(efi_is_runtime(&good, 0x7f00000, 0x10000));
    assert_true(efi_is_runtime(&good, 0x7f0ffff, 1));
    assert_false(efi_is_runtime(&good, 0x7f0ffff, 2));
    assert_false(efi_is_runtime(&good, 0x7f00000, ~0ull));
    assert_false(efi_is_runtime(&good, 0x7efffff, 1));
}

CASE(tables)
{
    u8 system[EFI_SYSTEM_TABLE_SIZE] = "IBI SYST";
    put(system + 88, 0x7f00200, 8);
    assert_true(efi_runtime_table(system) == 0x7f00200);
    system[0] = 'X';
    assert_true(efi_runtime_table(system) == 0);
    assert_null(efi_read_services(&boot, table, &services));
    assert_true(services.set_variable == 0x7f10100 && services.query_variable_info == 0x7f10200);
    for (unsigned bit = 0; bit < 8 * sizeof(table); bit++) {
        table[bit / 8] ^= (u8)(1 << bit % 8);
        assert_non_null(efi_read_services(&boot, table, &services));
        table[bit / 8] ^= (u8)(1 << bit % 8);
    }
    put(table + 8, 1u << 16 | 10, 4);
    says(efi_read_services(&boot, table, &services), "older than UEFI 2.0");
    put(table + 8, 2u << 16, 4);
    put(table + 88, 0x7f00100, 8); /* data */
    sum_up();
    says(efi_read_services(&boot, table, &services), "outside its memory");
}

CASE(room)
{
    assert_null(efi_room_refusal(65536, 40000, 30000, 2048));
    says(efi_room_refusal(65536, 34000, 30000, 2048), "half full");
    says(efi_room_refusal(65536, 1000, 30000, 2048), "half full");
    says(efi_room_refusal(65536, 40000, 2047, 2048), "of this size");
    says(efi_room_refusal(65536, 65537, 30000, 2048), "of this size");
    assert_string_equal(efi_status_text(1ull << 63 | 9), "the firmware has no room left");
    assert_string_equal(efi_status_text(9), "the firmware returned an error");
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_machine});
}
