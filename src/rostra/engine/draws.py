"""The numbers of verifiable dice in compiled code: HMAC-SHA-256 (FIPS 180-4, RFC 2104) of a text that counts up.

`rostra.play.dice` says what the text is and does the same with Python's own hash, for those who check; a test
compares the two. A live server draws several numbers after every move.
What a newcomer would get wrong: words of 32 bits are kept in 64, because compiled whole numbers are that wide; a word
that is written down is cut to size first.
"""

import math
from typing import Any

import numpy as np

from rostra.engine.jit import Array, compiled

STREAM = [np.int64]
"""The type of a stream of draws, for `compiled`: what `new_stream` makes."""
_INNER, _OUTER, _SCHEDULE, _BLOCK, _LENGTH, _TAIL, _SIZE, _COUNT, _WORK, _TEXT = np.cumsum(
    [0, 8, 8, 64, 16, 1, 1, 1, 1, 8]
).tolist()
"""Where things stand in a stream: the hash of the beginning of the text and of the outer key; scratch; how many bytes
the text's beginning has and how many of them are in no block yet; how long those are with the ply's own part; the
number of the next draw; the hash being computed; the bytes that are in no block yet."""
_BYTES = 192
_MASK = 0xFFFFFFFF
_PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, math.isqrt(n) + 1))]


def _fraction(n: int, root: int) -> int:
    """The first 32 bits of the fraction of the square or cube root of a prime."""
    scaled = n << (32 * root)
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**root <= scaled else (low, middle)
    return low & _MASK


_START = np.array([_fraction(n, 2) for n in _PRIMES[:8]], np.int64)
_ROUND = np.array([_fraction(n, 3) for n in _PRIMES], np.int64)


def new_stream(key: bytes, text: bytes) -> Array:
    """The draws of a key of at most 64 bytes, and of a text to which the ply and the number of the draw are added."""
    stream = np.zeros(_TEXT + _BYTES, np.int64)
    key = key.ljust(64, b"\0")
    for at, pad in ((_INNER, 0x36), (_OUTER, 0x5C)):
        stream[_WORK:_TEXT] = _START
        _take_block(stream, np.frombuffer(bytes(byte ^ pad for byte in key), np.uint8).astype(np.int64), 0)
        if pad == 0x36:
            whole = len(text) - len(text) % 64
            signs = np.frombuffer(text, np.uint8).astype(np.int64)
            for start in range(0, whole, 64):
                _take_block(stream, signs, start)
            stream[_TEXT : _TEXT + len(text) - whole] = signs[whole:]
            stream[_LENGTH], stream[_TAIL] = 64 + len(text), len(text) - whole
        stream[at : at + 8] = stream[_WORK:_TEXT]
    return stream


@compiled(None, STREAM)
def _hash_block(stream: Any) -> None:
    """Take the 16 words of the block into the hash being computed."""
    for i in range(16):
        stream[_SCHEDULE + i] = stream[_BLOCK + i]
    for i in range(_SCHEDULE + 16, _SCHEDULE + 64):
        x, y = stream[i - 15], stream[i - 2]
        x2, y2 = x | x << 32, y | y << 32  # a word written twice: a shift turns it
        stream[i] = (
            stream[i - 16] + (x2 >> 7 ^ x2 >> 18 ^ x >> 3) + stream[i - 7] + (y2 >> 17 ^ y2 >> 19 ^ y >> 10)
        ) & _MASK
    a, b, c, d = stream[_WORK], stream[_WORK + 1], stream[_WORK + 2], stream[_WORK + 3]
    e, f, g, h = stream[_WORK + 4], stream[_WORK + 5], stream[_WORK + 6], stream[_WORK + 7]
    for i in range(64):
        e2, a2 = e | e << 32, a | a << 32
        one = h + ((e2 >> 6 ^ e2 >> 11 ^ e2 >> 25) & _MASK) + (e & f ^ ~e & g) + _ROUND[i] + stream[_SCHEDULE + i]
        two = ((a2 >> 2 ^ a2 >> 13 ^ a2 >> 22) & _MASK) + (a & b ^ a & c ^ b & c)
        h, g, f, e = g, f, e, (d + one) & _MASK
        d, c, b, a = c, b, a, (one + two) & _MASK
    stream[_WORK] = (stream[_WORK] + a) & _MASK
    stream[_WORK + 1] = (stream[_WORK + 1] + b) & _MASK
    stream[_WORK + 2] = (stream[_WORK + 2] + c) & _MASK
    stream[_WORK + 3] = (stream[_WORK + 3] + d) & _MASK
    stream[_WORK + 4] = (stream[_WORK + 4] + e) & _MASK
    stream[_WORK + 5] = (stream[_WORK + 5] + f) & _MASK
    stream[_WORK + 6] = (stream[_WORK + 6] + g) & _MASK
    stream[_WORK + 7] = (stream[_WORK + 7] + h) & _MASK


