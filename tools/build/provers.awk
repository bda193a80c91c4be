# SPDX-License-Identifier: BSD-2-Clause
# Makes the image's table of provers from tests/labels.txt: PROVER(test, label, by) for each living label that has
# defects which were made to fail it, with these, between commas. The rows are C code: a name with any other character than
# those of names is an error.
#
# usage: awk -f provers.awk tests/labels.txt

/ - retired: / || $3 !~ /^by=/ { next }
{
    by = substr($3, 4)
    if ($1 !~ /^[a-z0-9.-]+$/ || $2 !~ /^[a-z0-9.-]+$/ || by !~ /^[a-z0-9,-]+$/) {
        print FILENAME ":" FNR ": not a test, a label and defects" >"/dev/stderr"
        exit 1
    }
    printf "PROVER(\"%s\", \"%s\", \"%s\")\n", $1, $2, by
}
