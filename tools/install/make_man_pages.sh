#!/bin/sh
# Makes the man pages of the program from its own help: one for each command, and the list of commands for the main page.
# usage: make_man_pages.sh CHAINSHOT MAIN_PAGE FOLDER
set -eu
program=$1 main=$2 folder=$3
here=$(dirname -- "$0")
version=$("$program" --version)
version=${version#* }
mkdir -p "$folder"

commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
  # Only `solve` has options that its short help leaves out.
  "$program" "$command" --help-all >"$folder/help" 2>/dev/null || "$program" "$command" --help >"$folder/help"
  awk -v command="$command" -v version="$version" -f "$here/man_page.awk" "$folder/help" >"$folder/chainshot-$command.1.part"
  mv "$folder/chainshot-$command.1.part" "$folder/chainshot-$command.1"
done
{
  sed "s/@VERSION@/$version/; /^@COMMANDS@\$/,\$d" "$main"
  "$program" --help | awk -v part=Commands -f "$here/man_page.awk"
  sed '1,/^@COMMANDS@$/d' "$main"
} >"$folder/chainshot.1.part"
mv "$folder/chainshot.1.part" "$folder/chainshot.1"
rm -f "$folder/help"
