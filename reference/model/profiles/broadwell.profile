# Core i7-5600U (Broadwell), hyper-threading on: version 3, full-width writes, processor trace.

name            broadwell
like            haswell   # the same core, smaller
without event       # its own are here
brand           Intel(R) Core(TM) i7-5600U CPU @ 2.60GHz    # probed
signature       000306d4            # probed
microcode       0000002f            # assumed
max-leaf        14                  # dump
platform-id     0018000000000000    # assumed: package type 6
platform-info   0005053bf3011800    # dump: ratios of 500 MHz and 2.4 GHz

leaf 07 ebx     25                  # dump: processor trace
leaf 14.0       00000000-00000001-00000001-00000000     # dump: processor trace

event 04c4    BR_INST_RETIRED.ALL_BRANCHES_PEBS                   # published events
event 01c4    BR_INST_RETIRED.CONDITIONAL                         # published events
event 10c4    BR_INST_RETIRED.NOT_TAKEN                           # published events
event 20c4    BR_INST_RETIRED.NEAR_TAKEN                          # published events
event 02c4    BR_INST_RETIRED.NEAR_CALL                           # published events
event 08c4    BR_INST_RETIRED.NEAR_RETURN                         # published events
event 40c4    BR_INST_RETIRED.FAR_BRANCH                          # published events
event 04c5    BR_MISP_RETIRED.ALL_BRANCHES_PEBS                   # published events
event 01c5    BR_MISP_RETIRED.CONDITIONAL                         # published events
event 20c5    BR_MISP_RETIRED.NEAR_TAKEN                          # published events
event 08c5    BR_MISP_RETIRED.RET                                 # published events
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
errata          BDM8 BDM11 BDM38 BDM50 BDM55 BDM61 BDM62 BDM104 BDM110 BDM114 BDM120 BDM126     # specification update

status-reset    accepts 63:61 55 34:32 3:0          # probed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           32:26               # assumed
event-013c      26                  # manual: bus clock, 100 MHz
