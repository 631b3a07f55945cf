let model, edges = null, status = {}, here = "", detail = null, marked = new Set(), chain = Promise.resolve();
const units = () => [...model.groups, ...model.families];
const unit = id => units().find(one => one.id === id);
const draftKey = () => `ordojo-workbench/${model.digest}/drafts`;
const drafts = () => JSON.parse(localStorage.getItem(draftKey()) ?? "{}");
function keepDraft(key, text) {
  const all = drafts();
  if (text === null) delete all[key]; else all[key] = text;
  localStorage.setItem(draftKey(), JSON.stringify(all));
}
const pause = time => new Promise(resolve => setTimeout(resolve, time));

async function ask(path, body) {
  const answer = await fetch(path, body === undefined ? {} : {method: "POST",
    body: JSON.stringify(body), headers: {"Content-Type": "application/json"}});
  const reply = await answer.json();
  if (!answer.ok) throw Error(reply.error);
  return reply;
}
// Wait until the server has worked everything out; the page stays usable meanwhile.
async function settled() {
  for (let delay = 60;; delay = Math.min(delay * 1.5, 700)) {
    status = await ask("api/status");
    $("busy").classList.toggle("on", Boolean(status.busy));
    if (!status.busy) return;
    $("exact").textContent = "checking";
    $("exact").className = "pill";
    say(`Working: ${status.busy}, ${status.seconds} s`);
    await pause(delay);
  }
}
async function load() {
  await settled();
  model = await ask("api/model");
  status = model.status;
  if (model.ready) {
    if (!unit(here)) here = units()[0]?.id ?? "";
    marked = new Set([...marked].filter(unit));
    detail = here ? await ask(`api/item/${here}`) : null;
    draw();
  }
  if (status.problem) say(status.problem, true);
}
// One thing after the other: an action waits for those before it.
function act(path, body, done) {
  return chain = chain.then(async () => {
    try {
      await settled();
      await ask(path, body);
      await load();
      if (!status.problem) say(done instanceof Function ? done() : done);
      return !status.problem;
    } catch (error) {
      say(error.message === "Failed to fetch"
        ? "The server does not answer: start the command again" : error.message, true);
      return false;
    }
  });
}
const edit = (body, done) => act("api/edit", body, done);
async function select(id, show = true) {
  if (!unit(id)) return;
  here = id;
  drawList();
  drawBands();
  if (show) document.querySelector(".row[aria-current=true]")?.scrollIntoView({block: "nearest"});
  try { const found = await ask(`api/item/${id}`);
        if (found.id === here) { detail = found; drawItem(); drawHere(); } }
  catch (error) { say(error.message, true); }
}
const shown = () => { const word = $("filter").value.trim().toLowerCase();
  return units().filter(one => !word || [one.name, ...one.labels].join(" ").toLowerCase()
    .includes(word)); };
