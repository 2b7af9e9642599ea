"""Names, short names, clocks and corrections of the GPUs of the facts table."""

PREFIXES = {"nvidia": ["NVIDIA", "GeForce", "Tesla", "Quadro"], "amd": ["AMD", "ATI", "Radeon", "Instinct"]}

# Differ from GPU to GPU by nature, even where two GPUs of a table happen to agree.
NEVER_SHARED = {"chip", "sm_count", "sm_clock_mhz", "sm_clock_base_mhz", "sm_clock_boost_mhz", "dram_bw_peak_gbps",
                "dram_bw_read_gbps", "dram_bw_write_gbps", "dram_bw_copy_gbps", "dram_bw_triad_gbps", "dram_bus_bits",
                "dram_clock_mhz", "dram_size_gb", "l2_size_bytes", "compute_capability"}

# The family's hand-written value is better than the table's.
FAMILY_WINS = {"issue_per_scheduler", "l1_caches_global"}
# ... and for these families also:
FAMILY_WINS_IN = {"rdna2": {"dram_latency_cycles"}, "rdna3": {"dram_latency_cycles"}}


def named(name=None, aliases=(), default_for=()):
    entry = {"aliases": list(aliases), "default_for": list(default_for)}
    if name:
        entry["name"] = name
    return entry


NAMES = {
    "GeForce 8800 GTX": named(aliases=["G80"]),
    "Tesla C2050": named(aliases=["Tesla C2050 / C2070"]),
    "Tesla K20": named(aliases=["K20c", "K20m"]),
    "Tesla K20X": named(aliases=["K20Xm"]),
    "Tesla K40": named(aliases=["K40c", "K40m"]),
    "Jetson TK1": named(aliases=["TK1", "GK20A"], default_for=["jetson"]),
    "GeForce GTX 1060 6GB": named(default_for=["GTX 1060", "1060"]),
    "GeForce GTX TITAN X": named(aliases=["TITAN X (Maxwell)"], default_for=["TITAN X"]),
    "TITAN X (Pascal)": named(aliases=["TITAN X Pascal"]),
    "Tesla P100 PCIe": named("Tesla P100 PCIe 16GB", aliases=["Tesla P100-PCIE-16GB"]),
    "Tesla P100 SXM2": named("Tesla P100 SXM2 16GB", aliases=["Tesla P100-SXM2-16GB"], default_for=["P100"]),
    "Tesla V100 PCIe": named("Tesla V100 PCIe", aliases=["Tesla V100-PCIE-32GB", "Tesla V100-PCIE-16GB"]),
    "Tesla V100 SXM2": named("Tesla V100 SXM2", aliases=["Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB"],
                             default_for=["V100", "GV100"]),
    "Tesla T4": named(),
    "A100 PCIe 40GB": named(aliases=["A100-PCIE-40GB"]),
    "A100 SXM4 40GB": named(aliases=["A100-SXM4-40GB"], default_for=["A100", "A100 40GB", "GA100"]),
    "A100 PCIe 80GB": named(aliases=["A100-PCIE-80GB", "A100 80GB PCIe"]),
    "A100 SXM4 80GB": named(aliases=["A100-SXM4-80GB"], default_for=["A100 80GB"]),
    "RTX A4000": named(aliases=["A4000"]),
    "RTX A6000": named(aliases=["A6000"]),
    "GeForce RTX 3090": named(default_for=["3090"]),
    "GeForce RTX 4090": named(default_for=["4090"]),
    "GeForce RTX 2070": named(default_for=["2070"]),
    "GeForce RTX 5090": named(default_for=["5090"]),
    "H100 PCIe": named(aliases=["H100 PCIe 80GB"]),
    "H100 SXM": named(aliases=["H100 80GB HBM3", "H100 SXM5"], default_for=["H100"]),
    "H200 SXM": named(aliases=["H200 SXM5", "H200 141GB"], default_for=["H200"]),
    "B200": named(),
    "Radeon R9 380": named(aliases=["Tonga"]),
    "MI100": named("Instinct MI100"),
    "MI210": named("Instinct MI210"),
    "MI250X": named("Instinct MI250X"),
    "MI300X": named("Instinct MI300X"),
    "Radeon PRO W6600": named(aliases=["W6600"]),
    "Radeon PRO W7800": named(aliases=["W7800"]),
    "Quadro K600": named(), "Quadro K620": named(),
}

# Clocks that the table's rule (measured, else boost) would get wrong.
CLOCKS = {
    "Tesla K20": (706, "MHz", ("datasheet", "fixed core clock")),
    "GeForce GTX 750": (1085, "MHz", ("datasheet", "boost clock; 1320 in one measurement is an overclocked board")),
    "GeForce GTX 980": (1216, "MHz", ("datasheet", "boost clock, and what gpuperfpredict's deviceQuery says; another board reported 1266")),
    "Tesla P100 SXM2": (1480, "MHz", ("datasheet", "boost clock")),
}

