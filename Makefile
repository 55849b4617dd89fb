# `make play` and `make test` install everything they need.
.DEFAULT_GOAL := help
.PHONY: help play test check lint web wheel develop chromium warm screenshots docs lock clean
PYTHON ?= python3
BIN := .venv/bin

help: ## show this list
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 13

play: web ## play in the browser: start a server on this machine and print its address
	@$(BIN)/rostra serve

web: ## install what playing needs, and rebuild the web page if its sources changed
	@$(PYTHON) tools/install.py play

develop: ## install what developing needs as well
	@$(PYTHON) tools/install.py develop

wheel: web ## build the package, with the web page inside, into dist/
	@$(BIN)/python -m hatchling build --target wheel

# The browser tests run in the system's Chromium.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  echo "installing Chromium for the browser tests (once)"; \
	  { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null \
	  || { echo "please install Chromium (Debian: apt-get install chromium)"; exit 1; }; }

lint: develop
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python hatch_build.py check

# Compile the rules once, before two test processes would each do it.
warm: develop
	@$(BIN)/python -c "from rostra.games import GAMES; from rostra.bots import prepare; [*map(prepare, GAMES.values())]"

check: lint warm chromium ## before every commit: lint, types, layers, fast tests
	$(BIN)/python -m pytest -n 2 -m "not slow"

test: lint warm chromium ## every check and test, exactly as CI runs them
	$(BIN)/python -m pytest -n 2 --verbose --durations=15

screenshots: develop chromium ## retake the pictures in docs/img
	PYTHONPATH=.:tests $(BIN)/python tests/web/screenshots.py

docs: develop ## build the site into build/site
	$(BIN)/python -m sphinx --quiet --fail-on-warning --builder html docs build/site
	@echo "open build/site/index.html"

# Both locks have the same versions: the one for playing is a part of the one for developing.
COMPILE := $(BIN)/uv pip compile --quiet --system-certs --universal --generate-hashes --no-header --python-version 3.11 --group build
lock: web ## update both lock files from pyproject.toml
	$(COMPILE) --upgrade --extra dev pyproject.toml --output-file requirements.lock
	$(COMPILE) --upgrade --extra server --constraint requirements.lock pyproject.toml --output-file requirements-play.lock

clean: ## remove .venv and all caches in the checkout
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
