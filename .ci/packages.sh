# Sourced by ./run, ./test and the scripts beside it: the Debian packages they need, and their installation.

packages_build=(gcc libc6-dev cmake ninja-build pkgconf liblua5.4-dev libjansson-dev libseccomp-dev
  libsqlite3-dev libsodium-dev libexpat1-dev libncurses-dev libwebsockets-dev
  libwebsockets-evlib-uv libuv1-dev zlib1g-dev libnats-dev)
packages_test=(libcmocka-dev libvterm-dev clang libclang-rt-dev lld valgrind lua-check clang-format
  chromium-headless-shell python3 python3-jsonschema python3-numpy nodejs lua5.4 nginx-light openssl nats-server
  zsh fish # complete command lines
  wasi-libc libclang-rt-dev-wasm32 # the library as WebAssembly
  minisign # a second program for the signatures of bundles
  abigail-tools) # compares the interface of libensign.so with the recorded one
# ./test --package: packs, judges and installs a release, and signs it.
packages_package=(dpkg-dev fakeroot file patchelf perl lintian mmdebstrap man-db git minisign)

sources_version() { sed -nE 's/^project\(ensign VERSION ([0-9.]+) .*/\1/p' "$root/CMakeLists.txt"; }

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# Installs the missing ones of the named packages; without root or sudo prints the command and exits
# 3. Without dpkg it does nothing, and CMake names missing libraries.
packages_install() {
  command -v dpkg-query >/dev/null || return 0
  local package installed missing=() become=()
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
  for package; do
    [[ $'\n'$installed$'\n' == *$'\ninstalled '"$package"$'\n'* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    become=(sudo)
    if ! command -v sudo >/dev/null || ! { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      say "these Debian packages are missing: ${missing[*]}"
      say "install them as root: apt-get install --no-install-recommends ${missing[*]}"
      exit 3
    fi
  fi
  say "installing ${missing[*]}"
  if ! { "${become[@]}" apt-get -qq update &&
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq install -y --no-install-recommends "${missing[@]}"; } </dev/null >&2; then
    say "apt-get could not install: ${missing[*]}"
    exit 3
  fi
}
