# A Xeon of the Diamond Rapids kind (Panther Cove cores): family 19. There is no dump: all is assumed to be as on
# Panther Lake's P cores, except that leaf 0AH of a CPU with one kind of core names all of its counters and events.
# Sampling is architectural PEBS. Counters can be reloaded, as drivers do with Panther Cove's: those that have a CFG_B,
# by the causes that drivers know.

name            diamond-rapids
like            clearwater-forest   # the other server CPU of version 6
without event       # its own are here
brand           Genuine Intel(R) CPU (Diamond Rapids)     # assumed
signature       00400f10                            # assumed: family 19, model 1 by drivers

leaf 0a         0d300a06-00000200-0000000f-00008604 # assumed
# Event, umask and the second umask (47:40), hiding from RDPMC (37), EQ (36), branch counters (35), ADAPTIVE (34).
evtsel          accepts 47:40 37:34 31:22 20 18:0   # assumed: drivers' bits

leaf 1a         40000005-00000000-00000000-00000000 # assumed: Core, native model 5
leaf 1c         4000000b-00000007-000f0007-00000000     # assumed: branch records
leaf 23.0       0000003f-00000007-00000000-00000000 # assumed: sub-leaves 0 to 5; UMASK2, EQ, hiding from RDPMC (drivers)
leaf 23.1       000003ff-0000000f-00000000-00000000     # assumed: counters
leaf 23.2       000003fc-0000000f-000000fc-00000003     # assumed: counters with a CFG_B (manual), causes (drivers)
leaf 23.3       00001dff-00000000-00000000-00000000     # assumed: events
leaf 23.4       00000000-60060378-00000000-00000000 # assumed: architectural PEBS, groups
leaf 23.5       000003ff-00000003-0000000f-00000001 # assumed: its counters
perfcap         abfff                               # assumed: as Lunar Lake, format 15, no baseline
# Drivers sample load latency on counters 2 to 7 only, as on Nova Lake: it may have only eight.
gp              10 x 48             # assumed: as Lion Cove
fixed           4 x 48              # assumed
pebs            format 15, pmc0-9 fixed0-3, precise pmc0-1 fixed0, latency pmc2-9   # assumed: leaf 23H; latency as Lunar Lake
event-load-latency      01cd        # drivers
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # assumed: as Panther Lake
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # assumed: as Panther Lake
status-reset    accepts 63:61 59:58 55:54 48 35:32 9:0 # assumed: no SGX
status-set      accepts 62:61 59:58 55:54 48 35:32 9:0 # assumed
fixed-ctr-ctrl  accepts 45:44 41:40 37:36 33:32 14 0xbbbb   # assumed: ADAPTIVE, hiding from RDPMC, METRICS_CLEAR of counter 3, no AnyThread
global-ctrl     accepts 48 35:32 9:0; hand-off 0x3ff        # assumed: the hardware's own mask
reload          pmc2-9 fixed0-3     # assumed: leaf 23H
cfg-b           accepts 48 33:32 7:2        # assumed: the counters that cause a reload; clearing the metrics
cfg-c           accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
fixed-cfg-b     accepts 48 33:32 7:2        # assumed
fixed-cfg-c     accepts 63:61 50:49 41:40 38:35 31:0    # derived: leaf 23H
perf-metrics    keeps all           # assumed
clock           48:33               # assumed
metrics-levels  2                   # drivers: eight fields since Golden Cove
