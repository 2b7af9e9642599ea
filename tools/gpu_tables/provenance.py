#!/usr/bin/env python3
"""Writes `derived_from` beside the values of GPU files: tools/gpu_tables/provenance.py [--check] data/gpus

A value's `ref` says in words where it comes from; ROWS turns those words into suites, kernels and boards that
`forewarp validate` reads. Values that are scaled or copied from another file's take over what stands there.
With --check nothing is written: exit 1 where a file would change, or where a reference names a benchmark of a
suite and no line of ROWS knows it.
"""

import argparse
import json
import pathlib
import re
import sys
import tomllib

# What the data's boards are called in the catalogue. The A100 of gpu-benches is one board under two of our names.
BOARDS = {"V100": "Tesla V100 PCIe", "V100 PCIe": "Tesla V100 PCIe", "A100-80": "A100 PCIe 80GB", "A100 PCIe 80GB": "A100 PCIe 80GB",
          "A100 SXM4 80GB": "A100 PCIe 80GB", "A100-40": "A100 PCIe 40GB", "A100": "A100 PCIe 80GB", "H100 PCIe": "H100 PCIe",
          "H200": "H200 SXM", "L40": "L40", "A40": "A40", "MI210": "Instinct MI210", "MI100": "Instinct MI100", "MI300A": "Instinct MI300A",
          "RX 6900 XT": "Radeon RX 6900 XT", "A100 SXM4 40GB": "A100 SXM4 40GB",
          "GTX 1080 Ti": "GeForce GTX 1080 Ti", "GTX 980": "GeForce GTX 980", "K620/GTX 750": "GeForce GTX 750"}
SAME_DATA = {"A100 SXM4 80GB": "A100 PCIe 80GB"}
KEPLER = ["GeForce GTX 680", "GeForce GTX TITAN", "Tesla K40"]
OWN = object()


def rows(suite, kernels=None, gpus=None):
    return {"suite": suite, "kernels": kernels, "gpus": gpus}


def chase(key):
    return ["chase_in_l1"] if key == "l1_latency_cycles" else ["chase"]


def stream(ref):
    kinds = [kind for kind in ("read", "init", "scale", "triad") if re.search(rf"\b{kind}\b", ref)]
    return kinds or ["read"]


BLACKWELL = ["GeForce RTX 5070", "GeForce RTX 5080", "GeForce RTX 5090"]
HISTOGRAMS = ["histogram_simple", "histogram_shared"]
TURING_LINES = [rows("pmpp", HISTOGRAMS, ["GeForce GTX 1650 GDDR6"]), rows("debdeep23", ["histogram"], ["GeForce RTX 2080 Ti"])]
GA10X_LINES = [rows("pmpp", HISTOGRAMS, ["GeForce RTX 3060", "GeForce RTX 3080"])]
ADA_LINES = [rows("debdeep23", ["histogram"], ["GeForce RTX 4070"])]
SHARED_ATOMICS = [rows("pmpp", ["histogram_shared"], ["GeForce RTX 3060", "GeForce RTX 3080"])]


def atomics(*kernels):
    return [rows("hecbench-atomics", [f"atomicPerf/{name}" for name in kernels], ["GeForce RTX 3080"])]


ONE_WORD = atomics("SingleRangeAtomicOnGlobalMem<float>", "SingleRangeAtomicOnGlobalMem<double>")
WIDE_ROWS = atomics("WarpRangeAtomicOnGlobalMem<double>", "BlockRangeAtomicOnGlobalMem<double>")
NEIGHBOURS = atomics("WarpRangeAtomicOnGlobalMem<int>", "WarpRangeAtomicOnGlobalMem<float>", "BlockRangeAtomicOnGlobalMem<int>",
                     "BlockRangeAtomicOnGlobalMem<float>", "BlockRangeAtomicOnGlobalMem<double>")
