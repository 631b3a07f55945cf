let queue, states, latest, at = 0, unit = 0, mode = "read", pending = null, drafts = {};
const item = () => queue.items[at];
const state = () => states[item().id];
const final = id => Boolean(states[id]?.final);
const key = name => `ordojo-review/${queue.hash}/${queue.reviewer}/${name}`;
const keep = (name, value) => value ? localStorage.setItem(key(name), JSON.stringify(value))
                                    : localStorage.removeItem(key(name));
const kept = name => JSON.parse(localStorage.getItem(key(name)) ?? "null");
const ownComment = () => state()?.kind === "label" && state().reviewer === queue.reviewer
  ? state().comment : "";
const marks = () => state()?.kind === "label" ? [...state().parts, state().label]
                                             : Array(item().parts.length + 1).fill("");

async function load() {
  const answer = await fetch("api/queue");
  if (!answer.ok) throw Error((await answer.json()).error);
  queue = await answer.json();
  ({states, latest} = queue);
  drafts = kept("drafts") ?? {};
  document.title = `Review: ${queue.title}`;
  $("title").textContent = queue.title;
  $("reviewer").textContent = queue.reviewer;
  undecided(0);
  const unsent = kept("pending");       // the server died before it could answer
  if (unsent && await send(unsent)) undecided(0);
}

// A decision counts once the server has stored it; until then it is kept here and sent again.
async function send(decision) {
  pending = decision;
  keep("pending", decision);
  draw();
  say("Saving");
  for (;;) {
    try {
      const answer = await fetch("api/decide", {method: "POST", body: JSON.stringify(decision),
                                                headers: {"Content-Type": "application/json"}});
      const reply = await answer.json();
      if (answer.status === 400) { done(); say(reply.error, true); draw(); return false; }
      if (answer.status === 403) return say("The server was started anew: " + reply.error, true);
      if (!answer.ok) throw Error(reply.error);
      states[decision.item] = reply.state;
      latest = reply.latest;
      done();
      say("Saved");
      return true;
    } catch (error) {
      say(`Not saved yet, trying again (${error.message})`, true);
      await new Promise(resolve => setTimeout(resolve, 1500));
    }
  }
  function done() { pending = null; keep("pending", null); }
}
async function decide(kind, more = {}, move = true) {
  if (pending) return;
  const id = item().id;
  if (!await send({item: id, kind, ...more})) return;
  delete drafts[id];
  keep("drafts", drafts);
  mode = "read";
  if (move && final(id)) undecided(at + 1); else go(at);
}

function go(index) {
  const before = at;
  at = Math.max(0, Math.min(index, queue.items.length - 1));
  mode = drafts[item().id] ? "edit" : "read";
  unit = Math.max(0, marks().indexOf(""));
  draw();
  if (at !== before) $("main").scrollTop = 0;
  else document.querySelector(".unit.here")?.scrollIntoView({block: "nearest"});
}
function undecided(start) {
  const count = queue.items.length;
  for (let k = 0; k < count; k++)
    if (!final(queue.items[(start + k) % count].id)) return go((start + k) % count);
  go(start);
}
const shown = entry => ({all: true, undecided: !final(entry.id),
                         rejected: states[entry.id]?.kind === "reject"})[$("filter").value];
function step(way) {
  for (let i = at + way; i >= 0 && i < queue.items.length; i += way)
    if (shown(queue.items[i])) return go(i);
}

const accept = () => !item().labels.length &&
  decide("edit", {fields: state()?.fields ?? {}});      // unchanged: stored as an acceptance
function edit() { if (item().editable.length && !pending) { mode = "edit"; draw();
                    document.querySelector("textarea")?.focus(); } }
function cancel() { delete drafts[item().id]; keep("drafts", drafts); mode = "read"; draw(); }
function saveEdit() {
  const {Comment: comment, ...fields} = Object.fromEntries(
    [...document.querySelectorAll("textarea")].map(area => [area.name, area.value]));
  if (!item().labels.length) return decide("edit", {fields});
  const all = marks();
  decide("label", {label: all.pop(), parts: all, fields, comment}, false);
}
function rejecting() { if (!pending) { mode = mode === "reject" ? "read" : "reject"; draw(); } }
function reject(reason) {
  const comment = $("comment").value.trim();
  if (reason === "other" && !comment) { say("Say why, then choose 'other'", true);
                                        return $("comment").focus(); }
  decide("reject", {reason, comment});
}
async function undo() {
  const target = state() ? item().id : latest;
  if (!target || pending) return say("There is no decision of yours to undo");
  at = queue.items.findIndex(entry => entry.id === target);
  await decide("reopen", {}, false);
}
function label(name) {
  if (pending) return;
  const all = marks();
  all[unit] = name;
  const fields = state()?.kind === "label" ? state().fields : {};
  decide("label", {label: all.pop(), parts: all, fields, comment: ownComment()});
}

function turn(way) {
  unit = (unit + way + marks().length) % marks().length;
  draw();
  document.querySelector(".unit.here")?.scrollIntoView({block: "nearest"});
}

