#!/bin/bash
# .ci/release.sh FOLDER [KEY]: a release of the commit that is checked out, in a new folder: what .ci/package.sh makes,
# ensign-VERSION.tar.gz (the sources), SHA256SUMS, and SHA256SUMS.minisig where KEY, a secret key of minisign, is given.
# Tags the commit vVERSION, with its section of Changes. CMakeLists.txt has the version. Needs no network once what
# package.sh needs is installed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/.ci/packages.sh"
[[ $# == 1 || $# == 2 ]] || { say "a folder is expected, and a key of minisign or none"; exit 2; }
[[ ! -e $1 ]] || { say "$1 is there; a new folder is expected"; exit 2; }
to=$(realpath -m "$1")
key=${2:+$(realpath -e "$2")}
cd "$root"

changed=$(git status --porcelain)
[[ ! $changed ]] || { say "these files are not committed:"; printf '%s\n' "$changed" >&2; exit 1; }
version=$(sources_version)
tag=v$version
tagged=$(git rev-parse -q --verify "refs/tags/$tag^{commit}") || true
[[ ! $tagged || $tagged == "$(git rev-parse HEAD)" ]] ||
  { say "$tag is another commit; CMakeLists.txt needs a new version"; exit 1; }

.ci/package.sh "$to"
git -c tar.umask=022 archive --prefix="ensign-$version/" HEAD | gzip -9n >"$to/ensign-$version.tar.gz"
(cd "$to" && sums=$(sha256sum -- *) && printf '%s\n' "$sums" >SHA256SUMS)
[[ ! $key ]] || minisign -S -s "$key" -m "$to/SHA256SUMS" -t "ensign $version"
[[ $tagged ]] || { printf 'ensign %s\n\n' "$version" && awk -v version="$version" '
  /^##/ { within = $0 ~ /^### / && $2 == version; next }
  within' src/README.md; } | git tag -a --cleanup=whitespace -F - "$tag"
say "$tag is in $to"
