#!/usr/bin/env bash
# Builds and runs all tests and checks, and installs missing packages. Ends with `N passed, 0 failed` if all pass.
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scripts/toolchain.sh"
cmake_settings=(-DCHAINSHOT_DEVELOPER=ON)

usage() {
  cat <<'TEXT'
usage: tools/test.sh [--emulate] [--quick | --nightly]

Builds and tests the release (clang++) with the CUDA engine, and again with the address and undefined-behaviour
sanitizers (clang++) and the thread sanitizer (g++). Also fuzzes the parsers for a moment, compiles the kernels by nvcc
and by clang++, and checks the format of the sources. A first run takes about 15 minutes on two cores.

CUDA kernels run on the device if there is one, else in the emulator of tools/ptxcpu, which checks every memory access.
The CUDA compiler comes from PyPI if the machine has none.

  --emulate   use the emulator even if there is a device
  --quick     build and test only the release, without CUDA if there is no device
  --nightly   take hours: run the tests at their nightly size, the tests of the emulator, every test with the thread
              sanitizer, the release without the emulator, a release by g++, long fuzzing, clang-tidy on every file, and
              arm64 under emulation

Logs are in build/test-logs. CHAINSHOT_FUZZ_SECONDS sets how long each fuzz target runs.
TEXT
}

emulate=
has_nvidia_driver || emulate=yes
if [[ ${1:-} == --emulate ]]; then
  emulate=yes
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
    say "'$1' is not an option; expected --emulate, --quick or --nightly"
    exit 2
    ;;
