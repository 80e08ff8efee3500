"""summary.py BUILD_DIR [TEST...]: sums up the tests of the last `meson test`, ending in "N passed, N failed".

A Catch2 program (suite "unit") counts its test cases, any other test counts as one. A script that prints a line
`SKIPPED: …` and passes has skipped a part. A test without a result, or a program that ended without reporting its test
cases, has failed.
"""

import json
import os
import re
import sys

TOTALS = re.compile(r"^test cases: *\d+ *\|(?P<parts>.*)$", re.MULTILINE)
ALL_PASSED = re.compile(r"^All tests passed \(.* in (\d+) test cases?\)", re.MULTILINE)


def catch_counts(text):
    """Returns the numbers of test cases passed, failed and skipped that Catch2 (2 or 3) printed last, or None."""
    found = [(m.start(), m) for pattern in (TOTALS, ALL_PASSED) for m in pattern.finditer(text)]
    if not found:
        return None
    last = max(found, key=lambda f: f[0])[1]
    if last.re is ALL_PASSED:
        return int(last.group(1)), 0, 0
    parts = re.findall(r"(\d+) (passed|failed as expected|failed|skipped)", last.group("parts"))
    number = {kind: int(n) for n, kind in parts}
    return number.get("passed", 0) + number.get("failed as expected", 0), number.get("failed", 0), number.get("skipped", 0)


def plain_name(result):
    """Returns a test's name without the project and suite that Meson may prepend."""
    return result["name"].split(" / ")[-1]


def count(result, is_unit):
    """Returns the numbers passed, failed and skipped of one test, and a remark on it or None."""
    name, outcome = plain_name(result), result["result"]
    if outcome == "SKIP":
        return (0, 0, 1), f"skipped: {name}: {result.get('stdout', '').strip()}"
    ok = outcome == "OK"
    if not is_unit and ok:
        parts = [line.removeprefix("SKIPPED: ") for line in result.get("stdout", "").splitlines() if line.startswith("SKIPPED: ")]
        return (1, 0, len(parts)), "\n".join(f"skipped: {name}: {part}" for part in parts) or None
    if not is_unit:
        return (0, 1, 0), f"failed: {name} ({outcome})"
    counts = catch_counts(result.get("stdout", ""))
    if counts is None or (ok and counts[0] + counts[2] == 0):
        return (0, 1, 0), f"failed: {name} ({outcome}) ended without a result of its test cases"
    passed, failed, skipped = counts
    if not ok and failed == 0:
        return (passed, 1, skipped), f"failed: {name} ({outcome})"
    if ok and failed:
        return counts, f"failed: {name} says that it went well, its test cases do not"
    return counts, f"failed: {name}: {failed} test cases" if failed else None


def summarise(build, only):
    """Returns the totals of all selected tests, and the remarks."""
    with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        tests = json.load(file)
    wanted = {t["name"]: any(s.endswith("unit") for s in t["suite"]) for t in tests}
    twice = sorted({t["name"] for t in tests if [other["name"] for other in tests].count(t["name"]) > 1})
    if only:
        wanted = {name: wanted.get(name, False) for name in only}
    results = {}
    log = os.path.join(build, "meson-logs", "testlog.json")
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            for line in file:
                result = json.loads(line)
                results[plain_name(result)] = result
    # Results are found by name: of two tests with one name, the one that ends last would count for both.
    totals, remarks = [0, len(twice), 0], [f"failed: two tests are named {name}" for name in twice]
    for name, is_unit in wanted.items():
        if name in results:
            counts, remark = count(results[name], is_unit)
        else:
            counts, remark = (0, 1, 0), f"failed: {name} left no result"
        totals = [a + b for a, b in zip(totals, counts)]
        if remark:
            remarks.append(remark)
    return totals, remarks


def main():
    (passed, failed, skipped), remarks = summarise(sys.argv[1], sys.argv[2:])
    for remark in remarks:
        print(remark)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
