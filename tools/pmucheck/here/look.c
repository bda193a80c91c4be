/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/class.h"
#include "tools/pmucheck/here/here.h"
#include "tools/pmucheck/kexec/kexec.h"
#include "tools/pmucheck/run/run.h"
#include "tools/text_file.h"
#include <string.h>

static const char *family(struct here *here, const struct pmu_caps *caps)
{
    return arena_print(&here->arena, "%s, family %XH model %02XH stepping %u", here->cores.vendor, caps->family,
                       caps->model, caps->stepping);
}

/* What is the matter if there is nothing to tell of; NULL: there is a PMU. */
static const char *verdict(struct here *here)
{
    if (!here->cores.cpus)
        return "no CPU could be asked: CPUID answers on none of those that Linux names";
    const struct here_core *core = &here->cores.kinds.item[0];
    const struct pmu_caps *caps = &core->caps;
    if (!caps->intel)
        return arena_print(&here->arena, "%s: pmucheck knows Intel's PMU only", family(here, caps));
    if (caps->present || cpu_class(caps) == CLASS_NETBURST)
        return NULL;
    if (caps->hypervisor)
        return arena_print(&here->arena, "the hypervisor %s shows this guest no PMU: leaf 0AH has version 0",
                           caps->hypervisor_name[0] ? caps->hypervisor_name : "(without a name)");
    return arena_print(&here->arena, "%s: it has no architectural PMU (leaf 0AH has version 0, or is not there)",
                       family(here, caps));
}

static void look_at_start(struct here *here, const struct here_source *source)
{
    const struct kexec_places kexec = {here_path(source, &here->arena, "/sys"),
                                       here_path(source, &here->arena, "/proc")};
    const struct kvm_places kvm = {here_path(source, &here->arena, "/dev"), kexec.sys, kexec.proc};
    here->start.kexec = kexec_refusal(&kexec);
    here->start.guest = kvm_refusal(&here->arena, &kvm, true);
    here->start.entry = text_file_there(source->root, "/etc/default/pmucheck");
}

void here_look(struct here *here, const struct here_source *source)
{
    here_look_cores(here, source);
    here_look_linux(here, source);
    here->verdict = verdict(here);
    look_at_start(here, source);
    here->errata = arena_alloc(&here->arena, (here->cores.kinds.count + 1) * sizeof(*here->errata));
    for (unsigned k = 0; k < here->cores.kinds.count; k++)
        here_look_errata(&here->arena, &here->cores.kinds.item[k].caps, &here->errata[k]);
    if (here->verdict)
        return;
    here_look_held(here, source);
    here_look_tests(here);
}

void here_free(struct here *here)
{
    arena_free(&here->arena);
}
