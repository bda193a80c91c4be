; 512 instructions in a row without a branch, of lengths 2 to 7: where a PMI found the code tells how far it slid.

%include "pmu/workload/counted.inc"

%macro work 0
    %rep 64
    xor edi, edx
    add eax, 1
    lea rdx, [rax + 2*rax]
    add eax, 0x12345
    imul edx, edx, 0x1234567
    lea r10, [r10 + 0x1234]
    rol rdi, 7
    not edx
    %endrep
%endmacro

COUNTED straight, instructions = 516*k + 6, branches = 2*k + 2
