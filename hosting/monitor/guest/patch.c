/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's own register accesses, answered without a VM exit: an exit costs many times a trap, and QEMU takes exits
 * one at a time over all CPUs. An RDMSR, WRMSR or RDPMC of this image that has exited once becomes an INT n of the same
 * length, and the shadow interrupt table sends that to the in-guest half. n is the opcode's second byte, so that only
 * the first one changes: another CPU that reads the instruction meanwhile sees either the old or the new one, nothing
 * in between.
 *
 * Only once every CPU runs on a shadow table, since all run the same text; and never in a guest that is not this image.
 */
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/monitor.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

#define OPCODE_TWO_BYTES 0x0f
#define OPCODE_INT 0xcd
#define LENGTH 2
#define SITES 256

/* The opcode's second byte is the vector, which nothing else uses. */
static const struct {
    enum instruction_kind kind;
    u8 opcode;
} accesses[] = {{KIND_RDMSR, 0x32}, {KIND_WRMSR, 0x30}, {KIND_RDPMC, 0x33}};
static volatile u32 resident;
/* Addresses of patched accesses. When the table is full, further accesses keep exiting. */
static u64 sites[SITES];
static u32 site_count;

void patch_cpu_resident(void)
{
    __atomic_add_fetch(&resident, 1, __ATOMIC_RELAXED);
}

static u8 byte_at(u64 rip)
{
    return *(const volatile u8 *)rip;
}

/* Text is read-only to the guest and to us: write protection is lifted for one store. */
static void store(u64 rip, u8 value)
{
    u64 cr0 = read_cr0();
    write_cr0(cr0 & ~CR0_WP);
    __atomic_store_n((u8 *)rip, value, __ATOMIC_RELAXED);
    write_cr0(cr0);
}

static void patch(u64 rip)
{
    u32 ticket = __atomic_fetch_add(&site_count, 1, __ATOMIC_RELAXED);
    if (ticket >= SITES)
        return;
    sites[ticket] = rip;
    store(rip, OPCODE_INT);
}

void patch_site(const struct vcpu *v, u64 rip, enum instruction_kind kind)
{
    if (is_foreign(v) || v->how == STEP_BY_EXIT || resident < cpu_count() || !image_text(rip))
        return;
    for (unsigned n = 0; n < ARRAY_SIZE(accesses); n++)
        if (accesses[n].kind == kind && byte_at(rip) == OPCODE_TWO_BYTES && byte_at(rip + 1) == accesses[n].opcode)
            patch(rip);
}

void monitor_restore_text(void)
{
    for (u32 n = 0; n < site_count && n < SITES; n++)
        if (sites[n])
            store(sites[n], OPCODE_TWO_BYTES);
}

void patch_cpu_leaves(void)
{
    __atomic_sub_fetch(&resident, 1, __ATOMIC_SEQ_CST);
    monitor_restore_text();
    memset(sites, 0, sizeof(sites));
    site_count = 0;
}

void patch_undo(struct instruction *i, u64 rip)
{
    if (i->kind != KIND_INT || i->length != LENGTH || !image_text(rip) || byte_at(rip) != OPCODE_INT ||
        byte_at(rip + 1) != i->vector)
        return;
    for (unsigned n = 0; n < ARRAY_SIZE(accesses); n++)
        if (accesses[n].opcode == i->vector)
            i->kind = accesses[n].kind;
}
