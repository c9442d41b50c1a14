#!/usr/bin/env bash
# Installs the program into a folder of its own and uses it there, with its completion for bash.
# usage: install_test.sh CMAKE BUILD_FOLDER
set -u
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() {
  echo "install_test: $*" >&2
  exit 1
}

"$1" --install "$2" --prefix "$prefix" >"$prefix/log" || fail "cannot install: $(<"$prefix/log")"
PATH=$prefix/bin:$PATH
[[ $(command -v chainshot) == "$prefix/bin/chainshot" ]] || fail 'there is no program'
chainshot --version | grep -q '^chainshot [0-9]' || fail 'the program does not run'
[[ -s $prefix/share/man/man1/chainshot.1 ]] || fail 'there is no man page'

# shellcheck source=tools/install/chainshot.bash
source "$prefix/share/bash-completion/completions/chainshot" || fail 'there is no completion'
completions() { # WORD...: what the last word may become
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _chainshot
  printf '%s ' "${COMPREPLY[@]}"
}
expect() { # WANTED WORD...
  local wanted=$1 found
  shift
  found=$(completions "$@")
  [[ $found == "$wanted" ]] || fail "'$*' becomes '$found', not '$wanted'"
}
expect 'verify ' chainshot ver
expect 'record records report reproduce ' chainshot re
expect 'standard-19 ' chainshot solve standard-19
expect '--unfinished ' chainshot verify --unf
expect '--json ' chainshot show standard-01 --js
expect 'merge ' chainshot archive mer
