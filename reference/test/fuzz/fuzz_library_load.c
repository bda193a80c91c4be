/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes may be loaded as a saved instance: they are refused, and nothing has changed, or the instance goes on with
 * them, whatever they are: no access outside of it, no undefined step. Bytes from nowhere do not get past the checksum;
 * so most inputs are changes of an instance's own bytes, under a new checksum.
 */
#include "reference/library/instance.h"
#include "reference/test/fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define CRC_AT 16 /* in the header, of all bytes behind it */

static struct pmumodel *pmu;
static u8 saved[16384];

static void registers_given(void *context, struct pmumodel_registers *r)
{
    (void)context;
    memset(r, 0x5a, sizeof(*r));
}

static bool put_anywhere(void *context, u64 address, const void *from, u32 count)
{
    (void)context, (void)address;
    const u8 *bytes = from;
    u8 sum = 0;
    for (u32 i = 0; i < count; i++)
        sum ^= bytes[i];
    return sum != 1;
}

static u32 apic_read(void *context, u32 offset)
{
    (void)context;
    return offset;
}

static void apic_write(void *context, u32 offset, u32 value)
{
    (void)context, (void)offset, (void)value;
}

/* `full`: all callbacks; else only those that each host has. */
static struct pmumodel_host host_of(bool full)
{
    struct pmumodel_host host = {.size = sizeof(host),
                                 .context = &lvtpc, /* LVTPC's vector may be any */
                                 .lvtpc_read = lvtpc_read,
                                 .lvtpc_write = lvtpc_write,
                                 .interrupt = interrupt,
                                 .nmi = nmi,
                                 .time = ticks};
    if (!full)
        return host;
    host.memory_read = host.physical_read = memory_read;
    host.memory_write = host.physical_write = put_anywhere;
    host.registers = registers_given;
    host.apic_read = apic_read;
    host.apic_write = apic_write;
    return host;
}

static void checksum(u8 *bytes, size_t size)
{
    u32 crc = ~0u;
    for (size_t i = CRC_AT + 4; i < size; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    memcpy(bytes + CRC_AT, &crc, sizeof(crc));
}

/* Changes some of an instance's own bytes: their place, and what is written there. */
static void change(struct input *in, size_t size)
{
    for (unsigned changes = (unsigned)take(in, 1) % 32; changes && in->left; changes--) {
        size_t at = take(in, 2) % size, count = take(in, 1) % 17;
        for (size_t i = at; i < at + count && i < size; i++)
            saved[i] = (u8)take(in, 1);
    }
    checksum(saved, size);
}

static void goes_on(struct input *in)
{
    static const u32 native[4];
    u64 value;
    u32 out[4];
    for (unsigned i = 0; i < owned_count; i++)
        pmumodel_rdmsr(pmu, owned[i], &value);
    while (in->left) {
        u8 what = (u8)take(in, 1);
        struct pmumodel_retired one = {.kind = what >> 3, .cpl = what & 3, .branch = (u8)take(in, 1), .rip = 0x1000};
        one.taken = one.branch & 8;
        one.access = one.branch >> 4;
        one.branch &= 7;
        stores = 0;
        if (what < 0xc0)
            pmumodel_retire(pmu, &one);
        else if (what < 0xd0)
            pmumodel_wrmsr(pmu, owned[take(in, 2) % owned_count], take(in, 8));
        else if (what < 0xe0)
            pmumodel_rdpmc(pmu, (u32)take(in, 4), 0, true, &value);
        else if (what < 0xe8)
            pmumodel_delivered(pmu, (u8)take(in, 1), 0, 0x2000);
        else if (what < 0xf0)
            pmumodel_halted(pmu, what & 1);
        else if (what < 0xf4)
            pmumodel_init_signal(pmu);
        else if (what < 0xf8)
            pmumodel_cpuid(pmu, (u32)take(in, 1), (u32)take(in, 1), native, out);
        else
            pmumodel_interrupted(pmu, 0);
        u32 room = pmumodel_stepping(pmu) ? pmumodel_run_room(pmu) : 0;
        if (room > 2 && (what & 1))
            pmumodel_retire_run(pmu, &(struct pmumodel_run){.instructions = room / 2, .rip = 0x3000});
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static u8 before[PMUMODEL_SIZE_MOST];
    static u64 core[PMUMODEL_CORE_SIZE_MOST / 8];
    struct input in = {data, size};
    u8 form = (u8)take(&in, 1);
    struct pmumodel_host host = host_of(form & 1);
    struct pmumodel_setup setup = {.size = sizeof(setup), .profile = pmumodel_profile_at((u32)take(&in, 1) % 28)};
    size_t length;
    find_owned();
    pmu = aligned_alloc(16, PMUMODEL_SIZE_MOST);
    honest = false;
    lvtpc = 0x100f0;
    setup.cpus = 4;
    setup.cpu = form >> 1 & 3;
    setup.core = form & 8 ? (struct pmumodel_core *)core : NULL;
    memset(core, 0, sizeof(core));
    require(pmumodel_reset(pmu, &setup, &host) == PMUMODEL_OK);
    require(pmumodel_save(pmu, saved, sizeof(saved), &length) == PMUMODEL_OK);
    if (form & 0x10) {
        length = in.left < sizeof(saved) ? in.left : sizeof(saved);
        memcpy(saved, in.data, length);
    } else
        change(&in, length);
    memcpy(before, pmu, pmumodel_size());
    if (pmumodel_load(pmu, saved, length) == PMUMODEL_OK)
        goes_on(&in);
    else
        require(!memcmp(before, pmu, pmumodel_size()));
    free(pmu);
    return 0;
}
