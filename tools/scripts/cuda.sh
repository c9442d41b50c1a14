# Functions that choose how the kernels are compiled: by an nvcc of the machine, by nvcc 13.0 from PyPI, or by clang++
# with the parts of CUDA 12.9 from PyPI. toolchain.sh sources this file.
# shellcheck shell=bash

root=${root:?toolchain.sh sets it}
cuda_wheels=$root/build/cuda-toolkit # nvcc 13.0 from PyPI
cuda_parts=$root/build/cuda-parts    # the parts of CUDA 12.9 that clang++ needs, from PyPI
nvidia_folder=${CHAINSHOT_NVIDIA_FOLDER:-/proc/driver/nvidia} # the variable is for tests
nvcc_places=(/usr/local/cuda/bin/nvcc /usr/local/cuda-1[2-9].*/bin/nvcc) # after those in PATH
cuda_values='off, wheels, wheels-12, wheels-13 or the path of an nvcc'

# The choice: one of `nvcc` (with `nvcc_host`, the C++ compiler it must use, or nothing) and `cuda_folder` is set, or
# neither, and then there is no CUDA.
nvcc=
nvcc_host=
cuda_folder=
cuda_way=       # nvcc:PATH, wheels-13, wheels-12 or none
cuda_refused=() # ways that have failed
objection=      # why the way that was tried last is not used, in one sentence
driver=         # the release of the NVIDIA driver, `unknown` if it does not say, or nothing
gpus=()         # lines of `CAPABILITY NAME`; none if they are not known
cuda_wanted=    # whether the user has asked for CUDA

has_nvidia_driver() {
  [[ -e $nvidia_folder/version ]] || ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' ||
    /sbin/ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'
}

read_gpus() {
  local smi line
  driver='' gpus=()
  for smi in nvidia-smi /usr/lib/wsl/lib/nvidia-smi; do
    command -v "$smi" >/dev/null || continue
    while IFS= read -r line; do
      [[ $line =~ ^([0-9]+(\.[0-9]+)+),\ ([0-9]+\.[0-9]),\ (.+)$ ]] || continue
      driver=${BASH_REMATCH[1]}
      gpus+=("${BASH_REMATCH[3]} ${BASH_REMATCH[4]}")
    done < <(timeout 30 "$smi" --query-gpu=driver_version,compute_cap,name --format=csv,noheader </dev/null 2>/dev/null)
    [[ ! $driver ]] || return 0
  done
  if [[ -r $nvidia_folder/version && $(<"$nvidia_folder/version") =~ [[:space:]]([0-9]{3,}(\.[0-9]+)+)[[:space:]] ]]; then
    driver=${BASH_REMATCH[1]}
  elif has_nvidia_driver; then
    driver=unknown
  fi
}

# Whether the driver is known to be older than the release.
driver_is_before() { [[ $driver =~ ^([0-9]+)\. ]] && ((BASH_REMATCH[1] < $1)); }

# Prints the first GPU whose compute capability (61 for 6.1) is from the first number to below the second.
gpu_between() {
  local gpu capability
  for gpu in "${gpus[@]}"; do
    capability=${gpu%% *}
    capability=${capability/./}
    if ((capability >= $1 && capability < $2)); then
      printf '%s (compute capability %s)' "${gpu#* }" "${gpu%% *}"
      return 0
    fi
  done
  return 1
}

