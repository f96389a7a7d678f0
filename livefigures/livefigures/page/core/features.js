// The register of the page's features. A feature is one file: its button, its keys, its part of the address, and what it
// does when something happens to a figure. The core calls all of them in the order in which they were registered, and
// knows none by name.
//
// live.feature({
//   name: "pin",
//   button: { text, action, press(figure, button), when(figure), stays },  // or items: [[text, action, press(figure)]];
//     one that `stays(figure)` is always seen, the others are in a menu
//   keys: [{ key: "k", name: "K", does: "keep a setting", on: "slider", press(figure, event) }],  // see keys.js
//   address: { verb: "keep", takes, first, write, before, read, after },  // see address.js and page.js
//   share: [{ value, text, chosen(figure), address(figure, page, state) }],  // a form of the link, see share.js
//   offers: { clear },  // what other features may call: const { clear } = live.use("pin")
//   made(figure), values(figure), draw(figure, lines), redraw(figure), moved(figure), state(figure), ...  // events
// });
//
// Events of a figure: made; values, its sliders show their values; draw, its curves have moved; redraw, so has all of the
// picture and its table; moved, by a reader or a link; asked, a link has asked for settings; motion, its sliders begin or
// end to move by themselves; state, what its address says is another; reset; lines, it has other curves; replacing,
// another figure is about to take its place; room and fit, its picture's size; present, it is put in front of a class;
// preset, a link of the text, which comes with it, is about to set it.
// Events of the page: alone, it is to show one figure and nothing else; started; back, the browser's Back has led to these
// pieces of an address.
"use strict";

(() => {
  const TAKES = ["sliders", "settings", "text"];
  const FIELDS = (
    "name button keys address share offers made values draw redraw moved asked motion state reset lines replacing " +
    "room fit present preset announced alone started back"
  ).split(" ");
  const features = [];
  let join = () => {}; // what the page does about a feature whose script comes late

  function feature(one) {
    const { name, address } = one;
    const said = `live.feature “${name}”: `;
    if (address && !(/^[a-z]+$/.test(address.verb) && TAKES.includes(address.takes))) {
      const wanted = `a verb of letters a to z, and takes, one of ${TAKES.join(", ")}`;
      throw new Error(`${said}its address must have ${wanted}; got ${JSON.stringify(address)}`);
    }
    for (const fault of faults(one)) console.warn(said + fault);
    features.push(one);
    join(one);
  }

  const onFeature = (act) => (join = act);

  // What would otherwise do nothing in silence.
  function* faults(one) {
    for (const field of Object.keys(one)) if (!FIELDS.includes(field)) yield `no field is called “${field}”`;
    for (const { key, on } of one.keys ?? []) {
      const first = features.find(({ keys }) => key && keys?.some((other) => other.key === key && other.on === on));
      if (first) yield `the key “${key}” stays with “${first.name}”, which has it already`;
      if (!on && /^[A-Z?h]$/.test(key)) yield `the key “${key}” never comes: take a small letter, but not h`;
    }
  }

  // What a feature, or a part of one, answers. A mistake in it is reported to the console and stops no other.
  function ask(one, what, ...given) {
    try {
      return one[what]?.(...given);
    } catch (error) {
      return void reportError(error);
    }
  }

  // What happens, told to every feature that has a function of this name.
  const tell = (event, ...given) => features.forEach((one) => ask(one, event, ...given));

  // What another feature offers. It is asked for while a script loads, so that no two features can need each other.
  function use(name) {
    const found = features.find((one) => one.name === name);
    if (!found) throw new Error(`live.use: no feature “${name}” yet`);
    return found.offers;
  }

  Object.assign(live, { features, feature, onFeature, ask, tell, use });
})();
