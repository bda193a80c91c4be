/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules for writing registers, from the matrices of each bit's behaviour. Bits that were not tried are assumed. */
#include "pmu/registers.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/profile/make.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The behaviour of each bit of a register. */
struct matrix {
    bool told;
    uint64_t kept, dropped, fault, untried;
};

/* Is the register in this range or name? IA32_PMC2 is in "IA32_PMC0..IA32_PMC3". */
static bool names(const char *reg, const char *name)
{
    const char *dots = strstr(reg, "..");
    size_t length = strlen(name);
    if (!dots)
        return strcmp(reg, name) == 0;
    while (length > 0 && strchr("0123456789", name[length - 1]))
        length--;
    if (strncmp(reg, name, length) != 0 || strncmp(dots + 2, name, length) != 0)
        return false;
    unsigned long n = strtoul(name + length, NULL, 10);
    return n >= strtoul(reg + length, NULL, 10) && n <= strtoul(dots + 2 + length, NULL, 10);
}

static struct matrix find_matrix(const struct maker *m, const char *name)
{
    const struct log_boot *boot = m->facts->boot;
    struct matrix matrix = {0};
    for_each_item (m->facts->run->results, result)
        for_each_record (boot, result, r) {
            const char *reg = log_value(r, "reg");
            if (!log_is(r, "bits") || !reg || !names(reg, name) || !facts_cpu_in(log_value(r, "cpus"), m->core->id))
                continue;
            matrix.told = log_number(r, "kept", &matrix.kept) && log_number(r, "dropped", &matrix.dropped) &&
                          log_number(r, "fault", &matrix.fault) && log_number(r, "untried", &matrix.untried);
        }
    return matrix;
}

/* The register's value at hand-off; 0 if the log has none. */
static uint64_t found(const struct maker *m, const char *name)
{
    uint64_t value = 0;
    for_each_record (m->facts->boot, m->facts->run, r)
        if (log_is(r, "found") && facts_cpu_in(log_value(r, "cpus"), m->core->id) && log_number(r, name, &value))
            return value;
    return 0;
}

static const char *source_of(const struct matrix *matrix)
{
    return !matrix->told ? "assumed" : matrix->untried ? "probed; bits that were not tried: assumed" : "probed";
}

/* "faults A; drops B; hand-off C": all other bits are kept. */
static void write_rule(const struct maker *m, const char *key, const struct matrix *matrix, uint64_t faults,
                       uint64_t drops, uint64_t handoff, const char *more)
{
    char mask[256], text[700] = "";
    size_t used = 0;
    faults &= ~handoff;
    drops &= ~faults;
    used += (size_t)snprintf(text, sizeof(text), "faults %s", profile_mask(faults, mask));
    if (drops)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "; drops %s", profile_mask(drops, mask));
    if (handoff)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "; hand-off 0x%" PRIx64, handoff);
    snprintf(text + used, sizeof(text) - used, "%s", more);
    profile_line(m, key, source_of(matrix), "%s", text);
}

static void write_evtsel(const struct maker *m)
{
    struct matrix first = find_matrix(m, "IA32_PERFEVTSEL0"), third = find_matrix(m, "IA32_PERFEVTSEL2");
    char mask[256], more[300] = "";
    uint64_t faults = first.told ? first.fault | first.untried : ~0xffffffffull;
    uint64_t beside = third.told && first.told ? (third.kept | third.dropped) & faults & ~first.untried : 0;
    if (beside)
        snprintf(more, sizeof(more), "; pmc2 accepts %s", profile_mask(beside, mask));
    write_rule(m, "evtsel", &first, faults, first.dropped, 0, more);
}

/* For a register of commands: the bits that it accepts. If some bits show an effect, bits without one are dropped. */
static void write_commands(const struct maker *m, const char *key, const char *name, bool shows, uint64_t assumed)
{
    struct matrix matrix = find_matrix(m, name);
    char mask[256], more[300] = "";
    if (!matrix.told)
        matrix.kept = assumed;
    if (shows && matrix.dropped)
        snprintf(more, sizeof(more), "; drops %s", profile_mask(matrix.dropped, mask));
    profile_line(m, key, source_of(&matrix), "accepts %s%s", profile_mask(matrix.kept | matrix.dropped, mask), more);
}