# Whether nvcc makes a program of C++20 with the host compiler (its own choice if that is empty); else sets `objection`.
nvcc_compiles() {
  local nvcc=$1 host=$2 scratch status said
  scratch=$(mktemp -d)
  cat >"$scratch/program.cu" <<'CODE'
#include <ranges>
#include <span>
#include <string>
__global__ void kernel(int* to) { *to = 1; }
int main() {
  kernel<<<1, 1>>>(nullptr);
  return static_cast<int>(std::span<const char>(std::string("a")).size()) - 1;
}
CODE
  said=$(timeout 300 "$nvcc" -std=c++20 ${host:+-ccbin "$host"} -o "$scratch/program" "$scratch/program.cu" \
    </dev/null 2>&1)
  status=$?
  rm -rf "$scratch"
  ((status != 0)) || return 0
  said=$(grep -i -m 1 'error' <<<"$said" || head -n 1 <<<"$said")
  said=${said#*error*: }
  said=${said#*error -- }
  objection="$nvcc cannot compile C++20${host:+ with $host}: ${said:-it failed without a word}"
  return 1
}

# Whether this nvcc can be used. With `here` it must also suit the driver and the GPUs of this machine.
check_nvcc() {
  local nvcc=$1 here=${2:-} said cuda needed oldest gpu
  nvcc_host=''
  if ! said=$(timeout 60 "$nvcc" --version </dev/null 2>&1); then
    said=$(head -n 1 <<<"$said")
    objection="$nvcc does not run${said:+: $said}"
    return 1
  fi
  if [[ ! $said =~ release\ ([0-9]+)\.([0-9]+) ]]; then
    objection="$nvcc does not say which release of CUDA it belongs to"
    return 1
  fi
  cuda=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}
  if ((BASH_REMATCH[1] < 12)); then
    objection="$nvcc is CUDA $cuda, and the kernels need 12.0 or later"
    return 1
  fi
  if [[ $here ]]; then
    needed=525
    ((BASH_REMATCH[1] < 13)) || needed=580
    if driver_is_before "$needed"; then
      objection="$nvcc is CUDA $cuda, which needs driver $needed or later, and this machine has $driver"
      return 1
    fi
    oldest=$("$nvcc" --list-gpu-code 2>/dev/null | grep -o '[0-9]*' | sort -n | head -n 1)
    if gpu=$(gpu_between 52 "${oldest:-0}"); then
      objection="$nvcc is CUDA $cuda, which has no code for $gpu"
      return 1
    fi
  fi
  find_nvcc_host "$nvcc"
}

# Sets `nvcc_host` to a C++ compiler that nvcc works with, or to nothing if that is its own choice.
find_nvcc_host() {
  local nvcc=$1 host=${CUDAHOSTCXX:-} first checked=$root/build/nvcc-checked key
  mkdir -p "$root/build"
  key="$nvcc $(stat -L -c %Y "$nvcc") ${CUDAHOSTCXX:-} $(command -v g++)"
  if [[ -f $checked && $(head -n 1 "$checked") == "$key" ]]; then
    nvcc_host=$(tail -n +2 "$checked")
    return 0
  fi
  # A failure is said, and no reason to stop: the script `die`s in a subshell.
  [[ $host ]] || (require_packages "g++=g++")
  if nvcc_compiles "$nvcc" "$host"; then
    nvcc_host=$host
    printf '%s\n%s\n' "$key" "$host" >"$checked"
    return 0
  fi
  [[ ! $host ]] || return 1
  # Every release of CUDA refuses the g++ that came after it; an older one may be installed beside it.
  first=$objection
  for host in g++-{15..11}; do
    command -v "$host" >/dev/null || continue
    nvcc_compiles "$nvcc" "$host" || continue
    nvcc_host=$host
    printf '%s\n%s\n' "$key" "$host" >"$checked"
    return 0
  done
  objection=$first
  return 1
}

install_wheels() { # LIST FOLDER WHAT
  local log=$2.log part=$2.part
  if [[ ${CHAINSHOT_NO_INSTALL:-} ]]; then
    objection="$3 cannot be installed, because CHAINSHOT_NO_INSTALL is set"
    return 1
  fi
  python3 -m pip --version >/dev/null 2>&1 || require_packages python3-pip
  say "installing $3 from PyPI into ${2#"$root/"}"
  rm -rf "$2" "$part"
  mkdir -p "${2%/*}"
  if ! python3 -m pip install --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --target "$part" -r "$root/tools/scripts/$1" </dev/null 9>&- >"$log" 2>&1; then
    grep '^ERROR' "$log" >&2
    objection="$3 cannot be installed (see $log)"
    return 1
  fi
}

install_nvcc() {
  install_wheels cuda_toolkit.txt "$cuda_wheels" 'the CUDA compiler, nvcc 13.0 (272 MB)' || return 1
  # nvcc looks for libraries in lib64, and linkers look for names without a version.
  ln -s lib "$cuda_wheels.part/nvidia/cu13/lib64"
  ln -s libcudart.so.13 "$cuda_wheels.part/nvidia/cu13/lib/libcudart.so"
  mv "$cuda_wheels.part" "$cuda_wheels"
}

# Merges the wheels into one folder, as clang++ expects a toolkit.
install_parts() {
  install_wheels cuda_parts.txt "$cuda_parts" 'the parts of CUDA 12.9 that clang++ needs (60 MB)' || return 1
  local part=$cuda_parts.part wheels=$cuda_parts.part/nvidia wheel
  mkdir -p "$part/bin" "$part/lib64" "$part/nvvm"
  for wheel in cuda_nvcc cuda_runtime cuda_cccl nvtx; do
    cp -r "$wheels/$wheel/include" "$part/"
  done
  mv "$wheels/cuda_nvcc/nvvm/libdevice" "$part/nvvm/"
  mv "$wheels/cuda_nvcc/bin/ptxas" "$part/bin/ptxas"
  mv "$wheels/cu13/bin/fatbinary" "$part/bin/fatbinary-13"
  mv "$wheels/cuda_runtime/lib/"*.a "$part/lib64/"
  cp "$root/tools/scripts/fatbinary.sh" "$part/bin/fatbinary"
  rm -rf "$wheels" "$part"/*.dist-info
  mv "$part" "$cuda_parts"
}

# Whether the compiler of the release, which is given, is a clang++ that compiles kernels.
compiles_kernels() {
  [[ $("$1" -dM -E -x c++ - </dev/null 2>/dev/null) =~ __clang_major__\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= 19))
}

# Takes one way of compiling the kernels; sets `objection` if it cannot be taken.
take_way() {
  nvcc='' nvcc_host='' cuda_folder='' cuda_way=$1
  case $1 in
    nvcc:*)
      check_nvcc "${1#nvcc:}" "${2:-}" || return 1
      nvcc=${1#nvcc:}
      ;;
    wheels-13)
      local installed=$cuda_wheels/nvidia/cu13/bin/nvcc
      [[ -x $installed ]] || install_nvcc || return 1
      check_nvcc "$installed" "${2:-}" || return 1
      nvcc=$installed
      ;;
    wheels-12)
      local compiler=${release_compiler:-clang++-19}
      if ! compiles_kernels "$compiler"; then
        objection="CUDA 12.9 from PyPI needs clang++-19 or later, and the program is compiled by $compiler"
        return 1
      fi
      [[ -x $cuda_parts/bin/ptxas ]] || install_parts || return 1
      cuda_folder=$cuda_parts
      ;;
  esac
}

# Prints every nvcc of this machine once, one per line.
nvccs_of_machine() {
  local candidate
  if [[ ${CHAINSHOT_CUDA:-} == */* ]]; then
    printf '%s\n' "$CHAINSHOT_CUDA"
    return 0
  fi
  for candidate in "$(command -v nvcc)" "${nvcc_places[@]}"; do
    [[ ! -x $candidate ]] || printf '%s\t%s\n' "$(readlink -f -- "$candidate")" "$candidate"
  done | awk -F '\t' '!seen[$1]++ { print $2 }'
}

