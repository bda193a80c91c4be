#include "tools/pmucheck/report/report.h"
#include <string.h>

const struct report_format report_formats[] = {
    {"text", report_text}, {"json", report_json}, {"junit", report_junit},
    {"ktap", report_ktap}, {"lava", report_lava}, {0},
};

const char *report_run_name(const struct log_run *run)
{
    return run->pmu ? run->pmu : "summary";
}

void report_fields(FILE *out, const struct log_record *record, const char *but)
{
    for (unsigned i = 0; i < record->fields; i++)
        if (strcmp(record->field[i].key, but) != 0)
            fprintf(out, "%s%s=%s", i > 0 ? " " : "", record->field[i].key, record->field[i].value);
}

void report_problems(FILE *out, const struct log_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = 0; b < files[i].boots.count; b++)
            for (unsigned p = 0; p < files[i].boots.item[b].problems.count; p++)
                fprintf(out, "%s:%u: %s\n", files[i].path, files[i].boots.item[b].problems.item[p].line,
                        files[i].boots.item[b].problems.item[p].text);
}
