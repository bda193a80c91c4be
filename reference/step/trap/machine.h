/* SPDX-License-Identifier: BSD-2-Clause */
/* What the model asks of the machine, and the machine's own PMU meanwhile. */
#pragma once

#include "reference/step/trap/stepped.h"

/* A fault of the stepper's own ends the run, on another CPU that CPU: the others stay on the reference PMU. */
_Noreturn void machine_fatal(const struct stepped *s, const struct frame *f);
/* Resets the model by s->setup; LVTPC is masked. */
void machine_reset_model(struct stepped *s);
/* The same between two tests: nothing of the first may reach the second. Inside. */
void machine_reset(struct stepped *s);
/* The machine's own PMU must not use LVTPC while the model does: its counters stop, and go on later. */
void machine_pmu_stop(struct stepped *s);
void machine_pmu_go_on(struct stepped *s);
