"""To wait for something on a page of the book."""

import time
from typing import Any

from playwright.sync_api import Page


def wait_until(page: Page, expression: str, arg: Any = None, seconds: float = 30) -> None:
    """Ask the page until the answer is yes.

    Playwright's wait_for_function asks again from inside the page, by an eval, which the book's content policy forbids.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"not so after {seconds} s: {expression}"
        page.wait_for_timeout(20)
