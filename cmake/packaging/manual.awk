# SPDX-License-Identifier: Apache-2.0
# manual.awk: a manual page of what a program says with --help, so that options are told in one place.
#   xas --help | awk -v name=xas -v version=0.1.0 -v date=2026-01-31 -v what="an assembler" -f manual.awk > xas.1
#
# In the first column stand text, headings (`Examples:`) and the verbs of a program, with its name in front; two columns
# in, options and commands, with their text behind two blanks or below; further in, the values of the option before them
# (`s    text`) and text that goes on.

function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# Text, in lines of up to 78 characters
function say(text,    words, n, i, line) {
  n = split(text, words, " ")
  for (i = 1; i <= n; ++i) {
    if (line != "" && length(line) + length(words[i]) > 76) { print roff(line); line = "" }
    line = line (line == "" ? "" : " ") words[i]
  }
  if (line != "") print roff(line)
}

# What stands in bold before its text; without any, in a line of its own
function tag(form, help) {
  end_tag(".PP")
  tagged = form
  if (help != "") { end_tag(".TP"); say(help) }
}
function end_tag(macro) {
  if (tagged != "") print macro "\n.B " roff(tagged)
  tagged = ""
}

function heading(text) {
  end_tag(".PP")
  print ".SH " toupper(roff(text))
  paragraph = 0
}

# The text behind the first gap of two blanks, or behind a `#`; what stands before it is in `form`
function behind_gap(line,    gap) {
  gap = match(line, /  +#? ?[^ ]/)
  form = gap ? substr(line, 1, gap - 1) : line
  return gap ? substr(line, gap + RLENGTH - 1) : ""
}

NR == 1 {
  sub(/^Usage: [^ ]+ */, "")
  printf ".TH %s 1 \"%s\" \"xas %s\" \"User Commands\"\n", toupper(name), date, version
  printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", name, roff(what), roff(name)
  say($0)
  print ".SH DESCRIPTION"
  next
}
/^$/ { paragraph = 1; next }
/^[A-Z].*:$/ { sub(/:$/, ""); heading($0); next }
/^Exit status: / { heading("Exit status"); sub(/^Exit status: /, ""); say($0); next }
$1 == name && /^[^ ]/ {
  end_tag(".PP")
  help = behind_gap($0)
  print ".SS " roff(form)
  say(help)
  paragraph = 0
  next
}
/^  [^ ]/ { sub(/^ +/, ""); help = behind_gap($0); tag(form, help); option = form; paragraph = 0; next }
/^  +[^ ]+(, [^ ]+)*  / {
  sub(/^ +/, "")
  help = behind_gap($0)
  sub(/=.*/, "=", option)
  tag(option form, help)
  next
}
{
  if (paragraph && /^[^ ]/) { end_tag(".PP"); print ".PP" }
  paragraph = 0
  end_tag(".TP")
  say($0)
}
END {
  end_tag(".PP")
  if (name == "xas") {
    heading("Examples")
    tag("xas -o a.o a.s", "an object for this machine, as GNU as makes it")
    tag("gcc -B/usr/lib/xas/bin -c a.c", "xas in place of the compiler's assembler; so with clang -fno-integrated-as")
    tag("xas --target=aarch64-linux-gnu --compat=llvm -o a.o a.s", "the object that llvm-mc makes, for AArch64")
    tag("xas -msyntax=intel -mnaked-reg -o a.o a.s", "Intel syntax, registers without %")
    tag("xas -g -aln=a.lst -o a.o a.s", "with line numbers for debuggers, and a listing")
    tag("xas -MD -MF a.d --fatal-warnings -o a.o a.s", "with a rule for make; warnings are errors")
    heading("Exit status")
    say("0, or 1 after any error; then there is no object.")
    heading("Environment")
    tag("SOURCE_DATE_EPOCH", "the time in COFF objects that have one")
    tag("NO_COLOR", "no colour in errors and warnings")
    tag("XAS_CPP", "the C preprocessor, with its options")
    tag("XAS_THREADS", "as --threads, which goes before it")
  }
  heading("See also")
  others = "as ld xas xas-corpus xas-dump xas-lsp "
  sub(" " name " ", " ", others)
  n = split(others, pages, " ")
  for (i = 1; i <= n; ++i) print ".BR " roff(pages[i]) " (1)" (i < n ? "," : "")
}
