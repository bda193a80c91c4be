# Core i7-4770 (Haswell), hyper-threading on: version 3, full-width writes. Not probed: reserved bits are Broadwell's,
# except where its manual has a bit that Haswell lacks.

name            haswell
like            ivy-bridge   # its predecessor
without event-precise-store        # none is told of
brand           Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz     # assumed
signature       000306c3            # dump
microcode       00000028            # assumed
tsc-adjust      yes                 # derived: from Haswell and Silvermont on
platform-id     0004000000000000    # assumed: package type 1
platform-info   00080838f3012200    # dump: ratios of 800 MHz and 3.4 GHz

perfcap         32c4                # derived: kernel log fmt2+, full-width, LBR format 4

pebs            format 2, pmc0-3, precise pmc1, latency pmc3        # manual; latency: published events
pebs-events     c0 c2 c4 c5 c8 c9 cd d0 d1 d2 d3    # published events
errata          HSD8 HSD11 HSD29 HSD52 HSD73 HSD91 HSD110 HSD135 HSD140 HSD143 HSD159 HSD167 HSD168 HSD171 HSD176 # specification update

evtsel          faults 63:33 19; pmc2 accepts 33    # assumed: by analogy with Broadwell
debugctl        accepts 15:6 1:0    # assumed: by analogy with Broadwell
pebs-enable     accepts 35:32 3:0   # assumed: by analogy with Broadwell
lbr-select      accepts 9:0         # manual

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           39:34               # assumed
event-013c      34                  # manual: bus clock, 100 MHz
