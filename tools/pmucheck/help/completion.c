/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts by which shells complete commands, guides and options, from the commands' rows. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/help/help.h"
#include <string.h>

/* ---- bash */

static void complete_bash(FILE *out)
{
    fputs("# Completes words of pmucheck's command line, and file names.\n"
          "_pmucheck() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        words=\"--help --version",
          out);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, " %s", (*c)->name);
    fputs("\"\n    elif [[ ${COMP_WORDS[1]} == help && $word != -* ]]; then\n        words=\"", out);
    for (const struct guide *g = guides; g->name; g++)
        fprintf(out, "%s ", g->name);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "%s%s", (*c)->name, c[1] ? " " : "");
    fputs("\"\n    elif [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n", out);
    for (const struct command *const *c = commands; *c; c++) {
        fprintf(out, "        %s) words=\"--help", (*c)->name);
        for (const struct option_row *row = (*c)->options; row && row->name; row++)
            fprintf(out, " --%s%s", row->name, row->argument ? "=" : "");
        fputs("\" ;;\n", out);
    }
    fputs("        esac\n    fi\n"
          "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
          "}\ncomplete -o default -F _pmucheck pmucheck\n",
          out);
}

/* ---- Descriptions between single quotes: the first sentence, with a backslash before each letter of `marked`. */

static void put_description(FILE *out, const char *text, const char *marked)
{
    const char *end = strstr(text, ". ");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    length -= length && text[length - 1] == '.';
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, strchr(marked, text[i]) ? "\\%c" : "%c", text[i]);
}

/* ---- zsh: _describe and _arguments of its completion system */

#define ZSH_MARKED "[]:\\"

static void put_zsh_name(FILE *out, const char *name, const char *summary)
{
    fprintf(out, "        '%s:", name);
    put_description(out, summary, ZSH_MARKED);
    fputs("'\n", out);
}

static void put_zsh_names(FILE *out)
{
    fputs("    local -a names topics\n    names=(\n", out);
    for (const struct command *const *c = commands; *c; c++)
        put_zsh_name(out, (*c)->name, (*c)->summary);
    fputs("    )\n    topics=(\n", out);
    for (const struct guide *g = guides; g->name; g++)
        put_zsh_name(out, g->name, g->summary);
    fputs("    )\n", out);
}

/* "'(-i --image)'{-i+,--image=}'[The image]:FILE:_files'" */
static void put_zsh_option(FILE *out, const struct option_row *row)
{
    const char *value = row->argument ? "=" : "", *next = row->argument ? "+" : "";
    if (row->letter)
        fprintf(out, "            '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, next, row->name,
                value);
    else
        fprintf(out, "            '--%s%s[", row->name, value);
    put_description(out, row->help, ZSH_MARKED);
    fputs("]", out);
    if (row->argument)
        fprintf(out, ":%s:_files", row->argument);
    fputs("' \\\n", out);
}

static void complete_zsh(FILE *out)
{
    fputs("#compdef pmucheck\n_pmucheck() {\n", out);
    put_zsh_names(out);
    fputs("    if (( CURRENT == 2 )); then\n        _describe command names\n        return\n    fi\n"
          "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n",
          out);
    for (const struct command *const *c = commands; *c; c++) {
        bool help = strcmp((*c)->name, "help") == 0;
        fprintf(out, "    %s)\n", (*c)->name);
        if (help)
            fputs("        [[ $PREFIX == -* ]] || { _describe command names; _describe guide topics }\n", out);
        fputs("        _arguments \\\n            '--help[Shows the command]' \\\n", out);
        for (const struct option_row *row = (*c)->options; row && row->name; row++)
            put_zsh_option(out, row);
        fputs(help ? "            ;;\n" : "            '*:file:_files' ;;\n", out);
    }
    fputs("    esac\n}\n_pmucheck \"$@\"\n", out);
}

/* ---- fish */

#define FISH_MARKED "\\"

static void put_fish_option(FILE *out, const char *command, const struct option_row *row)
{
    fprintf(out, "complete -c pmucheck -n '__fish_seen_subcommand_from %s' -l %s", command, row->name);
    if (row->letter)
        fprintf(out, " -s %c", row->letter);
    fprintf(out, "%s -d '", row->argument ? " -r" : "");
    put_description(out, row->help, FISH_MARKED);
    fputs("'\n", out);
}

static void put_fish_name(FILE *out, const char *where, const char *name, const char *summary)
{
    fprintf(out, "complete -c pmucheck -f -n %s -a %s -d '", where, name);
    put_description(out, summary, FISH_MARKED);
    fputs("'\n", out);
}

static void complete_fish(FILE *out)
{
    for (const struct command *const *c = commands; *c; c++)
        put_fish_name(out, "__fish_use_subcommand", (*c)->name, (*c)->summary);
    for (const struct guide *g = guides; g->name; g++)
        put_fish_name(out, "'__fish_seen_subcommand_from help'", g->name, g->summary);
    for (const struct command *const *c = commands; *c; c++)
        for (const struct option_row *row = (*c)->options; row && row->name; row++)
            put_fish_option(out, (*c)->name, row);
}

/* ---- */

bool help_completion(FILE *out, const char *shell)
{
    static const struct {
        const char *shell;
        void (*write)(FILE *out);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
        if (strcmp(shells[i].shell, shell) == 0) {
            shells[i].write(out);
            return true;
        }
    return false;
}
