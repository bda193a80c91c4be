/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/write.h"
#include "tools/pmucheck/log/line.h"

static void emit(struct log_writer *writer, const char *text, size_t length)
{
    struct written_log *w = (struct written_log *)writer;
    result_code_line(&w->code, text, length);
    fwrite(text, 1, length, w->out);
}

void log_write_begin(struct written_log *w, FILE *out)
{
    *w = (struct written_log){.writer = {.emit = emit}, .out = out};
    result_code_start(&w->code);
}

void log_write_start(struct written_log *w)
{
    log_writer_start(&w->writer);
    log_write_line(w, LINE_START);
}

void log_write_line(struct written_log *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_writer_line(&w->writer, format, args);
    va_end(args);
}

/* The code is that of the lines up to this one's own "code=". */
void log_write_result(struct written_log *w, const char *totals)
{
    char line[LOG_LINE_SIZE], text[RESULT_CODE_SIZE];
    struct result_code code = w->code;
    int length = snprintf(line, sizeof(line), "# result %s code=", totals);
    result_code_line(&code, line, (size_t)length);
    log_write_line(w, "%s%s", line, result_code_text(&code, text));
}

static void end(struct written_log *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_writer_end(&w->writer, format, args);
    va_end(args);
}

void log_write_end(struct written_log *w, const char *totals)
{
    end(w, "%s", totals);
}
