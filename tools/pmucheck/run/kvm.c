/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/run.h"
#include "tools/text_file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct kvm_places kvm_places = {"/dev", "/sys", "/proc"};

/* /proc/cpuinfo: "vendor_id\t: GenuineIntel". */
static char *vendor(struct arena *arena, const struct kvm_places *places)
{
    char text[4096], name[64] = "";
    text_file_start(places->proc, "cpuinfo", text, sizeof(text));
    const char *line = strstr(text, "vendor_id");
    if (!line || sscanf(line, "vendor_id%*[ \t]: %63s", name) != 1)
        strcpy(name, "of an unknown maker");
    return arena_copy(arena, name, strlen(name));
}

static const char *no_device(struct arena *arena, const struct kvm_places *places)
{
    char path[512];
    if (!text_file_there(places->dev, "kvm"))
        return "there is no /dev/kvm: load kvm_intel (modprobe kvm_intel); if that fails, switch virtualisation "
               "(VT-x) on in the firmware, or nesting on in the hypervisor that this Linux runs on";
    snprintf(path, sizeof(path), "%s/kvm", places->dev);
    if (access(path, R_OK | W_OK) != 0)
        return arena_print(arena, "/dev/kvm: %s: join the group that owns it (usually kvm), or be root",
                           strerror(errno));
    return NULL;
}

static const char *no_pmu(struct arena *arena, const struct kvm_places *places)
{
    const char *maker = vendor(arena, places);
    char text[16];
    if (strcmp(maker, "GenuineIntel") != 0)
        return arena_print(arena,
                           "this machine's CPU is %s, and pmucheck tests Intel's PMU: run it on an Intel host, or "
                           "on the reference PMU (--reference=skylake, without --accel)",
                           maker);
    if (text_file_there(places->sys, "devices/cpu_core") || text_file_there(places->sys, "devices/cpu_atom"))
        return "this CPU has two kinds of core (/sys/devices/cpu_core), and KVM gives guests no PMU on such a host: "
               "boot the image itself (pmucheck usb, pmucheck kexec), or use another host";
    if (!text_file_there(places->sys, "devices/cpu"))
        return "Linux has found no PMU here (there is no /sys/devices/cpu): if this is a virtual machine, its "
               "hypervisor has to show one; else firmware may have switched it off";
    text_file_start(places->sys, "module/kvm/parameters/enable_pmu", text, sizeof(text));
    if (text[0] == 'N' || text[0] == '0')
        return "KVM gives guests no PMU here: its parameter enable_pmu is N; as root: modprobe -r kvm_intel kvm, then "
               "modprobe kvm enable_pmu=1 and modprobe kvm_intel";
    return NULL;
}

const char *kvm_refusal(struct arena *arena, const struct kvm_places *places, bool own_pmu)
{
    const char *refusal = no_device(arena, places);
    return refusal || !own_pmu ? refusal : no_pmu(arena, places);
}

const char *kvm_warning(const struct kvm_places *places)
{
    char text[16];
    text_file_start(places->proc, "sys/kernel/nmi_watchdog", text, sizeof(text));
    if (text[0] == '1')
        return "this Linux's NMI watchdog holds a counter, of which its guests are short: a test of all counters at "
               "once may see one that stands still; as root: sysctl kernel.nmi_watchdog=0";
    return NULL;
}

const char *kvm_host_kernel(struct arena *arena, const struct kvm_places *places)
{
    char text[128];
    text_file_start(places->proc, "sys/kernel/osrelease", text, sizeof(text));
    return arena_copy(arena, text, strcspn(text, " \n,"));
}
