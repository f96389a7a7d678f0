// Scripts that come when somebody asks for them. The page's element of this script has their addresses, as data-save.
"use strict";

(() => {
  const here = document.currentScript;
  const scripts = here?.dataset ?? {};
  const coming = {};

  // Once; after a failure, which readers are told of, again.
  function load(name) {
    const element = live.dom.make("script", { src: new URL(scripts[name], here.src) });
    coming[name] ??= new Promise((done, fail) => {
      element.onload = done;
      element.onerror = () => {
        delete coming[name];
        live.address.report([`${element.src} could not be loaded.`], "Without a connection this does not work.");
        fail(new Error(element.src));
      };
      document.head.append(element);
    }).finally(() => element.remove());
    return coming[name];
  }

  Object.assign(live, { scripts, load });
})();
