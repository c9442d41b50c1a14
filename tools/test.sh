#!/usr/bin/env bash
# Builds and runs everything that must pass, installing what is missing; ends with `N passed, 0 failed`.
set -u
# shellcheck source=tools/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/toolchain.sh"

usage() {
  cat <<'TEXT'
usage: tools/test.sh [--cuda] [--quick | --nightly]

Builds with clang++ and g++, with the address, undefined-behaviour and thread sanitizers, runs every test in each,
fuzzes the parsers for a moment, and checks the form of the sources. Under 15 minutes on two cores from nothing.

  --quick     the release build and its tests only
  --nightly   tests at their nightly size, long fuzzing, clang-tidy over every file, arm64 under emulation; hours
  --cuda      have a CUDA compiler, from PyPI if the machine has none

Logs are in build/test-logs. CHAINSHOT_FUZZ_SECONDS sets how long each fuzz target runs.
TEXT
}

cuda=
if [[ ${1:-} == --cuda ]]; then
  cuda=wanted
  shift
fi
extent=full
case ${1:-} in
  '') ;;
  --quick) extent=quick ;;
  --nightly) extent=nightly ;;
  --help | -h)
    usage
    exit 0
    ;;
  *)
    say "'$1' is no option; expected --cuda, --quick or --nightly"
    exit 2
    ;;
esac
if (($# > 1)); then
  say "'$2' is one argument too many; expected --cuda first, then --quick or --nightly"
  exit 2
fi

jobs=$(nproc)
logs=$root/build/test-logs
fuzz_seconds=10
if [[ $extent == nightly ]]; then
  cmake_settings=(-DCHAINSHOT_NIGHTLY=ON)
  fuzz_seconds=500
fi

passed=0
failed=0
unrun=()   # what a test program left out, a line each
summary=() # a line for each stage

# Runs a stage: its title, then a command. The log of a stage that fails is shown.
stage() {
  local title=$1 log started=$SECONDS failed_before=$failed passed_before=$passed result=ok tests=
  log=$logs/${title//[^a-z0-9]/-}.log
  shift
  [[ ! -t 2 ]] || printf '%-32s ...\r' "$title" >&2
  if ! "$@" </dev/null >"$log" 2>&1; then
    result=FAILED
    # A check has no tests to count, and a test run may fail in other ways than by a test.
    ((failed > failed_before)) || failed=$((failed + 1))
    printf '\n===== %s failed; its log, %s:\n' "$title" "$log" >&2
    tail -n 300 "$log" >&2
    printf '=====\n\n' >&2
  fi
  ((passed == passed_before)) || tests=$((passed - passed_before))
  printf -v line '%-32s %-6s %5d s  %s' "$title" "$result" $((SECONDS - started)) "${tests:+$tests tests passed}"
  summary+=("$line")
  printf '%s\n' "$line" >&2
  [[ $result == ok ]]
}

# Runs the tests of a build folder and takes the counts from ctest's own report.
run_tests() {
  local preset=$1 results=$root/build/$1/test-results.xml status suite total=0 bad=0
  shift
  rm -f "$results"
  (cd "$root/build/$preset" && "${run_with[@]}" ctest --no-tests=error --output-on-failure -j "$jobs" \
    --output-junit "$results" "$@")
  status=$?
  [[ -f $results ]] || return 1
  suite=$(grep -m 1 -A 8 '<testsuite ' "$results" | tr '\n\t' '  ')
  [[ $suite =~ \ tests=\"([0-9]+)\" ]] && total=${BASH_REMATCH[1]}
  for kind in failures disabled skipped; do
    [[ $suite =~ \ $kind=\"([0-9]+)\" ]] && bad=$((bad + BASH_REMATCH[1]))
  done
  passed=$((passed + total - bad))
  failed=$((failed + bad))
  # GoogleTest's own skips stay inside a program that passes: they are told at the end.
  local line
  while IFS= read -r line; do
    unrun+=("$preset: $line")
  done < <(grep -o -E '\[  SKIPPED \] [A-Za-z0-9_/]+\.[A-Za-z0-9_/]+|YOU HAVE [0-9]+ DISABLED TESTS?' "$results" | sort -u)
  ((status == 0 && bad == 0 && total > 0))
}

build_and_test() {
  local title=$1 preset=$2
  shift 2
  stage "$title: build" build "$preset" && stage "$title: tests" run_tests "$preset" "$@"
}

# Sources of the project, as paths below the root.
sources() {
  (cd "$root" && find game cpu cuda host tools tests -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o \
    -name '*.cuh' \) -print0 2>/dev/null | sort -z)
}

check_format() {
  cd "$root" && sources | xargs -0 clang-format --dry-run -Werror
}

check_scripts() {
  cd "$root" && shellcheck -x tools/*.sh .ci/run
}

check_tidy() {
  cd "$root" && sources | grep -z '\.cpp$' | grep -z -v '^tests/' |
    xargs -0 -n 1 -P "$jobs" clang-tidy -p build/release --quiet --warnings-as-errors='*'
}

lock_build
mkdir -p "$logs"
packages=("${build_packages[@]}")
if [[ $extent != quick ]]; then
  packages+=("g++=g++" libclang-rt-14-dev "clang-format=clang-format" "clang-tidy=clang-tidy" "shellcheck=shellcheck")
fi
require_packages "${packages[@]}"
find_nvcc "$cuda"

build_and_test 'release' release
if [[ $extent != quick ]]; then
  # The thread sanitizer of clang 14 knows fewer layouts of the address space than newer kernels make.
  setarch -R true 2>/dev/null && run_with=(setarch -R)
  build_and_test 'address and undefined' asan
  build_and_test 'thread' tsan
  run_with=()
  build_and_test 'g++' gcc
  # Fuzz targets bring their own copy of the parsers: nothing else of that preset is needed.
  mapfile -t fuzzers < <(cd "$root/tests/fuzz" && basename -s .cpp fuzz_*.cpp)
  cmake_settings+=("-DCHAINSHOT_FUZZ_SECONDS=${CHAINSHOT_FUZZ_SECONDS:-$fuzz_seconds}")
  stage 'fuzz: build' build fuzz "${fuzzers[@]}" && stage 'fuzz: run' run_tests fuzz -R '^fuzz_'
  stage 'format' check_format
  stage 'scripts' check_scripts
  stage 'clang-tidy' check_tidy
fi

printf '\n'
printf '%s\n' "${summary[@]}"
printf '%-32s %-6s %5d s\n' 'all' '' "$SECONDS"
((${#unrun[@]} == 0)) || printf 'not run: %s\n' "${unrun[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