/* The bits that it keeps; bits that were not tried fault, except those in `legal`. */
static void write_kept(const struct maker *m, const char *key, const char *name, uint64_t legal)
{
    struct matrix matrix = find_matrix(m, name);
    uint64_t faults = matrix.told ? matrix.fault | (matrix.untried & ~legal) : ~legal;
    write_rule(m, key, &matrix, faults, matrix.dropped, found(m, name), "");
}

static uint64_t counters(const struct maker *m)
{
    uint64_t bitmap = 0;
    log_hex(m->core->record, "fixed-bitmap", &bitmap);
    return profile_gp_bitmap(m) | bitmap << 32;
}

static uint64_t fixed_fields(const struct maker *m)
{
    uint64_t bitmap = 0, fields = 0;
    log_hex(m->core->record, "fixed-bitmap", &bitmap);
    for (unsigned i = 0; i < 7; i++)
        if (bitmap >> i & 1)
            fields |= 0xbull << 4 * i;
    return fields;
}

static void write_pebs(const struct maker *m)
{
    uint64_t perfcap = profile_perfcap(m), threshold = found(m, "MSR_PEBS_LD_LAT_THRESHOLD");
    if (!(profile_leaf_value(m, 1, 0, FIELD_EDX) >> 21 & 1))
        return;
    write_kept(m, "pebs-enable", "IA32_PEBS_ENABLE",
               perfcap & PERF_CAP_PEBS_BASELINE ? counters(m) : (counters(m) & 0xf) | (counters(m) & 0xf) << 32);
    if (perfcap & PERF_CAP_PEBS_BASELINE)
        profile_line(m, "pebs-data-cfg", "assumed", "accepts 31:24 3:0");
    if (threshold)
        profile_line(m, "pebs-ld-lat", "value: probed", "keeps 15:0; hand-off 0x%" PRIx64, threshold & 0xffff);
    profile_line(m, "ds-area", "manual", "canonical");
}

/* Reading valid, 40 degrees below the limit, no throttling. */
static void write_thermal(const struct maker *m)
{
    uint32_t leaf = profile_leaf_value(m, 6, 0, FIELD_EAX);
    if (leaf & 1)
        profile_line(m, "therm-status", "manual; value assumed",
                     "keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core");
    if (leaf >> 6 & 1)
        profile_line(m, "package-therm-status", "manual; value assumed",
                     "keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package");
}

bool profile_drops_upper(const struct maker *m, const char *name, unsigned width)
{
    struct matrix matrix = find_matrix(m, name);
    return width < 64 && matrix.dropped >> width;
}

void profile_registers(const struct maker *m)
{
    unsigned version = profile_leaf_value(m, 0x0a, 0, FIELD_EAX) & 0xff;
    uint64_t misc = 0;
    write_evtsel(m);
    if (version >= 2) {
        write_commands(m, "status-reset", "IA32_PERF_GLOBAL_STATUS_RESET", false,
                       counters(m) | STATUS_OVF_UNCORE | STATUS_OVF_BUFFER | STATUS_COND_CHGD);
        if (version >= 4)
            write_commands(m, "status-set", "IA32_PERF_GLOBAL_STATUS_SET", true,
                           counters(m) | STATUS_OVF_UNCORE | STATUS_OVF_BUFFER);
        write_kept(m, "fixed-ctr-ctrl", "IA32_FIXED_CTR_CTRL", fixed_fields(m));
        write_kept(m, "global-ctrl", "IA32_PERF_GLOBAL_CTRL", counters(m));
    }
    write_kept(m, "debugctl", "IA32_DEBUGCTL", 0xffc3);
    log_hex(m->core->cpu, "misc-enable", &misc);
    profile_line(m, "misc-enable", "value: dump; bits: assumed",
                 "keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x%" PRIx64, misc);
    write_pebs(m);
    if (profile_perfcap(m) & PERF_CAP_METRICS) {
        profile_line(m, "perf-metrics", "assumed", "keeps all");
        profile_line(m, "metrics-levels", "assumed", "2");
    }
    write_thermal(m);
}
