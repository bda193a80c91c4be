/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's variable store, by its runtime services. */
#include "boot/boot_info.h"
#include "boot/cpu.h"
#include "kernel/core/memory.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/acpi.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"

/* The variable is non-volatile, and accessible to boot services and to an operating system. */
#define ATTRIBUTES 7u

typedef u64 __attribute__((ms_abi))
set_variable(const u16 *name, const u8 *vendor, u32 attributes, u64 size, const void *data);
typedef u64 __attribute__((ms_abi)) query_variable_info(u32 attributes, u64 *store, u64 *remaining, u64 *largest);

static struct {
    struct efi_services services;
    const u8 *data;
    u64 size;
    u64 store, remaining, largest; /* from QueryVariableInfo() */
    u64 status;
} call;

/* Identity-mapped, as UEFI's "Calling Conventions" require before SetVirtualAddressMap(). Code regions contain data. */
static void map_runtime(const struct boot_info *boot)
{
    for (unsigned i = 0; i < boot->efi_regions; i++) {
        const struct boot_efi_region *region = &boot->efi_region[i];
        unsigned rights = PAGE_WRITE;
        if (region->type == EFI_RUNTIME_CODE)
            rights |= PAGE_EXECUTE;
        if (!(region->attributes & EFI_MEMORY_WRITE_BACK))
            rights |= PAGE_UNCACHED;
        paging_map(region->base, region->pages * PAGE_SIZE, rights);
    }
}

static const char *find_services(const struct boot_info *boot)
{
    if (!efi_is_runtime(boot, boot->efi_system_table, EFI_SYSTEM_TABLE_SIZE))
        return "the firmware's system table lies outside its memory";
    u64 table = efi_runtime_table((const u8 *)boot->efi_system_table);
    if (!efi_is_runtime(boot, table, EFI_RUNTIME_TABLE_SIZE))
        return "the firmware's table of runtime services lies outside its memory";
    return efi_read_services(boot, (const u8 *)table, &call.services);
}

/* Firmware may use the x87 and SSE units, in the state that UEFI's "x64 Platforms" specifies. */
static void ready_units(void)
{
    static const u32 mxcsr = 0x1f80;
    write_cr0((read_cr0() & ~(CR0_EM | CR0_TS)) | CR0_MP);
    write_cr4(read_cr4() | CR4_OSFXSR | CR4_OSXMMEXCPT);
    __asm__ volatile("fninit\n\tldmxcsr %0" : : "m"(mxcsr));
}

static void query(void *unused)
{
    (void)unused;
    query_variable_info *function = (query_variable_info *)call.services.query_variable_info;
    call.status = function(ATTRIBUTES, &call.store, &call.remaining, &call.largest);
}

static void set(void *unused)
{
    static const u8 vendor[16] = EFI_VARIABLE_VENDOR;
    static const char name[] = EFI_VARIABLE_NAME;
    u16 wide[sizeof(name)];
    (void)unused;
    for (size_t i = 0; i < sizeof(name); i++)
        wide[i] = (u8)name[i];
    set_variable *function = (set_variable *)call.services.set_variable;
    call.status = function(wide, vendor, ATTRIBUTES, call.size, call.data);
}

/* Calls the firmware; a fault there ends the call. Returns NULL, or what went wrong. */
static const char *made(void (*function)(void *))
{
    u64 flags = interrupts_off();
    struct guard_result result = guarded_call(function, NULL);
    interrupts_restore(flags);
    if (result.fault || result.storm || result.timeout) {
        guard_log(&result);
        return "the firmware's own code faulted";
    }
    return call.status ? efi_status_text(call.status) : NULL;
}

const char *efi_variable_set(const u8 *data, size_t size)
{
    const struct boot_info *boot = boot_info();
    const char *wrong = efi_refusal(boot);
    if (wrong)
        return wrong;
    map_runtime(boot);
    if ((wrong = find_services(boot)))
        return wrong;
    ready_units();
    call.data = data;
    call.size = size;
    log_line("# save to=efi state=asking");
    if ((wrong = made(query)))
        return wrong;
    log_line("# save to=efi store=%lu remaining=%lu largest=%lu", (unsigned long)call.store,
             (unsigned long)call.remaining, (unsigned long)call.largest);
    if ((wrong = efi_room_refusal(call.store, call.remaining, call.largest, size)))
        return wrong;
    log_line("# save to=efi bytes=%lu state=writing", (unsigned long)size);
    return made(set);
}
