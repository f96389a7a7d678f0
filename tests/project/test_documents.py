"""What README.md and CONTRIBUTING.md tell people to do passes what they tell them to run.

Each test makes a copy of the project, does there what a section says, to the letter, and runs the commands of that
section. Nothing is built.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import project_copy
import pytest

ROOT = Path(__file__).parents[2]
TABLE = "book/reference/function_table.py"


def section(document, title):
    """Return the text of a section of a document."""
    text = (ROOT / document).read_text("utf-8")
    return re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text)[1]


def blocks(text):
    """Return the blocks of Python in a section, in order."""
    return re.findall(r"(?ms)^```python\n(.*?)^```$", text)


def commands(text, word):
    """Return the indented commands of a section that begin with a word, without their comments."""
    lines = re.findall(rf"(?m)^    ({re.escape(word)}\b.*)$", text.replace("\\\n", ""))
    return [line.partition("    #")[0].rstrip() for line in lines]


@pytest.fixture
def copy(tmp_path):
    """A copy of the files that the project consists of."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, files):
        if (ROOT / name).exists():  # not yet known to git as deleted
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def run(folder, command, succeeds=True):
    """Run a command of a document in a copy, with this Python, and return what it prints."""
    done = subprocess.run(
        command.replace(".venv/bin/python", sys.executable),
        shell=True,
        cwd=folder,
        env=project_copy.environment(folder) | {"HYPOTHESIS_PROFILE": "fast"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (done.returncode == 0) == succeeds, done.stdout
    return done.stdout


def make(folder, command):
    """Run what `make` would run, without the environment that it would make first."""
    dry = f"{command} --no-print-directory --dry-run --assume-old=.venv/book-installed"
    return run(folder, run(folder, dry).replace("@", ""))


def append(file, text):
    """Write at the end of a file."""
    file.write_text(file.read_text("utf-8") + text, "utf-8")


def replace(file, old, new):
    """Replace the one place in a file where some text is."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.long
def test_new_chapter_and_figure_of_the_readme_pass_the_tests_of_a_chapter(copy):
    said = section("CONTRIBUTING.md", "Add a chapter")
    (begin,) = commands(said, "make chapter")
    (check,) = commands(said, ".venv/bin/python -m pytest")
    make(copy, begin)
    untouched = copy / "chapters" / "sparse_vector.md"
    assert "\n# The sparse vector technique\n" in untouched.read_text("utf-8")
    sentences = section("CONTRIBUTING.md", "Add or change a sentence")
    claim, answers = blocks(sentences)
    assert claim in (copy / "tests/claims/test_sparse_vector.py").read_text("utf-8")
    assert f"\n{re.search(r'(?m)^    (.*{check}.*)$', sentences)[1]}\n" in untouched.read_text("utf-8")

    make(copy, "make chapter NAME=with_figure")
    readme = section("README.md", "Add a figure")
    (figure,) = blocks(readme)
    (question,) = re.findall(r"(?ms)^    (```\{predict\}.*?^    ```)$", readme)
    pasted = f"\n{question.replace(chr(10) + '    ', chr(10))}\n\n```{{code-cell}} python\n{figure}```\n"
    append(copy / "chapters" / "with_figure.md", pasted)
    append(copy / "tests/claims/test_with_figure.py", "\n\n" + answers.replace("sparse_vector.md", "with_figure.md"))

    printed = run(copy, check.replace("-k sparse_vector", "-k 'sparse_vector or with_figure'"))
    assert int(re.search(r"(\d+) passed", printed)[1]) >= 20
    run(copy, ".venv/bin/python -m ruff check . && .venv/bin/python -m ruff format --check .")


@pytest.mark.long
def test_new_function_is_asked_for_its_test_and_its_place_and_then_passes(copy):
    said = section("CONTRIBUTING.md", "Add a function")
    function, test = blocks(said)
    (check,) = commands(said, ".venv/bin/python -m pytest")
    append(copy / "dp_lib/zcdp.py", f"\n\n{function}")
    printed = run(copy, check, succeeds=False)
    assert f"dp_lib.zcdp.discrete_gaussian is not in the table of functions: in {TABLE} add" in printed
    assert "no test calls zcdp.discrete_gaussian: in tests/maths/test_zcdp.py compare it with an oracle" in printed
    assert "[zcdp.discrete_gaussian sensitivity]" in printed
    assert "3 failed" in printed

    append(copy / "tests/maths/test_zcdp.py", f"\n\n{test}")
    (question,) = re.findall(r'here `("[a-z ]+")`', said)
    replace(copy / TABLE, f"    {question}: [", f'    {question}: ["discrete_gaussian", ')
    (entry,) = re.findall(r'`("zcdp\.discrete_gaussian": .*?)`', said.replace("\n", " "))
    replace(copy / "tests/maths/test_arguments.py", "\nOTHERWISE = {\n", f"\nOTHERWISE = {{\n    {entry},\n")
    run(copy, check)
