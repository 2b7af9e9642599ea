"""GPUs with measured kernels or of today that have no rows in the facts table: each extends its nearest relative.

Counts and clocks are the vendor's data sheets; what is not said here is the relative's.
"""

COUNTS = [("sm_count", "count"), ("sm_clock_base_mhz", "MHz"), ("sm_clock_boost_mhz", "MHz"), ("sm_clock_mhz", "MHz"),
          ("dram_bw_peak_gbps", "GB/s"), ("dram_bus_bits", "bits"), ("dram_size_gb", "GB"), ("l2_size_bytes", "B")]
MIB = 1024 * 1024

# name, relative's file, chip, [SMs, base, boost, used clock, peak GB/s, bus, GB, L2 MiB], aliases, default_for, more
ROWS = [
    ("GeForce GTX 680", "geforce-gtx-660-ti", "GK104", [8, 1006, 1058, 1058, 192.3, 256, 2, 0.5], [], [], {}),
    ("GeForce GTX 660", "geforce-gtx-660-ti", "GK106", [5, 980, 1033, 1033, 144.2, 192, 2, 0.375], [], [], {}),
    ("GeForce GTX TITAN", "tesla-k20", "GK110", [14, 837, 876, 876, 288.4, 384, 6, 1.5], ["GTX Titan", "Titan"], [], {}),
    ("GeForce GTX TITAN Black", "tesla-k40", "GK110B", [15, 889, 980, 980, 336.0, 384, 6, 1.5], ["Titan Black"], [], {}),
    ("GeForce GTX 780 Ti", "tesla-k40", "GK110B", [15, 876, 928, 928, 336.4, 384, 3, 1.5], [], [], {"fp64": 8}),
    ("Tesla K80", "tesla-k40", "GK210 (one of two)", [13, 562, 824, 824, 240.6, 384, 12, 1.5], [], [],
     {"regs_per_sm": (131072, "32-bit regs"), "smem_per_sm_bytes": (114688, "B")}),
    ("GeForce GTX 960", "geforce-gtx-980", "GM206", [8, 1127, 1178, 1178, 112.2, 128, 2, 1], [], [], {}),
    ("GeForce GTX 970", "geforce-gtx-980", "GM204", [13, 1050, 1178, 1178, 224.4, 256, 4, 1.75], [], [], {}),
    ("GeForce GTX 980 Ti", "geforce-gtx-titan-x", "GM200", [22, 1000, 1075, 1075, 336.6, 384, 6, 3], [], [], {}),
    ("GeForce GTX 1060 3GB", "geforce-gtx-1060-6gb", "GP106", [9, 1506, 1708, 1708, 192.2, 192, 3, 1.5], [], [], {}),
    ("GeForce GTX 1070", "geforce-gtx-1080-ti", "GP104", [15, 1506, 1683, 1683, 256.3, 256, 8, 2], [], [], {}),
    ("GeForce GTX 1080", "geforce-gtx-1080-ti", "GP104", [20, 1607, 1733, 1733, 320.3, 256, 8, 2], [], [], {}),
    ("TITAN Xp", "geforce-gtx-1080-ti", "GP102", [30, 1405, 1582, 1582, 547.6, 384, 12, 3], [], [], {}),
    ("Tesla P40", "geforce-gtx-1080-ti", "GP102", [30, 1303, 1531, 1531, 347.1, 384, 24, 3], [], [], {}),
    ("Tesla P4", "geforce-gtx-1080-ti", "GP104", [20, 886, 1114, 1114, 192.3, 256, 8, 2], [], [], {}),
    ("Quadro GV100", "tesla-v100-sxm2", "GV100", [80, 1132, 1627, 1627, 868.4, 4096, 32, 6], ["QV100"], [], {}),
    ("GeForce GTX 1650", "geforce-rtx-2080-ti", "TU117", [14, 1485, 1665, 1665, 128.1, 128, 4, 1], [], [], {}),
    ("GeForce GTX 1660 Ti", "geforce-rtx-2080-ti", "TU116", [24, 1500, 1770, 1770, 288.0, 192, 6, 1.5], [], [], {}),
    ("GeForce RTX 2060", "geforce-rtx-2080-ti", "TU106", [30, 1365, 1680, 1680, 336.0, 192, 6, 3], [], [], {}),
    ("GeForce RTX 2070 SUPER", "geforce-rtx-2080-ti", "TU104", [40, 1605, 1770, 1770, 448.0, 256, 8, 4], [], [], {}),
    ("GeForce RTX 2080", "geforce-rtx-2080-ti", "TU104", [46, 1515, 1710, 1710, 448.0, 256, 8, 4], [], [], {}),
    ("GeForce RTX 2080 SUPER", "geforce-rtx-2080-ti", "TU104", [48, 1650, 1815, 1815, 495.9, 256, 8, 4], [], [], {}),
    ("GeForce RTX 3060", "geforce-rtx-3070", "GA106", [28, 1320, 1777, 1777, 360.0, 192, 12, 3], [], [], {}),
    ("GeForce RTX 3080", "geforce-rtx-3090", "GA102", [68, 1440, 1710, 1710, 760.3, 320, 10, 5], ["RTX 3080 10GB"], ["3080"], {}),
    ("A40", "rtx-a6000", "GA102", [84, 1305, 1740, 1740, 695.8, 384, 48, 6], [], [], {}),
    ("A10", "geforce-rtx-3090", "GA102", [72, 885, 1695, 1695, 600.2, 384, 24, 6], [], [], {}),
    ("GeForce RTX 4070", "geforce-rtx-4090", "AD104", [46, 1920, 2475, 2475, 504.2, 192, 12, 36], [], ["4070"], {}),
    ("GeForce RTX 4080", "geforce-rtx-4090", "AD103", [76, 2205, 2505, 2505, 716.8, 256, 16, 64], [], ["4080"], {}),
    ("L20", "l40s", "AD102", [92, 1440, 2520, 2520, 864.0, 384, 48, 96], [], [], {}),
    ("L40", "l40s", "AD102", [142, 735, 2490, 2490, 864.0, 384, 48, 96], [], [], {}),
    ("GH200", "h200-sxm", "GH100", [132, 1500, 1980, 1980, 4022.8, 6144, 96, 60], ["GH200 96GB"], [], {}),
    ("Radeon HD 7970", "radeon-r9-380", "Tahiti", [32, 925, 925, 925, 264.0, 384, 3, 0.75], ["Tahiti"], [], {"target": "gfx600", "fp64": 16}),
    ("Radeon R9 290X", "radeon-r9-380", "Hawaii", [44, 1000, 1000, 1000, 320.0, 512, 4, 1], ["Hawaii"], [], {"target": "gfx701", "fp64": 8}),
    ("Radeon R9 Fury X", "radeon-r9-380", "Fiji", [64, 1050, 1050, 1050, 512.0, 4096, 4, 2], ["Fiji"], [], {"target": "gfx803"}),
    ("Radeon RX 480", "radeon-r9-380", "Polaris 10", [36, 1120, 1266, 1266, 256.0, 256, 8, 2], ["Polaris", "Ellesmere"], [], {"target": "gfx803"}),
    ("Radeon RX 570", "radeon-r9-380", "Polaris 20", [32, 1168, 1244, 1244, 224.0, 256, 4, 2], [], [], {"target": "gfx803"}),
    ("Radeon RX 6900 XT", "radeon-rx-6800-xt", "Navi 21", [80, 1825, 2250, 2250, 512.0, 256, 16, 4], [], [], {}),
    ("Instinct MI250", "instinct-mi250x", "Aldebaran (one GCD of two)", [104, 1000, 1700, 1700, 1638.4, 4096, 64, 8], [], [], {}),
]

