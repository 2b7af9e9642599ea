"""How the SM of each family runs operations: units, lanes, which class goes where, and what the facts table lacks.

Each family becomes data/gpus/family-NAME.toml (abstract). Throughputs are results per cycle and SM; a class without one runs
at the lanes of its unit. 'guide' = CUDA C++ Programming Guide, arithmetic throughput table.
"""

GUIDE = ("datasheet", "CUDA C++ Programming Guide, throughput of native arithmetic instructions")
WHITE = ("whitepaper", "vendor's architecture whitepaper: SM diagram")
GUESS = ("assumed", "")

FP16 = ["fp16_add", "fp16_mul", "fp16_fma"]
FP32 = ["fp32_add", "fp32_mul", "fp32_fma"]
FP64 = ["fp64_add", "fp64_mul", "fp64_fma", "fp64_minmax_cmp"]
INT_SIMPLE = ["int_add", "int_logic"]
INT_MUL = ["int_mul", "int_mul_wide", "int_mul_hi"]
CMP = ["int_minmax_cmp", "fp32_minmax_cmp"]
BITS = ["int_bitfield"]
LSU = ["load_global", "store_global", "atomic_global", "load_shared", "store_shared", "atomic_shared", "load_local",
       "store_local", "load_constant", "shuffle"]
CONTROL = ["branch", "barrier", "fence", "nop"]
SCALAR = ["scalar_alu", "scalar_load"]


def ops(names, value):
    return {name: value for name in names}


def nvidia(integer="int", compare="int", mul="fp32", fp16="fp32", fp64="fp64", narrow="int", shift=None, bits=None,
           vote="int", move=None, cvt="sfu", cvt64=None, count="sfu", scalar=None):
    """op -> unit on an NVIDIA SM."""
    table = ops(FP16, fp16) | ops(FP32, "fp32") | ops(FP64, fp64) | ops(INT_SIMPLE, integer) | ops(INT_MUL, mul)
    table |= ops(CMP, compare) | ops(BITS, bits or integer) | ops(LSU, "lsu") | ops(CONTROL, "branch")
    table |= ops(SCALAR, scalar or integer)
    table |= {"sfu": "sfu", "int_shift": shift or integer, "int_bitcount": count, "cvt_narrow": narrow, "cvt_32": cvt,
              "cvt_64": cvt64 or fp64, "move": move or integer, "tensor_mma": "tensor", "vote": vote,
              "load_texture": "texture"}
    return table


def unit(scope, lanes, source=WHITE):
    return (scope, lanes, source)


# Volta and later: 16 fp32 + 16 int lanes per sub-core, multiply-add of integers on the fp32 (FMA) pipe.
VOLTA_LATENCY = {"cvt_32": 14, "cvt_64": 16, "fp16_add": 6, "fp16_mul": 6, "fp16_fma": 6, "int_mul": 5, "int_mul_wide": 5, "int_mul_hi": 8, "fp32_minmax_cmp": 4, "int_minmax_cmp": 4,
                 "int_shift": 4, "int_logic": 4, "int_bitfield": 4, "move": 4, "cvt_narrow": 4, "branch": 8,
                 "int_bitcount": 15, "vote": 12, "shuffle": 24, "fence": 30, "nop": 1, "tensor_mma": 33}
VOLTA_UNITS = {
    "fp32": unit("scheduler", 16), "int": unit("scheduler", 16), "sfu": unit("scheduler", 4),
    "fp64": unit("scheduler", 8), "lsu": unit("sm", 32), "texture": unit("sm", 16, GUESS),
    "branch": unit("scheduler", 16, GUESS), "tensor": unit("scheduler", 2, GUESS),
}
# MMA: one warp-wide 16x8x8 half-precision step = 1024 FMA; Volta's 8 tensor cores give 512 FMA/clk/SM, so 2 cycles an SM.
VOLTA_TPUT = {"int_mul_wide": (32, GUESS), "int_mul_hi": (32, GUESS)}

