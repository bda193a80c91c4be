# Core 7 350 (Wildcat Lake): the two kinds of cores of Panther Lake, Cougar Cove and Darkmont, without hyper-threading.
# Sampling is architectural PEBS: IA32_PEBS_ENABLE faults. Not probed: reserved bits are assumed.

name            wildcat-lake
brand           Intel(R) Core(TM) 7 350             # dump
signature       000d0651                            # dump
microcode       00000115                            # assumed
crystal-khz     38400               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     001c000000000000    # dump
platform-info   0804043df0801900                    # dump
max-leaf        28                                  # dump

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
# Bit 12 is 1, as there is no PEBS by a DS area. Bits 7 and 12 keep their value, changing 11 faults: as on Skylake.
# Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x851089   # dump; the rest assumed
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: as Lunar Lake
pebs-frontend   faults 0xffffffffff8000e8; hand-off 0x800   # assumed: by analogy with Skylake
ds-area         canonical           # manual
# The width of SIZE is unknown: as many bits as a buffer needs whose bytes IA32_PEBS_INDEX can count.
pebs-base       accepts 51:12 3:0   # drivers; the width of SIZE derived
pebs-index      accepts 58:36 32:31 26:4    # drivers
pebs-shadow     3                   # assumed: as Lunar Lake
pebs-residual   2000                # assumed: as Lunar Lake
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
start-stop      start               # assumed: no manual says

[p]
leaf 14.0       00000001-0000015f-00000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         40000004-00000000-00000000-00000000 # dump: Core, native model 4
leaf 1c         4000000b-00000007-000f0007-00000000     # dump: branch records
leaf 23.0       0000003b-00000003-00000000-00000000 # dump: sub-leaves 0, 1, 3, 4, 5; UMASK2 and EQ
leaf 23.1       000003ff-0000000f-00000000-00000000     # dump: counters
leaf 23.3       00001dff-00000000-00000000-00000000     # dump: events
leaf 23.4       00000000-60060378-00000000-00000000 # dump: architectural PEBS, groups
leaf 23.5       000003ff-00000003-0000000f-00000001 # dump: its counters
perfcap         abfff                               # assumed: as Lunar Lake, format 15, no baseline
gp              10 x 48             # dump
fixed           4 x 48              # dump
pebs            format 15, pmc0-9 fixed0-3, precise pmc0-1 fixed0, latency pmc2-9   # dump: leaf 23H; latency assumed, as Lunar Lake
pebs-events     all                 # assumed: as Lunar Lake
event-load-latency      01cd        # drivers
event 07c4    BR_INST_RETIRED.COND                                # assumed: as Panther Lake
event 03c4    BR_INST_RETIRED.COND_TAKEN                          # assumed: as Panther Lake
event 04c4    BR_INST_RETIRED.COND_NTAKEN                         # assumed: as Panther Lake
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # assumed: as Panther Lake
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # assumed: as Panther Lake
event 20c4    BR_INST_RETIRED.NEAR_DIRECT_CALL                    # assumed: as Panther Lake
event 10c4    BR_INST_RETIRED.NEAR_INDIRECT_CALL                  # assumed: as Panther Lake
event 80c4    BR_INST_RETIRED.NEAR_DIRECT_JMP                     # assumed: as Panther Lake
event 40c4    BR_INST_RETIRED.NEAR_INDIRECT_JMP                   # assumed: as Panther Lake
event 50c4    BR_INST_RETIRED.NEAR_INDIRECT                       # assumed: as Panther Lake
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # assumed: as Panther Lake
event 0100c4  BR_INST_RETIRED.FAR_BRANCH                          # assumed: as Panther Lake
event 07c5    BR_MISP_RETIRED.COND                                # assumed: as Panther Lake
event 03c5    BR_MISP_RETIRED.COND_TAKEN                          # assumed: as Panther Lake
event 04c5    BR_MISP_RETIRED.COND_NTAKEN                         # assumed: as Panther Lake
event fbc5    BR_MISP_RETIRED.NEAR_TAKEN                          # assumed: as Panther Lake
event 10c5    BR_MISP_RETIRED.NEAR_INDIRECT_CALL                  # assumed: as Panther Lake
event 40c5    BR_MISP_RETIRED.NEAR_INDIRECT_JMP                   # assumed: as Panther Lake
event 50c5    BR_MISP_RETIRED.NEAR_INDIRECT                       # assumed: as Panther Lake
event 08c5    BR_MISP_RETIRED.NEAR_RETURN                         # assumed: as Panther Lake
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # assumed: as Panther Lake
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # assumed: as Panther Lake
event 01ae    UOPS_ISSUED.ANY                                     # assumed: as Panther Lake
event 02c2    UOPS_RETIRED.SLOTS                                  # assumed: as Panther Lake
event 1fc1    ASSISTS.ANY                                         # assumed: as Panther Lake
event 012a    OFFCORE_RESPONSE_0                                  # drivers
event 012b    OFFCORE_RESPONSE_1                                  # drivers
status-reset    accepts 63:61 59:58 55:54 48 35:32 9:0 # assumed: no SGX
status-set      accepts 62:61 59:58 55:54 48 35:32 9:0 # assumed
fixed-ctr-ctrl  accepts 44 40 36 32 14 0xbbbb       # assumed: ADAPTIVE, METRICS_CLEAR of counter 3, no AnyThread
global-ctrl     accepts 48 35:32 9:0; hand-off 0x3ff        # assumed: the hardware's own mask
cfg-c           accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
fixed-cfg-c     accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
perf-metrics    keeps all           # assumed
clock           48:33               # assumed
slots           8                   # assumed
metrics-levels  2                   # drivers: eight fields since Golden Cove

