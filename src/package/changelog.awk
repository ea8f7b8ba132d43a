# The changelog of a Debian package, from the section "Changes" of src/README.md.
/^## / { within = $0 == "## Changes" }
!within { next }
/^### / {
  finish()
  version = $2
  date = $3
  gsub(/[()]/, "", date)
  printf "ensign (%s) unstable; urgency=medium\n\n", version
}
/^- / { item(); text = substr($0, 3) }
/^  [^ ]/ { text = text " " substr($0, 3) }
END { finish() }

# Prints the item that has been read, in lines of 76 columns, as Debian's changelogs have them.
function item(    line, at) {
  if (text == "") return
  for (line = "  * " text; length(line) > 76; line = "    " substr(line, at + 1)) {
    for (at = 77; at > 5 && substr(line, at, 1) != " "; at--) {}
    print substr(line, 1, at - 1)
  }
  print line
  text = ""
}

function finish(    command, stamp) {
  if (version == "") return
  item()
  command = "LC_ALL=C date -u -d " date " '+%a, %d %b %Y %H:%M:%S +0000'"
  command | getline stamp
  close(command)
  printf "\n -- %s  %s\n\n", maintainer, stamp
}
