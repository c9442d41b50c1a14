#!/usr/bin/env bash
# Installs program and library into a folder of its own and uses them there: man pages, completions, and another project.
# usage: install_test.sh CMAKE BUILD_FOLDER SOURCE_FOLDER CXX
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

# A page for every command, with its options.
man=$prefix/share/man/man1
for command in $(chainshot --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^chainshot\\\\-$command " "$man/chainshot-$command.1" || fail "there is no man page of $command"
  grep -q -A 1 '^\.TP$' "$man/chainshot-$command.1" || fail "the man page of $command has no options"
  grep -q "^\.B $command\$" "$man/chainshot.1" || fail "the man page does not name $command"
done
grep -q '^\.B \\-\\-playouts N$' "$man/chainshot-play.1" || fail 'the man page of play lacks --playouts'
grep -q '^\.B \\-\\-islands N$' "$man/chainshot-solve.1" || fail 'the man page of solve lacks settings of searches'

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

# Other shells, where they are there.
words_of_zsh() {
  zsh -f -c '_describe() { print -rl -- ${(P)2}; }; _alternative() { print -r -- $1; }
    source_of=$1; shift; words=("$@"); CURRENT=$#; source $source_of' - "$prefix/share/zsh/site-functions/_chainshot" "$@"
}
if command -v zsh >/dev/null; then
  words_of_zsh chainshot ver | grep -q '^verify:replay' || fail 'zsh completes no command'
  words_of_zsh chainshot verify --unf | grep -q '^--unfinished:accept' || fail 'zsh completes no option'
  words_of_zsh chainshot archive mer | grep -q '^merge:' || fail 'zsh completes no command of archive'
  words_of_zsh chainshot solve stan | grep -q 'standard-19' || fail 'zsh completes no board'
fi
words_of_fish() {
  # shellcheck disable=SC2016
  fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$prefix/share/fish/vendor_completions.d/chainshot.fish" "$1"
}
if command -v fish >/dev/null; then
  words_of_fish 'chainshot ver' | grep -q '^verify.replay' || fail 'fish completes no command'
  words_of_fish 'chainshot verify --unf' | grep -q '^--unfinished.accept' || fail 'fish completes no option'
  words_of_fish 'chainshot archive mer' | grep -q '^merge' || fail 'fish completes no command of archive'
  words_of_fish 'chainshot solve stan' | grep -q '^standard-19' || fail 'fish completes no board'
fi

# The library of a build with the emulator is not installed: it needs that build.
[[ -e $prefix/include/chainshot/chainshot.hpp ]] || exit 0
if grep -r -l '#include "' "$prefix/include"; then fail 'an installed header needs one that is not installed'; fi
moved=$prefix-moved # packages may be unpacked anywhere
trap 'rm -rf "$prefix" "$moved"' EXIT
mv "$prefix" "$moved"
log=$moved/example.log
{
  "$1" -G Ninja -S "$3/examples/cpp" -B "$moved/example" -DCMAKE_PREFIX_PATH="$moved" -DCMAKE_CXX_COMPILER="$4" &&
    "$1" --build "$moved/example"
} >"$log" 2>&1 || fail "no project finds the installed library: $(<"$log")"
found=$("$moved/example/example" 2>"$log") || fail "the example fails: $(<"$log")"
pattern='([0-9]+) points in [0-9]+ moves, found by [a-z]+; replayed ([0-9]+)'
[[ $found =~ $pattern && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] || fail "the example prints '$found'"

# The same by add_subdirectory. Compiling all of it takes minutes, so this looks only at what would be compiled.
"$1" -G Ninja -S "$3/examples/cpp" -B "$moved/inside" -DCHAINSHOT_SOURCE="$3" -DCMAKE_CXX_COMPILER="$4" >"$log" 2>&1 ||
  fail "no project can add the folder: $(<"$log")"
"$1" --build "$moved/inside" -- -n >"$log" 2>&1 || fail "the project that adds the folder does not build: $(<"$log")"
if grep -q '/tools/' "$log"; then fail 'a project that adds the folder builds the program, too'; fi
