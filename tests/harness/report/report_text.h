/* SPDX-License-Identifier: BSD-2-Clause */
/* The harness's lines of the log, format 1, as text. Pure; kernel/log/log.h prints them. */
#pragma once

#include "boot/bits.h"
#include "harness/core/errata_book.h"
#include "harness/core/place.h"
#include "harness/core/reason.h"
#include "harness/report/advice.h"
#include "harness/report/fold.h"
#include "harness/report/purpose.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "pmu/run/pmi.h"

#define REPORT_LINE 900

/* "ok 1 inuse.event-select", "not ok 5 freeze.streamlined # ERROR unexpected #GP", "ok 4 a.b # SKIP reason" */
const char *report_result(char *line, u32 number, const char *test, const struct folded *folded);
/* "# fail pmi.mask-set label=... cpus=2,3 got=... want=... reg=... title=\"...\" spec=\"...\"", on CPUs of these
 * capabilities. `others`: further bits that fail alike; 0: none. */
const char *report_failure(char *line, const struct pmu_caps *caps, const struct test_declaration *test,
                           const struct folded_failure *failure, u64 others);
/* A failure for people: "fail pmi.masked: second-while-masked on CPUs 0-1: expected 0, saw 1, 8 of 8 times; SDM ..." */
const char *report_sentence(char *line, const struct pmu_caps *caps, const struct test_declaration *test,
                            const struct folded_failure *failure);
/*
 * The labels of the test's other failed checks, each once: "fail pmi.masked, also: a, b", as many as fit into `most`
 * characters. *at is 0 before the first call; NULL when none are left.
 */
const char *report_also(char *line, const struct test_declaration *test, const struct folded *folded,
                        const struct folded_failure *but, unsigned *at, size_t most);
/* "# measure pmi.skid name=... cpus=0 unit=instructions n=1000 min=0 median=2 p99=5 max=11 hist=0:12,1:301" */
const char *report_measure(char *line, const char *test, const struct folded_measure *measure);
/* "# bits reg=... cpus=0-3 kept=..." */
const char *report_note(char *line, const struct folded_note *note);
/* "# advice noise.smi \"...\" times=3" */
const char *report_advice_line(char *line, const struct advice *advice, u32 times);
/* "# reason TEST code=noise.smi" for a finished test; NULL if its reason has no code. */
const char *report_code_line(char *line, const char *test, const struct folded *folded);
/* "# untested code=firmware.perfmon reason=\"...\"": why a run judged nothing. */
const char *report_untested_line(char *line, const struct totals *totals);
/* "# erratum NUMBER core-type=0 area=counting state=seen ...": a published erratum of this kind of core. */
const char *report_erratum(char *line, u32 core_type, const struct erratum_entry *entry);
/* "# good-for rr answer=no because=\"gp.conditional-branches is skipped\"" */
const char *report_purpose(char *line, const struct purpose *purpose, const struct purpose_finding *finding);
/* "# good-for-fact rr value=11 unit=events words=..."; for a fact that was measured. */
const char *report_purpose_fact(char *line, const struct purpose_measures *measures, unsigned fact);
/* "# held TEST labels=a,b": the checks that held in every repeat; NULL if there are none. */
const char *report_held(char *line, const char *test, const struct folded *folded);
/* "# skipped TEST cpus=4-7 code=... reason=\"...\"" and "# error ...": outcomes of only some of the CPUs. */
const char *report_part(char *line, const char *test, const struct folded_reason *part);
/* "# test TEST title=\"...\" spec=\"...\" ..." for the option list */
const char *report_test(char *line, const struct test_declaration *test);
/* "verdict=fail pass=88 fail=1 known=1 review=1 skip=2 error=1" */
const char *report_totals(char *line, const struct totals *totals);

/*
 * ---- The `# topology` and `# place` lines: how many sockets, dies, modules, cores and threads there are, and which
 * CPU is where. Pure.
 *
 *     # topology leaf=1fh bits=1,5,5,7 sockets=1 dies=1 modules=1 cores=2 threads=4
 *     # place socket=0 die=0 module=0 cpus=0:0.0,1:0.1,2:1.0,3:1.1
 *
 * bits: the lowest bit of the APIC id that numbers cores, modules, dies, sockets. After each CPU: its core and thread.
 */
#define PLACES_LINE 240

/* Hands each line to `line`. place_of_cpu: where a CPU of the set sits; count: one more than the highest CPU. */
void places_lines(const struct place_bits *bits, const struct cpu_set *set, u32 count,
                  struct place (*place_of_cpu)(u32 cpu), void (*line)(const char *text));

/*
 * ---- Events that no test had asked for: unexpected PMIs, storms of them, machine checks, foreign NMIs, device
 * interrupts. As lines of the log, and as the reason of an outcome. Pure.
 */
struct unasked {
    struct pmi_unasked pmi;
    u32 foreign_nmis, machine_checks;
};
/* What came between two readings. */
struct unasked unasked_between(const struct unasked *before, const struct unasked *after);

/* The label for PMIs that a good PMU does not send; NULL if none came. */
const char *unasked_label(const struct unasked *came);
/* Why the test in which this came is an error, the most serious reason first, and in words; REASON_NONE: no error. */
#define UNASKED_REASON 96
enum reason unasked_reason(const struct unasked *came, char *text);

/* `when` and `test` make "in=pmi.masked", "after=pmi.masked" or "at=start". NULL: there is nothing to report. */
#define UNASKED_LINE 256
const char *unasked_pmi_line(char *line, u32 cpu, const char *when, const char *test, const struct unasked *came);
/* `count`: since the last reading; `rip`: where the first one since the start came. */
const char *unasked_stray_line(char *line, u32 cpu, const char *when, const char *test, const struct stray *came);
/*
 * For a whole run, on all CPUs, whose list is `cpus`. Spurious interrupts of the local APIC have no advice.
 * UNASKED_OTHERS stands for all vectors for which a CPU had no room to count.
 */
#define UNASKED_OTHERS 0
const char *unasked_stray_sum(char *line, const char *cpus, u8 vector, u32 count);
const char *unasked_bank_line(char *line, u32 cpu, const char *when, const char *test,
                              const struct machine_check *check);
