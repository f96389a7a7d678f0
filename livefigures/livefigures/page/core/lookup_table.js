// A look-up table: what tables.py packed, read back.
"use strict";

live.lookUpTable = ({ inputs, stops, sums, least, values, gaps }, grid) => {
  // Differences are summed up again, along each slider as often as they were taken.
  for (const [stride, round] of sums) values.forEach((_, i) => i % round < stride || (values[i] += values[i - stride]));
  // Each sum is a place among all numbers of eleven digits, of which each power of ten has 9e10.
  values = values.map((place) => {
    const from = Math.abs(place) - 1;
    return place && Math.sign(place) * `${(from % 9e10) + 1e10}e${Math.floor(from / 9e10) + least}`;
  });
  for (const [first, count, value] of gaps) values.fill(value, first, first + count);
  return { inputs, stops: stops.map((own) => own ?? grid), values };
};
