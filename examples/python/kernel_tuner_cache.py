"""A predicted space that Kernel Tuner replays: its search strategies can be tried on a GPU that is not there.

Writes a cache file of predicted times. Where kernel_tuner is installed, it is tuned in simulation mode; nothing is run on a GPU.
"""
import json
import pathlib
import tempfile

import forewarp

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "corpus/vector_add"
N = 1048576
PARAMETERS = {"block_size_x": [32, 64, 128, 256, 512, 1024]}


def write_cache(path):
    """`forewarp.explore` gives arrays; the file that Kernel Tuner reads is written by hand here, and by the command with
    --format kernel-tuner."""
    found = forewarp.explore(FOLDER / "kernel.cl", gpu="v100", kernel="vector_add", grid=(1, 1, 1),
                             arg={"a": f"buffer:f32[{N}]", "b": f"buffer:f32[{N}]", "c": f"buffer:f32[{N}]", "n": N},
                             space={"block_size_x": ",".join(map(str, PARAMETERS["block_size_x"])), "local.x": "block_size_x",
                                    "grid.x": f"ceildiv({N}, block_size_x)"})
    cache = {}
    for index in range(len(found.ids)):
        size = int(found.configuration(index)["block_size_x"])
        time = float(found.time_ms[index, 0]) if found.valid[index, 0] else "RuntimeFailedConfig"
        cache[str(size)] = {"block_size_x": size, "time": time, "compile_time": 0, "verification_time": 0, "benchmark_time": 0,
                            "strategy_time": 0, "framework_time": 0, "timestamp": "1970-01-01 00:00:00+00:00"}
    head = {"schema_version": "1.0.0", "device_name": found.gpus[0], "kernel_name": "vector_add", "problem_size": [N],
            "tune_params_keys": ["block_size_x"], "tune_params": PARAMETERS, "objective": "time", "cache": cache}
    path.write_text(json.dumps(head, indent=0))
    return found


def replay(path):
    import numpy
    from kernel_tuner import tune_kernel
    values = numpy.zeros(N, dtype=numpy.float32)
    results, _ = tune_kernel("vector_add", str(FOLDER / "kernel.cl"), N, [values, values, values, numpy.int32(N)], PARAMETERS,
                             lang="OpenCL", cache=str(path), simulation_mode=True, strategy="brute_force")
    return min(results, key=lambda result: result["time"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cache.json"
        found = write_cache(path)
        for index in range(len(found.ids)):
            print(found.configuration(index)["block_size_x"], f"{found.time_ms[index, 0]:.5f} ms")
        try:
            best = replay(path)
        except ImportError:
            print("kernel_tuner is not installed; predicted best:", found.best()["block_size_x"])
            return
        print("Kernel Tuner's best in the replayed space:", best["block_size_x"])
        assert str(best["block_size_x"]) == found.best()["block_size_x"]


if __name__ == "__main__":
    main()
