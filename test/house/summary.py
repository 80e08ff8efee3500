"""The count of passed and failed tests is reliable: tests test/support/summary.py with sample results."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import house

SUMMARY = Path(sys.argv[1]) / "test" / "support" / "summary.py"

#: The output of a test, its result, and the expected last line of the summary.
CASES = [
    ("All tests passed (6 assertions in 4 test cases)\n", "OK", "4 passed, 0 failed"),
    ("All tests passed (1 assertion in 1 test case)\n", "OK", "1 passed, 0 failed"),
    ("test cases: 4 | 3 passed | 1 failed\nassertions: 6 | 5 passed | 1 failed\n", "FAIL", "3 passed, 1 failed"),
    ("test cases: 2 | 2 failed\n", "FAIL", "0 passed, 2 failed"),
    ("test cases:  9 |  6 passed | 1 failed | 1 skipped | 1 failed as expected\n", "FAIL", "7 passed, 1 failed, 1 skipped"),
    ("test cases: 2 | 1 passed | 1 failed\n", "OK", "1 passed, 1 failed"),
    ("All tests passed (6 assertions in 4 test cases)\n", "FAIL", "4 passed, 1 failed"),
    ("No tests ran\n", "OK", "0 passed, 1 failed"),
    ("", "OK", "0 passed, 1 failed"),
    ("", "FAIL", "0 passed, 1 failed"),
    ("half a te", "TIMEOUT", "0 passed, 1 failed"),
    ("SKIPPED: no folder\n", "SKIP", "0 passed, 0 failed, 1 skipped"),
    (None, None, "0 passed, 1 failed"),
]


def summary(suite, results, *names):
    """Returns the last line and the exit code of the summary of a build whose test "t" had this output and result."""
    with tempfile.TemporaryDirectory() as build:
        house.write_tree(build, {
            "meson-info/intro-tests.json": json.dumps([{"name": "t", "suite": [f"tutti:{suite}"]}]),
            "meson-logs/testlog.json": "".join(
                json.dumps({"name": "t", "stdout": text, "result": outcome}) + "\n" for text, outcome in results),
        })
        done = subprocess.run([sys.executable, str(SUMMARY), build, *names], capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[-1], done.returncode


def check(_root):
    for text, outcome, expected in CASES:
        line, code = summary("unit", [(text, outcome)] if outcome else [])
        if line != expected:
            yield f"{outcome} with {text!r}: expected '{expected}', got '{line}'"
        if (code == 0) != (" 0 failed" in expected and not expected.startswith("0 passed")):
            yield f"{outcome} with {text!r}: exit code {code} with '{line}'"
    for outcome, expected in (("OK", "1 passed, 0 failed"), ("FAIL", "0 passed, 1 failed"), ("ERROR", "0 passed, 1 failed")):
        if summary("check", [("some text", outcome)])[0] != expected:
            yield f"a check that ended {outcome} is not counted as '{expected}'"
    if summary("check", [("SKIPPED: a_test: no terminal\nmore\n", "OK")]) != ("1 passed, 0 failed, 1 skipped", 0):
        yield "a skipped part of a check that passed is not counted"
    if summary("check", [("", "OK")], "other")[0] != "0 passed, 1 failed":
        yield "a test that was asked for and did not run is not counted as failed"


house.run(check, [])
