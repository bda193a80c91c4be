/* SPDX-License-Identifier: BSD-2-Clause */
/* From the image's short log, through the texts of codes in any order, to a log that the reader accepts. */
#include "kernel/qr/qr.h"
#include "tests/host/case.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/scan/scan.h"

#include <stdlib.h>
#include <string.h>

const char scan_names_built_in[] = "";

static const char names[] = "a.a\nb.b\nc.c\nd.d\ne.e\n";
static struct scan scan;
static struct log_file file;

static int after_each(void **state)
{
    (void)state;
    scan_free(&scan);
    log_free(&file);
    return 0;
}

/* ---- Codes */

static const char *part_of(const struct qr_series *series, unsigned part, unsigned capacity)
{
    static char text[2000];
    return qr_series_part(series, part, capacity, text);
}

static void make(struct qr_series *series, char letter, size_t length, char *text)
{
    for (size_t i = 0; i < length; i++)
        text[i] = "abcdefgh .-=0123\n"[(unsigned)rand() % 17];
    text[length] = 0;
    assert_true(qr_series_make(series, letter, text, length));
}

/* Of every size that a version gives, in any order, and twice. */
CASE(parts_come_together)
{
    static char text[4001];
    static struct qr_series series;
    const struct scan_series *more;
    for (unsigned version = 4; version <= QR_VERSION_MAX; version++)
        for (size_t length = 1; length <= 4000; length = length * 3 + 1) {
            unsigned capacity = qr_capacity(version, version % 2 ? QR_LOW : QR_MEDIUM);
            make(&series, QR_SERIES_RESULTS, length, text);
            unsigned parts = qr_series_parts(&series, capacity);
            for (unsigned i = 0; i < 2 * parts; i++) {
                unsigned part = (i * 7 + 3) % parts + 1;
                assert_true(strlen(part_of(&series, part, capacity)) <= capacity);
                assert_int_equal(scan_add(&scan, part_of(&series, part, capacity), "photo"), SCAN_TAKEN);
            }
            for (unsigned part = 1; part <= parts; part++)
                scan_add(&scan, part_of(&series, part, capacity), "photo");
            if (parts) {
                assert_string_equal(scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), text);
                assert_null(more);
            }
            scan_free(&scan);
        }
}

CASE(missing_parts_are_named)
{
    static char text[1001];
    static struct qr_series series;
    const struct scan_series *more, *found;
    make(&series, QR_SERIES_RESULTS, 1000, text);
    assert_int_equal(qr_series_parts(&series, 195), 8);
    assert_null(scan_find(&scan, QR_SERIES_RESULTS, &more));
    scan_add(&scan, part_of(&series, 5, 195), "photo");
    scan_add(&scan, part_of(&series, 2, 195), "photo");
    scan_add(&scan, part_of(&series, 6, 195), "photo");
    found = scan_find(&scan, QR_SERIES_RESULTS, &more);
    assert_string_equal(scan_missing(&scan, found), "1, 3, 4, 7 and 8 of 8");
    assert_null(scan_text(&scan, found));
    assert_null(scan_find(&scan, QR_SERIES_NAMES, &more));
    make(&series, QR_SERIES_RESULTS, 1000, text);
    scan_add(&scan, part_of(&series, 1, 195), "another");
    scan_find(&scan, QR_SERIES_RESULTS, &more);
    assert_non_null(more);
}

/* As in efivarfs, with four bytes of attributes first. */
CASE(a_variable)
{
    static char text[1001];
    static struct qr_series series;
    static unsigned char data[4 + 2048];
    const struct scan_series *more;
    make(&series, QR_SERIES_RESULTS, 1000, text);
    size_t size = 4 + qr_series_bytes(&series, data + 4, 2048);
    assert_int_equal(size, 4 + QR_SERIES_BYTES + series.length);
    assert_int_equal(qr_series_bytes(&series, data + 4, size - 5), 0);
    assert_int_equal(scan_add_variable(&scan, data, size, "variable"), SCAN_TAKEN);
    assert_string_equal(scan_missing(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), "");
    assert_string_equal(scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), text);
    assert_null(more);
    for (size_t i = 4; i < size; i++) {
        scan_free(&scan);
        data[i] ^= 1;
        enum scan_code found = scan_add_variable(&scan, data, size, "variable");
        assert_true(found != SCAN_TAKEN || !scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)));
        data[i] ^= 1;
    }
    assert_int_equal(scan_add_variable(&scan, data, 12, "variable"), SCAN_FOREIGN);
    data[4] = 'X';
    assert_int_equal(scan_add_variable(&scan, data, size, "variable"), SCAN_FOREIGN);
}

