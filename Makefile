# The two commands of the README are `make play` and `make test`; everything they need is set up here.
.DEFAULT_GOAL := help
.PHONY: help play test check lint warm lock clean
PYTHON ?= python3
BIN := .venv/bin

help: ## show this list
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rostra needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "setting up .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv==0.13.7'
	@$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

play: .venv/ready ## play a game in the terminal
	@$(BIN)/rostra play alea

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Two test processes would each compile the rules; one does it for both.
warm: .venv/ready
	@$(BIN)/python -c "from rostra.games import GAMES; from rostra.kernels import prepare; [*map(prepare, GAMES.values())]"

check: lint warm ## the two-minute part: lint, types, layers, fast tests
	$(BIN)/python -m pytest -n 2 -m "not slow"

test: lint warm ## everything, as CI runs it
	$(BIN)/python -m pytest -n 2 --verbose

lock: ## compile requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade \
	  --extra dev pyproject.toml --output-file requirements.lock

clean: ## remove the virtual environment and all caches in the checkout
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
