// Look-up tables: what tables.py packed, read back, and one value of them.
"use strict";

globalThis.liveTable = (() => {
  const DIGITS = 11; // of each value, as tables.py says
  const SPAN = 9 * 10 ** (DIGITS - 1);

  // Differences summed up again, along each slider as often as they were taken.
  function summed(places, sizes, orders) {
    let stride = 1;
    for (let axis = sizes.length - 1; axis >= 0; axis -= 1) {
      const round = stride * sizes[axis];
      for (let order = orders[axis]; order > 0; order -= 1) {
        for (let i = 0; i < places.length; i += 1) if (i % round >= stride) places[i] += places[i - stride];
      }
      stride = round;
    }
    return places;
  }

  // The number at a place among all numbers of so many digits.
  function value(place, least) {
    if (place === 0) return 0;
    const from = Math.abs(place) - 1;
    const digits = (from % SPAN) + SPAN / 9;
    return Math.sign(place) * Number(`${digits}e${Math.floor(from / SPAN) + least - DIGITS + 1}`);
  }

  function unpacked({ inputs, stops, least, gaps, differences, places }) {
    const sizes = stops.map((known) => known.length);
    const values = summed(Float64Array.from(places), sizes, differences).map((place) => value(place, least));
    for (const [first, count, said] of gaps) values.fill(Number(said), first, first + count);
    return { inputs, stops, values };
  }

  // At these values of the sliders, which stand on its stops.
  function at({ inputs, stops, values }, settings) {
    return values[inputs.reduce((sum, name, i) => sum * stops[i].length + stops[i].indexOf(settings[name]), 0)];
  }

  return { unpacked, at };
})();
