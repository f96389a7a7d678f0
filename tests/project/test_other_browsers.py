"""The walk in other browsers, as far as it needs none: what it says where something is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1] / "other_browsers"


def walk(*names, **options):
    return subprocess.run([sys.executable, HERE / "walk.py", *names], capture_output=True, text=True, **options)


@pytest.mark.parametrize(
    ("browser", "package"), [("firefox", "firefox-esr"), ("webkit", "webkit2gtk-driver")], ids=["firefox", "webkit"]
)
def test_a_browser_that_is_missing_is_named_with_its_package(browser, package, site, tmp_path):
    done = walk(browser, env={"PATH": str(tmp_path)})
    assert done.returncode == 1
    assert f" is missing. On Debian or Ubuntu: apt-get install {package}" in done.stdout


def test_another_browser_is_refused_with_those_there_are():
    done = walk("opera")
    assert (done.returncode, done.stderr) == (2, "BROWSER must be one of firefox, webkit, got opera\n")
