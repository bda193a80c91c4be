/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/run.h"
#include <string.h>

/*
 * With the model of an older CPU the guest has that CPU's signature beside the host's counters, which is what clouds
 * show their guests. QEMU passes the version of the PMU and its counters on as KVM offers them.
 */
const struct sweep_shape sweep_shapes[SWEEP_SHAPES] = {
    {"no-pmu", "host,pmu=off"},
    {"host", "host,pmu=on"},
    {"no-capabilities", "host,pmu=on,pdcm=off"},
    {"nehalem", "Nehalem,pmu=on"},
    {"sandy-bridge", "SandyBridge,pmu=on"},
    {"haswell", "Haswell-noTSX,pmu=on"},
    {"skylake", "Skylake-Client-noTSX-IBRS,pmu=on"},
    {"cascade-lake", "Cascadelake-Server-noTSX,pmu=on"},
    {"ice-lake", "Icelake-Server-noTSX,pmu=on"},
    {"sapphire-rapids", "SapphireRapids,pmu=on"},
};

static const char *shown(const struct log_boot *boot, const char *key)
{
    const struct log_run *run = boot->runs.count ? &boot->runs.item[boot->runs.count - 1] : NULL;
    const struct log_record *core = log_find(boot, run, "core-type");
    const char *value = core ? log_value(core, key) : NULL;
    return value ? value : "-";
}

static void tell_failures(FILE *out, const struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        for_each_item (run->results, result)
            if (!result->parent && (result->outcome == LOG_FAIL || result->outcome == LOG_ERROR))
                fprintf(out, "    %s %s\n", result->outcome == LOG_FAIL ? "fails" : "ends in error:", result->id);
}

void sweep_tell(FILE *out, const struct log_file *file, const bool came[SWEEP_SHAPES])
{
    unsigned next = 0;
    fprintf(out, "%-16s %-34s %-7s %-6s %-6s %-9s %5s %5s %5s %5s %5s\n", "shape", "-cpu", "version", "gp", "fixed",
            "verdict", "pass", "fail", "known", "skip", "error");
    for (unsigned i = 0; i < SWEEP_SHAPES; i++) {
        const struct log_boot *boot = came[i] && next < file->boots.count ? &file->boots.item[next++] : NULL;
        fprintf(out, "%-16s %-34s ", sweep_shapes[i].name, sweep_shapes[i].cpu);
        if (!boot || !boot->started) {
            fprintf(out, "did not start\n");
            continue;
        }
        fprintf(out, "%-7s %-6s %-6s %-9s %5u %5u %5u %5u %5u\n", shown(boot, "version"), shown(boot, "gp"),
                shown(boot, "fixed"), boot->verdict[0] ? boot->verdict : "no end", boot->leaves[LOG_PASS],
                boot->leaves[LOG_FAIL], boot->leaves[LOG_KNOWN], boot->leaves[LOG_SKIP], boot->leaves[LOG_ERROR]);
        tell_failures(out, boot);
    }
}
