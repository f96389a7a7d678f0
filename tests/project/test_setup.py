"""Set-up: what the Makefile says and does, where the tests' browser comes from, what the lists of packages promise."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import chromium
import make_test_stages
import pytest
import yaml
from conftest import ALONE, pytest_collection_modifyitems
from packaging.requirements import Requirement

import book

ROOT = Path(__file__).parents[2]
MAKE = shutil.which("make") or "make"


# -- the Makefile

GOOD_PYTHON = "#!/bin/sh\nexit 0\n"
OLD_PYTHON = '#!/bin/sh\ncase "$2" in *version_info*) exit 1;; esac\n'
PYTHON_WITHOUT_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n'


FILES = ["requirements.txt", "requirements-test.txt", "requirements.lock"]
FILES += ["pyproject.toml", "livefigures/pyproject.toml"]
OURS = "--no-deps --editable ./livefigures --editable ."


def fresh(folder):
    """A copy of the files that say what is to be installed."""
    (folder / "livefigures").mkdir()
    for name in FILES:
        (folder / name).touch()


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def make(folder, *arguments, path):
    """The result of make in a copy of the book's folder, on a computer that has just the programs in `path`."""
    shutil.copy(ROOT / "Makefile", folder)
    environment = {"PATH": str(path), "HOME": str(folder)}
    return subprocess.run([MAKE, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


PACKAGES = "apt-get install python3 python3-venv"


@pytest.mark.parametrize(
    ("command", "programs", "said", "install"),
    [
        ("book", {"python3": GOOD_PYTHON}, "git is missing", "apt-get install git"),
        ("test", {"git": GOOD_PYTHON}, "python3 is missing", PACKAGES),
        ("book PYTHON=python3.12", {"git": GOOD_PYTHON, "python3": GOOD_PYTHON}, "python3.12 is missing", PACKAGES),
        (
            "book",
            {"git": GOOD_PYTHON, "python3": OLD_PYTHON},
            "needs Python 3.11",
            "apt-get install python3.11 python3.11-venv",
        ),
        (
            "lab",
            {"git": GOOD_PYTHON, "python3": PYTHON_WITHOUT_VENV},
            "python3-venv is missing",
            "apt-get install python3-venv",
        ),
    ],
)
def test_missing_tool_is_named_with_its_install_line(command, programs, said, install, tmp_path):
    for name, text in programs.items():
        program(tmp_path / "programs" / name, text)
    fresh(tmp_path)
    result = make(tmp_path, *command.split(), path=tmp_path / "programs")
    assert result.returncode != 0
    assert said in result.stderr and install in result.stderr


@pytest.fixture
def installed(tmp_path):
    """A folder with an environment whose python only writes down what it is asked for."""
    program(tmp_path / ".venv/bin/python", f'#!/bin/sh\necho "$@" >> {tmp_path}/log\n')
    fresh(tmp_path)
    make(tmp_path, ".venv/test-installed", path=os.environ["PATH"])
    return tmp_path


def installations(folder):
    return [line.split("install ")[1] for line in (folder / "log").read_text().splitlines()]


def test_first_run_installs_the_book_then_the_tests(installed):
    assert installations(installed) == [
        "-r requirements.txt -c requirements.lock",
        OURS,
        "-r requirements-test.txt -c requirements.lock",
    ]


def test_only_a_changed_list_of_packages_is_installed_again(installed):
    make(installed, ".venv/test-installed", path=os.environ["PATH"])
    assert len(installations(installed)) == 3
    future = (installed / "log").stat().st_mtime + 10
    os.utime(installed / "requirements.txt", (future, future))
    make(installed, ".venv/book-installed", path=os.environ["PATH"])
    assert installations(installed)[3:] == [
        "-r requirements.txt -c requirements.lock",
        OURS,
    ]


def test_environment_whose_python_is_gone_is_made_and_filled_again(installed):
    maker = f'#!/bin/sh\n[ "$2" = venv ] || exit 0\nmkdir -p .venv/bin && cp {installed}/recorder .venv/bin/python\n'
    program(installed / "programs" / "python3", maker)
    (installed / ".venv/bin/python").rename(installed / "recorder")
    (installed / ".venv/bin/python").symlink_to("/nowhere/python3")  # as after an upgrade of the system
    result = make(installed, ".venv/test-installed", path=f"{installed}/programs:{os.environ['PATH']}")
    assert result.returncode == 0, result.stderr
    assert len(installations(installed)) == 6


def test_help_names_every_command():
    said = subprocess.run([MAKE, "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = re.search(r"^\.PHONY: help (.*)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1].split()
    assert [command for command in commands if not re.search(rf"(make|,) {command}\b", said)] == []


def test_every_folder_of_tests_has_a_stage():
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    with_book = {folder for stage in make_test_stages.SECOND for folder in stage.command}
    assert folders - with_book == {f"tests/{folder}" for folder in ALONE}


@pytest.mark.xdist_group("anything")
def test_groups_of_tests_stay_in_one_process(request):
    """xdist writes the group behind a test's name; where it does not, it has lost it."""
    assert request.node.nodeid.endswith("@anything") == request.config.getoption("loadgroup", False)


TESTS = """import pytest
@pytest.mark.parametrize("word", ["two words", "none"])
def test_good(word): pass
def test_bad(): assert [1] == [2]
@pytest.fixture
def broken(): raise ValueError
def test_broken(broken): pass
"""


@pytest.mark.long
def test_a_stage_says_how_many_tests_are_done_and_which_failed_and_is_compact_at_its_end(tmp_path, capsys):
    (tmp_path / "test_few.py").write_text(TESTS, "utf-8")
    stage = make_test_stages.tests("few tests", "", str(tmp_path), processes=1)
    stage.start()
    assert not stage.runs_for_another(100)
    first, *names = stage.progress().splitlines()
    assert re.fullmatch(r"\.\.\.    few tests +[\d.]+ s, 4 tests done \(100%\), 2 failed", first)
    assert sorted(name.partition("::")[2] for name in names) == ["test_bad", "test_broken"]
    assert "\n" not in stage.progress()  # each name is told once
    assert not stage.finish()
    said = capsys.readouterr().out
    assert "2 failed" not in said and "1 failed, 2 passed, 1 error" in said and "E   assert [1] == [2]" in said
    assert "test_good" not in said


def test_a_stage_that_runs_no_tests_says_how_long_it_has_run():
    stage = make_test_stages.Stage("style", "python", "-c", "import time; print('tests', flush=True); time.sleep(60)")
    stage.start()
    assert stage.runs_for_another(0)
    assert re.fullmatch(r"\.\.\.    style +[\d.]+ s", stage.progress())
    stage.process.kill()
    assert not stage.finish()


# -- what FAST=1 tests


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository of four chapters, left from origin/main with one commit more; a function runs git in it."""

    def git(*command):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *command], cwd=tmp_path, check=True)

    for name in ("pure", "zcdp", "rdp", "labs/count"):
        file = tmp_path / "chapters" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("old", "utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    (tmp_path / "chapters" / "pure.md").write_text("new", "utf-8")
    git("commit", "-q", "-a", "-m", "second")
    monkeypatch.setattr(make_test_stages, "ROOT", tmp_path)
    return SimpleNamespace(folder=tmp_path, git=git)


def test_chapters_and_checks_that_differ_count_committed_or_not_and_it_is_said_from_what(project):
    (checks := project.folder / "tests" / "claims").mkdir(parents=True)
    (checks / "test_zcdp.py").write_text('@claim("zcdp.md", "a-label")', "utf-8")
    change = make_test_stages.Change()
    assert change.chapters == ["pure", "zcdp"]
    assert re.fullmatch(
        r"2 of 4 chapters, or their checks, differ from commit \w{9}, where your branch left origin/main: pure, zcdp",
        change.words,
    )
    assert change.tests() == ["tests/claims/test_zcdp.py", "tests/text"]


def test_without_origin_the_last_commit_is_what_chapters_are_compared_with(project):
    project.git("update-ref", "-d", "refs/remotes/origin/main")
    change = make_test_stages.Change()
    assert (change.chapters, change.tests()) == ([], [])
    assert change.words == "0 of 4 chapters, or their checks, differ from the last commit (no origin/main here)"


@pytest.mark.parametrize(
    ("file", "folders"),
    [
        ("dp_lib/zcdp.py", ["dp_lib", "tests/maths"]),
        ("livefigures/README.md", ["livefigures/livefigures", "tests/engine"]),
        ("book/release_planner/answers.js", ["tests/planner"]),
        ("book/theme/pages.py", ["book", "tests/project"]),
        ("tests/planner/test_planner_answers.py", ["tests/planner"]),
        ("tests/site/test_axe.py", []),
        ("tests/figures.py", ["tests"]),
        ("README.md", ["tests/project"]),
    ],
)
def test_a_change_is_tested_where_its_tests_are(file, folders, project):
    (project.folder / file).parent.mkdir(parents=True, exist_ok=True)
    (project.folder / file).write_text("new", "utf-8")
    assert make_test_stages.Change().tests() == (folders if folders == ["tests"] else sorted([*folders, "tests/text"]))


def test_the_folders_of_a_change_and_of_its_tests_are_there():
    begins = [begin for begin in make_test_stages.AREAS if begin]
    assert [begin for begin in begins if not (ROOT / begin).is_dir()] == []
    folders = {folder for found in make_test_stages.AREAS.values() for folder in found}
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_fast_keeps_what_is_of_a_changed_chapter_or_of_none(monkeypatch):
    def item(*groups, long=None):
        marks = [SimpleNamespace(args=[group]) for group in groups]
        return SimpleNamespace(
            iter_markers=lambda _: marks, get_closest_marker=lambda name: long if name == "long" else None
        )

    kept = [item(), item("kernels"), item("pure"), item("pure", "zcdp")]
    left_out = [item("zcdp"), item("zcdp", "kernels"), item("pure", long=True)]
    told, items = [], [*left_out, *kept]
    hook = SimpleNamespace(pytest_deselected=lambda items: told.extend(items))
    monkeypatch.setenv("FAST_TESTS", "pure")
    pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)
    assert (items, told) == (kept, left_out)


# -- the lists of packages


def requirements(name):
    lines = (re.sub(r"\s*#.*", "", line) for line in (ROOT / name).read_text("utf-8").splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-r ")]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_every_package_is_pinned_and_comes_by_its_name(name):
    for requirement in requirements(name):
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert requirement.url is None


def test_the_lock_holds_every_package_of_ours_in_its_version():
    locked = {(pin.name, str(pin.specifier)) for pin in requirements("requirements.lock")}
    for name in ("requirements.txt", "requirements-test.txt"):
        for pin in requirements(name):
            assert (pin.name.lower(), str(pin.specifier)) in locked, "run `make lock`"


def test_dp_lib_accepts_the_pinned_versions():
    pins = {pin.name: str(pin.specifier).removeprefix("==") for pin in requirements("requirements.txt")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for dependency in map(Requirement, project["dependencies"]):
        assert dependency.specifier.contains(pins[dependency.name])


def test_every_extension_of_our_own_is_switched_on():
    files = [path.relative_to(ROOT / "book") for path in (ROOT / "book").glob("*/*.py")]
    ours = {
        ".".join(f.with_suffix("").parts) for f in files if "\ndef setup(" in (ROOT / "book" / f).read_text("utf-8")
    }
    assert set(book.PARTS) == ours
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]
    assert config["local_extensions"] == {"book": "."} and "book" in config["config"]["extensions"]


# -- the tests' browser


@pytest.fixture
def computer(monkeypatch):
    """A computer without a browser, whose user is not root; a test says what is different."""
    computer = SimpleNamespace(root=False, paths={}, starts={chromium.NODE}, brings={}, ran=[])

    def run(*command, **environment):
        computer.ran.append(" ".join(command).removeprefix(f"{sys.executable} -m "))
        computer.starts.add(computer.brings.get(command[0]))

    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_is_root", lambda: computer.root)
    monkeypatch.setattr(chromium, "_starts", lambda path: path in computer.starts)
    monkeypatch.setattr(chromium, "_playwright_path", lambda: "/download/chrome")
    monkeypatch.setattr(chromium.shutil, "which", lambda name: computer.paths.get(name))
    monkeypatch.setattr(chromium, "_run", run)
    return computer


def test_first_installed_browser_that_starts_is_taken(computer):
    computer.paths = {"chromium": "/bin/c", "chromium-browser": "/bin/snap", "google-chrome": "/bin/g"}
    computer.starts |= {"/bin/g"}
    assert chromium.ensure() == "/bin/g"
    computer.starts |= {"/bin/c"}
    assert chromium.ensure() == "/bin/c"
    assert computer.ran == []


def test_variable_names_the_browser_and_what_does_not_start_is_an_error_not_another_browser(computer, monkeypatch):
    computer.paths, computer.starts = {"chromium": "/bin/c"}, {chromium.NODE, "/bin/c"}
    monkeypatch.setenv("CHROMIUM", "/my/chrome")
    with pytest.raises(chromium.NoChromiumError, match="CHROMIUM=/my/chrome does not start"):
        chromium.ensure()
    computer.starts |= {"/my/chrome"}
    assert chromium.ensure() == "/my/chrome"


APT_GET = ["apt-get update", "apt-get install --yes --no-install-recommends chromium"]


@pytest.mark.parametrize(
    ("root", "brings", "ran"),
    [
        (True, {"apt-get": "/bin/c"}, APT_GET),
        (True, {sys.executable: "/download/chrome"}, [*APT_GET, "playwright install --with-deps chromium"]),
        (False, {sys.executable: "/download/chrome"}, ["playwright install chromium"]),
    ],
)
def test_package_of_debian_is_installed_else_the_download_and_nobody_is_asked_for_a_password(
    root, brings, ran, computer
):
    computer.paths = {"apt-get": "/bin/apt-get", "chromium": "/bin/c"}
    computer.root, computer.brings = root, brings
    assert [chromium.ensure()] == list(brings.values())
    assert computer.ran == ran


def test_where_nothing_can_be_installed_it_is_said_what_to_do_and_tests_install_nothing(computer):
    with pytest.raises(chromium.NoChromiumError, match="make test.*apt-get install chromium.*set CHROMIUM"):
        chromium.find()
    assert computer.ran == []
    with pytest.raises(chromium.NoChromiumError, match="apt-get install chromium.*set CHROMIUM"):
        chromium.ensure()


def test_root_gets_the_library_that_node_lacks_and_others_are_told_its_name(computer):
    computer.paths, computer.starts = {"apt-get": "/bin/apt-get", "chromium": "/bin/c"}, {"/bin/c"}
    with pytest.raises(chromium.NoChromiumError, match="apt-get install libatomic1"):
        chromium.ensure()
    computer.root, computer.brings = True, {"apt-get": chromium.NODE}
    assert chromium.ensure() == "/bin/c"
    assert computer.ran == ["apt-get update", "apt-get install --yes --no-install-recommends libatomic1"]


def test_program_that_is_not_there_does_not_start():
    assert not chromium._starts("/nowhere/chromium")
    assert not chromium._starts(shutil.which("false"))
    assert chromium._starts(shutil.which("true"))
