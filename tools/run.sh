#!/bin/sh
# Builds the command line `tutti` with optimisation and runs it; installs its dependencies.
#
#     sh tools/run.sh [ARGUMENT...]
#     sh tools/run.sh opt FILE --passes=InferType,FoldConstant

set -eu
here=$PWD
cd "$(dirname "$0")/.."
. packaging/setup.sh

build=build/release
need_build
need libcli11-dev has_header CLI/CLI.hpp
need nlohmann-json3-dev has_header nlohmann/json.hpp
need zlib1g-dev has_header zlib.h
need libsqlite3-dev has_header sqlite3.h
install_missing
# Reconfigures if a dependency has been installed since.
grep -q "^build tools/tutti:" "$build/build.ninja" 2>/dev/null || rm -f "$build/configured-with"
# All dependencies are installed now, so nothing else is searched for or downloaded.
# Kernels for wider vectors take a minute to compile; builds that are installed have them.
configure "$build" --wrap-mode=nofallback --buildtype=plain -Doptimization=2 -Ddebug=false -Dwide_kernels=disabled -Dtests=disabled \
    -Dexamples=enabled -Dbenches=disabled
ninja -C "$build" --quiet tools/tutti >&2
program=$PWD/$build/tools/tutti
cd "$here"
exec "$program" "$@"
