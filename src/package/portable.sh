#!/bin/bash
# Starts the ensign of this folder with the libraries that came with it. One of them finds its plugin through
# descriptor 9.
here=$(readlink -f "$0") && here=${here%/bin/*}/lib/ensign
[[ ${1-} != serve ]] || exec 9<"$here"
exec -a "$0" "$here/ensign" "$@"
