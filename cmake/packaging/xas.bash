# SPDX-License-Identifier: Apache-2.0
# Completion of xas for bash: options and their values as `xas --help` tells them, then files.
_xas() {
  local word=${COMP_WORDS[COMP_CWORD]} options
  if [[ $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    # bash splits words at '=': --compat = gnu
    local at=$((COMP_CWORD - 1))
    [[ $word == = ]] && word= || at=$((COMP_CWORD - 2))
    options=$("$1" --help 2> /dev/null | sed -En "s/^  ${COMP_WORDS[at]}\[?=([^] ]*).*/\1/p" | grep '|' | tr '|' '\n')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [[ ${#COMPREPLY[@]} != 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ $word == -* ]]; then
    options=$("$1" --help 2> /dev/null | sed -En 's/^  (--?[A-Za-z0-9+-]+).*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _xas xas
