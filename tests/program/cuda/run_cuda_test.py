#!/usr/bin/env python3
"""`forewarp run` of CUDA sources: results, events, clock, errors, accesses out of bounds, report and launch files.

Exit code 77: there is no linker or C++ library for developers here (packages liblld-19-dev, libstdc++-12-dev)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOREWARP, CLIENT, EXAMPLE = sys.argv[1:4]
NOTHING_TO_BUILD_WITH = ("was built without a linker", "start files are not there")


def forewarp(*words, folder, expected=0):
    ran = subprocess.run([FOREWARP, *words], capture_output=True, text=True, cwd=folder, timeout=280,
                         env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
    if any(why in ran.stderr for why in NOTHING_TO_BUILD_WITH):
        print("SKIPPED:", ran.stderr)
        sys.exit(77)
    if ran.returncode != expected:
        sys.exit(f"{words}: exit code {ran.returncode}, not {expected}\n{ran.stdout}\n{ran.stderr}")
    return ran


def run(what, folder, *words, expected=0, source=CLIENT):
    report = folder / "report.json"
    ran = forewarp("run", source, "--gpu", "v100,a100", "--format", "json", "--output", report, *words, "--", *what, folder=folder,
                   expected=expected)
    return ran.stdout.splitlines(), json.loads(report.read_text()), ran.stderr


def check(claim, detail):
    if not claim:
        sys.exit(f"wrong: {detail}")


def predicted(launch_file, folder, *words):
    answer = forewarp("predict", *launch_file, "--gpu", "v100", "--format", "json", *words, folder=folder).stdout
    return json.loads(answer)


def kernels_give_their_results(folder):
    lines, report, _ = run(["kernels"], folder)
    check(lines == [f"{each} right" for each in ("constant", "warp", "barrier", "struct", "end")], lines)
    names = {row["kernel"] for row in report["gpus"][0]["kernels"]}
    check({"scale<float>", "warp_sums", "reverse", "by_value"} <= {name.split("(")[0] for name in names}, names)
    check(report["executed_launches"] == 5 and not report["faults"], report)


def accesses_out_of_bounds_are_named(folder):
    lines, report, said = run(["beyond"], folder)
    check(lines == ["no error", "an illegal memory access was encountered"], lines)
    near, far = report["faults"]
    line = 1 + pathlib.Path(CLIENT).read_text().splitlines().index(
        "  values[blockIdx.x * blockDim.x + threadIdx.x + far] = n; // with 1, the last one has no neighbour")
    where = f"client.cu:{line}: kernel beyond(float*, int, int), block "
    check(where + "(9,0,0), thread (99,0,0)" in near and "buffer 1 of 4000 bytes; what is written there is lost" in near, near)
    check(where + "(0,0,0), thread (0,0,0)" in far and "behind the end of buffer 1" in far, far)
    check(near in said and far in said, "told at once, too")


def errors_are_those_of_the_runtime(folder):
    lines, _, _ = run(["errors"], folder)
    check(lines == [f"{each} right" for each in ("memory", "last error", "copies from null", "block size", "shared memory")], lines)


def clocks_show_the_gpu(folder):
    lines, report, _ = run(["timing"], folder, "--keep", "kept")
    event, wall = int(lines[0].split()[1]), int(lines[1].split()[1])
    time = round(predicted(["--launch", "kept/1.toml"], folder)["time_ms"] * 1e6)
    busy = 200_000_000  # a machine that does other work may stop the program between two calls
    check(time <= event < time + busy, f"between the events lies the launch, and what the host did between its calls: {event} {time}")
    check(event < wall < event + busy, f"the host's clock shows what it waited for: {event} {wall}")
    check(lines[2] == "device Tesla V100 SXM2, 80", lines)
    check(report["properties_read"] == ["cudaGetDeviceProperties"], report["properties_read"])
    check(report["gpus"][1]["kernels_ms"] < report["gpus"][0]["kernels_ms"], "the A100 is faster")


def data_that_decides_is_looked_at(folder):
    lines, report, _ = run(["rows"], folder, "--keep", "rows")
    check(lines == ["rows right"], lines)
    check([kind["with_contents"] for kind in report["launches"]] == [False, True], report["launches"])
    check(report["launches"][1]["on"][0]["time_ms"] == predicted(["--launch", "rows/2.toml"], folder)["time_ms"],
          "the run's data stand in the launch file")


def a_launch_of_a_run_is_predicted_as_in_the_run(folder):
    """Any launch by its kernel and number: the same time, with the data where they decide it, or all of them."""
    _, report, _ = run(["rows"], folder, "--keep", "numbered")
    _, whole, _ = run(["kernels"], folder, "--keep", "whole", "--keep-data")
    for kept, told, kernel, number in (("numbered", report, "row_lengths", 1), ("whole", whole, "scale", 1), ("whole", whole, "warp_sums", 1)):
        times = [kind["on"][0]["time_ms"] for kind in told["launches"] if kind["kernel"].startswith(kernel) and kind["with_contents"]]
        answer = predicted(["--from-run", kept, "--kernel", kernel, "--launch", str(number)], folder)
        check(times and answer["time_ms"] == times[-1], (kernel, times, answer["time_ms"]))
    explained = forewarp("explain", "mwp_cwp", "--from-run", "whole", "--kernel", "scale", "--gpu", "v100", folder=folder).stdout
    check("cycles" in explained, explained)
    forewarp("bundle", "--from-run", "whole", "--kernel", "reverse", "--target", "sm_70", "--output", "bundled", folder=folder)
    check(json.loads((folder / "bundled/manifest.json").read_text())["kernels"], "the launch stands in the bundle with its buffers")
    refused = forewarp("predict", "--from-run", "whole", "--kernel", "scale", "--launch", "17", "--gpu", "v100", folder=folder, expected=3).stderr
    check("from 1 to 1" in refused, refused)


def pointers_inside_of_arguments_lead_to_buffers(folder):
    """In a struct, in a buffer, in a list of nodes, in a variable: each launch has a time, and its launch file the same."""
    lines, report, _ = run([], folder, "--keep", "inner", source=pathlib.Path(CLIENT).parent / "pointers.cu")
    check(lines == ["pointers right"], lines)
    for kernel in ("fill", "rows", "walk", "repeated", "hidden"):
        [*_, kind] = [kind for kind in report["launches"] if kind["kernel"] == kernel]
        check("time_ms" in kind["on"][0], kind)
        answer = predicted(["--from-run", "inner", "--kernel", kernel], folder)
        check(answer["time_ms"] == kind["on"][0]["time_ms"], (kernel, answer["time_ms"], kind))
        check(not any(note["severity"] == "assumption" for note in answer["notes"]), (kernel, answer["notes"]))


def graphs_are_plain_launches(folder):
    lines, report, _ = run(["graph"], folder)
    check(lines == ["graph right"] and report["gpus"][0]["kernels"][0]["calls"] == 5, lines)


def a_crash_leaves_the_report(folder):
    _, report, _ = run(["crash"], folder, expected=8)
    check(report["signal"] == 6 and report["gpus"][0]["kernels"][0]["calls"] == 2, report)


def a_kill_leaves_the_report(folder):
    _, report, _ = run(["killed"], folder, expected=8)
    check(report["signal"] == 9 and report["gpus"][0]["kernels"][0]["calls"] == 2, "nothing that was told before is lost")


def a_compiler_that_crashes_or_hangs_is_told(folder):
    for text, words, expected, said in (
            ("#pragma clang __debug crash\n", (), 5, "the compiler crashed"),
            ("constexpr long endless() { long s = 0; for (long k = 0; k < 4000000000; ++k) s += k; return s; }\nstatic_assert(endless());\n",
             ("--build-seconds", "2", "--option", "-fconstexpr-steps=4000000000"), 9, "longer than 2 s of processor time")):
        (folder / "broken.cu").write_text(text + "int main() { return 0; }\n")
        ran = subprocess.run([FOREWARP, "run", "broken.cu", "--gpu", "v100", *words], capture_output=True, text=True, cwd=folder, timeout=280)
        codes = expected if isinstance(expected, tuple) else (expected,)
        check(ran.returncode in codes and "broken.cu: " in ran.stderr and said in ran.stderr and "hint: " in ran.stderr, ran)


def a_killed_forewarp_leaves_the_report_and_no_file(folder):
    """Up to about a second before; the program's own file, too, lies on no disk."""
    temporary = folder / "temporary"
    temporary.mkdir()
    (folder / "slow.cu").write_text(
        "#include <cstdio>\n#include <unistd.h>\n__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 1024); for (int i = 0; i < 60; ++i) { k<<<1, 256>>>(a); cudaDeviceSynchronize(); "
        "usleep(100000); printf(\"%d\\n\", i); fflush(stdout); } }\n")
    report = folder / "so_far.json"
    with subprocess.Popen([FOREWARP, "run", "slow.cu", "--gpu", "v100", "--format", "json", "--output", report], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, cwd=folder, env={**os.environ, "TMPDIR": str(temporary)}) as process:
        shown = 0
        while shown < 40:
            shown = int(process.stdout.readline())
        process.kill()
        told = json.loads(report.read_text())
        calls = told["gpus"][0]["kernels"][0]["calls"]
        check(0 < calls <= 41 and told["exit_code"] is None, (calls, told["exit_code"]))
        check(not list(temporary.iterdir()), list(temporary.iterdir()))