@compiled(None, STREAM, STREAM, int)
def _take_block(stream: Any, signs: Any, start: int) -> None:
    """Take 64 bytes into the hash being computed."""
    for i in range(16):
        at = start + 4 * i
        stream[_BLOCK + i] = signs[at] << 24 | signs[at + 1] << 16 | signs[at + 2] << 8 | signs[at + 3]
    _hash_block(stream)


@compiled(int, STREAM, int, int)
def _add_number(stream: Any, at: int, number: int) -> int:
    """Write a number after the bytes that are in no block yet; where it ends."""
    tens = 1
    while tens * 10 <= number:
        tens *= 10
    while tens:
        stream[_TEXT + at] = 48 + number // tens % 10
        at += 1
        tens //= 10
    return at


@compiled(None, STREAM, int, int)
def begin_ply(stream: Any, epoch: int, ply: int) -> None:
    """What is drawn next are the draws of this ply from the first on."""
    at = _add_number(stream, stream[_TAIL], epoch)
    stream[_TEXT + at] = 124  # |
    at = _add_number(stream, at + 1, ply)
    stream[_TEXT + at] = 124
    stream[_SIZE] = at + 1
    stream[_COUNT] = 0


@compiled(np.uint64, STREAM)
def next_draw(stream: Any) -> Any:
    """The first eight bytes of the next draw."""
    size = _add_number(stream, stream[_SIZE], stream[_COUNT])
    stream[_COUNT] += 1
    bits = 8 * (stream[_LENGTH] - stream[_TAIL] + size)
    blocks = (size + 72) // 64  # with a bit that ends the text, and its length
    end = _TEXT + 64 * blocks
    stream[_TEXT + size] = 128
    for at in range(_TEXT + size + 1, end - 8):
        stream[at] = 0
    for at in range(8):
        stream[end - 1 - at] = bits >> (8 * at) & 255
    for i in range(8):
        stream[_WORK + i] = stream[_INNER + i]
    for block in range(blocks):
        _take_block(stream, stream[_TEXT:], 64 * block)
    for i in range(8):
        stream[_BLOCK + i] = stream[_WORK + i]
        stream[_WORK + i] = stream[_OUTER + i]
    stream[_BLOCK + 8] = 1 << 31
    for i in range(9, 15):
        stream[_BLOCK + i] = 0
    stream[_BLOCK + 15] = 8 * (64 + 32)
    _hash_block(stream)
    return np.uint64(stream[_WORK]) << np.uint64(32) | np.uint64(stream[_WORK + 1])


@compiled(int, STREAM, int)
def number_below(stream: Any, n: int) -> int:
    """An unbiased number from 0 to n - 1: draws from the uneven rest of 2**64 are passed over."""
    size = np.uint64(n)
    last = np.uint64(2**64 - 1)
    rest = (last % size + np.uint64(1)) % size
    drawn = next_draw(stream)
    while drawn > last - rest:
        drawn = next_draw(stream)
    return int(drawn % size)
