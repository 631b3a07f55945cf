"use strict";
// Any two runs on the same items: picks the pair that the report has computed, and says it in words.
(() => {
  const data = self.ORDOJO?.compare ?? [];
  const section = document.getElementById("compare");
  const usable = data.map((column, index) => [column, index]).filter(([column]) => column.runs.length > 1);
  if (!usable.length) { section.hidden = true; return; }
  const [first, second] = [document.getElementById("pair-a"), document.getElementById("pair-b")];
  const matrices = [...section.querySelectorAll(".matrix")];
  const figure = (value) => Math.abs(value).toFixed(3);
  const signed = (value) => (value < 0 ? "−" : "+") + figure(value);
  let column = usable[0][1];

  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const drawing = (value, low, high) => {
    const reach = Math.max(0.05, Math.abs(low), Math.abs(high)) * 1.1;
    const at = (x) => `${(50 + 50 * x / reach).toFixed(2)}%`;
    const line = (a, b, cls) => svg("line", { x1: at(a), x2: at(b), y1: "50%", y2: "50%", class: cls });
    return svg("svg", { class: "glyph", role: "img", "aria-label": "difference with its interval" },
      line(-reach, reach, "track"),
      svg("line", { x1: "50%", x2: "50%", y1: "0", y2: "100%", class: "zero" }),
      line(low, high, "ci model"),
      svg("circle", { cx: at(value), cy: "50%", r: "4.5", class: "mark model" }));
  };
  const update = () => {
    const [a, b] = [Number(first.value), Number(second.value)];
    const { runs, rules, pairs } = data[column];
    for (const cell of section.querySelectorAll("td.picked")) cell.classList.remove("picked");
    const matrix = matrices.find((element) => element.dataset.col === String(column));
    matrix?.querySelector(`td[data-a="${a}"][data-b="${b}"]`)?.classList.add("picked");
    const verdict = section.querySelector(".verdict");
    const detail = section.querySelector(".detail");
    const diff = section.querySelector(".diff");
    diff.replaceChildren();
    detail.textContent = "";
    if (a === b) { verdict.textContent = "Choose two different runs."; return; }
    const pair = pairs.find(([i, j]) => i === Math.min(a, b) && j === Math.max(a, b));
    const flip = a < b ? 1 : -1;
    if (!pair || pair[2] === null) { verdict.textContent = "These two runs have no item in common that one rule scored."; return; }
    const value = flip * pair[2];
    const [low, high] = flip > 0 ? [pair[3], pair[4]] : [-pair[4], -pair[3]];
    const [p, holm, among, n, clusters] = pair.slice(5);
    const equals = (value) => value < 0.001 ? "< 0.001" : `= ${value.toFixed(3)}`;
    const strong = (text) => Object.assign(document.createElement("bdi"), { textContent: text });
    verdict.replaceChildren(strong(runs[a]), value === 0 ? " scores exactly as " :
      ` scores ${figure(value)} ${value > 0 ? "higher" : "lower"} than `, strong(runs[b]),
      holm < 0.05 ? "." : ", a difference that these items do not resolve.");
    diff.append(drawing(value, low, high));
    detail.textContent = `${signed(value)}, 95% interval ${signed(low)} to ${signed(high)}, ` +
      `p ${equals(p)} (paired permutation), ${equals(holm)} after Holm over ${among.toLocaleString("en")} pairs, ` +
      `${n.toLocaleString("en")} items in ${clusters.toLocaleString("en")} clusters, rule ${rules[a]}.`;
  };
  const choose = (index) => {
    column = index;
    for (const select of [first, second]) {
      select.replaceChildren(...data[column].runs.map((name, place) => new Option(name, place)));
    }
    const models = data[column].runs.findIndex((name) => !name.startsWith("ordojo/"));
    first.value = Math.max(0, Math.min(models, data[column].runs.length - 2));
    second.value = Number(first.value) + 1;
    matrices.forEach((element) => { element.hidden = element.dataset.col !== String(column); });
    update();
  };
  section.querySelector(".picker").hidden = false;
  section.querySelectorAll("input[name=pair-column]").forEach((input) =>
    input.addEventListener("change", () => choose(Number(input.value))));
  [first, second].forEach((select) => select.addEventListener("change", update));
  matrices.forEach((element) => element.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-a]");
    if (!cell) return;
    first.value = cell.dataset.a;
    second.value = cell.dataset.b;
    update();
  }));
  choose(column);
})();
