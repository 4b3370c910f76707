"""The streaming side of CRI: WebSocket with the channels of v4.channel.k8s.io (0 stdin, 1 stdout, 2 stderr, 3 the end)."""
import base64
import os
import socket
import struct
import urllib.parse

BINARY, CLOSE = 2, 8


class Stream:
    def __init__(self, url, seconds=20):
        parts = urllib.parse.urlsplit(url)
        self.connection = socket.create_connection((parts.hostname, parts.port), seconds)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.connection.sendall((f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
                                 f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                                 "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.some()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise AssertionError(f"no upgrade: {head.decode()}")

    def some(self):
        part = self.connection.recv(65536)
        if not part:
            raise EOFError
        return part

    def take(self, count):
        while len(self.buffer) < count:
            self.buffer += self.some()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, channel, data):
        """One frame, masked as clients have to (by zeros)."""
        body = bytes([channel]) + data
        assert len(body) < 126
        self.connection.sendall(bytes([0x80 | BINARY, 0x80 | len(body)]) + bytes(4) + body)

    def receive(self):
        """(channel, bytes); nothing at the end."""
        while True:
            try:
                first, length = self.take(2)
                if length >= 126:
                    length = struct.unpack(">H" if length == 126 else ">Q", self.take(2 if length == 126 else 8))[0]
                body = self.take(length)
            except (EOFError, ConnectionError):
                return None
            if first & 15 == CLOSE:
                return None
            if first & 15 in (1, BINARY) and body:
                return body[0], body[1:]

    def until(self, wanted, channel=1):
        """What came on a channel until a text was in it, or all of it."""
        data = b""
        while wanted is None or wanted not in data:
            got = self.receive()
            if got is None:
                break
            if got[0] == channel:
                data += got[1]
        return data

    def close(self):
        self.connection.close()