SHARED_PASS = ("datasheet", "AMD ISA guides (recalled): LDS serves 32 lanes a clock")
QUARTER = ("datasheet", "AMD ISA guides (recalled): a quarter wave a clock")
AMD_RATE = ("derived", "up to five instructions of different kinds a SIMD every fourth cycle (GCN whitepaper, recalled)")
CORRECTIONS = {}
for _name in ("Radeon R9 380", "MI100", "MI210", "MI250X", "MI300X"):
    CORRECTIONS[_name] = {"issue_per_scheduler": (1.25, "inst/clk", AMD_RATE),
                          "coalesce_lanes": (16, "lanes", QUARTER), "smem_lanes_per_pass": (32, "lanes", SHARED_PASS)}
for _name in ("Radeon RX 6800 XT", "Radeon RX 7900 XTX", "Radeon PRO W6600", "Radeon PRO W7800"):
    CORRECTIONS[_name] = {"coalesce_lanes": (32, "lanes", SHARED_PASS), "smem_lanes_per_pass": (32, "lanes", SHARED_PASS)}
CORRECTIONS["Radeon R9 380"]["dram_latency_cycles"] = (
    400, "cycles", ("assumed", "P's 136 cycles cannot be DRAM; typical of GCN (P's value is in the value set lemeire)"))
DROP = object()
CORRECTIONS["GeForce RTX 3090"] = {"l2_bw_read_gbps": DROP}  # a lower bound of a test that its timer limited
CORRECTIONS["Jetson TK1"] = {"dram_latency_cycles": (496, "cycles", ("paper", "CGPredict Table 3: 164 (L2) + 332 (DRAM on top)"))}
CORRECTIONS["Tesla V100 SXM2"] = {
    "dram_bw_write_gbps": (898, "GB/s", ("proxy", "V100 PCIe 895 GB/s, scaled by peak bandwidth")),
    "dram_bw_copy_gbps": (807, "GB/s", ("proxy", "V100 PCIe 804 GB/s, scaled by peak bandwidth"))}
CORRECTIONS["A100 PCIe 40GB"] = {
    "dram_bw_copy_gbps": (1377, "GB/s", ("proxy", "A100 SXM4 40GB, same memory"))}
CORRECTIONS["A100 PCIe 80GB"] = {
    "dram_bw_write_gbps": (1795, "GB/s", ("proxy", "A100 SXM4 80GB 1887 GB/s, scaled by peak bandwidth")),
    "dram_bw_copy_gbps": (1623, "GB/s", ("proxy", "A100 SXM4 80GB 1707 GB/s, scaled by peak bandwidth"))}
NO_LDG = ("datasheet", "CUDA C++ Programming Guide: the read-only data path of global loads comes with compute capability 3.2")
for _name in ("Quadro K600", "GeForce GTX 645", "GeForce GTX 650 Ti", "GeForce GTX 660 Ti"):
    CORRECTIONS[_name] = {"l1_caches_read_only": (False, "bool", NO_LDG)}
CORRECTIONS["GeForce RTX 2070"] = {
    "const_l1_latency_cycles": DROP,  # 4 cycles is an operand of an instruction, not a load
    "dram_efficiency": (0.875, "ratio", ("derived", "392 / 448")),
    "dram_bw_read_gbps": (392, "GB/s", ("microbenchmark", "sjfeng1999/gpu-arch-microbenchmark README, 128-bit loads; P's 288 GB/s "
                                        "(value set lemeire) rests on a clock of 1.125 GHz"))}
CORRECTIONS["H100 SXM"] = {"l2_bw_read_gbps": DROP}  # a slower sibling's; the family's share scales with clock and SMs
CORRECTIONS["MI300X"]["l2_bw_read_gbps"] = (15424, "GB/s", ("microbenchmark", "mt4g sampleResults AMD Instinct MI300X VF.json"))
ONE_GCD = ("derived", "one GCD, which is what a kernel runs on: half of the board")
CORRECTIONS["MI250X"] |= {
    "chip": ("Aldebaran (one GCD of two)", "text", ONE_GCD), "sm_count": (110, "count", ONE_GCD),
    "dram_bw_peak_gbps": (1638.4, "GB/s", ONE_GCD), "dram_bus_bits": (4096, "bits", ONE_GCD),
    "dram_size_gb": (64, "GB", ONE_GCD), "l2_size_bytes": (8388608, "B", ONE_GCD),
    "l2_bw_read_gbps": (5000, "GB/s", ("proxy", "MI210: te42kyfo/gpu-benches gpu-l2-cache"))}


def target_of(facts):
    """LLVM's name of the machine; a neighbour where LLVM 19 has none."""
    capability = facts.get("compute_capability")
    if not capability:
        return facts["gfx_target"]
    known = {"1.0": "sm_20", "10.0": "sm_90", "12.0": "sm_90"}
    return known.get(capability, "sm_" + capability.replace(".", ""))
