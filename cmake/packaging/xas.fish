# SPDX-License-Identifier: Apache-2.0
# Completion of xas for fish: options and their values as `xas --help` tells them; files come by themselves.
function __xas_complete
    set -l program (commandline -opc)[1]
    set -l word (commandline -ct)
    if string match -q -- '-*=*' $word
        set -l name (string split -m 1 = -- $word)[1]
        $program --help 2>/dev/null | sed -En "s/^  $name\[?=([^] ]*).*/\1/p" | string match '*|*' | string split '|' |
            string replace -r -- '^' "$name="
    else if string match -q -- '-*' $word
        # An option whose help does not fit beside it has it on the next line.
        $program --help 2>/dev/null | awk '
            /^  -/ { option = $1; sub(/[[=].*/, "", option); sub(/^  -[^ ]*( [A-Z[][^ ]*)? */, ""); if ($0 == "") next }
            option != "" { sub(/^ +/, ""); print option "\t" $0; option = "" }'
    end
end
complete -c xas -a '(__xas_complete)'
