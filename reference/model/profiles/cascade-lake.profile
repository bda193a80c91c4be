# Xeon Gold 6230 (Cascade Lake), hyper-threading on: version 4, as Skylake with other events. Not probed: reserved bits
# are assumed to be Skylake's.

name            cascade-lake
like            skylake   # the same core
without errata        # none is told of
without status        # none is told of
brand           Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz    # assumed
signature       00050657                            # dump
microcode       05003707                            # assumed
crystal-khz     25000               # assumed: that of its kind
platform-id     001c000000000000                    # dump
platform-info   00070a2cf2811900                    # dump: ratios of 1.0 GHz and 2.5 GHz

x2apic          yes                                 # assumed

pebs-events     c0 c4 c5 c6 c8 c9 cd d0 d1 d2 d3 d4 # published events

status-set      accepts 62:58 55 34:32 3:0          # assumed: the manual reserves 63

clock           28:25                               # assumed
event-013c      100                                 # derived: ticks with the 25 MHz crystal
