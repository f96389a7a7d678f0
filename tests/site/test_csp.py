"""The content policy: the built site, served with it, works in every part, and the browser has nothing to report."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import SITE
from waiting import wait_until

from book.theme import pages as shell

PAGES = sorted(path.relative_to(SITE).as_posix() for path in [*SITE.glob("chapters/**/*.html"), *SITE.glob("*.html")])
POLICY = dict(part.strip().split(" ", 1) for part in shell.POLICY.split(";"))


# Every page carries the policy itself, so that all tests read it under the policy. With a server's header one page of
# each kind is tried: figures, a game, the planner, the formula editor, a lab, a lesson, the search.
KINDS = ["zcdp", "attackers", "desk", "workbench", "labs/accountant", "lessons/lesson_4"]
SERVED = [*(f"chapters/{kind}.html" for kind in KINDS), "search.html"]
# The first slider of each figure goes to its farther end; which figures show what they showed before?
MOVE = """
() => {
  const parts = ".live-picture, .live-readings";
  globalThis.shown = (figure) => [...figure.querySelectorAll(parts)].map((part) => part.innerHTML).join();
  globalThis.before = new Map([...document.querySelectorAll("figure.live")].map((figure) => [figure, shown(figure)]));
  for (const figure of before.keys()) {
    const slider = [...figure.querySelectorAll("input[type=range]")].find((one) => one.checkVisibility());
    const { min, max, value } = slider;
    slider.value = value - min > max - value ? min : max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
"""
UNMOVED = "[...before].filter(([figure, drawing]) => shown(figure) === drawing).map(([figure]) => figure.id)"


class StrictHandler(SimpleHTTPRequestHandler):
    """Sends the policy, as `_headers` tells a static host to do."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", shell.POLICY)
        super().end_headers()

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def server(site):
    handler = partial(StrictHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def visit(witnessed, server):
    """Opens a page over the server; whatever the browser reports, a violation too, fails the test."""

    def open_(address):
        page = witnessed(server).new_page()
        page.goto(server + address, wait_until="load")
        return page

    return open_


def test_policy_lets_in_no_inline_script_and_no_eval():
    assert POLICY["script-src"] == POLICY["style-src"] == "'self'"
    assert POLICY["default-src"] == "'none'"
    assert "unsafe-eval" not in shell.POLICY and "http" not in shell.POLICY


@pytest.mark.parametrize("address", [page for page in PAGES if page != "index.html"])
def test_page_carries_the_policy_before_anything_it_rules(address):
    head = (SITE / address).read_text("utf-8").split("</head>")[0]
    policy = head.index(f'<meta http-equiv="Content-Security-Policy" content="{shell.POLICY}">')
    assert policy < head.index("<script") and policy < head.index("<link")


def test_static_hosts_are_told_the_same_policy():
    assert f"  Content-Security-Policy: {shell.POLICY}\n" in (SITE / "_headers").read_text("utf-8")


@pytest.mark.parametrize("address", SERVED)
def test_page_works_under_the_policy(address, visit):
    page = visit(address)
    page.evaluate(MOVE)
    wait_until(page, "[...document.querySelectorAll('figure.live')].every((figure) => !figure.live?.pending.size)")
    assert page.evaluate(UNMOVED) == []


def test_address_of_the_site_leads_to_the_first_page(witnessed, server):
    page = witnessed(server).new_page()
    page.goto(server)
    page.wait_for_url("**/chapters/index.html")
    page.wait_for_load_state("load")  # a page that is left while it loads breaks the server's pipe


def test_font_of_the_formulas_comes_under_the_policy(visit):
    page = visit("chapters/zcdp.html")
    assert page.evaluate("document.fonts.check('16px \"Formulas at once\"', 'x')")


def test_search_works_under_the_policy(visit):
    page = visit("search.html?q=composition")
    page.wait_for_selector("#search-results li a")


def test_folded_proof_opens_under_the_policy(visit):
    page = visit("chapters/zcdp.html")
    proof = page.locator("details.fold:not(.code)").first
    proof.locator("summary").click()
    assert proof.get_attribute("open") is not None


def test_injected_inline_script_and_eval_are_stopped(browser, server):
    context = browser.new_context()
    page = context.new_page()
    page.goto(server + "chapters/index.html", wait_until="load")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.injected = true";
          document.body.append(script);
        }"""
    )
    assert page.evaluate("window.injected") is None
    context.close()
