"""tutti profile: runs added up by several processes, sums, and comparisons.

profiles.py TUTTI DATA_DIR
"""

import json
import os
import subprocess

from driver import DONE, Driver, main, PASS_FAILED, RELU, TUTTI, WRONG_INPUT, WRONG_USAGE


def profile(times, counts=(), runs=None):
    """Returns the text of a profile with a pass whose runs took these buckets."""
    buckets = sorted((time, times.count(time)) for time in set(times))
    return json.dumps({"tutti_profile": 1, "runs": len(times) if runs is None else runs,
                       "passes": [{"pass": "A", "calls": len(times), "inclusive_ns": 9, "self_ns": 9, "least_ns": 1, "most_ns": 5, "self": buckets}],
                       "counts": [{"pass": "A", "name": name, "count": count} for name, count in counts], "remarks": []})


class Profiles(Driver):
    def path(self, name):
        return str(self.folder / name)

    def kept(self, text):
        """Writes a file of its own."""
        return self.file(text, f"{len(os.listdir(self.folder))}.json")

    def compared(self, *arguments, code=DONE):
        done = subprocess.run([TUTTI, "profile", "diff", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return done.stdout

    def add(self, file, *switches):
        self.run_tutti("opt", "--passes=InferType,SimplifyInference,FuseOps", f"--add-profile={file}", *switches, stdin=RELU)

    def test_processes_add_runs_at_the_same_time(self):
        file = self.path("all.json")
        command = [TUTTI, "opt", self.file(RELU), "--passes=InferType,FuseOps", f"--add-profile={file}", "-o", os.devnull]
        for _ in range(4):
            running = [subprocess.Popen(command) for _ in range(8)]
            self.assertEqual([each.wait() for each in running], [DONE] * 8)
        with open(file, encoding="utf-8") as text:
            found = json.load(text)
        self.assertEqual((found["tutti_profile"], found["runs"]), (1, 32))
        fused, = (each for each in found["passes"] if each["pass"] == "FuseOps")
        self.assertEqual((fused["calls"], sum(count for _, count in fused["self"])), (32, 32))
        self.assertGreaterEqual(fused["inclusive_ns"], fused["self_ns"])

    def test_sums_do_not_depend_on_the_order(self):
        files = [self.path(name) for name in "abc"]
        for n, file in enumerate(files):
            for _ in range(n + 1):
                self.add(file)
        sums = {self.run_tutti("profile", "merge", *order)[0] for order in (files, files[::-1], [files[1], files[2], files[0]])}
        self.assertEqual(len(sums), 1)
        both = self.path("both")
        self.run_tutti("profile", "merge", *files[:2], "-o", both)
        self.assertEqual({self.run_tutti("profile", "merge", both, files[2])[0]}, sums)
        self.assertEqual(json.loads(sums.pop())["runs"], 6)
        self.assertEqual(self.run_tutti("profile", "show", both, "--json")[0], self.run_tutti("profile", "merge", both)[0])
        self.assertRegex(self.run_tutti("profile", "show", both)[0], r"\A3 runs\n\npass +calls +self us +per run us +median us +90 % us\n")

    def test_differences(self):
        slow, fast = self.kept(profile([700] * 5 + [710] * 5)), self.kept(profile([400] * 5 + [410] * 5))
        self.assertRegex(self.compared(fast, slow, code=PASS_FAILED), r"\nA .* \+\d+.* %  +0.0001 +slower\n")
        self.assertRegex(self.compared(slow, fast, code=PASS_FAILED), r"\nA .* -\d+.* %  +0.0001 +faster\n")
        self.assertRegex(self.compared(slow, slow), r"\nA .* \+0.0 %  +1\n")
        self.compared(fast, slow, "--slower=1000000000")
        few = self.kept(profile([700] * 3))
        self.assertRegex(self.compared(few, fast), r" 1\n")  # too few runs
        counted = [self.kept(profile([7] * 2, [("fused", count)])) for count in (4, 6, 4)]
        self.assertRegex(self.compared(*counted[:2], code=PASS_FAILED), r"\nA: fused +2 +3\n")
        self.compared(counted[0], counted[2])
        both = json.loads(self.compared("--json", fast, slow, code=PASS_FAILED))
        self.assertEqual([(each["pass"], each["runs_before"], each["verdict"]) for each in both["passes"]], [("A", 10, "slower")])
        nothing = self.kept(json.dumps({"tutti_profile": 1, "runs": 0, "passes": [], "counts": [], "remarks": []}))
        self.assertRegex(self.compared(nothing, fast, code=PASS_FAILED), r"\nA +- +\S+ +new\n")
        self.assertEqual(self.compared(nothing, nothing), "0 runs before, 0 after\n")

    def test_wrong_profiles(self):
        for text, problem in (("", "byte 1: is not JSON"), ('{"tutti', "byte 8: is not JSON"), ("[]", "is not a profile"), ("{}", "is not a profile"),
                              ('{"tutti_profile":2}', "is a profile of version 2; expected version 1"),
                              ('{"tutti_profile":1}', "runs is wrong; expected a whole number"),
                              ('{"tutti_profile":1,"runs":-1}', "runs is wrong; expected a whole number from 0"),
                              ('{"tutti_profile":1,"runs":1e3}', "runs is wrong"),
                              ('{"tutti_profile":1,"runs":99999999999999999999}', "runs is wrong"),
                              ('{"tutti_profile":1,"runs":1,"passes":3}', "passes is wrong; expected a list"),
                              ('{"tutti_profile":1,"runs":1,"passes":[3]}', "passes[0].pass is wrong; expected a text"),
                              (profile([5, 5], runs=1), "passes[0].self is wrong; expected at most as many times as there are runs"),
                              (profile([5]).replace("[5, 1]", "[5, 0]"), "passes[0].self is wrong; expected a list of pairs"),
                              (profile([5]).replace("[5, 1]", "[5, 1], [4, 1]"), "passes[0].self is wrong; expected a list of pairs"),
                              (profile([5]).replace("[5, 1]", "[9999, 1]"), "passes[0].self is wrong; expected a list of pairs")):
            file = self.file(text)
            self.assertIn(f"{file}: error: {problem}", self.refused("profile", "show", file, code=WRONG_INPUT))
            self.refused("opt", "--passes=InferType", f"--add-profile={file}", stdin=RELU, code=WRONG_INPUT)
            with open(file, encoding="utf-8") as kept:
                self.assertEqual(kept.read(), text)
        self.refused("profile", "show", "/nowhere/at/all", code=WRONG_INPUT)
        self.refused("opt", "--passes=InferType", "--add-profile=/nowhere/at/all", stdin=RELU, code=WRONG_INPUT)
        self.refused("opt", "--add-profile=x", stdin=RELU, code=WRONG_USAGE)
        self.refused("profile", code=WRONG_USAGE)
        self.refused("profile", "diff", "x", code=WRONG_USAGE)


main()
