/* What each CPU must have set before it can use the page tables of kernel/core/paging.h. */
#pragma once

/*
 * Sets the calling CPU's PAT, all of it, whatever firmware left there: the types that the rights of a mapping stand
 * for. Needs nothing but that faults are caught; under the boot tables too. Without a PAT, or where it is not to be
 * written, it stays.
 */
void paging_cpu_types(void);
/* Switches the calling CPU to the tables, with paging_cpu_types(). */
void paging_cpu_init(void);
