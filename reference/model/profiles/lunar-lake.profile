# Core Ultra 7 258V (Lunar Lake): version 6, two kinds of cores without hyper-threading. Leaf 23H tells what each kind
# has; leaf 0AH only what both have: eight GP and three fixed counters, events 7 and 9 missing. The E cores have a hole
# in their fixed counters (bitmap 77H). MSRs from 1900H on are aliases of the counters. Branch records are architectural
# ones (leaf 1CH). Not probed: reserved bits are assumed.

name            lunar-lake
brand           Intel(R) Core(TM) Ultra 7 258V      # assumed
signature       000b06d1            # dump
microcode       0000011a            # assumed
crystal-khz     38400               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     001c000000000000    # dump
platform-info   0804043bf0812100    # dump: ratios of 400 MHz and 3.3 GHz
max-leaf        23                  # derived: the last leaf that is known

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     25                  # dump: processor trace
leaf 07 edx     15 19                # manual: hybrid
leaf 07.1 eax   8                   # dump: leaf 23H
leaf 0a         0d300806-00000280-00000007-00008603     # dump: the same on both kinds
x2apic          yes                 # assumed
smi-count       yes                 # manual
freeze          streamlined         # manual: since version 4
lbr             32                  # drivers
inuse           yes                 # manual: since version 4
aliases         yes                 # drivers: version 6
# Event, umask and the second umask (47:40), EQ (36), branch counters (35), ADAPTIVE (34). Not 37: leaf 23H EBX[2] is 0.
evtsel          accepts 47:40 36:34 31:22 20 18:0   # assumed: drivers' bits
debugctl        accepts 15:6 1:0    # assumed: by analogy with Skylake
# Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # dump: hand-off; the rest assumed
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: by analogy with Skylake
pebs-frontend   faults 0xffffffffff8000e8; hand-off 0x800   # assumed: by analogy with Skylake
ds-area         canonical           # manual
offcore-rsp0    accepts 37:0        # assumed
offcore-rsp1    accepts 37:0        # assumed
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed
package-therm-status    keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package   # manual; value assumed

# What the model simulates.
event-013c      0                   # drivers: runs with the TSC
ref-step        1                   # assumed
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
assist-every            4096        # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says

[p]
leaf 14.0       00000001-0000015f-00000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         40000003-00000000-00000000-00000000     # dump: Core, native model 3
leaf 1c         4000000b-00000007-000f0007-00000000     # dump: branch records
leaf 23.0       0000000b-00000003-00000000-00000000     # dump: sub-leaves 0, 1, 3; UMASK2 and EQ
leaf 23.1       000003ff-0000000f-00000000-00000000     # dump: counters
leaf 23.3       00001dff-00000000-00000000-00000000     # dump: events
perfcap         af6ff               # assumed: kernel log fmt6+, baseline; metrics, PEBS timing, RDPMC clears metrics
gp              10 x 48             # dump
fixed           4 x 48              # dump
pebs            format 6, pmc0-9 fixed0-3, precise pmc0-1 fixed0, latency pmc2-9    # drivers
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-load-latency      01cd        # drivers
event 0111c4  BR_INST_RETIRED.COND                                # published events
event 0101c4  BR_INST_RETIRED.COND_TAKEN                          # published events
event 10c4    BR_INST_RETIRED.COND_NTAKEN                         # published events
event 20c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 02c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 80c4    BR_INST_RETIRED.INDIRECT                            # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 40c4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 0111c5  BR_MISP_RETIRED.COND                                # published events
event 0101c5  BR_MISP_RETIRED.COND_TAKEN                          # published events
event 10c5    BR_MISP_RETIRED.COND_NTAKEN                         # published events
event 20c5    BR_MISP_RETIRED.NEAR_TAKEN                          # published events
event 02c5    BR_MISP_RETIRED.INDIRECT_CALL                       # published events
event 80c5    BR_MISP_RETIRED.INDIRECT                            # published events
event 08c5    BR_MISP_RETIRED.RET                                 # published events
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # published events
event 01ae    UOPS_ISSUED.ANY                                     # published events
event 02c2    UOPS_RETIRED.SLOTS                                  # published events
event 1fc1    ASSISTS.ANY                                         # published events
event 012a    OFFCORE_RESPONSE_0                                  # drivers
event 012b    OFFCORE_RESPONSE_1                                  # drivers
status-reset    accepts 63:61 59:58 55 48 35:32 9:0 # assumed: no SGX
status-set      accepts 62:61 59:58 55 48 35:32 9:0 # assumed
fixed-ctr-ctrl  accepts 44 40 36 32 14 0xbbbb       # assumed: ADAPTIVE, METRICS_CLEAR of counter 3, no AnyThread
global-ctrl     accepts 48 35:32 9:0; hand-off 0x3ff        # assumed: the hardware's own mask
pebs-enable     accepts 35:32 9:0   # derived: counters that can write records
pebs-data-cfg   accepts 51:48 41:32 31:24 5:0       # drivers: with counters and metrics
perf-metrics    keeps all           # assumed
clock           48:33               # assumed
slots           8                   # assumed
metrics-levels  2                   # drivers: eight fields since Golden Cove

