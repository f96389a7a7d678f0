# The book's commands. `make` or `make help` lists them; the first run makes the book's own environment in .venv.

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
BOOK_ENV := $(VENV)/book-installed
TEST_ENV := $(VENV)/test-installed
# Its own folder: the two editions, and what was read for each, stay apart.
CLASS := _build/without-solutions
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The chapters as notebooks are made with the book.
NOTEBOOKS := _build/html/_sources/chapters/index.ipynb

.PHONY: help book gallery preview chapter handout exam grading-trial pdf serve lab test walk bench mutants fault-injection clean lock reproducible test-latest

help:
	@echo "make book    build the book into _build/html"
	@echo "make book SOLUTIONS=0   the edition for a class, without solutions, into $(CLASS)"
	@echo "make gallery build the gallery and the documentation of livefigures into _build/gallery"
	@echo "make preview CHAPTER=zcdp   one chapter in the browser, built anew at each save (PORT=$(PORT))"
	@echo "make chapter NAME=new TITLE='What it is called'   begin a chapter: one of everything, ready to build and test"
	@echo "make handout LESSON=3   a lesson's homework: sheets, a key with points and the lab (after make book)"
	@echo "make exam SEED=2027     an exam of twelve questions with its key; another seed gives another one (LESSONS=1,3,4,7)"
	@echo "make pdf     the whole book as one PDF, printed by Chromium from the built pages"
	@echo "make serve   build it, then serve it on this computer (PORT=$(PORT))"
	@echo "make lab     open the chapters as notebooks in JupyterLab"
	@echo "make test    everything that must hold: style, types, numbers, texts, the built book in a browser, ..."
	@echo "             (make test FAST=1: what has changed, as far as it needs no built book)"
	@echo "make walk    the built book in Firefox and WebKit, with pictures in _build/walk (BROWSER=firefox: in that one alone)"
	@echo "make bench   measure the budgets of speed"
	@echo "make mutants MODULE=zcdp    change that module in a hundred ways: do its tests notice? (SAMPLE=200, JOBS=1)"
	@echo "make fault-injection  inject one mistake of each kind: which stage of the tests finds it?"
	@echo "More, for who maintains the book: make lock, test-latest, reproducible, grading-trial (see MAINTAINING.md)"
	@echo "make clean   remove what was built (the environment in $(VENV) stays)"
	@echo "Another Python: make book PYTHON=python3.12"

book: $(BOOK_ENV)
	@$(BIN)/jupyter-book build . -W -n --keep-going $(if $(filter 0,$(SOLUTIONS)),--path-output $(CLASS))
	@echo "Or serve it on this computer: make serve"

gallery: $(BOOK_ENV)
	@$(BIN)/sphinx-build -W -n --keep-going -q -j2 livefigures/gallery _build/gallery/html

preview: $(BOOK_ENV)
	@$(BIN)/python tools/preview.py "$(CHAPTER)" $(PORT)

chapter: $(BOOK_ENV)
	@$(BIN)/python tools/chapter.py "$(NAME)" "$(TITLE)"

serve: book
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

lab: $(BOOK_ENV)
	@test -e $(NOTEBOOKS) || $(MAKE) --no-print-directory book
	@$(BIN)/python book/notebooks/lab.py

# The stages stand with what each prevents in tests/make_test_stages.py. FAST=1 leaves out what needs the built book.
test: $(TEST_ENV)
	@$(if $(FAST),,$(BIN)/python tests/chromium.py)
	@$(BIN)/python tests/make_test_stages.py $(if $(FAST),--fast)

handout: $(BOOK_ENV)
	@$(BIN)/python -m book.handouts.homework "$(LESSON)"

exam: $(BOOK_ENV)
	@$(BIN)/python -m book.handouts.exam "$(SEED)" "$(LESSONS)"

pdf: $(TEST_ENV) book
	@$(BIN)/python tools/pdf.py

