# Core i7-3612QM (Ivy Bridge), hyper-threading on: version 3, as Sandy Bridge with other events. Not probed: reserved
# bits are assumed to be Sandy Bridge's.

name            ivy-bridge
brand           Intel(R) Core(TM) i7-3612QM CPU @ 2.10GHz   # assumed
signature       000306a9                            # dump
microcode       00000021                            # assumed
platform-id     0010000000000000    # assumed: package type 4
platform-info   00081010f0012300                    # dump: ratios of 1.6 GHz and 3.5 GHz

leaf 01 ecx     2 4 15              # dump: DTES64, DS-CPL, PDCM
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 0a         07300403-00000000-00000000-00000603     # dump
perfcap         31c3                                # dump
x2apic          yes                 # dump
smi-count       yes                 # manual
threads         2                   # dump

gp              4 x 48, 8 without hyper-threading       # dump
fixed           3 x 48              # dump
freeze          legacy              # manual: version 3
pebs            format 1, pmc0-3, precise pmc1, latency pmc3    # manual
pebs-events     c0 c2 c4 c5 cd d0 d1 d2             # published events
event-prec-dist 01c0                # manual
event-load-latency      01cd        # manual
event-precise-store     02cd        # manual
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
lbr             16                  # manual

evtsel          faults 63:32 19                     # assumed: as Sandy Bridge
status-reset    accepts 63:61 34:32 3:0             # assumed: as Sandy Bridge
fixed-ctr-ctrl  accepts 11:0                        # assumed: as Sandy Bridge
global-ctrl     accepts 34:32 3:0; hand-off 0xf     # assumed: as Sandy Bridge
debugctl        accepts 14:6 1:0                    # assumed: as Sandy Bridge
# Bits 7 and 12 keep their value, changing 11 faults: as on Sandy Bridge. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089 # dump: hand-off; the rest assumed
pebs-enable     accepts 63 35:32 3:0                # assumed: as Sandy Bridge
pebs-ld-lat     keeps 15:0; hand-off 0xffff         # assumed: as Sandy Bridge
ds-area         canonical           # manual
offcore-rsp0    faults 0xffffffc000007000; scope core       # assumed: as Sandy Bridge; scope: drivers
offcore-rsp1    faults 0xffffffc000007000; scope core       # assumed: as Sandy Bridge; scope: drivers
lbr-select      accepts 8:0         # manual
# No status-set and inuse before version 4. Client CPUs of this generation have uncore registers at 391H to 395H; they
# are no part of this model, whose 391H and 392H fault: no test may depend on either.
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed
package-therm-status    keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package   # manual; value assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           31:21                               # assumed
event-013c      20                  # manual: bus clock, 100 MHz
ref-step        1                   # assumed
slots           4                   # manual
llc-reference-every     64          # assumed
llc-miss-every          1024        # assumed
branch-miss-every       16          # assumed
assist-every            4096        # assumed
skid            1 to 4              # assumed
pebs-shadow     3                   # assumed: instructions from an overflow until the next occurrence is sampled
pebs-residual   2000                # assumed: TSC ticks
start-stop      start               # assumed: no manual says
