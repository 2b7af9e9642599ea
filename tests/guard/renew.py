#!/usr/bin/env python3
"""Renews tests/guard/reached.toml: tests/guard/renew.py PROGRAM [--accept REASON]

Rows that got better are written. A row that got worse by more than it may (guard.py) is refused, and nothing is written: mend it, or say with
--accept why it is taken. The reason is then written beside the row in accepted.toml, for review with the change that caused it.
"""
import argparse
import sys

import guard


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--accept", metavar="REASON", default="")
    arguments = parser.parse_args()
    if arguments.accept and not guard.is_reason(arguments.accept):
        sys.exit(f"a reason has at least {guard.LEAST_WORDS} words: what changed, and why it is right all the same")
    settings = guard.runs()
    now = {}
    for name in settings:
        now.update(guard.values(name, guard.run(arguments.program, name, settings[name])))
    reached = guard.read_reached(guard.REACHED.read_text(encoding="utf-8")) if guard.REACHED.exists() else {}
    entries = guard.read_accepted(guard.ACCEPTED.read_text(encoding="utf-8")) if guard.ACCEPTED.exists() else {}
    new_reached, new_entries, refused = guard.renewed(now, reached, entries, arguments.accept)
    if refused:
        sys.exit("worse than it may be; nothing was written:\n" + "\n".join(refused))
    guard.REACHED.write_text(guard.write_reached(new_reached), encoding="utf-8")
    guard.ACCEPTED.write_text(guard.write_accepted(new_entries), encoding="utf-8")
    better = sum(1 for key, value in new_reached.items() if key in reached and value < reached[key])
    print(f"{len(new_reached)} rows, {better} better than before, {len(new_entries)} accepted")


if __name__ == "__main__":
    main()
