/* Files that the program has in itself. The Makefile names them too, so that it is built again when they change. */
#pragma once

/* A file as it is, ended by NUL; `path` from the top. */
#define EMBED(symbol, path)                                                                      \
    __asm__(".pushsection .rodata\n" #symbol ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n"); \
    extern const char symbol[]
