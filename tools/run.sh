#!/usr/bin/env bash
# Builds chainshot if needed, installs missing packages, and runs the program with the given arguments.
# With --cuda as the first argument, it builds with CUDA and installs the compiler from PyPI if the machine has none. With
# --emulate, the CUDA engine and its kernels run on the CPU: slow, but exact to the bit, and without a GPU. The setting
# CHAINSHOT_CUDA chooses the toolkit (docs/gpu.md#building).
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scripts/toolchain.sh"

cuda=
preset=release
while [[ ${1:-} == --cuda || ${1:-} == --emulate ]]; do
  cuda=wanted
  [[ $1 == --cuda ]] || preset='cuda-emulated'
  shift
done

chainshot=$root/build/$preset/tools/chainshot
out=$root/build # for what the script makes without arguments
if [[ -x $chainshot && ! -w $root/build ]]; then
  out= # the checkout is read-only; its program runs as it is
else
  lock_build
  if [[ $preset == release ]]; then
    find_compiler
  else
    require_packages "${compiler_packages[@]}" "${emulator_packages[@]}"
  fi
  require_packages "${build_packages[@]}"
  if [[ $preset == release ]]; then
    find_cuda "$cuda"
    tries_other_ways=yes
  else
    find_nvcc "$cuda"
  fi
  until build "$preset" chainshot; do
    (($? == 3)) && find_another_cuda "$preset" || exit 1
  done
  unlock_build
fi

(($# == 0)) || exec "$chainshot" "$@"

# Without arguments, the script shows a standard board, searches it for twenty seconds and makes a page of the solution.
"$chainshot" show standard-01 || exit
[[ $out ]] || out=$(mktemp -d) || exit
rm -f "$out/run.jsonl" # a log grows with every run, and the plot is to show this one
"$chainshot" solve standard-01 --time 20 --out "$out/best.txt" --log "$out/run.jsonl" || exit
"$chainshot" show standard-01 "$out/best.txt" --html "$out/best.html" || exit
"$chainshot" plot "$out/run.jsonl" -o "$out/run.svg" || exit
printf '\nReplay the game in a browser: %s\nPlot of the search:           %s\nMore commands:                %s --help\n' \
  "$out/best.html" "$out/run.svg" "$0"
