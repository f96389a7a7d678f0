// The figure in front of a class, if there is one: keys that no other figure has are its, and these letters mean something
// of its own.
"use strict";

live.presented = { figure: null, letters: "" };
