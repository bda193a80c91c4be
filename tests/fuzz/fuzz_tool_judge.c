/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a log that is judged again and adopted: no crash, valid JSON, valid rows. */
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/judge/judge.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const struct log_file *file)
{
    char *text = NULL;
    size_t size;
    json_object *boots = json_object_new_array();
    FILE *out = open_memstream(&text, &size);
    require(out && rejudge(out, boots, file) == rejudge(NULL, boots, file));
    fclose(out);
    require((unsigned)json_count(boots) == 2 * file->boots.count);
    json_object *again = json_tokener_parse(json_written(boots, false));
    require(again != NULL);
    json_object_put(again);
    json_object_put(boots);
    free(text);
}

/* Whatever names the log has, it becomes one line, and the brand's quotes are closed. */
static void adopt(const struct facts *facts)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out);
    struct evidence_count count = evidence_write(out, facts, "lab-7", true);
    fclose(out);
    require(size && strchr(text, '\n') == text + size - 1);
    unsigned quotes = 0, tests = 0;
    for (const char *c = text; *c; c++)
        quotes += *c == '"';
    const char *held = strstr(text, " held=");
    require(held && quotes == 2);
    for (held += 5; held && held[1] != '\n'; held = strchr(held + 1, ';'))
        tests++;
    require(tests == count.tests && count.checks >= count.tests);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct log_file file = {0};
    struct arena arena = {0};
    struct facts facts;
    log_read(&file, "fuzz.log", (const char *)data, size);
    judge(&file);
    const struct log_boot *boot = &file.boots.item[0];
    for (unsigned i = 0; i < boot->runs.count; i++)
        if (log_run_of_tests(&boot->runs.item[i])) {
            facts_read(&arena, boot, &boot->runs.item[i], &facts);
            evidence_refusal(&facts, false);
            adopt(&facts);
        }
    arena_free(&arena);
    log_free(&file);
    return 0;
}
