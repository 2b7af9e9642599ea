#!/usr/bin/env python3
"""`forewarp formula`: the same matrix as Matrix Market, .npy and raw bytes gives the same formula; the printed C and Python give what
the formula gives; integers that wrap or go below zero count as in a run, at every size that the constraints let through."""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


# Bodies of a kernel of `x` and `n`, with `i` the work-item; 64 work-items a group, as many as n.
LOOP = "s = s * x[k & 1023] + 1; x[i & 1023] = s;"
WRAPPING = {
    "conversion to short": "short c = (short)(n * 40); for (int k = 0; k < c; k += 100) " + LOOP,
    "conversion to uchar": "uchar c = (uchar)n; for (int k = 0; k < c; k++) " + LOOP,
    "unsigned from below zero": "for (unsigned k = (unsigned)n - 100u; k < 200u; k++) " + LOOP,
    "unsigned difference": "unsigned r = (unsigned)(n - 1000) / 16u; if (r < (unsigned)i) x[i & 1023] = 1;",
    "range check": "if ((unsigned)(i - n / 2) < 100u) x[i & 1023] = 1;",
    "product": "if (i * 1000 < n * n * 1000) x[i & 1023] = 1;",
    "down by 7": "for (int k = n; k > 0; k -= 7) " + LOOP,
    "halves": "for (int k = n; k > 0; k /= 2) " + LOOP,
    "steps of 3 to a multiple": "for (int k = 0; k != 3 * n; k += 3) " + LOOP,
    "shift of a negative": "int r = (n - 1000) >> 4; if (r < i - 100) x[i & 1023] = 1;",
}


def ask(program, words):
    done = subprocess.run([program, "formula", "--gpu", "rtx2070", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def npy(type_name, count, data):
    head = f"{{'descr': '{type_name}', 'fortran_order': False, 'shape': ({count},), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def write_matrix(folder):
    """Rows of 1, 4, 7, 10, 1, ... entries: the trip counts are uneven. By part its element type and count."""
    rows = 1024
    columns = [sorted((row * 37 + k * 101) % rows for k in range(1 + row % 4 * 3)) for row in range(rows)]
    values = [[(row + k) % 5 + 1 for k in range(len(columns[row]))] for row in range(rows)]
    starts = [0]
    for row in columns:
        starts.append(starts[-1] + len(row))
    lines = ["%%MatrixMarket matrix coordinate real general", f"{rows} {rows} {starts[-1]}"]
    lines += [f"{r + 1} {c + 1} {v}" for r in range(rows) for c, v in zip(columns[r], values[r])]
    (folder / "m.mtx").write_text("\n".join(lines) + "\n")
    flat = {"row_starts": ("i", starts), "columns": ("i", sum(columns, [])), "values": ("f", sum(values, []))}
    for name, (code, numbers) in flat.items():
        data = struct.pack(f"<{len(numbers)}{code}", *numbers)
        (folder / f"{name}.bin").write_bytes(data)
        (folder / f"{name}.npy").write_bytes(npy(f"<{code}4", len(numbers), data))
    return rows, {name: len(numbers) for name, (_, numbers) in flat.items()}


def check_inputs(program, folder):
    rows, counts = write_matrix(folder)
    answers = []
    for form in ("mtx", "npy", "bin"):
        words = [str(ROOT / "corpus/spmv_csr_scalar/kernel.cl"), "--global", str(rows), "--local", "128", "--symbols", f"rows=128:{rows}",
                 "--sample-trip-counts", "--no-predictor", "--arg", f"rows={rows}", "--arg", f"x=buffer:f32[{rows}]:random(2)",
                 "--arg", f"y=buffer:f32[{rows}]:zeros"]
        for argument, part, type_name in (("row_begin", "row_starts", "i32"), ("column", "columns", "i32"), ("value", "values", "f32")):
            file = f"m.mtx#{part}" if form == "mtx" else f"{part}.{form}"
            count = counts[part] if form == "bin" else ""
            words += ["--arg", f"{argument}=buffer:{type_name}[{count}]:@{folder / file}"]
        answers.append(ask(program, words))
    assert answers[0] == answers[1] == answers[2]
    assert "iterations of the compiled loop, the mean of" in answers[0]


def check_code(program, folder):
    words = ["--launch", str(ROOT / "corpus/gemm/default.toml"), "--symbols", "n=64:1024", "--no-predictor"]
    told = json.loads(ask(program, [*words, "--at", "n=777", "--format", "json"]))["formulas"][0]["at"]["time_ms"]
    scope = {}
    exec(ask(program, [*words, "--format", "python"]), scope)  # the program's own output
    answer = scope["formula"](777)
    for model, time_ms in told.items():
        assert abs(answer[f"{model}_ms"] / time_ms - 1) < 1e-12, (model, answer, told)
    compiler = shutil.which("cc")
    if compiler is None:
        return
    code = ask(program, [*words, "--format", "c"])
    prints = "".join(f'printf("%.17g\\n", r.{model}_ms);' for model in told)
    result = code.split(" formula(")[0].splitlines()[-1].strip()
    (folder / "f.c").write_text(f"#include <stdio.h>\n{code}\nint main(void) {{ {result} r = formula(777); {prints} return 0; }}\n")
    subprocess.run([compiler, "-std=c11", "-Wall", "-Werror", "-o", folder / "f", folder / "f.c", "-lm"], check=True)
    printed = subprocess.run([folder / "f"], capture_output=True, text=True, check=True).stdout.split()
    for number, time_ms in zip(printed, told.values(), strict=True):
        assert abs(float(number) / time_ms - 1) < 1e-12, (printed, told)


def check_wrapping(program, folder):
    (folder / "k.toml").write_text('source = "k.cl"\nglobal = "{ceildiv(n, 64) * 64}"\nlocal = 64\n[arguments]\n'
                                   'x = "buffer:f32[1024]:zeros"\nn = "{n}"\n[values]\nn = 200\n')
    for name, body in WRAPPING.items():
        (folder / "k.cl").write_text(f"__kernel void f(__global float* x, int n) {{ int i = get_global_id(0); float s = 0; {body} }}\n")
        told = json.loads(ask(program, ["--launch", str(folder / "k.toml"), "--symbols", "n=1:2500", "--no-predictor", "--check", "12",
                                        "--format", "json"]))
        for model in told["models"]:
            for traces in ("static_traces", "executed_traces"):
                assert model[traces]["points"] == 12 and model[traces]["largest"] < 1e-9, (name, model)


def main():
    with tempfile.TemporaryDirectory() as name:
        check_inputs(sys.argv[1], pathlib.Path(name))
        check_code(sys.argv[1], pathlib.Path(name))
        check_wrapping(sys.argv[1], pathlib.Path(name))


if __name__ == "__main__":
    main()
