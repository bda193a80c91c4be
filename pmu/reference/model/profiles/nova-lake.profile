# A Core Ultra of the Nova Lake kind (Coyote Cove and Arctic Wolf cores): family 18. There is no dump: all is assumed to
# be as on Panther Lake, but what drivers and published events tell of these cores: hiding from RDPMC, which came with the
# P cores before these, and eight counters of a P core. Sampling is architectural PEBS: IA32_PEBS_ENABLE faults.

name            nova-lake
brand           Genuine Intel(R) CPU (Nova Lake)    # assumed
signature       00300f10                            # assumed: family 18, model 1 by drivers
microcode       00000100                            # assumed
crystal-khz     38400               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     001c000000000000    # assumed: package type 7
platform-info   0804043df0801900                    # assumed: Wildcat Lake's
max-leaf        28                                  # assumed

leaf 01 ecx     2 4 15              # assumed: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # assumed: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     25                  # assumed: processor trace
leaf 07 edx     15 19                # manual: hybrid
leaf 07.1 eax   8                   # assumed: leaf 23H
leaf 0a         0d300806-00000280-00000007-00008603     # assumed: the same on both kinds
x2apic          yes                 # assumed
smi-count       yes                 # manual
any-thread      no                  # assumed: EDX[15]
freeze          streamlined         # manual: since version 4
lbr             32                  # drivers
inuse           yes                 # manual: since version 4
aliases         yes                 # drivers: version 6
# Event, umask and the second umask (47:40), hiding from RDPMC (37), EQ (36), branch counters (35), ADAPTIVE (34).
evtsel          accepts 47:40 37:34 31:22 20 18:0   # assumed: as in the drivers
debugctl        accepts 15:6 1:0    # assumed: by analogy with Skylake
# Bit 12 is 1, as there is no PEBS by a DS area. Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. What
# else cannot be changed: assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x851089   # assumed: as Wildcat Lake
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: as Lunar Lake
pebs-frontend   faults 0xffffffffff8000e8; hand-off 0x800   # assumed: by analogy with Skylake
ds-area         canonical           # manual
# Nothing tells how wide SIZE is: as many bits as make a buffer of as many bytes as IA32_PEBS_INDEX can count.
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
leaf 14.0       00000001-0000015f-00000007-00000000     # assumed: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # assumed
leaf 1a         40000004-00000000-00000000-00000000 # assumed: Core, native model 4
leaf 1c         4000000b-00000007-000f0007-00000000     # assumed: branch records
leaf 23.0       0000003b-00000007-00000000-00000000 # assumed: sub-leaves 0, 1, 3, 4, 5; UMASK2, EQ, hiding from RDPMC
leaf 23.1       000000ff-0000000f-00000000-00000000     # published events: counters 0 to 7
leaf 23.3       00001dff-00000000-00000000-00000000     # assumed: events
leaf 23.4       00000000-60060378-00000000-00000000 # assumed: architectural PEBS, groups
leaf 23.5       000000ff-00000003-0000000f-00000001 # assumed: its counters
perfcap         abfff                               # assumed: as Lunar Lake, format 15, no baseline
gp              8 x 48              # published events: counters 0 to 7
fixed           4 x 48              # assumed
events          0-8 10-12           # assumed
pebs            format 15, pmc0-7 fixed0-3, precise pmc0-1 fixed0, latency pmc2-7   # assumed: leaf 23H; latency as Lunar Lake
pebs-events     all                 # assumed: as Lunar Lake
event-load-latency      01cd        # drivers
event 07c4    BR_INST_RETIRED.COND                                # published events
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 0100c4  BR_INST_RETIRED.FAR_BRANCH                          # published events
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # published events
event 1fc1    ASSISTS.ANY                                         # published events
event 01cb    HW_INTERRUPTS.RECEIVED                              # published events
status-reset    accepts 63:61 59:58 55:54 48 35:32 7:0 # assumed: no SGX
status-set      accepts 62:61 59:58 55:54 48 35:32 7:0 # assumed
fixed-ctr-ctrl  accepts 45:44 41:40 37:36 33:32 14 0xbbbb   # assumed: ADAPTIVE, hiding from RDPMC, METRICS_CLEAR of counter 3, no AnyThread
global-ctrl     accepts 48 35:32 7:0; hand-off 0xff         # assumed: the hardware's own mask
cfg-c           accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
fixed-cfg-c     accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
perf-metrics    keeps all           # assumed
clock           48:33               # assumed
slots           8                   # assumed
metrics-levels  2                   # drivers: eight fields since Golden Cove

[e]
leaf 14.0       00000001-0000015f-80000007-00000000     # assumed: processor trace
leaf 14.1       02490002-003f003f-00000000-00000000     # assumed
leaf 1a         20000004-00000000-00000000-00000000 # assumed: Atom, native model 4
leaf 1c         c000000b-00000007-000f0007-00000000     # assumed: branch records
leaf 23.0       0000003f-00000007-00000008-00000000 # assumed: sub-leaves 0 to 5; UMASK2, EQ, hiding from RDPMC; 8 slots a cycle
leaf 23.1       000000ff-00000077-00000000-00000000     # assumed: counters
leaf 23.2       000000fc-00000003-000000fc-00000003     # assumed: counters that reload themselves, and that cause it
leaf 23.3       00001f7f-00000000-00000000-00000000     # assumed: events
leaf 23.4       00000000-60060338-00000000-00000000 # assumed: architectural PEBS, groups
leaf 23.5       000000ff-00000003-00000077-00000001 # assumed: its counters
perfcap         23fff                               # assumed: as Lunar Lake, format 15, no baseline
gp              8 x 48              # assumed
fixed           0-2 4-6 x 48        # assumed
events          0-6 8-12            # assumed
pebs            format 15, pmc0-7 fixed0-2 fixed4-6, precise pmc0-1 fixed0, latency pmc0-1  # assumed: leaf 23H; latency as Lunar Lake
pebs-events     all                 # assumed: as Lunar Lake
event-load-latency      05d0        # drivers
event 07c4    BR_INST_RETIRED.COND                                # published events
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-7 # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-7 # published events
reload          pmc2-7 fixed0-1     # assumed: leaf 23H
cfg-b           accepts 33:32 7:2   # assumed: the counters that cause a reload
cfg-c           accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
fixed-cfg-b     accepts 33:32 7:2   # assumed
fixed-cfg-c     accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
status-reset    accepts 63:61 59:58 55:54 38:36 34:32 7:0      # assumed
status-set      accepts 62:61 59:58 55:54 38:36 34:32 7:0      # assumed
fixed-ctr-ctrl  accepts 57:56 53:52 49:48 41:40 37:36 33:32 0xbbb0bbb  # assumed: ADAPTIVE, hiding from RDPMC, no AnyThread
global-ctrl     accepts 38:36 34:32 7:0; hand-off 0xff      # assumed; value: manual
clock           37:33               # assumed
slots           8                   # assumed: leaf 23H
