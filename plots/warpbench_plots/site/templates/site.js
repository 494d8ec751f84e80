// Sorts a table by the column whose head is clicked, and hides entries of the index that lack the words searched for.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("th").forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (a, b) => key(a).localeCompare(key(b), "en", { numeric: true });
      const number = (row) => Number(row.cells[column].dataset.value ?? NaN);
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const difference = number(a) - number(b);
        return (Number.isNaN(difference) ? compare(a, b) : difference) * (up ? 1 : -1);
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
