/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that no test provoked: the banks that may be read, lines of the log, reasons. */
#include "harness/report/report_text.h"
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/interrupt.h"
#include "tests/host/case.h"

#include <string.h>

static char line[UNASKED_LINE];

CASE(banks_end_before_the_registers_of_vmx)
{
    assert_int_equal(machine_check_banks(0), 0);
    assert_int_equal(machine_check_banks(0xf000c14), 20);
    assert_int_equal(machine_check_banks(0xff), 32);
}

CASE(what_is_not_valid_is_not_said)
{
    static const struct {
        struct machine_check check;
        const char *text;
    } rows[] = {
        {{.global = 5, .bank = 3, .status = 0xbc00000000000135, .address = 0x1000, .misc = 0x8c},
         "bank=3 status=0xbc00000000000135 address=0x1000 misc=0x8c mcg-status=0x5"},
        {{.bank = 0, .status = 0x8000000000000005}, "bank=0 status=0x8000000000000005 mcg-status=0x0"},
        {{.bank = 31, .status = 0x8400000000000005, .address = ~0ull},
         "bank=31 status=0x8400000000000005 address=0xffffffffffffffff mcg-status=0x0"},
        {{.global = 4, .bank = MACHINE_CHECK_NO_BANK}, "bank=none mcg-status=0x4"},
    };
    char text[MACHINE_CHECK_TEXT];
    for_each_row (rows, row)
        assert_string_equal(machine_check_text(&row->check, text), row->text);
    assert_string_equal(unasked_bank_line(line, 7, "after", "pmi.nmi", &rows[1].check),
                        "# machine-check cpu=7 after=pmi.nmi bank=0 status=0x8000000000000005 mcg-status=0x0");
}

/* The longest line of a bank fits. */
CASE(the_longest_text_fits)
{
    struct machine_check check = {.global = ~0ull, .bank = 31, .status = ~0ull, .address = ~0ull, .misc = ~0ull};
    char text[MACHINE_CHECK_TEXT];
    assert_string_equal(machine_check_text(&check, text) + strlen(text) - 18, "0xffffffffffffffff");
}

CASE(the_gravest_is_the_reason)
{
    static const struct {
        struct unasked came;
        enum reason code;
        const char *reason, *label;
    } rows[] = {
        {{.foreign_nmis = 4, .pmi.empty_seconds = 9}, REASON_NONE, NULL, NULL},
        {{.pmi = {.strays = 1, .vector = VECTOR_NMI}},
         REASON_PMI_STRAY,
         "1 PMI on vector 0x2 came while none was awaited",
         "stray-pmi"},
        {{.pmi = {.strays = 3, .vector = VECTOR_PMI}},
         REASON_PMI_STRAY,
         "3 PMIs on vector 0xe0 came while none was awaited",
         "stray-pmi"},
        {{.pmi = {.strays = 3, .storms = 1, .vector = 0xe0}},
         REASON_PMI_STRAY,
         "a storm of PMIs on vector 0xe0 was cut",
         "pmi-storm"},
        {{.pmi = {.strays = 3}, .machine_checks = 1}, REASON_NOISE_MACHINE_CHECK, "1 machine check came", "stray-pmi"},
        {{.machine_checks = 2}, REASON_NOISE_MACHINE_CHECK, "2 machine checks came", NULL},
    };
    char text[UNASKED_REASON];
    for_each_row (rows, row) {
        enum reason code = unasked_reason(&row->came, text);
        const char *label = unasked_label(&row->came);
        assert_int_equal(code, row->code);
        if (code)
            assert_string_equal(text, row->reason);
        assert_int_equal(!!label, !!row->label);
        if (label)
            assert_string_equal(label, row->label);
    }
}

CASE(lines_name_cpu_test_and_vector)
{
    struct unasked came = {.pmi = {.strays = 3, .vector = 0xe0, .status = 1}}, none = {.foreign_nmis = 1};
    assert_string_equal(unasked_pmi_line(line, 2, "in", "pmi.masked", &came),
                        "# stray-pmi cpu=2 in=pmi.masked code=pmi.stray vector=0xe0 strays=3 storms=0 status=0x1");
    assert_null(unasked_pmi_line(line, 2, "in", "pmi.masked", &none));
}

CASE(strays_name_vector_and_source)
{
    static const struct stray came = {.vector = 0x51, .count = 3, .rip = 0x1234};
    interrupt_source_add(SOURCE_PCI, 0x20, 0x51);
    assert_string_equal(unasked_stray_line(line, 2, "in", "pmi.masked", &came),
                        "# stray cpu=2 in=pmi.masked vector=0x51 count=3 pci=00:04.0 first-rip=0x1234");
    assert_string_equal(unasked_stray_sum(line, "0-3", 0x51, 9),
                        "# stray cpus=0-3 code=noise.stray vector=0x51 count=9 pci=00:04.0");
    assert_string_equal(unasked_stray_sum(line, "0", UNASKED_OTHERS, 9),
                        "# stray cpus=0 code=noise.stray vector=others count=9");
    assert_string_equal(unasked_stray_sum(line, "0", VECTOR_SPURIOUS, 1), "# spurious cpus=0 vector=0xff count=1");
}

/* Counts run since start; the last vector and status are kept. */
CASE(between_two_looks)
{
    struct unasked before = {.pmi = {.strays = 2, .empty_seconds = ~0u, .vector = 2}, .machine_checks = 1};
    struct unasked after = {.pmi = {.strays = 5, .empty_seconds = 1, .vector = 0xe0}, .machine_checks = 1};
    struct unasked came = unasked_between(&before, &after);
    assert_int_equal(came.pmi.strays, 3);
    assert_int_equal(came.pmi.empty_seconds, 2);
    assert_int_equal(came.pmi.vector, 0xe0);
    assert_int_equal(came.machine_checks, 0);
    assert_int_equal(came.foreign_nmis, 0);
}

int main(void)
{
    return run_cases();
}
