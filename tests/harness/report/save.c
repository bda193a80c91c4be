/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores the results on a machine without a serial line. */
#include "kernel/firmware/save.h"
#include "harness/report/report.h"
#include "harness/report/summary.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/acpi.h"
#include "kernel/log/log.h"

static const char *save(void)
{
    static u8 bytes[EFI_VARIABLE_MOST];
    size_t size = summary_bytes(bytes, sizeof(bytes));
    return size ? efi_variable_set(bytes, size) : "the results do not fit into a variable";
}

void save_results(void)
{
    if (!save_wants_efi())
        return;
    const char *wrong = save();
    if (wrong) {
        log_line("# save to=efi state=refused reason=\"%s\"", wrong);
        log_finding("save=efi refused: %s", wrong);
    } else {
        log_line("# save to=efi variable=" EFI_VARIABLE_FILE " state=written");
    }
}
