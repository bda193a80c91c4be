/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that no test had asked for. */
#include "harness/report/report_text.h"
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/text/text.h"

struct unasked unasked_between(const struct unasked *before, const struct unasked *after)
{
    struct unasked came = *after;
    came.pmi.strays -= before->pmi.strays;
    came.pmi.storms -= before->pmi.storms;
    came.pmi.empty_seconds -= before->pmi.empty_seconds;
    came.foreign_nmis -= before->foreign_nmis;
    came.machine_checks -= before->machine_checks;
    return came;
}

const char *unasked_label(const struct unasked *came)
{
    return came->pmi.storms ? "pmi-storm" : came->pmi.strays ? "stray-pmi" : NULL;
}

enum reason unasked_reason(const struct unasked *came, char *text)
{
    const char *s = came->machine_checks == 1 || (!came->machine_checks && came->pmi.strays == 1) ? "" : "s";
    if (came->machine_checks)
        format_text(text, UNASKED_REASON, "%u machine check%s came", came->machine_checks, s);
    else if (came->pmi.storms)
        format_text(text, UNASKED_REASON, "a storm of PMIs on vector 0x%x was cut", came->pmi.vector);
    else if (came->pmi.strays)
        format_text(text, UNASKED_REASON, "%u PMI%s on vector 0x%x came while none was awaited", came->pmi.strays, s,
                    came->pmi.vector);
    else
        return REASON_NONE;
    return came->machine_checks ? REASON_NOISE_MACHINE_CHECK : REASON_PMI_STRAY;
}

const char *unasked_pmi_line(char *line, u32 cpu, const char *when, const char *test, const struct unasked *came)
{
    const struct pmi_unasked *pmi = &came->pmi;
    const char *label = unasked_label(came);
    if (!label)
        return NULL;
    format_text(line, UNASKED_LINE, "# %s cpu=%u %s=%s code=%s vector=0x%x strays=%u storms=%u status=0x%lx", label,
                cpu, when, test, reasons[REASON_PMI_STRAY].name, pmi->vector, pmi->strays, pmi->storms, pmi->status);
    return line;
}

const char *unasked_stray_line(char *line, u32 cpu, const char *when, const char *test, const struct stray *came)
{
    char source[INTERRUPT_SOURCE_TEXT];
    format_text(line, UNASKED_LINE, "# stray cpu=%u %s=%s vector=0x%x count=%u %s first-rip=0x%lx", cpu, when, test,
                came->vector, came->count, interrupt_source_text(came->vector, source), came->rip);
    return line;
}

const char *unasked_stray_sum(char *line, const char *cpus, u8 vector, u32 count)
{
    char source[INTERRUPT_SOURCE_TEXT];
    if (vector == VECTOR_SPURIOUS)
        format_text(line, UNASKED_LINE, "# spurious cpus=%s vector=0x%x count=%u", cpus, vector, count);
    else if (vector == UNASKED_OTHERS)
        format_text(line, UNASKED_LINE, "# stray cpus=%s code=%s vector=others count=%u", cpus,
                    reasons[REASON_NOISE_STRAY].name, count);
    else
        format_text(line, UNASKED_LINE, "# stray cpus=%s code=%s vector=0x%x count=%u %s", cpus,
                    reasons[REASON_NOISE_STRAY].name, vector, count, interrupt_source_text(vector, source));
    return line;
}

const char *unasked_bank_line(char *line, u32 cpu, const char *when, const char *test,
                              const struct machine_check *check)
{
    char text[MACHINE_CHECK_TEXT];
    format_text(line, UNASKED_LINE, "# machine-check cpu=%u %s=%s %s", cpu, when, test,
                machine_check_text(check, text));
    return line;
}
