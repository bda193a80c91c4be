#!/bin/sh
# Draws, builds and tries one mutant, in a directory of its own; pmu/reference/proof/mutate.sh calls it, several at once, and has
# made ready in $WORK: the sources, the objects of the image and of the host tests, the tools, the commands (flags.sh).
# Only the changed file is compiled, and linked once. What became of it is the only line of output:
#
#     HOW FILE:LINE KIND OF CHANGE
#
# usage: SUBJECT=model|judgement WORK=DIRECTORY SEED=NUMBER pmu/reference/proof/mutant.sh NUMBER
set -u
dir=$WORK/mutants/$1
# shellcheck source=/dev/null
. "$WORK/flags.sh"
rm -rf "$dir"
mkdir -p "$dir"
cd "$WORK/tree" || exit 99

tell() {
    result="$1 $(head -n 1 "$dir/what")"
    { echo "$result"; sed 1d "$dir/what"; } >"$dir/result"
    echo "$result"
    rm -rf "$dir/tree" "$dir"/*.elf "$dir"/*.iso "$dir"/*.o "$dir"/test_* "$dir/program"
    exit 0
}

# shellcheck disable=SC2046,SC2086 # files, flags and objects are words
draw() {
    "$WORK/tools/mutate" $DRAW "$SEED" "$1" "$dir/mutant.c" $(cat "$WORK/files") >"$dir/what" || exit 99
    file=$(sed -n '1s/:.*//p' "$dir/what")
}

# A change that survived before, and why it may, is not tried again: pmu/reference/proof/survivors.txt.
explained() {
    awk -v file="$file" -v old="$(sed -n 's/^- *//p' "$dir/what")" -v new="$(sed -n 's/^+ *//p' "$dir/what")" \
        -f pmu/reference/proof/survivors.awk pmu/reference/proof/survivors.txt
}

# shellcheck disable=SC2086
compile() {
    $CC $IMAGE_CFLAGS $LENIENT -c -o "$dir/mutant.o" "$dir/mutant.c" 2>"$dir/build.log"
}

# Without a table of symbols, which only the words of a crash need.
# shellcheck disable=SC2086
image() {
    sed "s,^$WORK/obj/$file\.o\$,$dir/mutant.o," "$WORK/objects" >"$dir/objects"
    $LD $IMAGE_LDFLAGS -T boot/linker.ld -o "$dir/pmucheck.elf" "@$dir/objects" >>"$dir/build.log" 2>&1 &&
        tools/build/sum.sh "$dir/pmucheck.elf" >>"$dir/build.log" &&
        SOURCE_DATE_EPOCH=315532800 iso/make-iso.sh "$dir/pmucheck.iso" "$dir/pmucheck.elf" >>"$dir/build.log" 2>&1
}

# boot LOG CPUS PROFILES OPTIONS: the exit status is that of the run.
boot() {
    IMAGE=${IMAGE:-$dir/pmucheck.iso} BUILD=$WORK LOG=$1 CPUS=$2 REFERENCE=$3 OPTIONS=$4 SUMMARY=0 TIMEOUT=1800 SILENCE=200 \
        tools/run.sh >"$dir/boot.txt" 2>&1
}

