/* links: tests/harness/report/advice_pure.c kernel/text/glob.c */
#include "harness/report/advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A reason of each kind, as the image says it, where, and whose advice it gets. */
static const struct {
    const char *reason, *hypervisor, *label;
} samples[] = {
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "TCGTCGTCGTCG", "guest.tcg"},
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "KVMKVMKVM", "guest.kvm"},
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "VMwareVMware", "guest.vmware"},
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "Microsoft Hv", "guest.hyper-v"},
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "XenVMMXenVMM", "guest.xen"},
    {"CPUID.0AH:EAX=0x00000000: no architectural PMU", "none", NULL},
    {"vendor AuthenticAMD: only promises of GenuineIntel are known here", "TCGTCGTCGTCG", "guest.tcg"},
    {"vendor AuthenticAMD: only promises of GenuineIntel are known here", "none", NULL},
    {"IA32_MISC_ENABLE[12]=1 (0x1881): PEBS unavailable", "KVMKVMKVM", "guest.sampling"},
    {"IA32_MISC_ENABLE[12]=1 (0x1881): PEBS unavailable", "none", NULL},
    {"IA32_MISC_ENABLE[22]=1: the firmware option \"limit CPUID maximum\" hides leaf 0AH", "none", "enum.cpuid-limit"},
    {"no local APIC", "none", "firmware.no-apic"},
    {"microcode 0x5: PEBS is broken below 0x28 (BJ106)", "none", "firmware.microcode"},
    {"1 CPU, 2 are needed", "none", "firmware.cpus"},
    {"no clean repeat in 51: SMIs", "none", "noise.smi"},
    {"3 SMIs came during checks that cannot be repeated", "none", "noise.smi"},
    {"IA32_PMC0: no walk without an SMI or a foreign write in 3", "none", "noise.smi"},
    {"no clean repeat in 51: foreign NMIs, machine checks or stray interrupts", "none", "noise.nmi"},
    {"3 foreign NMIs came", "none", "noise.nmi"},
    {"1 machine check came", "none", "noise.machine-check"},
    {"2 machine checks came", "none", "noise.machine-check"},
    {"3 PMIs on vector 0xe0 came while none was awaited", "none", "pmi.stray"},
    {"a storm of PMIs on vector 0xe0 was cut", "none", "pmi.stray"},
    {"foreign write to IA32_PERFEVTSEL0: 0x0 became 0x1", "none", "noise.foreign-write"},
    {"IA32_THERM_STATUS: the thermal monitor slowed the clock, cycles are only measured", "none", "noise.heat"},
    {"dangerous=pebs is not given: not for a machine that is needed", "none", "option.pebs"},
    {"no memory for the DS area", "none", "option.memory"},
    {"lvtpc-not-masked: never seen passing on this class", "none", "harness.first-contact"},
    {"value: not when made again", "none", "review.repeat"},
    {"value: 3 of 100 repeats differ", "none", "review.repeat"},
    {"did not come back; left out from here on", "none", "error.lost"},
    {"checked nothing", "none", NULL},
};

static void reasons_have_their_advice(void **state)
{
    bool used[ADVICE_MAX] = {false};
    (void)state;
    for_each_row (samples, row) {
        const struct advice *advice = advice_for(row->reason, row->hypervisor);
        assert_int_equal(!!advice, !!row->label);
        if (!advice)
            continue;
        assert_string_equal(advice->label, row->label);
        used[advice - advice_rows] = true;
    }
    for (unsigned i = 0; i < advice_count; i++)
        assert_true(used[i]);
}

/* One label, one text: whoever looks a label up finds what was printed. */
static void texts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < advice_count; i++) {
        assert_in_range(strlen(advice_rows[i].text), 20, 220);
        assert_null(strchr(advice_rows[i].label, ' '));
        for (unsigned k = 0; k < i; k++)
            if (!strcmp(advice_rows[i].label, advice_rows[k].label))
                assert_string_equal(advice_rows[i].text, advice_rows[k].text);
    }
}

static void equal_labels_are_one(void **state)
{
    struct advice_book book = {0};
    unsigned told = 0;
    (void)state;
    advice_note(&book, "no clean repeat in 51: SMIs", "none");
    advice_note(&book, "3 SMIs came during checks that cannot be repeated", "none");
    advice_note(&book, "checked nothing", "none");
    for (unsigned i = 0; i < advice_count; i++)
        if (book.times[i]) {
            assert_int_equal(book.times[i], 2);
            told++;
        }
    assert_int_equal(told, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_have_their_advice),
        cmocka_unit_test(texts),
        cmocka_unit_test(equal_labels_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
