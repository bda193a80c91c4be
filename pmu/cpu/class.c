/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/class.h"
#include "pmu/registers.h"

#define CORE_TYPE_ATOM 0x20
#define CORE_TYPE_CORE 0x40

struct model_row {
    u8 class;
    bool hybrid; /* leaf 1AH states the kind; `class` is for CPUs whose other kind of core is switched off */
};

#define MODEL(model, class) [model] = {CLASS_##class, false}
#define HYBRID(model, class) [model] = {CLASS_##class, true}

/*
 * Family 6, by model. SDM 4, "Model-Specific Registers", table of DisplayFamily_DisplayModel values. Cannon Lake (66H)
 * counts as Skylake: its leaf 0AH equals that of a Skylake with hyper-threading, not Ice Lake's, and hypervisors give
 * it Skylake's branch records. No list of its events is published.
 */
static const struct model_row models[256] = {
    MODEL(0x0f, CORE2),        MODEL(0x16, CORE2),         MODEL(0x17, CORE2),         MODEL(0x1d, CORE2),
    MODEL(0x1a, NEHALEM),      MODEL(0x1e, NEHALEM),       MODEL(0x1f, NEHALEM),       MODEL(0x2e, NEHALEM),
    MODEL(0x25, NEHALEM),      MODEL(0x2c, NEHALEM),       MODEL(0x2f, NEHALEM),       MODEL(0x2a, SANDY_BRIDGE),
    MODEL(0x2d, SANDY_BRIDGE), MODEL(0x3a, SANDY_BRIDGE),  MODEL(0x3e, SANDY_BRIDGE),  MODEL(0x3c, HASWELL),
    MODEL(0x3f, HASWELL),      MODEL(0x45, HASWELL),       MODEL(0x46, HASWELL),       MODEL(0x3d, BROADWELL),
    MODEL(0x47, BROADWELL),    MODEL(0x4f, BROADWELL),     MODEL(0x56, BROADWELL),     MODEL(0x4e, SKYLAKE),
    MODEL(0x5e, SKYLAKE),      MODEL(0x55, SKYLAKE),       MODEL(0x8e, SKYLAKE),       MODEL(0x9e, SKYLAKE),
    MODEL(0xa5, SKYLAKE),      MODEL(0xa6, SKYLAKE),       MODEL(0x66, SKYLAKE),       MODEL(0x7d, ICE_LAKE),
    MODEL(0x7e, ICE_LAKE),     MODEL(0x6a, ICE_LAKE),      MODEL(0x6c, ICE_LAKE),      MODEL(0x8c, ICE_LAKE),
    MODEL(0x8d, ICE_LAKE),     MODEL(0xa7, ICE_LAKE),      MODEL(0x8f, GOLDEN_COVE),   MODEL(0xcf, GOLDEN_COVE),
    MODEL(0xd7, GOLDEN_COVE), /* Bartlett Lake without Atom cores */
    HYBRID(0x97, GOLDEN_COVE), HYBRID(0x9a, GOLDEN_COVE),  HYBRID(0xb7, GOLDEN_COVE),  HYBRID(0xba, GOLDEN_COVE),
    HYBRID(0xbf, GOLDEN_COVE), HYBRID(0xaa, REDWOOD_COVE), HYBRID(0xac, REDWOOD_COVE), MODEL(0xad, REDWOOD_COVE),
    MODEL(0xae, REDWOOD_COVE), HYBRID(0xbd, LION_COVE),    HYBRID(0xb5, REDWOOD_COVE), /* Arrow Lake-U */
    HYBRID(0xc5, LION_COVE), /* Arrow Lake-H: its low-power cores are Crestmont, by native model */
    HYBRID(0xc6, LION_COVE),   HYBRID(0xcc, COUGAR_COVE),  HYBRID(0xd5, COUGAR_COVE),  HYBRID(0xe5, COUGAR_COVE),
    MODEL(0x9d, ICE_LAKE), /* the NNP-I's cores */
    MODEL(0x1c, BONNELL),      MODEL(0x26, BONNELL),       MODEL(0x27, BONNELL),       MODEL(0x35, BONNELL),
    MODEL(0x36, BONNELL),      MODEL(0x37, SILVERMONT),    MODEL(0x4a, SILVERMONT),    MODEL(0x4c, SILVERMONT),
    MODEL(0x4d, SILVERMONT),   MODEL(0x5a, SILVERMONT),    MODEL(0x5d, SILVERMONT),    MODEL(0x75, SILVERMONT),
    MODEL(0x5c, GOLDMONT),     MODEL(0x5f, GOLDMONT),      MODEL(0x7a, GOLDMONT_PLUS), MODEL(0x86, TREMONT),
    HYBRID(0x8a, TREMONT), /* Lakefield */
    MODEL(0x96, TREMONT),      MODEL(0x9c, TREMONT),       MODEL(0xbe, GRACEMONT),     MODEL(0xaf, CRESTMONT),
    MODEL(0xb6, CRESTMONT),    MODEL(0xdd, DARKMONT),      MODEL(0x57, KNIGHTS),       MODEL(0x85, KNIGHTS),
};

