// Searching the book. The build writes the book's sections before this text (book/theme/search.py): a section is
// [page, place, titles of page and section, text, by how much it comes before others].
globalThis.bookSearch = ((sections) => {
  "use strict";
  const MOST = 30; // results shown
  const { make, button, wordPattern, wordsOf } = globalThis.book;
  const root = document.documentElement.dataset.content_root;
  // What stands above or below the line in a formula: e^ε, ℓ_1, e^(-ε k), and no name of a function such as noise_scale.
  const SCRIPT = /(?:\^|(?<!\p{L}\p{L})_)(?:\(((?:[^()]|\([^()]*\))*)\)|(\d+|[\p{L}∞](?![\p{L}\d])))/gu;

  // Titles count most, then words side by side, then how often.
  function score([, place, titles, text, sooner], words, phrase) {
    const title = titles.at(-1);
    let sum = sooner;
    for (const word of words) {
      const [inTitle, inPage] = [word.test(title), word.test(titles[0])];
      const count = [...text.matchAll(new RegExp(word, "giu"))].length;
      if (!inTitle && !inPage && !count) return null;
      sum += (inTitle ? 10 : 0) + (inPage ? 3 : 0) + Math.log2(1 + count);
    }
    const begins = phrase.test(
      title
        .replace(/^\w+ \d+: /, "")
        .split(" ", words.length)
        .join(" "),
    );
    const isChapter = place === "" && phrase.test(title);
    return sum + (isChapter ? 20 : 0) + (begins ? 6 : 0) + (phrase.test(title) ? 12 : 0) + (phrase.test(text) ? 4 : 0);
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

  // ---- a word that is nowhere in the book: the nearest of the titles' words, as "Laplace" is to "laplase"

  let known;
  const knownWords = () =>
    (known ??= new Map(
      sections
        .flatMap(([, , titles]) => titles.at(-1).match(/\p{L}{4,}/gu) ?? [])
        .map((word) => [word.toLowerCase(), word]),
    ));

  // How many letters have to be changed, added or left out.
  function distance(one, other) {
    let row = [...other, ""].map((_, i) => i);
    for (const [i, letter] of [...one].entries()) {
      const next = [i + 1];
      for (let j = 0; j < other.length; j++)
        next.push(Math.min(row[j] + Number(letter !== other[j]), row[j + 1] + 1, next[j] + 1));
      row = next;
    }
    return row.at(-1);
  }

  function nearest(word) {
    const near = [...knownWords().keys()].map((other) => [distance(word, other), other]);
    const [changes, found] = near.reduce((best, one) => (one[0] < best[0] ? one : best));
    return changes <= word.length / 4 ? known.get(found) : null;
  }

  // The query with such words put right, or "" where that does not help.
  function meant(query) {
    if (find(query).length) return "";
    const better = wordsOf(query).map((word) => (find(word).length ? word : nearest(word)));
    return better.every(Boolean) && find(better.join(" ")).length ? better.join(" ") : "";
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
    const whole = start + 190 >= text.length;
    typeset(line, whole ? shown : shown.slice(0, shown.lastIndexOf(" ")), pattern);
    if (!whole) line.append(" …");
    return line;
  }

  function typeset(line, text, pattern) {
    let end = 0;
    for (const match of text.matchAll(SCRIPT)) {
      mark(line, text.slice(end, match.index), pattern);
      const raised = make(match[0].startsWith("^") ? "sup" : "sub", "");
      mark(raised, match[1] ?? match[2], pattern);
      line.append(raised);
      end = match.index + match[0].length;
    }
    mark(line, text.slice(end), pattern);
  }

  function mark(line, text, pattern) {
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      line.append(text.slice(end, match.index), make("mark", match[0]));
      end = match.index + match[0].length;
    }
    line.append(text.slice(end));
  }

  function result([page, place, titles, text], query) {
    const item = make("li", "");
    const link = make("a", "");
    link.href = `${root}${page}.html?find=${encodeURIComponent(query)}${place ? `#${place}` : ""}`;
    link.append(
      make("strong", titles.at(-1)),
      ...(titles.length > 1 ? [" ", make("span", `in ${titles[0]}`)] : []),
      excerpt(text, query),
    );
    item.append(link);
    return item;
  }

  function fill(host, query) {
    const field = make("input", "", {
      type: "search",
      name: "q",
      placeholder: "Words, or a symbol: σ",
      "aria-label": "Search this book",
      autocomplete: "off",
    });
    const said = make("p", "", { class: "said", role: "status" });
    let resting; // it is said when typing rests
    const instead = make("button", "", { class: "instead", type: "button" });
    let better = "";
    instead.addEventListener("click", () => {
      field.value = better;
      show();
      field.focus();
    });
    const list = make("ol", "", { id: "search-results" });
    const show = () => {
      const found = find(field.value);
      list.replaceChildren(...found.slice(0, MOST).map((section) => result(section, field.value)));
      const more = found.length > MOST ? `, the first ${MOST} of them here` : "";
      better = found.length ? "" : meant(field.value); // every word of the book is compared
      instead.textContent = better && `Did you mean ${better}?`;
      instead.hidden = !better;
      const count = `${found.length || "No"} place${found.length === 1 ? "" : "s"}${more}${better && `. ${instead.textContent}`}`;
      clearTimeout(resting);
      resting = setTimeout(() => (said.textContent = field.value.trim() ? count : ""), 500);
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
    const row = make("div", "", "asking");
    row.append(field);
    if (host.close) {
      const close = button("×", "Close", () => host.close());
      close.className = "leave";
      row.append(close);
    }
    host.append(row, said, instead, list);
    field.value = query;
    show();
  }

  function open(host, query = "") {
    if (!host.firstChild) fill(host, query);
    const field = host.querySelector("input");
    field.focus();
    field.select();
  }

  return { find, open, excerpt, meant };
})(globalThis.bookSections);
