; Work at CPL 3: an IRET to the next instruction, at the same level. 8 instructions of its own.

%include "harness/settled_work.inc"

%macro work 0
    lea r11, [rsp]
    push SELECTOR_USER_DATA
    push r11
    pushfq
    push SELECTOR_USER_CODE
    lea rax, [%%back]
    push rax
    iretq
%%back:
%endmacro
SETTLED iret
