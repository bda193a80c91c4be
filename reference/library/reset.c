/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles, errors, and how an instance is made: the caller's structs are copied, whatever version they are of. */
#include "reference/library/instance.h"

_Static_assert(sizeof(struct pmumodel) <= PMUMODEL_SIZE_MOST, "rooms of fixed size");
_Static_assert(sizeof(struct model_core) <= PMUMODEL_CORE_SIZE_MOST, "rooms of fixed size");

uint32_t pmumodel_version(void)
{
    return PMUMODEL_VERSION;
}

const char *pmumodel_error_text(enum pmumodel_error error)
{
    static const char *const texts[] = {
        [PMUMODEL_OK] = "no error",
        [PMUMODEL_BAD_SIZE] = "a struct's size is not set, or too small",
        [PMUMODEL_NEWER] = "something is set that only a newer library knows",
        [PMUMODEL_NO_PROFILE] = "there is no profile",
        [PMUMODEL_BAD_CPU] = "cpu is not below cpus",
        [PMUMODEL_NO_CALLBACK] = "a callback is missing",
        [PMUMODEL_NO_ROOM] = "there is too little room",
        [PMUMODEL_DEVIATES] = "an instance that deviates cannot be saved",
        [PMUMODEL_NOT_SAVED] = "the bytes are no saved instance",
        [PMUMODEL_OTHER_FORMAT] = "the bytes are of another version",
        [PMUMODEL_DAMAGED] = "the bytes are damaged",
        [PMUMODEL_OTHER_CPU] = "the bytes are of another CPU",
        [PMUMODEL_NO_DEVIATION] = "there is no such deviation",
    };
    return (unsigned)error < ARRAY_SIZE(texts) ? texts[error] : "an error of a newer library";
}

/* ---- Profiles */

static const struct profile *own(const struct pmumodel_profile *profile)
{
    return (const struct profile *)(const void *)profile;
}

static const struct pmumodel_profile *shown(const struct profile *profile)
{
    return (const struct pmumodel_profile *)(const void *)profile;
}

const struct pmumodel_profile *pmumodel_profile(const char *name)
{
    return shown(model_profile(name));
}

const struct pmumodel_profile *pmumodel_profile_at(unsigned n)
{
    return shown(model_profile_at(n));
}

const char *pmumodel_profile_name(const struct pmumodel_profile *profile)
{
    return model_profile_name(own(profile));
}

/* ---- What the model asks its host goes to the caller's callbacks */

static struct pmumodel *of(void *context)
{
    return context;
}

static uint32_t lvtpc_read(void *context)
{
    return of(context)->host.lvtpc_read(of(context)->host.context);
}

static void lvtpc_write(void *context, uint32_t value)
{
    of(context)->host.lvtpc_write(of(context)->host.context, value);
}

static void interrupt(void *context, uint8_t vector)
{
    of(context)->host.interrupt(of(context)->host.context, vector);
}

static void nmi(void *context)
{
    of(context)->host.nmi(of(context)->host.context);
}

static uint64_t time_of(void *context)
{
    return of(context)->host.time(of(context)->host.context);
}

static bool memory_read(void *context, uint64_t address, void *to, uint32_t count)
{
    return of(context)->host.memory_read(of(context)->host.context, address, to, count);
}

static bool memory_write(void *context, uint64_t address, const void *from, uint32_t count)
{
    return of(context)->host.memory_write(of(context)->host.context, address, from, count);
}

static void registers(void *context, struct model_registers *to)
{
    struct pmumodel_registers given = {0};
    of(context)->host.registers(of(context)->host.context, &given);
    to->rip = given.rip;
    to->rflags = given.rflags;
    __builtin_memcpy(to->general, given.general, sizeof(to->general));
    __builtin_memcpy(to->xmm, given.xmm, sizeof(to->xmm));
}

static bool physical_read(void *context, uint64_t address, void *to, uint32_t count)
{
    return of(context)->host.physical_read(of(context)->host.context, address, to, count);
}

static bool physical_write(void *context, uint64_t address, const void *from, uint32_t count)
{
    return of(context)->host.physical_write(of(context)->host.context, address, from, count);
}

static void wake_other(void *context, uint32_t cpu)
{
    of(context)->host.wake_other(of(context)->host.context, cpu);
}

static void stall(void *context, uint32_t ticks)
{
    of(context)->host.stall(of(context)->host.context, ticks);
}

static uint32_t apic_read(void *context, uint32_t offset)
{
    return of(context)->host.apic_read(of(context)->host.context, offset);
}

static void apic_write(void *context, uint32_t offset, uint32_t value)
{
    of(context)->host.apic_write(of(context)->host.context, offset, value);
}