[e]
leaf 14.0       00000001-0000015f-80000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         20000003-00000000-00000000-00000000     # dump: Atom, native model 3
leaf 1c         c000000b-00000007-000f0007-00000000     # dump: branch records
leaf 23.0       0000000f-00000003-00000008-00000000     # dump: sub-leaves 0 to 3; UMASK2 and EQ; 8 slots a cycle
leaf 23.1       000000ff-00000077-00000000-00000000     # dump: counters
leaf 23.2       000000fc-00000003-000000fc-00000003     # dump: counters that can be reloaded, and those that cause it
leaf 23.3       00001f7f-00000000-00000000-00000000     # dump: events
perfcap         276ff               # assumed: kernel log fmt6+, baseline; PEBS timing
gp              8 x 48              # dump
fixed           0-2 4-6 x 48        # dump
pebs            format 6, pmc0-7 fixed0-2 fixed4-6, precise pmc0-1 fixed0, latency pmc0-1  # drivers
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-load-latency      05d0        # drivers
event 7ec4    BR_INST_RETIRED.COND                                # published events
event fec4    BR_INST_RETIRED.COND_TAKEN                          # published events
event 7fc4    BR_INST_RETIRED.COND_NTAKEN                         # published events
event c0c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event f9c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event fdc4    BR_INST_RETIRED.REL_CALL                            # published events
event fbc4    BR_INST_RETIRED.INDIRECT_CALL                       # published events
event efc4    BR_INST_RETIRED.INDIRECT_JMP                        # published events
event ebc4    BR_INST_RETIRED.INDIRECT                            # published events
event f7c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event bfc4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 7ec5    BR_MISP_RETIRED.COND                                # published events
event fec5    BR_MISP_RETIRED.COND_TAKEN                          # published events
event 7fc5    BR_MISP_RETIRED.COND_NTAKEN                         # published events
event 80c5    BR_MISP_RETIRED.NEAR_TAKEN                          # published events
event fbc5    BR_MISP_RETIRED.INDIRECT_CALL                       # published events
event efc5    BR_MISP_RETIRED.INDIRECT_JMP                        # published events
event ebc5    BR_MISP_RETIRED.INDIRECT                            # published events
event f7c5    BR_MISP_RETIRED.RETURN                              # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-7 # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-7 # published events
event 000e    UOPS_ISSUED.ANY                                     # published events
event 00c2    UOPS_RETIRED.ALL                                    # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers
reload          pmc2-7 fixed0-1     # dump: leaf 23H
cfg-b           accepts 33:32 7:2   # assumed: the counters that cause a reload
cfg-c           accepts 31:0        # assumed: the value to reload; no architectural PEBS
fixed-cfg-b     accepts 33:32 7:2   # assumed
fixed-cfg-c     accepts 31:0        # assumed
status-reset    accepts 63:61 59:58 55 38:36 34:32 7:0      # assumed
status-set      accepts 62:61 59:58 55 38:36 34:32 7:0      # assumed
fixed-ctr-ctrl  accepts 56 52 48 40 36 32 0xbbb0bbb         # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 38:36 34:32 7:0; hand-off 0xff      # assumed; value: manual
pebs-enable     accepts 38:36 34:32 7:0             # derived: counters that can write records
pebs-data-cfg   accepts 54:52 50:48 39:32 31:24 4:0 # drivers: with counters
clock           37:33               # assumed
slots           8                   # dump: leaf 23H
