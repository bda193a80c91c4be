/* A hosted guest that gives no line for long: the monitor gives one, so that its user sees how far it is. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* At each exit of a foreign guest, and in the in-guest half from time to time, which exits when there may be a line to
 * give. */
void silence_look(struct vcpu *v, const struct frame *f);
void silence_look_inside(struct vcpu *v);
/* The exit of an access to a serial port: there will be a line. The access is made when the guest goes on. */
void silence_ends(struct vcpu *v, struct frame *f);
