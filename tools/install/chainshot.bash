# Completion of chainshot for bash. Commands and options come from the program's own help.
_chainshot_words() { # COMMAND...: the words that its help offers: commands, or options
  "$@" --help 2>/dev/null | sed -n -E 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p; s/^  --\[no-\]([a-z-]+).*/--\1\n--no-\1/p; /^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p'
}

_chainshot() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} path=() i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == [a-z]* ]] || break
    path+=("${COMP_WORDS[i]}")
    # Only these commands have commands of their own.
    [[ $i == 1 && (${COMP_WORDS[1]} == archive || ${COMP_WORDS[1]} == analyse) ]] || break
  done
  local names
  names=$(_chainshot_words "$program" "${path[@]}")
  if [[ $word != -* && ${#path[@]} -gt 0 ]]; then
    names=$(grep -v '^-' <<<"$names")
    # A board, unless the command has commands.
    [[ -n $names ]] || names="standard $(printf 'standard-%02d ' {1..20})"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
}
complete -o default -F _chainshot chainshot
