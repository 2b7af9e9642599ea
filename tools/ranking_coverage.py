#!/usr/bin/env python3
"""How often the k configurations that `forewarp explore` names hold a good one: its rule against measured spaces.

  forewarp validate SUITE --sources S --data D --sample N --format csv --output rows.csv
  tools/ranking_coverage.py rows.csv... [--common 0,0.45,0.7] [--sure 0.95] [--within 0.05] [--draws 200] [--size 40] [--leave-one-out]

A space is the rows of one kernel on one GPU. k follows from predicted times and intervals alone (explore/confidence.h); the space holds if one of
the k of shortest predicted time was measured within 5 % of the least measured time. Beside each whole space, random parts of it of --size rows
(seeded) are asked the same. `spread`: standard deviation of ln(predicted / measured) in a space, without its mean; `common` of a file: share of
the variance of that logarithm which is a space's mean. Of all rows, in units of the interval's half width over 1.645: the standard deviation of the
errors from their space's median, and how many of them lie inside the interval: explore's factor 1.3 was that deviation when all intervals had one width.

--leave-one-out takes for each space the factor that the rows of the other spaces give, so that no space is judged by its own errors."""
import argparse
import csv
import math
import pathlib
import random
import statistics

Z90 = 1.6448536269514722
TAILS = 1.3  # as explore/confidence.cpp


def read_spaces(paths):
    """{(suite, kernel, gpu): [(predicted, sigma, measured)]}, each row once (a row stands on one line for each stage)."""
    spaces, seen = {}, set()
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                key = (row["suite"], row["kernel"], row["gpu"])
                if (key, row["row"]) in seen or not row["predicted_ms"]:
                    continue
                seen.add((key, row["row"]))
                low, high = float(row["low_ms"]), float(row["high_ms"])
                spaces.setdefault(key, []).append((float(row["predicted_ms"]), TAILS * math.log(high / low) / (2 * Z90), float(row["measured_ms"])))
    return {key: sorted(rows) for key, rows in spaces.items() if len(rows) >= 10}


def survival(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def to_measure(rows, common, sure, within):
    """As explore::configurations_to_measure, on a coarser grid."""
    shift, far = 2, 5
    step = math.log1p(within)
    width = step / shift
    sigmas = [sigma * math.sqrt(1 - common) for _, sigma, _ in rows]
    means = [math.log(predicted) for predicted, _, _ in rows]
    low = means[0] - far * max(sigmas)
    nodes = int((means[0] + far * sigmas[0] - low) / width) + 2
    logs = [[math.log(max(survival((low + j * width - mean) / sigma), 1e-300)) for j in range(nodes + shift)]
            for mean, sigma in zip(means, sigmas)]
    everything = [sum(column) for column in zip(*logs)]
    first = [0.0] * (nodes + shift)
    for k, own in enumerate(logs, 1):
        first = [a + b for a, b in zip(first, own)]
        rest = [math.exp(a - b) for a, b in zip(everything, first)]
        failure = sum(math.exp(first[j + shift]) * max(rest[j] - rest[j + 1], 0) for j in range(nodes))
        if failure <= 1 - sure:
            return k
    return len(rows)


def needed(rows, within):
    """The least k that would have done."""
    best = min(measured for _, _, measured in rows)
    return next(k for k, (_, _, measured) in enumerate(rows, 1) if measured <= (1 + within) * best)


def error_parts(spaces):
    """Share of the variance of ln(predicted / measured) that is the spaces' means; spread within each."""
    spreads, means, count, within = {}, [], 0, 0.0
    for key, rows in spaces.items():
        errors = [math.log(predicted / measured) for predicted, _, measured in rows]
        mean = sum(errors) / len(errors)
        squares = sum((e - mean) ** 2 for e in errors)
        spreads[key] = math.sqrt(squares / (len(errors) - 1))
        within += squares
        count += len(errors)
        means.append(mean)
    between = sum(mean * mean for mean in means) / len(means)
    return spreads, between / (between + within / max(1, count - len(means)))


def tails(spaces):
    """Standard deviation of the errors in units of that of a normal variable with the interval's 90 %; share of them that lies in it."""
    units = []
    for rows in spaces.values():
        errors = [math.log(predicted / measured) for predicted, _, measured in rows]
        median = statistics.median(errors)
        units += [TAILS * (error - median) / sigma for error, (_, sigma, _) in zip(errors, rows)]
    return statistics.pstdev(units), sum(abs(unit) < Z90 for unit in units) / len(units), len(units)


def with_factor(rows, factor):
    return [(predicted, sigma * factor / TAILS, measured) for predicted, sigma, measured in rows]


def by_the_others(spaces):
    """Each space with the factor of the tails of all others, and those factors."""
    factors = {key: tails({other: rows for other, rows in spaces.items() if other != key})[0] for key in spaces}
    return {key: with_factor(rows, factors[key]) for key, rows in spaces.items()}, factors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--common", default="0,0.45,0.7")
    parser.add_argument("--sure", type=float, default=0.95)
    parser.add_argument("--within", type=float, default=0.05)
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--size", type=int, default=30)
    parser.add_argument("--leave-one-out", action="store_true")
    words = parser.parse_args()
    shares = [float(share) for share in words.common.split(",")]
    spaces = read_spaces(words.files)
    spreads, measured_share = error_parts(spaces)
    deviation, inside, rows = tails(spaces)
    print(f"errors of {rows} rows: standard deviation {deviation:.2f} of a normal variable's with the same 90 %; {100 * inside:.0f} % within them")
    if words.leave_one_out:
        spaces, factors = by_the_others(spaces)
        print(f"factor from the other spaces: {min(factors.values()):.2f} (without {min(factors, key=factors.get)[1:]}) to {max(factors.values()):.2f}\n")
    print(f"| space | rows | spread | needed | {' | '.join(f'k at {share:g}' for share in shares)} |")
    print("| --- |" + " ---: |" * (3 + len(shares)))
    held, parts_held, k_sum, draws = [0] * len(shares), [0] * len(shares), [0.0] * len(shares), 0
    worst = [(1.0, "")] * len(shares)
    for key, rows in sorted(spaces.items()):
        least = needed(rows, words.within)
        ks = [to_measure(rows, share, words.sure, words.within) for share in shares]
        for i, k in enumerate(ks):
            held[i] += k >= least
        print(f"| {key[1]}, {key[2]} | {len(rows)} | {spreads[key]:.2f} | {least} | {' | '.join(str(k) for k in ks)} |")
        source = random.Random(1)
        own = [0] * len(shares)
        own_draws = words.draws if len(rows) > words.size else 0
        for _ in range(own_draws):
            part = sorted(source.sample(rows, words.size))
            for i, share in enumerate(shares):
                k = to_measure(part, share, words.sure, words.within)
                own[i] += k >= needed(part, words.within)
                k_sum[i] += k / words.size
        draws += own_draws
        for i in range(len(shares) if own_draws else 0):
            parts_held[i] += own[i]
            worst[i] = min(worst[i], (own[i] / own_draws, f"{key[1]}, {key[2]}"))
    print(f"\ncommon share of the error's variance here: {measured_share:.2f}")
    for i, share in enumerate(shares):
        text = f"--common-error {share:g}: {held[i]} of {len(spaces)} spaces held"
        if draws:
            text += f"; of {draws} parts of {words.size} rows {100 * parts_held[i] / draws:.1f} %, measuring {100 * k_sum[i] / draws:.0f} % of them; "
            text += f"fewest {100 * worst[i][0]:.0f} % ({worst[i][1]})"
        print(text)


if __name__ == "__main__":
    main()
