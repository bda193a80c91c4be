/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hosting: another kernel, which the boot loader loads as a module, runs on the reference PMU; everything but the PMU
 * is passed through to it. It begins on the boot CPU and starts the others as on any machine; CPUs that did not answer
 * this image are hidden in its ACPI tables.
 */
#pragma once

#include "hosting/monitor/monitor.h"

/*
 * Starts the first module (multiboot, multiboot2, or a Linux bzImage) as the guest, which gets the other modules.
 * Returns only if it cannot: one line that tells why. Boot CPU only.
 */
const char *host_start(const struct model_setup *setup, enum monitor_stepping stepping);
