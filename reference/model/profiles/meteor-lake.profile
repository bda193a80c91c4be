# Core Ultra 7 155H (Meteor Lake), three kinds of cores: P (Redwood Cove), E and, on another die, low-power E (both
# Crestmont, with the same CPUID leaves). Version 5 with leaf 23H, which adds the P cores' counter of slots. Branch
# records are architectural ones, which are no part of this model: leaf 07 does not show them. Not probed: reserved bits
# are assumed.

name            meteor-lake
brand           Intel(R) Core(TM) Ultra 7 155H      # assumed
signature       000a06a4                            # dump
microcode       00000020                            # assumed
crystal-khz     38400               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     001c000000000000                    # dump
platform-info   0804043df0811e00                    # dump: ratios of 400 MHz and 3.0 GHz
max-leaf        23                                  # dump

leaf 01 ecx     2 4 15              # dump: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     25                  # dump: processor trace
leaf 07 edx     15 19                # manual: hybrid
leaf 07.1 eax   8                                   # dump: leaf 23H
leaf 0a         07300805-00000000-00000007-00008603 # dump: the same on all kinds
x2apic          yes                 # assumed
smi-count       yes                 # manual
freeze          streamlined         # manual: since version 4
lbr             32                  # drivers
inuse           yes                 # manual: since version 4
debugctl        accepts 15:6 1:0    # assumed: by analogy with Skylake
# Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089 # dump: hand-off; the rest assumed
pebs-data-cfg   accepts 31:24 3:0   # drivers
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
leaf 14.0       00000001-0000005f-00000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         40000002-00000000-00000000-00000000 # dump: Core, native model 2
leaf 1c         4000000b-00000007-00000007-00000000     # dump: branch records
leaf 23.0       0000000b-00000000-00000000-00000000 # dump: sub-leaves 0, 1, 3
leaf 23.1       000000ff-0000000f-00000000-00000000 # dump: counters
leaf 23.3       00000dff-00000000-00000000-00000000 # dump: events
perfcap         274ff                               # assumed: as Alder Lake
threads         2                   # dump
gp              8 x 48                              # dump; the same number without hyper-threading
fixed           4 x 48                              # dump: leaf 23H
pebs            format 4, pmc0-7 fixed0-3, precise fixed0, latency pmc1-7, without-instructions pmc0   # drivers
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
event 08c5    BR_MISP_RETIRED.RET                                 # published events
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # published events
event 01ae    UOPS_ISSUED.ANY                                     # published events
event 02c2    UOPS_RETIRED.SLOTS                                  # published events
event 02ec    CPU_CLK_UNHALTED.DISTRIBUTED                        # published events
event 083c    CPU_CLK_UNHALTED.REF_DISTRIBUTED                    # published events
event 023c    CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE                  # published events
event 1bc1    ASSISTS.ANY                                         # published events
event 20cc    MISC_RETIRED.LBR_INSERTS                            # published events
event 012a    OFFCORE_RESPONSE_0                                  # drivers
event 012b    OFFCORE_RESPONSE_1                                  # drivers
evtsel          faults 63:35 33:32 21 19            # assumed: no TSX
status-reset    accepts 63:61 59:58 55 48 35:32 7:0 # assumed: no SGX
status-set      accepts 62:61 59:58 55 48 35:32 7:0 # assumed
fixed-ctr-ctrl  accepts 44 40 36 32 0xbbbb          # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 48 35:32 7:0; hand-off 0xff # assumed: the hardware's own mask
pebs-enable     accepts 35:32 7:0   # derived: counters that can write records
perf-metrics    keeps all           # assumed
clock           48:30                               # assumed
slots           6                   # drivers
metrics-levels  2                   # drivers: eight fields since Golden Cove

