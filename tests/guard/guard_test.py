#!/usr/bin/env python3
"""Holds predictions of corpus kernels and of published figures against measured rows, kernel by kernel and stage by stage.

The rows lie in tests/guard/data and data/published, so the test is never skipped. What may be how far off: guard.py.
"""
import argparse
import sys

import guard


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("runs", nargs="+")
    arguments = parser.parse_args()
    settings = guard.runs()
    reached = guard.read_reached(guard.REACHED.read_text(encoding="utf-8"))
    wrong = guard.check_accepted(guard.read_accepted(guard.ACCEPTED.read_text(encoding="utf-8")), reached)
    for name in [n for n in settings if any(n.startswith(asked) for asked in arguments.runs)]:
        result = guard.run(arguments.program, name, settings[name])
        wrong += [f"{name}: left out: {row}" for row in result["left_out"]]
        now = guard.values(name, result)
        print(f"{name}: {result['total']['rows']} rows, times off by {result['total']['mape_percent']:.1f} %")
        wrong += guard.compare(now, {key: value for key, value in reached.items() if key[0] == name})
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