def lanes_of_a_warp_go_together_in_volatile_shared_memory(folder):
    lines, _, _ = run(["lockstep"], folder)
    check(lines == ["lockstep right"], lines)


def items_go_from_barrier_to_barrier(folder):
    for words in ([], ["--unchecked"]):
        lines, _, _ = run([], folder, *words, source=pathlib.Path(CLIENT).parent / "regions.cu")
        check(lines == [f"{each}: 0 wrong" for each in ("shifts", "some_leave", "unlike_loops", "private_arrays", "blur", "blur", "blur", "in_turn")], lines)


def kernels_without_code_are_executed_beside(folder):
    report = folder / "report.json"
    ran = forewarp("run", pathlib.Path(CLIENT).parent / "beside.cu", "--gpu", "h100", "--format", "json", "--output", report, folder=folder)
    check(ran.stdout.splitlines() == ["no error", "63 32 31 0", "no error", "0 63", "no error", "wmma 0 wrong", "operation not supported"], ran.stdout)
    told = json.loads(report.read_text())
    [why] = told["not_executed"].values()
    check(told["executed_launches"] == 3 and "no value for 512 bytes of 'c'" in why, told)


def calls_that_are_made_now_and_then(folder):
    lines, _, _ = run(["calls"], folder)
    check(lines == [f"{each} right" for each in ("peers", "pool", "pages", "stream")], lines)


