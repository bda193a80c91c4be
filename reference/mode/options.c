/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the reference PMU; their rows are in options.c, that of lockstep= in lockstep.c. */
#include "reference/mode/runs.h"

OPTION(reference, .kind = OPTION_TEXT, .argument = "PROFILE|SIGNATURE,...",
       .help =
           "test the reference PMU instead of the machine's, one run for each profile; all or all:K/N: every one, each "
           "N-th; a CPU's CPUID.1:EAX in hex, such as 906ed: with what was dumped of it; corpus or corpus:K/N: every "
           "dumped CPU");
OPTION(defect, .kind = OPTION_TEXT, .argument = "NAME[(PLACE)][:N],...",
       .help = "with reference=: one run for each defect or variation, shown 1 of N times, in one place only, as in "
               "\"counter-dead(counter=fixed1/ring=3/cpu=last)\", or at some times, as in "
               "\"pmi-lost(while=frozen/from=500)\"; in a proof: globs, only these");
OPTION(prove, .kind = OPTION_TEXT, .bare = true, .argument = "K/N",
       .help = "prove that every defect is caught and every check can fail; K/N: only this part of the defects; "
               "with reference=: each defect on that profile, if it can show there");
static const char *const stepping_choices[] = {"trap", "each", "in-guest", "single", "exit", NULL};
OPTION(stepping, .kind = OPTION_CHOICE, .argument = "trap|each|in-guest|single|exit", .choices = stepping_choices,
       .help = "how the reference PMU steps: under the trap flag, with most instructions executed in the CPU's place "
               "(trap, the default) or by the CPU (each, a cross-check); pmucheck-host.elf: blocks of code at once "
               "(in-guest), single instructions, or slowly by a VM exit each");
OPTION(bench, .kind = OPTION_FLAG, .help = "with reference=: print what stepping and each test cost");
OPTION_NAMED(prove_excuses, "prove-excuses", .kind = OPTION_TEXT, .bare = true, .argument = "K/N",
             .help = "prove that published errata excuse only defects that mimic them, on each profile whose CPU "
                     "has errata; K/N: only this part of the defects on these profiles");
OPTION_NAMED(prove_benign, "prove-benign", .kind = OPTION_TEXT, .bare = true, .argument = "K/N",
             .help = "prove that no legal variation makes a test fail; K/N: only this part of the variations; with "
                     "reference=: on that profile alone");
static const char *const here_choices[] = {"on", "all", "off", NULL};
OPTION_NAMED(prove_here, "prove-here", .kind = OPTION_CHOICE, .argument = "on|all|off", .choices = here_choices,
             .help = "before the machine's own PMU is tested: show on a model of it, on this CPU, that the checks can "
                     "fail; on: some dozens of defects, two seconds (the default on hardware); all: every defect");
