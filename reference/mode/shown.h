/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Could a deviation show at all in a run? A defect of something that the profile's CPU does not have, or that no
 * selected test comes to, changes nothing: that the tests pass then says nothing of them. It is known from the model's
 * rules that the run came to, and from the profile's data.
 */
#pragma once

#include "reference/mode/runs.h"
#include "reference/model/model.h"

/* A run begins, its CPUs are about to be armed: notes are taken of all of them from here on. */
void shown_begin(void);
/* Where the model of this CPU takes them: `reached` of its set-up. */
struct model_reached *shown_notes(u32 cpu);
/* Could what this run's PMU deviates in have changed anything, on any CPU? `profile` is what the run is based on. */
bool shown_may_be(const struct profile *profile, const struct deviating *deviating);
/* What a person can do if not, in `text` of `size` bytes. */
const char *shown_advice(const struct pmu_run *run, char *text, size_t size);
