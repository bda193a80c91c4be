/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the library: an instance is the caller's choices and the model. Its files: reset.c makes it, calls.c and lab.c
 * pass calls on, save.c writes and reads its state. The public headers are all that a user of the library sees; the
 * model knows nothing of either.
 */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/library/pmumodel.h"
#include "reference/library/pmumodel_lab.h"
#include "reference/model/model.h"
#include "reference/model/model_state.h"

struct pmumodel {
    struct pmumodel_host host;
    struct pmumodel_lab lab;
    struct deviating deviating;
    bool deviates;
    _Alignas(16) struct model model;
};

/*
 * Copies a struct of the caller that begins with its size; what it does not have becomes 0. `least`: the size of the
 * oldest version; `known`: of this one.
 */
enum pmumodel_error library_take(void *to, const void *from, size_t known, size_t least);
/* As pmumodel_lab_reset(), whose `lab` has been copied to `pmu`. */
enum pmumodel_error library_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                  const struct pmumodel_host *host);
