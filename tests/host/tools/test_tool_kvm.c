/* What stands against a guest on this machine's PMU, by trees of files that look as the kernel's. */
#include "tools/pmucheck/run/kvm.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[64], dev[80], sys[80], proc[80];
static struct kvm_places places = {dev, sys, proc};
static struct arena arena;

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    assert_int_equal(remove(path), 0);
}

/* An Intel host with its PMU. */
static int a_host(void **state)
{
    (void)state;
    strcpy(root, "/tmp/pmucheck-kvm-XXXXXX");
    assert_non_null(mkdtemp(root));
    snprintf(dev, sizeof(dev), "%s/dev", root);
    snprintf(sys, sizeof(sys), "%s/sys", root);
    snprintf(proc, sizeof(proc), "%s/proc", root);
    put("dev/kvm", "");
    put("sys/devices/cpu/type", "4\n");
    put("sys/module/kvm/parameters/enable_pmu", "Y\n");
    put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n");
    put("proc/sys/kernel/nmi_watchdog", "0\n");
    return 0;
}

static int forget(void **state)
{
    char command[100];
    (void)state;
    arena_free(&arena);
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

static void says(const char *words)
{
    const char *refusal = kvm_refusal(&arena, &places);
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, words));
}

static void a_good_host_is_not_refused(void **state)
{
    (void)state;
    assert_null(kvm_refusal(&arena, &places));
    assert_null(kvm_warning(&places));
    drop("sys/module/kvm/parameters/enable_pmu"); /* an older KVM does not have it */
    assert_null(kvm_refusal(&arena, &places));
    drop("proc/sys/kernel/nmi_watchdog");
    assert_null(kvm_warning(&places));
}

static void each_refusal_says_what_to_do(void **state)
{
    (void)state;
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
    put("proc/cpuinfo", "");
    says("of an unknown maker");
    drop("dev/kvm");
    says("modprobe kvm_intel");
}

static void a_watchdog_is_told(void **state)
{
    (void)state;
    put("proc/sys/kernel/nmi_watchdog", "1\n");
    assert_null(kvm_refusal(&arena, &places));
    assert_non_null(strstr(kvm_warning(&places), "sysctl kernel.nmi_watchdog=0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_good_host_is_not_refused, a_host, forget),
        cmocka_unit_test_setup_teardown(each_refusal_says_what_to_do, a_host, forget),
        cmocka_unit_test_setup_teardown(a_watchdog_is_told, a_host, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