# Maxwell and Pascal: 32 lanes per sub-core for fp32 and simple integer; a 32-bit multiply is three XMADs on them.
MAXWELL_UNITS = {
    "fp32": unit("scheduler", 32), "int": unit("scheduler", 16, GUIDE), "sfu": unit("scheduler", 8),
    "fp64": unit("sm", 4), "lsu": unit("sm", 32), "texture": unit("sm", 16, GUESS),
    "branch": unit("scheduler", 32, GUESS), "tensor": unit("scheduler", 1, GUESS),
}
MAXWELL_LATENCY = {"int_mul_wide": 18, "int_mul_hi": 18, "fp32_minmax_cmp": 6, "int_minmax_cmp": 6, "int_shift": 6,
                   "int_logic": 6, "int_bitfield": 6, "move": 6, "cvt_narrow": 12, "cvt_32": 12, "cvt_64": 24,
                   "branch": 10, "vote": 12, "shuffle": 28, "fence": 40, "nop": 1, "tensor_mma": 100}
MAXWELL_OPS = nvidia(integer="fp32", compare="int", mul="fp32", narrow="sfu", shift="int", bits="int", vote="int",
                     move="fp32")

KEPLER_UNITS = {
    "fp32": unit("sm", 192), "int": unit("sm", 32, GUIDE), "sfu": unit("sm", 32), "fp64": unit("sm", 8),
    "lsu": unit("sm", 32), "texture": unit("sm", 16, GUESS), "branch": unit("scheduler", 32, GUESS),
    "tensor": unit("sm", 1, GUESS),
}
KEPLER_LATENCY = {"fp16_add": 9, "fp16_mul": 9, "fp16_fma": 9, "int_mul_wide": 9, "int_mul_hi": 9, "fp32_minmax_cmp": 9, "int_minmax_cmp": 9, "move": 9,
                  "cvt_narrow": 9, "cvt_32": 9, "cvt_64": 20, "branch": 16, "vote": 9, "shuffle": 30, "fence": 40,
                  "nop": 1, "tensor_mma": 100}
KEPLER_OPS = nvidia(integer="fp32", compare="fp32", mul="int", narrow="fp32", shift="int", bits="int", vote="fp32",
                    move="fp32", cvt="int", count="int")
KEPLER_TPUT = {"int_mul_wide": (16, GUESS), "int_mul_hi": (32, GUIDE), "int_bitfield": (32, GUIDE),
               "cvt_narrow": (128, GUIDE)}

FERMI_UNITS = {
    "fp32": unit("scheduler", 16), "sfu": unit("sm", 4), "lsu": unit("sm", 16), "texture": unit("sm", 4, GUESS),
    "branch": unit("scheduler", 16, GUESS),
}
G80_UNITS = {
    "fp32": unit("sm", 8), "sfu": unit("sm", 2), "lsu": unit("sm", 8, GUESS), "texture": unit("sm", 4, GUESS),
    "branch": unit("sm", 8, GUESS),
}


def all_on(target, lsu="lsu"):
    return nvidia(integer=target, compare=target, mul=target, fp16=target, fp64=target, narrow=target, vote=target,
                  cvt=target, count=target) | {"tensor_mma": target}


GEFORCE_FP64 = {"fp64": unit("sm", 2)}
AMPERE_SECOND = ops(FP32, "int") | {"move": "fp32"}
VOLTA_OPS = nvidia()
GA10X_TPUT = VOLTA_TPUT | {"move": (128, GUESS)}

# AMD: one vector unit per SIMD, one scalar unit, one vector-memory and one LDS path per CU.
AMD_VECTOR = FP16 + FP32 + FP64 + ["sfu", "int_add", "int_logic", "int_shift"] + INT_MUL + CMP + [
    "int_bitcount", "int_bitfield", "cvt_narrow", "cvt_32", "cvt_64", "move", "vote"]
