#!/bin/sh
# Builds the documentation as a site in build/site/html, or in a folder; installs its dependencies. The site needs no server.
#
#     sh docs/run.sh [FOLDER]

set -eu
here=$PWD
cd "$(dirname "$0")/.."
. packaging/setup.sh

case ${1:-} in
'') site=$PWD/build/site ;;
/*) site=$1 ;;
*) site=$here/$1 ;;
esac
build=build/release
need_build
need_site
need_playground
install_missing
# Reconfigures if a dependency has been installed since.
grep -q "^build tools/tutti:" "$build/build.ninja" 2>/dev/null || rm -f "$build/configured-with"
# All dependencies are installed now, so nothing else is searched for or downloaded.
configure "$build" --wrap-mode=nofallback --buildtype=plain -Doptimization=2 -Ddebug=false -Dtests=disabled -Dexamples=enabled -Dbenches=disabled
ninja -C "$build" --quiet tools/tutti >&2
python3 tools/playground/build.py build/playground >&2
exec python3 docs/site/build.py . "$site" "$build/tools/tutti" --playground=build/playground/playground.html
