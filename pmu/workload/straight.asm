; 512 instructions in a row without a branch, of lengths 2 to 7: where a PMI found the code tells how far it slid.

%include "pmu/workload/counted.inc"

%macro work 0
    %rep 64
    ARITHMETIC
    %endrep
%endmacro

COUNTED straight, instructions = 516*k + 6, branches = 2*k + 2
