#!/bin/sh
# Builds an example, optimised, and runs it; installs what that needs. Only the example writes to standard output.
#
#     sh examples/run.sh [EXAMPLE [ARGUMENT...]]
#     sh examples/run.sh tutti opt FILE --passes=InferType,FoldConstant

set -eu
cd "$(dirname "$0")/.."
. packaging/setup.sh

build=build/release
example=${1:-use_pass_instrument}
[ $# = 0 ] || shift

need_build
if [ "$example" = tutti ]; then
    need libcli11-dev has_header CLI/CLI.hpp
    need nlohmann-json3-dev has_header nlohmann/json.hpp
    need zlib1g-dev has_header zlib.h
fi
install_missing
configure "$build" --buildtype=release -Dtests=disabled -Dexamples=enabled -Dbenches=disabled
ninja -C "$build" --quiet "examples/$example" >&2
exec "$build/examples/$example" "$@"
