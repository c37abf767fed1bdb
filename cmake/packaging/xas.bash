# SPDX-License-Identifier: Apache-2.0
# Completion of xas and the programs beside it for bash: options and their values as --help tells them, then files.

# What --help says: of xas-corpus what concerns its verb, of xas-lsp what xas has.
_xas_help() {
  case ${1##*/} in
    xas-corpus) "$1" --help 2> /dev/null | awk -v verb="${COMP_WORDS[1]}" '/^xas-corpus / { off = $2 != verb } /^$/ { off = 0 } !off' ;;
    xas-lsp) "$1" --help 2> /dev/null; "${1%-lsp}" --help 2> /dev/null ;;
    *) "$1" --help 2> /dev/null ;;
  esac
}

# The values of an option: ONE|OTHER behind '=', or examples in the help (ONE, OTHER, ...).
_xas_values() {
  _xas_help "$1" | sed -En -e "s/^  $2\[?=([^] ]*\|[^] ]*).*/\1/p" -e "s/^  $2=.*\((.*), \.\.\.\).*/\1/p" | tr -d ' ' | tr '|,' '\n\n'
}

_xas() {
  local word=${COMP_WORDS[COMP_CWORD]} words=
  if [[ $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    # bash splits words at '=': --compat = gnu
    local at=$((COMP_CWORD - 1))
    [[ $word == = ]] && word= || at=$((COMP_CWORD - 2))
    words=$(_xas_values "$1" "${COMP_WORDS[at]}")
  elif [[ $word == @* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -P @ -- "${word#@}")
    return
  elif [[ $word == -* ]]; then
    words=$(_xas_help "$1" | sed -En 's/^  (--?[A-Za-z0-9+-]+).*/\1/p')
  elif [[ ${1##*/} == xas-corpus && $COMP_CWORD == 1 ]]; then
    words=$("$1" --help 2> /dev/null | sed -En 's/^xas-corpus ([a-z]+).*/\1/p')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${#COMPREPLY[@]} != 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _xas xas xas-dump xas-corpus xas-lsp
