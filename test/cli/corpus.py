"""tutti corpus: runs over many modules, on this machine's processors and with MPI.

corpus.py TUTTI DATA_DIR [--modules DIR] [--interruptions N]: TUTTI also has the passes of planted.cpp. DIR has the module for
MPI; without it, or without mpirun, the tests with MPI are skipped. N is the number of runs that are interrupted at random
moments.
"""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from driver import DONE, Driver, main, PASS_FAILED, RELU, SANITIZED, TUTTI, WRONG_INPUT, WRONG_USAGE

MODULES = sys.argv[sys.argv.index("--modules") + 1] if "--modules" in sys.argv else None
HAS_MPI = MODULES and shutil.which("mpirun")
INTERRUPTIONS = int(sys.argv[sys.argv.index("--interruptions") + 1]) if "--interruptions" in sys.argv else 4
PASSES = "--passes=InferType,SimplifyExpr,FoldConstant,FuseOps"
NETWORK = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32], %d: Tensor[(5, 64), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2]);
  %2 = add(%1, 2f);
  %3 = nn.relu(%2);
  %4 = nn.batch_flatten(%3);
  nn.dense(%4, %d, units=5)
}
"""
#: The columns that do not depend on the run: all but times and `id`.
MODULE = "name bytes hash outcome pass message reproducer operators_before operators_after operators operators_result output results version".split()
PASS = "step name changed operators_before operators_after operators counts remarks".split()


def contents(path):
    """Returns everything in a database except times, in an order that does not depend on the run."""
    with sqlite3.connect(path) as db:
        modules = db.execute(f"SELECT {','.join(MODULE)} FROM module ORDER BY name").fetchall()
        passes = db.execute(f"SELECT m.name, {','.join('p.' + c for c in PASS)} FROM pass p JOIN module m ON m.id = p.module ORDER BY m.name, p.step").fetchall()
        return db.execute("SELECT * FROM run ORDER BY key").fetchall(), modules, passes


def children(process):
    """Returns the child processes of a process."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


