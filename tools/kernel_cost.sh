#!/usr/bin/env bash
# Counts the cost of the CUDA kernels with the emulator of tools/ptxcpu: warp instructions (PTX) per playout, including
# divergence. Prints one line per case: first the playout kernel, then the kernel that counts the results, then how many
# lanes of a warp are busy in the average instruction.
# usage: kernel_cost.sh [CASE...]     CASE: one, distinct, roulette, random, tabu-random, epsilon, once or wide; default all
#        kernel_cost.sh --regions     share of each function in the playout kernel, for the case `one`
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scripts/toolchain.sh"

lock_build
require_packages "${build_packages[@]}" "${emulator_packages[@]}"
find_nvcc wanted
build cuda-counted kernel_cost || exit 1
unlock_build

program=$root/build/cuda-counted/tools/kernel_cost
statistics=$(mktemp)
trap 'rm -f "$statistics" "$statistics".*' EXIT

count() { PTXCPU_STATS=$statistics "$program" "$1" || die "could not play the case $1"; }

if [[ ${1:-} == --regions ]]; then
  count one
  awk -F '\t' '$1 ~ /playout_kernel/ && NR > 1 { function_of[NR] = $2; count[NR] = $3; sum += $5 }
    END { for (i in count) printf "%5.1f %%  %s\n", 100 * count[i] / sum, function_of[i] }' \
    "$statistics.functions" | sort -rn
  exit
fi
while read -r name playouts title; do
  (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
  count "$name"
  awk -F '\t' -v playouts="$playouts" -v title="$title" '
    $1 ~ /playout_kernel/ { instructions += $5; warps += $9 }
    $1 ~ /tally_kernel/ { tally += $9 }
    END { printf "%.0f warp instructions per playout, and %.1f to count it; %.1f of 32 lanes busy: %s\n",
          warps / playouts, tally / playouts, instructions / warps, title }' "$statistics"
done < <("$program")
