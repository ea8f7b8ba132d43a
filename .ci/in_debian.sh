#!/bin/bash
# Run by ./test --package as root in a fresh Debian with bash and Python, whose /packages holds what .ci/package.sh
# makes, and README.md: does as this says, with the archive as an ordinary user, then with the packages, and upgrades
# and removes them.
set -euo pipefail
export LC_ALL=C.UTF-8
version=$1
useradd -m player

wrong() { printf '%s\n' "$*" >&2 && exit 1; }
player() { runuser -u player -- env HOME=/home/player bash -euo pipefail -c "cd; $1"; }

# block SECTION N: the Nth quoted block there in README.md.
block() {
  awk -v section="## $1" -v n="$2" '/^## / { within = $0 == section } !within { next }
    /^```/ { open = !open; number += open; next } open && number == n' /packages/README.md
}

# plays PROGRAM: a match between bots.
plays() {
  player "$1 match hunter raider -v duel -n 2 --seed 3 --json" | grep '^"hash"' >/dev/null || wrong "$1 plays no match"
}

# serves PROGRAM: a page and what it needs.
serves() {
  player "
    $1 serve --listen 127.0.0.1:0 --data games 2>said & server=\$!
    for ((i = 0; i < 200; i++)); do grep -q http: said && break; sleep 0.1; done
    port=\$(sed -nE 's,.*http://127.0.0.1:([0-9]+)/.*,\1,p' said)
    for page in / /app.js /style.css; do
      exec 3<>/dev/tcp/127.0.0.1/\$port
      printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' \$page \$port >&3
      head -n 1 <&3 | grep -q ' 200' || { cat said; exit 1; }
    done
    kill \$server && wait \$server" || wrong "$1 serves no page"
}

# drives SETTING: Python, as README.md shows.
drives() {
  block "Script a bot" 2 >/tmp/example.py
  player "$1; python3 -B /tmp/example.py" | grep '^\[Result ' >/dev/null || wrong "Python drives no game: $1"
}

# The archive, in a folder with a blank; the program without libraries.
player "mkdir 'my games' && ln -s /packages/*.tar.gz 'my games'"
player "cd 'my games'; $(block Install 2)"
archive="cd 'my games'/ensign-$version-linux-$(uname -m); $(block Install 2 | grep ^export)"
plays "$archive; ensign"
serves "$archive; ensign"
drives "$archive"
player "cd 'my games' && tar -xzf *-static.tar.gz"
plays "'my games'/*-static/bin/ensign"
player "python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); import ensign
ensign.Game(\"duel\", red=\"rookie\", blue=\"cadet\", seed=3).wait()' 'my games'/*-static/share/ensign/bots/programs" ||
  wrong "Python drives no program without libraries"
! command -v cc gcc clang >/dev/null || wrong "this Debian has a compiler"

# The packages.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /packages -o -path /home \
    -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/log -o -path /var/cache \) -prune -o -print | sort
}
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends $(dpkg-deb -f /packages/ensign_*.deb Depends | tr ',' '\n' |
  sed 's/(.*//' | grep -v ensign) systemd >/dev/null
files >/tmp/before
printf '%s\n' 'APT::Get::Assume-Yes "1";' 'APT::Install-Recommends "0";' >/etc/apt/apt.conf.d/99here
(cd /packages && eval "$(block Install 1)" && apt install ./*.deb) >/tmp/installed 2>&1 || wrong "$(cat /tmp/installed)"
rm /etc/apt/apt.conf.d/99here
[[ $(ensign --version | head -n 1) == "ensign $version" ]] || wrong "$(ensign --version)"
plays ensign
serves ensign
drives cd
python3 -B -c 'import ctypes; ctypes.CDLL("libensign.so.0").ensign_version' || wrong "no libensign"
systemd-analyze verify --man=no ensign-server.service
zcat /usr/share/man/man6/ensign-match.6.gz | grep -q 'ensign match' || wrong "no manual page"
for file in bash-completion/completions/ensign zsh/vendor-completions/_ensign fish/vendor_completions.d/ensign.fish; do
  [[ -s /usr/share/$file ]] || wrong "/usr/share/$file is missing"
done

# A later version over it.
mkdir /tmp/next
packages=()
for file in /packages/*.deb; do
  package=$(dpkg-deb -f "$file" Package)
  packages+=("$package")
  dpkg-deb -R "$file" "/tmp/$package"
  sed -i "s/$version/$version+next/" "/tmp/$package/DEBIAN/control"
  dpkg-deb -b "/tmp/$package" /tmp/next >/dev/null
done
apt-get -qq install -y --no-install-recommends /tmp/next/*.deb >/dev/null
[[ $(dpkg-query -W -f '${Version}' ensign) == "$version+next" ]] || wrong "it is not upgraded"
plays ensign

# Python leaves compiled modules where root imports one.
python3 -c 'import ensign'
python3 -c 'import sys; sys.path.insert(0, "/usr/share/ensign/bots/programs"); import ensign'
apt-get -qq purge -y "${packages[@]}" >/dev/null
files | diff /tmp/before - || wrong "something is left"