# The host tests that link the file: the first that fails is named.
# shellcheck disable=SC2086
host_tests() {
    sed -n 's/^.*links,[^,]*\/host\/\([a-z0-9_]*\),host,\(.*\) ))$/\1 \2/p' "$WORK/links.mk" | awk -v file="$file" '{
        for (i = 2; i <= NF; i++)
            if ($i == file || ($i ~ /\/$/ && index(file, $i) == 1 && substr(file, length($i) + 1) !~ /\//)) {
                print
                next
            }
    }' >"$dir/programs"
    [ -s "$dir/programs" ] || return 0
    $HOST_CC $HOST_CFLAGS -w $SANITIZE -c -o "$dir/host.o" "$dir/mutant.c" 2>>"$dir/build.log" || { echo build; return 1; }
    while read -r name sources; do
        objects=
        for source in $sources; do
            case $source in
            */) source=$(echo "$source"*.c) ;;
            esac
            for one in $source; do
                case $one in
                "$file") objects="$objects $dir/host.o" ;;
                *) objects="$objects $WORK/host/obj/$one.o" ;;
                esac
                case $one in
                */model/profiles.c) objects="$objects $WORK/host/obj/$GENERATED/profiles.c.o" ;;
                */dumps/dumps.c) objects="$objects $WORK/host/obj/$GENERATED/dumps.c.o" ;;
                esac
            done
        done
        $HOST_CC $SANITIZE -o "$dir/program" $objects -lcmocka $HOST_LIBRARIES -lqrencode 2>>"$dir/build.log" || { echo "no-link:$name"; return 1; }
        timeout 200 "$dir/program" >"$dir/host.log" 2>&1 || { echo "$name"; return 1; }
    done <"$dir/programs"
}

# ---- The model: which profiles reach a file's lines, the best for it first

profiles_of() {
    case $1 in
    */netburst*) echo prescott ;;
    */core.c) echo prescott skylake ;;
    */registers.c) echo skylake prescott sapphire-rapids lunar-lake conroe haswell silvermont core-duo ;;
    */alias.c) echo lunar-lake diamond-rapids ;;
    */lbr.c) echo skylake sapphire-rapids haswell lunar-lake nehalem sandy-bridge goldmont-plus ;;
    */topdown.c) echo sapphire-rapids lunar-lake ice-lake ;;
    */apebs*) echo panther-lake diamond-rapids clearwater-forest ;;
    */pebs_adaptive.c) echo ice-lake sapphire-rapids goldmont-plus lunar-lake ;;
    */pebs*) echo skylake goldmont-plus sandy-bridge ice-lake haswell nehalem conroe silvermont lunar-lake prescott ;;
    */freeze.c | */pmi.c) echo skylake haswell conroe goldmont-plus core-duo lunar-lake ;;
    */inuse.c | */status.c) echo skylake goldmont-plus lunar-lake haswell ;;
    */cpuid.c) echo lunar-lake skylake alder-lake core-duo prescott ;;
    *) echo skylake sapphire-rapids prescott lunar-lake conroe haswell silvermont core-duo ;;
    esac
}

# The chapters whose tests ask for what a file does: they run first, and most mutants end there.
chapters_of() {
    case $1 in
    */netburst*) echo 'netburst.*,pebs.*' ;;
    */core.c) echo 'netburst.*,access.*,share.*' ;;
    */alias.c) echo 'alias.*,reload.*,enum.*' ;;
    */lbr.c) echo 'lbr.*,freeze.lbrs*,pebs.groups' ;;
    */topdown.c) echo 'topdown.*,fixed.*,enum.*' ;;
    */apebs*) echo 'apebs.*,enum.*' ;;
    */pebs* | */memory.c) echo 'pebs.*' ;;
    */freeze.c) echo 'freeze.*,lbr.freeze-of-old,pmi.fixed-vector' ;;
    */pmi.c | */lapic.c) echo 'pmi.*,freeze.*' ;;
    */inuse.c) echo 'inuse.*,share.*' ;;
    */status.c) echo 'overflow.*,global.*,access.*,freeze.*' ;;
    */overflow.c) echo 'overflow.*,pmi.*' ;;
    */retire.c) echo 'gp.*,fixed.*,overflow.*,pebs.load-address' ;;
    */counters.c | */rdpmc.c) echo 'gp.*,fixed.*,access.*,rdpmc.*,pebs.reload' ;;
    */controls.c | */write_rule.c) echo 'access.*,gp.*,fixed.*,enum.*,pebs.area-address' ;;
    */registers.c) echo 'enum.*,access.*,handoff.*,netburst.*,lbr.*,alias.*' ;;
    */cpuid.c | */machine.c | */reset.c) echo 'enum.*,access.*,handoff.*' ;;
    *) echo 'gp.*,fixed.*,enum.*,topdown.*,pebs.qualifiers,pebs.rings,netburst.overflow' ;;
    esac
}

