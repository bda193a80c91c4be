/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/access.h"
#include "boot/cpu.h"
#include "reference/step/interpreter/interpret.h"

#define PREFIX_FS 0x64

extern const u8 guest_copy_at[], guest_copy_end[], guest_access_end[], guest_copy_failed[];

/* An instruction whose fault sets RAX to 0, and where execution continues then. */
extern const struct native_row {
    u64 instruction, failed;
} __start_native[], __stop_native[];

static bool native_fault(struct frame *f)
{
    for (const struct native_row *row = __start_native; row < __stop_native; row++) {
        if (row->instruction != f->rip)
            continue;
        f->rip = row->failed;
        f->rax = 0;
        return true;
    }
    return false;
}

static bool within(u64 rip, const u8 *start, const u8 *end)
{
    return rip >= (u64)start && rip < (u64)end;
}

bool access_fault(struct frame *f)
{
    if (f->vector != VECTOR_PF && f->vector != VECTOR_GP)
        return false;
    if (native_fault(f))
        return true;
    if (!within(f->rip, guest_copy_at, guest_copy_end) &&
        !within(f->rip, (const u8 *)(u64)guest_fetch, guest_access_end))
        return false;
    f->rip = (u64)guest_copy_failed;
    return true;
}

static __attribute__((noinline)) bool write_natively(u32 msr, u32 low, u32 high)
{
    u64 done = low;
    __asm__ volatile("1: wrmsr\n\t"
                     "movl $1, %%eax\n"
                     "2:\n\t"
                     ".pushsection native, \"a\"\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : "+a"(done)
                     : "c"(msr), "d"(high)
                     : "memory");
    return done;
}

bool natively(struct frame *f, bool write)
{
    u64 value;
    if (write)
        return write_natively((u32)f->rcx, (u32)f->rax, (u32)f->rdx);
    if (!native_rdmsr((u32)f->rcx, &value))
        return false;
    f->rax = (u32)value;
    f->rdx = value >> 32;
    return true;
}

/* The interpreter asks for it; the rest of its memory is each stepper's own. */
u64 guest_segment(u8 prefix)
{
    u64 base = 0;
    native_rdmsr(prefix == PREFIX_FS ? MSR_FS_BASE : MSR_GS_BASE, &base);
    return base;
}
