# SPDX-License-Identifier: BSD-2-Clause
# Changes C source in one place, as a slip of its author's would: another comparison or operator, a constant that is one
# higher, a condition turned around, a statement left out. Comments, strings, declared sizes, and of preprocessor lines
# all but a #define's value are left alone. The result may fail to compile, or be the same program.
#
# With of=tests also as a test grows weak: a bound that is far off, a loop of one turn, a half of the values. Left alone
# there are declarations, preconditions, what only tells something and judges nothing, what tidies up, as the harness does
# it too, how long it waits, and how often it repeats; a large number does not grow by one.
#
# usage: awk [-v of=tests] -f reference/proof/mutate.awk FILE    lists all changes: "FILE:LINE PLACE.CHANGE WHAT"
#        awk [-v of=tests] -v change=PLACE.CHANGE -f ... FILE    prints the file with this one

BEGIN {
    to["=="] = "!="; to["!="] = "=="; to["<"] = "<= >="; to["<="] = "< >"; to[">"] = ">= <="; to[">="] = "> <"
    to["&&"] = "||"; to["||"] = "&&"; to["&"] = "|"; to["|"] = "&"; to["^"] = "|"; to["<<"] = ">>"; to[">>"] = "<<"
    to["+"] = "-"; to["-"] = "+"; to["/"] = "*"; to["%"] = "/"; to["++"] = "--"; to["--"] = "++"
    to["+="] = "-="; to["-="] = "+="; to["|="] = "&="; to["&="] = "|="; to["<<="] = ">>="; to[">>="] = "<<="
    to["true"] = "false"; to["false"] = "true"
    if (of == "tests")
        to["<"] = to["<"] " +1<"
    telling = "^(measure|note|note_machine|skip|skip_for|error|error_for|need_[a-z_]*|[a-z_]*_end|counter_clear|TEST)$"
    keyword = "^(return|case|else|if|while|for|switch|do|goto|break|continue|default)$"
    word = "^[A-Za-z_][A-Za-z_0-9]*$"
    lexeme = "[A-Za-z_0-9]+|->|[+][+]|--|<<=?|>>=?|[<>=!]=|&&|[|][|]|[-+*/%&|^]=|[^ \t]"
}

# The line with its first N characters from `from` on replaced by blanks, or by an operand.
function cover(line, from, n, by,   filler) {
    filler = substr(line, from, n)
    gsub(/./, by, filler)
    return substr(line, 1, from - 1) filler substr(line, from + n)
}

