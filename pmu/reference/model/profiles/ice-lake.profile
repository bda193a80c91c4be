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

gp              8 x 48              # dump; as many without hyper-threading
fixed           4 x 48              # dump
events          0-7                 # dump
any-thread      no                  # dump: EDX[15]
freeze          streamlined         # manual: since version 4
pebs            format 4, pmc0-7 fixed0-3, precise fixed0, latency pmc0-7   # drivers
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-conditional       11c4                # published events
event-near-taken        20c4                # published events
event-near-call         02c4                # published events
event-near-return       08c4                # published events
event-far-branches      40c4                # published events
event-loads     81d0                # drivers
event-stores    82d0                # drivers
memory-counters 3:0          # published events
event-load-latency      01cd        # drivers
lbr             32                  # derived

evtsel          faults 63:35 33 21 19; pmc2 accepts 33      # assumed: Skylake's and ADAPTIVE; AnyThread is deprecated
status-reset    accepts 63:58 55 48 35:32 7:0       # assumed: Skylake's and the new counters
status-set      accepts 62:58 55 48 35:32 7:0       # assumed: the manual reserves 63
inuse           yes                 # manual: since version 4
fixed-ctr-ctrl  accepts 44 40 36 32 0xbbbb          # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 48 35:32 7:0; hand-off 0xff # assumed; value: manual
debugctl        accepts 15:6 1:0    # assumed: by analogy with Skylake
# Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. What else cannot be changed: assumed.
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

# What the model simulates. Clocks are those of the CPU named above; the rest hurts no check.
clock           39:13               # assumed
event-013c      0                  # drivers: runs with the TSC
ref-step        1                   # assumed
slots           5                   # drivers
metrics-levels  1                   # drivers: four fields
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
