/*
 * Hosting: another kernel, given by the boot loader as a module, runs on the reference PMU, everything but the PMU
 * passed through to it. It begins on the boot CPU and starts the others as on any machine; those that did not answer
 * this image are hidden from its ACPI tables.
 */
#pragma once

#include "pmu/reference/monitor/monitor.h"

/*
 * Starts the first module (multiboot, multiboot2, or a Linux bzImage) as the guest; the further ones become its own
 * modules. Does not return if it can; else returns one line: what is in the way. Boot CPU only.
 */
const char *host_start(const struct model_setup *setup, enum monitor_stepping stepping);
