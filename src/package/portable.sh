#!/bin/bash
# Starts the ensign of this folder with the libraries that came with it. One of them finds its plugin through
# descriptor 9.
here=$(readlink -f "$0") && here=${here%/bin/*}/lib/ensign
name=$0 && [[ $(type -P ensign) != "$0" ]] || name=ensign # as it was typed
[[ ${1-} != serve ]] || exec 9<"$here"
exec -a "$name" "$here/ensign" "$@"