# The line without comments, strings and what the preprocessor needs; columns stay.
function bare(line,   n) {
    for (;;) {
        if (in_comment) {
            n = index(line, "*/")
            line = cover(line, 1, n ? n + 1 : length(line), " ")
            in_comment = !n
        }
        if (in_comment || !match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*([^*]|\*+[^*\/])*\*+\/|\/\*|\/\//))
            break
        n = substr(line, RSTART, 2)
        in_comment = RLENGTH == 2 && n == "/*"
        if (n == "//" || in_comment)
            line = cover(line, RSTART, length(line), " ")
        else
            line = cover(line, RSTART, RLENGTH, n == "/*" ? " " : "Q")
    }
    if (match(line, /^#define +[A-Za-z_0-9]+([(][^)]*[)])?/))
        return cover(line, 1, RLENGTH, " ")
    return line ~ /^#/ ? "" : line
}

{
    shown = bare($0)
    name = $0 ~ /^#define/ ? $2 : ""
    for (column = 1; match(substr(shown, column), lexeme); column += RSTART + RLENGTH - 1) {
        token[++tokens] = substr(shown, column + RSTART - 1, RLENGTH)
        at[tokens] = length(text) + column + RSTART - 1
        line[tokens] = NR
        in_define[tokens] = name
        if (name == "" && is_size(tokens))
            sizes[token[tokens]]
    }
    text = text $0 "\n"
}

# One of the changes: what is between two tokens, these included, becomes something else.
function offer(first, last, with, what,   begin, end) {
    begin = at[first]
    end = at[last] + length(token[last])
    if (change == first "." ++offered[first])
        printf "%s%s%s", substr(text, 1, begin - 1), with, substr(text, end)
    else if (change == "")
        printf "%s:%d %d.%d %s\n", FILENAME, line[first], first, offered[first], what
}

function source(first, last,   words) {
    words = substr(text, at[first], at[last] + length(token[last]) - at[first])
    gsub(/[ \t\n]+/, " ", words)
    return words
}

function operand_before(i) {
    return token[i - 1] ~ /^[])A-Za-z_0-9]/ && token[i - 1] !~ keyword
}

function other_token(i,   words, n, k) {
    if (!(token[i] in to) || (token[i] ~ /^[-+&]$/ && !operand_before(i)))
        return
    n = split(to[token[i]], words, " ")
    for (k = 1; k <= n; k++)
        offer(i, i, words[k], token[i] " becomes " words[k])
}

function is_size(i) {
    return token[i - 1] == "[" && token[i - 2] ~ word && (token[i - 3] ~ word && token[i - 3] !~ keyword || token[i - 3] == "*")
}

function operand(i) {
    if (token[i] ~ /^(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*$/ && !is_size(i)) {
        if (of != "tests" || token[i] ~ /^0x/ || token[i] + 0 <= 64)
            offer(i, i, "(" token[i] " + 1)", token[i] " becomes " token[i] " + 1")
        if (of == "tests" && token[i] !~ /^[01]$/) {
            offer(i, i, "(" token[i] " / 2)", token[i] " becomes a half")
            offer(i, i, "(" token[i] "ull << 20)", token[i] " becomes a million times that")
        }
    }
    if (token[i] ~ /^[!~]$/)
        offer(i, i, "", token[i] " is gone")
}

# What is left alone of a test: the last token of what begins here; 0: nothing.
function left_alone(i,   end) {
    if (of != "tests" || !(braces || token[i] == "TEST"))
        return 0
    if (token[i] == "return" && token[i + 1] ~ /more/ && token[i + 2] == "(")
        return end_of(i, ";")
    if (token[i] ~ telling && token[i] !~ /^check/ && token[i + 1] == "(")
        return end_of(i + 2, ")")
    if (token[i] == "if" && token[(end = end_of(i + 2, ")")) + 1] ~ /^skip/) {
        head[end]
        return end
    }
    return 0
}

# Of a #define for an array's size, or for how long something is waited for.
function of_room(i) {
    return in_define[i] in sizes || (of == "tests" && in_define[i] ~ /_[UM]S$/)
}

# The token before which the brackets that begin after i are closed: ")" of if, ";" of a statement.
function end_of(i, closing,   depth) {
    for (; i <= tokens; i++) {
        if (!depth && token[i] == closing)
            return i
        depth += token[i] ~ /^[[({]$/
        depth -= token[i] ~ /^[])}]$/
    }
    return 0
}

function condition(i,   end) {
    if (token[i] !~ /^(if|while)$/ || in_define[i] != "")
        return
    end = end_of(i + 2, ")")
    head[end]
    offer(i + 1, end, "(!" source(i + 1, end) ")", "the opposite of " source(i, end))
}

# Of a loop, but for one whose body is empty.
function turns(i,   end, begin) {
    if (of != "tests" || token[i] !~ /^(for|while|for_each[a-z_]*)$/ || in_define[i] != "" || !braces)
        return
    end = end_of(i + 2, ")")
    if (token[end + 1] == ";")
        return
    head[end]
    begin = "for (unsigned turns_ = 0, once_ = 1; once_; once_ = 0) " source(i, end)
    offer(i, end, begin " if (turns_++) break; else", "only the first turn of " source(i, end))
    offer(i, end, begin " if (!turns_++) continue; else", "not the first turn of " source(i, end))
}

function truth(i,   end) {
    end = end_of(i, ";")
    if (token[i] == "return" && truths && !(end == i + 2 && token[i + 1] in to))
        offer(i + 1, end - 1, "!(" source(i + 1, end - 1) ")", "the opposite of " source(i, end))
}

# An assignment, a call, break or continue; not a declaration, in which a word follows the first one.
function statement(i,   end) {
    if (in_define[i] != "" || brackets || !braces || !(token[i - 1] ~ /^([;{}:]|else|do)$/ || (i - 1) in head))
        return
    end = end_of(i, ";")
    if (token[i] ~ /^(break|continue)$/ ||
        (token[i] ~ word && token[i] !~ keyword && token[i + 1] !~ word && !(token[i + 1] == "*" && token[i + 2] ~ word) &&
         token[i + 1] ~ /^(->|[[(.*]|[-+|&^*\/]?=|<<=|>>=|[+][+]|--)$/) || token[i] ~ /^([*]|[+][+]|--)$/)
        offer(i, end, ";", "without " source(i, end))
}

END {
    for (i = 1; i <= tokens; i++) {
        if (token[i] == "for")
            head[end_of(i + 2, ")")]
        # A function's head at the line's beginning tells whether it returns a truth.
        if (!braces && token[i] == "(")
            truths = token[i - 2] == "bool"
        if (i > told)
            told = left_alone(i)
        if (!told && !of_room(i)) {
            condition(i)
            turns(i)
            truth(i)
            statement(i)
            other_token(i)
            operand(i)
        }
        if (in_define[i] == "") {
            braces += (token[i] == "{") - (token[i] == "}")
            brackets += (token[i] == "(") - (token[i] == ")")
        }
    }
}