function editView(name, text) {
  const value = drafts[item().id]?.[name] ?? text;
  const area = el("textarea", {name, value, ariaLabel: name});
  area.oninput = () => { (drafts[item().id] ??= {})[name] = area.value; keep("drafts", drafts); };
  return el("div", {className: "field"}, el("h3", {textContent: name}), area);
}
function fieldView(name) {
  const original = item().fields[name], text = state()?.fields?.[name] ?? original;
  if (mode === "edit" && item().editable.includes(name)) return editView(name, text);
  const head = el("h3", {textContent: name + " "});
  const body = el("div", {}, el("p", {textContent: text}));
  if (text !== original) {
    head.append(el("em", {textContent: "edited"}));
    body.append(el("del", {textContent: original}));
  }
  return el("div", {className: "field"}, head, body);
}
function unitView(text, index) {
  const chips = item().labels.map((name, i) => el("button", {
    ariaPressed: String(marks()[index] === name), className: i ? "" : "good",
    onclick: () => { unit = index; label(name); }},
    name, index === unit ? el("kbd", {textContent: i + 1}) : ""));
  return el("section", {className: "unit" + (index === unit ? " here" : ""),
                        onclick: event => { if (event.target.tagName !== "BUTTON")
                                              { unit = index; draw(); } }},
            el("h3", {textContent: index < item().parts.length ? `Part ${index + 1}` : "Whole"}),
            el("p", {textContent: text}), el("div", {className: "chips"}, ...chips));
}
function rejectView() {
  const reasons = queue.reasons.map((reason, i) => el("button", {onclick: () => reject(reason)},
    reason, el("kbd", {textContent: i + 1})));
  const comment = el("input", {id: "comment", size: 50, placeholder: "Comment",
                               ariaLabel: "Comment"});
  return el("section", {}, el("h3", {textContent: "Reject because"}),
            el("div", {className: "chips"}, ...reasons), el("div", {className: "chips"}, comment));
}
function draw() {
  const decided = queue.items.filter(entry => final(entry.id)).length;
  $("bar").max = queue.items.length;
  $("bar").value = decided;
  $("count").textContent = `${decided} of ${queue.items.length} decided`;
  $("list").replaceChildren(...queue.items.flatMap((entry, i) => shown(entry) ? [el("button",
    {onclick: () => go(i), ariaCurrent: String(i === at), title: entry.title},
    el("i", {className: final(entry.id) ? states[entry.id].kind : states[entry.id] && "begun"}),
    el("span", {textContent: entry.title}))] : []));
  const it = item(), now = state(), labelled = it.labels.length > 0, view = [];
  view.push(el("h2", {textContent: it.title}));
  view.push(...it.notes.map(note => el("section", {className: "note", textContent: note})));
  if (now && now.kind !== "label") view.push(el("section", {className: "said " + now.kind,
    textContent: [`${now.kind} by ${now.reviewer}`, now.reason, now.comment]
      .filter(Boolean).join(": ")}));
  else if (it.editable.length && now?.comment) view.push(el("section", {className: "said",
    textContent: `${now.reviewer}: ${now.comment}`}));
  if (mode === "reject") view.push(rejectView());
  view.push(el("section", {}, ...Object.keys(it.fields).map(fieldView),
    ...(labelled && mode === "edit" ? [editView("Comment", ownComment())] : [])));
  if (labelled) view.push(...[...it.parts, "All of it"].map(unitView));
  $("main").replaceChildren(...view);
  const editing = mode === "edit";
  $("accept").hidden = labelled || editing;
  $("edit").hidden = editing || !it.editable.length;
  $("reject").hidden = $("undo").hidden = editing;
  $("save").hidden = $("cancel").hidden = !editing;
  $("hint").textContent = labelled ? "digits label, j/k next part" : "";
  for (const id of ["accept", "edit", "reject", "save", "undo"]) $(id).disabled = Boolean(pending);
}

const actions = {a: accept, e: edit, r: rejecting, u: undo, n: () => step(1), p: () => step(-1),
  j: () => turn(1), k: () => turn(-1),
  q: () => say("Everything is saved: this page can be closed")};
document.addEventListener("keydown", event => {
  if (!queue) return;
  const typing = ["TEXTAREA", "INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === "Escape") { typing && event.target.blur();
    return mode === "edit" ? cancel() : (mode = "read", draw()); }
  if (event.key === "Enter" && event.target.id === "comment") return event.target.blur();
  if (mode === "edit" && event.key === "Enter" && (event.ctrlKey || event.metaKey))
    return saveEdit();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = Number(event.key) - 1;
  if (mode === "reject" && digit in queue.reasons) reject(queue.reasons[digit]);
  else if (digit in item().labels) label(item().labels[digit]);
  else if (mode === "edit" && !"npq".includes(event.key)) return;
  else if (Object.hasOwn(actions, event.key)) actions[event.key]();
  else return;
  event.preventDefault();
});
for (const [id, name] of Object.entries({accept: "a", edit: "e", reject: "r", undo: "u",
                                         previous: "p", next: "n"}))
  $(id).onclick = () => actions[name]();
$("save").onclick = saveEdit;
$("cancel").onclick = cancel;
$("filter").onchange = () => { draw(); $("filter").blur(); };
addEventListener("beforeunload", event => { if (pending) event.preventDefault(); });
load().catch(error => say(error.message, true));
