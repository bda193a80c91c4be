#include "harness/run/needs.h"
#include "kernel/text/format.h"
#include "pmu/sampling/pebs.h"

static const char *not_intel(const struct pmu_caps *caps, const struct environment *environment, char *text)
{
    if (caps->intel)
        return NULL;
    format_text(text, NEEDS_TEXT, "vendor %s: only promises of GenuineIntel are known here", environment->vendor);
    return text;
}

/* What makes the whole PMU out of bounds. */
static const char *no_pmu(const struct pmu_caps *caps, char *text)
{
    if (caps->cpuid_limited)
        return "IA32_MISC_ENABLE[22]=1: the firmware option \"limit CPUID maximum\" hides leaf 0AH";
    if (!caps->present) {
        format_text(text, NEEDS_TEXT, "CPUID.0AH:EAX=0x%08x: no architectural PMU", caps->leaf0a.eax);
        return text;
    }
    if (!caps->perfmon_available) {
        format_text(text, NEEDS_TEXT, "IA32_MISC_ENABLE[7]=0 (0x%lx): performance monitoring unavailable",
                    caps->misc_enable);
        return text;
    }
    return NULL;
}

/* What sampling asks for. NULL if it is there, or not needed. */
static const char *no_sampling(const struct needs *needs, const struct pmu_caps *caps, char *text)
{
    const char *missing = NULL;
    _Static_assert(NEEDS_TEXT >= PEBS_TEXT, "room for its reasons");
    if (needs->netburst)
        missing = netburst_pebs_unavailable(caps, text);
    else if (needs->pebs)
        missing = pebs_unavailable(caps, needs->pebs_format, text);
    if (!missing && needs->adaptive && !pebs_adaptive(caps)) {
        format_text(text, NEEDS_TEXT, "IA32_PERF_CAPABILITIES=0x%lx: no adaptive PEBS", caps->perf_capabilities);
        missing = text;
    }
    return missing;
}

const char *needs_unmet(const struct needs *needs, const struct pmu_caps *caps, const struct environment *environment,
                        char *text)
{
    const char *missing = not_intel(caps, environment, text);
    if (!missing && !needs->no_pmu)
        missing = no_pmu(caps, text);
    if (!missing)
        missing = no_sampling(needs, caps, text);
    if (missing)
        return missing;
    text[0] = 0;
    if (caps->version < needs->version)
        format_text(text, NEEDS_TEXT, "CPUID.0AH:EAX[7:0]=%u: version %u is needed", caps->version, needs->version);
    else if (!needs->no_counter && !needs->no_pmu && !caps->gp_count)
        format_text(text, NEEDS_TEXT, "CPUID.0AH:EAX=0x%08x: no GP counter", caps->leaf0a.eax);
    else if (needs->full_width && !caps->full_width)
        format_text(text, NEEDS_TEXT, "IA32_PERF_CAPABILITIES[13]=0 (0x%lx): no full-width writes",
                    caps->perf_capabilities);
    else if (needs->fixed && !caps->fixed_bitmap)
        format_text(text, NEEDS_TEXT, "CPUID.0AH:EDX=0x%08x: no fixed counter", caps->leaf0a.edx);
    else if (needs->event && !caps_event_available(caps, needs->event - 1))
        format_text(text, NEEDS_TEXT, "CPUID.0AH:EBX=0x%08x: event %u unavailable", caps->leaf0a.ebx, needs->event - 1);
    else if (needs->apic && !environment->apic)
        format_text(text, NEEDS_TEXT, "no local APIC");
    else if (needs->cpus > environment->cpus)
        format_text(text, NEEDS_TEXT, "%u CPU, %u are needed", environment->cpus, needs->cpus);
    return text[0] ? text : NULL;
}
