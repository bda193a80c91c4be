/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of an ordinary run. */
#include "harness/mode/session.h"

static const char *const log_choices[] = {"full", NULL};

OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "only the tests that match");
OPTION(skip, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "not the tests that match");
OPTION(repeat, .kind = OPTION_NUMBER, .argument = "N", .help = "all tests N times", .minimum = 1, .maximum = 100000);
OPTION(shuffle, .kind = OPTION_NUMBER, .argument = "SEED", .help = "tests in a random order made from SEED",
       .minimum = 0, .maximum = ~0ull);
OPTION(failfast, .kind = OPTION_FLAG,
       .help = "skip everything after the first test that fails, ends in an error or asks for review; in a proof: "
               "for each defect");
OPTION(quick, .kind = OPTION_FLAG, .help = "fewer repeats: 20 ms a test");
static const char *const errata_choices[] = {"probe", NULL};
OPTION(errata, .kind = OPTION_CHOICE, .argument = "probe", .choices = errata_choices,
       .help = "on hardware, too: provoke published errata that other tests keep clear of");
static const char *const judge_choices[] = {"virtual", JUDGE_STRICT, NULL};
OPTION(judge, .kind = OPTION_CHOICE, .argument = "virtual[,strict]", .choices = judge_choices,
       .help = "under a hypervisor: judge its PMU by what CPUID shows of it, instead of only measuring; strict: what "
               "this hypervisor is known for excuses nothing");
OPTION_NAMED(host_kernel, "host-kernel", .kind = OPTION_TEXT, .argument = "RELEASE",
             .help = "with judge=virtual: the release of the Linux that hosts the guest; what it has mended excuses "
                     "nothing");
OPTION(log, .kind = OPTION_CHOICE, .argument = "full", .choices = log_choices,
       .help = "log every failure, and every run of a proof");
OPTION(machine, .kind = OPTION_TEXT, .argument = "NAME", .help = "a name for this machine, for the log");
