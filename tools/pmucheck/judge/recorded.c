/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/aspect.h"
#include "kernel/text/text.h"
#include "pmu/state/register.h"
#include "tools/pmucheck/judge/judge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The CPU */

static struct cpuid_regs leaf(void *core, uint32_t number, uint32_t sub)
{
    const struct facts_leaf *l = facts_leaf(core, number, sub);
    return l ? (struct cpuid_regs){l->value[0], l->value[1], l->value[2], l->value[3]} : (struct cpuid_regs){0};
}

struct pmu_caps recorded_caps(const struct facts_core *core)
{
    struct pmu_caps caps;
    struct caps_dump dump = {0};
    caps_ask(&dump, leaf, (void *)core);
    uint64_t microcode = 0, threads = 0;
    log_hex(core->record, "perfcap", &dump.perf_capabilities);
    log_hex(core->cpu, "misc-enable", &dump.misc_enable);
    log_hex(core->cpu, "microcode", &microcode);
    log_number(core->cpu, "threads-per-core", &threads);
    dump.microcode = (u32)microcode;
    dump.siblings = (u8)threads;
    caps_decode(&dump, &caps);
    return caps;
}

/* ---- The failed check */

static bool whole_number(const char *text, uint64_t *number)
{
    const char *end = number_parse(text, number);
    return end && !*end;
}

/* The words of fault_text(); which of them does not matter here. */
static bool is_fault(const char *text)
{
    return text[0] == '#' || strcmp(text, "nothing") == 0 || strcmp(text, "refused") == 0;
}

static void read_values(struct check *check, const char *got, const char *want)
{
    const char *dots = strstr(want, "..");
    check->kind = CHECK_TRUE;
    check->words = "";
    if (is_fault(got) && is_fault(want)) {
        check->kind = CHECK_FAULT;
    } else if (whole_number(got, &check->got) && whole_number(want, &check->want)) {
        check->kind = CHECK_EQUAL;
    } else if (dots && number_parse(want, &check->want) == dots && whole_number(dots + 2, &check->high)) {
        check->kind = CHECK_RANGE;
    }
}

/* "2/3": failed two times of three. Without it, failed the only time. */
static void read_frequency(struct check *check, const struct log_record *record)
{
    const char *failed = log_value(record, "failed"), *evidence = log_value(record, "evidence");
    unsigned times = 1, of = 1;
    if (failed && sscanf(failed, "%u/%u", &times, &of) == 2 && of >= times)
        check->repeated = true;
    check->failed = times ? times : 1;
    check->held = of - times;
    /* The check held when the whole test was repeated; the log has no number for that. */
    check->held_again = evidence && strcmp(evidence, "intermittent") == 0 && check->failed >= check->held;
}

static bool read_register(const char *name, u32 *msr)
{
    char *end;
    if (strncmp(name, "MSR_", 4) == 0) {
        unsigned long number = strtoul(name + 4, &end, 16);
        if (end > name + 4 && strcmp(end, "H") == 0) {
            *msr = (u32)number;
            return true;
        }
    }
    return register_number(name, msr);
}

/* Older logs lack the field: a result that was `known` keeps the benefit of the doubt. */
static void read_seen(struct check *check, const struct log_record *record)
{
    const char *seen = log_word(record, "seen");
    bool all = !log_value(record, "seen") && log_value(record, "erratum");
    check->failing.varied = all || strstr(seen, "differing");
    check->failing.more = check->failing.less = strstr(seen, "both-ways");
    check->failing.smi = all || strstr(seen, "smi");
    check->failing.beside_stop = all || strstr(seen, "beside-stop");
}

bool recorded_check(const struct log_record *record, struct check *check, bool *asked)
{
    const char *label = log_value(record, "label"), *got = log_value(record, "got"), *want = log_value(record, "want"),
               *reg = log_value(record, "reg"), *asks = log_value(record, "asks");
    uint64_t bit;
    *check = (struct check){.label = label, .bit = NO_BIT};
    *asked = asks && aspect_parse(asks, &check->aspects);
    if (!label || !got || !want)
        return false;
    read_values(check, got, want);
    read_frequency(check, record);
    read_seen(check, record);
    if (reg)
        read_register(reg, &check->msr);
    if (log_number(record, "bit", &bit) && bit < 64)
        check->bit = (u8)bit;
    return true;
}
