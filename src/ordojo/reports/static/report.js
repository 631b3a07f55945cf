"use strict";
// Tooltips, sortable tables, the leaderboard's switches, copy buttons. Pages read well without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Tooltips: an SVG mark's own <title>, shown at once, on touch too.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const show = (event) => {
    const mark = event.target instanceof Element ? event.target.closest("svg *, svg") : null;
    let node = mark, text = "";
    while (node && node.closest("svg") && !text) {
      const title = [...node.children].find((child) => child.localName === "title");
      if (title) { node.setAttribute("data-tip", title.textContent); title.remove(); }
      text = node.getAttribute("data-tip") || "";
      node = node.parentElement;
    }
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, event.clientX - box.width / 2), innerWidth - box.width - 8);
    const above = event.clientY - box.height - 14;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 4 ? above : event.clientY + 18}px`;
  };
  addEventListener("pointermove", show, { passive: true });
  addEventListener("pointerdown", show, { passive: true });
  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true, capture: true });

  // Sorting: a number where the cell has data-v, else its text; what is not known comes last.
  const key = (cell) => {
    if (!cell) return null;
    if (cell.dataset.v !== undefined) {
      const value = Number(cell.dataset.v);
      return Number.isNaN(value) ? null : value;
    }
    const text = cell.textContent.trim();
    return text === "–" || text === "" ? null : text;
  };
  const sort = (table, column, descending) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => [key(row.cells[column]), place, row]);
    rows.sort(([a, p], [b, q]) => {
      if (a === null || b === null) return (a === null) - (b === null) || p - q;
      const order = typeof a === "number" && typeof b === "number"
        ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
      return (descending ? -order : order) || p - q;
    });
    body.append(...rows.map((row) => row[2]));
    all("thead th", table).forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  for (const table of all("table.sortable, table.board")) {
    all("thead th", table).forEach((head, column) => {
      const button = head.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const numeric = [...table.tBodies[0].rows].some((row) => row.cells[column]?.dataset.v !== undefined);
        sort(table, column, now ? now === "ascending" : numeric);
      });
    });
  }

  // Where the pages' names do not fit beside each other, this page's is in view.
  const nav = document.querySelector(".top nav"), here = nav?.querySelector("[aria-current]");
  if (here) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;

  all(".controls").forEach((element) => { element.hidden = false; });

  // The leaderboard: one benchmark or all, with or without baselines and published rows.
  const board = document.getElementById("board");
  if (board) {
    const update = () => {
      const solo = document.querySelector("input[name=solo]:checked")?.value ?? "";
      board.classList.toggle("solo", solo !== "" || board.tHead.rows[0].cells.length === 2);
      for (const row of board.tBodies[0].rows) {
        const off = document.getElementById(`show-${row.dataset.kind}`)?.checked === false;
        const empty = solo !== "" && row.querySelector(`td[data-col="${solo}"]`)?.classList.contains("none");
        row.hidden = off || empty;
      }
      // A column goes when another is alone, or when no row in view has anything in it.
      const filled = new Set(all("tbody tr:not([hidden]) td:not(.none)", board).map((cell) => cell.dataset.col));
      all("[data-col]", board).forEach((cell) => {
        cell.hidden = solo !== "" ? cell.dataset.col !== solo : !filled.has(cell.dataset.col);
      });
      return solo;
    };
    all("input[name=solo]").forEach((input) => input.addEventListener("change", () => {
      const solo = update();
      sort(board, solo === "" ? 1 : Number(solo) + 1, true);
    }));
    all(".switches input").forEach((input) => input.addEventListener("change", update));
    document.getElementById("sort-by").addEventListener("change", (event) => {
      const column = Number(event.target.value) + 1;
      sort(board, column, column > 0);
    });
    update();
  }

  for (const input of all(".forest-published")) {
    const apply = () => input.closest("section").querySelector(".forest").classList.toggle("no-published", !input.checked);
    input.addEventListener("change", apply);
    apply();
  }

  for (const button of all("button.copy")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
        button.textContent = "Copied";
      } catch { button.textContent = "Not allowed"; }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
})();
