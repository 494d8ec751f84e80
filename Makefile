# Warpbench. `make bench` and `make test` do everything on a fresh Debian 12 or Ubuntu 24.04, set-up included.
# The work is done by scripts/; this file names it.

SUITE ?= quick
FIG ?= all

.DEFAULT_GOAL := help
.PHONY: help bench figures site site-check test build setup setup-plots setup-test setup-nightly setup-lint nightly asan tsan cuda-compile format format-check lint lint-all fuzz doctor clean

help: ## what can be made (this list)
	@echo 'usage: make TARGET [VARIABLE=VALUE ...]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18
	@echo 'variables:'
	@echo '  SUITE           for bench: smoke, quick (default), paper, real, or an experiment such as che2019/table-7-range-filter-gpu'
	@echo '  BACKEND         cuda or simt; default: cuda where a GPU and nvcc are usable, else simt'
	@echo '  WARPBENCH_DATA  the folder with dataset files (DATA=... does the same); generated datasets need none'
	@echo '  OUT             for bench: the run directory; one that holds an interrupted run is resumed'
	@echo '                  for figures: the folder they go to (default results/MACHINE-figures)'
	@echo '                  for site: the folder its pages go to (default results/MACHINE-site)'
	@echo '  MACHINE         for figures and site: whose committed records, a folder of results/ (default: each)'
	@echo '  FIG             for figures: an experiment, a document, the name of a figure, or all (default)'

bench: build ## run a suite, verify every answer, draw figures and the report
	@scripts/bench.sh '$(SUITE)'

figures: setup-plots ## draw figures again from the committed records: FIG=yu2023/fig-4.4, yu2023 or all; no build
	@scripts/figures.sh '$(FIG)'

test: setup-test ## build and run all tests, under sanitizers: unit, conformance, end-to-end, plots, format
	@scripts/test.sh

nightly: setup-nightly ## what takes too long for every change: each sanitizer alone, all lane orders, whole nvcc compile, pages, Slurm, gdb
	@scripts/site-check.sh
	@scripts/cuda-compile.sh --whole
	@scripts/debugger-check.sh
	@scripts/test.sh nightly asan tsan
	@WARPBENCH=build/nightly/warpbench scripts/slurm/check.sh

site-check: setup-nightly ## open the pages of the site in a headless Chromium
	@scripts/site-check.sh

site: setup-plots ## render the committed records as static pages: documents, datasets, solvers; no build
	@scripts/site.sh

build: setup ## build the program into build/bench/
	@scripts/build.sh bench

setup: ## install what building and running need
	@scripts/setup.sh build

setup-plots: ## install what drawing figures needs: Python packages only
	@scripts/setup.sh plots

setup-test: ## ... and what the tests need
	@scripts/setup.sh test

setup-nightly: ## ... and a browser to open pages with, where there is a package of it
	@scripts/setup.sh nightly

setup-lint: ## ... and what lint and fuzz need
	@scripts/setup.sh lint

asan: setup-test ## the tests under AddressSanitizer and UBSan, kernels too
	@scripts/test.sh asan

tsan: setup-test ## the tests under ThreadSanitizer
	@scripts/test.sh tsan

cuda-compile: setup-test ## compile every kernel with nvcc for sm_90 where nvcc exists; needs no GPU
	@scripts/cuda-compile.sh

format: setup-test ## format C++, CUDA and Python sources
	@scripts/format.sh

format-check: setup-test ## say which sources are not formatted
	@scripts/format.sh --check

lint: setup-lint ## clang-tidy over what changed since the last commit but one, ruff and mypy
	@scripts/lint.sh

lint-all: setup-lint ## the same over all files
	@scripts/lint.sh --all

fuzz: setup-lint ## run each fuzz target of tests/fuzz for FUZZ_SECONDS (60)
	@scripts/fuzz.sh

doctor: ## what this machine can and cannot do, and what to do about it
	@scripts/doctor.sh

clean: ## remove what was built; results/ and .venv/ stay
	rm -rf build

export BACKEND OUT MACHINE
ifdef DATA
export WARPBENCH_DATA := $(DATA)
endif
