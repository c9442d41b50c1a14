#!/usr/bin/env bash
# Builds chainshot if needed, installs missing packages, and runs the program with the given arguments.
# With --cuda as the first argument, it builds with CUDA and installs the compiler from PyPI if the machine has none. With
# --emulate, the CUDA engine and its kernels run on the CPU: slow, but exact to the bit, and without a GPU.
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

lock_build
require_packages "${build_packages[@]}"
[[ $preset == release ]] || require_packages "${emulator_packages[@]}"
find_nvcc "$cuda"
build "$preset" chainshot || exit 1
unlock_build

chainshot=$root/build/$preset/tools/chainshot
(($# == 0)) || exec "$chainshot" "$@"

# Without arguments, the script shows a standard board, searches it for twenty seconds and makes a page of the solution.
"$chainshot" show standard-01 || exit
rm -f "$root/build/run.jsonl" # a log grows with every run, and the plot is to show this one
"$chainshot" solve standard-01 --time 20 --out "$root/build/best.txt" --log "$root/build/run.jsonl" || exit
"$chainshot" show standard-01 "$root/build/best.txt" --html "$root/build/best.html" || exit
"$chainshot" plot "$root/build/run.jsonl" -o "$root/build/run.svg" || exit
printf '\nReplay the game in a browser: %s\nPlot of the search:           %s\nMore commands:                %s --help\n' \
  "$root/build/best.html" "$root/build/run.svg" "$0"
