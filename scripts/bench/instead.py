"""A demo's characters as CSV, by Python's standard library alone: what a script would do instead of `export`.

    python3 instead.py TABLES.json FILE.demo > characters.csv

TABLES.json has the Huffman codes (`"length bits"` in the order of the stream → symbol, 256 for the end) and the sizes of items.
"""

import json
import struct
import sys

CHARACTER = {"0.6": 9, "0.7": 10}


def chunks(data):
    version = data[7]
    (map_size,) = struct.unpack_from(">i", data, 136)
    at = 176 + (260 if version >= 4 else 0) + (48 if version >= 6 else 0) + map_size
    tick = 0
    while at < len(data):
        head = data[at]
        at += 1
        if head & 0x80:
            step = head & (0x1F if version >= 5 else 0x3F)
            if version >= 5 and head & 0x20 or version < 5 and step:
                tick += step
            else:
                (tick,) = struct.unpack_from(">i", data, at)
                at += 4
            continue
        size = head & 0x1F
        if size == 30:
            size = data[at]
            at += 1
        elif size == 31:
            (size,) = struct.unpack_from("<H", data, at)
            at += 2
        yield tick, head >> 5 & 3, data[at : at + size]
        at += size


def decompress(data, codes):
    out = bytearray()
    length = bits = 0
    for byte in data:
        for i in range(8):
            bits |= (byte >> i & 1) << length
            length += 1
            symbol = codes.get(length << 16 | bits)
            if symbol is None:
                continue
            if symbol == 256:
                return out
            out.append(symbol)
            length = bits = 0
    return out


def ints(data):
    out = []
    at = 0
    while at < len(data):
        byte = data[at]
        at += 1
        sign = -(byte >> 6 & 1)
        value = byte & 0x3F
        shift = 6
        while byte & 0x80:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
        value = (value ^ sign) & 0xFFFFFFFF
        out.append(value - (value >> 31 << 32))
    return out


def whole(values):
    size, count = values[0] // 4, values[1]
    starts = [offset // 4 for offset in values[2 : 2 + count]] + [size]
    items = values[2 + count :]
    return {items[start]: items[start + 1 : end] for start, end in zip(starts, starts[1:])}


def applied(base, values, sizes):
    removed, count = values[0], values[1]
    items = dict(base)
    for key in values[3 : 3 + removed]:
        items.pop(key, None)
    at = 3 + removed
    for _ in range(count):
        kind, number = values[at : at + 2]
        at += 2
        size = sizes.get(kind)
        if size is None:
            size = values[at]
            at += 1
        key = kind << 16 | number
        difference = values[at : at + size]
        at += size
        old = items.get(key)
        items[key] = difference if old is None else [wrap(a + b) for a, b in zip(old, difference)]
    return items


def wrap(value):
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def main(tables, file):
    with open(tables, encoding="utf-8") as source:
        known = json.load(source)
    with open(file, "rb") as source:
        data = source.read()
    version = data[8:11].decode("latin-1")
    version = version if version == "0.7" else "0.6"
    codes = {length << 16 | bits: symbol for length, bits, symbol in known["codes"]}
    sizes = {int(kind): size for kind, size in known["sizes"][version].items()}
    items = {}
    lines = []
    for tick, kind, payload in chunks(data):
        if kind not in (1, 3):
            continue
        values = ints(decompress(payload, codes))
        items = whole(values) if kind == 1 else applied(items, values, sizes)
        for key, fields in items.items():
            if key >> 16 == CHARACTER[version]:
                lines.append(",".join(map(str, [tick, key & 0xFFFF, *fields])))
    sys.stdout.write("\n".join(lines) + "\n")


main(*sys.argv[1:])
