#!/usr/bin/env bash
# Stands in for `fatbinary` of CUDA 12.9, which PyPI does not have. That of 13.0, which lies beside it, packs the same
# files, but knows the images by other options than those that clang++ writes. It also makes machine code, from PTX, for
# the architectures that clang++ 19 does not know. Nothing is compressed, because drivers before 570 cannot unpack what
# CUDA 13 compresses.
set -eu
folder=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

options=(--compress=false)
for option; do
  if [[ $option =~ ^--image=profile=(sm|compute)_([0-9]+),file=(.*)$ ]]; then
    sm=${BASH_REMATCH[2]} file=${BASH_REMATCH[3]}
    if [[ ${BASH_REMATCH[1]} == compute ]]; then
      for newer in 100 103 120 121; do
        "$folder/ptxas" -m64 -O3 --gpu-name "sm_$newer" -o "$scratch/sm_$newer" "$file"
        options+=("--image3=kind=elf,sm=$newer,file=$scratch/sm_$newer")
      done
      option="--image3=kind=ptx,sm=$sm,file=$file"
    else
      option="--image3=kind=elf,sm=$sm,file=$file"
    fi
  fi
  options+=("$option")
done
"$folder/fatbinary-13" "${options[@]}"
