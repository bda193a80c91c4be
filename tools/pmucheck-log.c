/*
 * pmucheck-log [-q] LOG: checks a log of the image and says what it amounts to. The exit status is the verdict: 0 pass,
 * 1 fail, 2 review, 77 untested, 99 error or no valid END line.
 */
#include "tools/log_reader.h"
#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_list(const struct log_list *list, const char *prefix)
{
    for (unsigned i = 0; i < list->count && i < LOG_LIST; i++)
        printf("%s%s\n", prefix, list->text[i]);
    if (list->count > LOG_LIST)
        printf("%sand %u more\n", prefix, list->count - LOG_LIST);
}

static void print_summary(const struct log_reader *reader)
{
    printf("pmucheck %s\n", reader->version);
    print_list(&reader->bad, "  ");
    printf("verdict %s:", reader->ended ? reader->verdict : "none");
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        printf("%s %u %s", i > 0 ? "," : "", reader->ended ? reader->end_total[i] : reader->leaves[i],
               log_outcome_name[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    static struct log_reader reader;
    bool quiet = argc > 1 && strcmp(argv[1], "-q") == 0;
    if (argc != (quiet ? 3 : 2)) {
        fprintf(stderr, "usage: pmucheck-log [-q] LOG      (- reads standard input; -q prints only what is wrong)\n");
        return STATUS_ERROR;
    }
    size_t size;
    char *text = text_file_read("pmucheck-log", argv[argc - 1], &size);
    if (!text)
        return STATUS_ERROR;
    log_read(&reader, text, size);
    free(text);
    if (!quiet && reader.started)
        print_summary(&reader);
    print_list(&reader.problems, "log: ");
    return log_status(&reader);
}
