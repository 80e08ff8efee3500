"""The output of the command line: complete files, and messages.

output.py TUTTI DATA_DIR
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from driver import Driver, FOLDABLE, GOLDEN, ILL_TYPED, main, PASS_FAILED, RELU, TUTTI, TYPED, WRONG_INPUT, WRONG_USAGE


class Output(Driver):
    def test_opt_writes_a_file_with_all_that_the_program_has(self):
        out = self.folder / "out.relay"
        passes = "--passes=InferType,FoldConstant"
        full = self.run_tutti("opt", passes, "--show-meta-data", stdin=FOLDABLE)[0]
        self.assertEqual(self.run_tutti("opt", passes, "-o", str(out), stdin=FOLDABLE), ("", ""))
        self.assertEqual(out.read_text(encoding="utf-8"), full)
        said = self.run_tutti("run", str(out), "--print=text")
        self.assertEqual(said, self.run_tutti("run", "--print=text", stdin=FOLDABLE))

    def test_opt_says_what_it_leaves_out(self):
        def said(text):
            out, said = self.run_tutti("opt", "--passes=InferType,FoldConstant", stdin=text)
            self.assertEqual(self.run_tutti("opt", "--passes=InferType,FoldConstant", "-o", "-", stdin=text), (out, said))
            self.assertEqual(self.run_tutti("opt", "--passes=InferType,FoldConstant", "--show-meta-data", stdin=text)[1], "")
            return said
        rest = "; -o FILE and --show-meta-data write all\n"
        self.assertEqual(said(FOLDABLE), "tutti opt: note: left out: the values of 1 constant, and digits of 1 number" + rest)
        self.assertEqual(said("def @main() { (1.00000012f, 0.333333343f, 0.5f) }"), "tutti opt: note: left out: digits of 2 numbers" + rest)
        self.assertEqual(said("def @main() { 3u8 }"), "tutti opt: note: left out: the values of 1 constant" + rest)
        self.assertEqual(said("def @main() { (0.5f, nanf, inff, 1e-05f64, 0.1f16) }"), "")

    def test_a_file_is_written_whole_or_stays_as_it_was(self):
        path = Path(self.file("old"))
        beside = lambda: sorted(each.name for each in self.folder.iterdir())
        # Keeps permissions, and a link to the file.
        os.chmod(path, 0o640)
        link = self.folder / "link.relay"
        link.symlink_to("x.relay")
        self.run_tutti("opt", "-o", str(link), stdin=RELU)
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_text(encoding="utf-8"), RELU)
        self.assertEqual(path.stat().st_mode & 0o7777, 0o640)
        self.assertEqual(beside(), ["link.relay", "x.relay"])
        # Creates the target of a dangling link; a new file gets the usual permissions.
        link.unlink()
        link.symlink_to("new.relay")
        old_mask = os.umask(0o027)
        try:
            self.run_tutti("opt", "-o", str(link), stdin=RELU)
        finally:
            os.umask(old_mask)
        new = self.folder / "new.relay"
        self.assertEqual((new.read_text(encoding="utf-8"), new.stat().st_mode & 0o7777), (RELU, 0o640))
        self.assertEqual(beside(), ["link.relay", "new.relay", "x.relay"])
        # Replaces the file instead of overwriting it: readers that have it open still see the old text.
        with open(path, encoding="utf-8") as opened:
            self.run_tutti("opt", "-o", str(path), stdin=TYPED)
            self.assertEqual(opened.read(), RELU)
        # Without space, the file is unchanged, and no other file remains.
        limit = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); " \
                "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
        done = subprocess.run([sys.executable, "-c", limit, TUTTI, "model", "mlp", "-o", str(path)], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (WRONG_INPUT, f"{path}: error: cannot be written: File too large\n"))
        self.assertEqual(path.read_text(encoding="utf-8"), TYPED)
        self.assertEqual(beside(), ["link.relay", "new.relay", "x.relay"])

    def test_what_is_no_file_is_written_to(self):
        out, _ = self.run_tutti("opt", "-o", "/dev/stdout", stdin=RELU)
        self.assertEqual(out, RELU)
        self.run_tutti("opt", "-o", "/dev/null", stdin=RELU)
        # Appends to standard output if it is a file, instead of replacing the file.
        path = self.folder / "all.txt"
        with open(path, "w", encoding="utf-8") as both:
            for _ in range(2):
                subprocess.run([TUTTI, "opt", "-o", "/dev/stdout"], input=RELU, text=True, stdout=both, check=True)
        self.assertEqual(path.read_text(encoding="utf-8"), RELU + RELU)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen([TUTTI, "opt", "-o", str(pipe)], stdin=subprocess.PIPE, text=True) as writing:
            writing.stdin.write(RELU)
            writing.stdin.close()
            self.assertEqual(pipe.read_text(encoding="utf-8"), RELU)
        self.assertTrue(pipe.is_fifo())
        self.assertIn("cannot be opened: Is a directory", self.refused("opt", "-o", str(self.folder), stdin=RELU, code=WRONG_INPUT))
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["all.txt", "pipe"])

    def test_who_waits_for_a_terminal_says_so(self):
        ours, theirs = self.pseudo_terminal()
        with subprocess.Popen([TUTTI, "check"], stdin=theirs, stderr=subprocess.PIPE, text=True) as waiting:
            os.write(ours, RELU.encode() + b"\x04")
            try:
                self.assertEqual(waiting.communicate(timeout=60)[1], "tutti: note: reading from the terminal; Ctrl-D ends the input\n")
            finally:
                waiting.kill()
        self.assertEqual(waiting.returncode, 0)
        os.close(ours)
        os.close(theirs)

    def test_a_reader_that_is_gone_is_no_crash(self):
        command = f'"{TUTTI}" model resnet152 | head -1'
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ('#[version = "0.0.5"]\n', ""))

    def test_what_is_written_to_a_file_is_read_back_as_it_was(self):
        texts = sorted(GOLDEN.glob("*.relay"))
        self.assertGreater(len(texts), 100)
        first, second = self.folder / "1.relay", self.folder / "2.relay"
        for path in texts[::7]:
            self.run_tutti("opt", str(path), "-o", str(first))
            self.run_tutti("opt", str(first), "-o", str(second))
            self.assertEqual(first.read_bytes(), second.read_bytes(), msg=path.name)

    def test_opt_says_which_passes_were_left_out_for_their_level(self):
        above = "tutti: note: {} was skipped: its level {} is above --opt-level=2\n"
        self.assertEqual(self.run_tutti("opt", "--passes=InferType,FastMath", stdin=RELU)[1], above.format("FastMath", 4))
        self.assertEqual(self.run_tutti("opt", "--passes=InferType,repeat{times=3}(FoldScaleAxis)", stdin=RELU)[1],
                         above.format("BackwardFoldScaleAxis", 3) + above.format("ForwardFoldScaleAxis", 3))
        for more in ("--opt-level=4", "--disabled-pass=FastMath", "--required-pass=FastMath"):
            self.assertEqual(self.run_tutti("opt", "--passes=InferType,FastMath", more, stdin=RELU)[1], "")

    def test_opt_says_that_there_is_no_such_operator(self):
        for name, meant in (("nn.conv3x", "; did you mean nn.conv3d?"), ("conv2d", "; did you mean nn.conv2d?"), ("x.y.z.qwertz", "")):
            said = self.run_tutti("opt", "--passes=ConvertLayout{" + name + "=[NHWC,default]}", "--opt-level=3", stdin=RELU)[1]
            self.assertEqual(said, f"tutti: note: ConvertLayout: {name}: no such operator{meant}\n")
        self.assertEqual(self.run_tutti("opt", "--passes=ConvertLayout{nn.conv3d=[NDHWC,default]}", "--opt-level=3", stdin=RELU)[1], "")

    def test_nothing_that_disturbs_a_terminal_is_said(self):
        path = self.folder / "x\x1b[2J.relay"
        for data, said in ((b"def @main() { \x1b[31m }", "unexpected control character U+001B; expected an expression\ndef @main() {  [31m }\n"),
                           (b"def @main() { \xff }", "unexpected byte FF, which is not UTF-8; expected an expression\ndef @main() { \ufffd }\n"),
                           (b'#[version = "\x1b[1m\xff"]\n', "the text's version is  [1m\ufffd; expected 0.0.5\n#[version = \" [1m\ufffd\"]\n")):
            path.write_bytes(data)
            self.assertIn(said, self.refused("check", str(path), code=WRONG_INPUT))
        for arguments in (("check", "\x1b[31m"), ("\x1b[31m",), ("opt", "--\x1b[31m"), ("opt", "--passes=\x1b[31m"), ("model", "\x1b[31m"),
                          ("run", "--inputs=\x1b[31m"), ("opt", "-o", "/\x1b[31m/x")):
            done = subprocess.run([TUTTI, *arguments], input=RELU, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (WRONG_INPUT, WRONG_USAGE))
            self.assertNotIn("\x1b", done.stderr, msg=str(arguments))

        # Nor does a program shown on a terminal or on standard error.
        text = RELU.replace("nn.relu(%x)", 'layout_transform(%x, src_layout="A\x1b[31m", dst_layout="B")')
        self.assertEqual(self.run_tutti("opt", stdin=text)[0], text)
        said = self.run_tutti("opt", "--passes=PrintIR", stdin=text)[1]
        self.assertIn('src_layout="A [31m"', said)
        ours, theirs = self.pseudo_terminal()
        subprocess.run([TUTTI, "opt"], input=text, text=True, stdout=theirs, check=True)
        os.close(theirs)
        self.assertIn('src_layout="A [31m"', self.shown_on(ours))

    def test_what_is_wrong_with_a_program_has_its_line(self):
        self.assertEqual(self.refused("check", stdin="def @main() {\n  @foo()\n}", code=WRONG_INPUT),
                         "<stdin>:2:3: error: @main: @foo: is not in the module; expected a function of the module\n  @foo()\n  ^\n")
        self.assertEqual(self.refused("check", stdin="def @main() {\n  @helpr()\n}\n\ndef @helper() {\n  1\n}", code=WRONG_INPUT),
                         "<stdin>:2:3: error: @main: @helpr: is not in the module; did you mean `@helper`?\n  @helpr()\n  ^\n")
        self.assertEqual(self.refused("check", stdin="def @main() {\n  (1, 2).2\n}", code=WRONG_INPUT),
                         "<stdin>:2:3: error: @main: projection: takes field 2 of a tuple of 2; expected a smaller number\n"
                         "  (1, 2).2\n  ^\n")

    def test_opt_writes_to_a_file(self):
        out = self.folder / "out.relay"
        self.assertEqual(self.run_tutti("opt", "--passes=InferType", "-o", str(out), stdin=RELU), ("", ""))
        self.assertEqual(out.read_text(encoding="utf-8"), TYPED)
        path = self.file(RELU)
        self.run_tutti("opt", path, "--passes=InferType", "--output", path)
        self.assertEqual(Path(path).read_text(encoding="utf-8"), TYPED)

    def test_opt_leaves_the_output_alone_if_a_pass_fails(self):
        path = self.file(ILL_TYPED)
        self.refused("opt", path, "--passes=InferType", "-o", path, code=PASS_FAILED)
        self.assertEqual(Path(path).read_text(encoding="utf-8"), ILL_TYPED)

    def test_opt_shows_meta_data(self):
        full = self.run_tutti("opt", "--passes=InferType,FoldConstant", "--show-meta-data", stdin=FOLDABLE)[0]
        self.assertIn("add(%x, meta[relay.Constant][0]", full)
        self.assertIn("1.0000001f", full)
        self.assertIn('"b64ndarrays"', full)
        self.assertEqual(self.run_tutti("opt", "--show-meta-data", stdin=full)[0], full)
        self.run_tutti("check", stdin=full)
        plain = self.run_tutti("opt", stdin=full)[0]
        self.assertIn("meta[relay.Constant][0]", plain)
        self.assertNotIn("b64ndarrays", plain)
        self.assertIn("; expected text that was printed with `tutti opt --show-meta-data`\n", self.refused("opt", stdin=plain, code=WRONG_INPUT))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_device_that_is_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([TUTTI, "model", "resnet18"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, WRONG_INPUT)
        self.assertIn("<stdout>: error: cannot be written: No space left on device", done.stderr)

    def test_files_that_cannot_be_read_or_written(self):
        missing = str(self.folder / "missing.relay")
        self.assertEqual(self.refused("opt", missing, code=WRONG_INPUT),
                         f"{missing}: error: cannot be opened: No such file or directory\n")
        self.assertIn("cannot be read: Is a directory", self.refused("check", str(self.folder), code=WRONG_INPUT))
        for command in (("opt",), ("model", "resnet18")):
            said = self.refused(*command, "-o", missing + "/x", stdin=RELU, code=WRONG_INPUT)
            self.assertEqual(said, f"{missing}/x: error: cannot be opened: No such file or directory\n")

    def test_a_file_without_permission(self):
        path = self.file(RELU)
        os.chmod(path, 0)
        options = {}
        if os.geteuid() == 0:  # root ignores permissions
            os.chmod(self.folder, 0o755)
            options = {"user": 65534}
        try:
            said = self.run_tutti("opt", path, code=WRONG_INPUT, **options)[1]
        except PermissionError:
            self.skipTest("another user may not run the program where it is")
        self.assertEqual(said, f"{path}: error: cannot be opened: Permission denied\n")


main()