AMD_OPS = ops(AMD_VECTOR, "valu") | ops(CONTROL, "branch") | ops(SCALAR, "scalar") | {
    "tensor_mma": "tensor", "load_global": "lsu", "store_global": "lsu", "atomic_global": "lsu", "load_local": "lsu",
    "store_local": "lsu", "load_texture": "lsu", "load_shared": "shared", "store_shared": "shared",
    "atomic_shared": "shared", "shuffle": "shared", "load_constant": "scalar"}
AMD_REF = ("paper", "AMD ISA guides (recalled): issue rates of vector instructions")
GCN_UNITS = {
    "valu": unit("scheduler", 16), "scalar": unit("sm", 64, AMD_REF), "lsu": unit("sm", 16, AMD_REF),
    "shared": unit("sm", 32, AMD_REF), "branch": unit("sm", 64, AMD_REF), "tensor": unit("scheduler", 1, GUESS),
}
RDNA_UNITS = {
    "valu": unit("scheduler", 32), "scalar": unit("scheduler", 32, AMD_REF), "lsu": unit("sm", 32, AMD_REF),
    "shared": unit("sm", 32, AMD_REF), "branch": unit("scheduler", 32, AMD_REF), "tensor": unit("scheduler", 1, GUESS),
}


def amd_tput(quarter, fp64, mul_quarter=True, fp16=64, fp64_add=None):
    table = {"sfu": (quarter, AMD_REF), "fp64_fma": (fp64, AMD_REF), "fp64_mul": (fp64, AMD_REF),
             "fp64_add": (fp64_add or fp64, AMD_REF), "fp64_minmax_cmp": (fp64_add or fp64, AMD_REF),
             "cvt_64": (min(quarter, fp64), AMD_REF)}
    if mul_quarter:
        table |= {op: (quarter, AMD_REF) for op in INT_MUL}
    return table


AMD_LATENCY = {"sfu": 16, "int_mul": 16, "int_mul_wide": 16, "int_mul_hi": 16, "fp64_add": 8, "fp64_mul": 16,
               "fp64_fma": 16, "fp64_minmax_cmp": 8, "branch": 16, "fence": 50, "nop": 1, "scalar_alu": 4,
               "cvt_64": 16, "tensor_mma": 32, "vote": 8}

NV_COMMON = {"dual_issue_share": (0, "ratio", GUESS)}

T4_ATOMICS = ("proxy", "T4: Jia et al. 1903.07486 Table 4.2")
TURING_ATOMICS = {"atomic_shared_latency_cycles": (8, "cycles", T4_ATOMICS),
                  "atomic_shared_latency_32way_cycles": (69, "cycles", T4_ATOMICS)}

