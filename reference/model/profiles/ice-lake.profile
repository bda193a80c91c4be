# Core i7-1065G7 (Ice Lake), hyper-threading on: version 5, eight counters and TOPDOWN.SLOTS, PERF_METRICS, adaptive
# PEBS. Not probed: reserved bits are assumed.

name            ice-lake
brand           Intel(R) Core(TM) i7-1065G7 CPU @ 1.30GHz   # assumed
signature       000706e5            # dump
microcode       000000c2            # assumed
crystal-khz     38400               # dump
crystal-told    yes                 # dump
tsc-adjust      yes                 # dump
max-leaf        1b                  # dump
platform-id     001c000000000000    # dump
platform-info   0004043cf1810f00    # dump: ratios of 400 MHz and 1.5 GHz

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     2 25                # SGX assumed; dump: processor trace
leaf 0a         08300805-00000000-0000000f-00008604     # dump
leaf 14.0       00000001-0000000f-00000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f1fff-00000000-00000000     # dump
perfcap         f4c5                # derived: kernel log fmt4+, baseline, full-width
x2apic          yes                 # derived: as Sandy Bridge
smi-count       yes                 # manual
threads         2                   # dump

gp              8 x 48              # dump; the same number without hyper-threading
fixed           4 x 48              # dump
freeze          streamlined         # manual: since version 4
pebs            format 4, pmc0-7 fixed0-3, precise fixed0, latency pmc0-7   # drivers
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-load-latency      01cd        # drivers
event 11c4    BR_INST_RETIRED.COND                                # published events
event 01c4    BR_INST_RETIRED.COND_TAKEN                          # published events
event 10c4    BR_INST_RETIRED.COND_NTAKEN                         # published events
event 20c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 02c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 80c4    BR_INST_RETIRED.INDIRECT                            # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 40c4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 11c5    BR_MISP_RETIRED.COND                                # published events
event 01c5    BR_MISP_RETIRED.COND_TAKEN                          # published events
event 10c5    BR_MISP_RETIRED.COND_NTAKEN                         # published events
event 20c5    BR_MISP_RETIRED.NEAR_TAKEN                          # published events
event 02c5    BR_MISP_RETIRED.INDIRECT_CALL                       # published events
event 80c5    BR_MISP_RETIRED.INDIRECT                            # published events
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # published events
event 010e    UOPS_ISSUED.ANY                                     # published events
event 02c2    UOPS_RETIRED.SLOTS                                  # published events
event 02ec    CPU_CLK_UNHALTED.DISTRIBUTED                        # published events
event 083c    CPU_CLK_UNHALTED.REF_DISTRIBUTED                    # published events
event 023c    CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE                  # published events
event 07c1    ASSISTS.ANY                                         # published events
event 20cc    MISC_RETIRED.LBR_INSERTS                            # published events
event 40cc    MISC_RETIRED.PAUSE_INST                             # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 01bb    OFFCORE_RESPONSE_1                                  # drivers
lbr             32                  # derived

evtsel          faults 63:35 33 21 19; pmc2 accepts 33      # assumed: Skylake's and ADAPTIVE; AnyThread is deprecated
status-reset    accepts 63:58 55 48 35:32 7:0       # assumed: Skylake's and the new counters
status-set      accepts 62:58 55 48 35:32 7:0       # assumed: the manual reserves 63
inuse           yes                 # manual: since version 4
fixed-ctr-ctrl  accepts 44 40 36 32 0xbbbb          # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 48 35:32 7:0; hand-off 0xff # assumed; value: manual
debugctl        accepts 15:6 1:0    # assumed: by analogy with Skylake
# Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # dump: hand-off; the rest assumed
pebs-enable     accepts 35:32 7:0   # derived: counters that can write records
pebs-data-cfg   accepts 31:24 3:0   # drivers
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: by analogy with Skylake
pebs-frontend   faults 0xffffffffff8000e8; hand-off 0x800   # assumed: by analogy with Skylake
ds-area         canonical           # manual
perf-metrics    keeps 31:0           # assumed
offcore-rsp0    accepts 37:0; scope core            # assumed; scope: drivers
offcore-rsp1    accepts 37:0; scope core            # assumed; scope: drivers
lbr-select      accepts 9:0         # manual
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed
package-therm-status    keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package   # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           39:13               # assumed
event-013c      0                  # drivers: runs with the TSC
ref-step        1                   # assumed
slots           5                   # drivers
metrics-levels  1                   # drivers: four fields
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
assist-every            4096        # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
