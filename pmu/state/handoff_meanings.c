/* SPDX-License-Identifier: BSD-2-Clause */
/* What each finding means for authors of firmware and operating systems. Labels are permanent. */
#include "pmu/state/handoff.h"

#define TEXT(label, owner, means, effect, fix) \
    "means=\"" means "\" owner=" owner " effect=\"" effect "\" fix=\"" fix "\" label=" label
#define MEANING(label, grade, owner, means, effect, fix)                                             \
    {                                                                                                \
        label, grade, TEXT(label, owner, means, effect, fix),                                        \
            TEXT(label, "linux", means, "none: Linux used the PMU before this image", "none needed") \
    }

#define OS_WARNS "Linux reports a firmware bug naming this register and goes on; others treat the counter as busy"
#define WATCHED "fixed counter 1 is set as Linux' NMI watchdog leaves it to a kernel of kexec or kdump"
#define BEFORE_BOOT " on every thread before handing over"

const struct handoff_meaning handoff_meanings[] = {
    [GP_RUNNING] =
        MEANING("handoff.gp-running", GRADE_CLAIMS, "firmware", "an event is selected, and the counter is on", OS_WARNS,
                "clear the event select and its GLOBAL_CTRL bit" BEFORE_BOOT),
    [GP_CLAIMED] =
        MEANING("handoff.gp-claimed", GRADE_CLAIMS, "firmware", "an event is selected, and the counter stands still",
                "agents that keep to the sharing guide leave the counter alone for ever",
                "clear event select and counter when done with them"),
    [GP_HIDDEN] = MEANING("handoff.gp-hidden", GRADE_HIDDEN, "unknown",
                          "the counter is on with event 0: INUSE and the sharing guide call it free",
                          "the next user takes the counter without knowing", "select an event, or clear the register"),
    [GP_INTERRUPT] =
        MEANING("handoff.gp-interrupt", GRADE_CLAIMS, "firmware", "no event is selected, and the interrupt bit is set",
                "INUSE says that the PMI has a user, so nobody else samples", "clear the register"),
    [GP_LEFT] = MEANING("handoff.gp-left", GRADE_BENIGN, "unknown", "no event is selected, other bits are set",
                        "none; the next user of the counter writes them anew", "clear the register"),
    [VALUE_MOVES] =
        MEANING("handoff.counter-moves", GRADE_HIDDEN, "unknown", "the value changes, and nothing claims the counter",
                "tools that check values treat the counter as busy, tools that check controls destroy its count",
                "claim the counter while it is used"),
    [VALUE_LEFT] = MEANING("handoff.counter-left", GRADE_BENIGN, "firmware",
                           "a free counter holds what its last user counted", "none", "clear the counter too"),
    [FIXED_RUNNING] = MEANING("handoff.fixed-running", GRADE_CLAIMS, "firmware", "fixed counters are enabled and on",
                              OS_WARNS, "clear 38DH and the bits from 32 up of 38FH" BEFORE_BOOT),
    [FIXED_METERED] = MEANING("handoff.fixed-running", GRADE_CLAIMS, "firmware",
                              "fixed counters 1 and 2 are on, as HP ProLiant firmware meters the processor", OS_WARNS,
                              "ProLiant: ROM set-up (F9), Ctrl+A, Service Options: disable Processor Power and "
                              "Utilization Monitoring; else clear 38DH and the bits from 32 up of 38FH" BEFORE_BOOT),
    [FIXED_WATCHED] = MEANING("handoff.fixed-running", GRADE_CLAIMS, "operating-system", WATCHED ", and it is on",
                              OS_WARNS, "in that Linux nmi_watchdog=0; a power cycle clears it"),
    [FIXED_WATCHED_OFF] =
        MEANING("handoff.fixed-claimed", GRADE_CLAIMS, "operating-system", WATCHED ", and its GLOBAL_CTRL bit is clear",
                OS_WARNS, "in that Linux nmi_watchdog=0; a power cycle clears it"),
    [FIXED_CLAIMED] =
        MEANING("handoff.fixed-claimed", GRADE_CLAIMS, "firmware",
                "fixed counters are enabled, and their GLOBAL_CTRL bits are clear", OS_WARNS, "clear 38DH" BEFORE_BOOT),
    [FIXED_INTERRUPT] = MEANING("handoff.fixed-interrupt", GRADE_CLAIMS, "firmware",
                                "no fixed counter is enabled, an interrupt bit is set",
                                "INUSE says that the PMI has a user, so nobody else samples", "clear 38DH"),
    [FIXED_LEFT] =
        MEANING("handoff.fixed-left", GRADE_BENIGN, "unknown", "other bits of 38DH are set", "none", "clear 38DH"),
    [GLOBAL_VARIANT] = MEANING("handoff.global-ctrl", GRADE_BENIGN, "unknown",
                               "manuals and generations differ in what a reset leaves here; alone it starts nothing",
                               "none; operating systems write it before they count", "none needed"),
    [STATUS_FROZEN] = MEANING("handoff.frozen", GRADE_CLAIMS, "firmware",
                              "counters or branch records were frozen by a PMI and never released",
                              "nothing counts until somebody clears the bit", "write the bit to 390H"),
    [STATUS_CHANGED] = MEANING("handoff.cond-changed", GRADE_BENIGN, "unknown",
                               "bit 63: the state of the PMU has changed at some time", "none; handlers ignore it",
                               "write the bit to 390H"),
    [STATUS_LEFT] = MEANING("handoff.overflow-left", GRADE_BENIGN, "firmware", "a counter overflowed before",
                            "the first PMI handler counts one overflow too many", "write the bits to 390H"),
    [PEBS_ON] = MEANING("handoff.pebs-on", GRADE_CLAIMS, "firmware", "counters are set to sample into memory",
                        "records may be written to memory that is used otherwise by now", "clear 3F1H before 600H"),
    [DS_LEFT] = MEANING("handoff.ds-area", GRADE_BENIGN, "firmware", "a debug store area is set but not used",
                        "none until sampling is enabled, then memory is overwritten", "clear 600H"),
    [APEBS_ON] =
        MEANING("handoff.arch-pebs-on", GRADE_CLAIMS, "firmware", "a counter is set to sample to physical memory",
                "records may be written to memory that is used otherwise by now",
                "clear bit 63 of the counter's CFG_C before 3F4H"),
    [PEBS_BASE_LEFT] =
        MEANING("handoff.pebs-base", GRADE_BENIGN, "firmware", "a buffer of architectural PEBS is set but not used",
                "none until sampling is enabled, then memory is overwritten", "clear 3F4H"),
    [TRACE_ON] = MEANING("handoff.branch-trace", GRADE_CLAIMS, "firmware", "branches are traced or sent to the bus",
                         "the machine is slow, and memory named by 600H is overwritten", "clear 1D9H"),
    [PMI_FREEZE] =
        MEANING("handoff.freeze-on-pmi", GRADE_CLAIMS, "firmware", "a PMI stops all counters",
                "every user of the PMU loses counts at the interrupt of another user", "clear bits 11 and 12 of 1D9H"),
    [LBR_ON] = MEANING("handoff.lbr-on", GRADE_BENIGN, "firmware", "branch records are taken", "none; Linux clears it",
                       "clear bit 0 of 1D9H, or of 14CEH"),
    [SMM_FREEZE] = MEANING("handoff.smm-freeze", GRADE_BENIGN, "firmware", "counters stand still in SMM",
                           "none; Linux sets it itself", "none needed"),
    [DEBUGCTL_LEFT] = MEANING("handoff.debugctl", GRADE_BENIGN, "unknown", "other debug controls are set",
                              "depends on the bit", "clear 1D9H"),
    [LVTPC_SMI] = MEANING("handoff.lvtpc-smi", GRADE_CLAIMS, "firmware", "a PMI would be an SMI: firmware samples",
                          "an operating system that takes over the entry ends this; one that does not gets no PMIs",
                          "mask the entry" BEFORE_BOOT),
    [LVTPC_OPEN] = MEANING("handoff.lvtpc-open", GRADE_CLAIMS, "firmware", "the entry is not masked",
                           "an overflow interrupts at a vector without a handler", "mask the entry"),
    [LVTPC_LEFT] = MEANING("handoff.lvtpc-left", GRADE_BENIGN, "unknown",
                           "the entry is masked but not at its reset value", "none", "none needed"),
    [IN_USE_DISAGREES] = MEANING("handoff.in-use-disagrees", GRADE_HIDDEN, "unknown", "INUSE contradicts the controls",
                                 "agents that trust the one take counters from agents that trust the other",
                                 "see the errata of the processor"),
    [REGISTER_LEFT] =
        MEANING("handoff.register-left", GRADE_BENIGN, "unknown", "the register is not 0; alone it starts nothing",
                "none; software that uses it writes it first", "clear the register"),
    [SMI_CHANGES] =
        MEANING("handoff.smi-changes-pmu", GRADE_HOSTILE, "firmware", "it was changed while an SMI was handled",
                "counts and freezes go wrong at random, with no visible cause",
                "keep counters, controls and 1D9H[14] as they were found"),
};
