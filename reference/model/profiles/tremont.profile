# Celeron N5105 (Jasper Lake, Tremont cores): version 5 on an Atom, four GP counters, adaptive PEBS. Leaf 1AH tells the
# kind of core although there is only one. Not probed: reserved bits are assumed.

name            tremont
like            goldmont-plus   # its predecessor
without event       # its own are here
brand           Intel(R) Celeron(R) N5105 @ 2.00GHz # assumed
signature       000906c0                            # dump
microcode       24000024                            # assumed
crystal-khz     38400               # assumed: that of its kind
platform-info   00040830f0811400                    # dump: ratios of 800 MHz and 2.0 GHz
max-leaf        1b                                  # dump

leaf 0a         07300405-00000000-00000007-00008603 # dump
leaf 14.0       00000001-0000007f-80000007-00000000     # dump: processor trace
leaf 1a         20000000-00000000-00000000-00000000 # dump: Atom, native model 0
perfcap         174c5                               # assumed: kernel log fmt4+, baseline, output to trace; LBR format 5 or 7, which differ only in transactions

pebs            format 4, pmc0-3 fixed0-2, precise pmc0 fixed0 # drivers
event 7ec4    BR_INST_RETIRED.JCC                                 # published events
event fec4    BR_INST_RETIRED.TAKEN_JCC                           # published events
event f9c4    BR_INST_RETIRED.CALL                                # published events
event fdc4    BR_INST_RETIRED.REL_CALL                            # published events
event fbc4    BR_INST_RETIRED.IND_CALL                            # published events
event ebc4    BR_INST_RETIRED.NON_RETURN_IND                      # published events
event f7c4    BR_INST_RETIRED.RETURN                              # published events
event bfc4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 7ec5    BR_MISP_RETIRED.JCC                                 # published events
event fec5    BR_MISP_RETIRED.TAKEN_JCC                           # published events
event fbc5    BR_MISP_RETIRED.IND_CALL                            # published events
event ebc5    BR_MISP_RETIRED.NON_RETURN_IND                      # published events
event f7c5    BR_MISP_RETIRED.RETURN                              # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                          # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                         # published events
event 83d0    MEM_UOPS_RETIRED.ALL                                # published events
event 000e    UOPS_ISSUED.ANY                                     # published events
event 00c2    UOPS_RETIRED.ALL                                    # published events
event 01cb    HW_INTERRUPTS.RECEIVED                              # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 02b7    OFFCORE_RESPONSE_1                                  # drivers

evtsel          faults 63:35 33:32 21 19            # assumed: ADAPTIVE, no AnyThread
fixed-ctr-ctrl  accepts 40 36 32 0xbbb              # assumed: ADAPTIVE, no AnyThread
pebs-enable     accepts 62:60 34:32 3:0             # assumed: with the choice of output
pebs-data-cfg   accepts 31:24 3:0                   # drivers

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           29:20                               # assumed
event-013c      0                                   # drivers: runs with the TSC
