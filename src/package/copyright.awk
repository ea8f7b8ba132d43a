# The copyright file of a Debian package, from LICENSE (MIT).
/^Copyright/ {
  print "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  print "Upstream-Name: ensign"
  print ""
  print "Files: *"
  sub(/^Copyright( \(c\))? /, "")
  print "Copyright: " $0
  print "License: MIT"
  text = 1
  getline
  next
}
text { print $0 == "" ? " ." : " " $0 }
