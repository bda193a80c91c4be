#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Opens the page of a comparison in a headless browser: no script error, the filter, the choice of sections and the
# sorting work, and nothing is fetched. With a second argument, keeps a screenshot there.
# Would catch a script that fails in a browser, a page that fetches something.
#
# usage: tools/check/program/page.sh PAGE [SCREENSHOT.png]
set -eu
cd "$(dirname "$0")/../../.."
if ! command -v chromium >/dev/null && ! apt-cache show chromium >/dev/null 2>&1; then
    echo "chromium is not installed: the page was not tried"
    exit 77
fi
tools/dependencies.sh browser
page=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

browser() {
    timeout 300 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" "$@" 2>"$work/errors"
}

# The page with an added script that records errors and uses the page as a person would.
{
    cat <<'HTML'
<script>const wrong = []; window.onerror = (message) => { wrong.push(message); };</script>
HTML
    cat "$page"
    cat <<'HTML'
<script>
function expect(what, holds) { if (!holds) wrong.push(what); }
try {
    const rows = () => Array.from(document.querySelectorAll("#rows tbody tr"));
    const shown = () => rows().filter((row) => !row.hidden);
    const set = (id, value, event) => {
        const input = document.getElementById(id);
        if (input.type === "checkbox") input.checked = value; else input.value = value;
        input.dispatchEvent(new Event(event));
    };
    const differing = shown().length;
    expect("at first rows that differ are shown", differing > 0 && shown().every((row) => row.dataset.differs === ""));
    set("all", true, "change");
    expect("then all are shown", shown().length === rows().length && shown().length > differing);
    set("search", "CPUID version", "input");
    expect("the filter leaves what has all words", shown().length > 0 && shown().length < rows().length &&
           shown().every((row) => /cpuid/i.test(row.textContent) && /version/i.test(row.textContent)));
    set("search", "", "input");
    set("section", "capabilities", "change");
    expect("a section alone", shown().length > 0 && shown().every((row) => row.cells[0].textContent === "capabilities"));
    set("section", "", "change");
    const head = document.querySelectorAll("#rows th")[2];
    const names = () => rows().map((row) => row.cells[2].textContent);
    const order = new Intl.Collator("en", { numeric: true }).compare;
    head.click();
    expect("rising", names().every((name, i, list) => i === 0 || order(list[i - 1], name) <= 0));
    head.click();
    expect("falling", names().every((name, i, list) => i === 0 || order(list[i - 1], name) >= 0));
    expect("plots are there", document.querySelectorAll(".card svg path").length > 0);
    expect("nothing is fetched", performance.getEntriesByType("resource").length === 0);
    expect("it fits a phone", document.documentElement.scrollWidth <= window.innerWidth + 1);
    expect("a phone shows the chapters where something failed, and no others",
           Array.from(document.querySelectorAll(".matrix th.chapter")).every((chapter) =>
               (chapter.offsetWidth > 0) !== chapter.classList.contains("calm")));
} catch (error) { wrong.push(String(error)); }
document.title = wrong.length ? "WRONG: " + wrong.join("; ") : "ALL WELL";
</script>
HTML
} >"$work/driven.html"

title=$(browser --window-size=500,900 --dump-dom "file://$work/driven.html" | grep -o '<title>[^<]*' | head -n 1)
echo "$page: ${title#<title>}"
[ -z "${2-}" ] || browser --window-size=1200,1600 --screenshot="$(realpath "$2")" "file://$(realpath "$page")" >/dev/null
[ "$title" = "<title>ALL WELL" ] || {
    cat "$work/errors"
    exit 1
}