def programs_of_several_languages_are_built(folder):
    """C++ without CUDA and C stand beside, with one --std for all of them."""
    (folder / "half.c").write_text("int half(int n) { int *restrict at = &n; return *at / 2; }\n")
    (folder / "several.cu").write_text(
        "#include <cstdio>\nint largest_sum(int);\nextern \"C\" int half(int);\n__global__ void k(int* a, int n) { a[threadIdx.x] = n; }\n"
        "int main() { int *a, got; cudaMalloc(&a, 128); k<<<1, 32>>>(a, half(largest_sum(100))); "
        "cudaMemcpy(&got, a, 4, cudaMemcpyDeviceToHost); printf(\"%d\\n\", got); }\n")
    ran = forewarp("run", "several.cu", pathlib.Path(CLIENT).parent / "plain.cpp", "half.c", "--std", "c++17", "--gpu", "v100", folder=folder)
    check(ran.stdout.startswith("2525\n"), ran.stdout)


def a_hundred_streams_on_four_threads(folder):
    lines, report, _ = run(["streams"], folder)
    check(lines == ["streams right"] and report["gpus"][0]["kernels"][0]["calls"] == 100, lines)


def reads_near_a_buffer_are_named_and_pass(folder):
    lines, report, _ = run(["near"], folder)
    [fault] = report["faults"]
    check(lines == ["near right"] and "thread (255,0,0) reads 4 bytes" in fault and "given zeros" in fault, (lines, fault))


def calls_of_libraries_are_computed_and_named(folder):
    """Thrust, CUB's device-wide functions and cuBLAS: right results, the call with its shape, and no time; kernels beside them have theirs."""
    source = pathlib.Path(CLIENT).parent / "libraries.cu"
    said = {"thrust": ("transform", "policy", "sort", "zip", "copy_if", "scan", "host"), "cub": ("cub sum", "cub scan", "cub sort"),
            "cublas": ("gemm", "gemm, turned", "gemv, backwards", "columns that overlap", "nrm2", "beyond")}
    named = {"thrust": "thrust::sort_by_key, 1000 x 8 bytes", "cub": "cub::DeviceRadixSort::SortKeys, 1000 x 4 bytes",
             "cublas": "cublasSgemm, 2 x 2 x 3 float, TT"}
    for library, lines in said.items():
        told, report, _ = run([library], folder, source=source)
        check(told == [f"{each} right" for each in lines], told)
        rows = {row["kernel"]: row for row in report["gpus"][0]["kernels"]}
        check(rows[named[library]]["calls_without_time"] == 1 and "library" in rows[named[library]]["why"], rows)
        if library == "thrust":
            check(any(name.endswith("halve") and row["total_ms"] > 0 for name, row in rows.items()), rows)
        if library == "cublas":
            check("cublasSscal" in report["faults"][0] and "does not lie within a buffer" in report["faults"][0], report["faults"])


