// Elements that exist only where scripts run.
"use strict";

live.dom = (() => {
  // make("p", { class: "note" }, "text", child)
  const makerOf =
    (language) =>
    (tag, attributes = {}, ...children) => {
      const element = document.createElementNS(`http://www.w3.org/${language}`, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };
  const make = makerOf("1999/xhtml");
  const draw = makerOf("2000/svg");
  const math = makerOf("1998/Math/MathML");

  function button(text, action, act) {
    const element = make("button", { type: "button", "data-action": action }, text);
    element.addEventListener("click", act);
    return element;
  }

  return { make, draw, math, button };
})();
