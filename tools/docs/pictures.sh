#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the pictures of the README and of docs/first-boot.md: screens from QEMU, the comparison's page from a headless
# browser, and the rooms of the tree.
# docs/pictures/reference-pmu.svg is drawn by hand.
#
# usage: tools/docs/pictures.sh [screens|comparison|rooms]...      without a name: all
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
work=$BUILD/pictures
pictures=docs/pictures
mkdir -p "$work" "$pictures"

screens() {
    tools/check/run.py picture
}

# Three generations of the reference PMU side by side: leaf 0AH, and some measurements.
comparison() {
    tools/dependencies.sh browser
    for profile in penryn skylake lunar-lake; do
        LOG=$work/$profile.log REFERENCE=$profile CPUS=2 OPTIONS="machine=$profile" SUMMARY=0 tools/run.sh >/dev/null
    done
    "$BUILD/tools/pmucheck" compare --format=html -o "$work/comparison.html" "$work/penryn.log" "$work/skylake.log" \
        "$work/lunar-lake.log"
    cat >>"$work/comparison.html" <<'HTML'
<script>
const search = document.getElementById("search");
search.value = "CPUID.0AH";
search.dispatchEvent(new Event("input"));
const section = document.getElementById("section");
section.value = "capabilities";
section.dispatchEvent(new Event("change"));
document.querySelectorAll(".card").forEach((card) => {
    card.hidden = !/^(fixed.cycles reference|pmi.latency latency|rdpmc.indices gp )/.test(card.textContent.trim());
});
</script>
HTML
    timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/browser" \
        --window-size=1100,910 --screenshot="$work/comparison.png" "file://$(realpath "$work/comparison.html")" \
        2>/dev/null
    cp "$work/comparison.png" "$pictures/comparison.png"
}

rooms() {
    tools/docs/pages.py rooms "$pictures/rooms.svg"
}

[ $# -gt 0 ] || set -- screens comparison rooms
for what; do
    case $what in
    screens | comparison | rooms) "$what" ;;
    *) echo "tools/docs/pictures.sh: there are no pictures named $what" >&2; exit 1 ;;
    esac
done
large=$(find "$pictures" -size +150k)
[ -z "$large" ] || { echo "more than 150 KiB: $large" >&2; exit 1; }
ls -l "$pictures"
