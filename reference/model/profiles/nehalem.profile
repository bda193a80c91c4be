# Core i7-920 (Nehalem, Bloomfield stepping C0): version 3, hyper-threading on. Leaf 0AH marks event 6 unavailable
# (AAJ80) and claims event 2, which does not exist (AAJ79). Nobody has published which of its reserved bits fault.

name            nehalem
brand           Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz     # assumed
signature       000106a4            # dump
microcode       00000013            # assumed
bus-khz         133333              # manual: bus clock
platform-id     0004000000000000    # dump
platform-info   00000c0038001800    # dump: ratios of 1.6 and 3.2 GHz

leaf 01 ecx     2 4 15              # dump: DTES64, DS-CPL, PDCM
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0                   # derived: digital thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 0a         07300403-00000040-00000000-00000603     # dump
perfcap         11c3                # derived: kernel log fmt1+, no full-width writes, LBR format 3
x2apic          no                  # dump
smi-count       yes                 # manual
threads         2                   # dump

gp              4 x 48              # dump; the same number without hyper-threading
fixed           3 x 48              # dump
events          0-1 3-6             # specification update: AAJ79
freeze          legacy              # manual: version 3
pebs            format 1, pmc0-3, latency pmc3      # manual; latency: published events
pebs-events     0b 0f 010c c0 c2 c4 02c5 c7 20c8 cb f7 # drivers
event-prec-dist 01c0                # manual: as any counter has it here, without the precise distribution
event-load-latency      100b        # manual
event 04c4    BR_INST_RETIRED.ALL_BRANCHES                        # published events
event 01c4    BR_INST_RETIRED.CONDITIONAL                         # published events
event 02c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 02c5    BR_MISP_RETIRED.NEAR_CALL                           # published events
event 010b    MEM_INST_RETIRED.LOADS                              # published events
event 020b    MEM_INST_RETIRED.STORES                             # published events
event 010e    UOPS_ISSUED.ANY                                     # published events
event 01c2    UOPS_RETIRED.ANY                                    # published events
event 02c2    UOPS_RETIRED.RETIRE_SLOTS                           # published events
event 01f7    FP_ASSIST.ALL                                       # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
lbr             16                  # manual
errata          AAJ73 AAJ75 AAJ79 AAJ80 AAJ83 AAJ91 AAJ107 AAJ113 AAJ119 AAJ125 AAJ128 AAJ134 AAJ143 AAJ148 # specification update

evtsel          faults 63:32        # assumed: between Bonnell, which keeps 19, and Sandy Bridge, where it faults
status-reset    accepts 63:61 34:32 3:0             # assumed: by analogy with Sandy Bridge
fixed-ctr-ctrl  accepts 11:0        # assumed: the same from Bonnell to Skylake
# 7_0000000F after some resets: AAJ83.
global-ctrl     accepts 34:32 3:0; hand-off 0xf     # assumed: by analogy with Sandy Bridge
debugctl        accepts 14:6 1:0    # assumed: by analogy with Sandy Bridge
# Bits 7 and 12 keep their value, changing 11 faults: as on Sandy Bridge. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # dump: hand-off; the rest assumed
pebs-enable     accepts 35:32 3:0   # assumed: manual's bits
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: by analogy with Sandy Bridge
ds-area         canonical           # manual
offcore-rsp0    accepts 15:8 7:0; scope core        # assumed; scope: drivers. The second one came with Westmere
lbr-select      accepts 8:0; scope core # manual
# No status-set and inuse before version 4. Client CPUs of this generation have uncore registers at 391H to 395H; they
# are no part of this model, whose 391H and 392H fault: no test may depend on either.
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           21:20               # assumed
event-013c      20                  # manual: bus clock, 133 MHz
ref-step        1                   # assumed
slots           4                   # manual
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
assist-every            4096        # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
