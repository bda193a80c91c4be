# A Core Ultra of the Nova Lake kind (Coyote Cove and Arctic Wolf cores): family 18. There is no dump: all is assumed to
# be as on Panther Lake, except what drivers and published events tell of these cores: hiding from RDPMC, which came
# with the P cores before these, and eight counters of a P core. Sampling is architectural PEBS: IA32_PEBS_ENABLE
# faults.

name            nova-lake
like            wildcat-lake   # its successor, as far as is known
brand           Genuine Intel(R) CPU (Nova Lake)    # assumed
signature       00300f10                            # assumed: family 18, model 1 by drivers
microcode       00000100                            # assumed

# Event, umask and the second umask (47:40), hiding from RDPMC (37), EQ (36), branch counters (35), ADAPTIVE (34).
evtsel          accepts 47:40 37:34 31:22 20 18:0   # assumed: as in the drivers

[p]
without event       # its own are here
leaf 1a         40000005-00000000-00000000-00000000 # published events: Core, native model 5
leaf 23.0       0000003b-00000007-00000000-00000000 # assumed: sub-leaves 0, 1, 3, 4, 5; UMASK2, EQ, hiding from RDPMC
leaf 23.1       000000ff-0000000f-00000000-00000000     # published events: counters 0 to 7
leaf 23.5       000000ff-00000003-0000000f-00000001 # assumed: its counters
gp              8 x 48              # published events: counters 0 to 7
pebs            format 15, pmc0-7 fixed0-3, precise pmc0-1 fixed0, latency pmc2-7   # assumed: leaf 23H; latency as Lunar Lake
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

[e]
without event       # its own are here
leaf 1a         20000005-00000000-00000000-00000000 # published events: Atom, native model 5
leaf 23.0       0000003f-00000007-00000008-00000000 # assumed: sub-leaves 0 to 5; UMASK2, EQ, hiding from RDPMC; 8 slots a cycle
event 07c4    BR_INST_RETIRED.COND                                # published events
event fbc4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 30c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-7 # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-7 # published events
fixed-ctr-ctrl  accepts 57:56 53:52 49:48 41:40 37:36 33:32 0xbbb0bbb  # assumed: ADAPTIVE, hiding from RDPMC, no AnyThread