failed() {
    tr -d '\r' <"$1" | sed -n 's/^\( *\)not ok [0-9]* \([a-z0-9:.-]*\).*/\2/p; s/^ *# fail \([a-z.0-9-]*\) .*label=\([a-z0-9-]*\).*/\1\/\2/p' |
        grep '/' | head -n 1
}

# One boot, of the tests that are named: returns only if nothing was noticed.
try_image() {
    boot "$dir/$1.log" "$2" "$3" "$4 quick failfast"
    status=$?
    if [ $status = 99 ]; then # what comes after the error may be a verdict
        boot "$dir/$1.log" "$2" "$3" "$4 quick"
        status=$?
    fi
    case $status in
    0 | 77) ;; # of a part of the tests nothing may be for this profile
    1) tell "image:fail:$(failed "$dir/$1.log")" ;;
    2) tell "image:review:$(failed "$dir/$1.log")" ;;
    124) ended="time" ;;
    130) exit 130 ;;
    *) ended=error ;;
    esac
}

# First what is most likely to notice it, then everything else.
try_model() {
    ended=
    chapters=$(chapters_of "$file")
    # shellcheck disable=SC2046 # profiles are words
    set -- $(profiles_of "$file")
    first=$1
    shift
    others=$(echo "$@" | cut -d ' ' -f "1-$((PROFILES > 1 ? PROFILES - 1 : 1))" | tr ' ' ,)
    others=${others:-$first}
    try_image chapters-first 2 "$first" "run=$chapters"
    try_image chapters-others 4 "$others" "run=$chapters"
    if [ "$REST" = 1 ]; then
        try_image rest-first 2 "$first" "skip=$chapters"
        try_image rest-others 4 "$others" "skip=$chapters"
    fi
    [ -z "$ended" ] || tell "$ended"
    [ "$REST" = 0 ] || name=$(host_tests) || tell "host:$name"
    tell survived
}

# ---- What judges: the tests whose proof tells whether a change is noticed

tests_of() {
    case $1 in
    tests/harness/netburst*) echo 'netburst.*' ;;
    tests/harness/sampling* | pmu/sampling/netburst*) echo 'pebs.records,pebs.registers,pebs.groups,netburst.records' ;;
    tests/harness/sharing* | pmu/sharing/*) echo 'share.*' ;;
    tests/harness/running*) echo 'freeze.on-pmi,freeze.software,freeze.lbrs,inuse.running' ;;
    tests/harness/walk*) echo 'access.gp-counters,access.fixed-control,gp.above-width,gp.read-back' ;;
    tests/harness/rdpmc*) echo 'rdpmc.*,gp.rdpmc' ;;
    tests/harness/settled*) echo 'gp.filters,gp.classes' ;;
    tests/harness/counting* | tests/harness/protocol*) echo 'gp.instructions,gp.filters,gp.cycles,fixed.instructions' ;;
    tests/harness/provoke*) echo 'pmi.fixed-vector,pmi.coalesced,overflow.status,overflow.value' ;;
    pmu/sampling/*) echo 'pebs.records,pebs.registers,pebs.threshold,pebs.maximum,pebs.load-address' ;;
    pmu/run/pmi*) echo 'pmi.fixed-vector,pmi.nmi,pmi.masked,pmi.small-periods' ;;
    tests/harness/* | pmu/*) echo 'gp.instructions,gp.enables,overflow.status,pmi.fixed-vector,handoff.registers' ;;
    tests/*/*.c) echo "$1" | sed 's,^tests/,,; s,/,.,; s,\.c$,,' ;;
    esac
}

# Labels, or labels with registers and bits, that a proof has shown.
shown() {
    BUILD=$WORK awk -f pmu/reference/proof/keys.awk tests/unproven.txt "$2" | awk -v keys="$1" '$3 ~ /^proven=/ {
        n = split(substr($3, 8), key, ",")
        for (i = 1; i <= n; i++)
            print $1, $2 (keys ? " " key[i] : "") }' | LC_ALL=C sort -u
}

