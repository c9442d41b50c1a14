#!/usr/bin/env bash
# Compiles the kernels for every architecture that the project supports and prints a Markdown table of registers per
# thread, bytes of stack and bytes spilled. Fails if a kernel of the small geometry has a stack or spills.
# usage: kernel_resources.sh [ARCHITECTURE...]
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scripts/toolchain.sh"

find_nvcc wanted
architectures=("$@")
(($#)) || architectures=("${cuda_architectures[@]}")

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

# The kernels of beams and chains are compiled without those of CUB around them.
compile() {
  local source
  for source in cuda/playout.cu cuda/beam_kernel.cuh cuda/chain_kernel.cuh; do
    "$nvcc" -std=c++20 -O3 --expt-relaxed-constexpr -I"$root" -arch="sm_$1" -Xptxas -v -cubin -x cu \
      -o "$scratch/sm_$1.cubin" "$root/$source" 2>&1 || return
  done
}

# Compiles one architecture per processor at a time and keeps each report in one piece.
# The output is not /dev/null, because a compiler that fails removes its output file.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export root nvcc scratch
export -f compile
# shellcheck disable=SC2016
report=$(printf '%s\n' "${architectures[@]}" |
  xargs -P "$(nproc)" -I ARCHITECTURE bash -c 'report=$(compile ARCHITECTURE); status=$?; printf "%s\n" "$report"; exit $status') || {
  printf '%s\n' "$report" >&2
  die "the kernels do not compile"
}
printf '| kernel | geometry | form | architecture | registers | stack | spilled |\n| --- | --- | --- | --- | --- | --- | --- |\n'
rows=$(printf '%s\n' "$report" | read_report | sort -k1,1 -k2,2 -k3,3 -k4,4V)
printf '%s\n' "$rows" | awk '{ gsub(/ /, " | "); print "| " $0 " |" }'
bad=$(printf '%s\n' "$rows" | awk '$1 != "tally" && $2 == "Small" && $6 + $7 > 0')
[[ -z $bad ]] || die "a kernel that must stay in registers does not: $bad"
