#!/bin/sh
# Builds and runs the tests; installs their dependencies. Ends with a line "N passed, N failed".
#
#     sh test/run.sh [-d BUILD_DIR] [-s SUITE] [-x TEST]... [-t TEST]... [MESON OPTION...]
#
# -t runs (and builds) only tests with that name, -s only those of a suite, "unit" or "check", except those of -x. The
# compiler is $CXX, or g++.

set -eu
cd "$(dirname "$0")/.."
. packaging/setup.sh

build=build/test
only=
suite=
except=
while [ $# -ge 2 ]; do
    case $1 in
    -d) build=$2 ;;
    -s) suite=$2 ;;
    -x) except="$except $2" ;;
    -t) only="$only $2" ;;
    *) break ;;
    esac
    shift 2
done

# Ending for any reason before the tests have run is a failure.
trap 'echo "0 passed, 1 failed"' EXIT

need_build
need_tests
install_missing
configure "$build" -Dtests=enabled -Dexamples=enabled -Dbenches=disabled -Dlibrary=enabled -Doptimization=0 -Ddebug=false "$@"

[ -z "$suite" ] || only="$only $(python3 test/support/suite_names.py "$build" "$suite" $except)"

rm -f "$build/meson-logs/testlog.json"
if [ -z "$only" ]; then
    # Meson would build as well, but with less output.
    ninja -k 0 -C "$build"
    set -- --no-rebuild
else
    set -- $only
fi
status=0
meson test -C "$build" --print-errorlogs --timeout-multiplier "${TUTTI_TIMEOUT_MULTIPLIER:-1}" "$@" || status=$?
trap - EXIT
python3 test/support/summary.py "$build" $only || exit 1
exit $status
