// Searching the book. The build writes the book's sections before this text (book/theme/search.py): a section is
// [page, place, titles of page and section, text, whether it is a function of dp_lib].
globalThis.bookSearch = ((sections) => {
  "use strict";
  const MOST = 30; // results shown
  const { make, wordPattern, wordsOf } = globalThis.book;
  const root = document.documentElement.dataset.content_root;

  // Titles count most, then words side by side, then how often; functions of dp_lib come after what explains them.
  function score([, place, titles, text, isFunction], words, phrase) {
    const title = titles.at(-1);
    let sum = isFunction ? -12 : place ? 0 : 4;
    for (const word of words) {
      const [inTitle, inPage] = [word.test(title), word.test(titles[0])];
      const count = [...text.matchAll(new RegExp(word, "giu"))].length;
      if (!inTitle && !inPage && !count) return null;
      sum += (inTitle ? 10 : 0) + (inPage ? 3 : 0) + Math.log2(1 + count);
    }
    return sum + (phrase.test(title) ? 12 : 0) + (phrase.test(text) ? 4 : 0);
  }

  function find(query) {
    const patterns = wordsOf(query).map(wordPattern);
    if (!patterns.length) return [];
    const words = patterns.map((pattern) => new RegExp(pattern, "iu"));
    const phrase = new RegExp(patterns.join("[\\s\\p{P}]+"), "iu");
    const scored = sections.map((section) => [score(section, words, phrase), section]);
    return scored
      .filter(([sum]) => sum !== null)
      .sort(([one], [other]) => other - one)
      .map(([, section]) => section);
  }

  // The text around the first match of the rarest word, with every match marked.
  function excerpt(text, query) {
    const patterns = wordsOf(query).map(wordPattern);
    const pattern = new RegExp(patterns.join("|"), "giu");
    const matches = patterns.map((one) => [...text.matchAll(new RegExp(one, "giu"))]).filter((found) => found.length);
    const at = matches.sort((one, other) => one.length - other.length)[0]?.[0].index ?? 0;
    const start = at > 70 ? text.indexOf(" ", at - 60) + 1 : 0;
    const shown = text.slice(start, start + 190);
    const line = make("p", start ? "… " : "");
    let end = 0;
    for (const match of shown.matchAll(pattern)) {
      line.append(shown.slice(end, match.index), make("mark", match[0]));
      end = match.index + match[0].length;
    }
    line.append(
      shown.slice(end, shown.lastIndexOf(" ") > end ? shown.lastIndexOf(" ") : undefined),
      start + 190 < text.length ? " …" : "",
    );
    return line;
  }

  function result([page, place, titles, text], query) {
    const item = make("li", "");
    const link = make("a", "");
    link.href = `${root}${page}.html?find=${encodeURIComponent(query)}${place ? `#${place}` : ""}`;
    link.append(
      make("strong", titles.at(-1)),
      ...(titles.length > 1 ? [make("span", titles[0])] : []),
      excerpt(text, query),
    );
    item.append(link);
    return item;
  }

  function open(host, query = "") {
    if (!host.firstChild) {
      const field = make("input", "");
      Object.assign(field, {
        type: "search",
        name: "q",
        placeholder: "Words, or a symbol: σ",
        ariaLabel: "Search this book",
        autocomplete: "off",
      });
      const said = make("p", "", "said");
      said.role = "status";
      const list = make("ol", "");
      list.id = "search-results";
      const show = () => {
        const found = find(field.value);
        list.replaceChildren(...found.slice(0, MOST).map((section) => result(section, field.value)));
        const more = found.length > MOST ? `, the first ${MOST} of them here` : "";
        said.textContent = field.value.trim()
          ? `${found.length || "No"} place${found.length === 1 ? "" : "s"}${more}`
          : "";
      };
      field.addEventListener("input", show);
      field.addEventListener("keydown", (event) => event.key === "Enter" && list.querySelector("a")?.click());
      list.addEventListener("click", () => host.close?.()); // the place may be on this page
      host.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const stops = [field, ...list.querySelectorAll("a")];
        stops[stops.indexOf(document.activeElement) + step]?.focus();
      });
      host.addEventListener("click", (event) => event.target === host && host.close?.());
      host.append(field, said, list);
      field.value = query;
      show();
    }
    const field = host.querySelector("input");
    field.focus();
    field.select();
  }

  return { find, open };
})(globalThis.bookSections);
