# SPDX-License-Identifier: BSD-2-Clause
# Finds circles of files that use each other: reads `nm -A` of the objects, and from the environment BUILD and UP, the
# names whose uses are left out.

BEGIN {
    count = split(ENVIRON["UP"], name, "\n")
    for (i = 1; i <= count; i++)
        up[name[i]] = 1
}

{
    file = substr($1, length(ENVIRON["BUILD"]) + 2)
    sub(/\.o:.*/, "", file)
    image = file ~ /^obj\//
    sub(/^(tools\/)?obj\//, "", file)
    files[file] = 1
}
$(NF - 1) == "U" { wanted[++wants] = file " " image " " $NF }
$(NF - 1) ~ /^[A-TV-Z]$/ { home[image, $NF] = file }

function folder(file) {
    sub(/\/[^\/]*$/, "", file)
    return file
}

# One use, as an edge between two nodes; why[] remembers the names for the message.
function edge(from, to, name, file) {
    if (from == to)
        return
    if (!((from, to) in why)) {
        next_of[from, ++edges[from]] = to
        why[from, to] = file ": " name
    } else if (why[from, to] !~ (" " name "($|,)") && length(why[from, to]) < 150)
        why[from, to] = why[from, to] ", " name
}

# Tarjan: the groups of nodes that reach each other. A node's group is known when the function leaves it.
function visit(node,    i, other, members, size) {
    number[node] = low[node] = ++visited
    stack[++depth] = node
    on_stack[node] = 1
    for (i = 1; i <= edges[node]; i++) {
        other = next_of[node, i]
        if (!(other in number))
            visit(other)
        if (on_stack[other] && low[other] < low[node])
            low[node] = low[other]
    }
    if (low[node] != number[node])
        return
    do {
        other = stack[depth--]
        on_stack[other] = 0
        component[other] = node
        size++
    } while (other != node)
    sizes[node] = size
}

function report(what, nodes,    node, other, i) {
    for (node in nodes)
        if (!(node in number))
            visit(node)
    for (node in nodes)
        if (sizes[component[node]] > 1) {
            for (i = 1; i <= edges[node]; i++) {
                other = next_of[node, i]
                if (component[other] == component[node])
                    print what " in a circle of " sizes[component[node]] ": " node " -> " other "  (" why[node, other] ")" | "sort"
            }
            bad++
        }
    close("sort")
}

END {
    for (i = 1; i <= wants; i++) {
        split(wanted[i], word, " ")
        if (!((word[2], word[3]) in home))
            continue
        to = home[word[2], word[3]]
        if (word[3] in up) {
            called[word[3]] = 1
            continue
        }
        edge(word[1], to, word[3], word[1])
        from_folder = folder(word[1])
        edge(from_folder "/", folder(to) "/", word[3], word[1])
        folders[from_folder "/"] = folders[folder(to) "/"] = 1
    }
    report("files", files)
    report("folders", folders)
    for (used in up)
        if (!(used in called)) {
            print "nobody uses " used " any more: take it off the table"
            bad++
        }
    if (bad)
        exit 1
    print "no circle between files or folders"
}
