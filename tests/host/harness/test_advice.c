/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/advice.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

/* The advice that depends on the hypervisor, and cases without advice. */
static const struct {
    enum reason code;
    const char *hypervisor, *label;
} samples[] = {
    {REASON_CPU_NO_PMU, "TCGTCGTCGTCG", "guest.tcg"},
    {REASON_CPU_NO_PMU, "KVMKVMKVM", "guest.kvm"},
    {REASON_CPU_NO_PMU, "VMwareVMware", "guest.vmware"},
    {REASON_CPU_NO_PMU, "Microsoft Hv", "guest.hyper-v"},
    {REASON_CPU_NO_PMU, "XenVMMXenVMM", "guest.xen"},
    {REASON_CPU_NO_PMU, "bhyve bhyve ", "guest.pmu"},
    {REASON_CPU_NO_PMU, "none", "cpu.no-pmu"},
    {REASON_CPU_NO_EVENT, "VMwareVMware", "guest.vmware"},
    {REASON_CPU_NO_EVENT, "Microsoft Hv", "guest.hyper-v"},
    {REASON_CPU_NO_EVENT, "bhyve bhyve ", "guest.pmu"},
    {REASON_CPU_NO_EVENT, "none", "cpu.no-event"},
    {REASON_FIRMWARE_PERFMON, "none", "firmware.perfmon"},
    {REASON_FIRMWARE_PERFMON, "KVMKVMKVM", "guest.pmu"},
    {REASON_CPU_VENDOR, "TCGTCGTCGTCG", "guest.tcg"},
    {REASON_CPU_VENDOR, "none", "cpu.vendor"},
    {REASON_CPU_NO_PEBS, "KVMKVMKVM", "guest.sampling"},
    {REASON_CPU_NO_PEBS, "Microsoft Hv", "guest.hyper-v-pebs"},
    {REASON_CPU_NO_PEBS, "none", NULL},
    {REASON_NONE, "none", NULL},
    {REASON_NONE, "TCGTCGTCGTCG", NULL},
};

CASE(hypervisors_have_their_advice)
{
    for_each_row (samples, row) {
        const struct advice *advice = advice_for(row->code, row->hypervisor);
        assert_int_equal(!!advice, !!row->label);
        if (advice)
            assert_string_equal(advice->label, row->label);
    }
}

/* Advice that depends on no hypervisor has its code's name, so that one leads to the other. */
CASE(codes_and_labels)
{
    for (unsigned i = 0; i < advice_count; i++) {
        const struct advice *row = &advice_rows[i];
        assert_int_not_equal(row->code, REASON_NONE);
        if (row->hypervisor)
            continue;
        assert_string_equal(row->label, reasons[row->code].name);
        assert_ptr_equal(advice_for(row->code, "none"), row);
        assert_ptr_equal(advice_for(row->code, "KVMKVMKVM"), row);
    }
}

/* REASON_NONE is for cases in which nobody can do anything. */
CASE(every_code_has_advice)
{
    for (unsigned code = REASON_NONE + 1; code < REASONS; code++) {
        bool advised = false;
        for (unsigned i = 0; i < advice_count; i++)
            advised |= advice_rows[i].code == code;
        if (!advised)
            fail_msg("%s has no advice", reasons[code].name);
    }
}

/* A name is one word of a log line, and has one meaning. */
CASE(names)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz.-";
    for (unsigned code = REASON_NONE + 1; code < REASONS; code++) {
        const struct reason_row *row = &reasons[code];
        assert_int_equal(strspn(row->name, letters), strlen(row->name));
        assert_non_null(strchr(row->name, '.'));
        assert_in_range(strlen(row->what), 10, 100);
        for (unsigned other = REASON_NONE; other < code; other++)
            assert_string_not_equal(row->name, reasons[other].name);
    }
}

/* Each label has one text, so that looking a label up finds the printed text. */
CASE(texts)
{
    for (unsigned i = 0; i < advice_count; i++) {
        assert_in_range(strlen(advice_rows[i].text), 20, 220);
        assert_null(strchr(advice_rows[i].label, ' '));
        for (unsigned k = 0; k < i; k++)
            if (!strcmp(advice_rows[i].label, advice_rows[k].label))
                assert_string_equal(advice_rows[i].text, advice_rows[k].text);
    }
}

CASE(equal_labels_are_one)
{
    struct advice_book book = {0};
    unsigned told = 0;
    advice_note(&book, REASON_CPU_NO_PMU, "TCGTCGTCGTCG");
    advice_note(&book, REASON_CPU_VENDOR, "TCGTCGTCGTCG");
    advice_note(&book, REASON_NONE, "TCGTCGTCGTCG");
    for (unsigned i = 0; i < advice_count; i++)
        if (book.times[i]) {
            assert_int_equal(book.times[i], 2);
            told++;
        }
    assert_int_equal(told, 1);
}

int main(void)
{
    return run_cases();
}
