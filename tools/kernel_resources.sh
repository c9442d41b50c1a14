#!/usr/bin/env bash
# Compiles the kernels for the architectures that differ and prints a Markdown table of registers per
# thread, bytes of stack and bytes spilled. Fails if a kernel of the small geometry has a stack or spills.
# usage: kernel_resources.sh [--clang] [ARCHITECTURE...]
# With --clang, clang++-19 compiles them with the parts of CUDA 12.9 from PyPI; else nvcc does. It also checks that an
# object file of clang++ has machine code for all that was asked for and for what is newer, and PTX.
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scripts/toolchain.sh"

by_clang=
architectures=(75 80 86 89 90 100 120)
if [[ ${1:-} == --clang ]]; then
  by_clang=yes
  architectures=(52 60 61 70 75 80 86 89 90)
  shift
  take_way wheels-12 || die "$objection"
else
  find_nvcc wanted
fi
(($# == 0)) || architectures=("$@")

# Reads the report of ptxas; prints lines of `kernel architecture registers stack spilled`.
read_report() {
  awk '
    /Compiling entry function/ {
      match($0, /'"'"'[^'"'"']*'"'"'/); kernel = substr($0, RSTART + 1, RLENGTH - 2)
      match($0, /sm_[0-9]+/); architecture = substr($0, RSTART, RLENGTH)
    }
    /bytes stack frame/ { stack = $1; spilled = $5 + $9 }
    /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print kernel, architecture, substr($0, RSTART + 5, RLENGTH - 5), stack, spilled }
  ' | c++filt | sed -E \
    -e 's/^void chainshot::cuda::(playout|tally)_kernel<chainshot::cuda::(Small|Wide)Game, ?/\1 \2 /' \
    -e 's/^chainshot::cuda::(find|expand)_moves_kernel\(.*\)/\1 Small beam/' \
    -e 's/^chainshot::cuda::chain_kernel\(.*\)/chain Small walk/' \
    -e 's/\(chainshot::cuda::Picking\)([0-9])/picking-\1/' \
    -e 's/, [0-9]+>\([^)]*\)//; s/>\([^)]*\)//; s/\(int\)//g' \
    -e 's/picking-0/tabu/; s/picking-1/counting/; s/picking-2/roulette/'
}

# As cuda/CMakeLists.txt has them.
compile_by_clang() {
  clang++-19 -std=c++20 -O3 -I"$root" -x cuda --cuda-path="$cuda_folder" -Wno-unknown-cuda-version -DR123_CUDA_DEVICE= \
    -DR123_USE_MULHILO64_CUDA_INTRIN=0 -Wno-pragma-once-outside-header -c "$@"
}

# The kernels of beams and chains are compiled without those of CUB around them.
compile() {
  local source
  for source in cuda/playout.cu cuda/beam_kernel.cuh cuda/chain_kernel.cuh; do
    if [[ $by_clang ]]; then
      compile_by_clang --cuda-gpu-arch="sm_$1" --cuda-device-only -Xcuda-ptxas -v -o "$scratch/sm_$1.cubin" \
        "$root/$source" 2>&1 || return
    else
      "$nvcc" -std=c++20 -O3 --expt-relaxed-constexpr -I"$root" -arch="sm_$1" -Xptxas -v -cubin -x cu \
        ${nvcc_host:+-ccbin "$nvcc_host"} -o "$scratch/sm_$1.cubin" "$root/$source" 2>&1 || return
    fi
  done
}

# Compiles one architecture per processor at a time and keeps each report in one piece.
# The output is not /dev/null, because a compiler that fails removes its output file.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export root nvcc nvcc_host cuda_folder by_clang scratch
export -f compile compile_by_clang
# shellcheck disable=SC2016
report=$(printf '%s\n' "${architectures[@]}" |
  xargs -P "$(nproc)" -I ARCHITECTURE bash -c 'report=$(compile ARCHITECTURE); status=$?; printf "%s\n" "$report"; exit $status') || {
  printf '%s\n' "$report" >&2
  die "the kernels do not compile"
}
printf '| kernel | geometry | form | architecture | registers | stack | spilled |\n| --- | --- | --- | --- | --- | --- | --- |\n'
rows=$(printf '%s\n' "$report" | read_report | sort -k1,1 -k2,2 -k3,3 -k4,4V)
printf '%s\n' "$rows" | awk '{ gsub(/ /, " | "); print "| " $0 " |" }'
# Before Volta, the chains of clang++ spill two registers, which a few instructions store and load.
bad=$(printf '%s\n' "$rows" | awk '
  { is_old_chain = $1 == "chain" && $4 ~ /sm_[56]/ }
  $1 != "tally" && $2 == "Small" && ($6 > (is_old_chain ? 8 : 0) || $7 > (is_old_chain ? 32 : 0))')
[[ -z $bad ]] || die "a kernel that must stay in registers does not: $bad"

[[ $by_clang ]] || exit 0
compile_by_clang --no-cuda-include-ptx=all "${architectures[@]/#/--cuda-gpu-arch=sm_}" \
  --cuda-include-ptx="sm_${architectures[-1]}" -o "$scratch/chain.o" "$root/cuda/chain.cu" || die "chain.cu does not compile"
found=$(python3 "$root/tools/scripts/list_gpu_code.py" "$scratch/chain.o" | sort | tr '\n' ' ')
wanted=$(printf '%s\n' "${architectures[@]/#/sm_}" sm_100 sm_103 sm_120 sm_121 "compute_${architectures[-1]}" | sort | tr '\n' ' ')
[[ $found == "$wanted" ]] || die "the object file has code for $found, not for $wanted"
