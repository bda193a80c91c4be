/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts from a running Linux, and reasons against kexec, with trees of files like the kernel's. */
#include "tests/host/tools/root.h"
#include "tools/pmucheck/kexec/kexec.h"

static char sys[80], proc[80];
static struct kexec_places places = {sys, proc};

/* As on Debian, on a BIOS machine. */
static int a_machine(void **state)
{
    (void)state;
    root_make();
    strcpy(sys, at("sys"));
    strcpy(proc, at("proc"));
    put("sys/kernel/kexec_loaded", "0\n");
    put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
    put("proc/sys/kernel/kexec_load_disabled", "0\n");
    return 0;
}

CASE(refusals)
{
    static const struct {
        const char *name, *text, *says;
    } rows[] = {
        {"proc/sys/kernel/kexec_load_disabled", "1\n", "switched off"},
        {"sys/kernel/security/lockdown", "none [integrity] confidentiality\n", "locked down"},
        {"sys/hypervisor/type", "xen\n", "Xen"},
    };
    assert_null(kexec_refusal(&places));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        put(rows[i].name, rows[i].text);
        assert_non_null(kexec_refusal(&places));
        assert_non_null(strstr(kexec_refusal(&places), rows[i].says));
    }
}

CASE(a_kernel_without_kexec)
{
    assert_int_equal(remove(at("sys/kernel/kexec_loaded")), 0);
    assert_non_null(strstr(kexec_refusal(&places), "without kexec"));
}

CASE(what_goes_along)
{
    static const struct kexec_framebuffer none, some = {0x80000000, 1280, 800, 5120, 32};
    struct arena arena = {0};
    assert_string_equal(kexec_options(&arena, &places, &none, "lab-7", ""), "after=reboot machine=lab-7");
    assert_string_equal(kexec_options(&arena, &places, &none, "a b=c", "quick"), "after=reboot machine=a-b-c quick");
    assert_string_equal(kexec_options(&arena, &places, &none, "", "quick"), "after=reboot quick");
    put("sys/firmware/efi/systab", "ACPI=0x3fb7e000\nACPI20=0x3fb7e014\nSMBIOS=0x3f9ce000\n");
    assert_string_equal(kexec_options(&arena, &places, &some, "lab-7", "after=halt"),
                        "after=reboot machine=lab-7 firmware=uefi rsdp=0x3fb7e014 smbios=0x3f9ce000 "
                        "framebuffer=0x80000000,1280x800,5120 after=halt");
    put("sys/firmware/efi/systab", "ACPI=0x3fb7e000\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot firmware=uefi rsdp=0x3fb7e000");
    put("sys/firmware/efi/systab", "SMBIOS=0x3f9ce000\nSMBIOS3=0x3f9cc000\nXACPI=1\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot firmware=uefi smbios=0x3f9cc000");
    put("sys/firmware/efi/systab", "ACPI=\nMPS");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot firmware=uefi");
    arena_free(&arena);
}

static void ramoops(const char *name, const char *number)
{
    char path[100];
    snprintf(path, sizeof(path), "sys/module/ramoops/parameters/%s", name);
    put(path, number);
}

/* Linux's use of the numbers: sizes are rounded down to powers of two, whole records of the dumps come first. */
CASE(where_the_log_is_kept)
{
    static const struct kexec_framebuffer none;
    struct arena arena = {0};
    ramoops("mem_address", "268435456\n");
    ramoops("mem_size", "1048576\n");
    ramoops("console_size", "1048576\n");
    ramoops("record_size", "0\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", "quick"),
                        "after=reboot save=ramoops:0x10000000,0x100000 quick");
    ramoops("console_size", "270000\n");
    ramoops("record_size", "5000\n");
    ramoops("pmsg_size", "4096\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot save=ramoops:0x100bf000,0x40000");
    ramoops("record_size", "70000\n"); /* eleven records share the room, and end in the middle of a page */
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot");
    ramoops("record_size", "4096\n");
    ramoops("console_size", "0\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot save=ramoops:0x100ff000,0x1000");
    ramoops("ftrace_size", "4096\n"); /* divided among the CPUs */
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot");
    ramoops("ftrace_size", "0\n");
    ramoops("ecc", "16\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot");
    ramoops("ecc", "0\n");
    ramoops("pmsg_size", "2097152\n");
    assert_string_equal(kexec_options(&arena, &places, &none, "", ""), "after=reboot");
    arena_free(&arena);
}

CASE(what_is_no_framebuffer)
{
    assert_true(kexec_framebuffer("/no/such/device").address == 0);
    assert_true(kexec_framebuffer("/dev/null").address == 0);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_machine, .after_each = root_remove});
}
