/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A foreign guest's memory, seen from outside: its page tables are walked, and physical addresses are the monitor's
 * own. SDM 3A, "Paging". guest_read() and guest_write() ignore access rights: they do what the CPU would do as
 * supervisor. A view serves instructions that are executed in the guest's place; whatever would fault, or set a bit in
 * the page tables, is left to the CPU.
 */
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/hidden.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "reference/step/interpreter/interpret.h"

#define ENTRY_PRESENT BIT(0)
#define ENTRY_WRITABLE BIT(1)
#define ENTRY_USER BIT(2)
#define ENTRY_ACCESSED BIT(5)
#define ENTRY_DIRTY BIT(6)
#define ENTRY_LARGE BIT(7)
#define ENTRY_KEY MASK(62, 59)
#define ENTRY_NX BIT(63)
#define ADDRESS MASK(51, 12)

/* How the levels of a paging mode are laid out; level 1 is the last. */
struct paging_mode {
    unsigned levels, bits, entry_size, large_levels; /* large pages exist from level 2 up to here */
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
    bool accessed, dirty, keyed; /* keyed: its protection key is not 0 */
};

static bool translate(const struct vcpu *v, u64 linear, struct translation *t)
{
    const struct vmcb *c = v->vmcb;
    struct paging_mode m = mode_of(c);
    bool pae = m.levels == 3;
    u64 table = c->cr3 & (pae ? MASK(31, 5) : ADDRESS);
    if (!(c->efer & EFER_LMA))
        linear = (u32)linear;
    *t = (struct translation){linear, (linear & ~(PAGE_SIZE - 1)) + PAGE_SIZE, true, true, true, true, true, false};
    t->user = !!(c->cr0 & CR0_PG); /* without paging every page is the supervisor's: other CPLs are the CPU's */
    if (!t->user)
        return true;
    for (unsigned level = m.levels; level; level--) {
        unsigned shift = 12 + m.bits * (level - 1);
        u64 index = linear >> shift & (BIT(m.bits) - 1), entry = 0;
        if (!direct_load(&entry, table + index * m.entry_size, m.entry_size) || !(entry & ENTRY_PRESENT))
            return false;
        t->writable &= !!(entry & ENTRY_WRITABLE);
        t->user &= !!(entry & ENTRY_USER);
        t->executable &= !(entry & ENTRY_NX);
        t->accessed &= !!(entry & ENTRY_ACCESSED);
        if (level == 1 || (level <= m.large_levels && entry & ENTRY_LARGE)) {
            t->physical = page_address(&m, entry, linear, shift);
            t->page_end = (linear & ~(BIT(shift) - 1)) + BIT(shift);
            t->dirty = entry & ENTRY_DIRTY;
            t->keyed = m.entry_size == 8 && (entry & ENTRY_KEY);
            return true;
        }
        table = entry & ADDRESS;
    }
    return false;
}

/* Has the guest's address space the monitor mapped? This image always; any guest while the in-guest half runs. */
static bool shared(const struct vcpu *v)
{
    return !is_foreign(v) || v->in_stub;
}

