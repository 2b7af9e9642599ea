#!/usr/bin/env python3
"""Bundle of a part of the corpus -> forewarp-measure on OpenCL -> output buffers against the C references and the interpreter.

Exit code 77: OpenCL has no device here (package pocl-opencl-icd gives one)."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

NO_DEVICE = 10
ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("forewarp", "measure", "compare", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--part", type=int, required=True)
    parser.add_argument("--parts", type=int, required=True)
    words = parser.parse_args()
    folder = pathlib.Path(words.folder)
    corpus = sorted(path.parent for path in (ROOT / "corpus").glob("*/kernel.toml"))[words.part::words.parts]
    outputs = folder / "outputs"
    shutil.rmtree(folder / "bundle", ignore_errors=True)
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    # PoCL keeps what it compiled; a home folder may not be there to keep it in.
    os.environ["POCL_CACHE_DIR"] = str(folder / "pocl-cache")
    made = subprocess.run([words.forewarp, "bundle", *corpus, "--target", "opencl", "--check-only", "--output",
                           folder / "bundle"], capture_output=True, text=True)
    print(made.stdout, made.stderr)
    if made.returncode != 0 or "left out" in made.stderr:
        sys.exit("a kernel of the corpus is not in the bundle")
    result = folder / "measured.json"
    ran = subprocess.run([words.measure, folder / "bundle", "--backend", "opencl", "--quiet", "--timeout", "120s", "--output",
                          result, "--keep-outputs", outputs], capture_output=True, text=True)
    print(ran.stderr)
    if ran.returncode == NO_DEVICE:
        print("SKIPPED: no OpenCL device; install pocl-opencl-icd and ocl-icd-libopencl1")
        sys.exit(77)
    if ran.returncode != 0:
        sys.exit(f"forewarp-measure ended with {ran.returncode}")
    kernels = json.loads((folder / "bundle" / "manifest.json").read_text())["kernels"]
    checks = json.loads(result.read_text())["measurements"]
    print(len(checks), "launches checked on", json.loads(result.read_text())["device"]["name"])
    if len(kernels) != len(corpus) or len(checks) != sum(len(kernel["launches"]) for kernel in kernels) or not all(check["correct"] for check in checks):
        sys.exit("not every launch was checked")
    sys.exit(subprocess.run([words.compare, "--gtest_brief=1"],
                            env={**os.environ, "FOREWARP_OUTPUTS": str(outputs), "FOREWARP_KERNELS": " ".join(path.name for path in corpus)}).returncode)


if __name__ == "__main__":
    main()
