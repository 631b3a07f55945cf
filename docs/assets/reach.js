"use strict";
// What scrolls can be reached by the keyboard, and the search dialog has a name.
addEventListener("DOMContentLoaded", () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const box of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) box.tabIndex = 0;
});