/*
 * The families after 6: drivers know them, but no dump is published. Their hybrids have one kind of core per type, so
 * the type alone selects the class, as in drivers.
 */
static const struct {
    u8 family, model, core, atom; /* `atom` CLASS_UNKNOWN: there are no Atom cores */
} later_families[] = {
    {18, 0x01, CLASS_COYOTE_COVE, CLASS_ARCTIC_WOLF}, /* Nova Lake */
    {18, 0x03, CLASS_COYOTE_COVE, CLASS_ARCTIC_WOLF}, /* Nova Lake-L */
    {19, 0x01, CLASS_PANTHER_COVE, CLASS_UNKNOWN},    /* Diamond Rapids */
};

/*
 * Kinds of core by the EAX of leaf 1AH on hybrid CPUs: core type and native model. SDM 2A, "CPUID": the native model is
 * unique only together with the type.
 */
static const struct {
    u8 type, native_model, class;
} kinds[] = {
    {CORE_TYPE_ATOM, 0, CLASS_TREMONT},     {CORE_TYPE_ATOM, 1, CLASS_GRACEMONT},
    {CORE_TYPE_ATOM, 2, CLASS_CRESTMONT},   {CORE_TYPE_ATOM, 3, CLASS_SKYMONT},
    {CORE_TYPE_ATOM, 4, CLASS_DARKMONT},    {CORE_TYPE_CORE, 0, CLASS_ICE_LAKE},
    {CORE_TYPE_CORE, 1, CLASS_GOLDEN_COVE}, {CORE_TYPE_CORE, 2, CLASS_REDWOOD_COVE},
    {CORE_TYPE_CORE, 3, CLASS_LION_COVE},   {CORE_TYPE_CORE, 4, CLASS_COUGAR_COVE},
};

/* A kind of core that is not in the list has not been seen in any CPU, so its class is unknown. */
static enum cpu_class class_of_kind(const struct model_row *row, const struct pmu_caps *caps)
{
    if (!row->hybrid || !caps->core_type)
        return row->class;
    for_each_row (kinds, kind)
        if (kind->type == caps->core_type && kind->native_model == caps->native_model)
            return kind->class;
    return CLASS_UNKNOWN;
}

static enum cpu_class class_of_later(const struct pmu_caps *caps)
{
    for_each_row (later_families, row)
        if (row->family == caps->family && row->model == caps->model)
            return caps->core_type == CORE_TYPE_ATOM ? row->atom : row->core;
    return CLASS_UNKNOWN;
}

enum cpu_class cpu_class(const struct pmu_caps *caps)
{
    if (!caps->intel)
        return CLASS_UNKNOWN;
    if (caps->family == 15)
        return CLASS_NETBURST;
    if (caps->family != 6)
        return class_of_later(caps);
    return caps->model < ARRAY_SIZE(models) ? class_of_kind(&models[caps->model], caps) : CLASS_UNKNOWN;
}

const char *class_name(enum cpu_class class)
{
    static const char *const names[CLASSES] = {
        [CLASS_UNKNOWN] = "unknown",
        [CLASS_NETBURST] = "netburst",
        [CLASS_CORE2] = "core2",
        [CLASS_NEHALEM] = "nehalem",
        [CLASS_SANDY_BRIDGE] = "sandy-bridge",
        [CLASS_HASWELL] = "haswell",
        [CLASS_BROADWELL] = "broadwell",
        [CLASS_SKYLAKE] = "skylake",
        [CLASS_ICE_LAKE] = "ice-lake",
        [CLASS_GOLDEN_COVE] = "golden-cove",
        [CLASS_REDWOOD_COVE] = "redwood-cove",
        [CLASS_LION_COVE] = "lion-cove",
        [CLASS_COUGAR_COVE] = "cougar-cove",
        [CLASS_PANTHER_COVE] = "panther-cove",
        [CLASS_COYOTE_COVE] = "coyote-cove",
        [CLASS_BONNELL] = "bonnell",
        [CLASS_SILVERMONT] = "silvermont",
        [CLASS_GOLDMONT] = "goldmont",
        [CLASS_GOLDMONT_PLUS] = "goldmont-plus",
        [CLASS_TREMONT] = "tremont",
        [CLASS_GRACEMONT] = "gracemont",
        [CLASS_CRESTMONT] = "crestmont",
        [CLASS_SKYMONT] = "skymont",
        [CLASS_DARKMONT] = "darkmont",
        [CLASS_ARCTIC_WOLF] = "arctic-wolf",
        [CLASS_KNIGHTS] = "knights",
    };
    return class < CLASSES ? names[class] : names[CLASS_UNKNOWN];
}

