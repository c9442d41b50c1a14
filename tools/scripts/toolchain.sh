# Functions that the scripts of tools/ source: installing packages and the CUDA toolkit, and building a preset.
# All messages go to stderr; stdout belongs to the program.
#
# Settings, all optional:
#   CHAINSHOT_NO_INSTALL=1   install nothing; use only what the machine has
#   CHAINSHOT_CUDA=off       build without CUDA even if there is a toolkit
#   CHAINSHOT_CUDA=wheels    use the toolkit from PyPI that suits the driver and the GPUs, even if there is another
#   CHAINSHOT_CUDA=wheels-13 use nvcc 13.0 from PyPI (driver 580 and later)
#   CHAINSHOT_CUDA=wheels-12 use clang++ with the parts of CUDA 12.9 from PyPI (driver 525 and later)
#   CHAINSHOT_CUDA=PATH      use this nvcc
#   CUDAHOSTCXX=COMPILER     the C++ compiler that nvcc uses
#   CXX=COMPILER             compile with it: clang++ 16 or g++ 12, or a newer one (run.sh)
# shellcheck shell=bash

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf 'chainshot: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 1
}

# Lets one script at a time change the build folder, so that `run.sh ... | run.sh ...` works before the first build.
lock_build() {
  mkdir -p "$root/build" || die "cannot write to $root"
  exec 9>"$root/build/.lock"
  flock 9
}
unlock_build() { exec 9>&-; }

# Debian packages. An entry is a package, or package=command if the command may come from elsewhere.
# shellcheck disable=SC2034
compiler_packages=("clang-19=clang++-19")
# shellcheck disable=SC2034
build_packages=("cmake=cmake" "ninja-build=ninja" librandom123-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libsqlitecpp-dev libsqlite3-dev libcpp-httplib-dev "pkg-config=pkg-config")

# Further packages that only the tests need.
# shellcheck disable=SC2034
test_packages=(libgtest-dev librapidcheck-dev libopenmpi-dev "openmpi-bin=mpirun")

# Further packages that the emulator of tools/ptxcpu needs.
# shellcheck disable=SC2034
emulator_packages=("python3=python3" "g++=g++" "binutils=ld")

# Further packages that test the web page in a real browser, by Debian's own Python.
# shellcheck disable=SC2034
browser_packages=("chromium=chromium" "chromium-driver=chromedriver" python3 python3-selenium)

# Further packages that the Python module needs, for Debian's own Python.
# shellcheck disable=SC2034
python_packages=("python3=python3" python3-dev python3-numpy)

