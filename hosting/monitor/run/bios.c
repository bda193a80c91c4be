/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/run/bios.h"
#include "boot/bytes.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/run/bios_map.h"
#include "hosting/monitor/step/step.h"
#include "kernel/text/text.h"

#define VECTOR 0x15
#define ENTRY_SIZE 4 /* of an interrupt table's entry: offset and segment */
#define ROM 0xc000   /* lowest segment of a BIOS */
/* The 16 bytes of the BIOS's data area that are reserved for programs. */
#define AREA 0x4f0u
#define VMMCALL_BYTES 3
#define RETURN 8 /* offset of the hook's IRET */
#define FLAGS_AT 4

static const struct boot_region *map;
static unsigned regions;

/* VMMCALL; a far jump to the BIOS's own handler; IRET. */
static const u8 hook[] = {0x0f, 0x01, 0xd9, 0xea, 0, 0, 0, 0, 0xcf};
_Static_assert(sizeof(hook) == RETURN + 1, "the IRET is its last byte");
#define OWN_AT 4

bool monitor_answer_bios(const struct boot_region *given, unsigned count)
{
    static const u8 nothing[sizeof(hook)];
    u8 code[sizeof(hook)], found[sizeof(hook)], entry[ENTRY_SIZE] = {0};
    u8 *vector = (u8 *)(ENTRY_SIZE * (u64)VECTOR), *area = (u8 *)(u64)AREA;
    if (!guest_copy(entry, vector, sizeof(entry)) || bytes_get(entry + 2, 2) < ROM ||
        !guest_copy(found, area, sizeof(found)) || memcmp(found, nothing, sizeof(nothing)))
        return false;
    map = given;
    regions = count;
    memcpy(code, hook, sizeof(code));
    memcpy(code + OWN_AT, entry, sizeof(entry));
    bytes_put(entry, AREA, sizeof(entry));
    return guest_copy(area, code, sizeof(code)) && guest_copy(vector, entry, sizeof(entry));
}

static void set(u64 *to, u32 value)
{
    *to = (*to & MASK(63, 32)) | value;
}

/* Sets CF in the flags that the hook's IRET will load. */
static void tell_carry(struct vcpu *v, const struct frame *f, bool carry)
{
    u16 flags;
    u64 at = guest_linear(v, &v->vmcb->ss, guest_stack(v, f->rsp + FLAGS_AT));
    if (!guest_read(v, &flags, at, sizeof(flags)))
        return;
    flags = (u16)((flags & ~RFLAGS_CF) | (carry ? RFLAGS_CF : 0));
    guest_write(v, at, &flags, sizeof(flags));
}

static bool answer(struct vcpu *v, struct frame *f)
{
    struct bios_call c = {(u32)f->rax, (u32)f->rbx, (u32)f->rcx, (u32)f->rdx, false, {0}, 0};
    if (!bios_answer(&c, map, regions))
        return false;
    guest_write(v, guest_linear(v, &v->vmcb->es, (u16)f->rdi), c.entry, c.stored);
    set(&f->rax, c.eax);
    set(&f->rbx, c.ebx);
    set(&f->rcx, c.ecx);
    set(&f->rdx, c.edx);
    tell_carry(v, f, c.carry);
    return true;
}

/* In real-address mode or virtual-8086 mode. */
bool bios_called(struct vcpu *v, struct frame *f)
{
    if (!regions || !runs_code16(v) || guest_linear(v, &v->vmcb->cs, f->rip) != AREA)
        return false;
    if (is_stepped(v))
        step_interrupted(v, f);
    f->rip += answer(v, f) ? RETURN : VMMCALL_BYTES;
    return true;
}