TREE_SUMS = [rows("published-reduction", None, ["A100 PCIe 40GB"])]
REFILL_TURING = [rows("ktt", ["ktt_convolution"], ["GeForce RTX 2080 Ti"])]
BACKPROP = ["bpnn_layerforward_CUDA", "bpnn_adjust_weights_cuda"]
TRANSPOSES = ["transpose_direct", "transpose_direct_32x32", "transpose_direct_32x8"]
SHARED_LOADS = [rows("benchmark-hub", ["convolution_milo"], ["A100 PCIe 40GB"])]
REGISTER_KERNELS = ["vectorAdd", "matrix_sum_normal", "matrix_sum_coalesced", "dotProd"]

# (pattern of the reference, entries, or a function of key and reference that gives them);
# a kernel in parentheses: rows of the suite's table that the suite does not run.
ROWS = [
    (r"PMPP and debdeep23 histograms, GTX 1650 at 1775 MHz and RTX 2080 Ti", TURING_LINES),
    (r"PMPP histograms, RTX 3060 and 3080", GA10X_LINES),
    (r"debdeep23 histogram, RTX 4070", ADA_LINES),
    (r"histograms of PMPP and debdeep23", TURING_LINES + GA10X_LINES + ADA_LINES),
    (r"atomicPerf of HeCBench, RTX 3080 at 1440 MHz: 5\.3 a warp", NEIGHBOURS),
    (r"atomicPerf of HeCBench: 256 neighbouring floats", NEIGHBOURS),
    (r"atomicPerf of HeCBench, 1440 MHz: floats and doubles on one", ONE_WORD),
    (r"atomicPerf of HeCBench, 1440 MHz: 32 and 256 neighbouring", WIDE_ROWS),
    (r"at most what a shared histogram of PMPP", SHARED_ATOMICS),
    (r"PMPP histograms on RTX 3060\); a shared histogram of random bytes on H100",
     SHARED_ATOMICS + [rows("published-histogram", ["histogram_shared"], ["H100 SXM"])]),
    (r"PMPP on GTX 1650 at 1775 MHz: a warp on one line|as l1_tag_lookups_per_clk: every line|PMPP on GTX 1650: convolutions of 3 and 5 interleaved",
     [rows("pmpp", ["mat_vec_mul", "mat_mat_mul", "convolution_2d_basic", "convolution_2d_constant"], ["GeForce GTX 1650 GDDR6"])]),
    (r"[Dd]ebdeep23, naive transposes on RTX 4070", [rows("debdeep23", ["naive_transpose"], ["GeForce RTX 4070"])]),
    (r"debdeep23 RTX 4070: 4 ALU cycles", [rows("debdeep23", ["vector_add_divergent"], ["GeForce RTX 4070"])]),
    (r"naive transposes .* RTX 4090 8192", [rows("published-transpose", TRANSPOSES, ["GeForce RTX 4090"])]),
    (r"naive transposes .* RTX A5000 4096|RTX A5000 and RTX 3060 Ti from naive transposes",
     [rows("published-transpose", TRANSPOSES, ["RTX A5000", "GeForce RTX 3060 Ti"])]),
    (r"RTX 4090: vector sum of 2\^24|derived for RTX 4090 \(vector sum", [rows("published-streams", ["vector_add"], ["GeForce RTX 4090"])]),
    (r"tree sums of bbuf", TREE_SUMS),
    (r"RTX 2080 Ti \(achieved occupancy of KTT convolution\) and A100 \(tree sums\)", REFILL_TURING + TREE_SUMS),
    (r"KTT convolution on RTX 2080 Ti, achieved occupancy", REFILL_TURING),
    (r"^gpuperfpredict, achieved occupancy .* GTX 680", [rows("gpuperfpredict-rodinia", BACKPROP, KEPLER)]),
    (r"gpuperfpredict, achieved occupancy .* (on GTX 980|170 to 204)", [rows("gpuperfpredict-rodinia", BACKPROP, ["GeForce GTX 980"])]),
    (r"^vector addition with groups of 64 work-items", [rows("gpuperfpredict-simple", ["vectorAdd"], KEPLER)]),
    (r"gpuperfpredict, GTX 680, Titan and K40 alike|^see issue_cycles\.barrier",
     [rows("gpuperfpredict-simple", ["dotProd", "matMul_gpu_sharedmem", "matMul_gpu_sharedmem_uncoalesced"], KEPLER)]),
    (r"recorded minus live registers .* vectorAdd 10", [rows("gpuperfpredict-simple", REGISTER_KERNELS, KEPLER)]),
    (r"recorded minus live registers .* vectorAdd 8|counted on Maxwell, whose instruction set",
     [rows("gpuperfpredict-simple", REGISTER_KERNELS, ["GeForce GTX 750", "GeForce GTX 980"])]),
    (r"objects in gpuperfpredict", [rows("gpuperfpredict-simple", ["(machine code)"]), rows("gpuperfpredict-rodinia", ["(machine code)"])]),
    (r"gpuperfpredict's deviceQuery", [rows("gpuperfpredict-simple", ["(clock)"]), rows("gpuperfpredict-rodinia", ["(clock)"])]),
    (r"gld_transactions counts lines", [rows("gpuperfpredict-rodinia", None, KEPLER)]),
    (r"benchmark_hub,? convolution_milo on MI250X", [rows("benchmark-hub", ["convolution_milo"], ["Instinct MI250X"])]),
    (r"MIOpen's gradients of inputs on MI50", [rows("miopen-naive", ["bwd_nchw_half", "bwd_nchw_ushort", "bwd_ncdhw_float"], ["Instinct MI50"])]),
    (r"benchmark_hub,? convolution_milo(?! on MI250X)", SHARED_LOADS),
    (r"dedispersion on Radeon PRO W6600 .*, whose loads of bytes", [rows("benchmark-hub", ["dedispersion_milo"], ["Radeon PRO W6600"])]),
    (r"dedispersion on Radeon PRO W6600 .* SGEMM on RX 7900 XTX",
     [rows("benchmark-hub", ["dedispersion_milo"], ["Radeon PRO W6600"]), rows("published-sgemm", ["sgemm_blocked"], ["Radeon RX 7900 XTX"])]),
    (r"GTX 1080 Ti, GEMM spaces", [rows("kernel-tuner-gemm", ["gemm"], ["GeForce GTX 1080 Ti"])]),
    (r"GEMM on K20 takes", [rows("kernel-tuner-gemm", ["gemm"], ["Tesla K20"])]),
    (r"six HeCBench kernels of", [rows("hecbench", ["(second look, under 5 us)"], ["GeForce RTX 3080"])]),
    (r"burger, hypterm and zmddft of HeCBench",
     [rows("hecbench", ["burger/core", "(second look, hypterm and zmddft)"], ["GeForce RTX 3080"])]),
    (r"PBKDF2 rounds on RTX 5070 to 5090", [rows("published-pbkdf2", None, BLACKWELL)]),
    (r"agrees with gpu-benches' L2 footprint on MI210",
     [rows("gpu-benches-l2", ["l2_footprint"], ["Instinct MI210"]), rows("published-laplacian", None, ["Instinct MI250X"])]),
    (r"as published with the sums of data/published", [rows("published-reduction", ["(board)"])]),
    (r"cuda-solver-lab|measured on L4 with ECC", [rows("published-poisson", ["(bandwidth probe)"])]),
    (r"A100 and H200.*gpu-strides|gpu-strides: A100 and H200", [rows("gpu-benches-strides", None, ["A100 PCIe 80GB", "H200 SXM"])]),
    (r"gpu-benches(/| )?.*gpu-strides", [rows("gpu-benches-strides", None, OWN)]),
    (r"gpu-cache\b", [rows("gpu-benches-cache", None, OWN)]),
    (r"gpu-l1-cache", [rows("gpu-benches-cache", ["(gpu-l1-cache)"], OWN)]),
    (r"gpu-l2-cache", [rows("gpu-benches-l2", ["l2_footprint"], OWN)]),
    (r"gpu-roofline", [rows("gpu-benches-roofline", ["roofline"], OWN)]),
    (r"gpu-latency", lambda key, ref: [rows("gpu-benches-latency", chase(key), OWN)]),
    (r"gpu-stream", lambda key, ref: [rows("gpu-benches-stream", stream(ref), OWN)]),
    (r"^(Jia et al\.; )?gpu-benches \w+( PCIe)?(;|$)", [rows("gpu-benches-stream", ["(clock)"])]),
    (r"A100 SXM4 80GB 1887 GB/s", [rows("gpu-benches-stream", ["init"], ["A100 PCIe 80GB"])]),
    (r"A100 SXM4 80GB 1707 GB/s", [rows("gpu-benches-stream", ["scale"], ["A100 PCIe 80GB"])]),
    (r"A100 SXM4 40GB, same memory", [rows("gpu-benches-stream", ["scale"], ["A100 PCIe 40GB"])]),
    (r"V100 PCIe 895 GB/s", [rows("gpu-benches-stream", ["init"], ["Tesla V100 PCIe"])]),
    (r"V100 PCIe 804 GB/s", [rows("gpu-benches-stream", ["scale"], ["Tesla V100 PCIe"])]),
    (r"no more than its reads", [rows("gpu-benches-l2", ["l2_footprint"], ["H200 SXM"])]),
    (r"crossing of 53 cycles derived on H100 PCIe", [rows("gpu-benches-latency", ["chase"], ["H100 PCIe"])]),
    (r"clpeak on MI100", [rows("clpeak", ["int", "int4"], ["Instinct MI100"])]),
    (r"clpeak on MI250X", [rows("clpeak", ["int", "int4"], ["Instinct MI250X"])]),
    (r"clpeak on R9 290X", [rows("clpeak", ["int", "int4"], ["Radeon R9 290X"])]),
    (r"(int/SP|clpeak int)", [rows("clpeak", ["int", "int4", "float"], OWN)]),
    (r"clpeak, Tesla K40c: 3495", [rows("clpeak", ["float", "float2", "float4", "float16"], ["Tesla K40"])]),
    (r"clpeak", [rows("clpeak", ["(bandwidth, clock or launch)"])]),
    (r"BabelStream .*triad", [rows("babelstream", ["triad"], OWN)]),
    (r"BabelStream .*copy", [rows("babelstream", ["copy"], OWN)]),
]
# Patterns that hold the same of these words are tried in order, and one of them counts.
FIRST_OF = ("clpeak", "BabelStream", "gpu-strides")
# Words of a reference that name a suite's table; each such reference has to be known above.
NAMES = re.compile(r"PMPP|debdeep|gpuperfpredict|KTT|Kernel Tuner|benchmark_hub|benchmark hub|HeCBench|OpenDwarfs|Accel-Sim row|BabelStream|"
                   r"clpeak|mixbench|gpu-(strides|cache|l1-cache|l2-cache|latency|stream|roofline)\b|data/published|public tables?\b|GEMM|PBKDF2|"
                   r"tree sums|histogram|transposes|cuda-solver-lab", re.I)
