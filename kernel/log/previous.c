#include "kernel/log/previous.h"
#include "kernel/log/log.h"
#include "kernel/text/string.h"

#define TAIL 3072 /* characters of the log that are told: some forty lines */

static struct kept *kept;
static size_t kept_size;
static struct {
    char tail[TAIL], running[64];
    size_t length; /* of the tail; 0: nothing was found */
} found;

static void keep(const char *text, size_t length)
{
    if (kept)
        kept_add(kept, kept_size, text, length);
}

static struct sink sink = {.name = "kept", .write = keep};

static void look(void)
{
    size_t length = kept_unfinished(kept, kept_size);
    const char *tail = kept_tail(kept->text, length, TAIL);
    found.length = (size_t)(kept->text + length - tail);
    memcpy(found.tail, tail, found.length);
    kept_running(kept->text, length, found.running, sizeof(found.running));
}

void previous_init(struct kept *block, size_t size)
{
    kept = block;
    kept_size = size;
    if (!kept)
        return;
    look();
    kept_begin(kept, kept_size);
    log_add_sink(&sink);
}

void previous_print(void)
{
    if (!found.length)
        return;
    log_line("# previous-run ended=no running=%s", found.running);
    for (const char *at = found.tail, *end = at + found.length; at < end;) {
        const char *line = at;
        while (at < end && *at != '\r' && *at != '\n')
            at++;
        if (at > line)
            log_line("# previous-run | %.*s", (int)(at - line), line);
        at++;
    }
}

void previous_stop(void)
{
    kept = NULL;
}
