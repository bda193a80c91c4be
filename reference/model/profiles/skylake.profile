# Skylake client, Core i7-6700K, hyper-threading on.
#
# In all profiles: "probed" is the write behaviour of each bit (kept, ignored, #GP) and the value that a register held
# on a real machine with an idle system, as published in a database of CPUs; "dump" a published CPUID dump; "manual" the
# developers' manual; "derived" what follows from documented fields, kernel logs or drivers; "assumed" a value without a
# source, on which no test may depend.

name            skylake
default         yes
brand           Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz    # probed
signature       000506e3            # dump
microcode       000000f0            # assumed
crystal-khz     24000               # derived: leaf 15H tells only a ratio
tsc-adjust      yes                 # dump
max-leaf        16                  # dump
platform-id     0004000000000000    # dump
platform-info   00080838f1012800    # dump: lowest and highest ratio without turbo, 800 MHz and 4.0 GHz

leaf 01 ecx     2 4 15              # dump: DTES64, DS-CPL, PDCM
leaf 01 edx     21                  # dump: DS
leaf 06 eax     0 6                 # derived: digital and package thermal sensor
leaf 06 ecx     0                   # derived: MPERF and APERF
leaf 07 ebx     25                  # dump: processor trace
leaf 0a         07300404-00000000-00000000-00000603     # dump
leaf 14.0       00000001-0000000f-00000007-00000000     # dump: processor trace
leaf 14.1       02490002-003f3fff-00000000-00000000     # dump
perfcap         33c5                # probed
# The real one has x2APIC as well. Here only a variation has it.
x2apic          no                  # assumed
smi-count       yes                 # probed
threads         2                   # dump

gp              4 x 48, 8 without hyper-threading       # dump
fixed           3 x 48              # dump
freeze          streamlined         # manual: version 4
pebs            format 3, pmc0-3, precise pmc1, latency pmc0-3      # manual
pebs-events     c0 c4 c5 c6 c8 c9 cd d0 d1 d2 d4    # published events
event-prec-dist 01c0                # manual
event-load-latency      01cd        # manual
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
event 02c5    BR_MISP_RETIRED.NEAR_CALL                           # published events
event 81d0    MEM_INST_RETIRED.ALL_LOADS                   pmc0-3 # published events
event 82d0    MEM_INST_RETIRED.ALL_STORES                  pmc0-3 # published events
event 010e    UOPS_ISSUED.ANY                                     # published events
event 02c2    UOPS_RETIRED.RETIRE_SLOTS                           # published events
event 023c    CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE                  # published events
event 3fc1    OTHER_ASSISTS.ANY                                   # published events
event 1eca    FP_ASSIST.ANY                                       # published events
event 01cb    HW_INTERRUPTS.RECEIVED                              # published events
event 20cc    ROB_MISC_EVENTS.LBR_INSERTS                         # published events
event 40cc    ROB_MISC_EVENTS.PAUSE_INST                          # published events
event 01b7    OFFCORE_RESPONSE_0                                  # drivers
event 01bb    OFFCORE_RESPONSE_1                                  # drivers
lbr             32                  # manual
errata          SKL18 SKL57 SKL90 SKL91 SKL104 SKL117 SKL120 SKL124 SKL125 SKL128 SKL161 SKL164 SKL166 SKL179 SKL186 SKL194 # specification update

evtsel          faults 63:33 19; pmc2 accepts 33        # probed
status          0                   # manual; probed: bit 0, left by the running system
status-reset    accepts 63:58 55 34:32 3:0              # probed
# The manual reserves bit 63; it is taken without a fault here (erratum SKL164).
status-set      accepts 63:58 55 34:32 3:0; drops 63    # probed
inuse           yes                 # probed
fixed-ctr-ctrl  accepts 11:0        # probed
global-ctrl     accepts 34:32 3:0; hand-off 0xf         # probed
debugctl        accepts 15:6 1:0    # probed
# Bits 7 and 12 keep their value, changing 11 faults: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850089   # probed; dropped bits assumed
pebs-enable     accepts 35:32 3:0   # probed
pebs-ld-lat     keeps 15:0; hand-off 0xffff             # probed
pebs-frontend   faults 0xffffffffff8000e8; hand-off 0x800   # probed
ds-area         canonical           # probed
offcore-rsp0    faults 0xffffffc000006000; scope core   # probed; scope: drivers
offcore-rsp1    faults 0xffffffc000006000; scope core   # probed; scope: drivers
lbr-select      accepts 9:0         # manual
# Reading valid, 40 degrees below the limit, no throttling. Log bits can be cleared.
therm-status            keeps 0xaaa; clear-only 0xaaa; hand-off 0x88280000; scope core      # manual; value assumed
package-therm-status    keeps 0xaaa; clear-only 0xaaa; hand-off 0x08280000; scope package   # manual; value assumed

clock           42:40               # assumed: 4.2 GHz turbo, TSC at 4.0 GHz
event-013c      167                 # derived: ticks with the 24 MHz crystal
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
