// A slider's values: what it takes, where its thumb stands for them, and how they are written and said.
"use strict";

live.sliders = (() => {
  const { said: saidOf, shown, typed } = live.numbers;
  const { nearest } = live.picture;
  const MOST_NAMED = 4; // values that a message lists

  // What a slider takes, in words.
  function takes({ low, high, base, integer, stops }) {
    const [from, to] = [saidOf(low, base), saidOf(high, base)];
    if (base && stops?.length <= MOST_NAMED) return `one of ${stops.map((stop) => saidOf(stop, base)).join(", ")}`;
    if (base) return `a power of ${base === 2 ? 2 : 10} from ${from} to ${to}`;
    return `${integer ? "a whole number" : "a number"} from ${from} to ${to}`;
  }

  // What keeps `value` from being this slider's, in words; "" if nothing does.
  function problem(slider, value) {
    const { low, high, integer, symbol } = slider;
    const fits = value >= low && value <= high && (!integer || Number.isInteger(value));
    return fits ? "" : `${symbol} must be ${takes(slider)}`;
  }

  const snap = ({ stops, snaps }, value) => (snaps ? stops[nearest(stops, value)] : value);

  // What a range input says of the slider's value.
  function valueOf({ stops, at }, position) {
    if (stops) return stops[Number(position)];
    // Arithmetic on a native slider's steps leaves dust: 0.1 + 2 * 0.1.
    return position === "" ? at : Number(Number(position).toPrecision(12));
  }

  // A value as a link writes it, and back: an option's name where the slider is a choice.
  const written = ({ keys }, value) => (keys ? keys[value] : typed(value));
  const read = ({ keys }, text) => (keys && keys.includes(text) ? keys.indexOf(text) : Number(text));

  // A value as readers read it.
  const said = ({ base, format }, value) => (format ? shown(value, 0, format) : saidOf(value, base));

  // ---- evenly from end to end

  const lerp = (low, high, share) => low + share * (high - low);

  // Where a slider stands between its ends, 0 to 1, and back: log sliders run evenly in the logarithm, those that snap
  // from stop to stop.
  function shareOf({ low, high, stops, snaps }, value) {
    if (snaps) return stops.indexOf(value) / (stops.length - 1);
    return stops ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  }

  function valueAt({ low, high, stops, snaps, integer }, share) {
    if (share >= 1) return high;
    if (snaps) return stops[Math.round(share * (stops.length - 1))];
    const exact = stops ? low * (high / low) ** share : lerp(low, high, share);
    const digits = Math.max(0, 3 - Math.floor(Math.log10(high - low)));
    const value = integer ? Math.round(exact) : Number(stops ? exact.toPrecision(3) : exact.toFixed(digits));
    return Math.min(Math.max(value, low), high);
  }

  // The points of a curve whose x axis this slider is, as sliders.py computes them; with `stops` the axis is logarithmic.
  function gridOf({ low, high, integer }, stops) {
    const all = Array.from({ length: 201 }, (_, i) => {
      const share = i / 200;
      const exact = stops ? low * (high / low) ** share : lerp(low, high, share);
      const value = integer ? Math.round(exact) : Number(exact.toPrecision(7));
      return Math.min(Math.max(value, low), high);
    });
    return [...new Set(all)];
  }

  return { problem, snap, valueOf, written, read, said, lerp, shareOf, valueAt, gridOf };
})();
