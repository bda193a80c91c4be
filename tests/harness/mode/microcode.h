/*
 * An update of microcode between two runs of the same tests: what it changed, in one boot. The file is the last module
 * that the loader gave. With one that is damaged, older, another CPU's or refused there is a line, and no second run.
 */
#pragma once

#include "harness/run/run.h"
#include "pmu/cpu/microcode.h"

/* Has each CPU look at the file, and tells in the log what it is to them. Once the PMU of the run is there. */
void microcode_look(void);
/*
 * Gives the update to each core whose CPUs it fits, and tells in the log what became of it. One core after the other,
 * by one of its threads, while all other CPUs of the machine are held. NULL, or why no CPU has another microcode now.
 */
const char *microcode_give(void);
/* For both runs: takes note of how everything came out. NULL: there is no memory for that. */
const struct observer *microcode_observer(void);
/* At the end of each: of the errata that it met, and of what walks found the CPUs to have chosen. */
void microcode_take(void);
/* After the second one: a line for each test, label, erratum and choice that came out otherwise, and one that counts.
 */
void microcode_tell_changes(void);
