// Runs the planner's own scripts without a browser: the tasks of stdin, as typed texts, to their answers on stdout.
"use strict";

const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");

const { scripts, data, training, tasks } = JSON.parse(readFileSync(0, "utf-8"));
for (const script of scripts) runInThisContext(readFileSync(script, "utf-8"), { filename: script });
globalThis.deskAnswers.load(data);
globalThis.deskAnswers.loadTraining(training);

const defaults = Object.fromEntries(
  data.fields.map(({ name, value, options }) => [name, options ? Object.keys(options)[0] : value]),
);

// A task names the fields that were touched, in order, with their texts; `settled` those whose value is known.
const read = ({ settled, ...task }) =>
  globalThis.deskEntries.read(
    data.fields,
    { ...defaults, ...task },
    { touched: Object.keys(task), settled: settled ?? {} },
  );

function answered(task) {
  const { values, whole, ...entered } = read(task);
  return { ...entered, values, whole, found: whole ? globalThis.deskAnswers.find(values) : null };
}

// Infinity and NaN are no JSON.
const plain = (key, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);
process.stdout.write(JSON.stringify(tasks.map(answered), plain));
