#!/usr/bin/env bash
# Counts the cost of the CUDA kernels with the emulator of tools/ptxcpu: warp instructions (PTX) per playout, per child
# of a beam, or per evaluation of an annealing chain, including divergence. Prints one line per case: first the playout
# kernel, then the kernel that counts the results, then how many lanes of a warp are busy in the average instruction. For
# a beam, the first number is for the kernels that expand states, and the second for CUB, which selects the best. The last line is the mean of chains.
# usage: kernel_cost.sh [CASE...]     CASE: one, distinct, roulette, random, tabu-random, epsilon, once, wide, beam,
#                                     beam-2000, beam-5-2000, or chain-BOARD-TEMPERATURE with board 1, 8 or 16 and
#                                     temperature 40, 22 or 12; `chain` for all of these; default all
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

# Plays a case, and prints its playouts, children or evaluations.
count() { PTXCPU_STATS=$statistics "$program" "$@" || die "could not play the case $1"; }

# Prints the warp instructions of chains that walk.
chain_instructions() { awk -F '\t' '$1 ~ /chain_kernel/ { warps += $9 } END { print warps }' "$statistics"; }

if [[ ${1:-} == --regions ]]; then
  count one >/dev/null
  awk -F '\t' '$1 ~ /playout_kernel/ && NR > 1 { function_of[NR] = $2; count[NR] = $3; sum += $5 }
    END { for (i in count) printf "%5.1f %%  %s\n", 100 * count[i] / sum, function_of[i] }' \
    "$statistics.functions" | sort -rn
  exit
fi
evaluation_costs=()
while read -r name unit title; do
  (($# == 0)) || [[ " $* " == *" $name "* || " $* " == *" ${name%%-*} "* && $unit == evaluation ]] || continue
  if [[ $unit == evaluation ]]; then
    # The cost after the burn-in is the difference of two runs.
    before=$(count "$name" burn-in) || exit 1
    instructions_before=$(chain_instructions)
    number=$(count "$name") || exit 1
    cost=$((($(chain_instructions) - instructions_before) / (number - before)))
    printf '%d warp instructions per evaluation: chains, %s\n' "$cost" "$title"
    evaluation_costs+=("$cost")
    continue
  fi
  number=$(count "$name") || exit 1
  if [[ $unit == playout ]]; then
    awk -F '\t' -v playouts="$number" -v title="$title" '
      $1 ~ /playout_kernel/ { instructions += $5; warps += $9 }
      $1 ~ /tally_kernel/ { tally += $9 }
      END { printf "%.0f warp instructions per playout, and %.1f to count it; %.1f of 32 lanes busy: %s\n",
            warps / playouts, tally / playouts, instructions / warps, title }' "$statistics"
  else
    awk -F '\t' -v children="$number" -v title="$title" '
      $1 ~ /moves_kernel/ { instructions += $5; warps += $9 }
      NR > 1 && $1 !~ /moves_kernel/ { selecting += $9 }
      END { printf "%.1f warp instructions per child, and %.1f to select; %.1f of 32 lanes busy: beam, %s\n",
            warps / children, selecting / children, instructions / warps, title }' "$statistics"
  fi
done < <("$program")
if ((${#evaluation_costs[@]} > 1)); then
  printf '%s\n' "${evaluation_costs[@]}" |
    awk '{ sum += $1 } END { printf "%.0f warp instructions per evaluation: chains, mean\n", sum / NR }'
fi
