/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the data that the image left for Linux, in trees of files like Linux's own. */
#include "kernel/firmware/acpi.h"
#include "tests/host/tools/root.h"
#include "tools/pmucheck/collect/collect.h"
#include <fcntl.h>

static char pstore[80], moved[80], efivars[80], backend[80];
static struct collect_places places = {.pstore = pstore, .moved = moved, .efivars = efivars, .backend = backend};

static int some_places(void **state)
{
    (void)state;
    root_make();
    strcpy(pstore, at("pstore"));
    strcpy(moved, at("moved"));
    strcpy(efivars, at("efivars"));
    strcpy(backend, at("backend"));
    return 0;
}

CASE(what_is_not_there_is_named)
{
    struct arena arena = {0};
    struct collect_files files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 0);
    assert_non_null(strstr(files.missing, "/pstore does not exist: mount"));
    assert_non_null(strstr(files.missing, "/efivars does not exist: this machine"));
    put("pstore/dmesg-efi-1", "");
    put("efivars/Boot0000-8be4df61-93ca-11d2-aa0d-00e098032b8c", "");
    files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 0);
    assert_non_null(strstr(files.missing, "/pstore has no record of ramoops"));
    assert_non_null(strstr(files.missing, "/efivars has no variable Pmucheck-"));
    put("backend", "efi_pstore\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "efi_pstore uses pstore"));
    put("backend", "ramoops\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "load it with the mem_address"));
    put("backend", "(null)\n");
    files = collect_find(&arena, &places);
    assert_non_null(strstr(files.missing, "load it with the mem_address"));
    arena_free(&arena);
}

CASE(records)
{
    struct arena arena = {0};
    put("efivars/" EFI_VARIABLE_FILE, "");
    put("pstore/pmsg-ramoops-0", "");
    put("pstore/console-ramoops-0", "");
    put("pstore/dmesg-efi-1", "");
    struct collect_files files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 3);
    assert_non_null(strstr(files.paths.item[0], "/console-ramoops-0"));
    assert_non_null(strstr(files.paths.item[1], "/pmsg-ramoops-0"));
    assert_non_null(strstr(files.paths.item[2], "/Pmucheck-7e1d2c86-934b-4af1-a60c-3e58d427b961"));
    assert_string_equal(files.missing, "");
    arena_free(&arena);
}

static void put_at(const char *path, time_t time)
{
    put(path, "");
    assert_int_equal(utimensat(AT_FDCWD, at(path), (struct timespec[]){{.tv_sec = time}, {.tv_sec = time}}, 0), 0);
}

/* systemd moves the records away while Linux starts: into one folder, or one for each time. The newest comes first. */
CASE(records_that_systemd_has_moved)
{
    struct arena arena = {0};
    put_at("moved/console-ramoops-0", 100);
    put_at("moved/1700000000/console-ramoops-0", 300);
    put_at("moved/1700000000/001/pmsg-ramoops-0", 200);
    put_at("moved/1700000000/001/dmesg.txt", 400);
    struct collect_files files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 3);
    assert_non_null(strstr(files.paths.item[0], "/moved/1700000000/console-ramoops-0"));
    assert_non_null(strstr(files.paths.item[1], "/001/pmsg-ramoops-0"));
    assert_non_null(strstr(files.paths.item[2], "/moved/console-ramoops-0"));
    put_at("pstore/console-ramoops-0", 50);
    files = collect_find(&arena, &places);
    assert_int_equal(files.paths.count, 4);
    assert_non_null(strstr(files.paths.item[0], "/pstore/console-ramoops-0"));
    arena_free(&arena);
}

CASE(kinds)
{
    static const char log[] = "[    0.1] Linux\n# pmucheck version=0.1.0 commit=1 sum=2\r\nKTAP version 1\r\n";
    assert_int_equal(collect_kind(log, strlen(log)), COLLECTED_LOG);
    assert_int_equal(collect_kind(log, 20), COLLECTED_NONE);
    assert_int_equal(collect_kind("", 0), COLLECTED_NONE);
    assert_int_equal(collect_kind("\7\0\0\0PMU1R....", 13), COLLECTED_VARIABLE);
    assert_int_equal(collect_kind("\7\0\0\0PMU1", 8), COLLECTED_NONE);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = some_places, .after_each = root_remove});
}
