/* SPDX-License-Identifier: BSD-2-Clause */
/* Option host: runs another kernel on the reference PMU instead of the tests. */
#include "harness/mode/modes.h"
#include "harness/report/report.h"
#include "hosting/host.h"
#include "hosting/monitor/monitor.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/pci_interrupts.h"
#include "kernel/firmware/save.h"
#include "kernel/firmware/watchdog.h"
#include "kernel/log/log.h"
#include "kernel/text/format.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"
#include "pmu/cpu/caps.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/options.h"
#include "reference/mode/planned.h"
#include "reference/model/profile.h"

OPTION(host, .kind = OPTION_FLAG,
       .help = "with reference=: run the kernel that GRUB gave as a module on the reference PMU, instead of the tests");
OPTION(hypervisor, .kind = OPTION_TEXT, .argument = "NAME[:VERSION]",
       .help = "with host: show the guest this hypervisor, kvm, hyper-v, vmware, xen, virtualbox or a name as "
               "CPUID.40000000H spells it, and at most this version of the PMU, 0 for none");

/* ---- hypervisor=: what the guest sees of the profile. */

static const struct {
    const char *name, *spelt;
} hypervisors[] = {{"kvm", "KVMKVMKVM"},
                   {"hyper-v", "Microsoft Hv"},
                   {"vmware", "VMwareVMware"},
                   {"xen", "XenVMMXenVMM"},
                   {"virtualbox", "VBoxVBoxVBox"}};
#define ANY_VERSION 0xff
#define KINDS_MAX 3 /* kinds of cores */

/* Splits "kvm:2"; the text stays in memory. Without a version any is shown. NULL: the version is invalid. */
static const char *hypervisor_asked(unsigned *version)
{
    static char name[HYPERVISOR_NAME];
    const char *text = option_hypervisor.text, *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    u64 number = ANY_VERSION;
    const char *end = colon ? number_parse(colon + 1, &number) : "";
    if (!length || length >= sizeof(name) || !end || *end || number > ANY_VERSION)
        return NULL;
    format_text(name, sizeof(name), "%.*s", (int)length, text);
    *version = (unsigned)number;
    for_each_row (hypervisors, row)
        if (!strcmp(row->name, name))
            return row->spelt;
    return name;
}

/* Copies the profile with each kind of its cores. */
static const struct profile *shown(const struct profile *profile, const char *name, unsigned version)
{
    static struct profile kinds[KINDS_MAX];
    for (unsigned i = 0; profile && i < KINDS_MAX; i++, profile = profile->second) {
        kinds[i] = *profile;
        profile_virtual(&kinds[i], name, version);
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
    int way = monitor_way(option_stepping.given ? option_stepping.text : NULL);
    if (way < 0)
        return "host: stepping= is in-guest, single or exit here";
    const char *why = monitor_unavailable();
    if (why)
        return why;
    static struct deviating deviating;
    deviating = run_deviating(run);
    const char *hypervisor = NULL;
    unsigned version = 0;
    if (option_hypervisor.given && !(hypervisor = hypervisor_asked(&version)))
        return "hypervisor= needs a name of at most 12 characters, and after a colon a number";
    struct model_setup setup = {
        .profile = hypervisor ? shown(run_profile(run), hypervisor, version) : run_profile(run),
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

static bool asked(void)
{
    return option_host.given;
}

static void run(struct session *session, struct totals *totals)
{
    (void)session;
    report_error(totals, start(planned()));
}

MODE(host, .name = "host", .asked = asked, .idle = true, .run = run);
