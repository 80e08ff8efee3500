#!/bin/sh
# Builds an optimised example and runs it; installs its dependencies. Only the example writes to standard output.
#
#     sh examples/run.sh [EXAMPLE [ARGUMENT...]]

set -eu
cd "$(dirname "$0")/.."
. packaging/setup.sh

build=build/release
example=${1:-use_pass_instrument}
[ $# = 0 ] || shift

if [ ! -f "examples/$example.cpp" ] && [ ! -d "examples/$example" ]; then
    echo "examples/run.sh: $example: no such example; expected one of" \
        $(for each in examples/*.cpp examples/*/; do basename "$each" .cpp; done) >&2
    exit 2
fi

need_build
if [ "$example" = find_faces ]; then
    need libpng-dev has_header png.h
fi
install_missing
# Reconfigures if a dependency of the example has been installed since.
grep -q "^build examples/$example:" "$build/build.ninja" 2>/dev/null || rm -f "$build/configured-with"
# All dependencies are installed now, so nothing else is searched for or downloaded.
# Kernels for wider vectors take a minute to compile; builds that are installed have them.
configure "$build" --wrap-mode=nofallback --buildtype=plain -Doptimization=2 -Ddebug=false -Dwide_kernels=disabled -Dtests=disabled \
    -Dexamples=enabled -Dbenches=disabled
ninja -C "$build" --quiet "examples/$example" >&2
exec "$build/examples/$example" "$@"