[e]
leaf 14.0       00000001-0000005f-80000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         20000002-00000000-00000000-00000000 # dump: Atom, native model 2
leaf 1c         c000000b-00000007-00000007-00000000     # dump: branch records
leaf 23.0       0000000b-00000000-00000006-00000000 # dump: sub-leaves 0, 1, 3; 6 slots a cycle
leaf 23.1       000000ff-00000007-00000000-00000000 # dump: counters
leaf 23.3       0000007f-00000000-00000000-00000000 # dump: events
perfcap         174ff                               # assumed: as Alder Lake's E cores
gp              8 x 48                              # dump
fixed           3 x 48                              # dump
pebs            format 4, pmc0-7 fixed0-2, precise pmc0-1 fixed0, latency pmc0-1 # drivers; latency: published events
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-load-latency      05d0        # drivers
event 7ec4    BR_INST_RETIRED.COND                                # published events
event fec4    BR_INST_RETIRED.COND_TAKEN                          # published events
event c0c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event f9c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event fdc4    BR_INST_RETIRED.REL_CALL                            # published events
event fbc4    BR_INST_RETIRED.INDIRECT_CALL                       # published events
event ebc4    BR_INST_RETIRED.INDIRECT                            # published events
event dfc4    BR_INST_RETIRED.REL_JMP                             # published events
event f7c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event bfc4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 7ec5    BR_MISP_RETIRED.COND                                # published events
event fec5    BR_MISP_RETIRED.COND_TAKEN                          # published events
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
evtsel          faults 63:35 33:32 21 19            # assumed
status-reset    accepts 63:61 59:58 55 34:32 7:0    # assumed
status-set      accepts 62:61 59:58 55 34:32 7:0    # assumed
fixed-ctr-ctrl  accepts 40 36 32 0xbbb              # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 34:32 7:0; hand-off 0xff    # assumed; value: manual
pebs-enable     accepts 62:60 34:32 7:0             # assumed: with the choice of output
clock           38:30                               # assumed
slots           6                                   # dump: leaf 23H

[l]
leaf 14.0       00000001-0000005f-80000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         20000002-00000000-00000000-00000000 # dump: Atom, native model 2
leaf 1c         c000000b-00000007-00000007-00000000     # dump: branch records
leaf 23.0       0000000b-00000000-00000006-00000000 # dump: sub-leaves 0, 1, 3; 6 slots a cycle
leaf 23.1       000000ff-00000007-00000000-00000000 # dump: counters
leaf 23.3       0000007f-00000000-00000000-00000000 # dump: events
perfcap         174ff                               # assumed: as Alder Lake's E cores
gp              8 x 48                              # dump
fixed           3 x 48                              # dump
pebs            format 4, pmc0-7 fixed0-2, precise pmc0-1 fixed0, latency pmc0-1 # drivers; latency: published events
pebs-events     all                 # drivers
pebs-tells-skips        yes         # assumed: as Goldmont
event-load-latency      05d0        # drivers
event 7ec4    BR_INST_RETIRED.COND                                # published events
event fec4    BR_INST_RETIRED.COND_TAKEN                          # published events
event c0c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event f9c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event fdc4    BR_INST_RETIRED.REL_CALL                            # published events
event fbc4    BR_INST_RETIRED.INDIRECT_CALL                       # published events
event ebc4    BR_INST_RETIRED.INDIRECT                            # published events
event dfc4    BR_INST_RETIRED.REL_JMP                             # published events
event f7c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event bfc4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 7ec5    BR_MISP_RETIRED.COND                                # published events
event fec5    BR_MISP_RETIRED.COND_TAKEN                          # published events
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
evtsel          faults 63:35 33:32 21 19            # assumed
status-reset    accepts 63:61 59:58 55 34:32 7:0    # assumed
status-set      accepts 62:61 59:58 55 34:32 7:0    # assumed
fixed-ctr-ctrl  accepts 40 36 32 0xbbb              # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 34:32 7:0; hand-off 0xff    # assumed; value: manual
pebs-enable     accepts 62:60 34:32 7:0             # assumed: with the choice of output
clock           25:30                               # assumed
slots           6                                   # dump: leaf 23H
