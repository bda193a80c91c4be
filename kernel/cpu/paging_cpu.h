/* SPDX-License-Identifier: BSD-2-Clause */
/* What each CPU must set before it can use the page tables of kernel/core/paging.h. */
#pragma once

/*
 * Sets all of the calling CPU's PAT, whatever firmware left there: the memory types that a mapping's rights select.
 * Faults must be caught already; also works under the boot tables. A CPU without a PAT, or with one that cannot be
 * written, is left as it is.
 */
void paging_cpu_types(void);
/* Switches the calling CPU to the tables; includes paging_cpu_types(). */
void paging_cpu_init(void);
