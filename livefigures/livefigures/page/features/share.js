// Copy link: the figure's address as it stands, in each form that a feature offers.
"use strict";

(() => {
  const { make } = live.dom;

  // A form of the link: { value, text, address(figure, page, state) }, and `chosen(figure)` where it is offered first.
  const PAGE = {
    value: "page",
    text: "the figure in its page",
    address: ({ data }, page, state) => `${page}#${state || data.name}`,
  };
  const forms = () => [PAGE, ...live.features.flatMap((feature) => feature.share ?? [])];

  function addressOf(figure, value) {
    const page = location.href.split(/[?#]/)[0];
    return forms()
      .find((form) => form.value === value)
      .address(figure, page, live.address.write(figure));
  }

  // The address is copied at once, and stands there to be copied by hand or in another form.
  function press(figure) {
    figure.tell();
    const form = figure.element.querySelector(".live-share") ?? shareForm(figure);
    copy(figure, form);
  }

  function shareForm(figure) {
    const options = forms().map(({ value, text }) => make("option", { value }, text));
    const form = make(
      "div",
      { class: "live-share" },
      make("select", { "aria-label": "The link shows" }, ...options),
      make("input", {
        type: "text",
        class: "live-link",
        readonly: "",
        "aria-label": "Link to the figure",
      }),
      make("output", {}),
    );
    const select = form.querySelector("select");
    select.value = (forms().find((one) => one.chosen?.(figure)) ?? PAGE).value;
    select.addEventListener("change", () => copy(figure, form));
    figure.buttons.after(form);
    return form;
  }

  function copy(figure, form) {
    const [select, field, said] = form.children;
    field.value = addressOf(figure, select.value);
    field.select();
    const say = (text) => (said.textContent = text);
    const copied = navigator.clipboard?.writeText(field.value) ?? Promise.reject(); // none over plain http
    copied.then(
      () => say("Copied"),
      () => say("Press Ctrl+C"),
    );
  }

  const replacing = ({ element }) => element.querySelectorAll(".live-share").forEach((part) => part.remove());

  live.feature({ name: "share", button: { text: "Copy link", action: "link", press }, replacing, present: replacing });
})();
