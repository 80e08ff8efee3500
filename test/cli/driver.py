"""Shared by tests of the command line, which run `tutti` as users do.

Each test runs as SCRIPT.py TUTTI DATA_DIR.
"""

import contextlib
import io
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

TUTTI = os.path.abspath(sys.argv[1])
DATA = Path(sys.argv[2])
#: True if the program was built with a sanitizer, which needs more memory than the limits allow.
SANITIZED = any(mark in Path(TUTTI).read_bytes() for mark in (b"__asan_init", b"__tsan_init"))

# A parent such as nohup ignores signals, and children inherit that. Children started here have the default actions.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGTERM, signal.SIG_DFL)

GOLDEN = DATA / "golden" / "tests"

DONE, WRONG_INPUT, WRONG_USAGE, PASS_FAILED, STOPPED = range(5)
PASSES = ("BackwardFoldScaleAxis CanonicalizeOps FoldConstant FoldScaleAxis ForwardFoldScaleAxis FuseOps "
          "InferType").split()

RELU = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  nn.relu(%x)
}
"""
TYPED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32] /* ty=Tensor[(2, 3), float32] */) -> Tensor[(2, 3), float32] {
  nn.relu(%x) /* ty=Tensor[(2, 3), float32] */
}
"""
ILL_TYPED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
  %0 = nn.relu(%x);
  nn.dense(%0, %w, units=None)
}
"""
BIASED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %b: Tensor[(3), float32]) {
  nn.bias_add(%x, %b)
}
"""
FOLDABLE = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = broadcast_to(0.333333343f, shape=[2, 3]);
  %1 = add(%x, %0);
  multiply(%1, 1.00000012f)
}
"""


def npy(shape, values, descr="<f4", fortran=False, version=1):
    """Returns the bytes of a NumPy array."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    code = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "i1": "b", "u1": "B", "b1": "?", "i2": "h", "f2": "e"}.get(descr[1:], "f")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + struct.pack(f"<{len(values)}{code}", *values)


def npz(arrays, method=zipfile.ZIP_STORED, large=False):
    """Returns the bytes of an archive of NumPy arrays; `large` writes sizes in the form for large files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=large) as file:
                file.write(data)
    return out.getvalue()


class Driver(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text, name="x.relay"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run_tutti(self, *arguments, stdin="", code=DONE, **options):
        """Runs the command line and returns standard output and standard error. The exit code must be as expected; a
        failure must be reported in the usual form, without any output of a program."""
        done = subprocess.run([TUTTI, *arguments], input=stdin, capture_output=True, text=True, check=False, **options)
        self.assertEqual(done.returncode, code, msg=done.stderr[-2000:])
        if code != DONE:
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"(?m)^[^:\n]+(:\d+:\d+)?: error: .")
        return done.stdout, done.stderr

    def refused(self, *arguments, code, stdin=""):
        return self.run_tutti(*arguments, stdin=stdin, code=code)[1]

    def pseudo_terminal(self):
        """Returns our end and the program's end of a new terminal. Skips the test where the machine has none."""
        try:
            return pty.openpty()
        except OSError as error:
            return self.skipTest(f"needs a pseudo-terminal, and there is none: {error}")

    @staticmethod
    def shown_on(ours):
        """Returns everything written to a terminal whose other end is closed; one read may return a part."""
        shown = b""
        with contextlib.suppress(OSError):  # Linux reports the end as an error
            while part := os.read(ours, 1 << 16):
                shown += part
        os.close(ours)
        return shown.decode()


def main():
    """Runs the tests of the script. Prints a line `SKIPPED: …` for each skipped one, which test/support/summary.py counts."""
    result = unittest.main(argv=sys.argv[:1], verbosity=1, exit=False).result
    for test, reason in result.skipped:
        print(f"SKIPPED: {test.id().rpartition('.')[2]}: {reason}")
    sys.exit(not result.wasSuccessful())
