"""Set-up: what the Makefile says and does, where the tests' browser comes from, what the lists of packages promise."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import chromium
import make_test_stages
import pytest
import yaml
from conftest import ALONE
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
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_is_root", lambda: False)
    monkeypatch.setattr(chromium, "_starts", lambda path: False)
    monkeypatch.setattr(chromium, "_playwright_path", lambda: "/download/chrome")
    monkeypatch.setattr(chromium.shutil, "which", {}.get)
    monkeypatch.setattr(chromium, "_run", failing)
    return monkeypatch


def failing(*command, **environment):
    raise subprocess.CalledProcessError(100, command)


def starts(*paths):
    return lambda path: path in paths


def test_installed_browser_is_taken_in_order_of_names(computer):
    computer.setattr(chromium.shutil, "which", {"chromium": "/bin/c", "google-chrome": "/bin/g"}.get)
    computer.setattr(chromium, "_starts", starts("/bin/c", "/bin/g"))
    assert chromium.ensure() == "/bin/c"


def test_browser_that_does_not_start_is_passed_over(computer):
    computer.setattr(chromium.shutil, "which", {"chromium-browser": "/bin/snap", "google-chrome": "/bin/g"}.get)
    computer.setattr(chromium, "_starts", starts("/bin/g"))
    assert chromium.ensure() == "/bin/g"


def test_variable_names_the_browser(computer):
    computer.setenv("CHROMIUM", "/my/chrome")
    computer.setattr(chromium.shutil, "which", {"chromium": "/bin/c"}.get)
    computer.setattr(chromium, "_starts", starts("/bin/c", "/my/chrome"))
    assert chromium.ensure() == "/my/chrome"


def test_variable_that_names_no_browser_is_an_error_not_another_browser(computer):
    computer.setenv("CHROMIUM", "/my/chrome")
    computer.setattr(chromium.shutil, "which", {"chromium": "/bin/c"}.get)
    computer.setattr(chromium, "_starts", starts("/bin/c"))
    with pytest.raises(chromium.NoChromiumError, match="CHROMIUM=/my/chrome does not start"):
        chromium.ensure()


def test_root_gets_the_package_of_debian(computer):
    ran = []

    def run(*command, **environment):
        ran.append(command)
        if "install" in command:
            computer.setattr(chromium.shutil, "which", {"chromium": "/bin/c"}.get)
            computer.setattr(chromium, "_starts", starts("/bin/c"))

    computer.setattr(chromium, "_is_root", lambda: True)
    computer.setattr(chromium.shutil, "which", {"apt-get": "/bin/apt-get"}.get)
    computer.setattr(chromium, "_run", run)
    assert chromium.ensure() == "/bin/c"
    assert [command[:2] for command in ran] == [("apt-get", "update"), ("apt-get", "install")]


@pytest.mark.parametrize(("root", "with_libraries"), [(True, True), (False, False)])
def test_download_is_the_last_way_and_asks_for_no_password(root, with_libraries, computer):
    ran = []

    def run(*command, **environment):
        ran.append(command)
        if command[0] == "apt-get":
            failing(*command)
        computer.setattr(chromium, "_starts", starts("/download/chrome"))

    computer.setattr(chromium, "_is_root", lambda: root)
    computer.setattr(chromium.shutil, "which", {"apt-get": "/bin/apt-get"}.get)
    computer.setattr(chromium, "_run", run)
    assert chromium.ensure() == "/download/chrome"
    assert ("--with-deps" in ran[-1]) is with_libraries
    assert (ran[0][0] == "apt-get") is root
    assert not any("sudo" in command for command in ran)


def test_every_way_that_failed_is_told(computer):
    computer.setattr(chromium, "_is_root", lambda: True)
    computer.setattr(chromium.shutil, "which", {"apt-get": "/bin/apt-get"}.get)
    with pytest.raises(chromium.NoChromiumError) as error:
        chromium.ensure()
    for words in ("apt-get install chromium", "set CHROMIUM", "install_package", "install_download"):
        assert words in str(error.value)


def test_tests_themselves_install_nothing(computer):
    with pytest.raises(chromium.NoChromiumError, match="make test"):
        chromium.find()


def test_root_gets_the_library_that_node_lacks_and_others_are_told_its_name(computer):
    with pytest.raises(chromium.NoChromiumError, match="apt-get install libatomic1"):
        chromium.ensure_node()
    ran = []
    computer.setattr(chromium, "_is_root", lambda: True)
    computer.setattr(chromium.shutil, "which", {"apt-get": "/bin/apt-get"}.get)
    computer.setattr(chromium, "_run", lambda *command, **environment: ran.append(command[-1]))
    chromium.ensure_node()
    assert ran == ["update", "libatomic1"]
    computer.setattr(chromium, "_starts", starts(chromium.NODE))
    chromium.ensure_node()
    assert len(ran) == 2


def test_program_that_is_not_there_does_not_start():
    assert not chromium._starts("/nowhere/chromium")
    assert not chromium._starts(shutil.which("false"))
    assert chromium._starts(shutil.which("true"))