COPIED = re.compile(r"(?:^|: |of )([a-z0-9]+(?:-[a-z0-9]+)+)(?: \(same die\))?(?:, scaled by|$)")
EFFICIENCY = re.compile(r"^derived: dram_bw_read_gbps ?/ ?dram_bw_peak_gbps")
MEASURED_ON = re.compile(r"proxy: (?:measured on|RTX|A100) ?([^;:(]+?)(?: \([^)]*\))?(?: @\d+ MHz)?[;:]")


def board_in(reference, own):
    """The board that a reference of gpu-benches or clpeak speaks of; its own where it names none."""
    found = MEASURED_ON.search(reference)
    if found and found.group(1).strip() in BOARDS:
        return BOARDS[found.group(1).strip()]
    named = [name for name in sorted(BOARDS, key=len, reverse=True) if re.search(rf"\b{re.escape(name)}\b", reference)]
    return BOARDS[named[0]] if named else SAME_DATA.get(own, own)


def entries_of(key, reference, own):
    """Entries of one value by the words of its reference; `own`: name of the file's GPU, None for a family."""
    found, groups = [], set()
    for pattern, entries in ROWS:
        if not re.search(pattern, reference):
            continue
        group = next((word for word in FIRST_OF if word in pattern), pattern)
        if group in groups:
            continue
        groups.add(group)
        for entry in entries(key, reference) if callable(entries) else entries:
            board = board_in(reference, own)
            gpus = ([board] if board else None) if entry["gpus"] is OWN else entry["gpus"]
            if {**entry, "gpus": gpus} not in found:
                found.append({**entry, "gpus": gpus})
    return found


