"""A paper's own numbers beside the data sheet's: named value sets.

lemeire: Lemeire, Cornelis, Konstantinidis (Pipeline model), Tables 4 and 5: lambda (cycles per warp instruction and SM) and
Lambda (latency), laid over the main values; of a load from global memory lambda keeps its printed name (lambda_ld_global_s32).
cgpredict: Wang, Zhong, Mitra (CGPredict, TECS 2017), Table 3 and text, Jetson TK1.
date2019: Wang, Huang, Knoll, Qian (DATE 2019), Table III (clock and counts; its latencies are not printed).
"""

PER_SM = "cycles/warp-inst/SM"
INSTRUCTIONS = ["cos.approx.f32", "mul.f32", "mul.f64", "mul.s32", "div.f32", "div.f64", "div.s32", "bar.sync", "ld.global.s32",
                "ld.local.s32"]
# Printed lambda / Lambda by column of Table 5; None: not printed.
TABLE5 = {
    "Tesla C2050": [(8, 40), (1, 18), (2, 22), (2, 18), (3, 45), (19, 253), (20, 200), (2, 40), (23, 475)],
    "GeForce GTX 650 Ti": [(1, 18), (0.25, 9), (4, 22), (0.5, 5), (0.75, 28.5), (26, 260), (3, 96), (0.75, 24), (7.5, 300)],
    "Quadro K620": [(1, 15), (0.375, 6), (7.5, 42), (0.875, 12.5), (1.125, 20), (47, 376), (7, 105), (4.5, 125), (18, 440)],
    "GeForce GTX 1060 6GB": [(1, 15), (0.25, 6), (8, 43), (0.75, 12), (0.75, 18), (47, 376), (5, 100), (2.25, 70), (12, 345)],
    "GeForce RTX 2070": [(2, 21), (0.5, 4), (19, 45), (0.25, 2), (1.5, 12.5), None, (5, 65), (1.5, 17), (18, 450)],
    "Radeon R9 380": [(5, 24), (1, 5.25), (8, 76), (1, 5.25), (2.25, 14), (155, 740), (24, 192), (7.5, 150), (42, 136)],
}
# Table 4: lambda of ALU and SFU as designed, issue limit.
TABLE4 = {"Tesla C2050": (1, 8, 1), "GeForce GTX 650 Ti": (0.25, 1, 4), "Quadro K620": (0.25, 1, 4),
          "GeForce GTX 1060 6GB": (0.25, 1, 4), "GeForce RTX 2070": (0.5, 2, 2), "Radeon R9 380": (1, 5, 1)}
LD_LOCAL = {"Tesla C2050": (2, 28), "GeForce GTX 650 Ti": (1, 28), "Quadro K620": (1, 28), "GeForce GTX 1060 6GB": (1, 25),
            "GeForce RTX 2070": (2, 32), "Radeon R9 380": (2, 60)}  # last row: shared memory

SCHEDULERS = {"Tesla C2050": 2} | {name: 4 for name in TABLE4 if name != "Tesla C2050"}

CLASSES = {"cos.approx.f32": ["sfu"], "mul.f32": ["fp32_add", "fp32_mul", "fp32_fma"],
           "mul.f64": ["fp64_add", "fp64_mul", "fp64_fma"], "mul.s32": ["int_mul"], "bar.sync": ["barrier"]}
LATENCY_KEYS = {"bar.sync": "barrier_latency_cycles", "ld.global.s32": "dram_latency_cycles", "ld.local.s32": "smem_latency_cycles"}


def lemeire(name):
    paper5 = ("paper", "Lemeire et al., Pipeline model, Table 5")
    limit = TABLE4[name][2]
    facts = {"issue_per_scheduler": (limit / SCHEDULERS[name], "inst/clk", ("derived", "issue limit of Table 4 / schedulers"))}
    rows = TABLE5[name] + [LD_LOCAL[name]]
    for instruction, pair in zip(INSTRUCTIONS, rows):
        if pair is None:
            continue
        cycles, latency = pair
        if instruction == "ld.global.s32":
            facts["lambda_ld_global_s32"] = (cycles, PER_SM, paper5)
        for op in CLASSES.get(instruction, []):
            facts[f"issue_cycles.{op}"] = (cycles, PER_SM, paper5)
            facts[f"latency.{op}"] = (latency, "cycles", paper5)
        if instruction in LATENCY_KEYS:
            facts[LATENCY_KEYS[instruction]] = (latency, "cycles", paper5)
    return facts


def cgpredict():
    table = ("paper", "Wang, Zhong, Mitra (CGPredict, TECS 2017), Table 3 and section 5")
    derived = ("derived", "CGPredict: 164 (L2) + 332 (DRAM on top)")
    rows = {"sm_clock_mhz": (852, "MHz", table), "inst_cycle": (0.5, "cycles", table), "l2_latency_cycles": (164, "cycles", table),
            "dram_extra_latency": (332, "cycles", table), "dram_latency_cycles": (496, "cycles", derived),
            "departure_delay_l2": (2, "cycles", table), "departure_delay_dram": (10, "cycles", table),
            "smem_latency_cycles": (67, "cycles", table), "smem_load_const": (506, "cycles", table),
            "l2_transactions_uncoalesced": (32, "count", table), "l2_transactions_coalesced": (2, "count", table),
            "l2_transactions_constant": (1, "count", table), "dram_bw_peak_gbps": (17, "GB/s", table),
            "l2_line_bytes": (64, "B", table)}
    return rows


def date2019(clock_mhz, sms, cores):
    table = ("paper", "Wang, Huang, Knoll, Qian (DATE 2019), Table III")
    return {"sm_clock_mhz": (clock_mhz, "MHz", table), "sm_count": (sms, "count", table), "cores": (cores, "count", table)}


VALUE_SETS = {name: {"lemeire": lemeire(name)} for name in TABLE5}
VALUE_SETS["Jetson TK1"] = {"cgpredict": cgpredict()}
for _name, _row in {"Quadro K600": (876, 1, 192), "GeForce GTX 645": (824, 3, 384), "Quadro K620": (1058, 3, 384),
                    "GeForce 940M": (1072, 3, 384)}.items():
    VALUE_SETS.setdefault(_name, {})["date2019"] = date2019(*_row)
