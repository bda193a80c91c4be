/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/microcode.h"
#include "boot/bytes.h"
#include "kernel/core/option.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/registers.h"

/* SDM 3A, "Microcode Update": the header, before the data. Fields have 32 bits. */
#define HEADER_VERSION 0
#define REVISION 4
#define DATE 8
#define SIGNATURE 12
#define SUM 16
#define LOADER_REVISION 20
#define PLATFORMS 24 /* bit = platform */
#define DATA_SIZE 28 /* 0: DATA_SIZE_OLD, and no table after the data */
#define TOTAL_SIZE 32
#define LEAST_REVISION 40 /* lowest revision for a load on a running system; 0: not stated, as in old files */
#define HEADER_BYTES 48
#define DATA_SIZE_OLD 2000
#define SIZE_UNIT 1024
/* SDM 3A, "Optional Extended Signature Table": further CPUs that the update is for. */
#define TABLE_COUNT 0
#define TABLE_BYTES 20
#define ENTRY_SIGNATURE 0
#define ENTRY_PLATFORMS 4
#define ENTRY_SUM 8
#define ENTRY_BYTES 12

/* One update of the file. */
struct piece {
    const u8 *at;
    u64 offset;
    u32 data, total; /* bytes */
    u32 entries;     /* in its table of further CPUs */
};

static u32 field(const struct piece *piece, unsigned which)
{
    return bytes_get32(piece->at + which);
}

static const u8 *table_of(const struct piece *piece)
{
    return piece->at + HEADER_BYTES + piece->data;
}

static u32 sum_of(const u8 *bytes, u64 count)
{
    u32 sum = 0;
    for (u64 i = 0; i < count; i += 4)
        sum += bytes_get32(bytes + i);
    return sum;
}

/* ---- Is the update undamaged? Each returns NULL, or what is wrong. */

static const char *look_at_sizes(struct piece *piece, u64 left)
{
    if (left < HEADER_BYTES)
        return "the rest of the file is not an update";
    if (field(piece, HEADER_VERSION) != 1 || field(piece, LOADER_REVISION) != 1)
        return "its header version or loader revision is not 1";
    piece->data = field(piece, DATA_SIZE) ? field(piece, DATA_SIZE) : DATA_SIZE_OLD;
    piece->total = field(piece, DATA_SIZE) ? field(piece, TOTAL_SIZE) : HEADER_BYTES + DATA_SIZE_OLD;
    if (piece->data % 4 || piece->total % SIZE_UNIT || (u64)piece->data + HEADER_BYTES > piece->total)
        return "its sizes are impossible";
    return piece->total > left ? "it is cut off" : NULL;
}

/* An entry replaces three fields of the header, so the header's sum must stay right with it. */
static bool entry_holds(const struct piece *piece, const u8 *entry)
{
    return bytes_get32(entry + ENTRY_SIGNATURE) + bytes_get32(entry + ENTRY_PLATFORMS) +
               bytes_get32(entry + ENTRY_SUM) ==
           field(piece, SIGNATURE) + field(piece, PLATFORMS) + field(piece, SUM);
}

static const char *look_at_table(struct piece *piece)
{
    const u8 *table = table_of(piece);
    u32 room = piece->total - HEADER_BYTES - piece->data;
    if (!room)
        return NULL;
    u32 entries = room < TABLE_BYTES ? ~0u : bytes_get32(table + TABLE_COUNT);
    if (entries > (room - TABLE_BYTES) / ENTRY_BYTES)
        return "its table of further CPUs does not fit";
    if (sum_of(table, TABLE_BYTES + entries * ENTRY_BYTES))
        return "the checksum of its table of further CPUs is wrong";
    for (u32 n = 0; n < entries; n++)
        if (!entry_holds(piece, table + TABLE_BYTES + n * ENTRY_BYTES))
            return "the checksum of a further CPU in its table is wrong";
    piece->entries = entries;
    return NULL;
}

static const char *look_at(struct piece *piece, u64 left)
{
    const char *wrong = look_at_sizes(piece, left);
    if (!wrong && sum_of(piece->at, piece->total))
        wrong = "its checksum is wrong";
    return wrong ? wrong : look_at_table(piece);
}

/* ---- Is it for this CPU? */

