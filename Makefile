# Two commands: `make demo` shows what ordojo does, `make test` checks all of it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO ?= demo
# The versions that are installed; `make LOCK= ...` takes today's newest.
LOCK ?= lock.txt
# More options for what the demo asks the language model.
ASK ?=

# Where it is set, each of the tests' thousand processes would compile anew what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test pytest lint docs wheel demo-check installations lock newest perf clean

$(VENV)/demo.stamp: pyproject.toml $(LOCK)
	@$(PYTHON) tools/install.py install $(VENV) embedded,programs --lock '$(LOCK)'
	@touch $@

$(VENV)/dev.stamp: pyproject.toml $(LOCK)
	@$(PYTHON) tools/install.py install $(VENV) embedded,dev --lock '$(LOCK)'
	@touch $(VENV)/demo.stamp $@

# Every benchmark, small, on the questions that ship with ordojo: baselines, then a language model.
demo: $(VENV)/demo.stamp
	$(BIN)/ordojo models pull smollm2
	$(BIN)/ordojo eval orqa econlogicqa --runs $(DEMO)/runs \
		-T orqa.dataset=orqa@ordojo -T econlogicqa.dataset=econlogicqa@ordojo \
		--model ordojo/gold --model ordojo/majority --model ordojo/random --model ordojo/noop
	$(BIN)/ordojo eval orqa econlogicqa --runs $(DEMO)/runs \
		-T orqa.dataset=orqa@ordojo -T econlogicqa.dataset=econlogicqa@ordojo \
		--model ordojo/smollm2 --limit 24 $(ASK)
	$(BIN)/ordojo eval orqa --runs $(DEMO)/runs -T dataset=orqa@ordojo \
		-T prompt=cot -T reasoning_tokens=64 --model ordojo/smollm2 --limit 6 $(ASK)
	$(BIN)/ordojo eval or-bias --runs $(DEMO)/runs --model ordojo/gold --model ordojo/heuristic \
		--model ordojo/always-mean --model ordojo/random --model ordojo/noop
	$(BIN)/ordojo eval or-bias --runs $(DEMO)/runs -T mode=chat --max-tokens 120 --limit 10 \
		--model ordojo/smollm2 --model ordojo/smollm2-newsvendor $(ASK)
	$(BIN)/ordojo eval or-debug --runs $(DEMO)/runs --model ordojo/gold --model ordojo/elastic \
		--model ordojo/drop-everything --model ordojo/random --model ordojo/noop
	$(BIN)/ordojo eval or-debug --runs $(DEMO)/runs -T set=silent --limit 14 --model ordojo/gold \
		--model ordojo/drop-everything --model ordojo/noop
	$(BIN)/ordojo eval or-debug --runs $(DEMO)/runs -T set=eval-v1 -T history=state \
		-T max_steps=2 --max-tokens 96 --limit 3 \
		--model ordojo/smollm2 --model ordojo/smollm2-repair $(ASK)
	@if [ "$$(uname)" = Linux ]; then \
		$(BIN)/ordojo eval nl2opt --runs $(DEMO)/runs -T dataset=nl2opt@ordojo \
			--model ordojo/gold --model ordojo/random --model ordojo/noop && \
		$(BIN)/ordojo eval nl2opt --runs $(DEMO)/runs -T dataset=nl2opt@ordojo \
			--model ordojo/smollm2 --limit 3 --max-tokens 200 $(ASK); \
	else echo "nl2opt is left out: it runs programs in a sandbox, which needs Linux"; fi
	$(BIN)/ordojo hardness orqa -T dataset=orqa@ordojo --runs $(DEMO)/runs
	$(BIN)/ordojo plan $(DEMO)/runs --items 100000 --nodes 10 --cores 16
	@$(BIN)/ordojo report $(DEMO)/runs -o $(DEMO)/report > /dev/null
	@echo "The report is $(CURDIR)/$(DEMO)/report/index.html"

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

# The wheel in a fresh environment, its libraries lent by the development one so that no network
# is needed after the first install.
wheel: $(VENV)/dev.stamp
	rm -rf build/wheel
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel . > /dev/null
	$(PYTHON) tests/wheel_check.py $(BIN)/python build/wheel

# The demo's own commands with the libraries that its installation brings, and no others.
demo-check: wheel
	$(BIN)/python -m tests.demo_check build/wheel build/demo-check

# Each documented installation, with real work of its page and every library that programs may use.
installations: wheel
	$(BIN)/python -m tests.installations build/wheel build/installations

# Three on two cores: two, which wait for time limits, browsers and servers, kept 1.4 of them busy.
pytest: $(VENV)/dev.stamp
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

# The network is needed for the installation and, once, for the model's weights. One thread of
# arithmetic a process: threads that wait for each other beside other processes take all cores.
test: export OMP_NUM_THREADS := 1
test: $(VENV)/dev.stamp
	$(BIN)/ordojo models pull smollm2
	$(MAKE) docs
	$(MAKE) -j 2 pytest lint demo-check installations

# One version of every library, today's newest that fit together.
lock:
	$(PYTHON) tools/install.py lock

# All tests with today's newest of every library, every warning of theirs an error. No gate: it says
# what the next `make lock` would break.
newest: export OMP_NUM_THREADS := 1
newest:
	rm -rf build/newest
	$(MAKE) VENV=build/newest LOCK= build/newest/dev.stamp
	$(PYTHON) tools/install.py changed build/newest
	build/newest/bin/ordojo models pull smollm2
	build/newest/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder -W error \
		-W "ignore:Unclosed <MemoryObject:ResourceWarning" \
		-W "ignore:The 'initial' parameter is deprecated:DeprecationWarning"

# Speed, as ratios against named baselines; never part of `make test`.
perf: $(VENV)/dev.stamp
	$(BIN)/python -m perf

clean:
	rm -rf $(VENV) build demo
