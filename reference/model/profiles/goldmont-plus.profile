# Pentium Silver J5005 (Goldmont Plus): version 4 on an Atom. AnyThread is deprecated already (leaf 0AH EDX[15]), PEBS
# also on fixed counters. Not probed: reserved bits are assumed.

name            goldmont-plus
brand           Intel(R) Pentium(R) Silver J5005 CPU @ 1.50GHz      # assumed
signature       000706a1            # dump
microcode       00000038            # assumed: above 28H, from which on freezing works
crystal-khz     19200               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
max-leaf        18                  # dump
platform-id     0000000000000000    # dump
platform-info   00040821f0010f00    # dump: ratios of 800 MHz and 1.5 GHz

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     25                  # dump: processor trace
leaf 0a         07300404-00000000-00000000-00008603     # dump
leaf 14.0       00000001-0000003f-80000007-00000000     # dump: processor trace
leaf 14.1       02490002-003fffff-00000000-00000000     # dump
perfcap         33c7                # derived: kernel log fmt3+, full-width; LBR format 7: drivers, MSR_LBR_INFO: manual
x2apic          yes                 # assumed
smi-count       yes                 # manual

gp              4 x 48              # dump
fixed           3 x 48              # dump
freeze          streamlined         # manual: version 4
pebs            format 3, pmc0-3 fixed0-2   # manual: reduced skid is no precise distribution
pebs-events     all                 # manual
pebs-tells-skips        yes         # manual
event 7ec4    BR_INST_RETIRED.JCC                                 # published events
event fec4    BR_INST_RETIRED.TAKEN_JCC                           # published events
event 80c4    BR_INST_RETIRED.ALL_TAKEN_BRANCHES                  # published events
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
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                          # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                         # published events
event 83d0    MEM_UOPS_RETIRED.ALL                                # published events
event 000e    UOPS_ISSUED.ANY                                     # published events
event 00c2    UOPS_RETIRED.ANY                                    # published events
event 01cb    HW_INTERRUPTS.RECEIVED                              # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers
lbr             32                  # derived

evtsel          faults 63:32; drops 21              # assumed: 19 as on Silvermont
status-reset    accepts 63:58 55 34:32 3:0          # assumed: by analogy with Skylake
status-set      accepts 62:58 55 34:32 3:0          # assumed: the manual reserves 63
inuse           yes                 # manual: version 4
fixed-ctr-ctrl  accepts 0xbbb       # assumed: AnyThread faults
global-ctrl     accepts 34:32 3:0; hand-off 0xf     # assumed; value: manual
debugctl        accepts 14 12:6 1:0 # assumed: by analogy with Silvermont
# Bits 7 and 12 keep their value, changing 11 faults: as on Silvermont. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # dump: hand-off; the rest assumed
pebs-enable     accepts 34:32 3:0   # derived: counters that can write records
ds-area         canonical           # manual
offcore-rsp0    accepts 38:0        # assumed
offcore-rsp1    accepts 37:0        # assumed
lbr-select      accepts 9:0         # drivers and firmware: with the call stack
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed
package-therm-status    keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package   # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           28:15               # assumed
event-013c      78                  # assumed: crystal, 19.2 MHz
ref-step        1                   # assumed
slots           4                   # drivers
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
