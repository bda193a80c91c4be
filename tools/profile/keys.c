/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a profile, and a profile printed as C. */
#include "tools/profile/event.h"

#define KEY(name, form, field)                                                                  \
    {                                                                                           \
        name, &form_##form, #field, offsetof(struct profile, field), FIELD_SIZE(field), 0, 0, 0 \
    }
#define MUST(name, form, field)                                                                 \
    {                                                                                           \
        name, &form_##form, #field, offsetof(struct profile, field), FIELD_SIZE(field), 0, 0, 1 \
    }
#define COUNT(name, field, low, high)                                                                \
    {                                                                                                \
        name, &form_number, #field, offsetof(struct profile, field), FIELD_SIZE(field), low, high, 0 \
    }
#define FIELD_SIZE(field) sizeof(((struct profile *)NULL)->field)
#define RULE(name, which) KEY(name, rule, stored[STORED_##which])

/* Every key, in the order in which the C is printed. */
/* clang-format off */
const struct key profile_keys[] = {
    MUST("name", name, name),
    KEY("default", default, name),
    KEY("vendor", text, vendor),
    MUST("brand", text, brand),
    MUST("signature", hex, signature),
    MUST("microcode", hex, microcode),
    KEY("platform-id", hex, platform_id),
    KEY("platform-info", hex, platform_info),
    /* CPUID; other leaves with four words are not in this table */
    KEY("leaf 01 ecx", bits, leaf1_ecx),
    KEY("leaf 01 edx", bits, leaf1_edx),
    KEY("leaf 06 eax", bits, leaf6_eax),
    KEY("leaf 06 ecx", bits, leaf6_ecx),
    KEY("leaf 07 ebx", bits, leaf7_ebx),
    KEY("leaf 07 edx", bits, leaf7_edx),
    KEY("leaf 07.1 eax", bits, leaf7_1_eax),
    KEY("leaf 0a", leaf0a, leaf0a),
    KEY("max-leaf", hex, max_leaf),
    KEY("perfcap", hex, perf_capabilities),
    KEY("x2apic", yes, apic_x2_available),
    KEY("smi-count", yes, smi_count),
    COUNT("threads", threads, 1, 4),
    /* Counters */
    MUST("gp", gp, gp_count),
    MUST("fixed", fixed, fixed_bitmap),
    KEY("events", events, event_length),
    KEY("any-thread", yes, any_thread),
    MUST("freeze", freeze, freeze),
    KEY("pebs", pebs, pebs_gp),
    KEY("pebs-events", encodings, pebs_events),
    KEY("pebs-tells-skips", yes, pebs_tells_skips),
    KEY("event-prec-dist", hex, event_prec_dist),
    KEY("event-load-latency", hex, event_load_latency),
    KEY("event-precise-store", hex, event_precise_store),
    COUNT("lbr", lbr_depth, 4, 64),
    KEY("errata", words, errata),
    KEY("assumed", words, assumed),
    KEY("aliases", yes, aliases),
    KEY("reload", reload, reload_gp),
    KEY("netburst", netburst, netburst_count),
    /* Registers */
    KEY("evtsel", evtsel, evtsel),
    KEY("status", hex, status),
    KEY("status-reset", rule, status_reset),
    KEY("status-set", rule, status_set),
    KEY("inuse", yes, inuse),
    RULE("fixed-ctr-ctrl", FIXED_CTR_CTRL),
    RULE("global-ctrl", GLOBAL_CTRL),
    RULE("debugctl", DEBUGCTL),
    RULE("misc-enable", MISC_ENABLE),
    RULE("pebs-enable", PEBS_ENABLE),
    RULE("pebs-data-cfg", PEBS_DATA_CFG), /* 3F2H, which on NetBurst is MSR_PEBS_MATRIX_VERT */
    RULE("pebs-ld-lat", PEBS_LD_LAT),
    RULE("pebs-frontend", PEBS_FRONTEND),
    RULE("pebs-base", PEBS_BASE),
    RULE("pebs-index", PEBS_INDEX),
    RULE("ds-area", DS_AREA),
    RULE("perf-metrics", PERF_METRICS),
    RULE("offcore-rsp0", OFFCORE_RSP0),
    RULE("offcore-rsp1", OFFCORE_RSP1),
    RULE("lbr-select", LBR_SELECT),
    RULE("therm-status", THERM_STATUS),
    RULE("package-therm-status", PACKAGE_THERM_STATUS),
    KEY("cfg-b", rule, cfg_b),
    KEY("cfg-c", rule, cfg_c),
    KEY("fixed-cfg-b", rule, fixed_cfg_b),
    KEY("fixed-cfg-c", rule, fixed_cfg_c),
    KEY("netburst-counter", rule, netburst_counter),
    KEY("cccr", rule, cccr),
    KEY("escr", rule, escr),
    /* What the model simulates */
    MUST("clock", clock, core_ratio),
    COUNT("crystal-khz", crystal_khz, 1000, 1000000),
    KEY("crystal-told", yes, crystal_told),
    COUNT("bus-khz", bus_khz, 1000, 1000000),
    KEY("tsc-adjust", yes, tsc_adjust),
    COUNT("event-013c", crystal_divider, 0, 1000),
    COUNT("ref-step", ref_step, 1, 1000),
    COUNT("slots", slots, 1, 16),
    COUNT("metrics-levels", metrics_levels, 1, 2),
    COUNT("llc-reference-every", llc_reference_every, 0, 65535),
    COUNT("llc-miss-every", llc_miss_every, 0, 65535),
    COUNT("branch-miss-every", branch_miss_every, 0, 65535),
    COUNT("assist-every", assist_every, 0, 65535),
    MUST("skid", skid, skid_min),
    COUNT("pebs-shadow", pebs_shadow, 0, 200),
    COUNT("pebs-residual", pebs_residual, 0, 1000000000),
    KEY("start-stop", start_stop, start_stop),
};
/* clang-format on */
const unsigned profile_key_count = ARRAY_SIZE(profile_keys);
_Static_assert(ARRAY_SIZE(profile_keys) <= PROFILE_KEYS_MAX, "room in struct progress");

