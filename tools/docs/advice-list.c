/* SPDX-License-Identifier: BSD-2-Clause */
/* advice-list: prints the image's table of advice as Markdown. */
#include "harness/core/reason.h"
#include "harness/report/advice.h"
#include <stdio.h>
#include <string.h>

/* Prints text with Markdown's special characters escaped. */
static void print_text(const char *text)
{
    for (; *text; text++)
        fputs(*text == '<' ? "&lt;" : (char[]){*text, 0}, stdout);
}

/* Prints the code, but not if it equals the label. */
static void print_reason(const struct advice *row)
{
    if (strcmp(reasons[row->code].name, row->label) != 0)
        printf("`%s`: ", reasons[row->code].name);
    print_text(reasons[row->code].what);
    if (row->hypervisor && strcmp(row->hypervisor, "?????*") == 0)
        printf(" (under a hypervisor)");
    else if (row->hypervisor)
        printf(" (under %.*s)", (int)strcspn(row->hypervisor, "*"), row->hypervisor);
}

int main(void)
{
    printf("| label | reason | what to do |\n|---|---|---|\n");
    for (const struct advice *row = advice_rows; row < advice_rows + advice_count; row++) {
        printf("| `%s` | ", row->label);
        print_reason(row);
        for (; row + 1 < advice_rows + advice_count && strcmp(row[1].label, row->label) == 0; row++) {
            printf("<br>");
            print_reason(row + 1);
        }
        fputs(" | ", stdout);
        print_text(row->text);
        fputs(" |\n", stdout);
    }
    return 0;
}
