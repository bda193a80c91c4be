/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/needs.h"
#include "harness/core/errata.h"
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/pebs.h"

__attribute__((format(printf, 3, 4))) static bool says(struct unmet *unmet, enum reason code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_args(unmet->text, sizeof(unmet->text), format, args);
    va_end(args);
    unmet->code = code;
    return true;
}

static bool not_intel(const struct pmu_caps *caps, const struct environment *environment, struct unmet *unmet)
{
    return !caps->intel && says(unmet, REASON_CPU_VENDOR, "vendor %s: only promises of GenuineIntel are tested here",
                                environment->vendor);
}

/* What makes the whole PMU unusable. */
static bool no_pmu(const struct pmu_caps *caps, struct unmet *unmet)
{
    if (caps->cpuid_limited)
        return says(unmet, REASON_ENUM_CPUID_LIMIT,
                    "IA32_MISC_ENABLE[22]=1: the firmware option \"limit CPUID maximum\" hides leaf 0AH");
    if (!caps->present && caps->max_leaf < 0x0a)
        return says(unmet, REASON_CPU_NO_PMU, "CPUID.0:EAX=0x%x: no leaf 0AH, and so no architectural PMU",
                    caps->max_leaf);
    if (!caps->present)
        return says(unmet, REASON_CPU_NO_PMU, "CPUID.0AH:EAX=0x%08x: no architectural PMU", caps->leaf0a.eax);
    if (caps->misc_enable_unread)
        return says(unmet, REASON_NONE, "IA32_MISC_ENABLE was not read: RDMSR faults");
    return !caps->perfmon_available &&
           says(unmet, REASON_FIRMWARE_PERFMON, "IA32_MISC_ENABLE[7]=0 (0x%lx): performance monitoring unavailable",
                caps->misc_enable);
}

static bool sampling_lacks(enum pebs_lack lack, struct unmet *unmet)
{
    unmet->code = lack == PEBS_SWITCHED_OFF ? REASON_CPU_NO_PEBS
                  : lack == PEBS_BROKEN     ? REASON_FIRMWARE_MICROCODE
                                            : REASON_NONE;
    return lack != PEBS_USABLE;
}

/* The bits are then unknown, not 0. */
static bool no_capabilities(const struct pmu_caps *caps, struct unmet *unmet)
{
    const char *why = caps_no_capabilities(caps);
    return why && says(unmet, REASON_NONE, "%s", why);
}

/* If a promise is for both kinds of sampling, the record format shows which kind the CPU has. */
static bool by_architecture(const struct needs *needs, const struct pmu_caps *caps)
{
    return needs->apebs || (needs->sampling && pebs_format(caps) == PEBS_FORMAT_ARCHITECTURAL);
}

static bool no_architectural(const struct pmu_caps *caps, struct unmet *unmet)
{
    char text[APEBS_TEXT];
    const char *why = apebs_unavailable(caps, text);
    return why && says(unmet, REASON_NONE, "%s", why);
}

/* What a test that needs sampling requires. */
static bool no_sampling(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    _Static_assert(NEEDS_TEXT >= PEBS_TEXT && NEEDS_TEXT >= APEBS_TEXT, "room for its reasons");
    if (needs->netburst && sampling_lacks(netburst_pebs_unavailable(caps, unmet->text), unmet))
        return true;
    if (by_architecture(needs, caps))
        return no_architectural(caps, unmet);
    bool by_store = !needs->netburst && (needs->pebs || needs->sampling);
    if (by_store && sampling_lacks(pebs_unavailable(caps, needs->pebs_format, unmet->text), unmet))
        return true;
    if (by_store && caps->version < 2)
        return says(unmet, REASON_NONE, "CPUID.0AH:EAX[7:0]=%u: PEBS without IA32_PERF_GLOBAL_CTRL", caps->version);
    return needs->adaptive && !pebs_adaptive(caps) &&
           (no_capabilities(caps, unmet) ||
            says(unmet, REASON_NONE, "IA32_PERF_CAPABILITIES=0x%lx: no adaptive PEBS", caps->perf_capabilities));
}

static bool no_event(const struct pmu_caps *caps, u32 event, struct unmet *unmet)
{
    if (event >= caps->event_length)
        return says(unmet, REASON_NONE, "CPUID.0AH:EAX[31:24]=%u: event %u is not enumerated", caps->event_length,
                    event);
    return !caps_event_available(caps, event) &&
           says(unmet, REASON_NONE, "CPUID.0AH:EBX=0x%08x: event %u unavailable", caps->leaf0a.ebx, event);
}

/* Counters that count no event: hypervisors that do not share the PMU show the leaf like this. */
static bool nothing_to_count(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    return !needs->no_counter && !needs->no_pmu && caps_no_event(caps) &&
           says(unmet, REASON_CPU_NO_EVENT, "CPUID.0AH:EAX[31:24]=%u, EBX=0x%08x: no architectural event available",
                caps->event_length, caps->leaf0a.ebx);
}