const struct key *profile_key_of(struct span line, size_t *length)
{
    for (const struct key *key = profile_keys; key < profile_keys + profile_key_count; key++)
        if ((*length = profile_key_length(line, key->name)) != 0)
            return key;
    return NULL;
}

void profile_print_c_name(FILE *out, const char *name)
{
    fputs("profile_", out);
    for (; *name; name++)
        fputc(*name == '-' || *name == '.' ? '_' : *name, out);
}

static void print_leaves(FILE *out, const struct profile_leaf *rows)
{
    if (!rows->leaf)
        return;
    fprintf(out, "    .leaves = {\n");
    for (unsigned i = 0; i < LEAVES_MAX && rows[i].leaf; i++)
        fprintf(out, "        {0x%02x, %u, {0x%08x, 0x%08x, 0x%08x, 0x%08x}},\n", rows[i].leaf, rows[i].subleaf,
                rows[i].value[0], rows[i].value[1], rows[i].value[2], rows[i].value[3]);
    fprintf(out, "    },\n");
}

static void print_core(FILE *out, const struct profile_file *file, unsigned core)
{
    const struct profile *profile = &file->core[core];
    fprintf(out, "\nstatic const struct profile ");
    profile_print_c_name(out, profile->name);
    fprintf(out, core ? "_%s = {\n" : " = {\n", profile->core);
    if (profile->core)
        fprintf(out, "    .core = \"%s\",\n", profile->core);
    if (core + 1 < file->cores) {
        fprintf(out, "    .second = &");
        profile_print_c_name(out, profile->name);
        fprintf(out, "_%s,\n", file->core[core + 1].core);
    }
    for_each_row (profile_keys, key)
        key->form->print(out, key, profile);
    print_leaves(out, profile->leaves);
    profile_print_events(out, profile->events);
    fprintf(out, "};\n");
}

void profile_print(FILE *out, const struct profile_file *file)
{
    for (unsigned core = file->cores; core > 0; core--)
        print_core(out, file, core - 1);
}
