# The verbs of daily life. `make` alone lists them.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
ROUNDS ?= 100
PREFIX ?= /usr/local
RUNTIME ?= $(CURDIR)/build/release/cmd/langsbx/langsbx
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# Debian 12 packages, in one place.
BUILD_PACKAGES := g++ lld cmake ninja-build ccache pkg-config git ca-certificates \
  libseccomp-dev libcap-dev libyajl-dev nlohmann-json3-dev \
  libfyaml-dev libgtest-dev libgmock-dev libsystemd-dev \
  libboost-dev libboost-program-options-dev
CHECK_PACKAGES := clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev python3 busybox-static \
  uidmap libc6-dev golang-github-opencontainers-specs-dev strace valgrind shfmt zsh fish man-db groff-base r-base-core chromium
PEER_PACKAGES := runc crun runsc hyperfine strace valgrind bubblewrap firejail gcc libc6-dev bandit shellcheck golang-go
CLIENT_PACKAGES := docker.io docker-compose containerd podman conmon buildah containernetworking-plugins iptables iproute2 \
  uidmap slirp4netns catatonit tini
VM_PACKAGES := qemu-system-x86 qemu-system-common mmdebstrap kmod cpio busybox-static e2fsprogs zstd xz-utils

.PHONY: help setup setup-peers setup-clients setup-vm build release run serve demo test unit integration clients suites bench cost \
  lint gates format format-check tidy asan clang fuzz mutants tree-sitter install package test-vm test-vm-short clean
.DEFAULT_GOAL := help

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

APT = $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 install -y -q --no-install-recommends

setup: ## Install what building and testing need (Debian 12)
	$(SUDO) apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 update -q
	$(APT) $(BUILD_PACKAGES) $(CHECK_PACKAGES)

setup-peers: ## Install the runtimes that bench and comparisons use
	$(APT) $(PEER_PACKAGES)