# Prints the wheels that suit this machine, the best first.
wheels_of_machine() {
  case ${CHAINSHOT_CUDA:-} in
    wheels-*) printf '%s\n' "$CHAINSHOT_CUDA" ;;
    */*) ;;
    *)
      if ! driver_is_before 580 && ! gpu_between 52 75 >/dev/null; then echo wheels-13; fi
      echo wheels-12
      ;;
  esac
}

expect_cuda_value() {
  case ${CHAINSHOT_CUDA:-} in
    '' | off) ;;
    wheels | wheels-12 | wheels-13) cuda_wanted=yes ;;
    */*)
      [[ -x $CHAINSHOT_CUDA ]] || die "CHAINSHOT_CUDA is $CHAINSHOT_CUDA, which is no program; expected $cuda_values"
      cuda_wanted=yes
      ;;
    *) die "CHAINSHOT_CUDA is $CHAINSHOT_CUDA; expected $cuda_values" ;;
  esac
}

# What the choice depends on. A choice is kept until this changes, because asking takes seconds.
choice_key() {
  printf '%s\n' "$root" "${CHAINSHOT_CUDA:-}" "${CUDAHOSTCXX:-}" "${release_compiler:-}"
  nvccs_of_machine
  has_nvidia_driver && echo driver
  cat "$nvidia_folder/version" "$nvidia_folder"/gpus/*/information 2>/dev/null | grep -E '^(NVRM|Model)'
}

keep_choice() {
  local IFS='|'
  printf '%s\n' "$cuda_way" "$nvcc_host" "${cuda_refused[*]}" "$(choice_key)" >"$root/build/cuda-choice"
}

# Whether the choice that was kept still holds.
kept_choice() {
  local file=$root/build/cuda-choice kept way host refused
  [[ -f $file ]] || return 1
  { IFS= read -r way && IFS= read -r host && IFS= read -r refused && kept=$(cat); } <"$file" || return 1
  [[ $kept == "$(choice_key)" ]] || return 1
  IFS='|' read -r -a cuda_refused <<<"$refused"
  nvcc='' nvcc_host=$host cuda_folder='' cuda_way=$way
  case $way in
    nvcc:*) nvcc=${way#nvcc:} ;;
    wheels-13) nvcc=$cuda_wheels/nvidia/cu13/bin/nvcc ;;
    wheels-12) cuda_folder=$cuda_parts ;;
    *) [[ ! $cuda_wanted ]] || return 1 ;;
  esac
  [[ ! $nvcc || -x $nvcc ]] && [[ ! $cuda_folder || -x $cuda_folder/bin/ptxas ]]
}

is_refused() {
  local refused
  for refused in "${cuda_refused[@]}"; do
    [[ $refused != "$1" ]] || return 0
  done
  return 1
}

# Whether there are a driver and a GPU that are worth installing a compiler.
machine_can_run_cuda() {
  [[ $driver ]] && ! driver_is_before 525 && { ((${#gpus[@]} == 0)) || gpu_between 52 999 >/dev/null; }
}

# Takes the first way that works, and says in one sentence each why others do not. A way that the user has named need
# not suit this machine: the program may be for another.
take_first_way() {
  local way ways=() too_old here=here
  [[ ${CHAINSHOT_CUDA:-wheels} == wheels ]] || here=
  if [[ ${CHAINSHOT_CUDA:-} != wheels* ]]; then
    mapfile -t ways < <(nvccs_of_machine)
    ways=("${ways[@]/#/nvcc:}")
  fi
  if driver_is_before 525; then
    say "the NVIDIA driver is $driver, and CUDA 12 needs 525 or later; update it, best to 580 or later"
  fi
  if too_old=$(gpu_between 0 52); then
    say "$too_old is too old; chainshot runs on compute capability 5.2 and later"
  fi
  if [[ $cuda_wanted ]] || machine_can_run_cuda; then
    mapfile -t -O "${#ways[@]}" ways < <(wheels_of_machine)
  fi
  for way in "${ways[@]}"; do
    is_refused "$way" && continue
    if take_way "$way" $here; then
      case $way in
        nvcc:*) ((${#cuda_refused[@]} == 0)) || say "the kernels are compiled by $nvcc" ;;
        wheels-12) say "the kernels are compiled by clang++ with CUDA 12.9, for drivers from 525 and GPUs from 5.2" ;;
        wheels-13) say "the kernels are compiled by nvcc 13.0, for drivers from 580 and GPUs from 7.5" ;;
      esac
      return 0
    fi
    say "$objection"
    cuda_refused+=("$way")
  done
  nvcc='' nvcc_host='' cuda_folder='' cuda_way=none
  ((${#ways[@]} > 0)) || [[ $driver ]] || return 0
  [[ ! $cuda_wanted ]] || die "no CUDA compiler can be used; CHAINSHOT_CUDA takes $cuda_values"
  say "building without CUDA; CHAINSHOT_CUDA takes $cuda_values, and --cuda tries again"
}

# Chooses how the kernels of a program for this machine are compiled. A machine without a CUDA compiler gets one if the
# argument is `wanted` (the option --cuda) or it has an NVIDIA driver. A failure ends the script only if CUDA is wanted.
find_cuda() {
  cuda_wanted=$1
  nvcc='' nvcc_host='' cuda_folder='' cuda_way=none
  expect_cuda_value
  [[ ${CHAINSHOT_CUDA:-} != off ]] || return 0
  ! kept_choice || return 0
  cuda_refused=()
  read_gpus
  take_first_way
  keep_choice
}

# Whether a build that fails for CUDA is to be tried in another way, so that its messages are of no use (run.sh).
tries_other_ways=
another_cuda_is_tried() { [[ $tries_other_ways && $cuda_way != none ]]; }

# After a build that failed for CUDA: names that way, and takes the next one.
find_another_cuda() {
  local name=${cuda_way#nvcc:}
  [[ $cuda_way != wheels-12 ]] || name='clang++ with CUDA 12.9'
  [[ $cuda_way != wheels-13 ]] || name='nvcc 13.0 from PyPI'
  say "$name cannot build the CUDA engine (see build/$1.*.log)"
  cuda_refused+=("$cuda_way")
  read_gpus
  take_first_way
  # The sources may be at fault, so the next build tries again.
  [[ $cuda_way == none ]] || keep_choice
}

# Chooses an nvcc whatever runs here: for the emulator, and for reports of the compiler. Installs one if the argument is
# `wanted` and there is none.
find_nvcc() {
  local way
  cuda_wanted=$1
  nvcc='' nvcc_host='' cuda_folder='' cuda_way=none
  expect_cuda_value
  [[ ${CHAINSHOT_CUDA:-} != off ]] || return 0
  if [[ ${CHAINSHOT_CUDA:-} != wheels* ]]; then
    while IFS= read -r way; do
      take_way "nvcc:$way" && return 0
      say "$objection"
    done < <(nvccs_of_machine)
  fi
  nvcc='' cuda_way=none
  [[ $cuda_wanted || -x $cuda_wheels/nvidia/cu13/bin/nvcc ]] || return 0
  take_way wheels-13 || die "$objection; CHAINSHOT_CUDA takes $cuda_values"
}

# Prints the settings of CMake for the choice and a preset.
cuda_settings() {
  case $1 in release | cuda-*) ;; *) return 0 ;; esac
  if [[ $nvcc ]]; then
    printf '%s\n' -DCHAINSHOT_CUDA=ON "-DCMAKE_CUDA_COMPILER=$nvcc" \
      "-DCUDAToolkit_ROOT=$(cd -P -- "$(dirname -- "$nvcc")/.." && pwd)"
    [[ ! $nvcc_host ]] || printf '%s\n' "-DCMAKE_CUDA_HOST_COMPILER=$nvcc_host"
  elif [[ $cuda_folder && $1 == release ]]; then
    printf '%s\n' -DCHAINSHOT_CUDA=ON "-DCHAINSHOT_CUDA_PARTS=$cuda_folder"
  fi
}
