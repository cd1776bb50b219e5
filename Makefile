# make demo and make test do everything on a fresh Debian 12: install what is missing, build, run.
.PHONY: build annotate demo test test-fast test-long asan tsan bench python format clean configure page \
        dependencies all-dependencies python-dependencies test-dependencies
.DEFAULT_GOAL := build

CMAKE ?= cmake
CTEST ?= ctest

dependencies:
	@scripts/install-dependencies

# gingham-annotate needs more: OpenCV and what reads images.
all-dependencies:
	@scripts/install-dependencies annotate

python-dependencies:
	@scripts/install-dependencies python

# The report page is looked at in a browser; its script is built once more and compared.
test-dependencies:
	@scripts/install-dependencies annotate python browser

build/build.ninja: | dependencies
	$(CMAKE) --preset release

configure: dependencies build/build.ninja

build: configure
	$(CMAKE) --build build --target gingham_cli gingham_completion

annotate: all-dependencies configure
	$(CMAKE) -S . -B build -DGINGHAM_ANNOTATE=ON
	$(CMAKE) --build build --target gingham_cli gingham_completion gingham_annotate

demo: build
	rm -rf build/demo
	build/gingham demo --output build/demo

test: test-dependencies configure
	$(CMAKE) -S . -B build -DGINGHAM_ANNOTATE=ON -DGINGHAM_PYTHON=ON -DGINGHAM_BENCH=ON
	$(CMAKE) --build build
	$(CTEST) --preset release -j2

test-fast: configure
	$(CMAKE) --build build
	$(CTEST) --test-dir build -L fast -j2 --output-on-failure

test-long: configure
	$(CMAKE) --build build
	$(CTEST) --test-dir build -L long --output-on-failure

asan tsan: all-dependencies
	$(CMAKE) --preset $@ -DGINGHAM_ANNOTATE=$(if $(filter asan,$@),ON,OFF)
	$(CMAKE) --build --preset $@
	$(CTEST) --preset $@ -j2

bench: configure
	$(CMAKE) -S . -B build -DGINGHAM_BENCH=ON
	$(CMAKE) --build build --target gingham_bench
	build/gingham_bench || echo 'Some goals were not met in this run; on a busy machine that says little.'
	@if [ -e build/python/gingham/__init__.py ]; then PYTHONPATH=build/python /usr/bin/python3 bench/python_overhead.py; \
	else echo 'What the Python package adds to a fit: make python, then make bench again.'; fi

# The script and the looks of the report page, from report/page into report/bundle.
page:
	@scripts/install-dependencies browser
	cd report && npm ci --no-audit --no-fund && npm run build

# The package for Debian's python3, in build/python, and the command line beside it.
python: python-dependencies configure
	$(CMAKE) -S . -B build -DGINGHAM_PYTHON=ON
	$(CMAKE) --build build --target gingham_python_package gingham_cli gingham_completion

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build
