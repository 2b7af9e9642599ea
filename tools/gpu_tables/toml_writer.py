"""Writes GPU files: every value as { value, unit, source, ref } on a line of its own."""

import json


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def number(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(number(item) for item in value) + "]"
    if isinstance(value, str):
        return quoted(value)
    return repr(int(value)) if float(value) == int(value) and abs(value) < 1e15 else repr(float(value))


def line(key, fact):
    value, unit, (source, ref) = fact
    ref_text = f", ref = {quoted(ref)}" if ref or source != "assumed" else ""
    return f"{key} = {{ value = {number(value)}, unit = {quoted(unit)}, source = {quoted(source)}{ref_text} }}\n"


GROUPS = ["unit", "op_unit", "op_second_unit", "throughput", "issue_cycles", "latency"]


def table_of(key):
    """TOML table and the rest of a dotted key: 'unit.fp32.lanes' -> ('unit.fp32', 'lanes')."""
    head, _, tail = key.rpartition(".")
    return head, tail


def write_facts(out, facts, order, prefix=""):
    plain = [key for key in facts if "." not in key]
    plain.sort(key=lambda key: (order.index(key) if key in order else len(order), key))
    for key in plain:
        out.append(line(key, facts[key]))
    tables = {}
    for key in facts:
        if "." in key:
            head, tail = table_of(key)
            tables.setdefault(head, {})[tail] = facts[key]
    for head in sorted(tables, key=lambda name: (GROUPS.index(name.split(".")[0]) if name.split(".")[0] in GROUPS else 99, name)):
        out.append(f"\n[{prefix}{head}]\n")
        for key, fact in tables[head].items():
            out.append(line(key, fact))


def write_file(path, comment, identity, facts, value_sets, order):
    out = [f"# {comment}\n"]
    for key, value in identity.items():
        if value not in (None, [], ""):
            out.append(f"{key} = {number(value) if isinstance(value, bool) else quoted(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n")
    out.append("\n")
    write_facts(out, facts, order)
    for name, values in (value_sets or {}).items():
        out.append(f"\n[value_sets.{name}]\n")
        write_facts(out, values, order, f"value_sets.{name}.")
    path.write_text("".join(out), encoding="utf-8")
