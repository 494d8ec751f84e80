// Sorts a table by the column whose head is clicked, and hides entries of the index that lack the words searched for.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("th").forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = (row) => row.cells[column].textContent.trim();
      const compare = (a, b) => text(a).localeCompare(text(b), "en", { numeric: true });
      const number = (row) => Number(row.cells[column].dataset.value ?? NaN);
      const rows = [...table.tBodies[0].rows];
      const ofNumbers = rows.some((row) => !Number.isNaN(number(row)));
      const lacks = (row) => (ofNumbers ? Number.isNaN(number(row)) : ["", "–"].includes(text(row)));
      rows.sort((a, b) => {
        if (lacks(a) !== lacks(b)) return lacks(a) - lacks(b); // last, whichever way
        return (ofNumbers && !lacks(a) ? number(a) - number(b) : compare(a, b)) * (up ? 1 : -1);
      });
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}
document.getElementById("search")?.addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of document.querySelectorAll(".entries li")) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
  }
});
