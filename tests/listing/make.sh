#!/bin/bash
# make.sh: the expected listings again, from GNU as.
cd "$(dirname "$0")" || exit 1
while read -r name options; do
  [[ $name = \#* ]] || as $options "$name.s" -o /dev/null > "$name${options//[ =]/}.lst" || echo "$name $options: rejected"
done < cases.txt
as -al - -o /dev/null < input.s > input-al.lst
