// A look-up table as its page carries it, read back: JSON has no NaN and no infinity, and the page knows the points of x.
"use strict";

live.lookUpTable = ({ inputs, stops, values }, grid) => ({
  inputs,
  stops: stops.map((own) => own ?? grid),
  values: values.map(Number),
});
