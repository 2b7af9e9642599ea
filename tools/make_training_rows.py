#!/usr/bin/env python3
"""Writes tables of feature rows from which predictors are trained: columns region, extractor, provenance, cpu, gpu, cpu_ms, gpu_ms, features.

    tools/make_training_rows.py build/bin/forewarp corpus -o rows.csv      the corpus's references: CPU times of this machine, GPU times left empty
    tools/make_training_rows.py build/bin/forewarp regions -o rows.csv     data/training/regions, joined with the measured pairs of RAJAPerf
                                                                           ($FOREWARP_SHARED_DATA/rajaperf-cpu-gpu)
Rows of both extractors; --only NAME for some of them, --with-warps for the pseudo-warps too; corpus: --add makes only what OUTPUT lacks (the pseudo-warps of
the quickest references first), --seconds N passes over a reference that takes longer. What gives no row is named on standard error. Beside the
corpus's rows, OUTPUT.launches.csv says what each one ran: the launch file, by how much its sizes from 128 on were divided, and how often the
reference was called; a GPU time that belongs to the row is that launch's, so many times."""
import argparse
import csv
import functools
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXED = ["region", "family", "extractor", "provenance", "cpu", "gpu", "cpu_ms", "gpu_ms"]
LEAST_MS, MOST_SECONDS = 10, 0.4  # of a region's CPU time; of the whole program at a size that is tried, its data included
MOST_CALLS = 3000
# Kernels that do the same work on the same data, or are one another's parts.
FAMILIES = [
    ["Algorithm_MEMCPY", "Stream_COPY"],
    ["Stream_ADD", "Stream_TRIAD", "Stream_MUL"],
    ["Basic_INDEXLIST", "Basic_INDEXLIST_3LOOP"],
    ["Algorithm_REDUCE_SUM", "Basic_REDUCE3_INT", "Basic_REDUCE_STRUCT"],
    ["Basic_PI_ATOMIC", "Basic_TRAP_INT"],
    ["Polybench_ATAX", "Polybench_MVT", "Polybench_GEMVER", "Polybench_GESUMMV"],
    ["Lcals_FIRST_DIFF", "Lcals_FIRST_SUM"],
    ["Apps_NODAL_ACCUMULATION_3D", "Apps_ZONAL_ACCUMULATION_3D"],
    ["Algorithm_MEMSET", "Basic_INIT_VIEW1D"],
    ["Polybench_JACOBI_2D", "Polybench_HEAT_3D"],
]
LAUNCHES = []  # region, launch, sizes divided by, calls, which loop
MEASURED_CPU, MEASURED_GPU = "Intel Xeon E5-2695 v4", "Tesla V100 SXM2"
C_TYPES = {"f32": "float", "f64": "double", "i32": "int", "u32": "unsigned", "u8": "unsigned char", "i8": "signed char", "i64": "long",
           "u64": "unsigned long", "i16": "short", "u16": "unsigned short"}

# Filled without a loop statement: only the reference's loops become regions.
DRIVER = """#include <stdlib.h>
void reference_NAME(void** v);
static double mixed(unsigned long i, unsigned long seed) {
  unsigned long x = (i + 1) * 0x9E3779B97F4A7C15UL + seed * 0xD1B54A32D192ED03UL;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9UL;
  x ^= x >> 29;
  return (double)(x >> 11) / 9007199254740992.0;
}
#define FILL(NAME, TYPE) \\
  static void* NAME(long n, int kind, double a, double b, double c) { \\
    TYPE* p = calloc((size_t)n + 1, sizeof *p); \\
    long i = 0; \\
  next: \\
    if (i < n) { \\
      p[i] = (TYPE)(kind == 1 ? a + b * (double)i : kind == 2 ? b + (c - b) * mixed((unsigned long)i, (unsigned long)a) : a); \\
      ++i; \\
      goto next; \\
    } \\
    return p; \\
  }
FILLS
int main(void) {
#ifdef WHOLE
VALUES  void* v[] = {ADDRESSES};
#pragma forewarp parallel name(NAME)
  for (int call = 0; call < CALLS; ++call)
    reference_NAME(v);
#else
  int call = 0;
again:;
VALUES  void* v[] = {ADDRESSES};
  reference_NAME(v);
  if (++call < CALLS)
    goto again;
#endif
  return 0;
}
"""


