# node check.mjs -- python3 examples/adapter.py
import json
import sys


# Three layers of a decoder. Import yours in their place.
def varint(data):
    byte, value, size = data[0], data[0] & 0x3F, 1
    sign = -1 if byte & 0x40 else 0
    while byte & 0x80 and size < 5:
        byte = data[size]
        value |= (byte & (0x0F if size == 4 else 0x7F)) << (7 * size - 1)
        size += 1
    value = (value ^ sign) & 0xFFFFFFFF
    return {"value": value - (value >> 31 << 32), "size": size}


def string(data):
    end = data.index(0)
    return {"text": data[:end].decode(), "size": end + 1}


def chunk(data, split):
    first, second, vital = data[0], data[1], bool(data[0] & 0x40)
    out = {"vital": vital, "resend": bool(first & 0x80), "header": 3 if vital else 2}
    out["size"] = (first & 0x3F) << split | second & ((1 << split) - 1)
    if vital:
        out["sequence"] = second >> split << split + 2 & 0x3FF | data[2]
    return out


def answer(question):
    data = bytes.fromhex(question.get("in", ""))
    if question["layer"] == "varint":
        return {"out": varint(data)}
    if question["layer"] == "string":
        return {"out": string(data)}
    if question["layer"] == "chunk":
        return {"out": chunk(data, 6 if question["protocol"] == "0.7" else 4)}
    return {"skip": True}


for line in sys.stdin:
    question = json.loads(line)
    try:
        found = answer(question)
    except (IndexError, ValueError) as error:  # what your decoder refuses with
        found = {"error": str(error)}
    print(json.dumps({"id": question["id"], **found}))
