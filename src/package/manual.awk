# manual.awk - a manual page from a page of the documentation.
#
#   awk -v name=ensign-bot -v section=5 -v version=0.2.0 -v summary="…" -f manual.awk PAGE.md
#
# Knows what our pages use: headings, paragraphs, lists, quoted code, tables. A row of a table becomes a
# tagged paragraph: the first cell, then the others; the row of headings is in italics. Links leave their text.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text
}

# The text of a line, without marks.
function plain(text,    out, at, size) {
  text = unlinked(text)
  out = ""
  while (match(text, /`[^`]*`/)) {
    at = RSTART # strong() looks for something else
    size = RLENGTH
    out = out strong(escaped(substr(text, 1, at - 1))) \
      "\\fB" escaped(substr(text, at + 1, size - 2)) "\\fR"
    text = substr(text, at + size)
  }
  out = out strong(escaped(text))
  if (out ~ /^[.']/) out = "\\&" out
  return out
}

function strong(text) {
  while (match(text, /\*\*[^*]+\*\*/))
    text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 2, RLENGTH - 4) "\\fR" \
      substr(text, RSTART + RLENGTH)
  return text
}

function unlinked(text,    part) {
  while (match(text, /!?\[[^]]*\]\([^)]*\)/)) {
    part = substr(text, RSTART, RLENGTH)
    sub(/^!?\[/, "", part)
    part = substr(part, 1, index(part, "](") - 1)
    text = substr(text, 1, RSTART - 1) part substr(text, RSTART + RLENGTH)
  }
  return text
}

function italic(text) {
  return "\\fI" text "\\fR"
}

function row(line, heading,    cells, count, i, rest) {
  gsub(/\\\|/, "\001", line)
  sub(/^\| */, "", line)
  sub(/ *\| *$/, "", line)
  count = split(line, cells, / *\| */)
  for (i = 1; i <= count; i++) gsub(/\001/, "|", cells[i])
  print ".TP"
  print cells[1] == "" ? "\\&" : heading ? italic(plain(cells[1])) : plain(cells[1])
  rest = ""
  for (i = 2; i <= count; i++)
    if (cells[i] != "") rest = rest (rest == "" ? "" : "; ") cells[i]
  print rest == "" ? "\\&" : heading ? italic(plain(rest)) : plain(rest)
}

function upper(text) {
  gsub(/`/, "", text)
  return toupper(escaped(text))
}

BEGIN {
  printf ".TH %s %s \"\" \"ensign %s\" \"%s\"\n", toupper(escaped(name)), section, version,
    section == 7 ? "Miscellaneous" : "File Formats"
  printf ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", escaped(name), escaped(summary)
}

# A paragraph is printed as a whole: a link may go on in its next line.
function flush() {
  if (paragraph != "") print plain(paragraph)
  paragraph = ""
}

function begin(before, text) {
  flush()
  print before
  paragraph = text
  fresh = 0
}

/^ *```/ {
  flush()
  code = !code
  print code ? ".PP\n.RS 4\n.nf" : ".fi\n.RE"
  next
}
code {
  line = escaped($0)
  print (line ~ /^[.']/ ? "\\&" : "") line
  next
}
/^# / { next }
/^## / { begin(".SH " upper(unlinked(substr($0, 4))), ""); next }
/^###+ / { sub(/^#+ /, ""); begin(".SS " plain($0), ""); next }
/^\|[-| :]*$/ { next }
/^\|/ { flush(); row($0, !table); table = fresh = 1; next }
{ table = 0 }
/^ *[-*] / { sub(/^ *[-*] /, ""); begin(".IP \\(bu 2", $0); next }
/^ *[0-9]+\. / { number = $1; sub(/^ *[0-9]+\. /, ""); begin(".IP " number " 4", $0); next }
/^[ \t]*$/ { flush(); fresh = 1; next }
{
  if (fresh) begin(/^ / ? ".IP" : ".PP", "")
  sub(/^ +/, "")
  paragraph = paragraph (paragraph == "" ? "" : " ") $0
}
END { flush() }
