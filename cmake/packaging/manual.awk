# SPDX-License-Identifier: Apache-2.0
# manual.awk: a manual page of what a program says with --help, so that options are told in one place.
#   xas --help | awk -v name=xas -v version=0.1.0 -v what="an assembler" -f manual.awk > xas.1
# With -v verbatim=1 the text stays as it stands.

function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

function begin_option(form, help) {
  print ".TP"
  print ".B " roff(form)
  if (help != "") print roff(help)
}

NR == 1 {
  sub(/^Usage: [^ ]+ */, "")
  printf ".TH %s 1 \"\" \"xas %s\" \"User Commands\"\n", toupper(name), version
  printf ".SH NAME\n%s \\- %s\n", name, roff(what)
  printf ".SH SYNOPSIS\n.B %s\n%s\n.SH DESCRIPTION\n", roff(name), roff($0)
  if (verbatim) print ".nf"
  next
}
verbatim { print roff($0); next }
/^$/ { next }
/^[A-Z].*:$/ { sub(/:$/, ""); print ".SH " toupper(roff($0)); next }
/^  -/ {
  sub(/^  /, "")
  gap = match($0, /   *[^ ]/)
  if (gap) begin_option(substr($0, 1, gap - 1), substr($0, gap + RLENGTH - 1)); else begin_option($0, "")
  next
}
{ sub(/^ +/, ""); print roff($0) }
END {
  if (verbatim) print ".fi"
  else {
    print ".SH EXIT STATUS\n0, or 1 after any error; then there is no object."
    print ".SH ENVIRONMENT\n.TP\n.B SOURCE_DATE_EPOCH\nthe time in COFF objects that have one"
    print ".TP\n.B NO_COLOR\nno colour in errors and warnings"
  }
  print ".SH SEE ALSO"
  others = "xas xas-corpus xas-dump xas-lsp as ld"
  n = split(others, pages, " ")
  for (i = 1; i <= n; ++i) if (pages[i] != name) line = line (line == "" ? "" : ",\n") ".BR " roff(pages[i]) " (1)"
  gsub(/\(1\),/, "(1),", line)
  print line
}
