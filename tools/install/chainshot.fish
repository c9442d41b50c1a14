# Completion of chainshot for fish. Commands and options come from the program's own help.
function __chainshot_words
    set -l words (commandline -opc)
    set -l path_of_command
    for word in $words[2..-1]
        string match -q -r '^[a-z]' -- $word; or break
        set -a path_of_command $word
        # Only these commands have commands of their own.
        if test (count $path_of_command) -gt 1; or not contains -- $word archive analyse
            break
        end
    end
    set -l offered ($words[1] $path_of_command --help 2>/dev/null | sed -n -E \
        -e '/^Commands:/,/^$/s/^  ([a-z]+)  +(.*)/\1\t\2/p' \
        -e 's/^  (-[a-z], )?(--[a-z-]+)( [^ ]+)?  +(.*)/\2\t\4/p' \
        -e 's/^  --\[no-\]([a-z-]+)  +(.*)/--\1\t\2\n--no-\1\t\2/p')
    printf '%s\n' $offered
    # A board, unless the command has commands.
    if set -q path_of_command[1]; and not string match -q -r '^[a-z]' -- $offered
        printf '%s\n' standard standard-(seq -w 1 20)
    end
end
complete -c chainshot -a '(__chainshot_words)'
