/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/host.h"
#include "boot/boot_info.h"
#include "boot/bytes.h"
#include "hosting/image/information.h"
#include "hosting/image/madt.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/acpi.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/text.h"
#include "reference/model/profile.h"
#include "reference/step/stepper.h"

#define MODULES_MAX ARRAY_SIZE(((struct boot_info *)0)->module)
#define INFORMATION_LOWEST 0x10000ull /* boot loaders do not use memory below */
#define ARM_TIMEOUT_MS 10000
#define LEAF_TOPOLOGY 0x0b
#define MIB (1ull << 20)
#define LIMIT (4ull << 30)
#define MAGIC1 0x2badb002
#define MAGIC2 0x36d76289
#define MAP_ACPI 3
#define MAP_NVS 4

static struct guest_image image;
static struct guest_map map;
static struct {
    u8 *data; /* our own copy: the loader may have put it where the kernel belongs */
    u64 size;
} file[MODULES_MAX];
static struct guest_module modules[MODULES_MAX];
static char wrong[160];

/* ---- Before the monitor is armed: the parts that allocate memory. */

static const char *copy_modules(void)
{
    const struct boot_info *boot = boot_info();
    if (!boot->modules)
        return "host: the boot loader passed no module, which is the kernel to host";
    for (unsigned i = 0; i < boot->modules; i++) {
        file[i].size = boot->module[i].end - boot->module[i].start;
        file[i].data = pages_alloc((file[i].size + PAGE_SIZE - 1) / PAGE_SIZE);
        if (!file[i].data)
            return "host: not enough memory for a copy of the modules";
        memcpy(file[i].data, (const void *)boot->module[i].start, file[i].size);
    }
    return NULL;
}

/* Maps all memory that may be the guest's, to fill it now and to read its page tables later. */
static void open_memory(void)
{
    const struct boot_info *boot = boot_info();
    for (unsigned i = 0; i < boot->regions; i++) {
        const struct boot_region *r = &boot->region[i];
        u64 base = r->base, end = r->base + r->length;
        if (r->type != BOOT_REGION_AVAILABLE && r->type != MAP_ACPI && r->type != MAP_NVS)
            continue;
        if (base < memory_used_start())
            paging_map(base, (end < memory_used_start() ? end : memory_used_start()) - base, PAGE_WRITE);
        if (base < memory_used_end())
            base = memory_used_end();
        if (base < end)
            paging_map(base, end - base, PAGE_WRITE);
    }
}

/* ---- ACPI */

static u8 *checked_table(u64 address, const char *signature, u32 *length)
{
    u8 *table = memory_map(address, ACPI_HEADER_SIZE, MEMORY_FIRMWARE);
    if (!table || memcmp(table, signature, 4) || acpi_parse_length(table, length) ||
        !memory_map(address, *length, MEMORY_FIRMWARE) || acpi_check(table, *length, signature))
        return NULL;
    return table;
}

/* The guest gets all CPUs that answer. */
static bool is_given(u32 apic_id)
{
    struct cpu_set all = cpus_all();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu) && cpu_apic_id(cpu) == apic_id)
            return true;
    return false;
}

/* The id in the guest's CPUID: a variation may give it ids that are too large for the machine's local APICs. */
static PER_CPU u32 guest_ids;

static u32 guest_id(u32 apic_id)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_apic_id(cpu) == apic_id && of_cpu(guest_ids, cpu))
            return of_cpu(guest_ids, cpu);
    return apic_id;
}

/* In the monitor's memory, where there is room for the larger entries; the guest may read it there. */
static u8 renumbered[2 * PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));

static void renumber(u8 *root, u32 root_length, u8 *entry, unsigned entry_size, const u8 *madt, u32 madt_length)
{
    if ((u64)renumbered + sizeof(renumbered) > LIMIT ||
        !guest_madt_renumber(madt, madt_length, renumbered, sizeof(renumbered), guest_id))
        return;
    paging_map((u64)root, root_length, PAGE_WRITE);
    bytes_put(entry, (u64)renumbered, entry_size);
    guest_table_seal(root, root_length);
}

static unsigned hide_in_root(u64 root_address, const char *signature, unsigned entry_size)
{
    u32 length, madt_length;
    u64 address;
    unsigned hidden = 0;
    u8 *root = checked_table(root_address, signature, &length);
    for (unsigned n = 0; root && acpi_root_entry(root, length, entry_size, n, &address); n++) {
        u8 *madt = checked_table(address, "APIC", &madt_length);
        if (!madt)
            continue;
        paging_map(address, madt_length, PAGE_WRITE);
        hidden += guest_madt_hide(madt, madt_length, is_given);
        renumber(root, length, root + ACPI_HEADER_SIZE + n * entry_size, entry_size, madt, madt_length);
    }
    return hidden;
}

