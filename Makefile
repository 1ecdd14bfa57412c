# One command to start: `make run`. One to check everything: `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TORCH := $(shell sed -n 's/^torch==/torch==/p' constraints.txt)
# A plain Linux machine may add PIP_TORCH="--index-url <PyTorch's CPU index>" to spare itself the CUDA build.
PIP_TORCH ?=
export OMP_NUM_THREADS ?= 1

.PHONY: setup run test lint format eval bench faults clean

setup: $(STAMP)

# The stamp is written last, so an interrupted install is simply done again.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(PIP_TORCH) "$(TORCH)"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[dev]"
	touch $(STAMP)

run: setup
	$(BIN)/fivefold load-sample
	$(BIN)/fivefold serve

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Every table of docs/benchmarks.md, from the development data in DATA.
DATA ?= ../shared/data/retrieval
eval: setup
	$(BIN)/python -m bench.benchmarks $(DATA)

# Every number of docs/performance.md; `--quick` or `--sizes` by hand for less.
bench: setup
	$(BIN)/python -m bench.performance --out docs/performance.md

# Breaks things on purpose for about half an hour, then writes docs/faults.md. Linux; as root more.
faults: setup
	rm -f bench/out/faults.json
	status=0; FIVEFOLD_KILLS=200 FIVEFOLD_LEARNING_KILLS=100 \
	  FIVEFOLD_FAULTS_NOTES=bench/out/faults.json \
	  $(BIN)/python -m pytest tests/faults -m faults || status=$$?; \
	$(BIN)/python -m tests.faults.report bench/out/faults.json docs/faults.md && exit $$status

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
