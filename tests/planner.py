"""The release planner without a browser: its scripts under the node that comes with playwright."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import playwright

from book.release_planner import form
from book.release_planner.accounts import TRAIN, tape
from livefigures.page import bundle

NODE = Path(playwright.__file__).parent / "driver" / "node"
RUNNER = Path(__file__).parent / "planner_tasks.js"
ENGINE = [bundle.HERE / "core" / f"{name}.js" for name in ("arithmetic", "trace", "numbers")]
OWN = [form.HERE / name for name in ("entries.js", *form.TRAINING, "answers.js")]


@cache
def _given() -> dict[str, Any]:
    return {"scripts": [str(path) for path in [*ENGINE, *OWN]], "data": form.page_data(), "training": tape(TRAIN)}


def entered(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what each task, {"door": "release", "k": "20"}, comes to: values, asks, echoes, problems and answer."""
    asked = json.dumps(_given() | {"tasks": tasks})
    done = subprocess.run([NODE, RUNNER], input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def answers(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answer of each task, all of whose texts must be understood."""
    results = entered(*tasks)
    for task, result in zip(tasks, results, strict=True):
        assert result["whole"], (task, result["problems"], result["asks"])
    return [result["found"] for result in results]
