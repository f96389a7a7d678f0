"""What `make lab` does: put the chapters' notebooks into a folder for the reader, and open JupyterLab on them.

A notebook that the reader has changed stays as it is; a newer one of the book is put beside it. JupyterLab's settings,
its memory and the kernels' start-up files live in the book's own environment: nothing is written to the user's home,
and nothing from there changes how the book opens.
"""

import json
import os
import shutil
import sys
from pathlib import Path

from book.notebooks.downloads import EDITION, edition

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "_build" / "html" / "_sources" / "chapters"
SETTINGS = Path(__file__).parent / "lab_settings"  # a chapter's text opens as a notebook too; nothing is fetched
_FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
    "MPLCONFIGDIR": "matplotlib",
}


def bring(built: Path, folder: Path) -> list[Path]:
    """Copy the book's notebooks into the reader's folder; what is returned are those put beside a changed one."""
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(built.rglob("*.ipynb"))
    places = [(file, _place(file, folder / file.parent.relative_to(built))) for file in files]
    for file, place in places:
        if place is not None:
            place.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, place)
    return [place for file, place in places if place is not None and place.name != file.name]


def _place(file: Path, folder: Path) -> Path | None:
    """Where the book's notebook goes: over an untouched copy, or beside changed ones; None if the reader has it."""
    new, _ = _editions(file)
    place, number = folder / file.name, 1
    while place.exists():
        began_as, is_now = _editions(place)
        if began_as == new:
            return None
        if began_as == is_now:
            break
        number += 1
        place = folder / f"{file.stem}-{number}.ipynb"
    return place


def _editions(file: Path) -> tuple[str, str]:
    """The edition of the book that a notebook began as, and the one that its cells make now."""
    try:
        content = json.loads(file.read_text("utf-8"))
    except ValueError:
        return "", "broken"  # it counts as changed: the reader may still want it
    return content["metadata"].get(EDITION, ""), edition(content["cells"])


def environment(folder: Path) -> dict[str, str]:
    """The variables that keep Jupyter's, IPython's and matplotlib's own files in `folder`."""
    return {name: str(folder / place) for name, place in _FOLDERS.items()}


def command(root: Path, *options: str) -> list[str]:
    """JupyterLab on `root`, where dp_lib can be edited too, showing its folder `notebooks`."""
    fixed = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        "--LabApp.default_url=/lab/tree/notebooks",
        "--LanguageServerManager.autodetect=False",  # the search runs npm, which writes to the home
    ]
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # the only user of a container
    return [sys.executable, "-m", "jupyterlab", *fixed, *as_root, *options]


def main() -> None:
    for place in bring(BUILT, ROOT / "notebooks"):
        print(f"You have changed {place.name.rsplit('-', 1)[0]}.ipynb, so the book's newer one is {place.name}.")
    os.environ.update(environment(Path(sys.prefix) / "lab"))
    os.execv(sys.executable, command(ROOT, *sys.argv[1:]))


if __name__ == "__main__":
    main()
