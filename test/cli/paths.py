"""The effect of each switch that writes a file on existing files, links, devices, pipes and folders.

paths.py TUTTI DATA_DIR
"""

import os
import resource
import signal
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path

from driver import Driver, DONE, FOLDABLE, main, npz, RELU, SANITIZED, TUTTI, WRONG_INPUT, WRONG_USAGE

PASSES = "--passes=InferType,FoldConstant"
NUL = "/dev/null"


class Switch:
    """A switch that writes a file: the arguments around it, and its own exceptions."""

    def __init__(self, name, arguments, ending="", instrument=False, code=DONE, input_may_be_output=False, endings=()):
        self.name, self.arguments, self.ending, self.instrument, self.code = name, arguments, ending, instrument, code
        self.endings = endings or (ending,)
        self.input_may_be_output = input_may_be_output

    def command(self, program, output):
        """Returns the whole command: `IN` is the program, `OUT` the file, `NPZ` a file of NumPy arrays."""
        return [a.replace("IN", str(program)).replace("OUT", str(output)) for a in self.arguments]


TEXT = (".relay",)
ENDINGS = (".onnx", ".ONNX", ".npz", ".relay", ".json", ".html", ".svg", ".dot", ".png", ".csv", ".pb", ".zip")
SWITCHES = [
    Switch("opt -o", ["opt", "IN", PASSES, "-o", "OUT"], input_may_be_output=True, endings=(*TEXT, ".onnx", ".ONNX")),
    Switch("opt --params-out", ["opt", "IN", PASSES, "--params-out=OUT", "-o", NUL], ".npz"),
    Switch("--report", ["opt", "IN", PASSES, "-o", NUL, "--report=OUT"], ".html", True),
    Switch("--time-trace", ["opt", "IN", PASSES, "-o", NUL, "--time-trace=OUT"], ".json", True),
    Switch("--graph, svg", ["opt", "IN", PASSES, "-o", NUL, "--graph=OUT"], ".svg", True, endings=(".svg", ".dot")),
    Switch("--graph, dot", ["opt", "IN", PASSES, "-o", NUL, "--graph=OUT"], ".dot", True, endings=(".svg", ".dot")),
    Switch("--instrument=report", ["opt", "IN", PASSES, "-o", NUL, '--instrument=report{file="OUT"}'], ".html", True),
    Switch("run -o", ["run", "IN", "-o", "OUT"], endings=(".npz",)),
    Switch("run -o, npz", ["run", "IN", "-o", "OUT"], ".npz"),
    Switch("run --trace-values", ["run", "IN", "-o", NUL, "--trace-values=npz:OUT"], ".npz"),
    Switch("run --report", ["run", "IN", PASSES, "-o", NUL, "--report=OUT", "--trace-values"], ".html", True),
    Switch("compare -o", ["compare", "IN", PASSES, "-o", "OUT"]),
    Switch("bisect --reproducer", ["bisect", "IN", PASSES, "--check=grep broadcast_to", "-o", "OUT"], endings=TEXT),
    Switch("reduce -o", ["reduce", "IN", "--check=! grep multiply", "-o", "OUT"], input_may_be_output=True, endings=TEXT),
    Switch("model -o", ["model", "mlp", "-o", "OUT"], input_may_be_output=True, endings=TEXT),
]
CRASH = Switch("--crash-reproducer", ["opt", "IN", PASSES, "-o", NUL, "--crash-reproducer=OUT"], instrument=True, endings=TEXT)


