#!/bin/sh
# Builds the examples, optimised, and runs the main one; installs what that needs.
#
#     sh examples/run.sh [EXAMPLE [ARGUMENT...]]

set -eu
cd "$(dirname "$0")/.."
. packaging/setup.sh

build=build/release
example=${1:-use_pass_instrument}
[ $# = 0 ] || shift

need_build
install_missing
configure "$build" --buildtype=release -Dtests=disabled -Dexamples=enabled -Dbenches=disabled
ninja -C "$build" --quiet "examples/$example"
exec "$build/examples/$example" "$@"
