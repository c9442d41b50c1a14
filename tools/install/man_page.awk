# Turns the help of a command into its man page; with `part`, only the entries of that section, without its heading.

function roff(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/-/, "\\-", text)
  return text ~ /^[.']/ ? "\\&" text : text
}

function heading(title) {
  # What follows a title in parentheses is a sentence.
  note = ""
  if (match(title, / \(.*\)$/)) {
    note = substr(title, RSTART + 2, RLENGTH - 3)
    title = substr(title, 1, RSTART - 1)
  }
  print ".SH " toupper(roff(title))
  if (note != "") print roff(toupper(substr(note, 1, 1)) substr(note, 2) ".")
}

BEGIN {
  printing = part == ""
}

part == "" && NR == 1 {
  name = "chainshot-" command
  summary = substr($0, index($0, ": ") + 2)
  print ".TH " toupper(roff(name)) " 1 \"\" \"chainshot " version "\" \"User Commands\""
  print ".SH NAME"
  print roff(name) " \\- " roff(summary)
  next
}

/^Usage: / {
  if (printing) print ".SH SYNOPSIS\n.B " roff(substr($0, 8))
  next
}

/^[A-Z].*:$/ {
  title = substr($0, 1, length($0) - 1)
  if (part != "") printing = title == part
  else heading(title)
  is_example = title ~ /^Examples?$/
  if (printing && is_example) print ".nf"
  in_section = 1
  in_text = 0
  next
}

!printing { next }

/^$/ {
  if (is_example) {
    print ".fi"
    is_example = 0
  }
  in_section = 0
  in_text = 0
  next
}

is_example {
  sub(/^  /, "")
  print roff($0)
  next
}

# An entry: a term, and what it means after two blanks or on the next line.
in_section && /^  [^ ]/ {
  line = substr($0, 3)
  at = match(line, /  +/)
  term = at ? substr(line, 1, at - 1) : line
  print ".TP\n.B " roff(term)
  if (at) print roff(substr(line, at + RLENGTH))
  next
}

in_section && /^   / {
  sub(/^ +/, "")
  print roff($0)
  next
}

{
  if (!in_text) print has_notes++ ? ".PP" : ".SH NOTES"
  in_text = 1
  print roff($0)
}

END {
  if (is_example) print ".fi"
  if (part == "") print ".SH SEE ALSO\n.BR chainshot (1)"
}
