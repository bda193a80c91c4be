# Pentium 4 630 (Prescott, 64-bit), hyper-threading on: NetBurst. No leaf 0AH, no PERF_CAPABILITIES, no global
# registers; 18 counters with a CCCR each, and ESCRs. Both threads of a core share all of them.

name            prescott
brand           Intel(R) Pentium(R) 4 CPU 3.00GHz   # assumed
signature       00000f43            # dump
microcode       00000005            # assumed
bus-khz         200000              # manual: bus clock
platform-id     0010000000000000    # assumed: package type 4
max-leaf        5                   # dump

leaf 01 ecx     2 4                 # dump: DTES64, DS-CPL; no PDCM
leaf 01 edx     21                  # dump: DS
leaf 04.0       00004121-01c0003f-0000001f-00000000     # assumed: the first cache; how many cores, the model says
x2apic          no                  # dump
smi-count       no                  # drivers: since Nehalem
threads         2                   # dump

gp              none                # dump: no leaf 0AH
fixed           none                # dump
freeze          none                # probed: DEBUGCTL has no such bit
# Records of 144 bytes, with counter 16 (and 17 for the second thread).
pebs            format 0            # manual
lbr             16                  # manual
errata          O8 O9               # specification update, by class

netburst        18 x 40             # manual
netburst-counter    drops 63:40; scope core         # probed; scope: manual
cccr            drops 63:32 11:0; scope core        # probed; scope: manual
escr            flip-faults 31; drops 63:32; scope core     # probed; scope: manual
debugctl        accepts 6:0         # probed
# Changing bits 11 and 12 faults: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 12 16 18 22 23 34 38; flip-faults 12:11; hand-off 0x22a40489 # dump; the rest assumed
pebs-enable     keeps 26:0; scope core      # probed; scope: manual
pebs-data-cfg   keeps 12:0; scope core      # manual: here it is MSR_PEBS_MATRIX_VERT
ds-area         canonical           # manual
therm-status    keeps 0xa; clear-only 0xa; scope core       # manual

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           15:15               # assumed
event-013c      0                  # assumed; there is no such event
ref-step        1                   # assumed
slots           3                   # assumed; nothing counts them
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