bench: $(TEST_ENV) book
	@$(BIN)/python tests/chromium.py
	@$(BIN)/python tests/benchmarks/budgets.py

# By hand, before a new version, since the tests drive Chromium alone. It needs Debian's firefox-esr, webkit2gtk-driver and xvfb.
walk: $(BOOK_ENV)
	@$(BIN)/python tests/other_browsers/walk.py $(BROWSER)

# By hand, now and then: they take long.
mutants: $(TEST_ENV)
	@$(PIP) install -r tests/requirements-mutants.txt
	@$(BIN)/python tests/mutants.py $(MODULE) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(JOBS),--jobs $(JOBS))

fault-injection: $(TEST_ENV)
	@$(BIN)/python tests/chromium.py
	@$(BIN)/python tests/fault_injection.py

# Two builds of this commit, in different places and times, are the same bytes.
reproducible: $(TEST_ENV)
	@$(BIN)/python tests/reproducible.py

# nbgrader, in an environment of its own, grades five submissions of a lab: right, wrong, tampered with, with errors, looping for ever.
GRADER := .venv-grader
grading-trial: $(BOOK_ENV)
	@test -e $(NOTEBOOKS) || $(MAKE) --no-print-directory book
	@$(MAKE) --no-print-directory VENV=$(GRADER) $(GRADER)/bin/python
	@$(GRADER)/bin/python -m pip --disable-pip-version-check --quiet install -e "./livefigures[notebook]" -e ".[notebook,labs,grading]"
	@PYTHONPATH=. $(BIN)/python tests/grading_trial.py $(GRADER)/bin/nbgrader

# The exact version of every package, ours and theirs, for each Python that the book supports. No hashes: they would
# bind the book to files of one registry, and mirrors that build their own wheels would refuse to install it.
lock: $(TEST_ENV)
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --upgrade \
	  --custom-compile-command "make lock" requirements-test.txt --output-file requirements.lock

# The same tests with the newest of everything that Jupyter Book 1.x allows, so that the book does not rot unseen.
LATEST := .venv-latest
test-latest:
	@$(MAKE) --no-print-directory VENV=$(LATEST) $(LATEST)/bin/python
	@sed -E '/^-r/d; s/^jupyter-book==[^ ]+/jupyter-book>=1.0.4,<2/; s/==[^ ]+//' \
	  requirements.txt requirements-test.txt > $(LATEST)/requirements.txt
	@$(LATEST)/bin/python -m pip --disable-pip-version-check --quiet install --upgrade -r $(LATEST)/requirements.txt
	@$(LATEST)/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --editable ./livefigures --editable .
	@$(LATEST)/bin/python -m pip freeze
	@$(LATEST)/bin/python tests/chromium.py
	@$(LATEST)/bin/python tests/make_test_stages.py

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

# A stamp is older than a changed list of requirements: then pip runs again, and only then.
$(BOOK_ENV): requirements.txt requirements.lock pyproject.toml livefigures/pyproject.toml $(BIN)/python
	@echo "Installing the book's packages into $(VENV) ..."
	@$(PIP) install -r requirements.txt -c requirements.lock
	@$(PIP) install --no-deps --editable ./livefigures --editable .
	@touch $@

$(TEST_ENV): requirements-test.txt $(BOOK_ENV)
	@echo "Installing the test packages into $(VENV) ..."
	@$(PIP) install -r requirements-test.txt -c requirements.lock
	@touch $@

# What is missing is named here, with the line that installs it: pip's own errors do not.
$(BIN)/python:
	@command -v git >/dev/null || { echo "git is missing. On Debian or Ubuntu: apt-get install git" >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || \
	  { echo "$(PYTHON) is missing. On Debian or Ubuntu: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is too old: the book needs Python 3.11 or newer. On Debian or Ubuntu:" >&2; \
	    echo "apt-get install python3.11 python3.11-venv, then: make book PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "python3-venv is missing. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making the book's environment in $(VENV) ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
