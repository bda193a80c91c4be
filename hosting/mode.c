/* SPDX-License-Identifier: BSD-2-Clause */
/* Option host: runs another kernel on the reference PMU instead of the tests. */
#include "harness/mode/modes.h"
#include "harness/report/report.h"
#include "hosting/host.h"
#include "hosting/monitor/guest/forced.h"
#include "hosting/monitor/monitor.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/save.h"
#include "kernel/firmware/watchdog.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"
#include "reference/model/profile.h"
#include "reference/step/stepper.h"

OPTION(host, .kind = OPTION_FLAG,
       .help = "with reference=: run the kernel that GRUB gave as a module on the reference PMU, instead of the tests");
OPTION(hypervisor, .kind = OPTION_TEXT, .argument = "NAME[:VERSION[:GP[:FIXED]]]",
       .help =
           "with host: show the guest this hypervisor, kvm, hyper-v, vmware, xen, virtualbox or a name as "
           "CPUID.40000000H spells it, and at most this version of the PMU, 0 for none, and at most so many counters");

static const char *const forced_choices[] = {"once", "twice", NULL};
OPTION_NAMED(
    forced_emulation, "forced-emulation", .kind = OPTION_CHOICE, .argument = "once|twice", .choices = forced_choices,
    .help = "with hypervisor=kvm: the guest may have KVM's prefix for an instruction that KVM is to carry out, "
            "which is counted once, or, a defect, together with its prefix");

/* ---- hypervisor=: what the guest sees of the profile. */

static const struct {
    const char *name, *spelt;
} hypervisors[] = {{"kvm", "KVMKVMKVM"},
                   {"hyper-v", "Microsoft Hv"},
                   {"vmware", "VMwareVMware"},
                   {"xen", "XenVMMXenVMM"},
                   {"virtualbox", "VBoxVBoxVBox"}};
#define ANY 0xff
#define KINDS_MAX 3 /* kinds of cores */

/* What is shown at most. */
struct guest_pmu {
    const char *name;
    u64 version, gp, fixed;
};

/* Takes ":NUMBER" from the text, if it goes on. */
static bool take(const char **text, u64 *number)
{
    u32 found;
    if (!**text)
        return true;
    if (*(*text)++ != ':' || !number_take(text, &found) || found > ANY)
        return false;
    *number = found;
    return true;
}

/* Splits "kvm:2:4:3"; the text stays in memory. False: it is invalid. */
static bool parse_hypervisor(struct guest_pmu *asked)
{
    static char name[HYPERVISOR_NAME];
    const char *text = option_hypervisor.text, *colon = strchr(text, ':'), *rest = colon ? colon : "";
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    *asked = (struct guest_pmu){name, ANY, ANY, ANY};
    if (!length || length >= sizeof(name) || !take(&rest, &asked->version) || !take(&rest, &asked->gp) ||
        !take(&rest, &asked->fixed) || *rest)
        return false;
    format_text(name, sizeof(name), "%.*s", (int)length, text);
    for_each_row (hypervisors, row)
        if (!strcmp(row->name, name))
            asked->name = row->spelt;
    return true;
}

/* Copies the profile with each kind of its cores. */
static const struct profile *shown(const struct profile *profile, const struct guest_pmu *asked)
{
    static struct profile kinds[KINDS_MAX];
    for (unsigned i = 0; profile && i < KINDS_MAX; i++, profile = profile->second) {
        kinds[i] = *profile;
        profile_virtual(&kinds[i], asked->name, (unsigned)asked->version);
        if (asked->gp != ANY || asked->fixed != ANY)
            profile_counters(&kinds[i], (unsigned)asked->gp, (unsigned)asked->fixed);
        if (i)
            kinds[i - 1].second = &kinds[i];
    }
    return &kinds[0];
}

/* Does not return if the kernel started; otherwise returns one line that says why not. */
static const char *start(const struct runs *runs)
{
    char name[RUN_NAME_SIZE];
    const struct pmu_run *run = &runs->run[0];
    if (runs->count != 1 || !run->profile)
        return "host needs reference= with one profile";
    int way = stepper_choose(option_stepping.given ? option_stepping.text : NULL);
    if (way < 0)
        return "host: stepping= is in-guest, single or exit here";
    const char *why = monitor_unavailable();
    if (why)
        return why;
    static struct deviating deviating;
    deviating = run_deviating(run);
    struct guest_pmu guest = {0};
    if (option_hypervisor.given && !parse_hypervisor(&guest))
        return "hypervisor= needs a name of at most 12 characters, and after each colon a number";
    if (option_forced_emulation.given)
        forced_offer(strcmp(option_forced_emulation.text, "once") ? FORCED_TWICE : FORCED_ONCE);
    struct model_setup setup = {
        .profile = option_hypervisor.given ? shown(run_profile(run), &guest) : run_profile(run),
        .cpus = cpu_count(),
        .change = deviate,
        .how = &deviating,
    };
    log_line("# run pmu=%s", run_name(run, name));
    watchdog_stop();
    previous_stop(); /* the guest gets all memory */
    save_stop();
    pci_interrupts_restore();
    return host_start(&setup, (enum monitor_stepping)way);
}

static bool requested(void)
{
    return option_host.given;
}

static void run(struct session *session, struct totals *totals)
{
    (void)session;
    report_error(totals, start(planned()));
}

MODE(host, .name = "host", .asked = requested, .idle = true, .run = run);
