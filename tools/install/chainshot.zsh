#compdef chainshot
# Completion of chainshot for zsh. Commands and options come from the program's own help.
_chainshot() {
  local -a commands options
  local -a path_of_command
  local i line
  for ((i = 2; i < CURRENT; ++i)); do
    [[ $words[i] == [a-z]* ]] || break
    path_of_command+=($words[i])
    # Only these commands have commands of their own.
    [[ $i == 2 && $words[2] == (archive|analyse) ]] || break
  done
  for line in ${(f)"$($words[1] $path_of_command --help 2>/dev/null | sed -n -E \
    -e 's/:/\\:/g' \
    -e '/^Commands/,/^$/s/^  ([a-z]+)  +(.*)/c\1:\2/p' \
    -e 's/^  (-[a-z], )?(--[a-z-]+)( [^ ]+)?  +(.*)/o\2:\4/p' \
    -e 's/^  --\[no-\]([a-z-]+)  +(.*)/o--\1:\2\no--no-\1:\2/p')"}; do
    [[ $line == c* ]] && commands+=(${line#c}) || options+=(${line#o})
  done
  if [[ $words[CURRENT] == -* ]]; then
    _describe option options
  elif ((${#commands})); then
    _describe command commands
  else
    local -a boards=(standard standard-{01..20})
    _alternative "boards:board:($boards)" 'files:file:_files'
  fi
}
_chainshot "$@"
