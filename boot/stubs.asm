; One entry per vector. Each leaves a struct frame (kernel/frame.h) and calls trap(frame).

bits 64
section .text
extern trap
global stubs, stub_return

; Exceptions 8, 10 to 14, 17, 21, 29 and 30 push an error code; the other entries push a zero in its place.
%define HAS_ERROR(v) ((v) == 8 || ((v) >= 10 && (v) <= 14) || (v) == 17 || (v) == 21 || (v) == 29 || (v) == 30)

align 16
stubs:                                  ; 16 bytes each
%assign vector 0
%rep 256
    align 16
    %if !HAS_ERROR(vector)
    push 0
    %endif
    push vector
    jmp common
    %assign vector vector + 1
%endrep

common:
    push rax
    push rbx
    push rcx
    push rdx
    push rsi
    push rdi
    push rbp
    push r8
    push r9
    push r10
    push r11
    push r12
    push r13
    push r14
    push r15
    mov rdi, rsp
    cld
    call trap
stub_return:
    pop r15
    pop r14
    pop r13
    pop r12
    pop r11
    pop r10
    pop r9
    pop r8
    pop rbp
    pop rdi
    pop rsi
    pop rdx
    pop rcx
    pop rbx
    pop rax
    add rsp, 16
    iretq

section .note.GNU-stack noalloc noexec nowrite progbits