# Of the defects that are meant for these tests and no others, those that a proof says were caught, each also in one
# place alone. Of the others a test elsewhere may take care.
caught() {
    tr -d '\r' <"$2" | sed -n 's/^ok [0-9]* \([^ ]*\) caught by .*/\1/p' >"$dir/caught"
    awk -v meant="MEANT_FOR(\"$1\")" 'BEGIN { RS = ";" } /DEFECT\(/ && index($0, meant) {
        sub(/.*DEFECT\([A-Z0-9_]+,[^"]*"/, "")
        sub(/".*/, "")
        print }' pmu/reference/deviations/*.c |
        awk 'FILENAME == "-" { own[$1]; next } { name = $1; sub(/[(:@].*/, "", name) } name in own' - "$dir/caught" |
        LC_ALL=C sort -u
}

# The defects that are meant for any of the tests: no other proves a label of theirs.
meant_for() {
    for one in $(echo "$1" | tr ',' ' '); do
        awk -v test="$(echo "$one" | tr '*' x)" -f pmu/reference/proof/meant.awk pmu/reference/deviations/*.c | tr ',' '\n'
    done | LC_ALL=C sort -u | paste -sd , -
}

# What the unchanged image shows of these tests, once for all mutants.
base_of() {
    base=$WORK/base/$(echo "$1" | tr '*,' '_+').log
    while ! mkdir "$base.lock" 2>/dev/null; do
        sleep 5
    done
    [ -s "$base" ] || { IMAGE=$WORK/pmucheck.iso boot "$base.new" 2 skylake "prove=1/1 quick run=$1 defect=$2" ||:; mv "$base.new" "$base"; }
    rmdir "$base.lock"
}

try_judgement() {
    cp -al "$WORK/tree" "$dir/tree" && rm "$dir/tree/$file" && cp "$dir/mutant.c" "$dir/tree/$file"
    "$dir/tree/pmu/reference/proof/labels.sh" --check >"$dir/labels.txt" 2>&1 || tell "labels:$(wc -l <"$dir/labels.txt")"
    name=$(host_tests) || tell "host:$name"
    tests=$(tests_of "$file")
    meant=$(meant_for "$tests")
    base_of "$tests" "$meant"
    boot "$dir/proof.log" 2 skylake "prove=1/1 quick run=$tests defect=$meant"
    tr -d '\r' <"$dir/proof.log" | grep -qE '^# end ' || tell "proof:no-end"
    plain=$(tr -d '\r' <"$dir/proof.log" | sed -n 's/^not ok [0-9]* \(none[^ ]*\).*/\1/p' | head -n 1)
    [ -z "$plain" ] || tell "boot:$plain"
    shown "" "$base" >"$dir/base-labels"
    shown "" "$dir/proof.log" | LC_ALL=C comm -23 "$dir/base-labels" - >"$dir/lost"
    [ ! -s "$dir/lost" ] || tell "proof:$(head -n 1 "$dir/lost" | tr ' ' /)"
    caught "$tests" "$base" >"$dir/base-caught"
    caught "$tests" "$dir/proof.log" | LC_ALL=C comm -23 "$dir/base-caught" - >"$dir/lost"
    [ ! -s "$dir/lost" ] || tell "proof:$(head -n 1 "$dir/lost")"
    shown 1 "$base" >"$dir/base-keys"
    shown 1 "$dir/proof.log" | LC_ALL=C comm -23 "$dir/base-keys" - >"$dir/lost"
    [ ! -s "$dir/lost" ] || tell "keys:$(head -n 1 "$dir/lost" | tr ' ' /)"
    tell unnoticed
}

draw "$1"
reason=$(explained)
[ -z "$reason" ] || tell "explained:$reason"
{ compile && image; } || tell "build"
"try_$SUBJECT"
