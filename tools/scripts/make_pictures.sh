#!/usr/bin/env bash
# Draws the pictures of the documentation, docs/pictures/*.svg, with the release program from the data in data/pictures.
# The same data gives the same pictures on every machine.
# usage: make_pictures.sh            draw
#        make_pictures.sh --record   first search again for the data: about two and a half minutes on idle processors
# CHAINSHOT_PROGRAM names a program to use in place of the release build.
set -u
# shellcheck source=tools/scripts/toolchain.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/toolchain.sh"

data=$root/data/pictures
pictures=$root/docs/pictures
board=standard-16
presets=(anneal sp-mcts-restarts uct)

chainshot=${CHAINSHOT_PROGRAM:+$(realpath -- "$CHAINSHOT_PROGRAM")}
if [[ ! $chainshot ]]; then
  lock_build
  require_packages "${build_packages[@]}"
  find_nvcc ''
  build release chainshot || exit 1
  unlock_build
  chainshot=$root/build/release/tools/chainshot
fi

record() {
  local preset
  for preset in "${presets[@]}"; do
    rm -f "$data/$preset.jsonl"
    "$chainshot" solve "$board" --preset "$preset" --engine cpu --time 20 --seed 1 --log "$data/$preset.jsonl" || exit
  done
  "$chainshot" solve "$board" --engine cpu --time 60 --seed 1 --out "$data/$board.txt" || exit
}

case ${1:-} in
  '') ;;
  --record) record ;;
  *) die "'$1' is no option; expected --record or nothing" ;;
esac

mkdir -p "$pictures" && cd "$data" || exit
"$chainshot" verify "$board" "$board.txt" || exit
"$chainshot" show "$board" "$board.txt" --svg "$pictures/solution.svg" || exit
"$chainshot" plot "${presets[@]/%/.jsonl}" -o "$pictures/searches.svg" || exit
"$chainshot" play "$board" --engine cpu --playouts 200000 --seed 1 --svg "$pictures/playouts.svg" >/dev/null || exit
say "wrote $pictures/solution.svg, searches.svg and playouts.svg"