CASE(other_codes_are_told_apart)
{
    static char text[101], part[400];
    static struct qr_series series;
    make(&series, QR_SERIES_NAMES, 100, text);
    strcpy(part, part_of(&series, 1, 300));
    assert_int_equal(scan_add(&scan, "https://example.org", "photo"), SCAN_FOREIGN);
    assert_int_equal(scan_add(&scan, "", "photo"), SCAN_FOREIGN);
    part[3] = '9';
    assert_int_equal(scan_add(&scan, part, "photo"), SCAN_OTHER_FORM);
    part[3] = '1';
    for (size_t i = 4; i <= QR_SERIES_HEADER; i++) {
        char was = part[i];
        part[i] = '_';
        assert_int_equal(scan_add(&scan, part, "photo"), SCAN_BROKEN);
        part[i] = was;
    }
    part[strlen(part) - 1] = 0;
    scan_add(&scan, part, "photo");
    assert_int_equal(scan_add(&scan, "PMU1R12ABCDEF:::::", "photo"), SCAN_BROKEN);
}

/* ---- The log */

static void finish(char *text, size_t size, const char *totals)
{
    struct result_code code;
    char line[200], told[RESULT_CODE_SIZE];
    result_code_start(&code);
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
        if (*at == '#') /* in the log, runs begin indented */
            result_code_line(&code, at, strcspn(at, "\n"));
    snprintf(line, sizeof(line), "# result %s code=", totals);
    result_code_line(&code, line, strlen(line));
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s\n", line, result_code_text(&code, told));
}

static const char *read_back(const char *results)
{
    static char *text;
    size_t size;
    free(text);
    FILE *out = open_memstream(&text, &size);
    scan_write(out, results, names, 3);
    fclose(out);
    log_free(&file);
    log_read(&file, "scan.log", text, size);
    return text;
}

CASE(a_log_is_made)
{
    char results[2000] = "KTAP version 1\n# pmucheck version=1 commit=2 log=1\n# machine cpus=4 memory-kib=1\n"
                         "# run pmu=hardware\n# fingerprint of=access crc32=1\n# fail b.b label=x got=1 want=2\n"
                         "# error e.e cpus=0 reason=\"no way\"\n# fail c.c label=y erratum=SKL91\n"
                         "# fail d.d label=z evidence=none\n# outcomes tests=5 ids=01234567 list=pfkre\n";
    uint32_t sum;

    assert_true(scan_names_wanted(results, &sum));
    assert_int_equal(sum, 0x01234567);
    finish(results, sizeof(results), "verdict=fail pass=1 fail=1 known=1 review=1 skip=0 error=1");
    const char *text = read_back(results);
    const struct log_boot *boot = &file.boots.item[0];
    assert_int_equal(boot->problems.count, 0);
    assert_int_equal(log_boot_status(boot), STATUS_FAIL);
    assert_int_equal(boot->runs.item[0].results.count, 5);
    assert_string_equal(boot->runs.item[0].results.item[1].id, "b.b");
    assert_int_equal(boot->runs.item[0].results.item[1].records, 1);
    assert_string_equal(boot->runs.item[0].results.item[2].reason, "SKL91");
    assert_string_equal(boot->runs.item[0].results.item[3].reason, "never seen passing on this class");
    assert_string_equal(boot->runs.item[0].results.item[4].reason, "no way");
    assert_non_null(strstr(text, "# scan codes=3\r\n"));
}

CASE(several_runs_are_nested)
{
    char results[2000] = "KTAP version 1\n# pmucheck version=1 commit=2 log=1\n"
                         "KTAP version 1\n# run pmu=reference:a\n# outcomes tests=5 ids=01234567 list=p5\n"
                         "KTAP version 1\n# run pmu=reference:b\n# outcomes tests=5 ids=01234567 list=p3sf\n";

    finish(results, sizeof(results), "verdict=fail pass=8 fail=1 known=0 review=0 skip=1 error=0");
    read_back(results);
    const struct log_boot *boot = &file.boots.item[0];
    assert_int_equal(boot->problems.count, 0);
    assert_int_equal(log_boot_status(boot), STATUS_FAIL);
    assert_int_equal(boot->runs.count, 3);
    assert_string_equal(boot->runs.item[2].pmu, "reference:b");
    assert_int_equal(boot->runs.item[0].results.count, 2);
    assert_int_equal(boot->runs.item[0].results.item[1].outcome, LOG_FAIL);
}

CASE(an_image_that_could_not_run_makes_a_log)
{
    char results[2000] = "KTAP version 1\n# pmucheck version=1 commit=2 log=1\nnot ok 1 start # ERROR no option x\n";
    uint32_t sum;
    assert_false(scan_names_wanted(results, &sum));
    finish(results, sizeof(results), "verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1");
    read_back(results);
    assert_int_equal(file.boots.item[0].problems.count, 0);
    assert_string_equal(file.boots.item[0].runs.item[0].results.item[0].reason, "no option x");
    assert_int_equal(log_status(&file), STATUS_ERROR);
}

CASE(a_log_tells_the_names)
{
    char results[2000] = "KTAP version 1\n# run pmu=hardware\n# outcomes tests=5 ids=01234567 list=p5\n";
    finish(results, sizeof(results), "verdict=pass pass=5 fail=0 known=0 review=0 skip=0 error=0");
    read_back(results);
    assert_string_equal(scan_names_of_log(&scan.arena, &file), names);
}

int main(void)
{
    srand(7);
    return run_cases_in((struct around_cases){.after_each = after_each});
}
