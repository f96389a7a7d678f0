"""The page's scripts that need no document, in the node that comes with playwright: no browser starts."""

import atexit
import json
import subprocess
from pathlib import Path
from typing import Any

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"
RUNNER = Path(__file__).with_suffix(".js")


class ScriptError(Exception):
    """What a script threw, with its stack."""


class Node:
    """A node in which scripts have run: `Node(numbers_js).evaluate("(x) => live.numbers.shown(x)", 2)`."""

    def __init__(self, *scripts: Path) -> None:
        command = [NODE, RUNNER, *scripts]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        atexit.register(self._process.communicate)

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Return what a function in JavaScript makes of the argument; NaN and the infinities come back as texts."""
        self._process.stdin.write(json.dumps([function, argument], allow_nan=False) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"error": "node has ended: see stderr"}')
        if "error" in answer:
            raise ScriptError(answer["error"])
        return answer.get("value")
