"""A gRPC client in a page: one HTTP/2 stream per connection over a Unix socket, protobuf by field numbers."""
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1


class CallFailed(Exception):
    """The server answered with a status instead of a message."""


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """One header without compression: never indexed, no Huffman code (lengths below 127 fit one byte)."""
    assert len(name) < 127 and len(value) < 127
    return b"\x10" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def read_exactly(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise CallFailed("the server closed the connection")
        data += part
    return data


def call(path, method, message, seconds=40):
    """The bytes of the reply to a unary call."""
    headers = b"".join(literal(*pair) for pair in (
        (":method", "POST"), (":scheme", "http"), (":path", method), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers")))
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(path)
        body = b"\0" + struct.pack(">I", len(message)) + message
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_HEADERS, 1, headers) +
                           frame(DATA, END_STREAM, 1, body))
        reply = b""
        while True:
            head = read_exactly(connection, 9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            payload = read_exactly(connection, length)
            if kind == SETTINGS and not flags & ACK:
                connection.sendall(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                connection.sendall(frame(PING, ACK, 0, payload))
            elif kind == DATA:
                reply += payload
            elif kind in (RST, GOAWAY):
                raise CallFailed(f"{method}: stream reset")
            if kind in (DATA, HEADERS) and flags & END_STREAM:
                break
    if len(reply) < 5:
        # Trailers only: the status and its text are Huffman coded there, the server's log has them in plain.
        raise CallFailed(f"{method} failed")
    return reply[5:5 + struct.unpack(">I", reply[1:5])[0]]


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def encode(fields):
    """{number: int | bool | str | bytes | dict | list}; a list is a repeated field, ("map", {...}) a map of strings."""
    out = b""
    for number, value in fields.items():
        if isinstance(value, tuple):
            value = [{1: k, 2: v} for k, v in value[1].items()]
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, int):
                out += varint(number << 3) + varint(int(item))
                continue
            data = encode(item) if isinstance(item, dict) else item.encode() if isinstance(item, str) else item
            out += varint(number << 3 | 2) + varint(len(data)) + data
    return out


def decode(data):
    """{number: [values]}; a message inside stays bytes until it is decoded itself."""
    fields, at = {}, 0

    def take():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while at < len(data):
        key = take()
        kind = key & 7
        if kind == 0:
            value = take()
        else:
            size = {1: 8, 5: 4}.get(kind) or take()
            value = data[at:at + size]
            at += size
        fields.setdefault(key >> 3, []).append(value)
    return fields
