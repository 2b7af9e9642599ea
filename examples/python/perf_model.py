"""A performance model for Triton's autotuner: which configurations are worth a measurement?

Triton calls `perf_model(**arguments and meta-parameters)` for each configuration and measures the `top_k` of least value:

    @triton.autotune(configs=CONFIGS, key=["n"], prune_configs_by={"perf_model": perf_model, "top_k": 2})

Forewarp does not read Triton's kernels; it predicts the kernel's twin in CUDA C (TWIN), which has the same tile. Without Triton, this
program ranks CONFIGS as the autotuner would.
"""
import functools
import pathlib

import forewarp

TWIN = pathlib.Path(__file__).resolve().parent.parent.parent / "corpus/matrix_multiply_tiled/kernel.cu"
GPU = "v100"
CONFIGS = [{"BLOCK": block} for block in (4, 8, 16, 32)]


@functools.lru_cache(maxsize=None)
def time_ms(n: int, block: int) -> float:
    try:
        [prediction] = forewarp.predict(TWIN, gpu=GPU, define={"TILE": block}, local=(block, block), global_=(n, n),
                                        arg={"a": f"buffer:f32[{n * n}]", "b": f"buffer:f32[{n * n}]", "c": f"buffer:f32[{n * n}]", "n": n})
        return prediction["time_ms"]
    except forewarp.Error as error:
        if error.code in ("usage", "not_found", "bad_input"):
            raise  # concerns every configuration
        return float("inf")  # does not compile or cannot be launched: measured last


def perf_model(n, BLOCK, **_):  # noqa: N803 (Triton passes meta-parameters by their names)
    return time_ms(n, BLOCK)


def main():
    n, top_k = 512, 2
    ranked = sorted(CONFIGS, key=lambda config: perf_model(n=n, **config))
    for place, config in enumerate(ranked):
        print(f"BLOCK={config['BLOCK']:<3} {perf_model(n=n, **config):8.4f} ms  {'measure' if place < top_k else ''}")


if __name__ == "__main__":
    main()
