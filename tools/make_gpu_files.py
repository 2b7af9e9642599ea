#!/usr/bin/env python3
"""Makes the first GPU files from the facts table: tools/make_gpu_files.py FACTS.csv data/gpus

The files are the truth from then on: this tool is for a new table or a new family, and overwrites what it made.
Per family one abstract file (how an SM runs operations, plus what all its GPUs in the table share); per GPU of the
table one file; siblings without rows by `extends`.
"""

import csv
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from gpu_tables import families, names, provenance, siblings, toml_writer, value_sets  # noqa: E402

# Keys that go over as they are; the order is the order in the files.
PLAIN = """architecture chip compute_capability sm_count warp_size warp_schedulers_per_sm issue_per_scheduler
dual_issue_share sm_clock_mhz sm_clock_base_mhz sm_clock_boost_mhz fp32_lanes_per_sm fp64_lanes_per_sm
max_threads_per_block max_threads_per_sm max_warps_per_sm max_blocks_per_sm regs_per_sm max_regs_per_thread
reg_alloc_unit reg_alloc_granularity warp_alloc_granularity reg_sub_partitions vgprs_per_simd_lane smem_per_sm_bytes
smem_per_block_max_bytes smem_per_block_default_bytes smem_alloc_unit_bytes smem_reserved_per_block_bytes
smem_carveouts_kib smem_banks smem_bank_width_bytes smem_lanes_per_pass coalesce_segment_bytes coalesce_lanes
l1_caches_global l1_caches_read_only l1_size_bytes l1_smem_unified_bytes l1_line_bytes l1_sector_bytes l1_tag_lookups_per_clk l1_assoc l2_size_bytes l2_line_bytes
l2_sector_bytes l2_assoc l2_slices l3_size_bytes gl1_size_bytes ro_cache_size_bytes const_mem_bytes const_l1_size_bytes
const_l1_line_bytes const_l15_size_bytes scalar_cache_bytes l1_latency_cycles l2_latency_cycles l2_latency_far_cycles
l3_latency_cycles dram_latency_cycles smem_latency_cycles const_l1_latency_cycles const_l15_latency_cycles
tex_latency_cycles scalar_l1_latency_cycles barrier_latency_cycles atomic_shared_latency_cycles
atomic_shared_latency_32way_cycles atomic_global_same_addr_per_clk l1_bw_bytes_per_clk_per_sm
smem_bw_bytes_per_clk_per_sm l2_bw_bytes_per_clk l2_bw_bytes_per_clk_per_sm l2_bw_share_bytes_per_clk_per_sm l2_bw_read_gbps
l2_bw_theoretical_bytes_per_clk l3_bw_read_gbps dram_bw_peak_gbps dram_bw_read_gbps dram_bw_write_gbps
dram_bw_copy_gbps dram_bw_triad_gbps dram_efficiency dram_efficiency_triad dram_bus_bits dram_clock_mhz dram_size_gb dram_type
pcie_h2d_pinned_gbps pcie_d2h_pinned_gbps launch_latency_us launch_queued_us kernel_min_time_us
block_dispatch_ns""".split()
TEXT = {"architecture", "chip", "reg_alloc_granularity", "dram_type"}
UNITS = {"compute_capability": "version", "max_regs_per_thread": "regs", "reg_alloc_unit": "regs",
         "vgprs_per_simd_lane": "regs", "max_warps_per_sm": "warps", "smem_bw_bytes_per_clk_per_sm": "B/clk/SM"}

# Column of the facts table -> operation classes that it speaks for.
THROUGHPUT = {"tput_fp32_add": ["fp32_add"], "tput_fp32_mul": ["fp32_mul"], "tput_fp32_fma": ["fp32_fma"],
              "tput_fp64_add": ["fp64_add", "fp64_minmax_cmp"], "tput_fp64_mul": ["fp64_mul"],
              "tput_fp64_fma": ["fp64_fma"], "tput_int32_add": ["int_add"], "tput_int32_logic": ["int_logic"],
              "tput_int32_shift": ["int_shift"], "tput_int32_mad": ["int_mul"],
              "tput_int32_cmp_minmax": ["int_minmax_cmp", "fp32_minmax_cmp"], "tput_popc_clz": ["int_bitcount"],
              "tput_sfu_rcp_rsqrt_sin_cos_ex2_lg2": ["sfu"], "tput_shfl": ["shuffle"], "tput_cvt_32": ["cvt_32"],
              "tput_cvt_64": ["cvt_64"], "tput_cvt_8_16_to_32": ["cvt_narrow"], "tput_syncthreads": ["barrier"],
              "tput_fp16_fma": ["fp16_add", "fp16_mul", "fp16_fma"]}
