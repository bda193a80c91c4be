; SPDX-License-Identifier: BSD-2-Clause
; The console font, unpacked by the build from the distribution's package.
default rel

section .rodata
global font_file
global font_file_end

font_file:
        incbin "font.psf"
font_file_end:
