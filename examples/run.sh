#!/bin/sh
# Builds an example, optimised, and runs it; installs what that needs. Only the example writes to standard output.
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
ninja -C "$build" --quiet "examples/$example" >&2
exec "$build/examples/$example" "$@"
