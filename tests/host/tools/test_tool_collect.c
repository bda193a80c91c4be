/* Where Linux shows what the image left: trees of files that look as its own. */
#include "kernel/firmware/efi_pure.h"
#include "tools/pmucheck/run/collect.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[64], pstore[80], efivars[80], backend[80];
static struct collect_places places = {pstore, efivars, backend};

static int some_places(void **state)
{
    (void)state;
    strcpy(root, "/tmp/pmucheck-collect-XXXXXX");
    assert_non_null(mkdtemp(root));
    snprintf(pstore, sizeof(pstore), "%s/pstore", root);
    snprintf(efivars, sizeof(efivars), "%s/efivars", root);
    snprintf(backend, sizeof(backend), "%s/backend", root);
    return 0;
}

static int forget(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put(const char *place, const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", place, name);
    write_text(path, "");
}

static void what_is_not_there_is_named(void **state)
{
    struct arena arena = {0};
    (void)state;
    struct collect_files files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 0);
    assert_non_null(strstr(files.missing, "/pstore is not there: mount"));
    assert_non_null(strstr(files.missing, "/efivars is not there: this machine"));
    mkdir(pstore, 0777);
    put(pstore, "dmesg-efi-1");
    mkdir(efivars, 0777);
    put(efivars, "Boot0000-8be4df61-93ca-11d2-aa0d-00e098032b8c");
    files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 0);
    assert_non_null(strstr(files.missing, "/pstore has no record of ramoops"));
    assert_non_null(strstr(files.missing, "/efivars has no variable Pmucheck-"));
    write_text(backend, "efi_pstore\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "efi_pstore has pstore"));
    write_text(backend, "ramoops\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "load it with the mem_address"));
    write_text(backend, "(null)\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "load it with the mem_address"));
    arena_free(&arena);
}

static void records(void **state)
{
    struct arena arena = {0};
    (void)state;
    mkdir(pstore, 0777);
    mkdir(efivars, 0777);
    put(efivars, EFI_VARIABLE_FILE);
    put(pstore, "pmsg-ramoops-0");
    put(pstore, "console-ramoops-0");
    put(pstore, "dmesg-efi-1");
    struct collect_files files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 3);
    assert_non_null(strstr(files.paths.item[0], "/console-ramoops-0"));
    assert_non_null(strstr(files.paths.item[1], "/pmsg-ramoops-0"));
    assert_non_null(strstr(files.paths.item[2], "/Pmucheck-7e1d2c86-934b-4af1-a60c-3e58d427b961"));
    assert_string_equal(files.missing, "");
    arena_free(&arena);
}

static void kinds(void **state)
{
    static const char log[] = "[    0.1] Linux\n# pmucheck version=0.1.0 commit=1 sum=2\r\nKTAP version 1\r\n";
    (void)state;
    assert_int_equal(collect_kind(log, strlen(log)), COLLECTED_LOG);
    assert_int_equal(collect_kind(log, 20), COLLECTED_NONE);
    assert_int_equal(collect_kind("", 0), COLLECTED_NONE);
    assert_int_equal(collect_kind("\7\0\0\0PMU1R....", 13), COLLECTED_VARIABLE);
    assert_int_equal(collect_kind("\7\0\0\0PMU1", 8), COLLECTED_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_not_there_is_named, some_places, forget),
        cmocka_unit_test_setup_teardown(records, some_places, forget),
        cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
