# Core Ultra X7 358H (Panther Lake): version 6, two kinds of cores without hyper-threading, Cougar Cove and Darkmont,
# with the counters of Lunar Lake's. Sampling is architectural PEBS: IA32_PEBS_ENABLE faults. Not probed: reserved bits
# are assumed.

name            panther-lake
like            wildcat-lake   # the same two kinds of cores
brand           Intel(R) Core(TM) Ultra X7 358H     # assumed
signature       000c06c3                            # dump

[p]
leaf 1a         40000004-00000000-00000000-00000000 # dump: Core, native model 4

[e]
leaf 1a         20000004-00000000-00000000-00000000 # dump: Atom, native model 4
