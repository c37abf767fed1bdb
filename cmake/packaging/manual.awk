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

function example(command, help) {
  print ".TP"
  print ".B " roff(command)
  print roff(help)
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
    print ".SH EXAMPLES"
    example("xas -o a.o a.s", "an object for this machine, as GNU as makes it")
    example("gcc -B/usr/lib/xas/bin -c a.c", "xas in place of the compiler's assembler; so with clang -fno-integrated-as")
    example("xas --target=aarch64-linux-gnu --compat=llvm -o a.o a.s", "the object that llvm-mc makes, for AArch64")
    example("xas -msyntax=intel -mnaked-reg -o a.o a.s", "Intel syntax, registers without %")
    example("xas -g -aln=a.lst -o a.o a.s", "with line numbers for debuggers, and a listing")
    example("xas -MD -MF a.d --fatal-warnings -o a.o a.s", "with a rule for make; warnings are errors")
    print ".SH EXIT STATUS\n0, or 1 after any error; then there is no object."
    print ".SH ENVIRONMENT\n.TP\n.B SOURCE_DATE_EPOCH\nthe time in COFF objects that have one"
    print ".TP\n.B NO_COLOR\nno colour in errors and warnings"
    print ".TP\n.B XAS_CPP\nthe C preprocessor, with its options"
    print ".TP\n.B XAS_THREADS\nas \\-\\-threads, which goes before it"
  }
  print ".SH SEE ALSO"
  others = "xas xas-corpus xas-dump xas-lsp as ld"
  n = split(others, pages, " ")
  for (i = 1; i <= n; ++i) if (pages[i] != name) line = line (line == "" ? "" : ",\n") ".BR " roff(pages[i]) " (1)"
  gsub(/\(1\),/, "(1),", line)
  print line
}