static bool copy(struct vcpu *v, u8 *monitor, u64 linear, u64 count, bool write)
{
    while (count) {
        struct translation t;
        if (!translate(v, linear, &t))
            return false;
        u64 part = t.page_end - linear < count ? t.page_end - linear : count;
        void *guest = (void *)t.physical;
        if (hidden_has(t.physical)) {
            hidden_note(v, t.physical, write);
            return false;
        }
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

/* ---- A view from outside. */

#define CACHED 64

static PER_CPU struct view {
    u64 generation;
    struct cached {
        u64 generation, page;
        bool present;
        struct translation t;
    } cached[CACHED];
} views;

/* The guest is seen through its page tables; else addresses are those of the loaded address space. */
static bool is_viewed(const struct vcpu *v)
{
    return v->running == RUN_VIEWED;
}

/* May the guest access this address? Inside a foreign guest the monitor is mapped one to one, too. */
static bool is_its_own(struct vcpu *v, u64 address, bool store)
{
    if (!is_foreign(v) || !hidden_has(address))
        return true;
    hidden_note(v, address, store);
    return false;
}

void guest_view(struct vcpu *v)
{
    of_cpu(views, v->cpu).generation++;
}

u64 guest_view_number(const struct vcpu *v)
{
    return of_cpu(views, v->cpu).generation;
}

/* The translation for `size` bytes at `address` if they lie within one page that the guest has accessed before. */
static const struct translation *seen(struct vcpu *v, u64 address, u64 size)
{
    struct view *view = &of_cpu(views, v->cpu);
    u64 page = address / PAGE_SIZE;
    struct cached *c = &view->cached[page % CACHED];
    if (c->generation != view->generation || c->page != page) {
        c->generation = view->generation;
        c->page = page;
        c->present = translate(v, page * PAGE_SIZE, &c->t) && c->t.accessed && !hidden_has(c->t.physical);
    }
    return c->present && address % PAGE_SIZE + size <= PAGE_SIZE ? &c->t : NULL;
}

static bool may_access(const struct vcpu *v, const struct translation *t)
{
    const struct vmcb *c = v->vmcb;
    if (t->keyed && c->cr4 & CR4_PKE)
        return false;
    return c->cpl == 3 ? t->user : !t->user || !(c->cr4 & CR4_SMAP) || c->rflags & RFLAGS_AC;
}

static bool may_execute(const struct vcpu *v, const struct translation *t)
{
    const struct vmcb *c = v->vmcb;
    return t->executable && (c->cpl == 3 ? t->user : !t->user || !(c->cr4 & CR4_SMEP));
}

/* The guest sees other contents in the APIC's page than the machine has. */
static bool hidden(const struct vcpu *v, const struct translation *t)
{
    return (v->apic.hidden || keeps_time(v)) && t->physical == v->apic.page;
}

bool guest_load(u64 *value, u64 address, u64 size)
{
    struct vcpu *v = vcpu_here();
    if (!is_viewed(v))
        return is_its_own(v, address, false) && direct_load(value, address, size);
    const struct translation *t = seen(v, address, size);
    return t && may_access(v, t) && !hidden(v, t) && direct_load(value, t->physical + address % PAGE_SIZE, size);
}

bool guest_store(u64 address, u64 value, u64 size)
{
    struct vcpu *v = vcpu_here();
    if (!is_viewed(v))
        return is_its_own(v, address, true) && direct_store(address, value, size);
    const struct translation *t = seen(v, address, size);
    return t && may_access(v, t) && t->writable && t->dirty && t->physical != v->apic.page &&
           direct_store(t->physical + address % PAGE_SIZE, value, size);
}

/* Checks the same rights as guest_load() or guest_store(). */
bool guest_reach(u64 *where, u64 address, u64 size, bool store)
{
    *where = address;
    struct vcpu *v = vcpu_here();
    if (!is_viewed(v))
        return is_its_own(v, address, store);
    const struct translation *t = seen(v, address, size);
    if (!t || !may_access(v, t) || hidden(v, t))
        return false;
    *where = t->physical + address % PAGE_SIZE;
    return !store || (t->writable && t->dirty && t->physical != v->apic.page);
}

/* 16 bytes of code that lie in one page. */
static bool fetch_viewed(struct vcpu *v, u64 to[2], u64 address)
{
    const struct translation *t = seen(v, address, 16);
    return t && may_execute(v, t) && guest_fetch(to, (const void *)(t->physical + address % PAGE_SIZE));
}

bool guest_view_fetch(struct vcpu *v, u64 to[2], u64 rip)
{
    u64 both[4], next = (rip / PAGE_SIZE + 1) * PAGE_SIZE;
    if (next - rip >= 16)
        return fetch_viewed(v, to, rip);
    if (!fetch_viewed(v, both, next - 16) || !fetch_viewed(v, both + 2, next))
        return false;
    memcpy(to, (const u8 *)both + 16 - (next - rip), 16);
    return true;
}

bool guest_code_is(struct vcpu *v, u64 rip, const void *bytes, u64 count)
{
    if (v->running != RUN_VIEWED)
        return direct_same(bytes, (const void *)rip, count);
    const struct translation *t = seen(v, rip, count);
    return t && may_execute(v, t) && direct_same(bytes, (const void *)(t->physical + rip % PAGE_SIZE), count);
}
