#include "tools/pmucheck/report/report.h"
#include <string.h>

const struct report_format report_formats[] = {
    {"text", report_text}, {"json", report_json}, {"junit", report_junit},
    {"ktap", report_ktap}, {"lava", report_lava}, {0},
};

void report_problems(FILE *out, const struct log_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = 0; b < files[i].boots.count; b++)
            for (unsigned p = 0; p < files[i].boots.item[b].problems.count; p++)
                fprintf(out, "%s:%u: %s\n", files[i].path, files[i].boots.item[b].problems.item[p].line,
                        files[i].boots.item[b].problems.item[p].text);
}
