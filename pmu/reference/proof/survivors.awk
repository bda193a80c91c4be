# Is this change of this file one whose survival is explained? Prints how: the word after the two lines of the change.
# The list has a record for each, with an empty line after it; the lines are known by their words alone, so that the
# list holds where code moves.
#
# usage: awk -v file=PATH -v old=LINE -v new=LINE -f pmu/reference/proof/survivors.awk pmu/reference/proof/survivors.txt

function plain(line)
{
    sub(/^[-+]? */, "", line)
    gsub(/ +/, " ", line)
    return line
}
BEGIN { RS = ""; FS = "\n" }
$1 == file && plain($2) == plain("- " old) && plain($3) == plain("+ " new) {
    split($4, word, ":")
    print word[1]
    exit
}
