/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/modules.h"
#include "boot/boot_info.h"
#include "kernel/core/option.h"
#include "kernel/log/log.h"
#include "kernel/text/crc32.h"

OPTION(sums, .kind = OPTION_TEXT, .argument = "CRC32,...",
       .help = "the CRC-32 of each module that GRUB loads, as eight hexadecimal digits: a mismatch is an error");

const char *modules_check(void)
{
    static char error[MODULES_ERROR];
    const struct boot_info *boot = boot_info();
    u32 sum[ARRAY_SIZE(boot->module)];
    for (unsigned i = 0; i < boot->modules; i++) {
        u64 start = boot->module[i].start, bytes = boot->module[i].end - start;
        sum[i] = crc32_update(0, (const void *)start, bytes);
        log_line("# module number=%u bytes=%lu sum=%08x", i + 1, (unsigned long)bytes, sum[i]);
    }
    return modules_whole(sum, boot->modules, option_sums.text, error) ? NULL : error;
}