def transforms_and_random_numbers(folder):
    lines, report, _ = run([], folder, source=pathlib.Path(CLIENT).parent / "transforms.cu")
    check(lines == [f"{each} right" for each in ("waves", "planes", "numbers", "products")], lines)
    rows = {row["kernel"]: row for row in report["gpus"][0]["kernels"]}
    for name in ("cufftExecC2C, 360, 2 times", "cufftExecD2Z, 6 x 7", "curandGenerateNormal, 20000 x 4 bytes",
                 "cusparseSpMM, 2 x 3, 3 entries, 2 columns"):
        check(rows[name]["calls_without_time"] == rows[name]["calls"] and "library" in rows[name]["why"], rows)


def kernels_that_start_kernels_are_refused(folder):
    (folder / "starts.cu").write_text("__global__ void child(int* a) { a[0] = 7; }\n"
                                      "__global__ void parent(int* a) { child<<<1, 1>>>(a); }\n"
                                      "int main() { int* a; cudaMalloc(&a, 4); parent<<<1, 1>>>(a); return 0; }\n")
    ran = subprocess.run([FOREWARP, "run", "starts.cu", "--gpu", "v100"], capture_output=True, text=True, cwd=folder, timeout=280)
    check(ran.returncode != 0 and "start kernels" in ran.stderr and "forewarp predict" in ran.stderr, (ran.returncode, ran.stderr))


def textures_lines_and_meetings_of_groups(folder):
    lines, _, _ = run([], folder, source=pathlib.Path(CLIENT).parent / "textures.cu")
    check(lines == [f"{each} right" for each in ("point", "linear", "normalized", "references", "words", "surfaces", "grid")] +
          [f"block {k}: words,  2.50, 1099511627776, 100 %" for k in (0, 1)], lines)


def the_example_of_the_guide(folder):
    lines, report, _ = run([], folder, source=EXAMPLE)
    check(lines[0].endswith(" 0 wrong") and lines[1] == "halved 12 times: sum 768", lines)
    rows = {row["kernel"].split("(")[0]: row for row in report["gpus"][0]["kernels"]}
    check(rows["add"]["calls"] == 101 and rows["halve"]["calls"] == 12, rows)
    check(report["executed_launches"] == 25, "the 100 additions before change nothing that one does not")
    least_us, shown_us = rows["add"]["least_ms"] * 1e3, float(lines[0].split()[1])
    check(least_us - 0.01 < shown_us < least_us + 2000, (lines, rows))  # a busy machine may stop the program between two launches


def launches_agree_with_those_read_from_the_source(folder):
    """What `predict` reads off the host code is what the run did."""
    read = json.loads(forewarp("predict", EXAMPLE, "--kernel", "add", "--gpu", "v100", "--format", "json", folder=folder).stdout)
    _, report, _ = run([], folder, source=EXAMPLE)
    [ran] = [kind for kind in report["launches"] if kind["kernel"].startswith("add")]
    check(read["time_ms"] == ran["on"][0]["time_ms"], (read["time_ms"], ran))


def main():
    with tempfile.TemporaryDirectory(prefix="forewarp-run-") as name:
        for test in (kernels_give_their_results, accesses_out_of_bounds_are_named, errors_are_those_of_the_runtime, clocks_show_the_gpu,
                     data_that_decides_is_looked_at, a_launch_of_a_run_is_predicted_as_in_the_run,
                     pointers_inside_of_arguments_lead_to_buffers, graphs_are_plain_launches, a_crash_leaves_the_report, a_kill_leaves_the_report,
                     a_compiler_that_crashes_or_hangs_is_told, a_killed_forewarp_leaves_the_report_and_no_file,
                     lanes_of_a_warp_go_together_in_volatile_shared_memory, items_go_from_barrier_to_barrier,
                     kernels_without_code_are_executed_beside, calls_that_are_made_now_and_then,
                     programs_of_several_languages_are_built, a_hundred_streams_on_four_threads, reads_near_a_buffer_are_named_and_pass,
                     kernels_that_start_kernels_are_refused,
                     calls_of_libraries_are_computed_and_named, transforms_and_random_numbers, textures_lines_and_meetings_of_groups,
                     the_example_of_the_guide, launches_agree_with_those_read_from_the_source):
            test(pathlib.Path(name))
            print("passed:", test.__name__)


main()
