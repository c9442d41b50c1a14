#!/usr/bin/env bash
# Builds chainshot if that is needed, installing what is missing, and runs it with the arguments given.
# With --cuda as first argument there is a CUDA compiler afterwards, from PyPI if the machine has none. With --emulate it
# runs the CUDA engine on the CPU, kernels included: slow, but the same in every bit; it needs no GPU.
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

# Without arguments: a standard board, a line for it from twenty seconds of search, and that line as a page to look at.
"$chainshot" show standard-01 || exit
"$chainshot" solve standard-01 --time 20 --out "$root/build/best.txt" --log "$root/build/run.jsonl" || exit
"$chainshot" show standard-01 "$root/build/best.txt" --html "$root/build/best.html" || exit
"$chainshot" plot "$root/build/run.jsonl" -o "$root/build/run.svg" || exit
printf '\nThe game, move by move, for a browser: %s\nThe search over time: %s\nMore: %s --help\n' \
  "$root/build/best.html" "$root/build/run.svg" "$0"
