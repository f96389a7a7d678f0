// The register of the page's features. A feature is one file: its button, its keys, its
// part of the address, and what it does when something happens to a figure. The core
// calls all of them in the order in which they were registered, and knows none by name.
// Everything but `name` may be left out:
//
// live.feature({
//   name: "pin", // which no other feature has
//   button: { text, action, press(figure, button), when(figure), stays(figure) },
//     // `action` names the button for figure.button(action). Only the figures of which
//     // `when` is true have it. One that `stays` is always seen, the others are in the
//     // menu. Several buttons: { items: [[text, action, press(figure)]] }
//   keys: [{ key: "k", name: "K", does: "keep a setting", press(figure, event), on }],
//     // `name` and `does` are for the list of keys. `press` returns true if it used the
//     // key; without `press` the key presses the button. With on: "slider" it is a key
//     // of the sliders alone. Without `key` it is in the list only.
//   address: { verb: "keep", takes: "sliders", first, write, before, read, after, last },
//     // Its pieces of the address, as keep=growth:rate=0.1. `verb` has letters a to z.
//     // `takes` says what stands behind the figure's name: "sliders" and their values,
//     // other "settings", or "text" of any form, perhaps none.
//     // write(figure) gives a figure's pieces as a list. It is called when figure.tell()
//     // has said that something has changed, and when a link is copied. With `first`
//     // they stand before the sliders' own. last() gives one piece of the whole page.
//     // When an address is opened, also by Back, before(pieces) is called first, and here
//     // a feature undoes what the new address does not say. If it returns a
//     // promise, all waits for it, and `before` is called once more. Then comes
//     // read(figure, values, piece) for each piece { verb, name, settings, texts, letter },
//     // where `values` are the numbers of `texts`; one that takes "sliders" comes only if
//     // every value can be taken. At last comes after(pieces).
//   share: [{ value, text, chosen(figure), address(figure, page, state) }],
//     // a form of the link that is copied; offered first where it is `chosen`
//   kind: "points", move(figure, mark), words(figure, mark),
//     // a kind of marks that it draws in place of the core, and what the table says of one if it has a cell there
//   offers: { clear }, // what live.use("pin") gives to other features as they load
//
//   // Events of a figure:
//   made(figure), // once for each figure
//   values(figure), // its sliders show their values
//   draw(figure, lines), // these curves of it have moved
//   redraw(figure), // so have all of the picture and its table
//   moved(figure), // a reader or a link has moved a slider
//   state(figure), // what its address says is another
//   reset(figure), // its sliders are at their defaults again
//   asked(figure, values), // a link has asked for settings, or a slider that moves by itself rests at one
//   preset(figure, link), // this link of the text is about to set it
//   motion(figure), // a slider begins or ends to move by itself
//   lines(figure), // it has other curves
//   replacing(figure), // another figure is about to take its place
//   room(figure), // its place has another size; what changes its parts' sizes belongs here
//   fit(figure), // and now its picture has this size
//   present(figure), // it is put in front of a class
//   announced(figure), // something was said to readers who listen
//   // Events of the page:
//   alone(figure), // it is to show this figure and nothing else
//   started(), // all figures are made, and the address is read
//   back(pieces), // Back has led from one setting to another that the page itself has noted
// });
"use strict";

(() => {
  const TAKES = ["sliders", "settings", "text"];
  const FIELDS = {
    feature:
      "name button keys address share offers made values draw redraw moved asked motion state reset lines replacing " +
      "room fit present preset announced alone started back kind move words",
    button: "text action press when stays items",
    keys: "key name does press on",
    address: "verb takes first write before read after last",
    share: "value text chosen address",
  };
  const features = [];
  let join = () => {}; // what the page does about a feature whose script comes late

  function feature(one) {
    const { name, address } = one;
    const said = `live.feature “${name}”: `;
    if (address && !(/^[a-z]+$/.test(address.verb) && TAKES.includes(address.takes))) {
      const wanted = `a verb of letters a to z, and takes, one of ${TAKES.join(", ")}`;
      throw new Error(`${said}its address must have ${wanted}; got ${JSON.stringify(address)}`);
    }
    const taken = (other) => other.name === name || (address && other.address?.verb === address.verb);
    if (!name || features.some(taken)) throw new Error(`${said}name or verb is taken`);
    for (const fault of new Set(faults(one))) console.warn(said + fault);
    features.push(one);
    join(one);
  }

  const onFeature = (act) => (join = act);

  // What would otherwise do nothing in silence.
  function* faults(one) {
    for (const [part, fields] of Object.entries(FIELDS)) {
      const known = fields.split(" ");
      for (const field of [{ ...one, feature: one }[part] ?? []].flat().flatMap(Object.keys))
        if (!known.includes(field)) yield `${part} has no field “${field}”, but ${known.join(", ")}`;
    }
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
