# SPDX-License-Identifier: BSD-2-Clause
# Makes compile_commands.json, from the commands that make would run: what language servers such as clangd read.
#
# usage: make -Bn V=1 TARGET... | awk -v directory=TREE -f compile_commands.awk

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

BEGIN { printf "[" }

/ -c -o [^ ]+ [^ ]+\.c$/ {
    printf "%s\n{\"directory\": %s, \"command\": %s, \"file\": %s, \"output\": %s}", count++ ? "," : "", quoted(directory),
        quoted($0), quoted($NF), quoted($(NF - 1))
}

END {
    print "\n]"
    exit !count
}
