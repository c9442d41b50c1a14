#!/usr/bin/env bash
# run.sh in checkouts of other people: read-only ones that were built, and machines with other compilers.
# usage: run_script_test.sh SOURCE_FOLDER CHAINSHOT
set -u
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
fail() {
  echo "run_script_test: $*" >&2
  exit 1
}

# Root may write everywhere, so it runs the script as nobody.
stand_ins=$folder/stand-ins
mkdir -p "$folder/tools" "$stand_ins"
cp -r "$1/tools/run.sh" "$1/tools/scripts" "$folder/tools/"
mkdir -p "$folder/build/release/tools"
cp "$2" "$folder/build/release/tools/chainshot"
if ((EUID == 0)); then
  as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chmod -R a+rX "$folder"
else
  as_user=()
fi
chmod -R a-w "$folder"
"${as_user[@]}" "$folder/tools/run.sh" --version | grep -q '^chainshot [0-9]' || fail 'a read-only checkout does not run'

# A stand-in prints what the preprocessor of such a compiler defines.
chmod -R u+w "$folder"
compiler() { # NAME MACRO VERSION
  printf '#!/bin/sh\necho "#define %s %s"\n' "$2" "$3" >"$stand_ins/$1"
  chmod +x "$stand_ins/$1"
}
chosen() { # what run.sh tells CMake, where only the stand-ins are there
  (
    # shellcheck source=tools/scripts/toolchain.sh
    source "$folder/tools/scripts/toolchain.sh"
    require_packages() { printf 'needs %s' "$*"; }
    # shellcheck disable=SC2123
    PATH=$stand_ins
    find_compiler 2>&1
    printf '%s' "${cmake_settings[*]}"
  )
}
expect() { # WANTED
  local found
  found=$(chosen)
  [[ $found == "$1" ]] || fail "chose '$found', not '$1'"
}
unset CXX CHAINSHOT_NO_INSTALL
expect 'needs clang-19=clang++-19'
compiler g++ __GNUC__ 11
expect 'needs clang-19=clang++-19'
compiler g++-13 __GNUC__ 13
expect '-DCMAKE_CXX_COMPILER=g++-13'
if ((EUID == 0)); then
  compiler apt-get NOTHING 0
  expect 'needs clang-19=clang++-19'
  CHAINSHOT_NO_INSTALL=1 expect '-DCMAKE_CXX_COMPILER=g++-13'
  rm "$stand_ins/apt-get"
fi
compiler clang++ __clang_major__ 15
expect '-DCMAKE_CXX_COMPILER=g++-13'
compiler clang++-16 __clang_major__ 16
expect '-DCMAKE_CXX_COMPILER=clang++-16'
compiler clang++-19 __clang_major__ 19
expect ''
export CXX=g++-13
expect '-DCMAKE_CXX_COMPILER=g++-13'
CXX=g++
[[ $(chosen) == *'CXX is g++; expected the name of clang++ 16 or g++ 12, or of a newer one, without options' ]] || fail "g++ 11 is taken: $(chosen)"
