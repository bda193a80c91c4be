/* Machine checks: taken, named and survived where the CPU allows it. SDM 3B, "Machine-Check Architecture". */
#pragma once

/* Registers the handler. The caller sets CR4.MCE on each CPU. */
void machine_check_init(void);
