/*
 * The kernel's own register accesses, answered without a VM exit: an exit costs many times a trap, and QEMU takes exits
 * one at a time over all CPUs. An RDMSR, WRMSR or RDPMC of this image that has exited once becomes an INT n of the same
 * length, and the shadow interrupt table sends that to the in-guest half.
 *
 * Only once every CPU runs on a shadow table, since all run the same text; and never in a guest that is not this image.
 */
#include "kernel/cpus.h"
#include "kernel/instructions.h"
#include "pmu/reference/monitor/vcpu.h"

#define CR0_WP BIT(16)
#define OPCODE_INT 0xcd
#define LENGTH 2
#define FIRST_VECTOR 0x18 /* reserved exceptions: the CPU raises none, and nobody sends interrupts there */
#define PAGE 4096ul

static const struct {
    enum instruction_kind kind;
    u16 opcode; /* as its two bytes lie in memory */
} accesses[] = {{KIND_RDMSR, 0x320f}, {KIND_WRMSR, 0x300f}, {KIND_RDPMC, 0x330f}};
static volatile u32 resident;

void patch_cpu_resident(void)
{
    __atomic_add_fetch(&resident, 1, __ATOMIC_RELAXED);
}

static u16 bytes_at(u64 rip)
{
    u16 bytes;
    __builtin_memcpy(&bytes, (const void *)rip, sizeof(bytes));
    return bytes;
}

static u16 replacement(unsigned n)
{
    return (u16)(OPCODE_INT | (FIRST_VECTOR + n) << 8);
}

/* Text is read-only to the guest and to us: write protection is lifted for one store. */
static void store(u64 rip, u16 value)
{
    u64 cr0 = read_cr0();
    write_cr0(cr0 & ~CR0_WP);
    __atomic_store_n((u16 *)rip, value, __ATOMIC_RELAXED);
    write_cr0(cr0);
}

void patch_site(const struct vcpu *v, u64 rip, enum instruction_kind kind)
{
    bool whole = rip % PAGE != PAGE - 1; /* else it would be two stores */
    if (!v->resident || v->how == STEP_BY_EXIT || resident < cpu_count() || !image_text(rip) || !whole)
        return;
    for (unsigned n = 0; n < ARRAY_SIZE(accesses); n++)
        if (accesses[n].kind == kind && bytes_at(rip) == accesses[n].opcode)
            store(rip, replacement(n));
}

void patch_undo(struct instruction *i, u64 rip)
{
    unsigned n = i->vector - FIRST_VECTOR;
    if (i->kind == KIND_INT && i->length == LENGTH && n < ARRAY_SIZE(accesses) && image_text(rip) &&
        bytes_at(rip) == replacement(n))
        i->kind = accesses[n].kind;
}
