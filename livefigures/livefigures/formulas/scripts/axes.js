// A picture, its sliders and its table for typed formulas, in the markup of page.py and svg.py, which figure.js reads.
"use strict";

(() => {
  const { make, draw } = live.dom;
  const { said, shown } = live.numbers;
  const reader = live.use("formula_reader");
  const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 420, 66, 56, 14];
  const LABEL = 24; // characters of a formula in one
  const DASHES = { solid: "", dashed: "6 3", dotted: "1.5 2.5", dashdot: "7 3 2 3" };

  // ---- the ends of an axis, by the rule of typed.py

  function above(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20].map((digit) => digit * power).find((round) => round >= value);
  }

  function extent(values) {
    const known = values.filter(Number.isFinite);
    if (!known.length) return [0, 1, false];
    const low = known.reduce((a, b) => Math.min(a, b));
    const high = known.reduce((a, b) => Math.max(a, b));
    if (low > 0 && high > 100 * low) {
      const top = Math.ceil(Math.log10(high));
      return [10 ** Math.max(Math.floor(Math.log10(low)), top - 12), 10 ** top, true];
    }
    const ends = [low < 0 ? -above(-low) : 0, high > 0 ? above(high) : 0];
    return ends[0] < ends[1] ? [...ends, false] : [0, 1, false];
  }

  // ---- sliders

  // { low, high, at, integer, snaps, symbol, stops }, as page.py writes it, and the words of the label.
  function slider(name, range, ends) {
    const [symbol, words, low, high, at, kind] = range ?? [name, "", 0, 1, 0.5, ""];
    const [from, to, usual = at] = ends ?? [low, high];
    const log = kind.includes("log") && from > 0;
    const integer = kind.includes("whole");
    const rest = Math.min(Math.max(usual, from), to);
    const found = {
      low: from,
      high: to,
      at: integer ? Math.round(rest) : rest,
      integer,
      snaps: false,
      symbol: symbol || name,
      log,
      words,
    };
    return { ...found, stops: log ? stopsOf(found) : null };
  }

  function stopsOf({ low, high, at, integer }) {
    const count = Math.max(1, Math.round(10 * Math.log10(high / low)));
    const raw = Array.from({ length: count + 1 }, (_, i) => Number((low * (high / low) ** (i / count)).toPrecision(2)));
    const within = [...raw.map((value) => (integer ? Math.round(value) : value)), low, high, at];
    return [...new Set(within.filter((value) => value >= low && value <= high))].sort((a, b) => a - b);
  }

  function control(figure, name, { low, high, at, symbol, stops, integer, words }) {
    const ident = `${figure}--${name}`;
    const step = integer ? 1 : 10 ** Math.floor(Math.log10((high - low) / 100));
    const bounds = stops ? [0, stops.length - 1, 1, stops.indexOf(at)] : [low, high, step, at];
    const [min, max, by, value] = bounds.map(String);
    const end = (side, text) =>
      make("input", {
        class: "live-end",
        "data-for": name,
        "data-end": side,
        value: text,
        inputmode: "decimal",
        autocomplete: "off",
        "aria-label": `${symbol}, ${side} end`,
      });
    return make(
      "div",
      { class: "live-slider" },
      make("label", { for: ident }, make("span", { class: "live-symbol" }, symbol), ` ${words}`),
      make("input", {
        type: "text",
        inputmode: "decimal",
        class: "live-typed",
        "data-for": name,
        value: said(at),
        "aria-label": `${symbol}, typed value`,
        autocomplete: "off",
        spellcheck: "false",
        tabindex: "-1",
      }),
      make("input", {
        type: "range",
        id: ident,
        name,
        min,
        max,
        step: by,
        value,
        autocomplete: "off",
        "aria-valuetext": `${name}, ${said(at)}`,
      }),
      make("span", { class: "live-ends" }, end("low", said(low)), end("high", said(high))),
      make("span", { class: "live-problem", role: "alert" }),
    );
  }

  // ---- curves

  const colourIn = (text) => reader.book.colours.find(([word]) => text.toLowerCase().includes(word))?.[1];
  // Lines without a word take the book's colour for them, or the next of a cycle.
  function colourOf(label, text, found) {
    const { otherwise } = reader.book;
    const used = found.filter(({ colour }) => otherwise.includes(colour)).length;
    return colourIn(label) ?? colourIn(text) ?? otherwise[used % otherwise.length];
  }

  // The first argument of a call that another call of the same verb does not have.
  function differing(text, other) {
    const [given, before] = [text, other].map((one) => reader.parted(one.slice(one.indexOf("(") + 1), /^,$/));
    return given.find((argument, i) => argument !== before[i])?.slice(0, 16) ?? "";
  }

  const shortened = (text) => (text.length <= LABEL ? text : `${text.slice(0, LABEL - 1).trimEnd()}…`);

  // A short name for each drawn line, its colour and its dash; typed.py says the same.
  function looks(lines, before = []) {
    const found = [];
    for (const { name, text, named } of lines) {
      const verb = /^\s*((?!np\.|special\.)\w+\.\w+)\(/.exec(text);
      const short = name || (verb ? verb[1] + (named ? "" : " …") : shortened(text.trim()));
      const taken = [...before, ...found.map((other) => other.label)];
      const first = lines[found.findIndex((other) => other.label === short)];
      const unlike = first && verb && !name ? differing(text, first.text) : "";
      const label = unlike ? `${short}, ${unlike}` : short;
      const count = 1 + taken.filter((other) => other === label || other.endsWith(` ${label}`)).length;
      const colour = colourOf(label, text, found);
      const dash = Object.keys(DASHES)[found.filter((other) => other.colour === colour).length % 4];
      const which = { 1: "", 2: "2nd ", 3: "3rd " }[count] ?? count + "th ";
      found.push({ label: which + label, colour, dash });
    }
    return found;
  }

  const symbolOf = (lines) => {
    const kinds = new Set(lines.map(({ named }) => named.replace(/_(tight|exact).*/, "")));
    const [first] = kinds;
    const { ranges } = reader.book;
    return (kinds.size === 1 && Object.hasOwn(ranges, first) && ranges[first][0]) || "value";
  };

  // The four moving parts of a curve; without room for a label it has none.
  function parts(figure, index, { label, colour, dash }, frame, clip) {
    const stroke = { fill: "none", stroke: "currentColor" };
    const group = (kind, ...children) =>
      draw(
        "g",
        {
          id: `${figure}--${kind}-${index}`,
          class: `live-${kind} live-colour-${colour}` + (kind === "curve" ? ` live-dash-${dash}` : ""),
        },
        ...children,
      );
    const text = draw(
      "text",
      { x: frame.x[1] + 18, y: 4, "font-size": "13px", "text-anchor": "start", fill: "currentColor" },
      label,
    );
    return [
      group("lead", draw("path", { ...stroke, d: "" })),
      group(
        "curve",
        draw("path", {
          ...stroke,
          d: "",
          "stroke-width": 2.2,
          "stroke-dasharray": DASHES[dash] || "none",
          "clip-path": clip,
        }),
      ),
      group("label", text),
      group("dot", draw("path", { ...stroke, d: "", "stroke-linecap": "round", "stroke-width": 7 })),
    ];
  }

  function row({ label, colour, dash }, middle) {
    const swatch = make("span", { class: `live-swatch live-colour-${colour} live-dash-${dash}` });
    return make(
      "tr",
      { class: "live-typed-row" },
      make("th", { scope: "row" }, swatch, label),
      ...(middle ? [make("td")] : []), // a column that other rows have
      make("td", { "data-curve": label }),
    );
  }

  // ---- the picture

  function ticks([, , low, high, log]) {
    if (log) {
      const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
      const every = Math.ceil((last - first + 1) / 8);
      const found = [];
      for (let power = first; power <= last; power += every) found.push(10 ** power);
      const finer =
        found.length > 2
          ? found
          : [first - 1, ...Array(last - first + 1).keys()].flatMap((_, i) =>
              [1, 2, 5].map((digit) => digit * 10 ** (first - 1 + i)),
            );
      return finer.filter((value) => value >= low * 0.999999 && value <= high * 1.000001);
    }
    const raw = (high - low) / 6;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((digit) => digit * power).find((wide) => wide >= raw * 0.999999);
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) =>
      Number(((first + i) * step).toPrecision(12)),
    );
  }

  function tickLabel(value, log) {
    return log && (value < 0.001 || value > 1000) ? shown(value).replace(/^1\.000 × /, "") : said(value);
  }

  function picture(figure, frame, names, alt, all) {
    const place = { x: live.picture.scale(frame.x), y: live.picture.scale(frame.y) };
    const [left, right] = frame.x;
    const [bottom, top] = frame.y;
    const clip = `url(#${figure}--clip)`;
    const line = (d, more = {}) =>
      draw("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 0.8, ...more });
    const text = (x, y, anchor, content) =>
      draw("text", { x, y, "font-size": "13px", "text-anchor": anchor, fill: "currentColor" }, content);
    const faint = { "stroke-opacity": 0.18 };
    const crosses = ticks(frame.x).flatMap((value) => {
      const x = place.x(value);
      return [
        line(`M${x} ${bottom}L${x} ${top}`, faint),
        line(`M${x} ${bottom}v4`),
        text(x, bottom + 17.4, "middle", tickLabel(value, frame.x[4])),
      ];
    });
    const rungs = ticks(frame.y).flatMap((value) => {
      const y = place.y(value);
      return [
        line(`M${left} ${y}L${right} ${y}`, faint),
        line(`M${left} ${y}h-4`),
        text(left - 7.5, y + 4.9, "end", tickLabel(value, frame.y[4])),
      ];
    });
    const middle = (bottom + top) / 2;
    const upright = text(20, middle, "middle", names.y);
    if (names.y.length > 1) upright.setAttribute("transform", `rotate(-90 20 ${middle})`);
    return draw(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": `${figure}--alt` },
      draw("desc", { id: `${figure}--alt` }, alt),
      draw(
        "defs",
        {},
        draw(
          "clipPath",
          { id: `${figure}--clip` },
          draw("rect", { x: left, y: top, width: right - left, height: bottom - top }),
        ),
      ),
      draw("g", { id: `${figure}--cursor`, class: "live-cursor-line" }, line("", { "clip-path": clip })),
      draw("g", { class: "live-x-ticks" }, ...crosses),
      draw("g", { class: "live-y-ticks" }, ...rungs),
      draw(
        "g",
        { id: `${figure}--x-label`, class: "live-x-label" },
        text((left + right) / 2, HEIGHT - 21.6, "middle", names.x),
      ),
      draw("g", { id: `${figure}--y-label`, class: "live-y-label" }, upright),
      line(`M${left} ${bottom}V${top}`),
      line(`M${left} ${bottom}H${right}`),
      ...all.flatMap((look, i) => parts(figure, i, look, frame, clip)),
    );
  }

  function frameOf(along, [low, high, log], labels) {
    const longest = Math.max(...labels.map((label) => label.length));
    const right = WIDTH - (24 + 7.1 * longest);
    return {
      width: WIDTH,
      height: HEIGHT,
      x: [LEFT, right, along.low, along.high, along.log],
      y: [HEIGHT - BOTTOM, TOP, low, high, log],
    };
  }

  function table(names, all) {
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, names.y),
      make("th", { scope: "col" }, `at ${names.symbol} = `, make("span", { class: "live-cursor" })),
    );
    return make(
      "table",
      { class: "live-readings" },
      make("thead", {}, head),
      make("tbody", {}, ...all.map((look) => row(look))),
    );
  }

  const offers = { extent, slider, control, looks, symbolOf, parts, row, picture, frameOf, table };
  live.feature({ name: "formula_axes", offers });
})();
