# SPDX-License-Identifier: Apache-2.0
# Completion of xas and the programs beside it for fish: options and their values as --help tells them, then files.

# What --help says: of xas-corpus what concerns its verb, of xas-lsp what xas has.
function __xas_help
    set -l program $argv[1]
    switch (path basename -- $program)
        case xas-corpus
            $program --help 2>/dev/null |
                awk -v verb="$argv[2]" '/^xas-corpus / { off = $2 != verb } /^$/ { off = 0 } !off'
        case xas-lsp
            $program --help 2>/dev/null
            set -l assembler (string replace -r -- '-lsp$' '' $program)
            $assembler --help 2>/dev/null
        case '*'
            $program --help 2>/dev/null
    end
end

function __xas_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    if string match -q -- '-*=*' $word
        # The values of an option: ONE|OTHER behind '=', or examples in the help (ONE, OTHER, ...).
        set -l parts (string split -m 1 = -- $word)
        set -l name $parts[1]
        set -l values (__xas_help $words | sed -En -e "s/^  $name\[?=([^] ]*\|[^] ]*).*/\1/p" \
            -e "s/^  $name=.*\((.*), \.\.\.\).*/\1/p" | tr -d ' ' | tr '|,' '\n\n')
        test -n "$values"; or set values (__fish_complete_path $parts[2])
        printf '%s\n' $name=$values
    else if string match -q -- '-*' $word
        # An option whose help does not fit beside it has it on the next line.
        __xas_help $words | awk '
            /^  -/ { option = $1; sub(/[[=].*/, "", option); sub(/^  -[^ ]*( [A-Z[][^ ]*)? */, ""); if ($0 == "") next }
            option != "" { sub(/^ +/, ""); print option "\t" $0; option = "" }'
    else if string match -q -- '@*' $word
        printf '@%s\n' (__fish_complete_path (string sub -s 2 -- $word))
    else if test (path basename -- $words[1]) = xas-corpus -a (count $words) = 1
        $words[1] --help 2>/dev/null | sed -En 's/^xas-corpus ([a-z]+).*/\1/p'
    else
        __fish_complete_path $word
    end
end
complete -c xas -f -a '(__xas_complete)'
complete -c xas-dump -f -a '(__xas_complete)'
complete -c xas-corpus -f -a '(__xas_complete)'
complete -c xas-lsp -f -a '(__xas_complete)'