esac
if (($# > 1)); then
  say "'$2' is one argument too many; expected --emulate first, then --quick or --nightly"
  exit 2
fi

jobs=$(nproc)
logs=$root/build/test-logs
fuzz_seconds=10
if [[ $extent == nightly ]]; then
  cmake_settings+=(-DCHAINSHOT_NIGHTLY=ON)
  fuzz_seconds=500
fi

passed=0
failed=0
unrun=()   # tests that a program skipped, one line each
summary=() # one line per stage

# Prints the processor seconds in the output of `times`, which its last line has for the children of this script.
processor_seconds() {
  local minutes seconds total=0
  while IFS=ms read -r minutes seconds; do
    total=$((total + minutes * 60 + ${seconds%.*}))
  done < <(tail -n 1 <<<"$1" | tr ' ' '\n')
  printf '%d' "$total"
}

# Runs the stage TITLE COMMAND... and shows its log if it fails.
stage() {
  local title=$1 name=${1//[^a-z0-9 ]/} log started=$SECONDS failed_before=$failed passed_before=$passed result=ok tests=
  local used
  times >"$logs/.times"
  used=$(processor_seconds "$(<"$logs/.times")")
  log=$logs/${name// /-}.log
  shift
  [[ ! -t 2 ]] || printf '%-36s ...\r' "$title" >&2
  if ! "$@" </dev/null >"$log" 2>&1; then
    result=FAILED
    # Count the failure if no test did: a check has no tests, and a test run can fail before its first test.
    ((failed > failed_before)) || failed=$((failed + 1))
    printf '\n===== %s failed; its log, %s:\n' "$title" "$log" >&2
    tail -n 300 "$log" >&2
    printf '=====\n\n' >&2
  fi
  ((passed == passed_before)) || tests=$((passed - passed_before))
  times >"$logs/.times"
  used=$(($(processor_seconds "$(<"$logs/.times")") - used))
  local line
  printf -v line '%-36s %-6s %5d s  %5d s of processor time  %s' "$title" "$result" $((SECONDS - started)) "$used" \
    "${tests:+$tests tests passed}"
  summary+=("$line")
  printf '%s\n' "$line" >&2
  [[ $result == ok ]]
}

# Runs the tests of a preset and reads the counts from the report of ctest.
run_tests() {
  local preset=$1 results=$root/build/$1/test-results.xml status suite total=0 bad=0
  shift
  rm -f "$results"
  # Some tests wait more than they compute, so run one more than there are processors.
  (cd "$root/build/$preset" && "${run_with[@]}" ctest --no-tests=error --output-on-failure -j "$((jobs + 1))" \
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
  # ctest counts a program as passed even if GoogleTest skipped some of its tests; list those at the end.
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

# Builds and runs only the named tests.
build_and_run() {
  local title=$1 preset=$2
  shift 2
  stage "$title: build" build "$preset" "$@" &&
    stage "$title: tests" run_tests "$preset" -R "^($(printf '%s\n' "$@" | paste -s -d '|'))\$"
}

# Lists the sources of the project, as paths below the root.
sources() {
  (cd "$root" && find machine cluster game cpu cuda host api tools python examples tests -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o \
    -name '*.cuh' \) -print0 2>/dev/null | sort -z)
}

check_format() {
  cd "$root" && sources | xargs -0 clang-format --dry-run -Werror
}

check_scripts() {
  cd "$root" && shellcheck -x tools/*.sh tools/scripts/*.sh tools/install/*.sh tools/install/*.bash tests/tools/*.sh .ci/run tools/ptxcpu/test/run
}

check_tidy() {
  # clang-tidy needs a command for every single file, and cannot read headers that another compiler precompiled.
  local cmake_settings=(-DCHAINSHOT_DEVELOPER=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
  configure debug || return 1
  # That build contains neither the emulator nor the Python module.
  cd "$root" && sources | grep -z '\.cpp$' | grep -z -v -E '^(tools/ptxcpu|python|examples)/' |
    xargs -0 -n 1 -P "$jobs" clang-tidy -p build/debug --quiet --warnings-as-errors='*'
}

# g++ compiles tools/ only in nightly runs; daily runs check its syntax and warnings, in the groups of a unity build.
check_tools_by_gcc() {
  printf '%s\0' "$root"/build/tsan/tools/CMakeFiles/chainshot.dir/Unity/*.cxx | xargs -0 -n 1 -P "$jobs" \
    g++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$root" -DCHAINSHOT_VERSION='"0"'
}

# Checks that the program plays the same games on another processor.
check_arm64() {
  local here there
  here=$("$root/build/release/tools/chainshot" bench | tail -n 1) || return 1
  there=$(qemu-aarch64 "$root/build/arm64/tools/chainshot" bench | tail -n 1) || return 1
  printf 'here:  %s\narm64: %s\n' "$here" "$there"
  [[ $here == signature* && $here == "$there" ]]
}

# Makes the .deb, the tarball and the Python package, as people do.
check_packages() {
  build package || return 1
  (
    cd "$root/build/package" && rm -f ./*.deb ./*.tar.gz && cpack &&
      dpkg-deb -c ./*.deb | grep ' \./usr/bin/chainshot$' && tar tzf ./*.tar.gz | grep '^chainshot-[^/]*/lib/chainshot/libfmt'
  ) || return 1
  python3 -m pip wheel --no-deps --wheel-dir "$root/build/wheel" "$root"
}

# Builds the release and runs all its tests. Without a device, the build includes the emulator for the kernels; nightly
# runs also test a release without the emulator.
test_release() {
  local unwanted=()
  # A quick run installs no browser.
  if [[ $extent == quick && $(missing_packages "${browser_packages[@]}") ]]; then
    unwanted=(-E '^report_page_test$')
  fi
  if [[ ! $emulate ]]; then
    build_and_test 'release (clang++)' release "${unwanted[@]}"
    return
  fi
  if [[ $extent == quick ]]; then
    cmake_settings+=(-DCHAINSHOT_CUDA=OFF)
    build_and_test 'release (clang++)' release "${unwanted[@]}"
    unset 'cmake_settings[-1]'
    return
  fi
  local left_out=(-LE '^emulator$')
  if [[ $extent == nightly ]]; then
    build_and_test 'release (clang++)' release -LE '^cuda$'
    left_out=()
  fi
  build_and_test 'release, CUDA emulated' cuda-checked "${left_out[@]}"
}

# Lists the tests in the given folders of tests/ that name threads.
tests_with_threads() {
  local folder
  for folder; do
    grep -r -l -i 'thread' --include='*_test.cpp' "$root/tests/$folder" | xargs -r basename -a -s .cpp
  done
}

lock_build
mkdir -p "$logs"
packages=("${compiler_packages[@]}" "${build_packages[@]}" "${test_packages[@]}")
if [[ $extent != quick ]]; then
  packages+=("${emulator_packages[@]}" "${browser_packages[@]}" libclang-rt-19-dev "clang-format=clang-format" "shellcheck=shellcheck" faketime
    "zsh=zsh" "fish=fish")
fi
if [[ $extent == nightly ]]; then
  packages+=("clang-tidy=clang-tidy" "g++-aarch64-linux-gnu=aarch64-linux-gnu-g++" "qemu-user=qemu-aarch64")
fi
require_packages "${packages[@]}"
# Both compilers of the kernels are tested where both can be had; what runs them comes from nvcc, but on devices.
clang_parts=
if [[ $extent != quick && ${CHAINSHOT_CUDA:-} != off ]]; then
  take_way wheels-12 && clang_parts=$cuda_folder
  [[ $clang_parts ]] || unrun+=("kernels by clang++: $objection")
fi
if [[ ! $emulate ]]; then
  find_cuda wanted
elif [[ $extent != quick ]]; then
  find_nvcc wanted
fi

if [[ $extent == quick ]]; then
  test_release
else
  # Only the release has the Python module.
  settings_of_all=("${cmake_settings[@]}")
  require_python_module
  test_release
  cmake_settings=("${settings_of_all[@]}")
fi
if [[ $extent != quick ]]; then
  stage 'kernels by nvcc' "$root/tools/kernel_resources.sh"
  [[ ! $clang_parts ]] || stage 'kernels by clang++' "$root/tools/kernel_resources.sh" --clang 61 90
  stage 'format' check_format
  stage 'scripts' check_scripts
  stage 'layers' python3 "$root/tools/scripts/check_layers.py"
  # Newer kernels randomise the address space more than the sanitizers support.
  setarch -R true 2>/dev/null && run_with=(setarch -R)
  # Daily runs leave out what other tests would find anyway: searches that only check scores, and, with the thread
  # sanitizer, all tests without threads.
  if [[ $extent == nightly ]]; then
    build_and_test 'address, undefined (clang++)' asan
    build_and_test 'thread (g++)' tsan
  else
    build_and_test 'address, undefined (clang++)' asan -E '^reproduction_test$'
    # Only the live page of tools/ starts threads of its own. allocation_test counts heap allocations, and the others that
    # are left out set a number of threads where it matters little.
    mapfile -t threaded < <(tests_with_threads cpu host | grep -v -E \
      '^(allocation|beam_evaluation|beam_pruning|bonus_share|chessboards|complexity|graph_search|leaf_batch|move_shares|open_set|registry|replay|reproduction|round_plan|top_move|tree(_batch_descent|_duplicates|_invariants|_kind|_memory|_node_store|_proof|_pruning)?)_test$')
    build_and_run 'thread (g++)' tsan "${threaded[@]}" watch_server_test
    stage 'warnings (g++)' check_tools_by_gcc
  fi
  run_with=()
  # Fuzz targets compile the parsers themselves, so build nothing else of that preset.
  mapfile -t fuzzers < <(cd "$root/tests/fuzz" && basename -a -s .cpp fuzz_*.cpp)
  cmake_settings+=("-DCHAINSHOT_FUZZ_SECONDS=${CHAINSHOT_FUZZ_SECONDS:-$fuzz_seconds}")
  stage 'fuzz: build' build fuzz "${fuzzers[@]}" && stage 'fuzz: run' run_tests fuzz -R '^fuzz_'
  unset 'cmake_settings[-1]'
fi
if [[ $extent == nightly ]]; then
  build_and_test 'g++' gcc
  stage 'clang-tidy' check_tidy
  stage 'packages' check_packages
  stage 'arm64: build' build arm64 chainshot && stage 'arm64: bench' check_arm64
fi

printf '\n'
printf '%s\n' "${summary[@]}"
times >"$logs/.times"
printf '%-36s %-6s %5d s  %5d s of processor time\n' 'all' '' "$SECONDS" "$(processor_seconds "$(<"$logs/.times")")"
((${#unrun[@]} == 0)) || printf 'not run: %s\n' "${unrun[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
