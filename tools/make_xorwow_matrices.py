#!/usr/bin/env python3
"""Writes data/include/forewarp_cuda/xorwow_matrices.h: jumps of Marsaglia's xorwow generator (Xorshift RNGs, Journal of
Statistical Software 8(14), 2003). A step is linear in the five words over GF(2), so n steps are a matrix of 160 rows."""
import pathlib

WORDS, BITS = 5, 32
MASK = (1 << BITS) - 1
SEQUENCE_BITS = 67  # sequences of cuRAND begin 2^67 numbers apart
DIGITS = 16         # base 4: sequence numbers below 2^32


def step(v):
    t = v[0] ^ (v[0] >> 2)
    return v[1:] + [(v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & MASK]


def packed(v):
    return sum(word << (BITS * k) for k, word in enumerate(v))


def unpacked(row):
    return [(row >> (BITS * k)) & MASK for k in range(WORDS)]


def image(rows, vector):
    result = 0
    while vector:
        low = vector & -vector
        result ^= rows[low.bit_length() - 1]
        vector ^= low
    return result


def squared(rows):
    return [image(rows, row) for row in rows]


def matrices():
    rows = [packed(step(unpacked(1 << bit))) for bit in range(WORDS * BITS)]
    for _ in range(SEQUENCE_BITS):
        rows = squared(rows)
    for _ in range(DIGITS):
        yield [word for row in rows for word in unpacked(row)]
        rows = squared(squared(rows))


def main():
    lines = ["// Written by tools/make_xorwow_matrices.py: matrix k jumps 4^k sequences of 2^67 numbers; row 32 * word + bit is where",
             "// that bit of the state goes.", "#pragma once", "#pragma clang system_header", "",
             f"static __attribute__((device)) const unsigned fw_xorwow_sequences[{DIGITS}][{WORDS * BITS * WORDS}] = {{"]
    for matrix in matrices():
        lines.append("    {")
        for k in range(0, len(matrix), 10):
            lines.append(",".join(f"{word:#x}" for word in matrix[k:k + 10]) + ",")
        lines.append("    },")
    lines.append("};")
    root = pathlib.Path(__file__).resolve().parent.parent
    (root / "data/include/forewarp_cuda/xorwow_matrices.h").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
