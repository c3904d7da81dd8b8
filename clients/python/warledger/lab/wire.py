"""The messages of warledger.lab.v1, as far as this client needs them: a writer, and a reader of bytes and texts.

A message is preceded by its length, four bytes, the lowest first. proto/warledger/lab/v1/lab.proto says what the fields
mean.
"""

from __future__ import annotations

import struct
from typing import Iterator, Mapping, Union

VARINT, BYTES = 0, 2

Value = Union[int, memoryview]


class Malformed(ValueError):
    """Bytes that are no message."""


def varint(n: int) -> bytes:
    """A number that is not negative, seven bits a byte."""
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field: int, n: int) -> bytes:
    """A field with a number; nothing for 0."""
    return varint(field << 3 | VARINT) + varint(n) if n else b""


def data(field: int, content: bytes) -> bytes:
    """A field with bytes, a text or a message."""
    return varint(field << 3 | BYTES) + varint(len(content)) + content


def text(field: int, content: str) -> bytes:
    """A field with a text; nothing for an empty one."""
    return data(field, content.encode()) if content else b""


def entries(field: int, content: Mapping[str, str]) -> bytes:
    """A field with a map of texts."""
    return b"".join(data(field, text(1, key) + text(2, value)) for key, value in content.items())


def framed(message: bytes) -> bytes:
    """A message with its length before it."""
    return struct.pack("<I", len(message)) + message


def read_varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    n = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        at += 1
        n |= (byte & 0x7F) << shift
        if byte < 0x80:
            return n, at
        shift += 7
    raise Malformed("a number that does not end")


def fields(message: memoryview) -> Iterator[tuple[int, Value]]:
    """The fields of a message in order, by number: numbers, and bytes without a copy."""
    at = 0
    while at < len(message):
        key, at = read_varint(message, at)
        kind = key & 7
        if kind == VARINT:
            n, at = read_varint(message, at)
            yield key >> 3, n
        elif kind == BYTES:
            size, at = read_varint(message, at)
            if size > len(message) - at:
                raise Malformed(f"a field of {size} bytes, and {len(message) - at} are left")
            yield key >> 3, message[at : at + size]
            at += size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            if size > len(message) - at:
                raise Malformed("a number that does not end")
            at += size
        else:
            raise Malformed(f"a field of kind {kind}")


def content(value: Value) -> memoryview:
    """The bytes of a field that must have some."""
    if not isinstance(value, memoryview):
        raise Malformed("a number where bytes were expected")
    return value


def signed(value: Value) -> int:
    """A number that may be negative, as int32 is sent."""
    if not isinstance(value, int):
        raise Malformed("bytes where a number was expected")
    return value - (1 << 64) if value >= 1 << 63 else value