LATENCY = {"lat_fp32_add": ["fp32_add"], "lat_fp32_mul": ["fp32_mul"], "lat_fp32_fma": ["fp32_fma"],
           "lat_fp64_add": ["fp64_add", "fp64_minmax_cmp"], "lat_fp64_mul": ["fp64_mul"], "lat_fp64_fma": ["fp64_fma"],
           "lat_int32_add": ["int_add"], "lat_int32_logic": ["int_logic"], "lat_int32_shift": ["int_shift"],
           "lat_int32_mul": ["int_mul"], "lat_int32_mulhi": ["int_mul_hi"], "lat_bfe": ["int_bitfield"],
           "lat_int32_cmp_minmax": ["int_minmax_cmp", "fp32_minmax_cmp"], "lat_popc": ["int_bitcount"],
           "lat_fp32_sincos_approx": ["sfu"], "lat_mufu": ["sfu"], "lat_cvt_f32_i32": ["cvt_32"],
           "lat_shfl": ["shuffle"], "lat_vote": ["vote"], "lat_fp16_fma": ["fp16_add", "fp16_mul", "fp16_fma"]}

DATASHEET = re.compile(r"TechPowerUp|Programming Guide|occupancy|LLVM|ROCm|AMD ISA|data.?sheet|NVIDIA GK110 whitepaper", re.I)
WHITEPAPER = re.compile(r"whitepaper", re.I)
PAPER = re.compile(r"\b[PHCWX] \(|Jia|Arafa|Luo|Abdelkhalik|Lemeire|optimisation webinar")


def source_class(text):
    """(source, ref) of a GPU file from the table's free text."""
    for prefix, source in (("proxy:", "proxy"), ("derived", "derived"), ("sim:", "assumed")):
        if text.startswith(prefix):
            return source, text
    if WHITEPAPER.search(text):
        return "whitepaper", text
    if DATASHEET.search(text):
        return "datasheet", text
    return ("paper" if PAPER.search(text) else "microbenchmark"), text


