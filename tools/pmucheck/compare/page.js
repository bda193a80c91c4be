/* SPDX-License-Identifier: BSD-2-Clause */
"use strict";
// Filters the findings, rows and plots of a comparison, and sorts the rows. Nothing is fetched: the page is complete.
(function () {
    const search = document.getElementById("search");
    const section = document.getElementById("section");
    const all = document.getElementById("all");
    const count = document.getElementById("count");
    const body = document.querySelector("#rows tbody");
    const rows = Array.from(body.rows);
    const cards = Array.from(document.querySelectorAll(".card, .told"));
    for (const name of new Set(rows.map((row) => row.dataset.section)))
        section.add(new Option(name));
    const texts = new Map(rows.concat(cards).map((item) => [item, item.textContent.toLowerCase()]));

    function fits(item, words) {
        if (!all.checked && !item.hasAttribute("data-differs"))
            return false;
        if (section.value && item.dataset.section !== section.value)
            return false;
        return words.every((word) => texts.get(item).includes(word));
    }

    function filter() {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of rows) {
            row.hidden = !fits(row, words);
            shown += !row.hidden;
        }
        for (const card of cards)
            card.hidden = !fits(card, words);
        count.textContent = shown + " of " + rows.length + " rows";
    }

    function sort(head) {
        const descending = head.getAttribute("aria-sort") === "ascending";
        const index = head.cellIndex;
        const compare = new Intl.Collator("en", { numeric: true }).compare;
        for (const other of head.parentNode.cells)
            other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        rows.sort((a, b) => compare(a.cells[index].textContent, b.cells[index].textContent) * (descending ? -1 : 1));
        body.append(...rows);
    }

    for (const head of document.querySelectorAll("#rows th")) {
        head.tabIndex = 0;
        head.addEventListener("click", () => sort(head));
        head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(head); });
    }
    search.addEventListener("input", filter);
    section.addEventListener("change", filter);
    all.addEventListener("change", filter);
    filter();
})();