class Corpus(Driver):
    def database(self, name="results.db"):
        return str(self.folder / name)

    def query(self, sql, name="results.db"):
        with sqlite3.connect(self.database(name)) as db:
            return db.execute(sql).fetchall()

    def corpus(self, *arguments, name="results.db", code=DONE, **options):
        """Runs `tutti corpus run` and returns standard error."""
        return self.run_tutti("corpus", "run", *arguments, "-o", self.database(name), code=code, **options)[1]

    def outcomes(self, name="results.db"):
        return dict(self.query("SELECT name, outcome FROM module", name))

    def models(self):
        """Returns a folder of programs of different sizes, one of them broken."""
        folder = self.folder / "models"
        (folder / "more").mkdir(parents=True)
        (folder / "relu.relay").write_text(RELU, encoding="utf-8")
        (folder / "more" / "network.relay").write_text(NETWORK, encoding="utf-8")
        (folder / "more" / "broken.relay").write_text("def @main(%x: Tensor[(2), float32]) { nn.rleu(%x) }", encoding="utf-8")
        (folder / "notes.txt").write_text("no program", encoding="utf-8")
        return folder

    # run

    def test_a_folder_a_list_a_pattern_and_random_programs(self):
        folder = self.models()
        said = self.corpus(str(folder), "--random=7:3", PASSES, code=PASS_FAILED)
        self.assertIn("note: 6 modules, 0 skipped, 1 failed\n", said)
        self.assertIn("results.db: error: 1 module failed; `tutti corpus show --failures` lists them", said)
        self.assertEqual(self.outcomes(), {f"{folder}/relu.relay": "ok", f"{folder}/more/network.relay": "ok",
                                           f"{folder}/more/broken.relay": "unreadable",
                                           "random:7": "ok", "random:8": "ok", "random:9": "ok"})
        message = self.query("SELECT message FROM failure")[0][0]
        self.assertIn("broken.relay:1:39: error: there is no operator `nn.rleu`; did you mean `nn.relu`?", message)
        # The largest is first.
        self.corpus(str(folder), PASSES, "--jobs=1", name="one.db", code=PASS_FAILED)
        self.assertEqual([name.rpartition("/")[2] for name, in self.query("SELECT name FROM module ORDER BY id", "one.db")],
                         ["network.relay", "relu.relay", "broken.relay"])
        (folder / "list").write_text("# models\nrelu.relay\n\nmore/network.relay\nmissing.relay\n", encoding="utf-8")
        self.corpus(f"@{folder}/list", PASSES, name="list.db", code=PASS_FAILED)
        self.assertEqual(sorted(self.outcomes("list.db").values()), ["ok", "ok", "unreadable"])
        self.corpus(f"{folder}/more/net*.relay", f"{folder}/*.relay", f"{folder}/relu.relay", PASSES, name="pattern.db")
        self.assertEqual(len(self.outcomes("pattern.db")), 2)

    def test_rows_of_passes(self):
        self.file(NETWORK, "net.relay")
        self.corpus(str(self.folder / "net.relay"), "--passes=InferType,FuseOps", "-O3")
        rows = self.query("SELECT name, changed, operators_before, operators_after, operators FROM pass ORDER BY step")
        self.assertEqual(rows[0], ("InferType", 1, 6, 6, None))
        self.assertEqual([row[0] for row in rows if row[0] == "FuseOps"], ["FuseOps"])
        self.assertTrue(all(seconds > 0 for seconds, in self.query("SELECT seconds FROM pass")))
        counts = json.loads(self.query("SELECT operators FROM module")[0][0])
        self.assertEqual(counts, {"add": 1, "nn.batch_flatten": 1, "nn.conv2d": 1, "nn.dense": 1, "nn.max_pool2d": 1, "nn.relu": 1})
        self.assertEqual(self.query("SELECT count(DISTINCT hash), count(DISTINCT output) FROM module"), [(1, 1)])

    def test_each_planted_pass_becomes_a_row_with_a_reduced_reproducer(self):
        network = self.file(NETWORK.replace("nn.relu(%2)", "nn.softmax(%2)").replace("add(%1, 2f)", "nn.relu(%1)"), "net.relay")
        faults = {
            "AddToConstant": ("numerics", "results-differ", self.file(NETWORK, "constant.relay")),
            "DropArgument": ("verify", "invalid", self.file(NETWORK, "argument.relay")),
            "LoopForEver": ("crash", "timed-out", network),
            "SaysUnchanged": ("verify", "invalid", self.file(NETWORK, "unchanged.relay")),
            "Abort": ("verify", "crashed", network),
            "Throw": ("verify", "pass-failed", self.file(NETWORK, "throw.relay")),
        }
        for name, (check, outcome, path) in faults.items():
            with self.subTest(name):
                passes = f"--passes=InferType,FoldConstant,{name}"
                self.corpus(path, "--random=1:5", passes, f"--check={check}", "--time-limit=3", "--reduce",
                            "--max-tries=200", name=name, code=PASS_FAILED)
                found, fault, reproducer = self.query(f"SELECT outcome, pass, reproducer FROM module WHERE name = '{path}'", name)[0]
                self.assertEqual(found, outcome)
                if outcome in ("timed-out", "crashed", "pass-failed"):
                    self.assertEqual(fault, name)
                self.assertIn(f"// passes: {name}\n", reproducer)
                self.assertLessEqual(reproducer.partition("#[metadata]")[0].count("\n  "), 3, msg=reproducer)
                # `show` writes it, and it fails again.
                self.assertIn(reproducer, self.run_tutti("corpus", "show", self.database(name), f"--module={path}")[0])
                self.run_tutti("bisect", f"--check={check}", "--timeout=3", stdin=reproducer)
                listed = self.run_tutti("corpus", "show", self.database(name), "--failures")[0]
                self.assertRegex(listed, rf"(?m)^{path} +{outcome} ")

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory than the limit")
    def test_too_much_memory_becomes_a_row(self):
        self.file("def @main() { zeros(shape=[20000, 20000], dtype=\"float32\") }", "large.relay")
        self.corpus(str(self.folder / "large.relay"), "--check=numerics", "--memory-limit=1000", code=PASS_FAILED)
        self.assertEqual([*self.outcomes().values()], ["out-of-memory"])

    def test_a_baseline(self):
        self.corpus("--random=1:40", "--passes=InferType,SimplifyExpr", name="before.db")
        self.corpus("--random=1:40", "--passes=InferType,SimplifyExpr", f"--check=baseline={self.database('before.db')}", name="same.db")
        self.corpus("--random=1:40", "--passes=InferType,SimplifyExpr,FoldConstant", f"--check=baseline={self.database('before.db')}",
                    name="other.db", code=PASS_FAILED)
        outcomes = [*self.outcomes("other.db").values()]
        self.assertEqual({*outcomes}, {"ok", "output-changed"})
        self.assertRegex(self.query("SELECT message FROM failure", "other.db")[0][0], "baseline's")

    def test_numerics_of_random_programs(self):
        self.corpus("--random=1:60", PASSES, "--check=numerics", "-O4")
        self.assertLessEqual({*self.outcomes().values()}, {"ok", "unchecked"})
        self.assertGreater(self.query("SELECT count(DISTINCT results) FROM module")[0][0], 40)

    def test_wrong_usage(self):
        for arguments, code, said in (
                (["none.relay"], WRONG_INPUT, "none.relay: error: does not exist"),
                (["none*.relay"], WRONG_INPUT, "matches no file"),
                ([str(self.folder)], WRONG_INPUT, "has no programs; expected files that end in .relay or .onnx"),
                (["--random=1"], WRONG_USAGE, "--random: `1` is not valid; expected SEED:COUNT"),
                (["--random=1:x"], WRONG_USAGE, "`1:x` is not valid"),
                ([], WRONG_USAGE, "there are no modules; expected MODELS or --random=SEED:COUNT"),
                (["--random=1:1", "--check=speed"], WRONG_USAGE, "expected crash, verify, numerics or baseline=DB"),
                (["--random=1:1", "--passes=FuseOp"], WRONG_USAGE, "did you mean FuseOps?"),
                (["--random=1:1", "--check=baseline=none.db"], WRONG_INPUT, "none.db: error: cannot be opened")):
            with self.subTest(arguments):
                self.assertIn(said, self.corpus(*arguments, code=code))
        self.assertFalse(os.path.exists(self.database()) and self.outcomes())
        self.assertIn("is no database", self.refused("corpus", "show", self.file("no database"), code=WRONG_INPUT))

    # resume

    def test_resume(self):
        self.corpus("--random=1:30", PASSES)
        self.assertIn("exists; expected --resume", self.corpus("--random=1:30", PASSES, code=WRONG_INPUT))
        said = self.corpus("--random=1:50", PASSES, "--resume")
        self.assertIn("20 modules, 30 skipped, 0 failed", said)
        for other, key in (("--passes=InferType", "passes is `InferType`"), (PASSES + " --check=crash", "check is `crash`"),
                           (PASSES + " -O3", "options is `--opt-level=3`")):
            self.assertIn(f"--resume: {key}, but the database's rows have `",
                          self.corpus("--random=1:50", *other.split(), "--resume", code=WRONG_INPUT))
        self.corpus("--random=1:50", PASSES, name="whole.db")
        self.assertEqual(contents(self.database()), contents(self.database("whole.db")))
        self.assertIn("50 modules in both: equal\n", self.run_tutti("corpus", "diff", self.database(), self.database("whole.db"))[0])

    def test_the_rows_do_not_depend_on_the_number_of_workers(self):
        folder = self.models()
        for jobs in (1, 2, 5):
            self.corpus(str(folder), "--random=1:200", "--passes=InferType,Abort,SimplifyExpr", f"--jobs={jobs}",
                        name=f"{jobs}.db", code=PASS_FAILED)
        self.assertIn("crashed", self.outcomes("1.db").values())
        for jobs in (2, 5):
            self.assertEqual(contents(self.database(f"{jobs}.db")), contents(self.database("1.db")))

    def interrupted(self, command, arguments, number, kill):
        """Runs until there are all rows, resuming after each interruption; `kill` gets the process."""
        path = self.database(f"interrupted{number}.db")
        for attempt in range(200):
            resume = ["--resume"] if attempt else []
            with subprocess.Popen([*command, TUTTI, "corpus", "run", *arguments, "-o", path, *resume],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                kill(process)
                said = process.communicate()[1]
                if process.returncode == DONE:
                    return path
        self.fail("the run never ends: " + said)

    def test_killed_at_random_moments(self):
        chance = random.Random(20)
        arguments = ["--random=1:600", PASSES, "--jobs=2"]
        self.corpus(*arguments, name="whole.db")
        whole = contents(self.database("whole.db"))
        begin = time.monotonic()
        self.corpus(*arguments, name="again.db")
        usual = time.monotonic() - begin

        def kill_main(process):
            time.sleep(chance.uniform(0, usual))
            process.kill()

        def kill_workers(process):
            for _ in range(3):
                time.sleep(chance.uniform(0, usual / 3))
                if workers := children(process.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(chance.choice(workers), signal.SIGKILL)

        def terminate(process):
            time.sleep(chance.uniform(0, usual))
            process.terminate()

        for number in range(INTERRUPTIONS):
            kill = (kill_main, kill_workers, terminate)[number % 3]
            with self.subTest(number=number, kill=kill.__name__):
                self.assertEqual(contents(self.interrupted([], arguments, number, kill)), whole)

    # MPI

    @staticmethod
    def mpirun(ranks):
        os.environ.update(TUTTI_MODULES=MODULES, OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
        return ["mpirun", *(["--allow-run-as-root"] if os.getuid() == 0 else []), "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]

    @unittest.skipUnless(HAS_MPI, "needs MPI")
    def test_the_rows_do_not_depend_on_the_number_of_ranks(self):
        folder = self.models()
        arguments = [str(folder), "--random=1:200", "--passes=InferType,Abort,SimplifyExpr"]
        self.corpus(*arguments, name="local.db", code=PASS_FAILED)
        for ranks in (1, 2, 4):
            path = self.database(f"{ranks}.db")
            done = subprocess.run([*self.mpirun(ranks), TUTTI, "corpus", "run", *arguments, "-o", path], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, PASS_FAILED, msg=done.stderr)
            self.assertEqual(done.stderr.count("note: 203 modules, 0 skipped"), 1, msg=done.stderr)
            self.assertEqual(contents(path), contents(self.database("local.db")))

    @unittest.skipUnless(HAS_MPI, "needs MPI")
    def test_ranks_killed_at_random_moments(self):
        chance = random.Random(21)
        arguments = ["--random=1:600", PASSES]
        self.corpus(*arguments, name="whole.db")
        whole = contents(self.database("whole.db"))

        def kill_rank(process):
            time.sleep(chance.uniform(0.3, 2))
            if ranks := children(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(ranks), signal.SIGKILL)

        def kill_worker(process):
            time.sleep(chance.uniform(0.3, 2))
            if workers := [worker for rank in children(process.pid) for worker in children(rank)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(workers), signal.SIGKILL)

        for number in range(max(2, INTERRUPTIONS // 2)):
            kill = (kill_rank, kill_worker)[number % 2]
            with self.subTest(number=number, kill=kill.__name__):
                self.assertEqual(contents(self.interrupted(self.mpirun(2), arguments, number, kill)), whole)

    @unittest.skipUnless(HAS_MPI, "needs MPI")
    def test_errors_under_mpi_are_reported_once(self):
        for arguments, said in ((["--passes=FuseOp"], "did you mean FuseOps?"), (["--random=1:1"], "none.relay: error: does not exist")):
            done = subprocess.run([*self.mpirun(2), TUTTI, "corpus", "run", "none.relay", *arguments, "-o", self.database()],
                                  capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, DONE)
            self.assertEqual(done.stderr.count(said), 1, msg=done.stderr)

    def test_without_the_module_for_mpi(self):
        said = self.corpus("--random=1:1", code=WRONG_INPUT, env={**os.environ, "PMIX_RANK": "0", "TUTTI_MODULES": "/none"})
        self.assertIn("an MPI launcher started this, but there is neither /none/tutti_mpi.so nor", said)

    def test_the_disk_is_full(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

        said = self.corpus("--random=1:2000", PASSES, code=WRONG_INPUT, preexec_fn=small)
        self.assertRegex(said, r"results.db: error: cannot be written: .*; finished modules stay, and --resume continues")
        kept = len(self.outcomes())
        self.assertGreater(kept, 0)
        self.assertIn(f"{2000 - kept} modules, {kept} skipped", self.corpus("--random=1:2000", PASSES, "--resume"))

    def test_readable_while_it_runs(self):
        with subprocess.Popen([TUTTI, "corpus", "run", "--random=1:1000000", PASSES, "-o", self.database()],
                              stderr=subprocess.DEVNULL) as process:
            seen = 0
            for _ in range(200):
                time.sleep(0.1)
                if os.path.exists(self.database()) and os.path.getsize(self.database()):
                    try:
                        seen = self.query("SELECT count(*) FROM module")[0][0]
                    except sqlite3.OperationalError:  # the tables are being created
                        pass
                if seen > 100:
                    break
            self.assertGreater(seen, 100)
            self.assertIn("ok", self.run_tutti("corpus", "show", self.database())[0])
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(), WRONG_INPUT)

    # show, diff

    def test_show(self):
        folder = self.models()
        self.corpus(str(folder), "--random=1:20", PASSES, code=PASS_FAILED)
        out = self.run_tutti("corpus", "show", self.database())[0]
        self.assertRegex(out, r"\Aok +22\nunreadable +1\n\npass +runs  changed +time\n")
        summary = json.loads(self.run_tutti("corpus", "show", self.database(), "--json")[0])
        self.assertEqual(summary["configuration"]["passes"], PASSES.partition("=")[2])
        self.assertEqual({each["name"] for each in summary["passes"]}, {"InferType", "SimplifyExpr", "FoldConstant", "FuseOps"})
        failures = json.loads(self.run_tutti("corpus", "show", self.database(), "--failures", "--json")[0])
        self.assertEqual([each["outcome"] for each in failures], ["unreadable"])
        slowest = json.loads(self.run_tutti("corpus", "show", self.database(), "--slowest=3", "--json")[0])
        self.assertEqual(len(slowest), 3)
        self.assertEqual(sorted([each["seconds"] for each in slowest], reverse=True), [each["seconds"] for each in slowest])
        self.assertEqual(len(self.run_tutti("corpus", "show", self.database(), "--slowest")[0].splitlines()), 20)
        module = json.loads(self.run_tutti("corpus", "show", self.database(), "--module=random:3", "--json")[0])
        self.assertIsInstance(module["operators"], dict)
        self.assertIn("has no module random:99", self.refused("corpus", "show", self.database(), "--module=random:99", code=WRONG_INPUT))

    def test_diff(self):
        self.corpus("--random=1:60", "--passes=InferType,SimplifyExpr", name="before.db")
        self.corpus("--random=2:60", "--passes=InferType,SimplifyExpr,FoldConstant", name="after.db")
        diff = [TUTTI, "corpus", "diff", self.database("before.db"), self.database("after.db")]
        done = subprocess.run(diff, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, PASS_FAILED)
        self.assertRegex(done.stdout, r"passes: InferType,SimplifyExpr -> InferType,SimplifyExpr,FoldConstant\n59 modules in both: \d+ differ; 2 in only one of them\n")
        self.assertRegex(done.stdout, r"random:1 +only in the first\nrandom:61 +only in the second\n")
        self.assertRegex(done.stdout, r"random:\d+ +operators (-\d|\+\d) ")
        self.assertIn("Wilcoxon signed-rank test", done.stdout)
        all_of = json.loads(subprocess.run([*diff, "--json"], capture_output=True, text=True, check=False).stdout)
        self.assertEqual(all_of["modules"], 59)
        self.assertEqual({each["name"] for each in all_of["passes"]}, {"InferType", "SimplifyExpr"})
        self.assertEqual([each["name"] for each in all_of["only_before"]], ["random:1"])

    def test_diff_finds_slower_passes(self):
        self.corpus("--random=1:100", PASSES, name="before.db")
        shutil.copy(self.database("before.db"), self.database("after.db"))
        with sqlite3.connect(self.database("after.db")) as db:
            db.execute("UPDATE pass SET seconds = seconds * (CASE WHEN module % 5 THEN 1.2 ELSE 0.95 END) WHERE name = 'FuseOps'")
            db.execute("UPDATE pass SET seconds = seconds * (CASE WHEN module % 2 THEN 1.3 ELSE 0.77 END) WHERE name = 'SimplifyExpr'")
        out = self.run_tutti("corpus", "diff", self.database("before.db"), self.database("after.db"))[0]
        self.assertIn("100 modules in both: equal\n", out)
        self.assertRegex(out, r"(?m)^FuseOps .*  slower$")
        self.assertEqual(out.count("  slower"), 1)
        back = self.run_tutti("corpus", "diff", self.database("after.db"), self.database("before.db"))[0]
        self.assertRegex(back, r"(?m)^FuseOps .*  faster$")


main()
