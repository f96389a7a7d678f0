// The state of a page's figures as it stands in the address's fragment:
// #growth:rate=0.1,t=5;keep=growth:rate=0.2;keep-b=growth:rate=0.3;present=growth
// A piece without a verb is the sliders'. The others are features': `verb` is how one begins, `takes` what stands behind
// the figure's name ("sliders", other "settings", or "text" of its own), and `write(figure)` gives its pieces.
"use strict";

live.address = (() => {
  const LONGEST = 5000;
  const MOST_SAID = 6;
  const PIECE = /^(?:([a-z]+)(?:-([bc]))?=)?([a-z][a-z0-9-]*)(?::(.*))?$/;
  const QUOTED = 60; // characters of a link in a message

  const quoted = (text) => "“" + (text.length > QUOTED ? text.slice(0, QUOTED) + "…" : text) + "”";

  const parts = () => live.features.flatMap(({ address }) => address ?? []);
  const partOf = (verb) => parts().find((part) => part.verb === verb);

  // Mailers write %3A for a colon. What nobody has encoded is read as it stands.
  function decoded(text, otherwise = text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return otherwise;
    }
  }

  // Nothing here is trusted: what is not of this form is named in `lost`, and so is what no figure takes (`faults`).
  function read(fragment) {
    const text = decoded(fragment);
    if (text.length > LONGEST) return { pieces: [], lost: ["The link is too long."] };
    const [pieces, lost] = [[], []];
    for (const piece of ours(text) ? text.split(";").filter(Boolean) : [text]) {
      const found = parsed(piece, lost);
      if (found) pieces.push(found);
      else if (ours(text)) lost.push(`${quoted(piece)} is no setting of a figure.`);
    }
    return { pieces, lost };
  }

  function parsed(piece, lost) {
    const [found, verb = "", letter = "a", name, settings = ""] = PIECE.exec(piece) ?? [];
    const takes = verb ? partOf(verb)?.takes : "sliders";
    if (!found || !takes) return null;
    return {
      verb,
      name,
      takes,
      settings,
      letter: letter.toUpperCase(),
      texts: takes === "text" ? {} : split(settings, lost),
    };
  }

  function split(settings, lost) {
    const pairs = settings
      .split(",")
      .filter(Boolean)
      .map((setting) => setting.split("="));
    const whole = (pair) => pair.length === 2 && pair[1] !== "";
    lost.push(
      ...pairs.filter((pair) => !whole(pair)).map((pair) => `${quoted(pair.join("="))} is no setting of a slider.`),
    );
    return Object.fromEntries(pairs.filter(whole));
  }

  // What a figure cannot take of a link's values, in words.
  function faults(figure, texts) {
    return Object.entries(texts)
      .map(([name, text]) => fault(figure, name, text))
      .filter(Boolean);
  }

  function fault(figure, name, text) {
    if (!Object.hasOwn(figure.values, name)) return `The figure “${figure.data.name}” has no slider ${quoted(name)}.`;
    const { keys } = figure.data.sliders[name];
    const [value, asked] = [figure.read(name, text), quoted(`${name}=${text}`)];
    const problem = figure.problem(name, value);
    if (problem) return (keys ? `${name} must be one of ${keys.join(", ")}` : problem) + `; the link has ${asked}.`;
    const taken = figure.snap(name, value);
    return taken === value ? "" : `${asked} is not computed here: the nearest, ${figure.said(name, taken)}, is shown.`;
  }

  // These values of a figure, as a piece has them.
  const settings = (figure, pairs) =>
    figure.data.name + ":" + pairs.map(([name, value]) => `${name}=${figure.written(name, value)}`).join(",");

  // One figure's part of the fragment; "" while it stands at its defaults.
  function write(figure) {
    const state = figure.moved.length ? [settings(figure, figure.moved)] : [];
    const written = (first) =>
      parts()
        .filter((part) => Boolean(part.first) === first)
        .flatMap((part) => live.ask(part, "write", figure) ?? []);
    return [...written(true), ...state, ...written(false)].join(";");
  }

  // Whether a fragment is ours, and not a heading's.
  const ours = (fragment) => /[:=]/.test(decoded(fragment));

  // A note above the page, so that nothing moves: what could not be done, as a rule for a link.
  function report(lost, head = "Not all of this link could be restored.") {
    document.querySelector(".live-lost")?.remove();
    if (!lost.length) return;
    const { make, button } = live.dom;
    const items = lost.slice(0, MOST_SAID).map((words) => make("li", {}, words));
    const note = make("div", { class: "live-lost", role: "alert" }, head, make("ul", {}, ...items));
    note.append(button("Close", "close", () => note.remove()));
    (document.querySelector("main") ?? document.body).append(note);
  }

  return { decoded, parts, partOf, read, write, settings, ours, faults, report };
})();
