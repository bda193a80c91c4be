#include "harness/summary.h"
#include "kernel/format.h"
#include "kernel/log.h"
#include "kernel/result_code.h"
#include "kernel/string.h"

static struct result_code code;

/* Whole lines, more than one if they were written before. */
static void listen(const char *text, size_t length)
{
    while (length) {
        size_t line = 0;
        while (line < length && text[line] != '\n')
            line++;
        line += line < length;
        result_code_line(&code, text, line);
        text += line;
        length -= line;
    }
}

void summary_start(void)
{
    static struct sink sink = {.write = listen};
    result_code_start(&code);
    log_add_sink(&sink);
}

const char *summary_code(const char *totals)
{
    static char text[RESULT_CODE_SIZE];
    struct result_code whole = code;
    char line[256];
    format_text(line, sizeof(line), "# result %s code=", totals);
    result_code_line(&whole, line, strlen(line));
    return result_code_text(&whole, text);
}
