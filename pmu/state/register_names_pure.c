#include "kernel/text/format.h"
#include "kernel/text/string.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/lbr.h"
#include "pmu/registers.h"
#include "pmu/state/register_columns.h"
#include "pmu/state/register_names.h"

#define NAMED(index, count, apart, from, name, old, ...) {index, {count, apart, from}, name, old},
#define REGISTER(id, index, ...) NAMED(index, __VA_ARGS__)

/* Of each row of the table what its name needs: no condition, so that a program that asks no CPU can link it. */
static const struct {
    u32 first;
    struct {
        u8 count, apart, from;
    } family;
    const char *name, *old;
} names[] = {
#include "pmu/registers.def"
};

static const char *spelled(const char *name, unsigned number, char *text)
{
    const char *place = strchr(name, '%');
    if (place)
        format_text(text, REGISTER_NAME_SIZE, "%.*s%u%s", (int)(place - name), name, number, place + 2);
    else
        format_text(text, REGISTER_NAME_SIZE, "%s", name);
    return text;
}

const char *register_name(u32 msr, char *text)
{
    for_each_row (names, row) {
        u32 distance = msr - row->first;
        if (row->name && distance % row->family.apart == 0 && distance / row->family.apart < row->family.count)
            return spelled(row->name, row->family.from + distance / row->family.apart, text);
    }
    format_text(text, REGISTER_NAME_SIZE, "MSR_%xH", msr);
    return text;
}

bool register_number(const char *name, u32 *msr)
{
    char text[REGISTER_NAME_SIZE];
    for_each_row (names, row)
        for (unsigned n = 0; n < row->family.count && row->name && row->first != REGISTER_LVTPC; n++)
            if (!strcmp(spelled(row->name, row->family.from + n, text), name) ||
                (row->old && !strcmp(spelled(row->old, row->family.from + n, text), name))) {
                *msr = row->first + n * row->family.apart;
                return true;
            }
    return false;
}
