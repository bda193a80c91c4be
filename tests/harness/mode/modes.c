/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/modes.h"
#include "kernel/core/image.h"
#include "kernel/text/text.h"

/* The rows that MODE() collected, between the linker's symbols. Weak, so that a host test without modes links. */
extern const struct mode *const __start_modes[] OUTSIDE_WEAK;
extern const struct mode *const __stop_modes[] OUTSIDE_WEAK;

#define for_each_mode(row) for (const struct mode *const *row = __start_modes; row < __stop_modes; row++)

static bool names(const struct mode *mode, const struct mode *other)
{
    return mode->with && glob_list_match(mode->with, other->name);
}

static bool go_together(const struct mode *mode, const struct mode *other, char *error)
{
    if (mode == other || names(mode, other) || names(other, mode))
        return true;
    format_text(error, RUN_ERROR_SIZE, "%s and %s do not go together: ask for one of them", mode->name, other->name);
    return false;
}

static bool agree(const struct mode *mode, unsigned runs, char *error)
{
    for_each_mode (other)
        if ((*other)->asked() && !go_together(mode, *other, error))
            return false;
    if (!mode->one_pmu || runs == 1)
        return true;
    format_text(error, RUN_ERROR_SIZE, "%s is for one run on one PMU, and %u are asked for: ask for one", mode->name,
                runs);
    return false;
}

bool modes_plan(unsigned runs, char *error)
{
    for_each_mode (row)
        if ((*row)->asked() && !agree(*row, runs, error))
            return false;
    for_each_mode (row)
        if ((*row)->asked() && (*row)->plan && !(*row)->plan(error))
            return false;
    return true;
}

void modes_before(void)
{
    for_each_mode (row)
        if ((*row)->asked() && (*row)->before)
            (*row)->before();
}

const char *modes_armed(void)
{
    const char *why = NULL;
    for_each_mode (row)
        if (!why && (*row)->asked() && (*row)->armed)
            why = (*row)->armed();
    return why;
}

const struct mode *modes_run(void)
{
    for_each_mode (row)
        if ((*row)->asked() && (*row)->run)
            return *row;
    return NULL;
}

const struct mode *modes_tests(void)
{
    for_each_mode (row)
        if ((*row)->asked() && (*row)->tests)
            return *row;
    return NULL;
}