# The relative's measured bandwidths are not the sibling's: only efficiency carries over.
MEASURED = ["dram_bw_read_gbps", "dram_bw_write_gbps", "dram_bw_copy_gbps", "dram_bw_triad_gbps", "l2_bw_read_gbps",
            "l2_bw_bytes_per_clk"]


def scaled(key, relative, counts, base):
    """A relative's measured bandwidth brought to the sibling: DRAM by peak, L2 by multiprocessors (and clock)."""
    value, unit, _ = relative[key]
    if key.startswith("dram"):
        factor, how = counts["dram_bw_peak_gbps"] / relative["dram_bw_peak_gbps"][0], "peak bandwidth"
    else:
        factor, how = counts["sm_count"] / relative["sm_count"][0], "multiprocessors"
        if unit == "GB/s":
            factor, how = factor * counts["sm_clock_mhz"] / relative["sm_clock_mhz"][0], "multiprocessors and clock"
    return (round(value * factor, 1), unit, ("proxy", f"{base}, scaled by {how}"))


def siblings(relatives):
    """`relatives`: facts by file name, own and shared."""
    made = []
    for name, base, chip, numbers, aliases, default_for, more in ROWS:
        sheet = ("datasheet", f"vendor's data sheet of the {name} (recalled)")
        counts = dict(zip([key for key, _ in COUNTS], numbers[:7] + [numbers[7] * MIB]))
        facts = {"chip": (chip, "text", sheet)}
        facts |= {key: (counts[key], unit, sheet) for key, unit in COUNTS}
        facts["sm_clock_mhz"] = (counts["sm_clock_mhz"], "MHz", ("datasheet", "boost clock; " + sheet[1]))
        facts |= {key: scaled(key, relatives[base], counts, base) for key in MEASURED if key in relatives[base]}
        if "fp64" in more:
            facts |= {f"throughput.{op}": (more["fp64"], "results/clk/SM", sheet)
                      for op in ("fp64_add", "fp64_mul", "fp64_fma", "fp64_minmax_cmp")}
        facts |= {key: (*value, sheet) for key, value in more.items() if isinstance(value, tuple)}
        identity = {"name": name, "extends": base, "target": more.get("target"), "aliases": aliases, "default_for": default_for}
        made.append({"identity": identity, "facts": facts})
    return made
