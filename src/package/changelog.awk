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
/^- / { item("  * " substr($0, 3)); next }
/^  [^ ]/ { item("    " substr($0, 3)) }
END { finish() }

# Wraps at 76 columns, which every line of a changelog of Debian fits.
function item(line,    at) {
  while (length(line) > 76) {
    for (at = 76; at > 8 && substr(line, at, 1) != " "; at--) {}
    print substr(line, 1, at - 1)
    line = "    " substr(line, at + 1)
  }
  print line
}

function finish(    command, stamp) {
  if (version == "") return
  command = "LC_ALL=C date -u -d " date " '+%a, %d %b %Y %H:%M:%S +0000'"
  command | getline stamp
  close(command)
  printf "\n -- %s  %s\n\n", maintainer, stamp
}
