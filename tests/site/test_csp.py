"""The content policy: what it lets in, who is told of it, and that the site works under it from a server too."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import SITE

from book.theme import pages as shell

POLICY = dict(part.strip().split(" ", 1) for part in shell.POLICY.split(";"))
# Every page carries the policy itself (test_static_pages.py), so that all tests read it under the policy, from a disk.
# On a server 'self' means another thing. One page of each kind, and what its scripts make: a game and figures, the
# planner, the formula editor, the search.
SERVED = {
    "chapters/attackers.html": "#attack input.live-typed",
    "chapters/desk.html": "#desk[data-ready]",
    "chapters/workbench.html": "#workbench input.live-line",
    "search.html?q=composition": "#search-results li a",
}


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def server(site):
    handler = partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_policy_lets_in_no_inline_script_and_no_eval():
    assert POLICY["script-src"] == POLICY["style-src"] == "'self'"
    assert POLICY["default-src"] == "'none'"
    assert "unsafe-eval" not in shell.POLICY and "http" not in shell.POLICY


def test_static_hosts_are_told_the_same_policy():
    assert f"  Content-Security-Policy: {shell.POLICY}\n" in (SITE / "_headers").read_text("utf-8")


@pytest.mark.parametrize("address", SERVED)
def test_page_works_on_a_server(address, witnessed, server):
    page = witnessed(server).new_page()  # whatever the browser reports, a violation too, fails the test
    page.goto(server + address, wait_until="load")
    page.wait_for_selector(SERVED[address], state="attached")
    assert page.evaluate("document.fonts.check('16px \"Formulas at once\"', 'x')")


def test_injected_inline_script_is_stopped(browser, server):
    page = browser.new_page()
    page.goto(server + "chapters/index.html", wait_until="load")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.injected = true";
          document.body.append(script);
        }"""
    )
    assert page.evaluate("window.injected") is None
    page.close()
