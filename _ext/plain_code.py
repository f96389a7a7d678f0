"""Words of code in the colour of plain text need no element of their own: they were half of a chapter's elements."""

import re

PLAIN = ("n", "nn", "p", "w")  # names, brackets, blanks, as Pygments calls them
_CODE = re.compile(r"<pre><span></span>.*?</pre>", re.DOTALL)
_WORD = re.compile(rf'<span class="(?:{"|".join(PLAIN)})">([^<]*)</span>')


def with_plain_words(page: str) -> str:
    """The page with colour in its code, and no element where there is none.

    >>> with_plain_words('<pre><span></span><span class="n">k</span><span class="o">=</span></pre><i class="n">k</i>')
    '<pre><span></span>k<span class="o">=</span></pre><i class="n">k</i>'
    """
    return _CODE.sub(lambda code: _WORD.sub(r"\1", code[0]), page)
