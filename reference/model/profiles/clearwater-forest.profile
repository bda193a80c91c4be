# A Xeon of the Clearwater Forest kind (Darkmont cores). There is no dump: all is assumed to be as on Panther Lake's E
# cores, except that leaf 0AH of a CPU with one kind of core names all of its fixed counters. Sampling is architectural
# PEBS.

name            clearwater-forest
brand           Genuine Intel(R) CPU (Clearwater Forest)  # assumed
signature       000d06d0                            # assumed: family 6, model DDH by drivers
microcode       00000100                            # assumed
crystal-khz     25000               # assumed: that of its kind
crystal-told    yes                 # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     0004000000000000                    # assumed: package type 1
platform-info   0804043df0801900                    # assumed: Wildcat Lake's
max-leaf        28                                  # assumed

leaf 01 ecx     2 4 15              # assumed: DTES64, PDCM; DS-CPL derived
leaf 01 edx     21                  # assumed: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07.1 eax   8                   # assumed: leaf 23H
leaf 07 edx     19                  # assumed: architectural branch records
leaf 0a         0d300806-00000280-00000077-00008603 # assumed
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
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x851089   # assumed: as Wildcat Lake
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
skid            1 to 4              # assumed
start-stop      start               # assumed: no manual says

leaf 1a         20000004-00000000-00000000-00000000 # assumed: Atom, native model 4
leaf 1c         c000000b-00000007-000f0007-00000000     # assumed: branch records
leaf 23.0       0000003f-00000003-00000008-00000000 # assumed: sub-leaves 0 to 5; UMASK2 and EQ; 8 slots a cycle
leaf 23.1       000000ff-00000077-00000000-00000000     # assumed: counters
leaf 23.2       000000fc-00000003-000000fc-00000003     # assumed: counters that can be reloaded, and those that cause it
leaf 23.3       00001f7f-00000000-00000000-00000000     # assumed: events
leaf 23.4       00000000-60060338-00000000-00000000 # assumed: architectural PEBS, groups
leaf 23.5       000000ff-00000003-00000077-00000001 # assumed: its counters
perfcap         23fff                               # assumed: as Lunar Lake, format 15, no baseline
gp              8 x 48              # assumed
fixed           0-2 4-6 x 48        # assumed
pebs            format 15, pmc0-7 fixed0-2 fixed4-6, precise pmc0-1 fixed0, latency pmc0-1  # assumed: leaf 23H; latency as Lunar Lake
pebs-events     all                 # assumed: as Lunar Lake
event-load-latency      05d0        # drivers
event 07c4    BR_INST_RETIRED.COND                                # published events
event 03c4    BR_INST_RETIRED.COND_TAKEN                          # published events
event 04c4    BR_INST_RETIRED.COND_NTAKEN                         # published events
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 50c4    BR_INST_RETIRED.NEAR_INDIRECT                       # published events
event 58c4    BR_INST_RETIRED.NEAR_INDIRECT_OR_RETURN             # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 03c5    BR_MISP_RETIRED.COND_TAKEN                          # published events
event 04c5    BR_MISP_RETIRED.COND_NTAKEN                         # published events
event 50c5    BR_MISP_RETIRED.NEAR_INDIRECT                       # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-7 # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-7 # published events
event 000e    UOPS_ISSUED.ANY                                     # published events
event 01c2    UOPS_RETIRED.EOM                                    # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers
reload          pmc2-7 fixed0-1     # assumed: leaf 23H
cfg-b           accepts 33:32 7:2   # assumed: the counters that cause a reload
cfg-c           accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
fixed-cfg-b     accepts 33:32 7:2   # assumed
fixed-cfg-c     accepts 63:61 50:49 41:40 37:35 31:0    # derived: leaf 23H
status-reset    accepts 63:61 59:58 55:54 38:36 34:32 7:0      # assumed
status-set      accepts 62:61 59:58 55:54 38:36 34:32 7:0      # assumed
fixed-ctr-ctrl  accepts 56 52 48 40 36 32 0xbbb0bbb         # assumed: ADAPTIVE, no AnyThread
global-ctrl     accepts 38:36 34:32 7:0; hand-off 0xff      # assumed; value: manual
clock           37:33               # assumed
slots           8                   # assumed: leaf 23H
