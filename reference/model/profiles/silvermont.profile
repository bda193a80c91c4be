# Pentium N3530 (Silvermont): version 3, full-width writes. AnyThread bits are kept without effect; reserved EDX bit 14
# of leaf 0AH is 1.

name            silvermont
brand           Intel(R) Pentium(R) CPU  N3530  @ 2.16GHz   # probed
signature       00030678            # probed
microcode       00000838            # assumed
bus-khz         83333               # manual: bus clock
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     000c000000000000    # assumed: package type 3
platform-info   0000060000001a00    # assumed: ratios

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL assumed
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0                   # derived: digital thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 0a         07280203-00000000-00000000-00004503     # dump
perfcap         32c1                # probed
x2apic          no                  # assumed
smi-count       yes                 # manual

gp              2 x 40              # dump
fixed           3 x 40              # dump
any-thread      no                  # manual: the bit is kept without effect
freeze          legacy              # manual: version 3
pebs            format 2, pmc0      # manual
pebs-events     03 04 c4 c5         # manual
event 7ec4    BR_INST_RETIRED.JCC                                 # published events
event fec4    BR_INST_RETIRED.TAKEN_JCC                           # published events
event f9c4    BR_INST_RETIRED.CALL                                # published events
event fdc4    BR_INST_RETIRED.REL_CALL                            # published events
event fbc4    BR_INST_RETIRED.IND_CALL                            # published events
event ebc4    BR_INST_RETIRED.NON_RETURN_IND                      # published events
event f7c4    BR_INST_RETIRED.RETURN                              # published events
event bfc4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 7ec5    BR_MISP_RETIRED.JCC                                 # published events
event fec5    BR_MISP_RETIRED.TAKEN_JCC                           # published events
event fbc5    BR_MISP_RETIRED.IND_CALL                            # published events
event ebc5    BR_MISP_RETIRED.NON_RETURN_IND                      # published events
event f7c5    BR_MISP_RETIRED.RETURN                              # published events
event 4004    MEM_UOPS_RETIRED.ALL_LOADS                          # published events
event 8004    MEM_UOPS_RETIRED.ALL_STORES                         # published events
event 10c2    UOPS_RETIRED.ALL                                    # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers
lbr             8                   # manual

evtsel          faults 63:32        # probed: 19 and 21 are kept
status-reset    accepts 63:62 34:32 1:0             # probed
fixed-ctr-ctrl  accepts 11:0        # probed
global-ctrl     accepts 34:32 1:0; hand-off 0x3     # probed
debugctl        accepts 14 12:6 1:0 # probed
# Bits 7 and 12 keep their value, changing 11 faults: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # probed; dropped bits assumed
pebs-enable     accepts 0           # probed
ds-area         canonical           # manual
offcore-rsp0    accepts 37:16 14:0  # assumed
offcore-rsp1    accepts 37:16 14:0  # assumed
lbr-select      accepts 8:0         # manual
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           31:26               # assumed
event-013c      26                  # assumed: bus clock, 83 MHz
ref-step        1                   # assumed
slots           2                   # manual
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
