/* The `# machine`, `# cpu` and `# cpuid` lines: what this machine is, in numbers that settle later arguments. */
#pragma once

/* `name`: what the user calls it, "" for nothing. */
void machine_print(const char *name);
