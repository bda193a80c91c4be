# Xeon X5482 (Harpertown, the Penryn generation): version 2, leaf 0AH enumerates its fixed counters, and AnyThread
# faults.

name            penryn
like            conroe   # the same core, smaller
without errata        # none is told of
brand           Intel(R) Xeon(R) CPU           X5482  @ 3.20GHz     # probed
signature       00010676            # probed
microcode       0000060f            # assumed
bus-khz         400000              # manual: bus clock
platform-id     0018000000000000    # assumed: package type 6

leaf 0a         07280202-00000000-00000000-00000503     # dump
perfcap         10c2                # probed

fixed           3 x 40              # dump

evtsel          faults 63:32 21     # probed
status-reset    keeps all; hand-off 0xffffffffffffffff      # probed: reads all ones; that nothing faults is assumed
fixed-ctr-ctrl  faults 0xfffffffffffff444                   # probed: AnyThread faults
global-ctrl     keeps all; hand-off 0xffffffffffffffff      # probed: every bit is kept, all ones as found
debugctl        accepts 14 12:6 1:0 # probed
# Bits 7, 11 and 12 keep their value: probed. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 16 18 22 23 34 38; hand-off 0x4066a52489     # probed; dropped bits assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           8:8               # assumed
event-013c      8                  # manual: bus clock, 400 MHz
