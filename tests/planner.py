"""The release planner without a browser: its scripts under node."""

from functools import cache
from pathlib import Path
from typing import Any

from in_node import Node

from book.release_planner import form
from book.release_planner.accounts import TRAIN, tape
from livefigures.page import bundle

ENGINE = [bundle.HERE / "core" / f"{name}.js" for name in ("arithmetic", "trace", "numbers")]
OWN = [form.HERE / name for name in ("entries.js", *form.TRAINING, "answers.js")]


@cache
def _node() -> Node:
    node = Node(*ENGINE, *OWN, Path(__file__).with_name("planner_tasks.js"))
    node.evaluate("(given) => plannerTasks.load(given)", {"data": form.page_data(), "training": tape(TRAIN)})
    return node


def read(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the texts of each task are read as: values, asks, echoes and problems."""
    return _node().evaluate("(tasks) => tasks.map(plannerTasks.read)", tasks)


def entered(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what each task, {"door": "release", "k": "20"}, comes to: values, asks, echoes, problems and answer."""
    return _node().evaluate("(tasks) => tasks.map(plannerTasks.answered)", tasks)


def answers(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answer of each task, all of whose texts must be understood."""
    results = entered(*tasks)
    for task, result in zip(tasks, results, strict=True):
        assert result["whole"], (task, result["problems"], result["asks"])
    return [result["found"] for result in results]
