/* SPDX-License-Identifier: BSD-2-Clause */
/* How a log line is written, format 1: sanitised, indented, ended by CRLF, with the CRCs that make a hole visible. */
#include "kernel/log/log.h"
#include "kernel/text/text.h"

#define INDENT_MAX 8
#define LINE_END_SIZE 3 /* CR, LF and the end of the string */

struct line {
    char text[LOG_LINE_SIZE + LINE_END_SIZE];
    size_t length;
};

/* Adds as much of the text as fits, as printable 7-bit characters only. */
static void append(struct line *line, const char *format, va_list args)
{
    size_t room = LOG_LINE_SIZE - line->length;
    int length = format_args(line->text + line->length, room + 1, format, args);
    if ((size_t)length > room)
        format_text(line->text + LOG_LINE_SIZE - 3, 4, "...");
    line->length += (size_t)length > room ? room : (size_t)length;
    for (size_t i = 0; i < line->length; i++)
        if (line->text[i] < ' ' || line->text[i] > '~')
            line->text[i] = '?';
}

__attribute__((format(printf, 2, 3))) static void append_text(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(line, format, args);
    va_end(args);
}

static void emit(struct log_writer *writer, struct line *line)
{
    line->text[line->length] = '\n';
    writer->crc = crc32_update(writer->crc, line->text, line->length + 1);
    writer->block_crc = crc32_update(writer->block_crc, line->text, line->length + 1);
    writer->block_lines++;
    writer->block_bytes += (u32)line->length + 2;
    line->text[line->length] = '\r';
    line->text[line->length + 1] = '\n';
    writer->emit(writer, line->text, line->length + 2);
}

/* Never indented: sync lines belong to the transport, not to the run that they happen to follow. */
static void emit_sync(struct log_writer *writer)
{
    struct line line = {.length = 0};
    append_text(&line, "# sync seq=%u crc32=", ++writer->syncs);
    append_text(&line, "%08x", crc32_update(writer->block_crc, line.text, line.length));
    emit(writer, &line);
    writer->block_crc = 0;
    writer->block_lines = 0;
    writer->block_bytes = 0;
}

void log_writer_start(struct log_writer *writer)
{
    writer->counting = true;
    writer->crc = 0;
    writer->block_crc = 0;
    writer->block_lines = 0;
    writer->block_bytes = 0;
    writer->syncs = 0;
}

void log_writer_line(struct log_writer *writer, const char *format, va_list args)
{
    struct line line = {.length = 0};
    if (writer->ended)
        return;
    append_text(&line, "%*s", 2 * (int)(writer->indent < INDENT_MAX ? writer->indent : INDENT_MAX), "");
    append(&line, format, args);
    emit(writer, &line);
    if (writer->counting && (writer->block_lines >= LOG_SYNC_LINES - 1 || writer->block_bytes >= LOG_SYNC_BYTES))
        emit_sync(writer);
}

void log_writer_end(struct log_writer *writer, const char *format, va_list args)
{
    struct line line = {.length = 0};
    if (writer->ended)
        return;
    append_text(&line, "# end ");
    append(&line, format, args);
    if (line.length > LOG_LINE_SIZE - 16) /* the CRC must fit, whatever the text */
        line.length = LOG_LINE_SIZE - 16;
    append_text(&line, " crc32=");
    append_text(&line, "%08x", crc32_update(writer->crc, line.text, line.length));
    writer->ended = true; /* set before a sink can fault on this line */
    emit(writer, &line);
}
