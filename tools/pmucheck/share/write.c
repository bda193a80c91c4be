#include "tools/pmucheck/share/write.h"
#include "kernel/text/crc32.h"
#include <string.h>

#define SYNC_LINES 40

static uint32_t add(uint32_t crc, const char *text)
{
    return crc32_update(crc, text, strlen(text));
}

void log_write_begin(struct log_writer *w, FILE *out)
{
    *w = (struct log_writer){.out = out};
    result_code_start(&w->code);
}

void log_write_line(struct log_writer *w, const char *line)
{
    w->whole = add(add(w->whole, line), "\n");
    w->block = add(add(w->block, line), "\n");
    result_code_line(&w->code, line, strlen(line));
    fprintf(w->out, "%s\r\n", line);
    if (++w->lines % SYNC_LINES)
        return;
    char sync[80];
    int length = snprintf(sync, sizeof(sync), "# sync seq=%u crc32=", ++w->syncs);
    snprintf(sync + length, sizeof(sync) - (size_t)length, "%08x", add(w->block, sync));
    w->whole = add(add(w->whole, sync), "\n");
    fprintf(w->out, "%s\r\n", sync);
    w->block = 0;
}

void log_write_end(struct log_writer *w, const char *totals)
{
    char result[256], text[RESULT_CODE_SIZE];
    int length = snprintf(result, sizeof(result), "# result %s code=", totals);
    struct result_code code = w->code;
    result_code_line(&code, result, strlen(result));
    snprintf(result + length, sizeof(result) - (size_t)length, "%s", result_code_text(&code, text));
    log_write_line(w, result);
    snprintf(result, sizeof(result), "# end %s crc32=", totals);
    fprintf(w->out, "%s%08x\r\n", result, add(w->whole, result));
}