missing_packages() {
  local entry installed libraries=()
  for entry; do
    if [[ $entry != *=* ]]; then
      # Libraries may come from elsewhere.
      [[ ${CMAKE_PREFIX_PATH:-} ]] || libraries+=("$entry")
    elif ! command -v "${entry#*=}" >/dev/null; then
      printf '%s\n' "${entry%%=*}"
    fi
  done
  ((${#libraries[@]})) || return 0
  # Without dpkg the script cannot look for libraries; CMake will name the first one that is missing.
  command -v dpkg-query >/dev/null || return 0
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${libraries[@]}" 2>/dev/null)
  for entry in "${libraries[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\ninstalled '"$entry"$'\n'* ]] || printf '%s\n' "$entry"
  done
}

# Installs those of the given packages that are missing.
require_packages() {
  local missing log=$root/build/packages.log as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  local needed="${missing[*]}"
  [[ -z ${CHAINSHOT_NO_INSTALL:-} ]] || die "packages are missing and CHAINSHOT_NO_INSTALL is set; install: $needed"
  command -v apt-get >/dev/null || die "packages are missing and there is no apt-get; install what Debian calls: $needed"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "packages are missing; run as root: apt-get install $needed"
    as_root=(sudo)
    say "installing Debian packages with sudo: $needed"
  else
    say "installing Debian packages: $needed"
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  # An update that fails for one source may still have fetched what is needed.
  if ! {
    "${apt[@]}" update || true
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
  } </dev/null 9>&- >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    die "cannot install the packages (see $log); install them by hand: $needed"
  fi
}

# Whether the compiler is a clang++ or g++ that knows enough of C++20 and has the headers and libraries of C++.
can_compile() {
  local version
  command -v "$1" >/dev/null || return 1
  version=$("$1" -dM -E -x c++ - </dev/null 2>/dev/null) || return 1
  "$1" -std=c++20 -fsyntax-only -x c++ - <<<'#include <ranges>' >/dev/null 2>&1 || return 1
  if [[ $version =~ __clang_major__\ ([0-9]+) ]]; then
    ((BASH_REMATCH[1] >= 16))
  else
    [[ $version =~ __GNUC__\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= 12))
  fi
}

# Whether packages can be installed here without asking anybody.
can_install() {
  [[ -z ${CHAINSHOT_NO_INSTALL:-} ]] && command -v apt-get >/dev/null && ((EUID == 0))
}

# Chooses the compiler of the release: CXX, clang++-19, or another clang++. Programs by g++ are slower, so it is taken
# only where clang++-19 cannot be installed. Without any of them, the package of clang++-19 is needed.
release_compiler=clang++-19
find_compiler() {
  local candidate
  if [[ ${CXX:-} ]]; then
    can_compile "$CXX" || die "CXX is $CXX; expected the name of clang++ 16 or g++ 12, or of a newer one, without options"
    cmake_settings+=("-DCMAKE_CXX_COMPILER=$CXX")
    release_compiler=$CXX
    return 0
  fi
  for candidate in clang++-19 clang++-{25..20} clang++-{18..16} clang++ g++ g++-{20..12}; do
    can_compile "$candidate" || continue
    if [[ $candidate == g++* ]] && can_install; then
      # A failure is said, and no reason to stop: the script `die`s in a subshell.
      if (require_packages "${compiler_packages[@]}"); then
        candidate=clang++-19
      else
        say "compiling with $candidate, whose programs are slower"
      fi
    fi
    [[ $candidate == clang++-19 ]] || cmake_settings+=("-DCMAKE_CXX_COMPILER=$candidate")
    release_compiler=$candidate
    return 0
  done
  require_packages "${compiler_packages[@]}"
}

# shellcheck source=tools/scripts/cuda.sh
source "$root/tools/scripts/cuda.sh"

# Lets the release have the Python module, and installs what that needs.
require_python_module() {
  local folder=$root/build/python-packages list=$root/tools/scripts/python_packages.txt log=$root/build/python-packages.log
  require_packages "${python_packages[@]}"
  if ! cmp -s "$list" "$folder/python_packages.txt"; then
    python3 -m pip --version >/dev/null 2>&1 || require_packages python3-pip
    say "installing nanobind from PyPI into build/python-packages"
    rm -rf "$folder"
    python3 -m pip install --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
      --target "$folder" -r "$list" </dev/null 9>&- >"$log" 2>&1 || die "cannot install nanobind (see $log)"
    cp "$list" "$folder/"
  fi
  cmake_settings+=(-DCHAINSHOT_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3 "-Dnanobind_ROOT=$folder/nanobind/cmake")
}

# Further settings for CMake, as -DNAME=VALUE, and a command that ninja and ctest are started with, if any.
cmake_settings=()
run_with=()

# Configures a preset, unless that was already done for this folder, these settings and this CMakePresets.json.
configure() {
  local preset=$1 folder=$root/build/$1 settings=() log=$root/build/$1.configure.log
  # Builds with sanitizers or for other processors do not use CUDA.
  mapfile -t settings < <(cuda_settings "$preset")
  settings+=("${cmake_settings[@]}")
  local stamp=$folder/configured-for configured_for
  printf -v configured_for '%s\n' "$root" "${settings[@]}"
  if [[ -f $folder/build.ninja && -f $stamp && ! $root/CMakePresets.json -nt $stamp ]] &&
    [[ $(<"$stamp") == "${configured_for%$'\n'}" ]]; then
    return 0
  fi
  rm -f "$stamp"
  if ! (cd "$root" && cmake --fresh --preset "$preset" "${settings[@]}") </dev/null 9>&- >"$log" 2>&1; then
    ! another_cuda_is_tried || ! grep -A 3 'CMake Error' "$log" | grep -q -i cuda || return 3
    cat "$log" >&2
    say "cannot configure the preset $preset"
    return 1
  fi
  printf '%s' "$configured_for" >"$stamp"
}

# Reads the lines of ninja; announces the build once and, on a terminal, shows its progress.
show_progress() {
  local line announced=
  while IFS= read -r line; do
    [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (.*) && ${BASH_REMATCH[1]} != Re-checking* ]] || continue
    [[ $announced ]] || say "building $1"
    announced=yes
    [[ ! -t 2 ]] || printf '\r\033[K%.78s' "$line" >&2
  done
  [[ ! -t 2 || ! $announced ]] || printf '\r\033[K' >&2
}

# CMake cuts the library folder of nvcc at a space, so pass it to the linker by LIBRARY_PATH.
[[ $root != *[[:space:]]* ]] || export LIBRARY_PATH=$cuda_wheels/nvidia/cu13/lib${LIBRARY_PATH:+:$LIBRARY_PATH}

# Builds targets of a preset, or all of them if none is named. Prints nothing if there is nothing to do. Returns 3 if
# CUDA is to blame for a failure and there are other ways to compile the kernels.
build() (
  set -o pipefail
  preset=$1 log=$root/build/$1.build.log
  shift
  configure "$preset" || exit
  cd "$root/build/$preset" || exit 1
  run_ninja() { "${run_with[@]}" ninja "$@" </dev/null 9>&- 2>&1 | tee "$log" | show_progress "build/$preset"; }
  run_ninja "$@" && exit 0
  # After a system upgrade, headers may be older than the precompiled headers made from their predecessors.
  if grep -q 'modified since the precompiled header' "$log"; then
    find . -name '*.pch' -delete
    run_ninja "$@" && exit 0
  fi
  ! another_cuda_is_tried || ! grep -q '^FAILED: cuda/.*\.cu\.o' "$log" || exit 3
  grep -v '^\[[0-9]*/[0-9]*\]' "$log" >&2
  say "cannot build the preset $preset"
  exit 1
)
