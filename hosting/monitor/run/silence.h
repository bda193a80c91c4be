/* SPDX-License-Identifier: BSD-2-Clause */
/* When a hosted guest prints no line for long, the monitor prints one, so that the user sees how far the guest is. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Prints a line if one is due: at each exit of a foreign guest; in the in-guest half from time to time, by an exit. */
void silence_look(struct vcpu *v, const struct frame *f);
void silence_look_inside(struct vcpu *v);
/* At the exit of an access to a serial port: the guest prints. The access is made when the guest continues. */
void silence_ends(struct vcpu *v, struct frame *f);
