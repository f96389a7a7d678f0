// The planner's own scripts without a browser: the answer of each task, whose texts are as typed.
"use strict";

const plannerTasks = {
  load({ data, training }) {
    globalThis.deskAnswers.load(data);
    globalThis.deskAnswers.loadTraining(training);
    this.fields = data.fields;
    this.defaults = Object.fromEntries(
      data.fields.map(({ name, value, options }) => [name, options ? Object.keys(options)[0] : value]),
    );
  },

  // A task names the fields that were touched, in order, with their texts; `settled` those whose value is known.
  read({ settled, ...task }) {
    return globalThis.deskEntries.read(
      plannerTasks.fields,
      { ...plannerTasks.defaults, ...task },
      { touched: Object.keys(task), settled: settled ?? {} },
    );
  },

  answered(task) {
    const entered = plannerTasks.read(task);
    return { ...entered, found: entered.whole ? globalThis.deskAnswers.find(entered.values) : null };
  },
};
globalThis.plannerTasks = plannerTasks;
