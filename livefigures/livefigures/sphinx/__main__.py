"""`python -m livefigures.sphinx my-book` writes a Jupyter Book of one page with a figure, a preset and a question."""

import shutil
import sys
from pathlib import Path

STARTER = Path(__file__).parent / "starter"


def main(words: list[str]) -> int:
    if len(words) != 1 or words[0].startswith("-"):
        print("usage: python -m livefigures.sphinx FOLDER (a new one, for a book of one page)", file=sys.stderr)
        return 2
    folder = Path(words[0])
    if folder.exists():
        print(f"{folder} is already there: name a new folder", file=sys.stderr)
        return 1
    shutil.copytree(STARTER, folder)
    print(f"Now: jupyter-book build {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
