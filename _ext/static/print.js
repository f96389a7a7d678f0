// Paper: before a page is printed, folded parts are opened, solutions are gathered at its end, and the addresses of its
// links become footnotes. Afterwards everything is as it was.
(() => {
  "use strict";
  let undo = [];

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  const put = (parent, child) => {
    parent.append(child);
    undo.push(() => child.remove());
    return child;
  };

  // The code that draws a figure stays out of the way, as on the screen.
  const unfold = (article) => {
    for (const details of article.querySelectorAll("details:not([open], .hide)")) {
      details.open = true;
      undo.push(() => (details.open = false));
    }
    for (const folded of article.querySelectorAll(".toggle-hidden")) {
      folded.classList.remove("toggle-hidden");
      undo.push(() => folded.classList.add("toggle-hidden"));
    }
  };

  const gatherSolutions = (article) => {
    const solutions = [...article.querySelectorAll(".solution.admonition")];
    if (!solutions.length) return;
    const section = put(article, make("section", "", "print-only"));
    section.append(make("h2", "Solutions"));
    for (const solution of solutions) {
      const place = document.createComment("a solution");
      solution.replaceWith(place);
      section.append(solution);
      undo.push(() => place.replaceWith(solution));
    }
  };

  const noteLinks = (article) => {
    const addresses = [];
    for (const link of article.querySelectorAll("a.external[href]")) {
      if (!addresses.includes(link.href)) addresses.push(link.href);
      const number = make("sup", addresses.indexOf(link.href) + 1, "print-only");
      link.after(number);
      undo.push(() => number.remove());
    }
    if (!addresses.length) return;
    const section = put(article, make("section", "", "print-only print-links"));
    section.append(make("h2", "Links"));
    const list = make("ol", "");
    list.append(...addresses.map((address) => make("li", decodeURI(address))));
    section.append(list);
  };

  // Dark text on white paper, whatever the screen shows.
  const lighten = (root) => {
    const { theme } = root.dataset;
    root.dataset.theme = "light";
    undo.push(() => (root.dataset.theme = theme));
  };

  const prepare = () => {
    const article = document.querySelector("article.bd-article");
    if (!article || undo.length) return;
    lighten(document.documentElement);
    gatherSolutions(article);
    unfold(article);
    noteLinks(article);
  };

  const restore = () => {
    for (const step of undo.reverse()) step();
    undo = [];
  };

  window.addEventListener("beforeprint", prepare);
  window.addEventListener("afterprint", restore);
})();
