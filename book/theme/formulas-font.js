// The formulas' font as part of a script that the first paint waits for. A font that comes by its own address arrives
// later: until then the text is laid out with another font, and then everything moves. A preload is no way out, since
// browsers refuse it to a page opened from a disk. Without scripts the style sheet's address serves.
(() => {
  "use strict";
  const bytes = Uint8Array.from(atob("FONT"), (character) => character.charCodeAt(0));
  document.fonts.add(new FontFace("Formulas at once", bytes)); // from bytes in memory: loaded at once
  document.documentElement.classList.add("formulas-font");
})();
