# Core i7-1165G7 (Tiger Lake), hyper-threading on: version 5, as Ice Lake. Not probed: reserved bits are assumed.

name            tiger-lake
like            ice-lake   # its successor, with the same counters and events
brand           11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz # assumed
signature       000806c1                            # dump
microcode       000000b8                            # assumed
platform-info   0004043df8811c00                    # dump: ratios of 400 MHz and 2.8 GHz

leaf 07 ebx     25                  # dump: processor trace
leaf 14.0       00000001-0000004f-00000007-00000000     # dump: processor trace

# What the model simulates. Clocks are those of the CPU named above; the rest affects no check.
clock           47:28                               # assumed