setup-clients: ## Install Docker, containerd, Podman; starts none of them
	[ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' | $(SUDO) tee /usr/sbin/policy-rc.d >/dev/null; \
	  $(SUDO) chmod +x /usr/sbin/policy-rc.d; }
	$(APT) $(CLIENT_PACKAGES)

setup-vm: ## Install QEMU and what makes the images
	$(APT) $(VM_PACKAGES)

build/%/build.ninja: CMakeLists.txt CMakePresets.json
	cmake --preset $* $(CMAKE_ARGS)

build: build/release/build.ninja ## Build the release binary
	cmake --build build/release -j $(JOBS) --target langsbx langsbxd documents
	if ninja -C build/release -t query langsbx-systemd >/dev/null 2>&1; then \
	  cmake --build build/release -j $(JOBS) --target langsbx-systemd; fi

ORDER := $(CURDIR)/build/release/order.txt
release: build ## The release binary with its functions in the order of their use (root; else as they come)
	integration/bench/order --program $(RUNTIME).symbols --out $(ORDER) || [ $$? = 3 ]
	if [ -s $(ORDER) ]; then cmake -S . -B build/release -DLANGSBX_ORDER=$(ORDER) > /dev/null && \
	  cmake --build build/release -j $(JOBS) --target langsbx; fi

run: build ## Run a small Python program in a sandbox
	$(RUNTIME) execute integration/hello.py

serve: build ## Start the service on 127.0.0.1:8700; state in build/serve
	mkdir -p build/serve && $(RUNTIME) serve --state $(CURDIR)/build/serve

demo: build ## Run a container made from busybox (root)
	$(SUDO) integration/demo $(RUNTIME)

test: asan integration ## Unit tests under ASan and UBSan, then integration tests (root)

unit: build/debug/build.ninja ## Unit tests without sanitizers, with g++
	cmake --build build/debug -j $(JOBS)
	python3 tests/gates/unit.py build/debug $(JOBS)

integration: build ## The built binary on real bundles (root)
	$(SUDO) env RUNTIME=$(RUNTIME) python3 integration/run.py -j $(JOBS) $(SUITES)

clients: build ## Real Docker, containerd, CRI and Podman with langsbx beside runc (root)
	$(SUDO) python3 integration/clients/run.py $(if $(TREE),--tree $(TREE)) --runtime runc --runtime $(RUNTIME) $(CLIENTS)

suites: build ## Suites of others that are in SUITES_DIR: runc's, crun's (root)
	$(SUDO) integration/others/run --suites "$(SUITES_DIR)" --runtime $(RUNTIME) $(SUITES)

bench: release setup-peers ## Compare with runc, crun, runsc and bubblewrap (SECTIONS="run exec", ROUNDS=100)
	$(SUDO) integration/bench/run --runtime $(RUNTIME) --rounds $(ROUNDS) --out build/bench $(SECTIONS)

cost: build ## System calls and instructions of run and exec against their bounds (root)
	$(SUDO) integration/bench/cost --runtime $(RUNTIME)

test-vm: build ## Integration suites inside virtual machines (cgroup v2, systemd, other kernels)
	integration/vm/test $(VARIANTS)

test-vm-short: build ## What CI runs of them: one kernel, cgroup v2, a smoke set (root)
	integration/vm/short

gates: format-check ## Cheap checks on the sources
	python3 tests/gates/check_sizes.py
	python3 tests/gates/check_links.py
	python3 tests/gates/check_words.py
	python3 tests/gates/check_security.py
	python3 tests/gates/check_opens.py
	python3 tests/gates/check_rules.py
	python3 tests/gates/check_kernel.py
	python3 tests/gates/check_languages.py
	python3 tests/gates/table.py

CXX_FILES = $(shell git ls-files -co --exclude-standard '*.cc' '*.h' | grep -v /fixtures/ | xargs -r ls 2>/dev/null)

format: ## Lay out all sources
	clang-format-14 -i $(CXX_FILES)

format-check:
	clang-format-14 --dry-run --Werror $(CXX_FILES)

# Every file takes minutes; TIDY_FILES bounds it (CI passes the changed ones).
TIDY_FILES ?= $(filter-out tests/%,$(filter %.cc,$(CXX_FILES)))
tidy: build/asan/build.ninja ## clang-tidy (TIDY_FILES="a.cc b.cc" for some)
	printf '%s\n' $(TIDY_FILES) | xargs -r -n 1 -P $(JOBS) clang-tidy-14 --quiet -p build/asan

lint: gates tidy ## gates and clang-tidy

clang: build/clang/build.ninja ## Build everything with clang, run the unit tests
	cmake --build build/clang -j $(JOBS)
	python3 tests/gates/unit.py build/clang $(JOBS)

asan: build/asan/build.ninja ## Unit tests under ASan and UBSan, with clang: no root, no network
	cmake --build build/asan -j $(JOBS)
	ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  python3 tests/gates/unit.py build/asan $(JOBS)

FUZZ_SECONDS ?= 20
fuzz: build/asan/build.ninja ## Each fuzzer for FUZZ_SECONDS
	cmake --build build/asan -j $(JOBS)
	tests/gates/run_fuzzers build/asan $(FUZZ_SECONDS)

LANGUAGE ?= go
PATHS ?= /usr/lib/go
mutants: ## How many random mistakes the tests notice (root; COUNT=60 SEED=1 FOLDERS="runtime oci languages")
	$(SUDO) python3 tests/gates/mutants/run.py --count $(or $(COUNT),60) --seed $(or $(SEED),1) $(FOLDERS)

tree-sitter: build/release/build.ninja ## The scanners beside tree-sitter's grammars (needs npm): LANGUAGE=go PATHS=folders
	cmake --build build/release -j $(JOBS) --target scanner_dump
	tests/languages/tree_sitter/compare --work build/tree-sitter --dump build/release/tests/languages/scanner_dump \
	  $(LANGUAGE) $(PATHS)

install: release ## Install to PREFIX (DESTDIR works)
	cmake --install build/release --prefix $(PREFIX)

package: release ## A Debian package in build/release
	cd build/release && cpack -G DEB

clean: ## Remove all that was built
	rm -rf build