class Paths(Driver):
    def setUp(self):
        super().setUp()
        self.program = Path(self.file(FOLDABLE, "program.relay"))
        self.out = self.folder / "out"
        self.out.mkdir()

    def each(self, switches=tuple(SWITCHES)):
        """Yields each switch, with an empty folder."""
        for switch in switches:
            for old in sorted(self.out.rglob("*"), reverse=True):
                old.rmdir() if old.is_dir() and not old.is_symlink() else old.unlink()
            self.program.write_text(FOLDABLE, encoding="utf-8")
            with self.subTest(switch=switch.name):
                yield switch, self.out / ("file" + switch.ending)

    def execute(self, switch, path, code=DONE, **options):
        done = subprocess.run([TUTTI, *switch.command(self.program, path)], capture_output=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
                              **options)
        said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, msg=said[-1000:])
        if code != DONE:
            self.assertIn("error: ", said)
        return said

    def entries(self):
        return sorted(each.name for each in self.out.iterdir())

    def test_a_file_is_replaced_and_keeps_its_permissions(self):
        for switch, path in self.each():
            path.write_text("old")
            path.chmod(0o640)
            self.execute(switch, path)
            self.assertNotEqual(path.read_bytes()[:3], b"old")
            self.assertGreater(path.stat().st_size, 0)
            self.assertEqual(path.stat().st_mode & 0o7777, 0o640)
            self.assertEqual(self.entries(), [path.name])

    def test_a_link_stays_and_its_file_is_replaced(self):
        for there in (True, False):
            for switch, path in self.each():
                target = self.out / "target"
                if there:
                    target.write_text("old")
                path.symlink_to("target")
                self.execute(switch, path)
                self.assertTrue(path.is_symlink())
                self.assertNotEqual(target.read_bytes()[:3], b"old")
                self.assertEqual(self.entries(), [path.name, "target"])

    def test_the_name_of_the_temporary_file_is_taken(self):
        victim = self.folder / "victim"
        for switch, path in self.each():
            victim.write_text("precious")
            for name, kind in ((".part", "link"), (".0.part", "link"), (".1.part", "file"), (".2.part", "folder")):
                beside = Path(str(path) + name)
                beside.symlink_to(victim) if kind == "link" else beside.mkdir() if kind == "folder" else beside.write_text("precious")
            before = self.entries()
            self.execute(switch, path)
            self.assertEqual(self.entries(), sorted(before + [path.name]))
            self.assertEqual(victim.read_text(), "precious")
            self.assertEqual(Path(f"{path}.1.part").read_text(), "precious")

    def test_devices_stay_devices(self):
        for switch, path in self.each():
            path.symlink_to(NUL)
            self.execute(switch, path)
            self.assertTrue(path.is_symlink() and path.is_char_device())
            self.assertEqual(self.entries(), [path.name])
        self.assertTrue(stat.S_ISCHR(os.stat(NUL).st_mode))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error_and_the_rest_is_written(self):
        for switch, path in self.each():
            path.symlink_to("/dev/full")
            program = self.folder / "program-out"  # every command accepts a name without an ending
            program.write_text("old")
            full = Switch(switch.name, [a.replace(NUL, str(program)) for a in switch.arguments])
            said = self.execute(full, path, WRONG_INPUT)
            self.assertIn(f"{path}: error: cannot be written: No space left on device\n", said)
            self.assertTrue(path.is_symlink() and path.is_char_device())
            self.assertEqual(self.entries(), [path.name])
            if switch.instrument: # its file must not prevent the requested output
                self.assertEqual(said.count("error"), 1)
                self.assertNotEqual(program.read_text(encoding="utf-8"), "old")

    def test_a_pipe_is_written_to(self):
        for switch, path in self.each():
            os.mkfifo(path)
            writer = os.open(path, os.O_RDWR) # keeps the pipe open, so that the reader sees no early end
            with subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE) as reader:
                try:
                    done = subprocess.Popen([TUTTI, *switch.command(self.program, path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    said = done.communicate(timeout=120)[1]
                finally:
                    os.close(writer)
                out = reader.stdout.read()
            self.assertEqual(done.returncode, DONE, msg=said)
            self.assertGreater(len(out), 0)
            self.assertTrue(path.is_fifo())
            self.assertEqual(self.entries(), [path.name])

    def test_a_folder_is_no_file(self):
        for switch, path in self.each((*SWITCHES, CRASH)):
            path.mkdir()
            said = self.execute(switch, path, WRONG_INPUT)
            self.assertIn("Is a directory", said)
            self.assertEqual(list(path.iterdir()), [])
            self.assertEqual(self.entries(), [path.name])

    def test_a_folder_that_is_missing(self):
        for switch, path in self.each((*SWITCHES, CRASH)):
            said = self.execute(switch, self.out / "none" / path.name, WRONG_INPUT)
            self.assertIn("No such file or directory", said)
            self.assertEqual(self.entries(), [])

    def test_a_file_without_permission_stays(self):
        options = {}
        if os.geteuid() == 0:  # root ignores permissions
            options = {"user": 65534, "group": 65534, "extra_groups": []}
            self.folder.chmod(0o755)
        for switch, path in self.each((*SWITCHES, CRASH)):
            self.out.chmod(0o777)
            path.write_text("old")
            path.chmod(0o444)
            try:
                said = self.execute(switch, path, WRONG_INPUT, **options)
            except PermissionError:
                self.skipTest("another user may not run the program where it is")
            self.assertIn("Permission denied", said)
            self.assertEqual(path.read_text(), "old")
            self.assertEqual(self.entries(), [path.name])
            path.unlink()
            self.out.chmod(0o555)
            self.assertIn("Permission denied", self.execute(switch, path, WRONG_INPUT, **options))
            self.out.chmod(0o777)
            self.assertEqual(self.entries(), [])

    def test_the_input_is_not_lost(self):
        for switch, path in self.each((*SWITCHES, CRASH)):
            if switch.input_may_be_output:
                continue
            # by its name, and through a link
            self.program = self.folder / ("program" + switch.ending)
            self.program.write_text(FOLDABLE, encoding="utf-8")
            path.symlink_to(self.program)
            for name in (self.program, path):
                done = subprocess.run([TUTTI, *switch.command(self.program, name)], capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (WRONG_INPUT, WRONG_USAGE), msg=done.stderr)
                self.assertIn("another file", done.stderr)
                self.assertEqual(self.program.read_text(encoding="utf-8"), FOLDABLE)

    def test_the_ending_of_another_format_is_refused(self):
        for switch, path in self.each((*SWITCHES, CRASH)):
            for ending in ENDINGS:
                path = self.out / ("file" + ending)
                if ending in switch.endings:
                    self.execute(switch, path)
                    path.unlink(missing_ok=True)
                else:
                    said = self.execute(switch, path, WRONG_USAGE)
                    self.assertRegex(said, r"has the ending of |has no known format; expected FILE.svg")
                    self.assertEqual(self.entries(), [])

    def test_a_model_is_not_replaced_whatever_its_name_is(self):
        for switch, path in self.each((*SWITCHES, CRASH)):
            path.write_bytes(b"\x08\x07")
            if path.suffix in (".svg", ".dot"):
                continue  # models do not have these endings
            said = self.execute(switch, path, WRONG_USAGE)
            self.assertIn(f"`{path}` is an ONNX model, but ", said)
            self.assertEqual(path.read_bytes(), b"\x08\x07")

    def test_a_crash_reproducer_leaves_things_as_they_were(self):
        ran = lambda path, code=DONE: self.execute(CRASH, path, code)
        for _, path in self.each((CRASH,)):
            ran(path)
            self.assertEqual(self.entries(), [])
            path.symlink_to("target")
            ran(path)
            self.assertTrue(path.is_symlink())
            self.assertEqual(self.entries(), [path.name])
            path.unlink()
            path.write_text("precious")
            self.assertIn("is not a reproducer", ran(path, WRONG_INPUT))
            self.assertEqual(path.read_text(), "precious")
            kept = "// reproducer: FoldConstant\n// passes: FoldConstant\n" + RELU
            path.write_text(kept)
            ran(path)
            self.assertEqual(path.read_text(), kept)
            path.write_text("")
            ran(path)
            self.assertEqual(path.read_text(), "")
            self.assertEqual(self.entries(), [path.name])
            path.unlink()
            path.symlink_to(NUL)
            ran(path)
            self.assertTrue(path.is_char_device())
            path.unlink()
            path.symlink_to("/dev/full")
            self.assertIn("No space left on device", ran(path, WRONG_INPUT))
            self.assertTrue(path.is_char_device())

    def test_a_folder_of_programs(self):
        dump = Switch("--print-dir", ["opt", "IN", PASSES, "-o", NUL, "--print-dir=OUT"])
        victim = self.folder / "victim"
        victim.write_text("precious")
        for _ in self.each((dump,)):
            (self.out / "0000-input.relay.0.part").symlink_to(victim)
            (self.out / "0001-InferType.relay").symlink_to("/dev/full")
            said = self.execute(dump, self.out, WRONG_INPUT)
            self.assertIn("0001-InferType.relay: error: cannot be written: No space left on device\n", said)
            self.assertEqual(said.count("error"), 1)
            self.assertEqual(victim.read_text(), "precious")
            self.execute(dump, victim, WRONG_INPUT)
            self.assertEqual(victim.read_text(), "precious")

    @unittest.skipIf(SANITIZED, "takes a larger stack")
    def test_a_small_stack_is_enough(self):
        def small():
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 16, 1 << 16))
        for command, program, code in (("run", "missing.relay", WRONG_INPUT), ("check", "missing.relay", WRONG_INPUT),
                                       ("check", self.program, DONE)):
            self.run_tutti(command, str(program), code=code, preexec_fn=small, env={})

    def test_who_is_ended_leaves_nothing(self):
        (self.folder / "in.npz").write_bytes(npz({"x": b""}))
        for arguments in (["-o", "OUT"], ["-o", NUL, "--trace-values=npz:OUT"]):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                switch = Switch("run", ["run", "IN", "--inputs=-", *arguments], ".npz")
                for _, path in self.each((switch,)):
                    path.write_text("old")
                    with subprocess.Popen([TUTTI, *switch.command(self.program, path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as waiting:
                        for _ in range(600):
                            if len(self.entries()) > 1:
                                break
                            time.sleep(0.05)
                        self.assertEqual(len(self.entries()), 2)
                        waiting.send_signal(number)
                        self.assertEqual(waiting.wait(60), -number)
                    self.assertEqual(self.entries(), [path.name])
                    self.assertEqual(path.read_text(), "old")


main()
