# Core i7-2635QM (Sandy Bridge), hyper-threading on: version 3.

name            sandy-bridge
like            ivy-bridge   # the same core, larger
without event       # its own are here
brand           Intel(R) Core(TM) i7-2635QM CPU @ 2.00GHz   # probed
signature       000206a7            # probed
microcode       0000002f            # assumed: above 28H, from which on PEBS works
platform-info   0000080000001400    # derived: ratios of 800 MHz and 2.0 GHz

pebs-events     c0 c2 c4 c5 cd d0 d1 d2 d4 # manual
event 04c4    BR_INST_RETIRED.ALL_BRANCHES_PEBS                   # published events
event 01c4    BR_INST_RETIRED.CONDITIONAL                         # published events
event 10c4    BR_INST_RETIRED.NOT_TAKEN                           # published events
event 20c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 02c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 40c4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 04c5    BR_MISP_RETIRED.ALL_BRANCHES_PEBS                   # published events
event 01c5    BR_MISP_RETIRED.CONDITIONAL                         # published events
event 10c5    BR_MISP_RETIRED.NOT_TAKEN                           # published events
event 20c5    BR_MISP_RETIRED.TAKEN                               # published events
event 02c5    BR_MISP_RETIRED.NEAR_CALL                           # published events
event 81d0    MEM_UOPS_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_UOPS_RETIRED.ALL_STORES                  pmc0-3 # published events
event 010e    UOPS_ISSUED.ANY                                     # published events
event 01c2    UOPS_RETIRED.ALL                                    # published events
event 02c2    UOPS_RETIRED.RETIRE_SLOTS                           # published events
event 023c    CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE                  # published events
event 1eca    FP_ASSIST.ANY                                       # published events
event 20cc    ROB_MISC_EVENTS.LBR_INSERTS                         # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 01bb    OFFCORE_RESPONSE_1                                  # drivers
errata          BJ13 BJ28 BJ54 BJ58 BJ74 BJ77 BJ91 BJ92 BJ94 BJ97 BJ98 BJ101 BJ103 BJ106 BJ122 BJ136 # specification update

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           29:20               # assumed
