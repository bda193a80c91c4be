/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a row of the table of registers, and what it says about a register on one CPU. */
#include "kernel/text/text.h"
#include "pmu/state/register.h"

u32 register_index(const struct register_row *row, unsigned n)
{
    return row->first + n * row->family.apart;
}

unsigned register_number_in(const struct register_row *row, u32 msr)
{
    return row->family.apart > 1 ? (msr - row->first) / row->family.apart : msr - row->first;
}

static bool holds(const struct register_row *row, u32 msr)
{
    u32 distance = msr - row->first, apart = row->family.apart;
    return distance < row->family.count * apart && (apart == 1 || distance % apart == 0);
}

/* The same answer as cpu_class(), without the search for the model. */
static bool is_netburst(const struct pmu_caps *caps)
{
    return caps && caps->intel && caps->family == 15;
}

/*
 * A cache of the rows that were looked up last, so that the table is not searched for every write: MSR in bits 39:8,
 * the row's position + 1 in bits 7:0; 0: empty. Read and written as a whole: CPUs may overwrite each other's entries,
 * but never half of one.
 */
#define REMEMBERED 64
#define NO_ROW 0xff
static volatile u64 remembered[2][REMEMBERED];

static u64 place_of(bool netburst, u32 msr)
{
    for_each_register (row)
        if (row->netburst == netburst && holds(row, msr))
            return (u64)(row - register_rows) + 1;
    return NO_ROW;
}

static const struct register_row *find(bool netburst, u32 msr)
{
    volatile u64 *place = &remembered[netburst][msr % REMEMBERED];
    u64 known = *place;
    if (!known || known >> 8 != msr)
        *place = known = (u64)msr << 8 | place_of(netburst, msr);
    known &= 0xff;
    return known == NO_ROW ? NULL : &register_rows[known - 1];
}

/* NetBurst has its own registers at some numbers; of the PMU's other rows it has none. */
const struct register_row *register_row_of(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = is_netburst(caps) ? find(true, msr) : NULL;
    return row ? row : find(false, msr);
}

static bool exists(const struct register_row *row, const struct pmu_caps *caps, unsigned n)
{
    return (!row->version || caps->version >= row->version) && (!row->there || row->there(caps)) &&
           (!row->which || (n < 64 && row->which(caps) >> n & 1));
}

bool register_is_there(const struct register_row *row, const struct pmu_caps *caps, unsigned n)
{
    return exists(row, caps, n) && (!row->ours || row->ours(caps));
}

/* Without a version there is no PMU, and nothing of it is owed. */
bool register_is_shown(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = register_row_of(caps, msr);
    return row && row->shown && row->shown(caps) && caps->version && exists(row, caps, register_number_in(row, msr));
}

static u64 bits_of(const struct register_field *field, const struct pmu_caps *caps, unsigned n)
{
    if ((field->version && caps->version < field->version) || (field->when && !field->when(caps)) ||
        (field->capability && !(caps->perf_capabilities & field->capability)) ||
        (field->in && !(field->in(caps) >> n & 1)))
        return 0;
    return field->bits | (field->of ? field->of(caps) : 0);
}

u64 register_bits(const struct register_row *row, const struct pmu_caps *caps, unsigned n)
{
    const struct register_row *same = row->keep == ALIAS ? find(row->netburst, row->see) : row;
    u64 bits = 0;
    for (const struct register_field *field = same->fields; field && (field->bits || field->of); field++)
        bits |= bits_of(field, caps, n);
    return bits;
}

enum register_keep register_keep_on(const struct register_row *row, const struct pmu_caps *caps)
{
    return row->alias_where && row->alias_where(caps) ? ALIAS : row->keep;
}

enum register_sharing register_scope_on(const struct register_row *row, const struct pmu_caps *caps)
{
    return row->scope_of ? row->scope_of(caps) : row->scope;
}

/* ---- Names of registers. */

static const char *spelled(const char *name, unsigned number, char *text)
{
    const char *place = strchr(name, '%');
    if (place)
        format_text(text, REGISTER_NAME_SIZE, "%.*s%u%s", (int)(place - name), name, number, place + 2);
    else
        format_text(text, REGISTER_NAME_SIZE, "%s", name);
    return text;
}

const char *register_name(const struct pmu_caps *caps, u32 msr, char *text)
{
    const struct register_row *row = register_row_of(caps, msr);
    if (row && row->name)
        return spelled(row->name, row->family.from + register_number_in(row, msr), text);
    format_text(text, REGISTER_NAME_SIZE, "MSR_%xH", msr);
    return text;
}

const char *register_name_on_any(u32 msr, char *text)
{
    static const struct pmu_caps netburst = {.intel = true, .family = 15};
    return register_name(register_row_of(NULL, msr) ? NULL : &netburst, msr, text);
}

bool register_number(const char *name, u32 *msr)
{
    char text[REGISTER_NAME_SIZE];
    for_each_register (row)
        for (unsigned n = 0; n < row->family.count && row->name && row->first != REGISTER_LVTPC; n++)
            if (!strcmp(spelled(row->name, row->family.from + n, text), name) ||
                (row->old_name && !strcmp(spelled(row->old_name, row->family.from + n, text), name))) {
                *msr = register_index(row, n);
                return true;
            }
    return false;
}