static bool no_feature(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    if (caps->version < needs->version)
        return says(unmet, REASON_NONE, "CPUID.0AH:EAX[7:0]=%u: version %u is needed", caps->version, needs->version);
    if (nothing_to_count(needs, caps, unmet))
        return true;
    if (!needs->no_counter && !needs->no_pmu && !caps->gp_count)
        return says(unmet, REASON_NONE, "CPUID.0AH:EAX=0x%08x: no GP counter", caps->leaf0a.eax);
    if (needs->full_width && !caps->full_width)
        return no_capabilities(caps, unmet) ||
               says(unmet, REASON_NONE, "IA32_PERF_CAPABILITIES[13]=0 (0x%lx): no full-width writes",
                    caps->perf_capabilities);
    if (needs->fixed && !caps->fixed_bitmap)
        return says(unmet, REASON_NONE, "CPUID.0AH:EDX=0x%08x: no fixed counter", caps->leaf0a.edx);
    return needs->event && no_event(caps, needs->event - 1, unmet);
}

static bool no_counters(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(caps, list);
    return n < needs->counters &&
           says(unmet, REASON_NONE, "leaves 0AH and 23H: %u counters, %u are needed", n, needs->counters);
}

/* What IA32_PERF_CAPABILITIES tells. */
static bool no_capability(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    if (!needs->capabilities && !needs->smm_freeze && !needs->metrics)
        return false;
    if (no_capabilities(caps, unmet))
        return true;
    if (needs->smm_freeze && !(caps->perf_capabilities & PERF_CAP_FREEZE_WHILE_SMM))
        return says(unmet, REASON_NONE, "IA32_PERF_CAPABILITIES[12]=0 (0x%lx): no freeze in SMM",
                    caps->perf_capabilities);
    if (!needs->metrics)
        return false;
    if (!caps->metrics)
        return says(unmet, REASON_NONE, "IA32_PERF_CAPABILITIES[15]=0 (0x%lx): no PERF_METRICS",
                    caps->perf_capabilities);
    return !(caps->fixed_bitmap & BIT(FIXED_TOPDOWN_SLOTS)) &&
           says(unmet, REASON_NONE, "CPUID.0AH: fixed counter %u, which PERF_METRICS divides, is not there",
                FIXED_TOPDOWN_SLOTS);
}

static bool no_trace(const struct pmu_caps *caps, struct unmet *unmet)
{
    char text[TRACE_TEXT];
    const char *why = trace_unavailable(caps, text);
    _Static_assert(NEEDS_TEXT >= TRACE_TEXT, "room for its reasons");
    return why && says(unmet, REASON_NONE, "%s", why);
}

static bool no_precise(const struct pmu_caps *caps, struct unmet *unmet)
{
    return !pebs_precise_bits(caps) &&
           says(unmet, REASON_NONE, "signature %08x: no counter has the precise distribution", caps->signature);
}

/* SDM 2A, CPUID, leaf 07H. */
static bool no_transactions(const struct pmu_caps *caps, struct unmet *unmet)
{
    return (!caps->rtm || cpuid_regs_have(&caps->leaf07, CPUID_RTM_ALWAYS_ABORT)) &&
           says(unmet, REASON_NONE, "CPUID.07H:EBX=0x%08x:EDX=0x%08x: no transactions", caps->leaf07.ebx,
                caps->leaf07.edx);
}

/* What the documents about a CPU say of it. */
static bool by_errata(const struct needs *needs, const struct pmu_caps *caps, struct unmet *unmet)
{
    const char *number = needs->bits_clear ? erratum_number(&erratum_facts[FACT_STUCK], caps) : NULL;
    if (number)
        return says(unmet, REASON_NONE, "%s: a status bit may stay set if its counter is stopped as it overflows",
                    number);
    return needs->told && !erratum_documented(&erratum_facts[needs->told - 1], caps) &&
           says(unmet, REASON_NONE, ERRATA_UNTOLD, caps->signature);
}

static bool no_machine(const struct needs *needs, const struct environment *environment, struct unmet *unmet)
{
    if (needs->apic && !environment->apic)
        return says(unmet, REASON_FIRMWARE_NO_APIC, "no local APIC");
    return needs->cpus > environment->cpus &&
           says(unmet, REASON_FIRMWARE_CPUS, "%u CPU, %u are needed", environment->cpus, needs->cpus);
}

static bool no_probing(const struct needs *needs, const struct environment *environment, struct unmet *unmet)
{
    return needs->probe && !environment->probing &&
           says(unmet, REASON_OPTION_ERRATA, "errata=probe is not given: published errata are not provoked");
}

bool needs_unmet(const struct needs *needs, const struct pmu_caps *caps, const struct environment *environment,
                 struct unmet *unmet)
{
    return not_intel(caps, environment, unmet) || (!needs->no_pmu && no_pmu(caps, unmet)) ||
           no_sampling(needs, caps, unmet) || no_feature(needs, caps, unmet) || no_machine(needs, environment, unmet) ||
           no_counters(needs, caps, unmet) || no_capability(needs, caps, unmet) ||
           (needs->precise && no_precise(caps, unmet)) || (needs->trace && no_trace(caps, unmet)) ||
           (needs->transactions && no_transactions(caps, unmet)) || by_errata(needs, caps, unmet) ||
           no_probing(needs, environment, unmet); /* only where the test could apply */
}
