/* SPDX-License-Identifier: BSD-2-Clause */
/* Reasons against a guest on this machine's PMU, with trees of files like the kernel's. */
#include "tests/host/tools/root.h"
#include "tools/pmucheck/run/run.h"

static char dev[80], sys[80], proc[80];
static struct kvm_places places = {dev, sys, proc};
static struct arena arena;

static void drop(const char *name)
{
    assert_int_equal(remove(at(name)), 0);
}

/* An Intel host with its PMU. */
static int a_host(void **state)
{
    (void)state;
    root_make();
    strcpy(dev, at("dev"));
    strcpy(sys, at("sys"));
    strcpy(proc, at("proc"));
    put("dev/kvm", "");
    put("sys/devices/cpu/type", "4\n");
    put("sys/module/kvm/parameters/enable_pmu", "Y\n");
    put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n");
    put("proc/sys/kernel/nmi_watchdog", "0\n");
    return 0;
}

static int forget(void **state)
{
    arena_free(&arena);
    return root_remove(state);
}

static void says(const char *words)
{
    const char *refusal = kvm_refusal(&arena, &places, true);
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, words));
}

CASE(a_good_host_is_not_refused)
{
    assert_null(kvm_refusal(&arena, &places, true));
    assert_null(kvm_warning(&places));
    drop("sys/module/kvm/parameters/enable_pmu"); /* an older KVM does not have it */
    assert_null(kvm_refusal(&arena, &places, true));
    drop("proc/sys/kernel/nmi_watchdog");
    assert_null(kvm_warning(&places));
}

CASE(each_refusal_says_what_to_do)
{
    put("sys/module/kvm/parameters/enable_pmu", "N\n");
    says("modprobe kvm enable_pmu=1");
    put("sys/devices/cpu_core/type", "4\n");
    says("two kinds of core");
    drop("sys/devices/cpu_core/type");
    drop("sys/devices/cpu_core");
    drop("sys/devices/cpu/type");
    drop("sys/devices/cpu");
    says("no /sys/devices/cpu");
    put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n");
    says("CPU is AuthenticAMD");
    assert_null(kvm_refusal(&arena, &places, false)); /* the reference PMU needs none of the host's */
    put("proc/cpuinfo", "");
    says("of an unknown maker");
    drop("dev/kvm");
    says("modprobe kvm_intel");
}

CASE(a_watchdog_is_told)
{
    put("proc/sys/kernel/nmi_watchdog", "1\n");
    assert_null(kvm_refusal(&arena, &places, true));
    assert_non_null(strstr(kvm_warning(&places), "sysctl kernel.nmi_watchdog=0"));
}

/* The release of the host's kernel ends where an option of the image would. */
CASE(the_host_s_kernel_is_told)
{
    assert_string_equal(kvm_host_kernel(&arena, &places), "");
    put("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
    assert_string_equal(kvm_host_kernel(&arena, &places), "6.8.0-45-generic");
    put("proc/sys/kernel/osrelease", "6.8 dangerous=all\n");
    assert_string_equal(kvm_host_kernel(&arena, &places), "6.8");
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_host, .after_each = forget});
}
