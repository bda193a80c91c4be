/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are embedded in the program. The Makefile names them, too, so that a change rebuilds the program. */
#pragma once

/* A file's unchanged content, ended by NUL; `path` from the top of the tree. */
#define EMBED(symbol, path)                                                                      \
    __asm__(".pushsection .rodata\n" #symbol ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n"); \
    extern const char symbol[]
