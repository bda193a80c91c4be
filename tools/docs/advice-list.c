/*
 * advice-list: prints as a Markdown table what the image advises, from its own rows.
 *
 * links: tests/harness/report/advice_pure.c kernel/text/glob.c
 */
#include "harness/report/advice.h"
#include <stdio.h>
#include <string.h>

/* Text as Markdown has it; where `glob`, "foreign write to *" becomes "foreign write to ...". */
static void print_text(const char *text, bool glob)
{
    for (; *text; text++)
        fputs(glob && *text == '*' ? "..." : *text == '<' ? "&lt;" : (char[]){*text, 0}, stdout);
}

static void print_seen(const struct advice *row)
{
    print_text(row->reason, true);
    if (row->hypervisor && strcmp(row->hypervisor, "?????*") == 0)
        printf(" (under a hypervisor)");
    else if (row->hypervisor)
        printf(" (under %.*s)", (int)strcspn(row->hypervisor, "*"), row->hypervisor);
}

int main(void)
{
    printf("| label | what the log says | what to do |\n|---|---|---|\n");
    for (const struct advice *row = advice_rows; row < advice_rows + advice_count; row++) {
        printf("| `%s` | ", row->label);
        print_seen(row);
        for (; row + 1 < advice_rows + advice_count && strcmp(row[1].label, row->label) == 0; row++) {
            printf("<br>");
            print_seen(row + 1);
        }
        fputs(" | ", stdout);
        print_text(row->text, false);
        fputs(" |\n", stdout);
    }
    return 0;
}
