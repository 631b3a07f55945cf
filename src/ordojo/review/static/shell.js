const $ = id => document.getElementById(id);
const el = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};
const say = (text, bad = false) => { $("status").textContent = text;
                                     $("status").className = bad ? "bad" : "soft"; };
