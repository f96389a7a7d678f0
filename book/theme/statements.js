// A statement in a sheet at the foot of the window. The build writes the book's statements before this text
// (book/theme/statements.py).
"use strict";

globalThis.bookSheet = ((statements) => {
  const { make, button } = globalThis.book;
  const root = new URL("..", document.currentScript.src).href;
  const sheet = make("div", "", "sheet");
  const place = make("div", "");
  const there = make("a", "Go there", "there");
  const close = button("×", "Close", () => sheet.hidePopover());
  Object.assign(sheet, { id: "sheet", popover: "auto", role: "dialog", tabIndex: -1 });
  there.addEventListener("click", () => sheet.hidePopover()); // the place may be on this page
  sheet.append(close, place, there);
  document.body.append(sheet);

  // Whether the book has what a link names.
  function show(link) {
    const href = link.href.replace(/\?[^#]*/, "");
    const text = statements[href.replace(root, "")];
    if (!text) return false;
    place.innerHTML = text;
    for (const inner of place.querySelectorAll("a[href]")) inner.href = new URL(inner.getAttribute("href"), href); // its page's
    there.href = link.href;
    sheet.ariaLabel = link.textContent;
    sheet.showPopover();
    sheet.focus();
    return true;
  }

  return { show };
})(globalThis.bookStatements);
