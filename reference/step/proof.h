/* SPDX-License-Identifier: BSD-2-Clause */
/* What every stepper is asked before it is used, and what it costs: rows of struct stepper (stepper.h). */
#pragma once

#include "reference/step/stepper.h"

unsigned stepper_prove(char *text);
const char *stepper_probe(void);
void stepper_probes(bool begin);
/* `way`: the present way of stepping. `single`: the first way that executes instructions one by one. */
struct stepper_speed stepper_speed(void (*set_way)(unsigned way), unsigned way, unsigned single);
