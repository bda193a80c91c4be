; Blocks with one class of instruction at CPL 3, for count_settled() (tests/harness/settled.h): name_work runs it R8
; times. Each iteration has the class's instructions, those that prepare them, and the loop's 4 (SUB, LEA, JC and JMP).

SELECTOR_USER_CODE  equ 0x30 | 3
SELECTOR_USER_DATA  equ 0x28 | 3

bits 64
default rel

; CLASS name: the macro `class` is the body of one iteration; it may use RAX, RBX, RCX, RDX, RSI, RDI and R9 to R11.
%macro CLASS 1
section .user.text progbits alloc exec nowrite align=64
global class_%1_work
class_%1_work:
    sub rsp, 64
%%loop:
    sub r8, 1
    lea r10, [r10 + 1]
    jc %%done
    class
    jmp %%loop
%%done:
    add rsp, 64
    ret
%unmacro class 0
%endmacro

%macro class 0
    lea r11, [r11 + 1]
%endmacro
CLASS plain

%macro class 0
    pause
%endmacro
CLASS pause

%macro class 0
    mov eax, 0
    cpuid
%endmacro
CLASS cpuid

%macro class 0
    lea rsi, [rsp]
    lea rdi, [rsp + 16]
    mov ecx, 5
    rep movsb
%endmacro
CLASS rep_movsb

%macro class 0
    lock add qword [rsp], 1
%endmacro
CLASS lock_add

%macro class 0
    cmp rsp, 0
    jz %%never
%%never:
%endmacro
CLASS fused_branch

%macro class 0
    push SELECTOR_USER_CODE
    lea rax, [%%back]
    push rax
    retfq
%%back:
%endmacro
CLASS far_return

%macro class 0
%%fault:
    ud2
section extable
    dq %%fault, %%on
section .user.text
%%on:
%endmacro
CLASS fault

section .note.GNU-stack noalloc noexec nowrite progbits