def flat(table, prefix=""):
    for key, value in table.items():
        if isinstance(value, dict) and "value" in value and "unit" in value:
            yield prefix + key, value
        elif isinstance(value, dict) and prefix + key != "value_sets":
            yield from flat(value, prefix + key + ".")


class Catalogue:
    """The files of a folder, and what each of their values was derived from."""

    def __init__(self, folder):
        self.files = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}
        self.values = {stem: dict(flat(table)) for stem, table in self.files.items()}

    def resolved(self, stem, key):
        """(file, value) that the file has by itself or by `extends`."""
        while stem:
            if key in self.values[stem]:
                return stem, self.values[stem][key]
            stem = self.files[stem].get("extends")
        return None, None

    def entries(self, stem, key, depth=0):
        holder, value = self.resolved(stem, key)
        if value is None or depth > 8:
            return []
        reference = value.get("ref", "")
        table = self.files[holder]
        found = entries_of(key, reference, None if table.get("abstract") else table.get("name"))
        copied = COPIED.search(reference)
        if copied and copied.group(1) in self.files:
            keys = [key]
            if " to read of " in reference:
                keys = [key, "dram_bw_read_gbps"]
            for other in keys:
                found += [entry for entry in self.entries(copied.group(1), other, depth + 1) if entry not in found]
        elif EFFICIENCY.search(reference):
            found += self.entries(holder, "dram_bw_read_gbps", depth + 1)
        elif reference == "the same":
            found += self.entries(holder, "dram_bw_read_gbps", depth + 1)
        return found


