#!/usr/bin/env python3
"""Writes a sparse matrix in the Matrix Market format to standard output; the same words give the same matrix.

    tools/make_sparse_matrix.py banded ROWS WIDTH       WIDTH entries on each side of the diagonal
    tools/make_sparse_matrix.py power_law ROWS MEAN     row lengths by a power law (exponent 2.1), columns anywhere
    tools/make_sparse_matrix.py fem ROWS MEAN           rows of about MEAN entries near the diagonal and on two further
                                                        bands, as a mesh's neighbours lie"""
import random
import sys


def banded(rows, width, _):
    for row in range(rows):
        yield row, range(max(0, row - width), min(rows, row + width + 1))


def power_law(rows, mean, draw):
    # Pareto with exponent 2.1 has mean 1.1 / 0.1 of its least; scaled and cut at the number of rows.
    weights = [draw.paretovariate(1.1) for _ in range(rows)]
    scale = mean * rows / sum(weights)
    for row, weight in enumerate(weights):
        length = max(1, min(rows // 4, int(weight * scale)))
        yield row, sorted(draw.sample(range(rows), length))


def fem(rows, mean, draw):
    side = max(2, int(rows ** 0.5))
    for row in range(rows):
        length = max(3, int(draw.gauss(mean, mean / 6)))
        near = {row}
        while len(near) < length:
            band = draw.choice((0, 0, -side, side))
            column = row + band + int(draw.gauss(0, length / 2))
            if not 0 <= column < rows:
                column = draw.randrange(max(0, row - 2 * side), min(rows, row + 2 * side + 1))
            near.add(column)
        yield row, sorted(near)


def main():
    kinds = {"banded": banded, "power_law": power_law, "fem": fem}
    if len(sys.argv) != 4 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    rows, size = int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(1)
    lines = [f"{row + 1} {column + 1} {draw.random():.6f}" for row, columns in kinds[sys.argv[1]](rows, size, draw)
             for column in columns]
    print("%%MatrixMarket matrix coordinate real general")
    print(f"% {' '.join(sys.argv[1:])}")
    print(rows, rows, len(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