bool class_has_leaf23(enum cpu_class class)
{
    switch (class) {
    case CLASS_REDWOOD_COVE:
    case CLASS_LION_COVE:
    case CLASS_COUGAR_COVE:
    case CLASS_PANTHER_COVE: /* these three: from drivers */
    case CLASS_COYOTE_COVE:
    case CLASS_ARCTIC_WOLF:
    case CLASS_CRESTMONT:
    case CLASS_SKYMONT:
    case CLASS_DARKMONT:
        return true;
    default:
        return false;
    }
}

bool class_has_smi_count(enum cpu_class class)
{
    switch (class) {
    case CLASS_UNKNOWN:
    case CLASS_NETBURST:
    case CLASS_CORE2:
    case CLASS_BONNELL:
        return false;
    default:
        return true;
    }
}

/* Is it Nehalem, not Westmere? For CPUs of CLASS_NEHALEM. */
static bool first_nehalem(const struct pmu_caps *caps)
{
    return caps->model == 0x1a || caps->model == 0x1e || caps->model == 0x1f || caps->model == 0x2e;
}

unsigned offcore_rsps(const struct pmu_caps *caps)
{
    if (caps->hypervisor)
        return 0;
    switch (cpu_class(caps)) {
    case CLASS_UNKNOWN:
    case CLASS_NETBURST:
    case CLASS_CORE2:
    case CLASS_BONNELL:
    case CLASS_PANTHER_COVE: /* these three have other registers instead, says the source of drivers */
    case CLASS_COYOTE_COVE:
    case CLASS_ARCTIC_WOLF:
        return 0;
    case CLASS_NEHALEM:
        return first_nehalem(caps) ? 1 : 2;
    default: /* Cougar Cove and Darkmont from drivers, which treat them as Lion Cove and Skymont */
        return 2;
    }
}

bool has_lbr_select(const struct pmu_caps *caps)
{
    if (caps->hypervisor && !(caps->perf_capabilities & PERF_CAP_LBR_FORMAT))
        return false;
    switch (cpu_class(caps)) {
    case CLASS_NEHALEM:
    case CLASS_SANDY_BRIDGE:
    case CLASS_HASWELL:
    case CLASS_BROADWELL:
    case CLASS_SKYLAKE:
    case CLASS_ICE_LAKE:
    case CLASS_SILVERMONT:
    case CLASS_GOLDMONT:
    case CLASS_GOLDMONT_PLUS:
    case CLASS_TREMONT:
    case CLASS_KNIGHTS:
        return true;
    default:
        return false;
    }
}

unsigned class_lbr_depth(enum cpu_class class)
{
    switch (class) {
    case CLASS_CORE2:
        return 4;
    case CLASS_BONNELL:
    case CLASS_SILVERMONT:
        return 8;
    case CLASS_NEHALEM:
    case CLASS_SANDY_BRIDGE:
    case CLASS_HASWELL:
    case CLASS_BROADWELL:
        return 16;
    case CLASS_SKYLAKE:
    case CLASS_ICE_LAKE:
    case CLASS_GOLDMONT:
    case CLASS_GOLDMONT_PLUS:
    case CLASS_TREMONT:
        return 32;
    default:
        return 0;
    }
}

bool class_lbr_call_stack(enum cpu_class class)
{
    switch (class) {
    case CLASS_HASWELL:
    case CLASS_BROADWELL:
    case CLASS_SKYLAKE:
    case CLASS_ICE_LAKE:
    case CLASS_GOLDMONT: /* these three: from drivers and firmware's headers */
    case CLASS_GOLDMONT_PLUS:
    case CLASS_TREMONT:
        return true;
    default:
        return false;
    }
}

