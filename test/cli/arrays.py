"""Reads files of NumPy arrays without NumPy."""

import ast
import math
import struct
import zipfile

CODES = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}


def parse(data):
    """Returns an array's shape, and its values in rows."""
    wide = data[6] > 1
    (length,) = struct.unpack_from("<I" if wide else "<H", data, 8)
    begin = 12 if wide else 10
    header = ast.literal_eval(data[begin : begin + length].decode("latin1"))
    count = math.prod(header["shape"])
    return header["shape"], struct.unpack_from(f"<{count}{CODES[header['descr'][1:]]}", data, begin + length)


def read(file):
    """Returns the arrays of an .npz file by name, in its order."""
    with zipfile.ZipFile(file) as all_arrays:
        return {name.removesuffix(".npy"): parse(all_arrays.read(name)) for name in all_arrays.namelist()}