/* Both roots may list the same table; a processor that is hidden already is not counted again. */
static unsigned hide_processors(void)
{
    struct acpi_roots roots;
    const struct boot_info *boot = boot_info();
    acpi_parse_rsdp(boot->rsdp, boot->rsdp_size, &roots);
    return (roots.xsdt ? hide_in_root(roots.xsdt, "XSDT", 8) : 0) +
           (roots.rsdt ? hide_in_root(roots.rsdt, "RSDT", 4) : 0);
}

/* ---- The guest's memory */

static bool is_monitors(const struct guest_segment *s)
{
    return s->address < map.hidden.end && map.hidden.base < s->address + s->memory_size;
}

static const char *load_segments(void)
{
    const struct guest_segment *taken = guest_image_take(&image, &map);
    if (taken) {
        format_text(wrong, sizeof(wrong),
                    "host: a part of the kernel belongs at 0x%lx to 0x%lx, which is not all free memory%s",
                    taken->address, taken->address + taken->memory_size,
                    is_monitors(taken) ? ": the monitor is there" : "");
        return wrong;
    }
    for (unsigned i = 0; i < image.segments; i++) {
        const struct guest_segment *s = &image.segment[i];
        memcpy((void *)s->address, file[0].data + s->offset, s->file_size);
        memset((void *)(s->address + s->file_size), 0, s->memory_size - s->file_size);
    }
    return NULL;
}

static const char *place_modules(void)
{
    struct guest_range where = {guest_image_end(&image) > MIB ? guest_image_end(&image) : MIB, image.module_limit};
    for (unsigned i = 1; i < boot_info()->modules; i++) {
        u64 at = guest_map_place(&map, file[i].size, where);
        if (!at)
            return "host: no memory for the kernel's modules";
        memcpy((void *)at, file[i].data, file[i].size);
        modules[i - 1] = (struct guest_module){at, at + file[i].size, boot_info()->module[i].command_line};
    }
    return NULL;
}

static const char *hand_on(struct monitor_guest *guest)
{
    const struct boot_info *boot = boot_info();
    u64 at = guest_map_place(&map, GUEST_INFORMATION_SIZE + MONITOR_GUEST_GDT,
                             (struct guest_range){INFORMATION_LOWEST, LIMIT});
    if (!at)
        return "host: no memory for the boot information";
    u8 *to = (u8 *)at;
    memset(to, 0, GUEST_INFORMATION_SIZE);
    struct guest_offer offer = {
        .map = &map,
        .command_line = boot->module[0].command_line,
        .module = modules,
        .modules = boot->modules - 1,
        .rsdp = boot->rsdp,
        .rsdp_size = boot->rsdp_size,
    };
    u64 used = 0;
    switch (image.kind) {
    case GUEST_MULTIBOOT1:
        used = guest_information1(to, at, &offer);
        guest->eax = MAGIC1;
        guest->ebx = (u32)at;
        break;
    case GUEST_MULTIBOOT2:
        used = guest_information2(to, at, &offer);
        guest->eax = MAGIC2;
        guest->ebx = (u32)at;
        break;
    case GUEST_LINUX:
        used = guest_information_linux(to, at, &offer, file[0].data, &image);
        guest->esi = (u32)at;
        break;
    }
    guest->entry = image.entry;
    guest->gdt = at + GUEST_INFORMATION_SIZE;
    return used ? NULL : "host: the boot information is too long";
}

static const char *prepare(struct monitor_guest *guest)
{
    const char *error = guest_image_parse(file[0].data, file[0].size, &image);
    if (error) {
        format_text(wrong, sizeof(wrong), "host: %s", error);
        return wrong;
    }
    guest_map_build(&map, boot_info()->region, boot_info()->regions,
                    (struct guest_range){memory_used_start(), memory_used_end()});
    error = load_segments();
    if (!error)
        error = place_modules();
    return error ? error : hand_on(guest);
}

/* ---- What the guest cannot see. */

/* The guest may read our ACPI table. */
static bool hide_piece(u64 base, u64 end)
{
    u64 table = (u64)renumbered, behind = table + sizeof(renumbered);
    if (table < base || behind > end)
        return monitor_hide(base, end);
    return (table == base || monitor_hide(base, table)) && (behind == end || monitor_hide(behind, end));
}

