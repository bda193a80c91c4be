/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as a log: no crash, no overrun, no pass without a start and an END line, or a warm reset that the image
 * itself made and a further start; every report, comparison and
 * profile can be written from it, and its JSON and XML can be parsed.
 */
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/profile/make.h"
#include "tools/pmucheck/report/report.h"
#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *nowhere;

static void make_profiles(const struct log_boot *boot)
{
    for (unsigned i = 0; i < boot->runs.count; i++) {
        struct arena arena = {0};
        struct facts facts;
        if (!log_run_of_tests(&boot->runs.item[i]))
            continue;
        facts_read(&arena, boot, &boot->runs.item[i], &facts);
        if (!profile_refusal(&facts))
            profile_make(nowhere, &facts, "fuzz", "fuzz");
        arena_free(&arena);
    }
}

static void compare(const struct log_file *file)
{
    static struct sheet sheet;
    const struct compare_options options = {.all = true};
    sheet_begin(&sheet, 1);
    sheet_add(&sheet, file);
    sheet_finish(&sheet);
    if (sheet.columns.count) {
        compare_text(nowhere, &sheet, &options);
        compare_html(nowhere, &sheet, &options);
    }
    sheet_free(&sheet);
}

static bool is_json(const char *text, size_t size)
{
    cJSON *json = cJSON_ParseWithLength(text, size);
    cJSON_Delete(json);
    return json;
}

static bool is_xml(const char *text, size_t size)
{
    xmlDocPtr document = xmlReadMemory(text, (int)size, "junit.xml", NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlFreeDoc(document);
    return document;
}

static void check_report(const struct log_file *file, const struct report_format *format)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct report report;
    if (!report_begin(format, &report, out))
        abort();
    report_add(format, &report, file);
    report_end(format, &report);
    fclose(out);
    if ((strcmp(format->name, "json") == 0 && !is_json(text, size)) ||
        (strcmp(format->name, "junit") == 0 && !is_xml(text, size)))
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct log_file file;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    log_read(&file, "fuzz", (const char *)data, size);
    for (unsigned i = 0; i < file.boots.count; i++) {
        const struct log_boot *boot = &file.boots.item[i];
        bool goes_on = boot->left && i + 1 < file.boots.count;
        if (log_boot_status(boot) == STATUS_PASS && !(boot->started && (boot->ended || goes_on)))
            abort();
        make_profiles(boot);
    }
    for (const struct report_format *format = report_formats; format->name; format++)
        check_report(&file, format);
    report_problems(nowhere, &file);
    compare(&file);
    log_free(&file);
    return 0;
}
