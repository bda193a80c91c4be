/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An update of microcode: IA32_BIOS_UPDT_TRIG takes the linear address of its data. Updates for real CPUs can only be
 * written by their maker; those for this one are open, and their data begin with a struct sealed. An update that is not
 * sealed, not for this CPU or not newer than the CPU's changes nothing and does not fault: the revision tells. SDM 3A,
 * "Microcode Update Loader" and "Update Signature and Verification".
 */
#include "reference/model/model_state.h"

#define SEAL 0x65646f63u /* "code" */

struct sealed {
    uint32_t seal; /* SEAL ^ signature ^ platforms ^ revision */
    uint32_t signature, platforms, revision;
};

static bool is_for(const struct model *m, const struct sealed *update)
{
    uint64_t platform = (m->p.platform_id & PLATFORM_ID) >> 50;
    return update->signature == m->p.signature && update->platforms >> platform & 1;
}

/* Revisions are signed numbers. */
static bool newer(uint32_t revision, uint32_t than)
{
    return (int32_t)revision > (int32_t)than;
}

/* Both threads of a core run the same microcode. */
void model_microcode_sync(struct model *m)
{
    uint32_t came = __atomic_load_n(&m->sharing.beside->microcode, __ATOMIC_ACQUIRE);
    if (came && newer(came, m->p.microcode))
        m->made.anew(m, came);
}

/* SDM 3A, "Microcode Update Loader". */
bool model_microcode_write(struct model *m, unsigned unused, uint64_t address)
{
    struct sealed update;
    (void)unused;
    if (!m->host.memory_read || !m->host.memory_read(m->host.context, address, &update, sizeof(update)))
        return false;
    bool sealed = update.seal == (SEAL ^ update.signature ^ update.platforms ^ update.revision);
    model_microcode_sync(m);
    if (!sealed || !is_for(m, &update) || !newer(update.revision, m->p.microcode))
        return true;
    __atomic_store_n(&m->sharing.beside->microcode, update.revision, __ATOMIC_RELEASE);
    model_microcode_sync(m);
    return true;
}
