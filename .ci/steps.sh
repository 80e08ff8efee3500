# Sourced by .ci/run and .ci/nightly, in the project's root: runs steps and adds up their results. Bash.

. packaging/setup.sh

mkdir -p build
log=build/ci-step-$$.txt
passed=0
failed=0
skipped=0

# A slow machine must not fail, but a test that hangs must end.
export TUTTI_TIMEOUT_MULTIPLIER=${TUTTI_TIMEOUT_MULTIPLIER:-3}
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1

# step NAME COMMAND...: runs one step, prints its time, and adds the counts of its last line, "N passed, N failed".
step() {
    local name=$1 start=$SECONDS status last
    shift
    printf '\n=== %s: %s\n' "$name" "$*"
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    last=$(tail -n 1 "$log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
        if [ "$status" != 0 ] && [ "${BASH_REMATCH[2]}" = 0 ]; then
            failed=$((failed + 1))
        fi
    else
        failed=$((failed + 1))
    fi
    printf '=== %s: %d s, exit code %d\n' "$name" $((SECONDS - start)) "$status"
}

# one COMMAND...: a step that is one test: passed if the command succeeds.
one() {
    if "$@"; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; fi
}

# fuzzers SECONDS: builds the fuzz targets and runs each that long, two at a time.
fuzzers() {
    CXX=clang++-19 configure build/fuzz -Dtests=disabled -Dexamples=disabled -Dtools=disabled -Dbenches=disabled -Dfuzzers=enabled
    if ninja -C build/fuzz; then python3 test/fuzz/run.py build/fuzz --seconds "$1"; else echo "0 passed, 1 failed"; fi
}

# total: prints the sum of all steps; fails if a step failed or nothing ran.
total() {
    printf '\nall steps: %d s, %d skipped\n' "$SECONDS" "$skipped"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}
