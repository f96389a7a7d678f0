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
  const features = [];
  let join = () => {}; // what the page does about a feature whose script comes late

  function feature(one) {
    features.push(one);
    join(one);
  }

  const onFeature = (act) => (join = act);

  // What happens, told to every feature that has a function of this name. A mistake in one of them is reported to the
  // console and stops no other.
  function tell(event, ...given) {
    for (const one of features) {
      try {
        one[event]?.(...given);
      } catch (error) {
        reportError(error);
      }
    }
  }

  // What another feature offers. It is asked for while a script loads, so that no two features can need each other.
  function use(name) {
    const found = features.find((one) => one.name === name);
    if (!found) throw new Error(`live.use: no feature “${name}” yet`);
    return found.offers;
  }

  Object.assign(live, { features, feature, onFeature, tell, use });
})();
