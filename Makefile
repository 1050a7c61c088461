# Every target sets up what it needs in .venv, so each works alone in a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard native/*) $(shell find src -name '*.py')
PYTEST := $(BIN)/python -m pytest

.PHONY: demo test lint types contract bench sanitize format clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras; a later set includes what an earlier one installed.
$(VENV)/.base: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.test: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--config-settings=cmake.define.NIWAKI_WERROR=ON ".[test]"
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--config-settings=cmake.define.NIWAKI_WERROR=ON ".[dev]"
	@touch $@ $(VENV)/.test

demo: $(VENV)/.base
	$(BIN)/python -m niwaki demo

test: $(VENV)/.test
	$(PYTEST) -n auto $(PYTEST_ARGUMENTS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp

types: $(VENV)/.dev
	$(BIN)/mypy

contract: $(VENV)/.dev
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/greedy.py
	$(BIN)/python benchmarks/sampling.py

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

# The core with address and undefined-behaviour checks, under the agreement tests.
sanitize: | $(BIN)/python
	PYTHON=$(PYTHON) sh tests/sanitize.sh

clean:
	rm -rf $(VENV) .venv-sanitize build
