"""Checks of chapters/teaching.md."""

import re

from test_teaching import SCRIPTS

from claims import claim


@claim("teaching.md", "links-open-at-the-question")
def test_links_open_at_the_question():
    for script in SCRIPTS.values():
        assert "{set}" not in script
        shown = re.findall(r"\{(ask|present)\}`[^`<]*<[^`#]*#([\w-]+):", script)
        first = {figure: role for role, figure in reversed(shown)}
        assert set(first.values()) <= {"ask"} and [role for role, _ in shown].count("ask") == len(first)
