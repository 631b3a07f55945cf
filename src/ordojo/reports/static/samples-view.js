"use strict";
// Draws one sample. Texts of models are hostile: they only ever become text nodes.
self.OrdojoView = (() => {
  const LONG = 20000;
  const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
  const SHOWN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[ \t\n\u00a0]/gu;
  const NAMES = { correct: "correct", partial: "partly correct", wrong: "wrong", unparsed: "unparsed", unsupported: "unsupported", unscored: "unscored", error: "failed" };
  const SIGNS = { correct: "✓", partial: "◐", wrong: "✕", unparsed: "?", unsupported: "⊘", unscored: "○", error: "!" };

  const make = (name, options = {}, ...children) => {
    const { cls, text, ...attributes } = options;
    const node = document.createElement(name);
    if (cls) node.className = cls;
    if (text !== undefined) node.textContent = text;
    for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null));
    return node;
  };
  const number = (value, places = 3) => value === null || value === undefined ? "–"
    : Number.isInteger(value) ? value.toLocaleString("en").replace("-", "−")
      : value.toFixed(places).replace("-", "−");
  const badge = (outcome) => make("span", { cls: `badge ${outcome}` },
    make("i", { text: SIGNS[outcome] ?? "·", "aria-hidden": "true" }), NAMES[outcome] ?? outcome);

  const visible = (text) => {
    const out = document.createDocumentFragment();
    let from = 0;
    for (const found of text.matchAll(SHOWN)) {
      out.append(text.slice(from, found.index));
      const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      const sign = { " ": "·", "\t": "→\t", "\n": "↵\n", "\u00a0": "⍽" }[found[0]] ?? `U+${code}`;
      out.append(make("span", { cls: sign.startsWith("U+") ? "ws code" : "ws", text: sign }));
      from = found.index + found[0].length;
    }
    out.append(text.slice(from));
    return out;
  };

  // A text, exactly; long ones open on demand.
  const exact = (text, whitespace, cls = "") => {
    const pre = make("pre", { cls: `exact ${cls}`, dir: "auto" });
    const fill = (part) => pre.replaceChildren(whitespace ? visible(part) : part);
    fill(text.slice(0, LONG));
    const holder = make("div", { cls: "text" }, pre);
    if (text === "") pre.replaceChildren(make("span", { cls: "nothing", text: "empty" }));
    if (text.length > LONG) {
      const button = make("button", { type: "button", cls: "all", text: `Show all ${number(text.length)} characters` });
      button.addEventListener("click", () => { fill(text); button.remove(); });
      holder.append(button);
    }
    const hidden = (text.slice(0, 200000).match(HIDDEN) ?? []).length;
    if (hidden && !whitespace) holder.append(make("p", { cls: "hint", text: `${number(hidden)} invisible ${hidden === 1 ? "character" : "characters"}; press w to see` }));
    return holder;
  };

  const sentence = (text) => {
    const told = text.trim();
    return told && told[0].toUpperCase() + told.slice(1) + (/[.!?]$/.test(told) ? "" : ".");
  };
  const plain = (value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const json = (value) => typeof value === "string" ? value
    : Array.isArray(value) && value.every(plain) ? value.join("\n") : JSON.stringify(value, null, 1);
  const inline = (value) => value === null || value === undefined ? "–"
    : plain(value) ? String(value)
      : Array.isArray(value) && value.every(plain) ? value.join(", ")
        : !Array.isArray(value) && Object.values(value).every(plain)
          ? Object.entries(value).filter(([, found]) => found !== false).map(([key, found]) => `${key} ${found}`).join(", ") : JSON.stringify(value);
  const cell = (value) => {
    const text = inline(value);
    return text.length > 120 || text.includes("\n")
      ? make("td", {}, make("pre", { cls: "exact small", dir: "auto", text: text.slice(0, LONG) }))
      : make("td", {}, make("bdi", { text }));
  };

  const reason = ({ outcome, reason: said }, gold) => sentence(said.replace(`${outcome}: `, ""))
    || (outcome === "wrong" && gold !== null ? `The right answer is ${inline(gold)}.` : "–");
  // Rules that say the same stand in one row; what was measured is said once.
  const verdicts = (record, headline) => {
    const names = Object.keys(record.verdicts).sort((a, b) => (b === headline) - (a === headline) || (a < b ? -1 : 1));
    if (!names.length) return null;
    const groups = new Map();
    for (const name of names) {
      const { outcome, score, answer, reason } = record.verdicts[name];
      const key = JSON.stringify([outcome, score, answer, reason]);
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    const rows = [...groups.values()].map((same) => {
      const found = record.verdicts[same[0]];
      return make("tr", { cls: same.includes(headline) ? "own" : "" },
        make("th", { scope: "row" }, ...same.map((name) => make("span", { cls: name === headline ? "rule headline" : "rule", text: name }))),
        make("td", {}, badge(found.outcome)), make("td", { cls: "num", text: number(found.score), "data-title": "score" }), cell(found.answer),
        make("td", { cls: "reason", text: reason(found, record.gold) }));
    });
    const head = ["Rule", "Verdict", "Score", "Answer as read", "Reason"].map((text, place) => make("th", { scope: "col", text, cls: place === 2 ? "num" : "" }));
    return make("div", { cls: "scroll", tabindex: "0", role: "group", "aria-label": "Verdicts" },
      make("table", { cls: "data verdicts" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
  };

  const measures = (record) => {
    const found = new Map();
    for (const [rule, verdict] of Object.entries(record.verdicts)) {
      for (const [name, value] of Object.entries(verdict.metrics ?? {})) {
        const values = found.get(name) ?? new Map();
        values.set(value, [...(values.get(value) ?? []), rule]);
        found.set(name, values);
      }
    }
    if (!found.size) return null;
    const facts = [...found].flatMap(([name, values]) => [...values].map(([value, rules]) =>
      fact(name.replaceAll("_", " ") + (values.size > 1 ? ` (${rules.join(", ")})` : ""), number(value))));
    return make("details", { cls: "measures" }, make("summary", { text: "Measures" }), make("dl", { cls: "facts-grid" }, ...facts));
  };

  // The benchmark's own telling: a text, and figures that the report drew, every text in them escaped.
  const story = ({ said, html } = {}) => {
    if (!said) return null;
    const drawn = make("template");
    drawn.innerHTML = html;
    return make("section", { cls: "story", "aria-label": "What happened" }, make("p", { cls: "told", text: said }), drawn.content);
  };

  const CUT = ["max_tokens", "model_length"];
  const ended = (item) => {
    const cut = CUT.includes(item.stop) && item.max_tokens !== 1;
    const words = cut ? `cut at the token limit${item.max_tokens ? ` of ${number(item.max_tokens)}` : ""}`
      : item.stop === "content_filter" ? "refused (content filter)"
      : item.stop === "unknown" ? "the provider did not say why it ended"
      : item.stop && !item.reply.trim() ? "empty" : "";
    return words ? make("p", { cls: "note" }, make("span", { cls: "flag", text: words })) : null;
  };

  const turn = (item, index, many, whitespace) => {
    const parts = item.messages.map(([role, content]) => make("section", { cls: `said ${role}` },
      make("h3", { text: item.style === "completion" ? "raw prompt" : role }), exact(content, whitespace)));
    parts.push(make("section", { cls: "said reply" }, make("h3", { text: "reply" }), ended(item), exact(item.reply, whitespace)));
    const info = Object.keys(item.info ?? {}).length
      ? make("details", { cls: "info" }, make("summary", { text: "What the environment noted" }), exact(json(item.info), whitespace, "small")) : null;
    const head = many ? make("h2", { cls: "turn-head" }, `Turn ${index + 1}`, make("small", { text: `reward ${number(item.reward)}` })) : null;
    return make("div", { cls: "turn" }, head, ...parts, info);
  };

  const fact = (name, value) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }));

  const render = (record, { rule, whitespace, labels }) => {
    const outcome = record.error ? "error" : record.verdicts[rule]?.outcome ?? "unscored";
    const reward = record.turns.reduce((sum, item) => sum + item.reward, 0);
    const usage = record.usage;
    const facts = [fact("reward", number(reward)), fact("turns", number(record.turns.length)),
      usage.input_tokens ? fact("tokens in", number(usage.input_tokens)) : null, usage.output_tokens ? fact("tokens out", number(usage.output_tokens)) : null,
      usage.cached_tokens ? fact("cached", number(usage.cached_tokens)) : null,
      fact("seconds", number(record.seconds, 2)), usage.cost ? fact("cost", `$${usage.cost.toFixed(4)}`) : null];
    const tags = Object.entries(record.labels).map(([key, value]) => make("span", { cls: "label" }, make("small", { text: key }), make("bdi", { text: value })));
    return [
      make("header", { cls: "sample-head" },
        make("div", { cls: "title" }, make("h2", {}, make("bdi", { text: record.id }), record.epoch > 1 ? make("small", { text: ` epoch ${record.epoch}` }) : null), badge(outcome), record.truncated ? make("span", { cls: "flag", text: "cut off by a limit" }) : null),
        tags.length ? make("div", { cls: "labels" }, ...tags) : null,
        make("dl", { cls: "facts-line" }, ...facts.filter(Boolean))),
      record.error ? make("section", { cls: "said failure" }, make("h3", { text: "error" }), exact(record.traceback || record.error, whitespace)) : null,
      story(record.story),
      verdicts(record, rule),
      measures(record),
      make("section", { cls: "said gold" }, make("h3", { text: "ground truth" }), exact(json(record.gold) ?? "", whitespace)),
      ...record.turns.map((item, index) => turn(item, index, record.turns.length > 1, whitespace)),
      make("p", { cls: "hash", text: `content ${record.content_hash}${record.cluster ? `, cluster ${record.cluster}` : ""}` }),
    ].filter(Boolean);
  };

  const words = (record) => [record.id, record.error, record.story?.said ?? "", json(record.gold) ?? "",
    ...record.turns.flatMap((item) => [item.reply, ...item.messages.map(([, content]) => content)]),
    ...Object.values(record.verdicts).flatMap((found) => [found.reason, inline(found.answer)])];

  return { make, badge, render, words, number, NAMES, SIGNS };
})();