unsigned class_metrics_fields(enum cpu_class class)
{
    switch (class) {
    case CLASS_GOLDEN_COVE:
    case CLASS_REDWOOD_COVE:
    case CLASS_LION_COVE:
    case CLASS_COUGAR_COVE:
    case CLASS_PANTHER_COVE:
    case CLASS_COYOTE_COVE:
        return 8;
    case CLASS_ICE_LAKE:
        return 4;
    default:
        return 0;
    }
}

/* Linux' tables of events, td_slots_issued and its like: from Sandy Bridge and from Silvermont on. */
bool class_topdown_events(enum cpu_class class)
{
    return (class >= CLASS_SANDY_BRIDGE && class <= CLASS_SKYLAKE) ||
           (class >= CLASS_SILVERMONT && class <= CLASS_ARCTIC_WOLF);
}

bool needs_select_sequence(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_NEHALEM && !caps->hypervisor && caps->version >= 3 && caps->gp_count >= 4;
}

bool class_evtsel_reads_back(const struct pmu_caps *caps, unsigned n)
{
    bool ivy_bridge = cpu_class(caps) == CLASS_SANDY_BRIDGE && (caps->model == 0x3a || caps->model == 0x3e);
    return !ivy_bridge || caps->gp_count <= 4 || n < 4;
}

u64 class_conditional_branches(enum cpu_class class)
{
    static const u32 masks[CLASSES] = {
        [CLASS_NEHALEM] = EVTSEL_UMASK(0x01),       [CLASS_SANDY_BRIDGE] = EVTSEL_UMASK(0x01),
        [CLASS_HASWELL] = EVTSEL_UMASK(0x01),       [CLASS_BROADWELL] = EVTSEL_UMASK(0x01),
        [CLASS_SKYLAKE] = EVTSEL_UMASK(0x01),       [CLASS_ICE_LAKE] = EVTSEL_UMASK(0x11),
        [CLASS_GOLDEN_COVE] = EVTSEL_UMASK(0x11),   [CLASS_REDWOOD_COVE] = EVTSEL_UMASK(0x11),
        [CLASS_LION_COVE] = EVTSEL_UMASK(0x11),     [CLASS_COUGAR_COVE] = EVTSEL_UMASK(0x07),
        [CLASS_COYOTE_COVE] = EVTSEL_UMASK(0x07),   [CLASS_DARKMONT] = EVTSEL_UMASK(0x07),
        [CLASS_SILVERMONT] = EVTSEL_UMASK(0x7e),    [CLASS_GOLDMONT] = EVTSEL_UMASK(0x7e),
        [CLASS_GOLDMONT_PLUS] = EVTSEL_UMASK(0x7e), [CLASS_TREMONT] = EVTSEL_UMASK(0x7e),
        [CLASS_GRACEMONT] = EVTSEL_UMASK(0x7e),     [CLASS_CRESTMONT] = EVTSEL_UMASK(0x7e),
        [CLASS_SKYMONT] = EVTSEL_UMASK(0x7e),
    };
    u64 second = class == CLASS_LION_COVE ? EVTSEL_UMASK2(0x01) : 0;
    return masks[class] ? EVTSEL_EVENT(0xc4) | masks[class] | second : 0;
}

bool class_takes_masked_vector(enum cpu_class class)
{
    return class == CLASS_CORE2 || class == CLASS_BONNELL;
}

bool class_status_sticks(enum cpu_class class)
{
    return class == CLASS_NEHALEM || class == CLASS_SANDY_BRIDGE;
}

bool class_may_share_core(const struct pmu_caps *caps)
{
    enum cpu_class class = cpu_class(caps);
    bool halves =
        class == CLASS_SANDY_BRIDGE || class == CLASS_HASWELL || class == CLASS_BROADWELL || class == CLASS_SKYLAKE;
    return caps->threads_per_core != 1 && !(halves && caps->gp_count == 8);
}

bool class_architectural(enum cpu_class class)
{
    return class != CLASS_UNKNOWN && class != CLASS_NETBURST;
}

bool class_reserved_dumped(enum cpu_class class)
{
    return class == CLASS_BONNELL || class_above_width_dumped(class);
}

bool class_above_width_dumped(enum cpu_class class)
{
    return class == CLASS_SILVERMONT || class == CLASS_SANDY_BRIDGE || class == CLASS_BROADWELL ||
           class == CLASS_SKYLAKE;
}

bool class_freeze_disables(enum cpu_class class)
{
    return class != CLASS_CORE2;
}

bool class_lbr_frz(enum cpu_class class)
{
    return class != CLASS_GOLDMONT && class != CLASS_GOLDMONT_PLUS;
}