/* Firmware may have memory of its own in between. */
static const char *hide_monitor(void)
{
    for (unsigned i = 0; i < boot_info()->regions; i++) {
        const struct boot_region *r = &boot_info()->region[i];
        u64 base = r->base > map.hidden.base ? r->base : map.hidden.base;
        u64 end = r->base + r->length < map.hidden.end ? r->base + r->length : map.hidden.end;
        base = (base + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
        end &= ~(PAGE_SIZE - 1);
        if (r->type == BOOT_REGION_AVAILABLE && base < end && !hide_piece(base, end))
            return "host: the monitor's memory is in too many pieces";
    }
    return NULL;
}

/* ---- The monitor under each CPU. */

static struct {
    const struct model_setup *setup;
    enum monitor_stepping stepping;
    bool unarmed;
} armed;

/*
 * In kHz; 0: the guest has the machine's time. NetBurst's counters have no common switch and are shared by the threads
 * of a core, so a kernel is stepped while it waits, too; by its instructions' time such waits would take minutes, on
 * every other CPU, too.
 */
static u32 guest_clock(const struct model_setup *setup)
{
    bool alone = cpus_answering() == 1;
    return alone || !setup->profile->netburst_count ? (u32)time_tsc_khz() : 0;
}

/* The APIC id in the guest's CPUID; 0: the machine's. If leaf 0BH is not the CPU's, EDX means nothing. */
static u32 enumerated_id(void)
{
    u32 id = cpuid_has_leaf(LEAF_TOPOLOGY) ? cpuid(LEAF_TOPOLOGY, 0).edx : 0;
    return id > 255 && (u8)id == (u8)cpu_apic_id(cpu_index()) ? id : 0;
}

static void arm_here(void *argument)
{
    struct model_setup own = *armed.setup;
    (void)argument;
    own.cpu = cpu_index();
    own.tsc_khz = guest_clock(&own);
    if (monitor_arm(&own))
        monitor_set_stepping(armed.stepping);
    else
        __atomic_store_n(&armed.unarmed, true, __ATOMIC_RELAXED);
    of_cpu(guest_ids, cpu_index()) = enumerated_id();
}

/* Arms the monitor on each CPU, and checks that it counts correctly. */
static const char *arm(const struct model_setup *setup, enum monitor_stepping stepping)
{
    static char miscounted[STEPPER_TEXT];
    struct cpu_set all = cpus_all();
    armed.setup = setup;
    armed.stepping = stepping;
    if (!cpus_run(&all, arm_here, NULL, ARM_TIMEOUT_MS, NULL))
        return "host: a CPU did not finish the start of its reference PMU";
    if (armed.unarmed || !monitor_can_hide())
        return "host: not enough memory for the reference PMU, of which each CPU needs about 2 MiB";
    return stepper_prove(miscounted) ? miscounted : NULL;
}

static void park_here(void *argument)
{
    (void)argument;
    monitor_park();
}

static bool all_parked(const struct cpu_set *set)
{
    for (u32 cpu = 1; cpu < cpu_count(); cpu++)
        if (cpu_set_has(set, cpu) && !monitor_parked(cpu))
            return false;
    return true;
}

/* The other CPUs wait for the guest to start them. */
static const char *park(void)
{
    struct cpu_set others = cpus_all();
    struct deadline deadline = deadline_us(ARM_TIMEOUT_MS * 1000ul);
    cpu_set_remove(&others, 0);
    cpus_begin(&others, park_here, NULL);
    while (!all_parked(&others))
        if (deadline_passed(&deadline))
            return "host: a CPU did not begin to wait for its start-up IPI";
    return NULL;
}

/* ---- The guest's clock: its frequency in kHz by each CPUID leaf; 0: the leaf does not tell. */

#define LEAF_CRYSTAL 0x15
#define LEAF_FREQUENCIES 0x16

static u64 by_crystal_leaf(void)
{
    struct cpuid_regs leaf = {0};
    if (cpuid_has_leaf(LEAF_CRYSTAL))
        leaf = cpuid(LEAF_CRYSTAL, 0);
    return tsc_rate_crystal(leaf.eax, leaf.ebx, leaf.ecx);
}

/* Logs what a guest's calibration may give, and why it may be wrong. */
static void tell_clock(void)
{
    u64 megahertz = cpuid_has_leaf(LEAF_FREQUENCIES) ? cpuid(LEAF_FREQUENCIES, 0).eax : 0;
    log_line("# host clock tsc-khz=%lu leaf-15h-khz=%lu leaf-16h-khz=%lu "
             "while-counting=\"by instructions; PIT, HPET, PM timer and RTC go on by the machine's time\"",
             (unsigned long)time_tsc_khz(), (unsigned long)by_crystal_leaf(), (unsigned long)(megahertz * 1000));
}

const char *host_start(const struct model_setup *setup, enum monitor_stepping stepping)
{
    static const char *const kinds[] = {"multiboot", "multiboot2", "linux"};
    struct monitor_guest guest = {0};
    const char *error = copy_modules();
    if (!error)
        error = arm(setup, stepping);
    if (error)
        return error;
    open_memory();
    unsigned hidden = hide_processors();
    error = prepare(&guest);
    if (!error)
        error = hide_monitor();
    if (!error)
        error = park();
    if (error)
        return error;
    bool answered = !boot_info()->efi && monitor_answer_bios(map.region, map.regions);
    tell_clock();
    log_line("# host kind=%s entry=0x%x end=0x%lx modules=%u cpus=%u cpus-hidden=%u monitor=0x%lx-0x%lx "
             "bios-map=%s",
             kinds[image.kind], image.entry, guest_image_end(&image), boot_info()->modules - 1, cpus_answering(),
             hidden, map.hidden.base, map.hidden.end, answered ? "ours" : "none");
    monitor_host(&guest);
}
