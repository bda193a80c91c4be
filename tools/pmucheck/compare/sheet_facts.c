/* SPDX-License-Identifier: BSD-2-Clause */
/* Identity and capabilities of a column: the machine, and every field of its leaves. */
#include "pmu/registers.h"
#include "tools/pmucheck/compare/sheet.h"
#include "tools/pmucheck/log/relation.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Identity */

static void fill_identity(struct sheet *sheet, const struct facts *facts)
{
    static const struct row_member members[] = {{"PMU", row_pmu, false},
                                                {"brand", row_brand, false},
                                                {"signature", row_signature, false},
                                                {"microcode", row_microcode, false},
                                                {"threads per core", row_threads, false},
                                                {"hypervisor", row_hypervisor, false},
                                                {"firmware", row_firmware, false},
                                                {"board", row_board, false},
                                                {"bios", row_bios, false},
                                                {"CPUs", row_machine_cpus, false},
                                                {"memory KiB", row_memory_kib, false},
                                                {"TSC kHz", row_told_tsc_khz, false},
                                                {"TSC source", row_tsc_source, false},
                                                {"APIC", row_apic, false},
                                                {"platform id", row_platform_id, false},
                                                {"platform info", row_platform_info, false},
                                                {"IA32_MISC_ENABLE", row_first_misc_enable, false},
                                                {"core types", row_core_types, false},
                                                {"options, boot", row_boot_options, false},
                                                {"options, QEMU", row_qemu_options, false},
                                                {"image", row_version, false},
                                                {"commit", row_commit, false},
                                                {"image's sum", row_sum, false},
                                                {0}};
    const struct row run = {.arena = &sheet->scratch, .boot = facts->boot, .run = facts->run, .facts = facts};
    for (const struct row_member *member = members; member->name; member++) {
        const char *value = member->value(&run);
        if (value && value[0])
            sheet_put(sheet, SHEET_IDENTITY, "", member->name, value);
    }
}

/* ---- Leaves */

static bool wide(unsigned high, unsigned low)
{
    return high - low >= 8;
}

static void set_field(struct sheet *sheet, const char *group, const char *name, uint64_t value, bool hexadecimal)
{
    sheet_set(sheet, SHEET_CAPABILITIES, group, name, hexadecimal ? "0x%" PRIx64 : "%" PRIu64, value);
}

static uint64_t extract(uint64_t value, unsigned high, unsigned low)
{
    return value >> low & (high - low == 63 ? ~0ull : (1ull << (high - low + 1)) - 1);
}

static void leaf_name(char *text, size_t size, const struct facts_leaf *leaf)
{
    if (leaf->subleaf)
        snprintf(text, size, "CPUID.%02XH.%u", leaf->leaf, leaf->subleaf);
    else
        snprintf(text, size, "CPUID.%02XH", leaf->leaf);
}

/* Sets a field of a register, whose other bits are left. */
static void fill_field(struct sheet *sheet, const char *group, const struct field *f, uint32_t value, uint32_t *left)
{
    *left &= ~(uint32_t)(extract(~0ull, f->high, f->low) << f->low);
    if (f->name)
        set_field(sheet, group, f->name, extract(value, f->high, f->low), wide(f->high, f->low));
}

/* The named ones of several single bits. */
static void fill_bits(struct sheet *sheet, const char *group, const struct field *f, uint32_t value, uint32_t *left)
{
    char name[48];
    struct field bit = {.high = f->low, .low = f->low, .name = name};
    for (const char *at = f->bits;; at++, bit.high++, bit.low++) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof(name), "%.*s", (int)length, at);
        if (length)
            fill_field(sheet, group, &bit, value, left);
        at += length;
        if (!*at)
            return;
    }
}

/* Known fields by name; the remaining bits of each register as one number. */
static void fill_leaf(struct sheet *sheet, const struct facts_leaf *leaf)
{
    static const char *const registers[4] = {"EAX, other bits", "EBX, other bits", "ECX, other bits",
                                             "EDX, other bits"};
    uint32_t left[4];
    char group[64];
    leaf_name(group, sizeof(group), leaf);
    memcpy(left, leaf->value, sizeof(left));
    for (const struct field *f = cpuid_fields; f->high != 0xff; f++)
        if (f->leaf == leaf->leaf && f->subleaf == leaf->subleaf)
            (f->bits ? fill_bits : fill_field)(sheet, group, f, leaf->value[f->reg], &left[f->reg]);
    for (unsigned i = 0; i < 4; i++)
        if (left[i])
            set_field(sheet, group, registers[i], left[i], true);
}

/* ---- Branch records */

/* Their number and format, and the depths of architectural ones. SDM 3B, "LBR Stack"; SDM 2A, "CPUID". */
static void fill_records(struct sheet *sheet, const struct facts_core *core)
{
    static const char *const formats[] = {"32-bit",
                                          "LIP",
                                          "EIP",
                                          "EIP, flags",
                                          "EIP, flags, TSX",
                                          "EIP, MSR_LBR_INFO",
                                          "EIP, flags, cycles",
                                          "MSR_LBR_INFO of format 7"};
    const struct facts_leaf *leaf = facts_leaf(core, 0x1c, 0);
    const char *depth = log_value(core->record, "lbr");
    uint64_t perfcap;
    if (depth)
        sheet_put(sheet, SHEET_CAPABILITIES, "branch records", "depth", depth);
    if (log_hex(core->record, "perfcap", &perfcap)) {
        unsigned format = (unsigned)(perfcap & PERF_CAP_LBR_FORMAT);
        const char *name = format < sizeof(formats) / sizeof(formats[0]) ? formats[format]
                           : format == 0x3f                              ? "architectural"
                                                                         : "unknown";
        sheet_set(sheet, SHEET_CAPABILITIES, "branch records", "format", "0x%x (%s)", format, name);
    }
    for (unsigned n = 0; leaf && n < 8; n++)
        if (leaf->value[FIELD_EAX] >> n & 1)
            sheet_set(sheet, SHEET_CAPABILITIES, "branch records", "depths", "%u", 8 * (n + 1));
}

static void fill_core(struct sheet *sheet, const struct facts_core *core)
{
    static const char *const keys[] = {"class", "native-model", "version", "gp", "gp-bitmap", "fixed", "fixed-bitmap"};
    uint64_t value;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (log_value(core->record, keys[i]))
            sheet_put(sheet, SHEET_CAPABILITIES, "PMU", keys[i], log_value(core->record, keys[i]));
    if (log_hex(core->record, "perfcap", &value))
        for (const struct field *f = perf_capabilities_fields; f->high != 0xff; f++)
            if (!(1ull << f->low & PERF_CAP_LBR_FORMAT)) /* which fill_records() puts into words */
                set_field(sheet, "IA32_PERF_CAPABILITIES", f->name, extract(value, f->high, f->low),
                          f->high - f->low > 4);
    fill_records(sheet, core);
    for_each_item (core->leaves, leaf)
        if (!sheet_repeat(sheet, leaf, sizeof(*leaf))) {
            fill_leaf(sheet, leaf);
            sheet_repeated(sheet);
        }
}

void sheet_fill_facts(struct sheet *sheet, const struct sheet_source *from)
{
    fill_identity(sheet, from->facts);
    if (from->core)
        fill_core(sheet, from->core);
}
