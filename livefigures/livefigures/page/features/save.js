// Save: the figure as it stands, as a picture that needs no page (SVG, PNG) or as numbers (CSV). A page loads it when one of
// its buttons is pressed.
"use strict";

(() => {
  const { make, draw } = live.dom;
  const { typed } = live.numbers;
  const { plainly } = live.use("fit");
  const { come, described } = live.use("summary");
  const { pinsOf } = live.use("pin");
  const { bring } = live.use("save_buttons");
  const SCALE = 2; // pixels of a PNG to a unit of the picture
  const LOOKS =
    "fill fill-opacity stroke stroke-opacity stroke-width stroke-dasharray stroke-linecap paint-order".split(" ");
  const LINE = 20;
  const MARGIN = 14;

  // The picture with every colour written out, on the ground that the reader sees, its settings underneath.
  function picture(figure, scheme = "") {
    const { width, height } = figure.data.frame;
    const copy = plainly(figure, () => figure.svg.cloneNode(true));
    const stage = make("figure", { class: "live live-staged" }, copy);
    stage.style.colorScheme = scheme;
    document.body.append(stage);
    resolve(copy);
    const ground = getComputedStyle(stage).backgroundColor;
    const { color, fontFamily } = getComputedStyle(copy);
    stage.remove();

    const lines = [figure.settings()];
    for (const { letter, values } of pinsOf(figure)) lines.push(`${letter}: ${figure.settings(values)}`);
    const tall = height + MARGIN + LINE * lines.length;
    const size = { width, height: tall, viewBox: `0 0 ${width} ${tall}`, "font-family": fontFamily };
    for (const [key, value] of Object.entries(size)) copy.setAttribute(key, value);
    lines.forEach((line, i) => {
      copy.append(
        draw("text", { x: figure.data.frame.x[0], y: height + MARGIN + LINE * i, fill: color, "font-size": 13 }, line),
      );
    });
    const caption = figure.element.querySelector("figcaption")?.textContent ?? "";
    const alt = copy.querySelector("desc");
    alt.textContent = [caption, alt.textContent, described(figure)].filter(Boolean).join("\n");
    copy.prepend(
      draw("title", {}, `${figure.data.name}: ${lines[0]}`),
      draw("rect", { width, height: tall, fill: ground }),
    );
    copy.removeAttribute("aria-describedby");
    return new XMLSerializer().serializeToString(copy);
  }

  // Outside its page a picture knows no style sheet.
  function resolve(root) {
    for (const element of root.querySelectorAll("path, text, rect, g[fill]")) {
      const style = getComputedStyle(element);
      if (element.closest("clipPath")) continue;
      for (const look of LOOKS) element.setAttribute(look, style.getPropertyValue(look));
      if (element.localName === "text") element.setAttribute("font-size", style.fontSize);
    }
    for (const ghosts of root.querySelectorAll(".live-ghosts"))
      ghosts.setAttribute("opacity", getComputedStyle(ghosts).opacity);
    for (const element of [root, ...root.querySelectorAll("*")])
      ["class", "style"].forEach((name) => element.removeAttribute(name));
  }

  function svg(figure) {
    download(figure, "svg", new Blob([picture(figure)], { type: "image/svg+xml" }));
  }

  // A PNG as the reader sees it, or for a light or a dark page.
  async function png(figure, scheme = "") {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(figure, scheme))}`;
    await image.decode();
    const canvas = make("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(figure, (scheme && `${scheme}.`) + "png", await new Promise((take) => canvas.toBlob(take, "image/png")));
  }

  // The numbers behind the picture in full precision: comment lines, then x and every curve along the grid.
  function table(figure) {
    const { data } = figure;
    const pinned = pinsOf(figure).flatMap(({ letter, values }) =>
      figure
        .curvesAt(values)
        .filter(come)
        .map(({ name, y }) => [`${name}, ${letter}`, y]),
    );
    const columns = [
      [data.x, data.grid],
      ...figure.lines.filter(come).map((line) => [line.name, figure.along(line.y)]),
    ];
    for (const { name, kind, low, high } of figure.marks.filter(come)) {
      if (kind === "band") columns.push([`${name}, low`, figure.along(low)], [`${name}, high`, figure.along(high)]);
    }
    columns.push(...pinned);
    const cell = (values, i) => number(live.picture.entry(values, i));
    const rows = data.grid.map((_, i) => columns.map(([, values]) => cell(values, i)).join(","));
    return [...notes(figure), columns.map(([name]) => quoted(name)).join(","), ...rows, ""].join("\n");
  }

  // The sliders and choices that matter, each with its value as one would write it.
  function pairs(figure) {
    const awake = Object.entries(figure.values).filter(([name]) => figure.awake(name));
    return awake.map(([name, value]) => [name, figure.written(name, value)]);
  }

  function notes(figure) {
    const { data, values } = figure;
    const [lines, marks] = [figure.lines, figure.marks].map((parts) => parts.filter(come)); // no answer before its time
    const at = `${data.x} = ${typed(values[data.x])}`;
    return [
      `# ${data.name}, ${location.href.split(/[?#]/)[0].split("/").pop()}`,
      ...pairs(figure).map(([name, text]) => `# ${name} = ${text}`),
      ...lines.map((line) => `# at ${at}: ${line.name} = ${number(Number(line.cell.dataset.value))}`),
      ...pinsOf(figure).flatMap(({ letter, values: there }) => [
        ...Object.entries(there).map(([name, value]) => `# ${letter}: ${name} = ${figure.written(name, value)}`),
        ...lines.map((line) => `# at ${at}, ${letter}: ${line.name} = ${number(figure.readingsAt(there).get(line))}`),
      ]),
      ...marks.filter((mark) => mark.cell).map(({ name, cell }) => `# ${name}: ${places(cell) || cell.textContent}`),
    ];
  }

  const places = (cell) =>
    ["x", "y"]
      .filter((c) => c in cell.dataset)
      .map((c) => `${c} = ${number(Number(cell.dataset[c]))}`)
      .join(", ");
  const number = (value) => String(value).replace("Infinity", "inf");
  const quoted = (name) => (/[",#]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

  function csv(figure) {
    download(figure, "csv", new Blob([table(figure)], { type: "text/csv" }));
  }

  // "growth_rate=0.2_t=5"
  const fileName = (figure) => [figure.data.name, ...pairs(figure).map((pair) => pair.join("="))].join("_");

  function download(figure, kind, blob) {
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: `${fileName(figure)}.${kind}` }).click();
    figure.announce(`${kind.split(".").at(-1).toUpperCase()} saved.`);
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  bring({
    svg,
    csv,
    png: (figure) => png(figure),
    "png-light": (figure) => png(figure, "light"),
    "png-dark": (figure) => png(figure, "dark"),
  });
  live.feature({ name: "save", offers: { picture } });
})();
