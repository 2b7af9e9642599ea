"""Roofline with the peaks of tensor cores, for the pages of Triton kernels: the longer of two times, products at the dense peak of
their type and each tensor's bytes once at DRAM's peak."""

import forewarp

# Dense TFLOPS with sums in float, by data sheet (NVIDIA A100, H100, H200, L40S; AMD MI100); fp32: without tensor cores.
PEAKS = {"a100-sxm4-80gb": {16: 312}, "a100-pcie-80gb": {32: 19.5}, "h100-sxm": {16: 989.4, 8: 1978.9}, "h200": {16: 989.4},
         "l40s": {16: 362}, "instinct-mi100": {16: 184.6}}


def milliseconds(gpu, flops, bytes_moved, bits=16):
    by_dram = bytes_moved / (1e6 * float(forewarp._native.gpu(gpu)["dram_peak_gbps"]))
    return max(flops / (1e9 * PEAKS[gpu][bits]), by_dram) if flops else by_dram