# name: parent, generation, target, units, op_unit, second, throughput, latency, values {key: (value, unit, (source, ref))}
TUNING = "{} Tuning Guide, unified L1/texture cache"
FAMILIES = {
    "g80": dict(vendor="nvidia", generation="tesla", target="sm_20", units=G80_UNITS, op_unit=all_on("fp32"),
                throughput={"int_mul": (2, ("datasheet", "CUDA Programming Guide 1.x/2.x: 32-bit multiply is 4 times mul24 (recalled)")),
                            "int_mul_wide": (1, GUESS), "int_mul_hi": (2, GUESS), "cvt_64": (2, GUESS)}
                | ops(FP64, (1, GUESS)) | ops(FP16, (2, GUESS)) | {"tensor_mma": (0.1, GUESS)},
                latency={"fp32_fma": 24, "sfu": 36, "branch": 24, "fence": 24, "nop": 1},
                values={"l1_caches_global": (False, "bool", ("datasheet", "no data cache on compute capability 1.x")),
                        "coalesce_lanes": (16, "lanes", ("datasheet", "CUDA Programming Guide 1.x: half-warp")),
                        "smem_lanes_per_pass": (16, "lanes", ("datasheet", "CUDA Programming Guide 1.x: half-warp")),
                        "reg_sub_partitions": (1, "count", ("datasheet", "one register file")),
                        "issue_per_scheduler": (0.5, "inst/clk", ("derived", "scheduler at half the shader clock (gpu_facts: scheduler_clock_ratio)")),
                        "l2_bw_bytes_per_clk_per_sm": (16, "B/clk/SM", GUESS),
                        "const_l1_latency_cycles": (24, "cycles", ("datasheet", "CUDA Programming Guide 1.x: constant hit is as fast as a register (recalled)")),
                        "const_l15_latency_cycles": (120, "cycles", GUESS),
                        "const_l1_size_bytes": (2048, "B", ("paper", "Wong et al., ISPASS 2010 (GT200; recalled)")),
                        "const_l1_line_bytes": (64, "B", ("paper", "Wong et al., ISPASS 2010 (GT200; recalled)")),
                        "const_l15_size_bytes": (8192, "B", ("paper", "Wong et al., ISPASS 2010 (GT200; recalled)")),
                        }),
    "fermi": dict(vendor="nvidia", generation="fermi", target="sm_20", units=FERMI_UNITS, op_unit=all_on("fp32"),
                  throughput={"int_mul_wide": (8, GUESS), "int_mul_hi": (16, GUIDE), "tensor_mma": (0.1, GUESS),
                              "int_bitfield": (16, GUIDE)} | ops(FP16, (8, GUESS)),
                  latency={"fp32_fma": 18, "branch": 26, "fence": 40, "nop": 1, "move": 18, "shuffle": 40, "cvt_64": 22},
                  values={"block_dispatch_ns": (3.18, "ns/block", ("proxy", "RTX 2080 SUPER: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "CUDA C++ Programming Guide, compute capability 2.x")),
                          "issue_per_scheduler": (0.5, "inst/clk", ("whitepaper", "Fermi whitepaper: two schedulers, one instruction each per two shader clocks")),
                          "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("derived", "16 load/store units x 4 B per shader clock")),
                          "l2_bw_bytes_per_clk_per_sm": (16, "B/clk/SM", GUESS),
                          "l2_latency_cycles": (310, "cycles", ("assumed", "between L1 and DRAM; no measurement at hand")),
                          "const_l1_latency_cycles": (30, "cycles", GUESS),
                          "const_l15_latency_cycles": (120, "cycles", GUESS),
                          "const_l1_size_bytes": (2048, "B", GUESS), "const_l1_line_bytes": (64, "B", GUESS),
                          "const_l15_size_bytes": (32768, "B", GUESS)}),
    "kepler": dict(vendor="nvidia", generation="kepler", target="sm_30", units=KEPLER_UNITS, op_unit=KEPLER_OPS,
                   throughput=KEPLER_TPUT | ops(FP16, (32, GUESS)) | {"tensor_mma": (0.1, GUESS)},
                   latency=KEPLER_LATENCY,
                   values={"block_dispatch_ns": (3.18, "ns/block", ("proxy", "RTX 2080 SUPER: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (False, "bool", ("datasheet", "Kepler Tuning Guide: global loads are cached in L2 only; L1 is for local memory")),
                           "dual_issue_share": (0.22, "ratio", ("derived", "clpeak, Tesla K40c: 3495 GFLOP/s = 4.89 warp instructions per clock and SM at 745 MHz, 1.22 per scheduler")),
                           "l1_bw_bytes_per_clk_per_sm": (128, "B/clk/SM", ("derived", "32 load/store units x 4 B")),
                           "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("assumed", "port of 32 B, as on Pascal")),
                           "l2_bw_share_bytes_per_clk_per_sm": (29.8, "B/clk/SM", ("proxy", "K80: Jia et al. 1903.07486 Table 3.1, 339 GB/s L2 load throughput / 13 SM / 875 MHz (recalled)"))}),
    "maxwell": dict(vendor="nvidia", generation="maxwell", target="sm_50", units=MAXWELL_UNITS, op_unit=MAXWELL_OPS,
                    throughput={"int_mul_wide": (25, ("derived", "five XMAD-class instructions on 128 lanes")),
                                "int_mul_hi": (25, ("derived", "five XMAD-class instructions on 128 lanes")),
                                "tensor_mma": (0.1, GUESS)} | ops(FP16, (32, GUESS)),
                    latency=MAXWELL_LATENCY,
                    values={"block_dispatch_ns": (3.18, "ns/block", ("proxy", "RTX 2080 SUPER: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (False, "bool", ("datasheet", "Maxwell Tuning Guide 1.4.2.1: global loads are cached in L2 only unless read-only (LDG) or opted in")),
                            "dual_issue_share": (0.1, "ratio", GUESS),
                            "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("derived", "two texture/L1 halves x 32 B (recalled)")),
                            "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("proxy", "P4 (Pascal): 32 B/clk an SM")),
                           "l2_bw_share_bytes_per_clk_per_sm": (23.7, "B/clk/SM", ("proxy", "M60: Jia et al. 1903.07486 Table 3.1, 446 GB/s L2 load throughput / 16 SM / 1.177 GHz (recalled)"))}),
    "pascal": dict(vendor="nvidia", generation="pascal", target="sm_61", units=MAXWELL_UNITS, op_unit=MAXWELL_OPS,
                   throughput={"int_mul_wide": (25, ("derived", "five XMAD-class instructions on 128 lanes")),
                               "int_mul_hi": (25, ("derived", "five XMAD-class instructions on 128 lanes")),
                               "tensor_mma": (0.1, GUESS)},
                   latency=MAXWELL_LATENCY,
                   values={"block_dispatch_ns": (3.18, "ns/block", ("proxy", "RTX 2080 SUPER: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (False, "bool", ("datasheet", "Pascal Tuning Guide: GP104 follows Maxwell, global loads in L1 by opt-in only (recalled)")),
                           "dual_issue_share": (0.1, "ratio", GUESS),
                           "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("derived", "two texture/L1 halves x 32 B (recalled)")),
                           "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("proxy", "P4: Jia et al. 1903.07486 Table 3.1, 979 GB/s L2 load throughput / 20 SM / 1.531 GHz (recalled)"))}),
    "pascal-gp100": dict(vendor="nvidia", generation="pascal", target="sm_60",
                         units=MAXWELL_UNITS | {"fp64": unit("scheduler", 16), "lsu": unit("sm", 16)},
                         op_unit=MAXWELL_OPS,
                         throughput={"int_mul_wide": (12.5, ("derived", "five XMAD-class instructions on 64 lanes")),
                                     "int_mul_hi": (12.5, ("derived", "five XMAD-class instructions on 64 lanes")),
                                     "tensor_mma": (0.1, GUESS)},
                         latency=MAXWELL_LATENCY,
                         values={"block_dispatch_ns": (3.18, "ns/block", ("proxy", "RTX 2080 SUPER: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "Pascal Tuning Guide: GP100 caches global loads in L1/texture by default (recalled)")),
                                 "dual_issue_share": (0.1, "ratio", GUESS),
                                 "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("derived", "texture/L1 path of 64 B (recalled)")),
                                 "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("proxy", "P4 (Pascal): 32 B/clk an SM")),
                           "l2_bw_share_bytes_per_clk_per_sm": (19.6, "B/clk/SM", ("microbenchmark", "Jia et al. 1903.07486 Table 3.1, 1624 GB/s L2 load throughput / 56 SM / 1.48 GHz (recalled)"))}),
    "volta": dict(vendor="nvidia", generation="volta", target="sm_70", units=VOLTA_UNITS, op_unit=VOLTA_OPS,
                  second={"move": "fp32"}, throughput=VOLTA_TPUT | {"move": (128, GUESS)}, latency=VOLTA_LATENCY,
                  values={"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "Volta Tuning Guide: L1 caches global loads")),
                          "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "SM to L2 port of 64 B (recalled)")),
                          "l2_bw_share_bytes_per_clk_per_sm": (19.5, "B/clk/SM", ("microbenchmark", "Jia et al. 1903.07486 Table 3.1, 2155 GB/s L2 load throughput / 80 SM / 1.38 GHz (recalled)")),
                          }),
    "turing": dict(vendor="nvidia", generation="turing", target="sm_75",
                   units=VOLTA_UNITS | GEFORCE_FP64 | {"lsu": unit("sm", 16), "fp16": unit("scheduler", 16)},
                   op_unit=nvidia(fp16="fp16"), second={"move": "fp32"},
                   throughput=VOLTA_TPUT | {"move": (128, GUESS)}, latency=VOLTA_LATENCY,
                   values={"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (26, "cycles", ("proxy", "T4: Jia et al. 1903.07486 Table 3.1")),
                           "l1_caches_global": (True, "bool", ("datasheet", "Turing Tuning Guide: unified L1 caches global loads")),
                           "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("paper", "Jia et al. 1903.07486: T4 L1 64 B per cycle")),
                           "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "SM to L2 port of 64 B (A100 whitepaper; applied to the family)")),
                           "l2_bw_share_bytes_per_clk_per_sm": (20, "B/clk/SM", ("proxy", "T4: Jia et al. 1903.07486 Table 3.1, 1270 GB/s L2 load throughput / 40 SM / 1.59 GHz (recalled)"))}),
    "ampere-ga100": dict(vendor="nvidia", generation="ampere", target="sm_80", units=VOLTA_UNITS | {"fp16": unit("scheduler", 32)},
                         op_unit=nvidia(fp16="fp16"), second={"move": "fp32"},
                         throughput=VOLTA_TPUT | {"move": (128, GUESS)}, latency=VOLTA_LATENCY,
                         values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("derived", "gpu-benches gpu-strides: A100 and H200 need 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "NVIDIA Ampere Tuning Guide: unified L1 caches global loads")),
                                 "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "A100 whitepaper: L2 read 5120 B/clk, 64 B/clk per SM"))}),
    "ampere-ga10x": dict(vendor="nvidia", generation="ampere", target="sm_86",
                         units=VOLTA_UNITS | GEFORCE_FP64 | {"lsu": unit("sm", 16), "fp16": unit("scheduler", 16)},
                         op_unit=nvidia(fp16="fp16"), second=AMPERE_SECOND, throughput=GA10X_TPUT, latency=VOLTA_LATENCY,
                         values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "l1_caches_global": (True, "bool", ("datasheet", "NVIDIA Ampere Tuning Guide: unified L1 caches global loads")),
                                 "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "SM to L2 port of 64 B (A100 whitepaper; applied to the family)")),
                           "l2_bw_share_bytes_per_clk_per_sm": (20, "B/clk/SM", ("proxy", "T4 (Turing) 20 B/clk an SM"))}),
    "ada": dict(vendor="nvidia", generation="ada", target="sm_89",
                units=VOLTA_UNITS | GEFORCE_FP64 | {"lsu": unit("sm", 16), "fp16": unit("scheduler", 16)},
                op_unit=nvidia(fp16="fp16"), second=AMPERE_SECOND, throughput=GA10X_TPUT, latency=VOLTA_LATENCY,
                values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "NVIDIA Ada Tuning Guide: unified L1 caches global loads")),
                        "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "SM to L2 port of 64 B (A100 whitepaper; applied to the family)")),
                           "l2_bw_share_bytes_per_clk_per_sm": (14.7, "B/clk/SM", ("proxy", "L40: gpu-benches gpu-l2-cache 5200 GB/s / 142 SM / 2.49 GHz"))}),
    "hopper": dict(vendor="nvidia", generation="hopper", target="sm_90",
                   units=VOLTA_UNITS | {"fp32": unit("scheduler", 32), "fp64": unit("scheduler", 16)},
                   op_unit=nvidia(fp16="fp32"), second={"move": "fp32"},
                   throughput=VOLTA_TPUT | {"move": (128, GUESS), "int_mul": (64, GUIDE)}, latency=VOLTA_LATENCY,
                   values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("derived", "gpu-benches gpu-strides: A100 and H200 need 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("datasheet", "NVIDIA Hopper Tuning Guide: unified L1 caches global loads")),
                           "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("proxy", "A100 whitepaper: 64 B/clk per SM")),
                           "l2_bw_share_bytes_per_clk_per_sm": (35, "B/clk/SM", ("proxy", "H100 PCIe: gpu-benches gpu-l2-cache 7000 GB/s / 114 SM / 1.755 GHz"))}),
    "blackwell-gb20x": dict(vendor="nvidia", generation="blackwell", target="sm_90",
                            units=VOLTA_UNITS | GEFORCE_FP64 | {"lsu": unit("sm", 16), "fp16": unit("scheduler", 16)},
                            op_unit=nvidia(fp16="fp16"), second=AMPERE_SECOND | {"int_add": "fp32", "int_logic": "fp32"},
                            throughput=GA10X_TPUT | {"int_add": (128, WHITE), "int_logic": (128, WHITE)},
                            latency=VOLTA_LATENCY,
                            values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("proxy", "NVIDIA Ada Tuning Guide")),
                                    "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "SM to L2 port of 64 B (A100 whitepaper; applied to the family)")),
                           "l2_bw_share_bytes_per_clk_per_sm": (14.7, "B/clk/SM", ("proxy", "L40 (Ada): gpu-benches gpu-l2-cache"))}),
    "blackwell-gb100": dict(vendor="nvidia", generation="blackwell", target="sm_90",
                            units=VOLTA_UNITS | {"fp32": unit("scheduler", 32), "fp64": unit("scheduler", 16)},
                            op_unit=nvidia(fp16="fp32"), second={"move": "fp32"},
                            throughput=VOLTA_TPUT | {"move": (128, GUESS), "int_mul": (64, GUIDE)},
                            latency=VOLTA_LATENCY,
                            values=TURING_ATOMICS | {"l1_tag_lookups_per_clk": (4, "lines/clk/SM", ("proxy", "A100 and H200: gpu-benches gpu-strides, 1 + 0.26 cycles per further line")),
                           "const_l1_latency_cycles": (20.7, "cycles", ("proxy", "H100: mt4g")), "const_l15_latency_cycles": (104.9, "cycles", ("proxy", "H100: mt4g")),
                           "block_dispatch_ns": (1.22, "ns/block", ("proxy", "RTX 3090: arabel1a/gpu-micro-bench block dispatch table")),
                           "l1_caches_global": (True, "bool", ("proxy", "NVIDIA Hopper Tuning Guide")),
                                    "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("proxy", "A100 whitepaper: 64 B/clk per SM")),
                           "l2_bw_share_bytes_per_clk_per_sm": (35, "B/clk/SM", ("proxy", "H100 PCIe: gpu-benches gpu-l2-cache 7000 GB/s / 114 SM / 1.755 GHz"))}),
    "gcn": dict(vendor="amd", generation="gcn", target="gfx803", units=GCN_UNITS, op_unit=AMD_OPS,
                throughput=amd_tput(16, 4) | ops(FP16, (64, GUESS)), latency=AMD_LATENCY | {"fp64_fma": 16},
                values={"l1_caches_global": (True, "bool", ("datasheet", "GCN: vector L1 caches loads")),
                        "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "GCN whitepaper: 64 B per clock")),
                        "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "GCN whitepaper: 64 B per clock and L2 channel")),
                        "l2_bw_bytes_per_clk": (512, "B/clk/GPU", ("assumed", "8 channels x 64 B")),
                        "l1_latency_cycles": (120, "cycles", ("proxy", "MI100/MI210 in gpu_facts: 125-136")),
                        "l2_latency_cycles": (200, "cycles", ("assumed", "")),
                        "scalar_l1_latency_cycles": (50, "cycles", ("proxy", "MI210: mt4g"))}),
    "cdna": dict(vendor="amd", generation="cdna", target="gfx908", units=GCN_UNITS, op_unit=AMD_OPS,
                 throughput=amd_tput(16, 32) | ops(FP16, (64, AMD_REF)), latency=AMD_LATENCY,
                 values={"l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "CDNA whitepaper: 64 B per clock and CU")),
                         "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "CDNA whitepaper: 64 B per clock and CU")),
                         "l1_caches_global": (True, "bool", ("whitepaper", "CDNA whitepaper"))}),
    "cdna2": dict(vendor="amd", generation="cdna2", target="gfx90a", units=GCN_UNITS, op_unit=AMD_OPS,
                  throughput=amd_tput(16, 64) | ops(FP16, (64, AMD_REF)), latency=AMD_LATENCY,
                  values={"l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "CDNA2 whitepaper: 64 B per clock and CU")),
                          "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "CDNA2 whitepaper: 64 B per clock and CU")),
                          "l1_caches_global": (True, "bool", ("whitepaper", "CDNA2 whitepaper"))}),
    "cdna3": dict(vendor="amd", generation="cdna3", target="gfx942", units=GCN_UNITS, op_unit=AMD_OPS,
                  throughput=amd_tput(16, 64) | ops(FP16, (64, AMD_REF)), latency=AMD_LATENCY,
                  values={"l1_bw_bytes_per_clk_per_sm": (128, "B/clk/SM", ("whitepaper", "CDNA3 whitepaper: 128 B line per clock and CU (recalled)")),
                          "l2_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "CDNA3 whitepaper: L2 128 B per clock and channel, 16 channels an XCD (recalled)")),
                          "l1_caches_global": (True, "bool", ("whitepaper", "CDNA3 whitepaper"))}),
    "rdna2": dict(vendor="amd", generation="rdna2", target="gfx1030", units=RDNA_UNITS, op_unit=AMD_OPS,
                  throughput=amd_tput(16, 4) | ops(FP16, (64, AMD_REF)), latency=AMD_LATENCY | {"vote": 5},
                  values={"dram_latency_cycles": (600, "cycles", ("assumed", "about 270 ns; the table's 1470 was measured with memory not clocked up")),
                           "l1_caches_global": (True, "bool", ("whitepaper", "RDNA whitepaper: L0 of a CU")),
                          "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "RDNA whitepaper: L0 128 B per clock and WGP, half a CU (recalled)")),
                          "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("assumed", "shared through the shader array's L1")),
                          "scalar_l1_latency_cycles": (50, "cycles", ("proxy", "MI210: mt4g"))}),
    "rdna3": dict(vendor="amd", generation="rdna3", target="gfx1100", units=RDNA_UNITS, op_unit=AMD_OPS,
                  throughput=amd_tput(16, 4) | ops(FP16, (64, AMD_REF)), latency=AMD_LATENCY | {"vote": 5},
                  values={"l1_caches_global": (True, "bool", ("whitepaper", "RDNA whitepaper: L0 of a CU")),
                          "l1_bw_bytes_per_clk_per_sm": (64, "B/clk/SM", ("whitepaper", "RDNA whitepaper: L0 128 B per clock and WGP, half a CU (recalled)")),
                          "l2_bw_bytes_per_clk_per_sm": (32, "B/clk/SM", ("assumed", "shared through the shader array's L1")),
                          "dram_latency_cycles": (600, "cycles", ("assumed", "as RDNA2")),
                          "scalar_l1_latency_cycles": (50, "cycles", ("proxy", "MI210: mt4g"))}),
}


def family_of(facts):
    """Family of a GPU of the facts table by compute capability or gfx target."""
    capability = facts.get("compute_capability")
    if capability:
        return {"1.0": "g80", "2.0": "fermi", "3.0": "kepler", "3.2": "kepler", "3.5": "kepler", "5.0": "maxwell",
                "5.2": "maxwell", "6.0": "pascal-gp100", "6.1": "pascal", "7.0": "volta", "7.5": "turing",
                "8.0": "ampere-ga100", "8.6": "ampere-ga10x", "8.9": "ada", "9.0": "hopper", "10.0": "blackwell-gb100",
                "12.0": "blackwell-gb20x"}[capability]
    return {"gfx802": "gcn", "gfx908": "cdna", "gfx90a": "cdna2", "gfx942": "cdna3", "gfx1030": "rdna2",
            "gfx1032": "rdna2", "gfx1100": "rdna3"}[facts["gfx_target"]]
