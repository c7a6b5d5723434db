# StoryAudit. Every target does its own set-up in .venv; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# Extras with an environment of their own, .venvs/NAME, and a lock, requirements/NAME.txt.
EXTRAS := release serve
STUDY = $(shell sed -n 's/^study: *\([^ \#]*\).*/\1/p' params.yaml)

export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONDONTWRITEBYTECODE =
export MLFLOW_DISABLE_TELEMETRY := true
export MLFLOW_SERVER_ENABLE_JOB_EXECUTION := false
export GX_ANALYTICS_ENABLED := false
export DVC_NO_ANALYTICS := true
export UV_NO_PROGRESS := 1

.DEFAULT_GOAL := help
.PHONY: help setup repro deps schema test coverage test-slow test-serve mutations bench lint style types release ui lock clean
.SECONDARY: $(EXTRAS:%=.venvs/%/ready)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(READY) ## make .venv with the locked packages, and compile the kernels

# An environment with the locked packages, in the folder $(1).
define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(1)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	$(1)/bin/uv pip install --quiet --python $(1)/bin/python --compile-bytecode --require-hashes -r requirements/lock.txt
	$(1)/bin/uv pip install --quiet --python $(1)/bin/python --no-deps --no-build-isolation --editable .
endef

$(READY): requirements/lock.txt requirements/uv.txt pyproject.toml
	$(call environment,$(VENV))
	$(BIN)/python -m audits.overlap.compiling
	@touch $@

# The same with an extra on top: by its version what pyproject.toml pins, the rest by hashes.
.venvs/%/ready: requirements/%.txt requirements/lock.txt requirements/uv.txt pyproject.toml
	$(call environment,.venvs/$*)
	$(PYTHON) tools/extra.py $* --pinned > .venvs/$*/pinned.txt
	.venvs/$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r .venvs/$*/pinned.txt
	.venvs/$*/bin/uv pip install --quiet --python .venvs/$*/bin/python --no-deps --require-hashes -r requirements/$*.txt
	.venvs/$*/bin/uv pip check --quiet --python .venvs/$*/bin/python
	@touch $@

# Tools alone: neither the wheel nor the list of packages is made by what is in them.
.venvs/release/ready: requirements/release.txt requirements/uv.txt
	$(PYTHON) -m venv --clear .venvs/release
	.venvs/release/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	.venvs/release/bin/uv pip install --quiet --python .venvs/release/bin/python --require-hashes -r requirements/release.txt
	@touch $@

repro: $(READY) ## build, track and audit everything; the report is reports/index.html
	dvc repro
	@storyaudit track --best-effort
	@storyaudit report findings/$(STUDY) findings/confederacy findings/hanna findings/storyalign
	@echo "Report: reports/index.html · compare runs: make ui · gate a release: storyaudit gate"

deps: $(READY) ## write into dvc.yaml the code that each stage loads (CHECK=--check: only look)
	$(BIN)/python tools/deps.py $(CHECK)

schema: $(READY) ## write the JSON Schema of findings into docs/schema
	$(BIN)/python tools/findings_schema.py

test: $(READY) ## run the tests, but for the slow ones
	pytest

coverage: $(READY) ## run the same tests, and say which lines and branches none of them runs
	pytest --cov --cov-report=term --cov-report=html

test-slow: $(READY) ## run the slow tests: whole studies in fresh clones
	pytest -m slow

test-serve: .venvs/serve/ready ## record from a real server of language models
	.venvs/serve/bin/python -m pytest -m slow -n 0 tests/end_to_end/test_real_server.py

mutations: $(READY) ## change core code in one place at a time, and see that a test notices
	python tools/mutations.py

bench: $(READY) ## measure what has a budget, and fail if a figure is over it (ONLY=commands: some of it)
	python -m benchmarks.budgets $(ONLY)

lint: style types ## check style and types

style: $(READY)
	ruff check .
	ruff format --check .

types: $(READY)
	mypy

release: .venvs/release/ready ## write the wheel, and the packages of the lock as CycloneDX, into dist
	.venvs/release/bin/hatchling build --target wheel --directory dist
	.venvs/release/bin/python tools/sbom.py dist

ui: $(READY) ## open the runs in MLflow's UI at http://127.0.0.1:5000
	MLFLOW_TRACKING_URI= storyaudit track
	mlflow ui --backend-store-uri sqlite:///mlflow.db --host 127.0.0.1 --port 5000

# An extra's lock, in which versions are those of lock.txt, and what pyproject.toml pins is left out.
lock_of = $(PYTHON) tools/extra.py $(1) | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --constraints requirements/lock.txt $$($(PYTHON) tools/extra.py $(1) --left-out) - -o requirements/$(1).txt

lock: $(READY) ## pin the newest packages that pyproject.toml allows
	cd requirements && echo uv | ../$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-header --no-annotate --no-emit-index-url - -o uv.txt
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra dev pyproject.toml -o requirements/lock.txt
	$(foreach extra,$(EXTRAS),$(call lock_of,$(extra)) &&) true

clean: ## remove what was built; the environment, DVC's cache and the tracked runs stay
	rm -rf data/experiments data/external data/pool data/study data/world models findings runs reports dist .coverage* .pytest_cache .mypy_cache .ruff_cache
