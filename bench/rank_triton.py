"""100 configurations of a Triton matrix multiplication ranked: python3 bench/rank_triton.py [GPU]. Processor and wall seconds of
Triton's compiles (nothing where its cache has them), of the predictions where no code has been read before, and of those where
it has; then milliseconds of processor time of single configurations after their compile. Needs the wheel `triton`."""
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "build" / "python"), str(ROOT / "examples" / "triton")]

import forewarp  # noqa: E402
import forewarp.triton  # noqa: E402
import triton  # noqa: E402
from forewarp.triton.gpus import gpu_named  # noqa: E402
from forewarp.triton import predict_launch  # noqa: E402
from forewarp.triton.predicting import record  # noqa: E402
from kernels import matmul, matmul_configs, matmul_grid  # noqa: E402

SHAPES = [(m, n, k, stages, warps) for m in (32, 64, 128) for n in (32, 64, 128, 256) for k in (32, 64) for stages in (2, 3, 4)
          for warps in (4, 8) if m * n * k * stages * 2 < 160 * 256 * 64][:100]


def seconds():
    return sum(os.times()[:4]), time.monotonic()


def timed(what, action):
    before = seconds()
    result = action()
    processor, wall = (now - then for now, then in zip(seconds(), before))
    print(f"{what:44} {processor:6.1f} s processor, {wall:6.1f} s wall")
    return result


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "a100"
    gpu, size = gpu_named(name), 4096
    a, b, c = (forewarp.buffer("fp16", (size, size)) for _ in range(3))
    args = (a, b, c, size, size, size, *a.stride(), *b.stride(), *c.stride())
    tuned = triton.autotune(configs=matmul_configs(SHAPES), key=["M"])(matmul)

    def rank(**options):
        return forewarp.triton.rank(tuned, matmul_grid, *args, gpu=name, options=options)

    timed("Triton's compiles and a ranking", rank)
    timed("a ranking, no code read before", lambda: rank(no_cache=True))
    ranking = timed("a ranking, code kept", rank)
    valid = [each for each in ranking.configurations if each.valid]
    print(f"{len(SHAPES)} configurations, {len(valid)} of them can be launched on {gpu.name}")
    for what, options in (("no code read before", {"no_cache": True}), ("code kept", {})):
        took = []
        for each in valid:
            launch = record(matmul, matmul_grid, args, each.config.all_kwargs(), gpu)[-1]
            before = time.process_time()
            predict_launch(launch, gpu, **options)
            took.append(1000 * (time.process_time() - before))
        took.sort()
        print(f"one configuration, {what}: median {statistics.median(took):.0f} ms, 90th percentile {took[len(took) * 9 // 10]:.0f}, "
              f"most {took[-1]:.0f}; {sum(each < 60 for each in took)} of {len(took)} below 60 ms")


if __name__ == "__main__":
    main()
