/*
 * A foreign guest's memory, seen from outside: its page tables are walked, physical addresses are the monitor's own.
 * SDM 3A, "Paging". Rights are not looked at: what is read and written here, the CPU would access as supervisor.
 */
#include "kernel/memory.h"
#include "pmu/reference/monitor/vcpu.h"

#define CR0_PG BIT(31)
#define CR4_PSE BIT(4)
#define CR4_PAE BIT(5)
#define CR4_LA57 BIT(12)
#define CR4_SMEP BIT(20)
#define CR4_SMAP BIT(21)
#define EFER_LMA BIT(10)
#define ENTRY_PRESENT BIT(0)
#define ENTRY_WRITABLE BIT(1)
#define ENTRY_USER BIT(2)
#define ENTRY_LARGE BIT(7)
#define ENTRY_NX BIT(63)
#define ADDRESS MASK(51, 12)

/* How the levels of a paging mode follow each other, the last one first. */
struct paging_mode {
    unsigned levels, bits, entry_size, large_levels; /* large pages from level 2 up to here */
};

static struct paging_mode mode_of(const struct vmcb *c)
{
    if (c->efer & EFER_LMA)
        return (struct paging_mode){c->cr4 & CR4_LA57 ? 5 : 4, 9, 8, 3};
    if (c->cr4 & CR4_PAE)
        return (struct paging_mode){3, 9, 8, 2};
    return (struct paging_mode){2, 10, 4, c->cr4 & CR4_PSE ? 2 : 1};
}

/* A 4 MiB page of 32-bit paging has its address bits 39:32 in bits 20:13. */
static u64 page_address(const struct paging_mode *m, u64 entry, u64 linear, unsigned shift)
{
    u64 inside = linear & (BIT(shift) - 1), base = entry & ADDRESS & ~(BIT(shift) - 1);
    if (m->entry_size == 4 && shift == 22)
        base = (entry & MASK(31, 22)) | FIELD_GET(entry, 20, 13) << 32;
    return base | inside;
}

/* Where a linear address leads, and what its page allows. */
struct translation {
    u64 physical, page_end; /* the page ends before this linear address */
    bool writable, user, executable;
};

static bool translate(const struct vcpu *v, u64 linear, struct translation *t)
{
    const struct vmcb *c = v->vmcb;
    struct paging_mode m = mode_of(c);
    bool pae = m.levels == 3;
    u64 table = c->cr3 & (pae ? MASK(31, 5) : ADDRESS);
    if (!(c->efer & EFER_LMA))
        linear = (u32)linear;
    *t = (struct translation){linear, (linear & ~(PAGE_SIZE - 1)) + PAGE_SIZE, true, true, true};
    if (!(c->cr0 & CR0_PG))
        return true;
    for (unsigned level = m.levels; level; level--) {
        unsigned shift = 12 + m.bits * (level - 1);
        u64 index = linear >> shift & (BIT(m.bits) - 1), entry = 0;
        if (!guest_copy(&entry, (const void *)(table + index * m.entry_size), m.entry_size) || !(entry & ENTRY_PRESENT))
            return false;
        t->writable &= !!(entry & ENTRY_WRITABLE);
        t->user &= !!(entry & ENTRY_USER);
        t->executable &= !(entry & ENTRY_NX);
        if (level == 1 || (level <= m.large_levels && entry & ENTRY_LARGE)) {
            t->physical = page_address(&m, entry, linear, shift);
            t->page_end = (linear & ~(BIT(shift) - 1)) + BIT(shift);
            return true;
        }
        table = entry & ADDRESS;
    }
    return false;
}

/* Own code shares the address space with the monitor, and so does every guest while the in-guest half runs. */
static bool shared(const struct vcpu *v)
{
    return !v->foreign || v->in_stub;
}

static bool copy(struct vcpu *v, u8 *monitor, u64 linear, u64 count, bool write)
{
    while (count) {
        struct translation t;
        if (!translate(v, linear, &t))
            return false;
        u64 part = t.page_end - linear < count ? t.page_end - linear : count;
        void *guest = (void *)t.physical;
        if (!guest_copy(write ? guest : monitor, write ? monitor : guest, part))
            return false;
        monitor += part;
        linear += part;
        count -= part;
    }
    return true;
}

bool guest_read(struct vcpu *v, void *to, u64 linear, u64 count)
{
    return shared(v) ? guest_copy(to, (const void *)linear, count) : copy(v, to, linear, count, false);
}

bool guest_write(struct vcpu *v, u64 linear, const void *from, u64 count)
{
    return shared(v) ? guest_copy((void *)linear, from, count) : copy(v, (u8 *)(u64)from, linear, count, true);
}

bool guest_identity(const struct vcpu *v, u64 base, u64 end)
{
    struct translation t;
    bool supervisor_only = v->vmcb->cr4 & (CR4_SMEP | CR4_SMAP);
    for (u64 at = base; at < end; at = t.page_end)
        if (!translate(v, at, &t) || t.physical != at || !t.writable || !t.executable || (t.user && supervisor_only))
            return false;
    return true;
}
