"""The example finds drawn faces at their places, and none in a picture without faces.

find_faces.py PROGRAM NETWORK: NETWORK is BlazeFace's file; without it the test is skipped.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

PROGRAM, NETWORK = sys.argv[1:3]

#: The ellipses of a face around (0, 0), about 2 high: centre, radii, colour. Later ones are in front.
PARTS = [
    ((0, 1.75), (1.3, 0.75), (60, 70, 120)),  # shoulders
    ((0, 0.95), (0.38, 0.5), (205, 160, 130)),  # neck
    ((0, -0.18), (0.84, 1.02), (60, 40, 30)),  # hair
    ((0, 0), (0.72, 0.98), (225, 180, 150)),
    *[((side * x, y), radii, colour) for side in (-1, 1) for (x, y), radii, colour in [
        ((0.73, 0.02), (0.1, 0.2), (215, 165, 135)),  # ears
        ((0.3, -0.13), (0.17, 0.085), (195, 145, 120)),  # eyes
        ((0.3, -0.12), (0.135, 0.062), (245, 245, 245)),
        ((0.3, -0.12), (0.062, 0.062), (40, 30, 25)),
        ((0.3, -0.32), (0.2, 0.04), (70, 45, 35)),  # brows
        ((0.07, 0.24), (0.035, 0.025), (130, 80, 70)),  # nostrils
    ]],
    ((0, 0.12), (0.05, 0.18), (212, 165, 135)),  # nose
    ((0, 0.5), (0.25, 0.075), (170, 80, 80)),  # mouth
    ((0, 0.49), (0.23, 0.015), (110, 45, 45)),
    ((0, -0.72), (0.6, 0.32), (60, 40, 30)),  # fringe
]
BOX = (0, 255, 64)


def drawn(width, height, faces):
    """Returns the bytes of a picture with faces, each (centre x, centre y, half its height), in pixels."""
    pixels = bytearray()
    for y in range(height):
        pixels += bytes((190 - 30 * y // height, 205 - 30 * y // height, 215 - 30 * y // height)) * width
    for left, top, size in faces:
        for (px, py), (rx, ry), colour in PARTS:
            cx, cy, rx, ry = left + px * size, top + py * size, rx * size, ry * size
            for y in range(max(0, int(cy - ry)), min(height, int(cy + ry) + 1)):
                inside = 1 - ((y - cy) / ry) ** 2
                if inside <= 0:
                    continue
                half = rx * inside ** 0.5
                first, last = max(0, round(cx - half)), min(width, round(cx + half))
                if first < last:
                    pixels[3 * (y * width + first):3 * (y * width + last)] = bytes(colour) * (last - first)
    return bytes(pixels)


def ppm(width, height, pixels):
    return b"P6\n# drawn\n%d %d\n255\n" % (width, height) + pixels


def png(width, height, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class FindFaces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, data):
        (self.folder / name).write_bytes(data)
        return str(self.folder / name)

    def run_it(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, msg=done.stderr)
        return done.stdout if code == 0 else done.stderr

    def found(self, text):
        """Returns the printed boxes: left, top, width, height."""
        lines = re.findall(r"(?m)^a face at (-?\d+), (-?\d+), (\d+) x (\d+) pixels, (\d+) %$", text)
        self.assertEqual(len(lines), text.count("\n"))
        return sorted(tuple(map(int, line[:4])) for line in lines)

    def test_drawn_faces_are_found_where_they_are(self):
        for width, height, faces in ((256, 256, [(128, 133, 77)]), (400, 240, [(110, 120, 70), (290, 130, 66)])):
            with self.subTest(faces=faces):
                picture, out = self.file("in.ppm", ppm(width, height, drawn(width, height, faces))), self.folder / "out.ppm"
                boxes = self.found(self.run_it(NETWORK, picture, str(out)))
                self.assertEqual(len(boxes), len(faces))
                shown = out.read_bytes()
                head = b"P6\n%d %d\n255\n" % (width, height)
                self.assertTrue(shown.startswith(head))
                for (left, top, w, h), (x, y, size) in zip(boxes, faces):
                    self.assertLess(abs(left + w / 2 - x), 0.3 * size)  # from brow to chin
                    self.assertLess(abs(top + h / 2 - y), 0.5 * size)
                    self.assertTrue(size < w < 2.4 * size and size < h < 2.4 * size, msg=(w, h))
                    corner = len(head) + 3 * (max(top, 0) * width + max(left, 0) + w // 2)
                    self.assertIn(tuple(shown[corner:corner + 3]), [BOX])

    def test_where_there_is_no_face_none_is_found(self):
        self.assertEqual(self.run_it(NETWORK, self.file("in.ppm", ppm(200, 100, drawn(200, 100, [])))), "")
        self.assertEqual(self.run_it(NETWORK, self.file("in.ppm", ppm(1, 1, b"abc"))), "")

    def test_a_png_is_the_same_picture(self):
        pixels = drawn(256, 256, [(128, 133, 77)])
        first = self.run_it(NETWORK, self.file("in.ppm", ppm(256, 256, pixels)))
        picture, out = self.file("in.png", png(256, 256, pixels)), self.folder / "out.png"
        done = subprocess.run([PROGRAM, NETWORK, picture, str(out)], capture_output=True, text=True, check=False)
        if "build with libpng" in done.stderr:
            self.skipTest("built without libpng")
        self.assertEqual(done.stdout, first)
        self.assertTrue(out.read_bytes().startswith(b"\x89PNG"))

    def test_wrong_use_and_wrong_files(self):
        self.assertTrue(self.run_it(code=2).startswith("usage: find_faces NETWORK.onnx PICTURE [OUT]\n"))
        picture = self.file("in.ppm", ppm(8, 8, bytes(192)))
        for arguments, what in (([NETWORK, str(self.folder / "none.ppm")], "none.ppm: cannot be opened: No such file"),
                                ([NETWORK, self.file("cut.ppm", ppm(8, 8, bytes(191)))], "cut.ppm: ends before its last pixel"),
                                ([NETWORK, self.file("text.ppm", b"hello")], "text.ppm: is n"),
                                ([NETWORK, self.file("large.ppm", ppm(9999999, 9999999, b""))], "large.ppm: is 9999999 x 9999999"),
                                ([NETWORK, self.file("zero.ppm", ppm(0, 8, b""))], "zero.ppm: is 0 x 8 pixels"),
                                ([picture, picture], "in.ppm: "),
                                ([NETWORK, picture, "/dev/null/out.ppm"], "/dev/null/out.ppm: cannot be opened")):
            said = self.run_it(*arguments, code=1)
            self.assertIn("find_faces: error: ", said)
            self.assertIn(what, said)


if not os.path.exists(NETWORK):
    print(f"SKIPPED: needs {NETWORK}")
    sys.exit(77)
unittest.main(argv=sys.argv[:1], verbosity=1)
