#!/bin/bash
# .ci/package.sh FOLDER: builds into FOLDER
#   ensign_*.deb, ensign-data_*.deb, ensign-server_*.deb, libensign0_*.deb, libensign-dev_*.deb, python3-ensign_*.deb
#   ensign-VERSION-linux-ARCH.tar.gz         with the libraries it needs, for any Linux with glibc 2.36 and bash
#   ensign-VERSION-linux-ARCH-static.tar.gz  one program without libraries, for any other Linux; without
#                                            serve for browsers, machines, foreign XML and libensign
# The same sources give the same bytes, wherever they lie: times are those of the last release.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/.ci/packages.sh"
[[ $# == 1 ]] || { say "one folder is expected"; exit 2; }
version=$(sources_version)
released=$(sed -nE "s/^### $version \(([0-9-]+)\)$/\1/p" "$root/src/README.md")
[[ $released ]] || { say "src/README.md has no \"### $version (DATE)\" in its Changes"; exit 1; }
packages_install "${packages_build[@]}" "${packages_package[@]}"
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$root"

SOURCE_DATE_EPOCH=$(date -u -d "$released" +%s)
export SOURCE_DATE_EPOCH TZ=UTC
umask 022

cmake --preset package -DENSIGN_TESTS=OFF
ninja -C build/package all package_files
(cd build/package && rm -f ./*.deb && cpack -G DEB)
# The links of a library are made by a trigger; CPack makes scripts.
library=build/package/library
rm -rf "$library"
dpkg-deb -R build/package/libensign0_*.deb "$library"
rm "$library"/DEBIAN/post{inst,rm}
echo 'activate-noawait ldconfig' >"$library/DEBIAN/triggers"
dpkg-deb --root-owner-group -b "$library" build/package >/dev/null
cp build/package/*.deb "$to"

# archive NAME FOLDER: packs the folder, as NAME/ in NAME.tar.gz.
archive() {
  LC_ALL=C tar -C "${2%/*}" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go-w,go+rX \
    --mtime="@$SOURCE_DATE_EPOCH" --transform "s,^${2##*/},$1," -c "${2##*/}" | gzip -9n >"$to/$1.tar.gz"
}

# licences_of FILE…: the copyright files of the packages that the files come from.
licences_of() {
  local file package
  for file; do
    file=$(readlink -f "$file") # which dpkg may know without /usr
    package=$({ dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null | sed 's/:.*//; q')
    mkdir -p "$tree/share/doc/ensign/licences/$package"
    cp "/usr/share/doc/$package/copyright" "$tree/share/doc/ensign/licences/$package/"
  done
}

arch=$(uname -m)
tree=build/package/portable
rm -rf "$tree"
cmake --install build/package --prefix "$root/$tree" --strip >/dev/null
mkdir -p "$tree/lib/ensign"
mv "$tree/bin/ensign" "$tree/lib/ensign/ensign"
plugin=$(dpkg -L libwebsockets-evlib-uv | grep '\.so$')
libraries=$(ldd "$tree/lib/ensign/ensign" "$plugin" | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libdl|libpthread|librt)\.so')
cp -L $libraries "$plugin" "$tree/lib/ensign/"
# A library looks for its plugin in the folder of its own package: here in the one that the program's starter opens.
where=${plugin%/*}
there=/proc/self/fd/9
(($(grep -cF "$where" "$tree"/lib/ensign/libwebsockets.so.*) > 0))
WHERE=$where THERE=$there perl -0777 -pi -e '
  my ($from, $to) = @ENV{"WHERE", "THERE"};
  s/\Q$from\E\0/$to . "\0" x (length($from) - length($to) + 1)/ge' "$tree"/lib/ensign/libwebsockets.so.*
patchelf --force-rpath --set-rpath '$ORIGIN' "$tree/lib/ensign/ensign"
patchelf --force-rpath --set-rpath '$ORIGIN/../ensign' "$tree"/lib/*/libensign.so.*.*
newest=$(objdump -T "$tree"/lib/ensign/* "$tree"/lib/*/libensign.so.0 | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
[[ $newest == GLIBC_2.36 ]] || { say "the archive needs $newest; README.md and this script say 2.36"; exit 1; }
cp src/package/portable.sh "$tree/bin/ensign"
ln -s share/ensign/README.md "$tree/README.md"
chmod 755 "$tree/bin/ensign"
licences_of $libraries "$plugin"
archive "ensign-$version-linux-$arch" "$tree"

cmake --preset static -DENSIGN_TESTS=OFF
ninja -C build/static all
tree=build/static/portable
rm -rf "$tree"
cmake --install build/static --prefix "$root/$tree" --strip >/dev/null
licences_of /lib/"$arch"-linux-gnu/libc.so.6 /usr/lib/"$arch"-linux-gnu/lib{lua5.4,jansson,seccomp,sqlite3,sodium,ncursesw,tinfo}.a
archive "ensign-$version-linux-$arch-static" "$tree"
