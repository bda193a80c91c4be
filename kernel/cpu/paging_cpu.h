/* What each CPU must have set before it can use the page tables of kernel/core/paging.h. */
#pragma once

/* Switches the calling CPU to the tables and sets up its PAT. */
void paging_cpu_init(void);
