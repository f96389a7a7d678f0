// What is in front of a class: its `figure`, if there is one, whose keys no other figure has; `letters`, which mean
// something of its own then; and `beyond(by)`, if somebody else says what stands before its first step (-1) and after its
// last one (1), and where Escape leads (0).
"use strict";

live.presented = {};
