# Atom 330 (Bonnell), hyper-threading on: version 3. Leaf 0AH enumerates one fixed counter, but three exist; its
# reserved EDX bit 13 is 1.

name            bonnell
brand           Intel(R) Atom(TM) CPU  330   @ 1.60GHz      # probed
signature       000106c2            # probed
microcode       00000219            # assumed
bus-khz         133333              # manual: bus clock
platform-id     0008000000000000    # assumed: package type 2

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL assumed
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0                   # derived: digital thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 0a         07280203-00000000-00000000-00002501     # dump: enumerates one fixed counter
perfcap         00c1                # probed
x2apic          no                  # assumed
smi-count       no                  # drivers: since Silvermont
threads         2                   # dump

gp              2 x 40              # dump; the same number without hyper-threading
fixed           3 x 40              # probed: 30AH and 30BH exist
freeze          legacy              # manual: version 3
pebs            format 0, pmc0      # manual
pebs-events     10 82 b0 c0 c5 cb   # published events
event 0fc4    BR_INST_RETIRED.ANY1                                # published events
event 01c4    BR_INST_RETIRED.PRED_NOT_TAKEN                      # published events
event 02c4    BR_INST_RETIRED.MISPRED_NOT_TAKEN                   # published events
event 04c4    BR_INST_RETIRED.PRED_TAKEN                          # published events
event 08c4    BR_INST_RETIRED.MISPRED_TAKEN                       # published events
event 0cc4    BR_INST_RETIRED.TAKEN                               # published events
event 0188    BR_INST_TYPE_RETIRED.COND                           # published events
event 4188    BR_INST_TYPE_RETIRED.COND_TAKEN                     # published events
event 0288    BR_INST_TYPE_RETIRED.UNCOND                         # published events
event 1088    BR_INST_TYPE_RETIRED.DIR_CALL                       # published events
event 2088    BR_INST_TYPE_RETIRED.IND_CALL                       # published events
event 0888    BR_INST_TYPE_RETIRED.RET                            # published events
event 0189    BR_MISSP_TYPE_RETIRED.COND                          # published events
event 1189    BR_MISSP_TYPE_RETIRED.COND_TAKEN                    # published events
event 0889    BR_MISSP_TYPE_RETIRED.IND_CALL                      # published events
event 0489    BR_MISSP_TYPE_RETIRED.RETURN                        # published events
event 10c2    UOPS_RETIRED.ANY                                    # published events
event 00c8    HW_INT_RCV                                          # published events
lbr             8                   # manual

evtsel          faults 63:32        # probed: 19 and 21 are kept
status-reset    accepts 63:62 34:32 1:0             # probed
fixed-ctr-ctrl  accepts 11:0        # probed
global-ctrl     accepts 34:32 1:0; hand-off 0x700000003     # probed; value found under an idle Linux
debugctl        accepts 12:6 1:0    # probed
# Bits 7, 11 and 12 keep their value: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 16 18 22 23 34 38; hand-off 0x60940488     # probed; dropped bits assumed
pebs-enable     accepts 0           # probed
ds-area         canonical           # manual
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           12:12               # assumed
event-013c      12                  # assumed: bus clock, 133 MHz
ref-step        1                   # assumed
slots           2                   # manual
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
