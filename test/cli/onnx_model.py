"""ONNX models, written field by field, and tests that put some into files."""

import struct

from driver import Driver

FLOAT, INT64 = 1, 7


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, value):
    """A field of a message: a number, a text or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, shape, values, more=b""):
    dims = b"".join(field(1, d) for d in shape)
    return dims + field(2, FLOAT) + field(8, name) + (field(9, struct.pack(f"<{len(values)}f", *values)) if values is not None else more)


def value(name, shape, element=FLOAT):
    dims = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, element) + field(2, dims)))


def attribute(name, value):
    """An attribute of a node: an integer, a number, a text or a list of integers."""
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + b"".join(field(8, each) for each in value) + field(20, 7)


def node(op_type, inputs, outputs, name="", domain="", **attributes):
    made = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs) + field(3, name) + field(4, op_type)
    made += b"".join(field(5, attribute(key, value)) for key, value in attributes.items())
    return made + (field(7, domain) if domain else b"")


def model(nodes, inputs, outputs, tensors=(), opset=13, domains=()):
    graph = b"".join(field(1, n) for n in nodes) + field(2, "g") + b"".join(field(5, t) for t in tensors)
    graph += b"".join(field(11, i) for i in inputs) + b"".join(field(12, o) for o in outputs)
    return field(1, 7) + field(2, "models.py") + field(7, graph) + field(8, field(2, opset)) + b"".join(field(8, field(1, each) + field(2, 1)) for each in domains)


class ModelDriver(Driver):
    def model(self, data, name="m.onnx"):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)
