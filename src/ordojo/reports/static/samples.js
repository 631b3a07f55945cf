"use strict";
// The sample browser: filters an index, loads chunks on demand, draws only the rows in view.
(() => {
  const { make, render, words, number, NAMES, SIGNS } = self.OrdojoView;
  const HEIGHT = 48, KEPT = 6;
  const root = document.getElementById("browser");
  const index = self.ORDOJO?.index;
  const article = document.getElementById("sample");
  if (!index) { article.textContent = "The samples of this run cannot be read; write the report again."; return; }
  const list = root.querySelector(".list"), spacer = root.querySelector(".spacer");
  const found = root.querySelector(".found"), query = document.getElementById("query");
  const rows = index.rows;
  for (const row of rows) { row[4] = index.tables[row[4]]; row[7] = index.tables[row[7]]; }
  const state = { rule: index.rule, outcomes: new Set(), labels: {}, whitespace: false, shown: [], at: -1, hits: null, search: 0 };

  // Chunks: script files that put their records, packed, under ORDOJO; the least recently used go.
  const unpack = (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };
  const kept = new Map();
  const chunkOf = (place) => {
    let low = 0, high = index.starts.length - 1;
    while (low < high) { const mid = (low + high + 1) >> 1; if (index.starts[mid] <= place) low = mid; else high = mid - 1; }
    return low;
  };
  const load = (chunk) => {
    const known = kept.get(chunk);
    if (known) { kept.delete(chunk); kept.set(chunk, known); return known; }
    const promise = new Promise((resolve, reject) => {
      const fail = () => { kept.delete(chunk); reject(new Error("missing")); };
      const script = document.createElement("script");
      script.src = `${root.dataset.folder}${chunk}.js`;
      script.onload = () => {
        const key = `chunk/${chunk}`;
        unpack(self.ORDOJO[key]).then(resolve, fail);
        delete self.ORDOJO[key];
        script.remove();
      };
      script.onerror = fail;
      document.head.append(script);
    });
    kept.set(chunk, promise);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    return promise;
  };

  // The list, of which only the rows in view exist.
  const outcome = (row) => row[2] === "error" ? "error" : row[7][state.rule] ?? "unscored";
  const paint = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
    const last = Math.min(state.shown.length, first + Math.ceil(list.clientHeight / HEIGHT) + 9);
    const nodes = [];
    for (let line = first; line < last; line += 1) {
      const place = state.shown[line], row = rows[place], result = outcome(row);
      const node = make("div", { cls: `item ${result}`, role: "option", id: `row-${place}`, "aria-selected": String(place === state.at), "data-place": String(place) },
        make("i", { text: SIGNS[result], title: NAMES[result] }),
        make("span", { cls: "id" }, make("bdi", { text: row[0] }), row[1] > 1 ? make("small", { text: ` epoch ${row[1]}` }) : null),
        make("span", { cls: "peek" }, make("bdi", { text: row[5] || "no answer" }), make("small", { text: row[6] ? `truth ${row[6]}` : "" })));
      node.style.top = `${line * HEIGHT}px`;
      nodes.push(node);
    }
    spacer.replaceChildren(...nodes);
    list.setAttribute("aria-activedescendant", state.at >= 0 ? `row-${state.at}` : "");
  };
  const reveal = () => {
    const line = state.shown.indexOf(state.at);
    if (line < 0) return;
    const top = line * HEIGHT;
    if (top < list.scrollTop || top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  };

  const passes = (place) => {
    const row = rows[place];
    if (state.outcomes.size && !state.outcomes.has(outcome(row))) return false;
    if (Object.entries(state.labels).some(([key, value]) => value !== "" && row[4][key] !== value)) return false;
    return state.hits === null || state.hits.has(place);
  };
  const refresh = (note = "") => {
    state.shown = rows.map((_, place) => place).filter(passes);
    spacer.style.height = `${state.shown.length * HEIGHT}px`;
    found.textContent = `${number(state.shown.length)} of ${number(rows.length)} samples${note}`;
    for (const box of root.querySelectorAll(".outcomes input")) {
      box.parentElement.querySelector("small").textContent = number(rows.filter((row) => outcome(row) === box.value).length);
    }
    paint();
  };

  const search = async () => {
    const ticket = ++state.search, wanted = query.value.trim().toLowerCase();
    if (!wanted) { state.hits = null; refresh(); return; }
    state.hits = new Set();
    rows.forEach((row, place) => {
      if ([row[0], row[5], row[6], ...Object.values(row[4])].some((text) => text.toLowerCase().includes(wanted))) state.hits.add(place);
    });
    for (let chunk = 0; chunk < index.starts.length; chunk += 1) {
      refresh(`, searched ${Math.round(100 * chunk / index.starts.length)}%`);
      let records;
      try { records = await load(chunk); } catch { continue; }
      if (ticket !== state.search) return;
      records.forEach((record, offset) => {
        if (words(record).some((text) => text.toLowerCase().includes(wanted))) state.hits.add(index.starts[chunk] + offset);
      });
    }
    refresh();
  };

  const address = (place) => {
    try { return `#id=${encodeURIComponent(rows[place][0])}&epoch=${rows[place][1]}`; }
    catch { return `#at=${place}`; }
  };
  const bar = () => {
    const button = (text, cls, action) => { const node = make("button", { type: "button", text, cls }); node.addEventListener("click", action); return node; };
    const line = state.shown.indexOf(state.at);
    return make("nav", { cls: "sample-bar", "aria-label": "Samples" },
      button("All samples", "back", () => document.body.classList.remove("reading")),
      button("Previous", "", () => move(-1)), button("Next", "", () => move(1)),
      make("span", { cls: "place", text: line < 0 ? "" : `${number(line + 1)} of ${number(state.shown.length)}` }),
      button(state.whitespace ? "Hide whitespace" : "Show whitespace", "ws-toggle", whitespace),
      make("span", { cls: "keys" }, make("kbd", { text: "j" }), make("kbd", { text: "k" }), " to move ", make("kbd", { text: "/" }), " to search ", make("kbd", { text: "w" }), " for whitespace"));
  };
  const draw = async () => {
    const place = state.at, chunk = chunkOf(place);
    let records;
    try { records = await load(chunk); } catch {
      article.replaceChildren(bar(), make("p", { text: `The file of this sample (${chunk}.js) cannot be read; write the report again.` }));
      return;
    }
    if (place !== state.at) return;
    article.replaceChildren(bar(), ...render(records[place - index.starts[chunk]], state));
    article.dataset.place = String(place);
  };
  const open = (place, keep = true) => {
    if (place < 0 || place >= rows.length) return;
    state.at = place;
    if (keep) history.replaceState(null, "", address(place));
    paint();
    reveal();
    if (article.getBoundingClientRect().top < 0) article.scrollIntoView();
    return draw();
  };
  const move = (step) => {
    const line = state.shown.indexOf(state.at);
    const next = line < 0 ? (step > 0 ? state.shown.findIndex((place) => place > state.at) : state.shown.findLastIndex((place) => place < state.at)) : line + step;
    if (next >= 0 && next < state.shown.length) open(state.shown[next]);
  };
  const whitespace = () => { state.whitespace = !state.whitespace; if (state.at >= 0) draw(); };

  // Filters.
  const outcomes = ["correct", "partial", "wrong", "unparsed", "unsupported", "unscored", "error"]
    .filter((name) => rows.some((row) => row[2] === name || Object.values(row[7]).includes(name)));
  root.querySelector(".outcomes").append(...outcomes.map((name) => {
    const box = make("input", { type: "checkbox", value: name });
    box.addEventListener("change", () => { state.outcomes[box.checked ? "add" : "delete"](name); refresh(); });
    return make("label", { cls: name }, box, make("span", {}, make("i", { text: SIGNS[name], "aria-hidden": "true" }), NAMES[name], " ", make("small")));
  }));
  const select = (name, values, pick) => {
    const node = make("select", {}, ...values.map(([value, text]) => new Option(text, value)));
    node.addEventListener("change", () => { pick(node.value); refresh(); });
    return make("label", {}, make("span", { text: name }), node);
  };
  const selects = root.querySelector(".selects");
  if (index.rules.length > 1) {
    const rules = [index.rule, ...index.rules.filter((rule) => rule !== index.rule)];
    selects.append(select("rule", rules.map((rule) => [rule, rule]), (rule) => { state.rule = rule; if (state.at >= 0) draw(); }));
  }
  for (const label of index.labels) {
    const counts = new Map();
    rows.forEach((row) => { const value = row[4][label]; if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1); });
    const values = [...counts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    if (values.length > 1 && values.length <= 500) selects.append(select(label, [["", "all"], ...values.map(([value, count]) => [value, `${value} (${count})`])], (value) => { state.labels[label] = value; }));
  }

  // Events.
  let timer = 0;
  query.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 200); });
  list.addEventListener("scroll", paint, { passive: true });
  new ResizeObserver(paint).observe(list);
  list.addEventListener("click", (event) => {
    const item = event.target.closest(".item");
    if (item) { document.body.classList.add("reading"); open(Number(item.dataset.place)); }
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.("input[type=search], select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const onList = document.activeElement === list;
    if (event.key === "j" || (onList && event.key === "ArrowDown")) { event.preventDefault(); move(1); }
    else if (event.key === "k" || (onList && event.key === "ArrowUp")) { event.preventDefault(); move(-1); }
    else if (event.key === "/") { event.preventDefault(); query.focus(); }
    else if (event.key === "w") whitespace();
  });
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const place = wanted.has("at") ? Number(wanted.get("at"))
      : rows.findIndex((row) => row[0] === wanted.get("id") && row[1] === Number(wanted.get("epoch") ?? 1));
    if (!(place >= 0 && place < rows.length)) return false;
    document.body.classList.add("reading");
    open(place, false);
    return true;
  };
  addEventListener("hashchange", follow);
  refresh();
  if (!follow()) {
    if (rows.length) open(0, false);
    else article.textContent = "No sample of this run is finished.";
  }
})();
