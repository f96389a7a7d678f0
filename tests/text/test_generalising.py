"""Captions, alt texts, explanations of questions, misconceptions and summaries generalise only with support."""

import generalising
import pytest
from passages import ROOT


@pytest.mark.parametrize("path", sorted(ROOT.glob("chapters/**/*.md")), ids=lambda path: path.stem)
def test_what_readers_take_for_a_fact_has_support(path):
    found = [
        f"chapters/{each.chapter}:{each.line}: {each.kind}, because of “{each.generalises}”: {each.text}"
        for each in generalising.unsupported([path])
    ]
    remedy = (
        "Each of these sentences generalises: write it without the word, cite its theorem or its source, give its "
        "figure a claim with the same words, or "
        f"check it in tests/claims/test_{path.stem}.py: @claim(..., 'figure.alt')"
    )
    assert not found, "\n".join([*found, remedy])


TEXT = """---
title: always
---

# Always

## What you will be able to do

- Always say why.

## One

It never rains. It rains. In `every` {eval}`always` $best$ case, see {set}`at most <rdp: only=3>`.
By the theorem it grows ({prf:ref}`thm-a`). The larger the noise, the smaller the loss.

```{code-cell} python
live.Figure(name="line", caption="It is drawn. It grows "
    f"with {k}.", alt="No curve rises.", claims={"It never falls.": True})
```

```{prf:theorem} Always
Every mechanism composes.
```

````{admonition} Proof
:class: dropdown
Every one.
````

````{predict} Which never falls?
:choices: none | all
:answer: 1

It only seems so. By the theorem it grows ({prf:ref}`thm-a`).
````

| a | always b |
|---|---|

## Common misconceptions

**"It never ends."** Hardly ever.{check}`ends`

## Exercises

````{exercise} Show that it always does
Every time.
````

````{solution-start} ex
````
At most once.

````{solution-end}
````

## Summary

- The best is nowhere.{check}`nowhere`
"""


def test_every_kind_is_read_and_nothing_else():
    found = [(each.line, each.kind, each.text) for each in generalising.sentences("page.md", TEXT) if each.generalises]
    assert found == [
        (17, "caption", "It grows with {...}."),
        (18, "alt", "No curve rises."),
        (34, "answer", "It only seems so."),
        (34, "answer", "By the theorem it grows ({prf:ref}`thm-a`)."),
        (42, "misconception", '"It never ends.'),
        (42, "misconception", "Hardly ever."),
        (59, "summary", "The best is nowhere."),
    ]


def test_a_check_a_theorem_or_a_claim_of_the_figure_supports_a_sentence(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(TEXT.replace('alt="No', 'alt="It never falls. No'), "utf-8")
    known = [("page.md", "ends"), ("other.md", "nowhere"), ("page.md", "line.caption")]
    monkeypatch.setattr(generalising, "checked", lambda _: known)
    left = [each.text for each in generalising.unsupported([page])]
    assert left == ["No curve rises.", "It only seems so.", "The best is nowhere."]
