# Core 2 Extreme X6800 (Conroe, stepping B2): version 2 with its first oddities. Leaf 0AH enumerates no fixed counters,
# but three exist; reserved bits of nearly all registers are accepted.

name            conroe
brand           Intel(R) Core(TM)2 CPU         X6800  @ 2.93GHz     # probed
signature       000006f6            # probed
microcode       000000d1            # assumed
bus-khz         266667              # manual: bus clock
platform-id     0000000000000000    # assumed: package type 0, desktop

leaf 01 ecx     2 4 15              # dump: DTES64, DS-CPL, PDCM
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0                   # derived: digital thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 0a         07280202-00000000-00000000-00000000     # dump: no fixed counters told
perfcap         0082                # probed: PEBS records before the instruction
x2apic          no                  # dump
smi-count       no                  # drivers: since Nehalem

gp              2 x 40              # dump
fixed           3 x 40, drops upper # probed
freeze          legacy              # manual: version 2
pebs            format 0, pmc0      # manual
pebs-events     00c0 fec1 00c5 1fc7 01cb 02cb 04cb 08cb 10cb # manual
event 01c4    BR_INST_RETIRED.PRED_NOT_TAKEN                      # manual
event 02c4    BR_INST_RETIRED.MISPRED_NOT_TAKEN                   # manual
event 04c4    BR_INST_RETIRED.PRED_TAKEN                          # manual
event 08c4    BR_INST_RETIRED.MISPRED_TAKEN                       # manual
event 0cc4    BR_INST_RETIRED.TAKEN                               # manual
event 01c0    INST_RETIRED.LOADS                                  # manual
event 02c0    INST_RETIRED.STORES                                 # manual
event 0fc2    UOPS_RETIRED.ANY                                    # manual
event 00c8    HW_INT_RCV                                          # manual
lbr             4                   # manual
errata          AG69 AJ67 AJ68 AI107 AI109      # specification updates of the 65 nm family

evtsel          drops 63:32         # probed: nothing faults
# Its 390H read 7_00000007 when it was probed with running counters; that it holds nothing is assumed.
status-reset    keeps all           # probed: nothing faults
fixed-ctr-ctrl  keeps 11:0          # probed
global-ctrl     keeps all; hand-off 0x700000003     # probed: every bit is kept; value found under an idle Linux
debugctl        accepts 12:6 1:0    # probed
# Bits 7, 11 and 12 keep their value: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 16 18 22 23 34 38; hand-off 0x4062972489     # probed; dropped bits assumed
pebs-enable     keeps 0             # probed
ds-area         canonical           # manual
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           11:11               # assumed
event-013c      11                  # manual: bus clock, 266 MHz
ref-step        1                   # assumed
slots           4                   # manual
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