static bool fits(const struct microcode_cpu *cpu, u32 signature, u32 platforms)
{
    return signature == cpu->signature && platforms >> cpu->platform & 1;
}

static bool is_for(const struct piece *piece, const struct microcode_cpu *cpu)
{
    if (fits(cpu, field(piece, SIGNATURE), field(piece, PLATFORMS)))
        return true;
    for (u32 n = 0; n < piece->entries; n++) {
        const u8 *entry = table_of(piece) + TABLE_BYTES + n * ENTRY_BYTES;
        if (fits(cpu, bytes_get32(entry + ENTRY_SIGNATURE), bytes_get32(entry + ENTRY_PLATFORMS)))
            return true;
    }
    return false;
}

/* CPUs that may hang when they load an update on a running system. */
static const struct {
    u32 signature, before; /* before: below this revision */
    const char *source;
} late_hangs[] = {{0x406f1, 0x0b000021, "BDX90"}};

static const char *unsafe(const struct piece *newest, const struct microcode_cpu *cpu, char *text)
{
    u32 least = field(newest, LEAST_REVISION);
    for_each_row (late_hangs, row)
        if (cpu->signature == row->signature && cpu->revision < row->before) {
            format_text(text, MICROCODE_TEXT,
                        "below revision %08x this CPU may hang if it loads one on a running system (%s)", row->before,
                        row->source);
            return text;
        }
    if (cpu->revision >= least)
        return NULL;
    format_text(text, MICROCODE_TEXT,
                "revision %08x may be loaded on a running system only from %08x on; the CPU has "
                "%08x",
                field(newest, REVISION), least, cpu->revision);
    return text;
}

static const char *judge(const struct piece *newest, u32 updates, const struct microcode_cpu *cpu, char *text)
{
    if (!newest->at)
        format_text(text, MICROCODE_TEXT, "none of %u updates is for signature %08x on platform %u", updates,
                    cpu->signature, cpu->platform);
    else if (!microcode_newer(field(newest, REVISION), cpu->revision))
        format_text(text, MICROCODE_TEXT, "revision %08x is not newer than the CPU's revision %08x",
                    field(newest, REVISION), cpu->revision);
    else
        return unsafe(newest, cpu, text);
    return text;
}

const char *microcode_choose(const void *file, u64 size, const struct microcode_cpu *cpu,
                             struct microcode_update *update, char *text)
{
    struct piece newest = {0}, piece = {.at = file};
    u32 updates = 0;
    for (; piece.offset < size; updates++) {
        const char *wrong = look_at(&piece, size - piece.offset);
        if (wrong) {
            format_text(text, MICROCODE_TEXT, "damaged: update %u, at byte %lu: %s", updates + 1, piece.offset, wrong);
            return text;
        }
        if (is_for(&piece, cpu) && (!newest.at || microcode_newer(field(&piece, REVISION), field(&newest, REVISION))))
            newest = piece;
        piece = (struct piece){.at = piece.at + piece.total, .offset = piece.offset + piece.total};
    }
    const char *why = judge(&newest, updates, cpu, text);
    if (!why)
        *update = (struct microcode_update){file, size, newest.at + HEADER_BYTES, field(&newest, REVISION),
                                            field(&newest, DATE)};
    return why;
}

OPTION(microcode, .kind = OPTION_FLAG,
       .help = "all tests, then the update of microcode in the module that GRUB loaded, then all tests again, and what "
               "it changed; it stays until the machine is switched off or reset");

bool microcode_requested(void)
{
    return option_microcode.given;
}

/* SDM 3A, "Update Signature and Verification": write 0, run CPUID.1, read the revision from the upper half. */
u32 microcode_revision(void)
{
    u64 value;
    if (system_wrmsr_try(MSR_BIOS_SIGN_ID, 0) != NO_FAULT)
        return 0;
    cpuid(1, 0);
    return rdmsr_try(MSR_BIOS_SIGN_ID, &value) == NO_FAULT ? (u32)FIELD_GET(value, 63, 32) : 0;
}

struct microcode_cpu microcode_of_cpu(void)
{
    u64 platform = 0;
    rdmsr_try(MSR_PLATFORM_ID, &platform);
    return (struct microcode_cpu){cpuid(1, 0).eax, (u32)FIELD_GET(platform, 52, 50), microcode_revision()};
}
