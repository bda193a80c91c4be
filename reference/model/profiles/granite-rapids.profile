# Xeon 6979P (Granite Rapids, Redwood Cove cores), hyper-threading on: version 5 with leaf 23H, which names the same
# counters. Leaf 1AH tells the kind of core although there is only one. Its branch records are architectural
# ones (leaf 1CH). Not probed: reserved bits are assumed.

name            granite-rapids
like            sapphire-rapids   # its successor
brand           Intel(R) Xeon(R) 6979P              # assumed
signature       000a06d1                            # dump
microcode       010003f0                            # assumed
platform-info   0405082cf0801e00                    # dump: ratios of 800 MHz and 3.0 GHz
max-leaf        24                                  # dump

leaf 07.1 eax   8                                   # dump: leaf 23H
leaf 1a         40000002-00000000-00000000-00000000 # dump: Core, native model 2
leaf 23.0       0000000b-00000000-00000000-00000000 # dump: sub-leaves 0, 1, 3
leaf 23.1       000000ff-0000000f-00000000-00000000 # dump: counters
leaf 23.3       00000dff-00000000-00000000-00000000 # dump: events

events          0-8 10-11                           # dump: leaf 23H

# Bits 7 and 12 keep their value, changing 11 faults: as on Skylake. Which other bits cannot be changed is assumed.
misc-enable     keeps 0 3 11 16 18 22 23 34 38; flip-faults 11; hand-off 0x850088   # dump: hand-off; the rest assumed

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           39:30                               # assumed
