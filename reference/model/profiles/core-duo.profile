# Core Duo (Yonah), T2600: version 1. Event selects and counters only: no fixed counters, no global registers, no PEBS.
# The CPU has no 64-bit mode; that feature stays the machine's own, as the image needs it.

name            core-duo
brand           Genuine Intel(R) CPU           T2600  @ 2.16GHz     # assumed
signature       000006e8            # dump
microcode       00000039            # assumed
bus-khz         166667              # manual: bus clock
platform-id     0014000000000000    # assumed: package type 5, mobile

leaf 01 ecx     15                  # dump: PDCM; neither DTES64 nor DS-CPL
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0                   # assumed: digital thermal sensor
leaf 06 ecx     0                   # assumed: MPERF and APERF
leaf 0a         07280201-00000000-00000000-00000000     # dump
perfcap         0                   # probed: it exists, and is 0
x2apic          no                  # dump
smi-count       no                  # drivers: since Nehalem

gp              2 x 40              # dump
fixed           none                # probed: 309H to 30BH and 38DH fault
freeze          none                # probed: DEBUGCTL has no bits 11 and 12
pebs            none                # probed: MISC_ENABLE[12] is 1, 3F1H faults
event 00c2    UOPS_RETIRED                                        # manual
event 00c8    HW_INT_RX                                           # manual
event 00c9    BR_TAKEN_RET                                        # manual
event 00ca    BR_MISPRED_TAKEN_RET                                # manual
lbr             8                   # manual

evtsel          drops 63:32         # probed: nothing faults; AnyThread is kept without effect
debugctl        accepts 8:6 1:0     # probed
# Bits 7, 11 and 12 keep their value: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 16 18 22 23 34 38; hand-off 0x60843488     # dump: hand-off; the rest assumed
ds-area         drops 63:32         # probed: a 32-bit CPU
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           13:13               # assumed
event-013c      13                  # manual: bus clock; ratio assumed
ref-step        1                   # assumed
slots           4                   # assumed; nothing counts them
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
start-stop      start               # assumed: no manual says