def read_facts(path):
    gpus = {}
    with open(path, encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            gpus.setdefault(row["gpu"], {})[row["key"]] = (row["value"], row["unit"], row["source"])
    return gpus


def convert(name, rows):
    """Facts of one GPU in the schema's keys."""
    facts = {}
    vendor_amd = "gfx_target" in rows
    for key in PLAIN:
        if key not in rows:
            continue
        value, unit, source = rows[key]
        if key == "smem_carveouts_kib":
            value = [float(item) for item in value.split()]
        elif key not in TEXT:
            value = float(value)
        facts[key] = (value, UNITS.get(key, unit if key not in TEXT else "text"), source_class(source))
    for table, family in ((THROUGHPUT, "throughput"), (LATENCY, "latency")):
        for key, classes in table.items():
            # AMD's fp32 rate counts packed and dual-issued pairs; one instruction is what the lanes of the unit give.
            if key not in rows or (vendor_amd and key in ("tput_fp32_fma", "tput_int32_mad", "tput_int32_mul")):
                continue
            value, _, source = rows[key]
            value, (kind, ref) = float(value), source_class(source)
            if key == "tput_fp16_fma":
                value, ref = value / 2, ref + "; half of it: packed pairs"
            for op in classes:
                unit = "results/clk/SM" if family == "throughput" else "cycles"
                facts[f"{family}.{op}"] = (value, unit, (kind, ref))
    if "ldst_units_per_sm" in rows:
        value, _, source = rows["ldst_units_per_sm"]
        facts["unit.lsu.lanes"] = (float(value), "lanes", source_class(source))
    set_sfu_latency(rows, facts)
    set_clock(name, rows, facts)
    facts.update(names.CORRECTIONS.get(name, {}))
    return {key: fact for key, fact in facts.items() if fact is not names.DROP}


def set_sfu_latency(rows, facts):
    """The table's sine is below the pipeline's depth on some parts (it overlapped): then the sibling that was measured alone."""
    if "lat_mufu" not in rows and "compute_capability" in rows and float(rows["compute_capability"][0]) >= 7 \
            and facts["latency.sfu"][0] < 14:
        facts["latency.sfu"] = (14, "cycles", ("proxy", "measured on V100 PCIe (lat_mufu of the facts table)"))


def set_clock(name, rows, facts):
    """Typical sustained clock: as measured where somebody did, else boost."""
    if name in names.CLOCKS:
        facts["sm_clock_mhz"] = names.CLOCKS[name]
    elif "sm_clock_measured_mhz" in rows:
        value, _, source = rows["sm_clock_measured_mhz"]
        facts["sm_clock_mhz"] = (float(value), "MHz", ("microbenchmark", source))
    else:
        facts["sm_clock_mhz"] = (facts["sm_clock_boost_mhz"][0], "MHz",
                                 ("datasheet", "boost clock; " + facts["sm_clock_boost_mhz"][2][1]))


def family_facts(family):
    facts = {}
    white = ("whitepaper", "SM diagrams of the vendor's whitepapers and profiler documentation: pipes of an SM")
    for key, (value, unit, source) in family["values"].items():
        facts[key] = (value, unit, source)
    for unit_name, (scope, lanes, source) in family["units"].items():
        facts[f"unit.{unit_name}.scope"] = (scope, "text", white)
        facts[f"unit.{unit_name}.lanes"] = (lanes, "lanes", source)
    for op, target in family["op_unit"].items():
        facts[f"op_unit.{op}"] = (target, "unit", white)
    for op, target in family.get("second", {}).items():
        facts[f"op_second_unit.{op}"] = (target, "unit", white)
    for op, (value, source) in family["throughput"].items():
        facts[f"throughput.{op}"] = (value, "results/clk/SM", source)
    for op, value in family["latency"].items():
        facts[f"latency.{op}"] = (value, "cycles", ("assumed", "typical of the family"))
    absent = ("derived", "not emitted for this vendor")
    facts["latency.nop"] = (1, "cycles", ("derived", "no result"))
    if family["vendor"] == "nvidia":
        facts["latency.scalar_alu"] = (facts.get("latency.int_add", (4,))[0], "cycles", absent)
    else:
        full_rate = ("derived", "cadence of a full-rate vector instruction: 4 cycles on SIMD16, 5 on RDNA (vendor's ISA guides, recalled)")
        cycles = 5 if family["generation"].startswith("rdna") else 4
        for op in families.AMD_VECTOR:
            if op not in family["latency"]:
                facts[f"latency.{op}"] = (cycles, "cycles", full_rate)
    return facts


def hoist(members):
    """Takes what all members share out of them and returns it."""
    if len(members) < 2:
        return {}
    first = members[0]
    shared = {key: fact for key, fact in first.items()
              if key not in names.NEVER_SHARED and all(other.get(key) == fact for other in members[1:])}
    for member in members:
        for key in shared:
            del member[key]
    return shared


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def write_families(out, by_family):
    for family_name, family in families.FAMILIES.items():
        facts = family_facts(family)
        own_values = dict(family["values"])
        for key, fact in hoist(by_family.get(family_name, [])).items():
            if key not in own_values:
                facts[key] = fact
        toml_writer.write_file(
            out / f"family-{family_name}.toml", f"SM of the {family_name} family: what its GPUs share.",
            {"abstract": True, "vendor": family["vendor"], "generation": family["generation"], "target": family["target"],
             "prefixes": names.PREFIXES[family["vendor"]]}, facts, {}, PLAIN)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: make_gpu_files.py FACTS.csv OUTPUT_FOLDER")
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    gpus = read_facts(sys.argv[1])
    converted, family_name, by_family = {}, {}, {}
    for name, rows in gpus.items():
        converted[name] = convert(name, rows)
        flat = {key: value[0] for key, value in rows.items()}
        family_name[name] = families.family_of(flat)
        for key, fact in families.FAMILIES[family_name[name]]["values"].items():
            if key in names.FAMILY_WINS | names.FAMILY_WINS_IN.get(family_name[name], set()):
                converted[name].pop(key, None)
        by_family.setdefault(family_name[name], []).append(converted[name])
    complete = {slug(names.NAMES.get(name, {}).get("name", name)): {**families.FAMILIES[family_name[name]]["values"], **facts}
                for name, facts in converted.items()}
    write_families(out, by_family)
    for name, facts in converted.items():
        given = names.NAMES.get(name, {})
        identity = {"name": given.get("name", name), "extends": "family-" + family_name[name],
                    "target": names.target_of({key: value[0] for key, value in gpus[name].items()}),
                    "aliases": given.get("aliases", []), "default_for": given.get("default_for", [])}
        toml_writer.write_file(out / f"{slug(identity['name'])}.toml", "From the project's table of GPU facts.", identity, facts,
                               value_sets.VALUE_SETS.get(name, {}), PLAIN)
    for sibling in siblings.siblings(complete):
        toml_writer.write_file(out / f"{slug(sibling['identity']['name'])}.toml", "Sibling of a GPU that was measured.",
                               sibling["identity"], sibling["facts"], {}, PLAIN)
    for line in provenance.write(out):
        print(line)


if __name__ == "__main__":
    main()