function step(way) {
  const all = shown(), at = all.findIndex(one => one.id === here);
  if (all.length) select(all[Math.max(0, Math.min(all.length - 1, at + way))].id);
}
function mark() {
  marked.has(here) ? marked.delete(here) : marked.add(here);
  drawList();
  say(`${marked.size} marked`);
}
function merge() {
  const of = [here, ...[...marked].filter(id => id !== here)];
  if (of.length < 2) return say("Mark others with x, then merge them into the one selected", true);
  const names = of.map(id => unit(id).name);
  edit({kind: "merge", of}, () => `Merged ${names.slice(1).join(", ")} into ${unit(here)?.name}`)
    .then(done => { if (done) { marked.clear(); drawList(); } });
}
function ask_name(of, name, what) {
  const input = el("input", {type: "text", id: "name", value: name, ariaLabel: "New name",
                             autocomplete: "off", spellcheck: false});
  const send = () => { const to = input.value.trim(); $("dialog").close();
    if (to !== name) edit({kind: "rename", of, name: to}, `Renamed ${name} to ${to || "its found name"}`); };
  input.onkeydown = event => { if (event.key === "Enter") { event.preventDefault(); send(); } };
  open(`Rename ${what} ${name}`, input,
       el("p", {className: "soft", textContent: "Letters, digits and underscores; nothing gives back the found name."}),
       buttons(el("button", {textContent: "Rename", onclick: send})));
  input.select();
}
const rename = () => here && ask_name(here, unit(here).name, here[0] === "g" ? "group" : "family");
function split() {
  if (!detail || detail.id !== here) return;
  const send = body => { $("dialog").close();
    edit({kind: "split", of: here, ...body}, () => `Split by ${body.by}`); };
  const ways = detail.splits.map((way, k) => el("button", {className: "way",
    onclick: () => send({by: way.by})}, el("kbd", {textContent: k + 1}),
    el("span", {textContent: `${way.by}: ${way.parts} parts (${way.sizes.join(" + ")}${
      way.parts > way.sizes.length ? " + ..." : ""})`}),
    el("small", {textContent: way.meaning})));
  const first = el("input", {type: "number", min: 1, max: detail.size, value: 1, ariaLabel: "From"});
  const last = el("input", {type: "number", min: 1, max: detail.size, ariaLabel: "To",
                            value: Math.max(1, Math.floor(detail.size / 2))});
  open(`Split ${detail.name}`, ...ways, ways.length ? "" : el("p", {className: "soft",
    textContent: "Its members are alike in every attribute."}),
    el("div", {className: "span"}, "Members", first, "to", last, el("button", {textContent: "Apart",
      onclick: () => send({by: "members", first: Number(first.value), last: Number(last.value)})})),
    buttons());
  $("dialog").onkeydown = event => { const at = Number(event.key) - 1;
    if (event.target.tagName !== "INPUT" && ways[at]) { event.preventDefault(); ways[at].click(); } };
}
// An index in the names: apart before its last digits, or one with the next.
function split_index(field) {
  const input = el("input", {type: "number", id: "digits", min: 1, max: 17, value: 1, ariaLabel: "Digits"});
  const send = () => { $("dialog").close();
    edit({kind: "index", of: here, place: field.place, digits: Number(input.value)},
         `Split the index ${field.letter}`); };
  input.onkeydown = event => { if (event.key === "Enter") { event.preventDefault(); send(); } };
  open(`Split the index ${field.letter}`, el("label", {}, "Digits at its end that are an index of their own ", input),
    el("p", {className: "soft", textContent: `Values: ${field.values.join(", ")}`}),
    buttons(el("button", {textContent: "Split", onclick: send})));
  input.select();
}
const join_index = field => edit({kind: "index", of: here, place: field.place},
                                 `Joined the index ${field.letter} and the next`);
function help() {
  const keys = [["j k", "next, previous"], ["r", "rename"], ["x", "mark"],
    ["m", "merge the marked into the selected one"], ["s", "split"], ["t", "edit its text"],
    ["u U", "undo, redo"], ["e", "export the instance"], ["/", "filter"],
    ["Ctrl+Enter", "store the text that is typed"], ["Esc", "leave a field"]];
  open("Keys", el("dl", {}, ...keys.flatMap(([key, what]) => [el("dt", {textContent: key}),
    el("dd", {textContent: what})])), el("p", {className: "soft",
    textContent: "Every edit is stored at once. Close the page or the command at any time."}), buttons());
}
const buttons = (...more) => el("div", {className: "chips"}, el("button", {textContent: "Cancel",
  onclick: () => $("dialog").close()}), ...more);
function open(title, ...children) {
  $("dialog").onkeydown = null;
  $("dialog").replaceChildren(el("h2", {id: "asked", textContent: title}), ...children);
  $("dialog").showModal();
}
const undo = () => act("api/undo", {}, () => `Undone; next: ${status.undo ?? "nothing"}`);
const redo = () => act("api/redo", {}, "Made again");
const save = () => act("api/export", {}, () => `Exported to ${status.exported?.text}${
  status.exported?.exact ? "; exact from disk" : "; NOT exact from disk"}`);
const show = pane => { document.body.dataset.pane = pane;
  for (const button of $("panes").children)
    button.ariaPressed = String(button.dataset.to === pane);
  if (edges) fit(); };
function write() {
  show("text");
  const part = here[0] === "g" ? "group" : "family";
  fields.get(`${part}:${here}`)?.area.focus();
}

