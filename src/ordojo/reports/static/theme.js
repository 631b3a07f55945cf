"use strict";
// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const root = document.documentElement;
  const read = () => { try { return localStorage.getItem("ordojo-theme"); } catch { return null; } };
  const keep = (value) => { try { localStorage.setItem("ordojo-theme", value); } catch { /* private mode */ } };
  const chosen = read();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  root.classList.add("js");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.theme");
    const name = () => {
      button.setAttribute("aria-label", dark() ? "Use the light theme" : "Use the dark theme");
      button.querySelector(".word").textContent = dark() ? "Light" : "Dark";
    };
    button.hidden = false;
    name();
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      keep(root.dataset.theme);
      name();
    });
  });
})();