static void apic_mode(void *context, bool page, bool forgets)
{
    of(context)->host.apic_mode(of(context)->host.context, page, forgets);
}

static void interrupt_other(void *context, uint32_t cpu, uint8_t vector, bool as_nmi)
{
    of(context)->lab.interrupt_other(of(context)->host.context, cpu, vector, as_nmi);
}

static void interrupt_forced(void *context, uint8_t vector)
{
    of(context)->lab.interrupt_forced(of(context)->host.context, vector);
}

static void machine_check(void *context)
{
    of(context)->lab.machine_check(of(context)->host.context);
}

static uint32_t draw(void *context, uint32_t most, uint8_t counter)
{
    return of(context)->lab.draw(of(context)->host.context, most, counter);
}

/* What the caller lacks the model lacks, too. */
#define IF_THERE(whose, name) .name = (whose).name ? name : NULL
static struct model_host host_of(struct pmumodel *pmu)
{
    bool apic = pmu->host.apic_read && pmu->host.apic_write;
    return (struct model_host){
        .context = pmu,
        .lvtpc_read = lvtpc_read,
        .lvtpc_write = lvtpc_write,
        .interrupt = interrupt,
        .nmi = nmi,
        .time = time_of,
        IF_THERE(pmu->host, memory_read),
        IF_THERE(pmu->host, memory_write),
        IF_THERE(pmu->host, registers),
        IF_THERE(pmu->host, physical_read),
        IF_THERE(pmu->host, physical_write),
        IF_THERE(pmu->host, wake_other),
        IF_THERE(pmu->host, stall),
        IF_THERE(pmu->host, apic_mode),
        IF_THERE(pmu->lab, interrupt_other),
        IF_THERE(pmu->lab, interrupt_forced),
        IF_THERE(pmu->lab, machine_check),
        IF_THERE(pmu->lab, draw),
        .apic_read = apic ? apic_read : NULL,
        .apic_write = apic ? apic_write : NULL,
    };
}

/* ---- Reset */

enum pmumodel_error library_take(void *to, const void *from, size_t known, size_t least)
{
    size_t size;
    __builtin_memcpy(&size, from, sizeof(size));
    if (size < least || size > 1 << 16)
        return PMUMODEL_BAD_SIZE;
    for (size_t i = known; i < size; i++)
        if (((const uint8_t *)from)[i])
            return PMUMODEL_NEWER;
    __builtin_memset(to, 0, known);
    __builtin_memcpy(to, from, size < known ? size : known);
    return PMUMODEL_OK;
}

static enum pmumodel_error look_at(const struct pmumodel_setup *setup, const struct pmumodel_host *host)
{
    if (!setup->profile)
        return PMUMODEL_NO_PROFILE;
    if (setup->cpu >= setup->cpus)
        return PMUMODEL_BAD_CPU;
    bool all = host->lvtpc_read && host->lvtpc_write && host->interrupt && host->nmi && host->time;
    return all ? PMUMODEL_OK : PMUMODEL_NO_CALLBACK;
}

#define SINCE(type, member) (offsetof(struct type, member) + sizeof(((struct type *)0)->member))

enum pmumodel_error library_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                  const struct pmumodel_host *host)
{
    struct pmumodel_setup mine;
    enum pmumodel_error error = library_take(&mine, setup, sizeof(mine), SINCE(pmumodel_setup, cpus));
    error = error ? error : library_take(&pmu->host, host, sizeof(pmu->host), SINCE(pmumodel_host, time));
    error = error ? error : look_at(&mine, &pmu->host);
    if (error)
        return error;
    struct model_host given = host_of(pmu);
    struct model_setup chosen = {
        .profile = own(mine.profile),
        .cpu = mine.cpu,
        .cpus = mine.cpus,
        .core = (struct model_core *)(void *)mine.core,
        .change = pmu->deviates ? deviate : NULL,
        .how = &pmu->deviating,
        .tsc_khz = mine.tsc_khz,
        .arrivals_told = pmu->lab.arrivals_told,
        .reached = (struct model_reached *)(void *)pmu->lab.reached,
    };
    model_reset(&pmu->model, &chosen, &given);
    return PMUMODEL_OK;
}

size_t pmumodel_size(void)
{
    return sizeof(struct pmumodel);
}

size_t pmumodel_core_size(void)
{
    return sizeof(struct model_core);
}

enum pmumodel_error pmumodel_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                   const struct pmumodel_host *host)
{
    pmu->lab = (struct pmumodel_lab){.size = sizeof(pmu->lab)};
    pmu->deviates = false;
    return library_reset(pmu, setup, host);
}