const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
function draw() {
  const sizes = model.sizes, part = name => `${((model.shares[name] ?? 0) * 100).toFixed(1)}%`;
  document.title = `Workbench: ${model.name}`;
  $("title").textContent = model.name;
  $("sizes").textContent = `${count(sizes.columns, "column", "columns")}, ${
    count(sizes.rows, "row", "rows")}, ${count(sizes.nonzeros, "nonzero", "nonzeros")}`;
  $("shares").textContent = `by index ${part("join")}, listed ${part("list")}, compression ${
    model.compression.toFixed(1)}`;
  const exact = !model.differing.length;
  $("exact").textContent = exact ? "exact" : `not exact: ${model.differing.join(", ")}`;
  $("exact").className = `pill ${exact ? "good" : "bad"}`;
  for (const name of ["undo", "redo"]) { $(name).disabled = !status[name];
                                         $(name).title = status[name] ?? ""; }
  say(`${count(status.edits, "edit", "edits")} stored. Resembles: ${
    model.applications[0]?.sub ?? "unknown"}`);
  drawList(); drawSpy(); drawItem(); drawTexts(); drawHere();
}
function drawList() {
  const kinds = {groups: model.groups, families: model.families}, all = new Set(shown());
  const titles = {groups: "Variable groups", families: "Constraint families"};
  $("list").replaceChildren(...Object.entries(kinds).flatMap(([kind, list]) => [
    el("h3", {textContent: `${titles[kind]} (${list.length + model.more[kind]})`}),
    ...list.filter(one => all.has(one)).map(one => el("button", {className: "row",
        ariaCurrent: String(one.id === here), onclick: () => select(one.id, false),
        title: one.samples.join(" ... ")},
      el("i", {textContent: marked.has(one.id) ? "x" : "", ariaLabel: marked.has(one.id) ? "marked" : ""}),
      el("b", {textContent: one.name + (one.index.length ? `[${one.index}]` : "")}),
      el("span", {className: "size", textContent: one.size.toLocaleString("en")}),
      el("small", {textContent: one.labels.join(", ")}),
      el("small", {textContent: one.samples.join(" ... ")}))),
    model.more[kind] ? el("p", {className: "soft", textContent: `and ${model.more[kind]} more`}) : ""]));
}
function drawSpy() {
  // The picture's own style is left out: the page's colours go with it, and its policy forbids it.
  const text = model.spy.replace(/<style>[^]*?<\/style>/, "");
  const svg = document.importNode(
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const grid = svg.querySelector(".g").getAttribute("d");
  const numbers = pattern => [...grid.matchAll(pattern)].map(match => Number(match[1]));
  edges = {across: numbers(/M(\d+) 0V/g), down: numbers(/M0 (\d+)H/g),
           layer: svg.querySelector(".g").parentNode};
  svg.onclick = event => {
    const label = event.target.closest("text");
    if (label) { const name = label.lastChild.textContent;
                 return select(units().find(one => one.name === name)?.id); }
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(edges.layer.getScreenCTM().inverse());
    const at = (list, value) => list.findLastIndex(edge => edge <= value);
    const row = at(edges.down, point.y), col = at(edges.across, point.x);
    if (row >= 0 && model.families[row] && point.x >= 0) select(model.families[row].id);
    else if (row < 0 && model.groups[col]) select(model.groups[col].id);
  };
  $("spy").replaceChildren(svg);
  svg.dataset.box = svg.getAttribute("viewBox");
  fit();
  drawBands();
}
// Names are read at any width: where the picture shrinks, they grow, and its margins with them.
function fit() {
  const svg = $("spy").firstChild;
  if (!svg?.clientWidth) return;
  const [, , width, height] = svg.dataset.box.split(" ").map(Number);
  const [left, top] = edges.layer.getAttribute("transform").match(/[\d.]+/g).map(Number);
  svg.setAttribute("viewBox", svg.dataset.box);
  const size = Math.min(14, Math.max(11, 11 * width / svg.clientWidth, 11 * height / svg.clientHeight));
  const more = size / 11 - 1, x = more * left, y = more * top;
  svg.setAttribute("viewBox", `${-x} ${-y} ${width + x} ${height + y}`);
  for (const text of svg.querySelectorAll("text")) text.setAttribute("font-size", size);
}
function drawBands() {
  edges.layer.querySelector(".band")?.remove();
  const group = here[0] === "g", list = group ? edges.across : edges.down;
  const at = (group ? model.groups : model.families).findIndex(one => one.id === here);
  if (at < 0 || list.length < at + 2) return;
  const end = group ? edges.down.at(-1) : edges.across.at(-1), size = list[at + 1] - list[at];
  const box = document.createElementNS("http:/" + "/www.w3.org/2000/svg", "rect");
  const place = group ? {x: list[at], y: 0, width: size, height: end}
                      : {x: 0, y: list[at], width: end, height: size};
  for (const [name, value] of Object.entries({...place, class: "band"})) box.setAttribute(name, value);
  edges.layer.prepend(box);
}
const pairs = list => el("dl", {}, ...list.flatMap(([name, value]) => [
  el("dt", {textContent: name}), value instanceof Node ? el("dd", {}, value)
                                                       : el("dd", {textContent: value})]));
function drawItem() {
  if (!detail) return $("item").replaceChildren();
  const group = detail.id[0] === "g", one = unit(detail.id);
  const index = detail.index.map(field => [field.letter, el("span", {className: "chips"},
    `${field.set}: ${field.values.join(", ")} (${field.count})`, el("button",
      {textContent: "rename", ariaLabel: `Rename index set ${field.set}`,
       onclick: () => ask_name(field.key, field.set, "index set")}),
    field.place !== null && field.digits > 1 ? el("button", {textContent: "split",
      ariaLabel: `Split the index ${field.letter}`, onclick: () => split_index(field)}) : "",
    field.last ? "" : el("button", {textContent: "join", ariaLabel: `Join the index ${field.letter} and the next`,
      onclick: () => join_index(field)}))]);
  const meets = detail.meets.map(other => el("button", {onclick: () => select(other.id)},
    other.name, el("kbd", {textContent: other.nonzeros.toLocaleString("en")})));
  const renamed = detail.name === detail.found ? "" : `, found as ${detail.found}`;
  $("item").replaceChildren(
    el("div", {className: "chips"}, el("h2", {textContent: detail.name}),
      ...(one?.labels ?? []).map(textContent => el("span", {className: "tag", textContent}))),
    el("p", {className: "soft", textContent: `${group
      ? count(detail.size, "variable", "variables") : count(detail.size, "constraint", "constraints")
      }, written as ${detail.spelled}${renamed}: ${detail.samples.join(", ")}`}),
    el("div", {className: "chips"},
      ...[["Rename", "r", rename], ["Mark", "x", mark], ["Merge", "m", merge], ["Split", "s", split],
          ["Text", "t", write]].map(([name, key, onclick]) =>
        el("button", {onclick, id: `do-${key}`}, name, el("kbd", {textContent: key})))),
    el("h3", {textContent: group ? "Domain" : "Constraint"}), el("pre", {textContent: detail.formula}),
    el("h3", {textContent: "Index"}), index.length ? pairs(index)
      : el("p", {className: "soft", textContent: "None: one member."}),
    el("h3", {textContent: "Attributes"}), pairs(detail.attributes),
    el("h3", {textContent: group ? "Stands in" : "Speaks of"}), el("div", {className: "chips"}, ...meets),
    detail.evidence.length ? el("h3", {textContent: "Why these labels"}) : "", pairs(detail.evidence));
}

// The fields stay while the page is drawn anew: nobody loses what is being typed.
const fields = new Map();
function field(part, of, name, text, edited) {
  const key = `${part}:${of}`;
  let one = fields.get(key);
  if (!one) {
    const area = el("textarea", {spellcheck: true}), head = el("b"), mark = el("em");
    one = {key, area, head, mark, node: el("label", {}, el("span", {}, head, mark), area)};
    area.oninput = () => { one.dirty = true; one.mark.textContent = "not stored yet";
                           keepDraft(key, area.value); if (part === "whole") check(area.value); };
    area.onblur = () => store(one);
    area.onfocus = () => { if (["group", "family"].includes(part) && of !== here && unit(of)) select(of); };
    one.send = () => edit({kind: "clause", part, of, text: area.value.trim() || null},
                          `Stored the text of ${one.head.textContent}`);
    fields.set(key, one);
    const draft = drafts()[key];
    if (draft !== undefined) { area.value = draft; one.dirty = true; }
  }
  one.area.ariaLabel = `Text of ${name}`;
  one.head.textContent = name;
  one.mark.textContent = one.dirty ? "not stored yet" : edited ? "edited" : "";
  one.told = text;
  if (!one.dirty) one.area.value = text;
  return one;
}
async function store(one) {
  if (!one.dirty) return;
  const sent = one.area.value;
  if (sent.trim() === one.told) { one.dirty = false; keepDraft(one.key, null); return drawTexts(); }
  if (await one.send() && one.area.value === sent) {
    one.dirty = false;
    keepDraft(one.key, null);
    drawTexts();
  }
}
function drawTexts() {
  const it = model.blueprint, titles = {set: "Sets", parameter: "Data", group: "Decisions", family: "Rules"};
  $("scenario").replaceChildren(el("option", {value: "", textContent: "none"}),
    ...it.scenarios.map(name => el("option", {value: name, textContent: name})));
  $("scenario").value = it.chosen;
  const story = field("story", "", "Story", it.story, it.edited.includes("story"));
  const goal = field("objective", "", "Objective", it.objective, it.edited.includes("objective"));
  const whole = field("whole", "", "In other words", it.retold, Boolean(it.retold));
  if (whole.node.parentNode !== $("retelling")) $("retelling").prepend(whole.node);
  const list = [story.node, goal.node], used = new Set([story.key, goal.key, whole.key]);
  let last = "";
  for (const one of it.items) {
    if (one.part !== last) list.push(el("h3", {textContent: titles[last = one.part]}));
    const made = field(one.part, one.of, one.label, one.text, one.edited);
    used.add(made.key);
    list.push(made.node);
  }
  for (const key of fields.keys()) if (!used.has(key)) fields.delete(key);
  const focused = document.activeElement, range = [focused.selectionStart, focused.selectionEnd];
  const old = [...$("texts").children];
  if (old.length !== list.length || old.some((node, k) => node !== list[k] && node.tagName !== "H3")) {
    $("texts").replaceChildren(...list);
    if (focused.tagName === "TEXTAREA" && focused.isConnected) {
      focused.focus();
      focused.setSelectionRange(...range);
    }
  }
  $("faults").replaceChildren(
    ...it.faults.map(textContent => el("p", {className: "fault", textContent})),
    ...model.notes.map(textContent => el("p", {className: "note", textContent})));
  $("said").textContent = it.retold || it.text;
  drawSuggestions();
}
function drawSuggestions() {
  $("suggested").hidden = !model.suggestions.length;
  $("suggestions").replaceChildren(...model.suggestions.map(one => el("button", {className: "way",
    onclick: () => edit(one.edit, `Done: ${one.says}`)},
    el("span", {textContent: one.says}), el("small", {textContent: one.why}))));
}
// A text in other words is checked while it is typed; what it lacks is said, and kept off the export.
let checking = 0;
async function check(text) {
  const mine = ++checking;
  await pause(300);
  if (mine !== checking) return;
  try {
    const found = text.trim() ? (await ask("api/check", {text})).missing : [];
    if (mine === checking) drawLacking(text, found);
  } catch (error) { say(error.message, true); }
}
function drawLacking(text, found) {
  $("lacking").replaceChildren(...(found.length ? found : text.trim() ? ["Nothing is missing"] : []).map(
    textContent => el("p", {className: found.length ? "fault" : "note", textContent})));
}
function drawHere() {
  for (const [key, one] of fields) one.node.className = key.endsWith(`:${here}`) ? "here" : "";
  if (!$("texts").contains(document.activeElement))
    document.querySelector("aside label.here")?.scrollIntoView({block: "nearest"});
}

const actions = {j: () => step(1), k: () => step(-1), r: rename, x: mark, m: merge, s: split,
  t: write, u: undo, U: redo, e: save, "?": help, "/": () => $("filter").focus()};
document.addEventListener("keydown", event => {
  if (!model?.ready || $("dialog").open) return;
  const typing = ["TEXTAREA", "INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === "Escape" && typing) return event.target.blur();
  if (event.key === "Enter" && event.target.tagName === "TEXTAREA" && (event.ctrlKey || event.metaKey))
    return event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
});
for (const [id, run] of Object.entries({undo, redo, export: save, help})) $(id).onclick = run;
$("filter").oninput = drawList;
$("scenario").onchange = event => edit({kind: "scenario", name: event.target.value}, "Another scenario");
addEventListener("resize", fit);
for (const button of $("panes").children) button.onclick = () => show(button.dataset.to);
show("list");
chain = load().catch(error => say(error.message, true));