[e]
leaf 14.0       00000001-0000015f-80000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # dump
leaf 1a         20000004-00000000-00000000-00000000 # dump: Atom, native model 4
leaf 1c         c000000b-00000007-000f0007-00000000     # dump: branch records
leaf 23.0       0000003f-00000003-00000008-00000000 # dump: sub-leaves 0 to 5; UMASK2 and EQ; 8 slots a cycle
leaf 23.1       000000ff-00000077-00000000-00000000     # dump: counters
leaf 23.2       000000fc-00000003-000000fc-00000003     # dump: counters that can be reloaded, and those that cause it
leaf 23.3       00001f7f-00000000-00000000-00000000     # dump: events
leaf 23.4       00000000-60060338-00000000-00000000 # dump: architectural PEBS, groups
leaf 23.5       000000ff-00000003-00000077-00000001 # dump: its counters
perfcap         23fff                               # assumed: as Lunar Lake, format 15, no baseline
gp              8 x 48              # dump
fixed           0-2 4-6 x 48        # dump
pebs            format 15, pmc0-7 fixed0-2 fixed4-6, precise pmc0-1 fixed0, latency pmc0-1  # dump: leaf 23H; latency assumed, as Lunar Lake
pebs-events     all                 # assumed: as Lunar Lake
event-load-latency      05d0        # drivers
event 07c4    BR_INST_RETIRED.COND                                # assumed: as Panther Lake
event 03c4    BR_INST_RETIRED.COND_TAKEN                          # assumed: as Panther Lake
event 04c4    BR_INST_RETIRED.COND_NTAKEN                         # assumed: as Panther Lake
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # assumed: as Panther Lake
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # assumed: as Panther Lake
event 50c4    BR_INST_RETIRED.NEAR_INDIRECT                       # assumed: as Panther Lake
event 58c4    BR_INST_RETIRED.NEAR_INDIRECT_OR_RETURN             # assumed: as Panther Lake
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # assumed: as Panther Lake
event 03c5    BR_MISP_RETIRED.COND_TAKEN                          # assumed: as Panther Lake
event 04c5    BR_MISP_RETIRED.COND_NTAKEN                         # assumed: as Panther Lake
event 50c5    BR_MISP_RETIRED.NEAR_INDIRECT                       # assumed: as Panther Lake
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-7 # assumed: as Panther Lake
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-7 # assumed: as Panther Lake
event 000e    UOPS_ISSUED.ANY                                     # assumed: as Panther Lake
event 01c2    UOPS_RETIRED.EOM                                    # assumed: as Panther Lake
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers
reload          pmc2-7 fixed0-1     # dump: leaf 23H
cfg-b           accepts 33:32 7:2   # assumed: the counters that cause a reload
cfg-c           accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
fixed-cfg-b     accepts 33:32 7:2   # assumed
fixed-cfg-c     accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
status-reset    accepts 63:61 59:58 55:54 38:36 34:32 7:0      # assumed
status-set      accepts 62:61 59:58 55:54 38:36 34:32 7:0      # assumed
fixed-ctr-ctrl  accepts 56 52 48 40 36 32 0xbbb0bbb         # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 38:36 34:32 7:0; hand-off 0xff      # assumed; value: manual
clock           37:33               # assumed
slots           8                   # dump: leaf 23H
