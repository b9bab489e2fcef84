# What contributors and CI run. Needs bash, make and python3 (3.10 or newer) with venv; uses uv where it is installed.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
# What uv is asked for: the Python that was named, else any that is new enough.
UV_PYTHON := $(if $(filter file,$(origin PYTHON)),>=3.10,$(PYTHON))
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CODE := lint tests docs
TREE ?=
VERL_PYTHON ?=
WHEELS ?=

NAME ?=
GROUP ?=

.PHONY: help setup lint test format style typecheck coverage package docs new-rule pins corpus syntax programs fuzz bench calibration consumers e2e \
    schemas hydra copies clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: $(INSTALLED) ## make .venv with the tool and everything its development needs

$(INSTALLED): pyproject.toml requirements-dev.txt
	@if command -v uv >/dev/null 2>&1; then \
	    uv venv --quiet --allow-existing --python '$(UV_PYTHON)' $(VENV); \
	    uv pip install --quiet --python $(BIN)/python --constraint requirements-dev.txt --editable '.[dev]'; \
	else \
	    $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	        || { echo 'setup: python 3.10 or newer is needed; name one with make PYTHON=...' >&2; exit 1; }; \
	    $(PYTHON) -m venv $(VENV); \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 \
	        --constraint requirements-dev.txt --editable '.[dev]'; \
	fi
	@touch $(INSTALLED)

lint: setup ## check every recipe, and its copies for older releases
	$(BIN)/recipe-lint check examples
	$(BIN)/recipe-lint copies

test: setup ## run the tests
	$(BIN)/python -m pytest -n auto

format: setup ## format the code
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

style: setup ## check the style of the code
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)

typecheck: setup ## check the types of the code
	$(BIN)/mypy

coverage: setup ## run the tests and show which lines none of them reaches
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

package: setup ## build the wheel and use it on the oldest and the newest Python that is here
	$(BIN)/python -m pytest tests/package/check_wheel.py

docs: setup ## write the pages of docs/ from code and data
	$(BIN)/python -m docs.generator

new-rule: setup ## start a rule: make new-rule NAME=rollout-odd GROUP=rollout
	@$(BIN)/python -m lint.rules.scaffold "$(GROUP)" "$(NAME)"

pins: ## choose the newest versions of what development needs (with uv)
	uv pip compile --quiet --upgrade --universal --python-version 3.10 --extra dev --no-annotate \
	    --custom-compile-command 'make pins' pyproject.toml --output-file requirements-dev.txt

corpus: setup ## compare with real bash on every script of a checkout: make corpus TREE=~/verl
	@[[ -d "$(TREE)" ]] || { echo 'corpus: name a checkout with TREE=' >&2; exit 2; }
	$(BIN)/python -m tests.corpus "$(TREE)"

syntax: setup ## compare our parser with shfmt on every script of a checkout: make syntax TREE=~/verl
	@[[ -d "$(TREE)" ]] || { echo 'syntax: name a checkout with TREE=' >&2; exit 2; }
	$(BIN)/python -m tests.bash.shfmt_witness "$(TREE)"

programs: setup ## compare our reading of random programs with real bash: make programs COUNT=20000
	$(BIN)/python -m tests.bash.fuzz_programs --count $(or $(COUNT),20000)

fuzz: setup ## feed mutated scripts, and then spoilt settings and the like: make fuzz TREE=~/verl [COUNT=10000] [SEED=1]
	$(BIN)/python -m tests.fuzz $(TREE) --count $(or $(COUNT),10000) --seed $(or $(SEED),1)
	$(BIN)/python -m tests.fuzz $(TREE) --count 1000 --seed $(or $(SEED),1) --around

schemas: setup ## build the schemas of verl releases again, from the package index
	$(BIN)/python -m tests.schema.rebuild

hydra: setup ## compare with real Hydra on random overrides: make hydra TREE=~/verl
	@[[ -d "$(TREE)" ]] || { echo 'hydra: name a checkout with TREE=' >&2; exit 2; }
	$(BIN)/python -m tests.launch.fuzz_hydra "$(TREE)"

copies: setup ## compare recipes and copies with bash and Hydra: make copies TREE=~/verl WHEELS=folder
	@[[ -d "$(TREE)" && -d "$(WHEELS)" ]] || { echo 'copies: name a clone with TREE= and wheels with WHEELS=' >&2; exit 2; }
	$(BIN)/python -m tests.copies.history_truth "$(TREE)"
	$(BIN)/python -m tests.copies.compare_truth "$(TREE)"
	$(BIN)/python -m tests.copies.carry_truth "$(TREE)" "$(WHEELS)"

bench: setup ## measure the speed: make bench TREE=~/verl [MANY=10000] [WRITE=1, into README.md]
	$(BIN)/python -m tests.bench $(TREE) $(if $(MANY),--many $(MANY)) $(if $(WRITE),--write)

consumers: setup ## hand reports, the action and the hook to the programs that they are for (with npm)
	$(BIN)/python -m pytest tests/output/real/check_consumers.py

calibration: setup ## compare the memory model with published measurements
	$(BIN)/python -m lint.memory.calibration

e2e: setup ## start recipes under the real verl: make e2e VERL_PYTHON=python-with-verl-0.9.1 WHEELS=folder
	@[[ -x "$(VERL_PYTHON)" && -d "$(WHEELS)" ]] || { echo 'e2e: name VERL_PYTHON= and WHEELS=' >&2; exit 2; }
	WHEELS="$(WHEELS)" $(BIN)/python -m pytest tests/examples/real/check_compose.py
	VERL_PYTHON="$(VERL_PYTHON)" $(BIN)/python -m pytest tests/examples/real/check_start.py tests/rules/real/check_verdicts.py

clean: ## remove what the other targets made
	rm -rf $(VENV) .recipe-lint-cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
