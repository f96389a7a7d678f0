// Runs the scripts that it is given, then one function a line of stdin, [its text, its argument], each to a line.
"use strict";

const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const { runInThisContext } = require("node:vm");

for (const script of process.argv.slice(2)) runInThisContext(readFileSync(script, "utf-8"), { filename: script });

// Infinity and NaN are no JSON.
const plain = (key, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

function answered(text, argument) {
  try {
    return { value: runInThisContext(`(${text})`)(argument) };
  } catch (error) {
    return { error: String(error.stack ?? error) };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(answered(...JSON.parse(line)), plain)}\n`);
});
