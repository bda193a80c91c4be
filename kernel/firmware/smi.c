/* SPDX-License-Identifier: BSD-2-Clause */
/* A system management interrupt on request. */
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/power.h"
#include "kernel/register/instructions.h"

#define PM1_ACPI_MODE BIT(0) /* SCI_EN */
#define READS 100            /* a microsecond each on an ISA bus */

static bool harmless;

u16 smi_port(void)
{
    return acpi()->smi_enable ? acpi()->smi_command : 0;
}

void smi_harmless(bool now)
{
    harmless = now;
}

static bool acpi_mode(void)
{
    u16 control = acpi()->pm1a_control;
    return control && inw(control) & PM1_ACPI_MODE;
}

const char *smi_unavailable(void)
{
    if (!smi_port())
        return "the FADT names no port and command for SMIs";
    return harmless || acpi_mode() ? NULL : "ACPI mode is off, and the command would turn it on";
}

void smi_write(u16 port)
{
    outb(port, acpi()->smi_enable);
    for (unsigned n = 0; n < READS; n++)
        inb(PORT_POST_CODES);
}