def text_of(entries):
    def one(entry):
        parts = [f'suite = {json.dumps(entry["suite"])}']
        parts += [f'{field} = {json.dumps(entry[field], ensure_ascii=False)}' for field in ("kernels", "gpus") if entry[field]]
        return "{ " + ", ".join(parts) + " }"
    return "[" + ", ".join(one(entry) for entry in entries) + "]"


WRITTEN = re.compile(r", derived_from = \[.*\](?= \}$)")


def rewritten(text, catalogue, stem):
    lines, table = [], ""
    for line in text.splitlines():
        head = re.match(r"\[([^\]]+)\]$", line)
        if head:
            table = head.group(1) + "."
        value = re.match(r"([\w.]+) = \{ value = .* \}$", line)
        if value and not table.startswith("value_sets"):
            line = WRITTEN.sub("", line)
            entries = catalogue.entries(stem, table + value.group(1))
            if entries:
                line = f"{line[:-2]}, derived_from = {text_of(entries)} }}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def unknown(catalogue):
    """Values whose reference names a suite's table, and that no line of ROWS knows."""
    return [f"{stem}: {key}: {value['ref']}" for stem, values in catalogue.values.items() for key, value in values.items()
            if NAMES.search(value.get("ref", "")) and not catalogue.entries(stem, key)]


def write(folder, check=False):
    """Lines of what is wrong; without `check`, files are rewritten and only unknown references are wrong."""
    catalogue = Catalogue(folder)
    wrong = [f"no line of ROWS knows this reference: {line}" for line in unknown(catalogue)]
    for stem in catalogue.files:
        path = folder / f"{stem}.toml"
        text = path.read_text(encoding="utf-8")
        new = rewritten(text, catalogue, stem)
        if new == text:
            continue
        if check:
            wrong.append(f"{path.name}: derived_from is not what the references say; run tools/gpu_tables/provenance.py {folder}")
        else:
            path.write_text(new, encoding="utf-8")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    wrong = write(arguments.folder, arguments.check)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
