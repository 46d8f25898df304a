# The front door. Each target installs what it needs on Debian 12, then builds and runs.
# Everything else is a CMake preset: cmake --workflow --preset dev|release|asan|tsan|corpora|fuzz|bench.
.PHONY: help build test test-web demo wheel test-python test-spark python-api lint format sbom sanitize corpora fuzz mutants torture bench bench-billion bench-spark

help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*##/\t/' | expand -t 16

build:  ## the release program, at build/release/sqmax
	@tools/install_dependencies.sh build
	cmake --workflow --preset release

test:  ## build with warnings as errors and run every test
	@tools/install_dependencies.sh build test
	cmake --workflow --preset dev

test-web:  ## the report and the explorer page in a real browser; screenshots in build/dev/screenshots
	@tools/install_dependencies.sh build test web
	cmake --preset dev && cmake --build --preset dev --target sqmax_program
	ctest --preset dev -R '^web\.'

demo: build  ## train, evaluate and explain a model of the Debian dependency graph
	@tools/demo.sh build/release/sqmax

wheel: build  ## the Python package, at build/dist
	@tools/install_dependencies.sh python
	tools/make_wheel.sh

# The quick ones alone: make test-python SHORT=1
test-python: wheel  ## tests of the Python package, from its wheel, in an environment of their own
	tools/test_python.sh $(if $(SHORT),short)

# The quick ones alone: make test-spark SHORT=1
test-spark: wheel  ## tests of sqmax.spark, on a cluster of one master and two workers
	@tools/install_dependencies.sh spark
	tools/test_spark.sh $(if $(SHORT),short)

python-api: wheel  ## pages of the Python package, by pdoc, at build/python-api
	tools/test_python.sh short -k docstrings
	build/python-env/bin/pip install -q --disable-pip-version-check pdoc
	build/python-env/bin/pdoc --docformat numpy -o build/python-api sqmax

sanitize:  ## every test but the rules under ASan+UBSan and under TSan
	@tools/install_dependencies.sh build test
	cmake --workflow --preset asan
	cmake --workflow --preset tsan

lint:  ## clang-format and clang-tidy; nothing is changed
	@tools/install_dependencies.sh build test lint
	@tools/lint.sh && echo "lint: clean"

# Of a program that is there already: make sbom SQMAX_BUILD=dev. make wheel writes the list of the wheel.
sbom: $(if $(SQMAX_BUILD),,build)  ## what the program is made of, as CycloneDX, at build/sbom.cdx.json
	tools/make_sbom.py build/$(or $(SQMAX_BUILD),release) > build/sbom.cdx.json

format:  ## let clang-format rewrite our sources
	@tools/install_dependencies.sh lint
	git ls-files --cached --others --exclude-standard '*.cc' '*.h' | xargs clang-format-14 -i

corpora:  ## what fuzzers kept, under ASan and a part of UBSan
	@tools/install_dependencies.sh build test
	cmake --workflow --preset corpora

# Longer: make fuzz FUZZ_SECONDS=3600
FUZZ_SECONDS ?= 10

fuzz:  ## a short run of every fuzzer
	@tools/install_dependencies.sh build test lint
	cmake --preset fuzz -D SQMAX_FUZZ_SECONDS=$(FUZZ_SECONDS)
	cmake --build --preset fuzz --target fuzzers
	ctest --preset fuzz

# Some of them alone: make mutants ONLY="rank train"
mutants:  ## seed bugs, one at a time, and look whether a test notices
	@tools/install_dependencies.sh build test
	tools/mutate.py $(if $(ONLY),--only $(ONLY))

# Some stages alone: make torture ONLY="kill soak"
torture:  ## an hour of kills, full disks, load, fuzzing, sanitizers and seeded bugs; a table at the end
	@tools/install_dependencies.sh build test lint
	tools/torture.py $(if $(ONLY),--only $(ONLY))

# More rounds, and a prepared dataset to measure quality on: make bench BENCH_ROUNDS=5 BENCH_REAL=ml-1m.safetensors
BENCH_ROUNDS ?= 3
BENCH_REAL ?=

bench:  ## kernels, peers and growth, to build/bench-results/RESULTS.md
	@tools/install_dependencies.sh build bench
	cmake --workflow --preset bench
	@mkdir -p build/bench-results
	build/bench/bench/sqmax_bench
	build/bench/bench/sqmax_roofline --json build/bench-results/roofline.json
	bench/peers.py --rounds $(BENCH_ROUNDS) $(if $(BENCH_REAL),--real $(BENCH_REAL))
	bench/growth.py --repeats $(BENCH_ROUNDS)
	bench/report.py

bench-billion:  ## a billion interactions; wants 40 GB of disk and some hours
	@tools/install_dependencies.sh build bench
	cmake --workflow --preset bench
	bench/billion.py
	bench/report.py

# Other data: make bench-spark SPARK_OPTIONS="--interactions 2000000 --rounds 1 --real ml-1m.safetensors"
bench-spark: wheel  ## fit beside Spark's ALS, quality, and time against data and partitions
	@tools/install_dependencies.sh spark
	@tools/spark_env.sh
	build/spark-env/bin/python bench/spark.py $(SPARK_OPTIONS)