def say(text):
    print("make_training_rows: " + text, file=sys.stderr, flush=True)


def number(expression, values):
    names = {"ceildiv": lambda a, b: -(-a // b), "min": min, "max": max, **values}
    if re.fullmatch(r"[0-9eE.+-]+", expression):
        return float(expression) if any(c in expression for c in ".eE") else int(expression)
    return eval(expression.replace("/", "//"), {"__builtins__": {}}, names)  # a launch file of this repository


def filled(text, values):
    return re.sub(r"\{([^{}]*)\}", lambda m: str(number(m.group(1), values)), text)


def launches(folder):
    """File, divisor, arguments, values and defines: the default launch, the same with its large sizes divided by 2 to 32, and the small check."""
    for file, shares in (("default.toml", (1, 2, 4, 8, 16, 32)), ("check.toml", (1,))):
        table = tomllib.loads((folder / file).read_text())
        for share in shares:
            values = {k: v // share if isinstance(v, int) and v >= 128 * share else v for k, v in table.get("values", {}).items()}
            if share == 1 or values != table.get("values", {}):
                yield file, share, table["arguments"], values, [filled(define, values) for define in table.get("defines", [])]


def content(words, kind):
    """kind and three numbers of the driver's fill."""
    name, inner = re.fullmatch(r"(\w+)(?:\((.*)\))?", words or "zeros").groups()
    given = [float(x) for x in inner.split(",")] if inner else []
    if name == "zeros":
        return 0, 0, 0, 0
    if name == "iota":
        return 1, *(given + [0, 1][len(given):]), 0
    if name == "random":
        low, high = given[1:3] if len(given) == 3 else (0, 1 if kind.startswith("f") else 65536)
        return 2, given[0] if given else 1, low, high
    if name in ("ones", "constant", "fill"):
        return 0, given[0] if given else 1, 0, 0
    raise ValueError(f"contents '{words}'")


def scalar_type(name, defines):
    """Some references call their element type `real`."""
    return name if name != "real" else "double" if "BITS=64" in defines else "float"


def driver(folder, arguments, values, defines):
    name = folder.name
    reference = (folder / "reference.c").read_text()
    scalars = dict((int(i), t.replace("const", "").strip()) for t, i in re.findall(r"\*\(\s*([\w ]+?)\s*\*\)\s*v\[(\d+)\]", reference))
    lines, addresses, kinds = [], [], set()
    for index, (argument, given) in enumerate(arguments.items()):
        text = filled(given, values) if isinstance(given, str) else str(given)
        buffer = re.fullmatch(r"buffer:(\w+)\[(\d+)\](?::(.*))?", text)
        if buffer:
            kind, count, words = buffer.groups()
            kinds.add(kind)
            numbers = content(words, kind)
            lines.append(f"  static void* a{index};\n  if (!a{index})\n    a{index} = fill_{kind}({count}, {', '.join(map(str, numbers))});\n")
            addresses.append(f"a{index}")
        elif text.startswith("local"):
            lines.append(f"  static char a{index}[1 << 20];\n")
            addresses.append(f"a{index}")
        else:
            lines.append(f"  {scalar_type(scalars.get(index, 'int'), defines)} a{index} = {text};\n")
            addresses.append(f"&a{index}")
    fills = "\n".join(f"FILL(fill_{kind}, {C_TYPES[kind]})" for kind in sorted(kinds))
    text = DRIVER.replace("NAME, TYPE", "@@").replace("NAME(long", "@2").replace("NAME", name).replace("@@", "NAME, TYPE").replace("@2", "NAME(long")
    return text.replace("FILLS", fills).replace("VALUES", "".join(lines)).replace("ADDRESSES", ", ".join(addresses))


def native_seconds(source, reference, defines, work):
    """One call, compiled by the system's compiler; None: it does not compile, crashes, or takes too long."""
    program = work / "alone"
    words = ["cc", "-O2", "-w", "-DCALLS=1", *[f"-D{d}" for d in defines], str(source), str(reference), "-lm", "-o", str(program)]
    if subprocess.run(words, capture_output=True).returncode != 0:
        return None
    before = os.times().children_user
    try:
        done = subprocess.run([str(program)], capture_output=True, timeout=60 * MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    own = os.times().children_user - before
    return own if done.returncode == 0 and own <= MOST_SECONDS else None


def run(forewarp, words):
    done = subprocess.run([forewarp, "port", "--features", *words, "--format", "csv"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit code {done.returncode}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def longest(rows):
    """The region that takes the time; None where no single one takes most of it."""
    timed = sorted((row for row in rows if row["cpu_ms"] and row["extractor"].startswith("dynamic")), key=lambda row: -float(row["cpu_ms"]))
    if not timed or float(timed[0]["cpu_ms"]) < 0.8 * sum(float(row["cpu_ms"]) for row in timed):
        return None
    return timed[0]


def known_launches():
    """What the table in the repository ran: region, then launch, divisor, calls, region."""
    path = ROOT / "data/training/corpus.launches.csv"
    if not path.exists():
        return {}
    with open(path) as file:
        return {row["region"]: row for row in csv.DictReader(file)}


def rows_of_kernel(forewarp, folder, work, warps, known):
    """Of the largest launch that runs and is recorded in time, or of the one that is known."""
    why = "no launch that runs in time"
    for launch, share, arguments, values, defines in launches(folder):
        if known and (launch, share) != (known["launch"], int(known["divided_by"])):
            continue
        source = work / f"driver_{folder.name}.c"
        source.write_text(driver(folder, arguments, values, defines))
        if not known and native_seconds(source, folder / "reference.c", defines, work) is None:
            continue
        common = [str(source), str(folder / "reference.c"), *[x for d in defines for x in ("-D", d)]]
        for whole in ((False, True) if not known else (known["loop"] == "call",)):
            best, others, calls, why = most_of_the_time(forewarp, [*common, *(["-D", "WHOLE"] if whole else ["--all-loops"])], warps, known)
            if why:
                continue
            place = best["region"].split(" ")[0]
            static = [row for row in run(forewarp, ["static", *common, "-D", "CALLS=1", *(["-D", "WHOLE"] if whole else [])]) if row["region"].split(" ")[0] == place]
            rows = [{**row, "region": f"corpus/{folder.name}", "family": family_of_reference(folder.name), "cpu_ms": best["cpu_ms"], "cpu": best["cpu"]}
                    for row in [best, *others, *static[:1]]]
            LAUNCHES.append([f"corpus/{folder.name}", launch, share, calls, "call" if whole else "longest"])
            say(f"{folder.name}: {launch} / {share}, {calls} call{'s' if calls > 1 else ''}, {float(best['cpu_ms']):.1f} ms")
            return rows
    raise RuntimeError(why)


def most_of_the_time(forewarp, common, warps, known):
    """The dynamic row of the one loop that takes the time, its other rows, and with how many calls it takes LEAST_MS; otherwise why there is none."""
    calls = int(known["calls"]) if known else 1
    while True:
        rows = run(forewarp, ["dynamic", *common, "-D", f"CALLS={calls}", "--counted", "--repetitions", "1" if known else "3", "--max-seconds", "60",
                              *(["--with-warps"] if warps else [])])
        best = longest(rows)
        found = max([float(row["cpu_ms"]) for row in rows if row["cpu_ms"]], default=0)
        others = [row for row in rows if best and row["region"] == best["region"] and row is not best]
        if best is not None and (found >= LEAST_MS or known):
            return best, others, calls, None
        if found >= LEAST_MS or not rows or known:
            return None, [], calls, "no loop takes most of the time" if rows else "not recorded in time"
        if calls >= MOST_CALLS:
            return None, [], calls, f"{found} ms"
        calls = min(MOST_CALLS, calls * max(2, int(1.2 * LEAST_MS / found) + 1 if found else 100))


def family_of_reference(kernel):
    """Versions of one algorithm are relatives: fft_radix2_global and fft_radix4_shared, scan and scan_tree."""
    alias = {"matrix_multiply": "gemm", "chain_product": "gemm", "bfs": "bfs", "srad": "srad", "hotspot": "hotspot", "covariance": "correlation",
             "vector_add": "copy", "stencil": "stencil", "convolution": "stencil", "spmv": "spmv", "btree": "btree"}
    for name, family in alias.items():
        if kernel.startswith(name):
            return family
    return kernel.split("_")[0]


def family_of(kernel):
    return next((family[0] for family in FAMILIES if kernel in family), kernel)


def measured_times():
    folder = pathlib.Path(os.environ.get("FOREWARP_SHARED_DATA", ROOT.parent / "shared/data")) / "rajaperf-cpu-gpu"
    cpu, gpu = {}, {}
    with open(folder / "cpu_seq.csv") as file:
        for row in csv.DictReader(file):
            if row["compiler"].startswith("clang"):
                cpu[row["kernel"]] = float(row["time_ms_per_rep_median"])
    with open(folder / "cuda_v100.csv") as file:
        for row in csv.DictReader(file):
            if row["size_param"] == "8388608" and row["block_size"] == "256":
                gpu.setdefault(row["kernel"], float(row["time_ms_per_rep_median"]))
    return cpu, gpu


@functools.cache
def rows_of_file(forewarp, file, *words):
    return run(forewarp, [words[0], str(ROOT / "data/training/regions" / file), *words[1:]])


def physics_of_nests(rows):
    """Of a kernel of several nests, each a launch of its own: sums, and means over threads or accesses. Nests without threads leave no warp_ features."""
    merged = {name: sum(float(row[name]) for row in rows) for name in rows[0] if name.startswith("phys_")}
    if any(not row.get("warp_threads") for row in rows):
        return merged
    threads = [float(row["warp_threads"]) for row in rows]
    accesses = [t * float(row["warp_memory"]) for t, row in zip(threads, rows)]
    largest = rows[threads.index(max(threads))]
    for name in (name for name in rows[0] if name.startswith("warp_")):
        values = [float(row[name]) for row in rows]
        if name in ("warp_threads", "warp_launches") or name.startswith("warp_bytes"):
            merged[name] = sum(values)
        elif name in ("warp_dimensions", "warp_block"):
            merged[name] = float(largest[name])
        else:
            weights = accesses if name in ("warp_coalesced", "warp_uncoalesced", "warp_constant", "warp_sectors") and sum(accesses) > 0 else threads
            merged[name] = sum(v * w for v, w in zip(values, weights)) / sum(weights)
    return merged


def at_full_size(row, line):
    scales = {"ninst": "scale_ninst", "blocks": "scale_blocks", "pages": "scale_blocks", "phys_read_bytes": "scale_read", "phys_written_bytes": "scale_ninst",
              "phys_threads": "scale_ninst", "phys_launches": "scale_launches", "phys_serial": "scale_launches", "warp_threads": "scale_ninst", "warp_launches": "scale_launches"}
    for column, scale in scales.items():
        if row.get(column):
            row[column] = f"{float(row[column]) * float(line[scale]):.6g}"
    return row


def rows_of_regions(forewarp, line, cpu, gpu, warps):
    budget = ("--repetitions", "1", "--max-seconds", "500", "--max-memory-mb", "6000", *(["--with-warps"] if warps else []))
    whole = rows_of_file(forewarp, line["file"], "dynamic", "--counted", *budget)
    nests = rows_of_file(forewarp, line["file"], "dynamic", "-D", "NESTS", *budget) if line["several"] and warps else []
    text = rows_of_file(forewarp, line["file"], "static") + rows_of_file(forewarp, line["file"], "static", "-D", "NESTS")
    found = []
    for kernel in line["kernels"].split():
        if kernel not in cpu or kernel not in gpu:
            say(f"{kernel}: no measured pair")
            continue
        several = kernel in line["several"].split()
        own = [row for row in whole if row["region"].split(" ")[-1] == kernel]
        # Of a kernel of several nests the text of the first.
        own += [row for row in text if row["region"].split(" ")[-1] == (f"{kernel}_1" if several else kernel)][:1]
        parts = [row for row in nests if row["region"].split(" ")[-1].rsplit("_", 1)[0] == kernel]
        if len(own) != 3 or (several and warps and not parts):
            say(f"{kernel}: {len(own)} rows, {len(parts)} nests")
        for row in own:
            row = {**row, "region": f"rajaperf/{kernel}", "family": family_of(kernel), "provenance": "measured", "cpu": MEASURED_CPU, "gpu": MEASURED_GPU,
                   "cpu_ms": cpu[kernel], "gpu_ms": gpu[kernel]}
            if row["extractor"].startswith("dynamic") and parts:
                row = {name: value for name, value in row.items() if not name.startswith(("warp_", "phys_"))}
                row.update((name, f"{value:.6g}") for name, value in physics_of_nests(parts).items())
            found.append(at_full_size(row, line))
    say(f"{line['file']}: {len(found)} rows")
    return found


def write(rows, path, head=()):
    columns = [*FIXED, *head]
    for row in rows:
        columns += [name for name in row if name not in columns]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["extractor"], row["region"])))


def table_rows(path):
    """Features and rows of an earlier run."""
    if not pathlib.Path(path).exists():
        return [], []
    with open(path) as file:
        reader = csv.DictReader(file)
        rows = [{name: value for name, value in row.items() if value or name in FIXED} for row in reader]
        return reader.fieldnames[len(FIXED):], rows


def in_time(task, seconds):
    """The task's rows; RuntimeError after so many seconds. What it started ends with it."""
    def too_long(*_):
        raise RuntimeError(f"longer than {seconds} s")
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        return task()
    finally:
        signal.alarm(0)


def added(kept, made):
    """Rows made anew replace those of their region; CPU times stay what the search's three repetitions found."""
    times = {row["region"]: (row["cpu"], row["cpu_ms"]) for row in kept}
    for row in made:
        row["cpu"], row["cpu_ms"] = times.get(row["region"], (row["cpu"], row["cpu_ms"]))
    regions = {row["region"] for row in made}
    return [row for row in kept if row["region"] not in regions] + made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("what", choices=["corpus", "regions"])
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--with-warps", action="store_true")
    parser.add_argument("--search", action="store_true", help="corpus: look for sizes and calls anew; otherwise those of corpus.launches.csv, where a kernel is there")
    parser.add_argument("--add", action="store_true")
    parser.add_argument("--seconds", type=int, default=0)
    words = parser.parse_args()
    forewarp = str(pathlib.Path(words.forewarp).resolve())
    head, rows = table_rows(words.output) if words.add else ([], [])
    missed, known = 0, known_launches()
    launches_path = pathlib.Path(words.output.removesuffix(".csv") + ".launches.csv")
    earlier = list(csv.reader(launches_path.read_text().splitlines()))[1:] if words.add and launches_path.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        if words.what == "corpus":
            tasks = [(f.parent.name, lambda f=f: rows_of_kernel(forewarp, f.parent, pathlib.Path(folder), words.with_warps,
                                                             None if words.search else known.get(f"corpus/{f.parent.name}")))
                     for f in sorted(ROOT.glob("corpus/*/reference.c"))]
            whole = {row["region"] for row in rows if row["extractor"].startswith("dynamic") and (row.get("phys_threads") or not words.with_warps)}
            took = {row["region"]: float(row["cpu_ms"]) for row in rows if row["cpu_ms"]}
            tasks = [task for task in tasks if f"corpus/{task[0]}" not in whole]
            tasks.sort(key=lambda task: took.get(f"corpus/{task[0]}", 0))
        else:
            cpu, gpu = measured_times()
            with open(ROOT / "data/training/regions/kernels.csv") as file:
                tasks = [(line["file"], lambda line=line: rows_of_regions(forewarp, line, cpu, gpu, words.with_warps)) for line in csv.DictReader(file)]
        for name, task in tasks:
            if words.only and name not in words.only:
                continue
            try:
                rows = added(rows, in_time(task, words.seconds))
            except (RuntimeError, ValueError, KeyError, SyntaxError, NameError, TypeError) as problem:
                missed += 1
                say(f"{name}: no row: {problem}")
            write(rows, words.output, head)
            if LAUNCHES:
                with open(launches_path, "w", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows([["region", "launch", "divided_by", "calls", "loop"],
                                                                     *sorted({line[0]: line for line in [*earlier, *LAUNCHES]}.values())])
    say(f"{len(rows)} rows, {missed} without")


main()
