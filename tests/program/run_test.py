#!/usr/bin/env python3
"""`forewarp run` around an OpenCL program that knows nothing of it: results, events, clock, report and launch files.

Exit code 77: OpenCL has no device here (package pocl-opencl-icd gives one)."""
import json
import os
import pathlib
import sys
import tempfile
import subprocess

FOREWARP, CLIENT, OBJECTS = sys.argv[1:4]
NO_DEVICE = 77


def forewarp(*words, folder, expected=0):
    ran = subprocess.run([FOREWARP, *words], capture_output=True, text=True, cwd=folder, timeout=280,
                         env={**os.environ, "POCL_CACHE_DIR": str(folder / "pocl-cache")})
    if f"exit code {NO_DEVICE}" in ran.stderr:
        print("SKIPPED: no OpenCL device; install pocl-opencl-icd and ocl-icd-libopencl1")
        sys.exit(NO_DEVICE)
    if ran.returncode != expected:
        sys.exit(f"{words}: exit code {ran.returncode}, not {expected}\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def run(what, folder, *words, expected=0):
    report = folder / "report.json"
    said = forewarp("run", "--gpu", "v100,a100", "--format", "json", "--output", report, *words, "--", CLIENT, what, folder=folder,
                    expected=expected)
    return said.splitlines(), json.loads(report.read_text())


def run_objects(what, folder, *words, gpus="v100"):
    report = folder / "report.json"
    said = forewarp("run", "--gpu", gpus, "--format", "json", "--output", report, *words, "--", OBJECTS, what, folder=folder)
    return said.splitlines(), json.loads(report.read_text())


def check(claim, detail):
    if not claim:
        sys.exit(f"wrong: {detail}")


def events_of(lines):
    return [(int(line.split()[1]), int(line.split()[3])) for line in lines if line.startswith("event")]


def predicted_ns(launch_file, folder, gpu="v100"):
    answer = json.loads(forewarp("predict", "--launch", launch_file, "--gpu", gpu, "--format", "json", folder=folder))
    return round(answer["time_ms"] * 1e6)


def data_that_does_not_matter(folder):
    lines, report = run("add", folder, "--keep", "kept")
    check(lines[0] == "device Tesla V100 SXM2", lines)
    events = events_of(lines)
    check(len(events) == 3 and len({ns for ns, _ in events}) == 1, events)
    event, wall = events[-1]
    check(event == predicted_ns("kept/1.toml", folder), "an event's time is the prediction's, to the nanosecond")
    check(event < wall < event + 200_000_000, f"the program's clock shows what it waited for: {event} {wall}")
    check(lines[-1] == "result right", lines)
    check(report["executed_launches"] == 3, "read results were computed")
    [kernel] = report["gpus"][0]["kernels"]
    check(kernel["kernel"] == "add" and kernel["calls"] == 3, kernel)
    check(report["gpus"][1]["kernels_ms"] < report["gpus"][0]["kernels_ms"], "the A100 is faster")
    memory = {row["name"]: row for row in report["gpus"][0]["memory"]}
    check(memory["write"]["bytes"] == 3 * 4 << 20 and memory["read"]["bytes"] == 4 << 20, memory)


def results_that_nobody_reads(folder):
    _, report = run("unread", folder)
    check(report["executed_launches"] == 0, "nothing was read: nothing is computed")
    lines, report = run("add", folder, "--execute", "none")
    check(lines[-1] == "result wrong" and report["executed_launches"] == 0, lines)


def data_that_decides(folder):
    lines, report = run("rows", folder, "--keep", "rows")
    check(lines[-1] == "result right", lines)
    check([kind["with_contents"] for kind in report["launches"]] == [False, True], report["launches"])
    check(events_of(lines)[0][0] == predicted_ns("rows/2.toml", folder), "the run's data stand in the launch file")


def launches_that_the_gpu_refuses(folder):
    lines, _ = run("greedy", folder)
    check("status -5" in lines, lines)


def programs_that_crash(folder):
    lines, report = run("crash", folder, expected=8)
    check(report["signal"] == 6 and report["gpus"][0]["kernels"][0]["calls"] == 3, "the report reaches up to the crash")


def timelines(folder):
    trace = json.loads(forewarp("run", "--gpu", "v100", "--format", "trace", "--output", "trace.json", "--", CLIENT, "unread", folder=folder)
                       and (folder / "trace.json").read_text())
    kernels = [event for event in trace["traceEvents"] if event["name"] == "add"]
    check(len(kernels) == 3 and all(event["args"]["limiter"] == "dram_bandwidth" for event in kernels), kernels)


def several_devices(folder):
    lines, report = run_objects("devices", folder, "--devices", "--keep", "devices", gpus="v100,a100")
    events = {line[7:line.index(" event")]: int(line.split()[-1]) for line in lines if line.startswith("device")}
    check(list(events) == ["Tesla V100 SXM2", "A100 SXM4 40GB"] and lines[-1] == "result right", lines)
    check([event == predicted_ns(f"devices/{k + 1}.toml", folder, gpu) for k, (event, gpu) in
           enumerate(zip(events.values(), ("v100", "a100")))] == [True, True], "each device has its own times")
    for gpu, moved in zip(report["gpus"], (0, 1)):
        check(gpu["kernels"][0]["calls"] == 1, "each GPU has the launch that went to it")
        check([row["name"] for row in gpu["memory"]].count("migrate") == moved, "what another GPU wrote comes over the links")


def other_engine(folder):
    for what, words in (("parts", ["--engine", "own"]), ("foreign", []), ("queues", ["--engine", "own"]), ("offsets", ["--engine", "own"]),
                        ("shared-parts", ["--engine", "own"])):
        lines, report = run_objects(what, folder, *words)
        check(lines[-1] == "result right" and report["executed_launches"] > 0, (what, lines))
    _, report = run_objects("beyond", folder, "--engine", "own")
    check("program.cl:7:63: out-of-bounds store to 'a'" in report["faults"][0] and report["executed_launches"] == 1, report["faults"])


def offsets_and_images(folder):
    lines, report = run_objects("offsets", folder, "--keep", "offsets")
    check(lines[-1] == "result right", lines)
    check(int(lines[-2].split()[1]) == predicted_ns("offsets/1.toml", folder), "the launch file has the offset")
    lines, report = run_objects("images", folder, "--keep", "images")
    check(lines[-1] == "result right", "a launch on images alone is executed before one is read")
    check("0=image:64x64x1:r32f" in (folder / "images/1.toml").read_text(), "the launch file has size and format")
    [turn] = [kind["on"][0] for kind in report["launches"] if kind["kernel"] == "turn"]
    check(round(turn["time_ms"] * 1e6) == predicted_ns("images/1.toml", folder), "the prediction finds texels")


def processes_and_threads(folder):
    for what in ("children", "queues", "sleeper", "shared-parts", "shared"):
        lines, report = run_objects(what, folder)
        check(lines[-1] == "result right", (what, lines))
    check(report["launches"][-1]["with_contents"] and "time_ms" in report["launches"][-1]["on"][0],
          "pointers in shared virtual memory are followed")


def nothing_stays(folder):
    place = folder / "temporary"
    place.mkdir()
    killed = subprocess.Popen([FOREWARP, "run", "--gpu", "v100", "--output", os.devnull, "--", CLIENT, "sleep"], stdout=subprocess.PIPE,
                              text=True, cwd=folder, env={**os.environ, "TMPDIR": str(place), "POCL_CACHE_DIR": str(folder / "pocl-cache")})
    check(any(line.startswith("event") for line in killed.stdout), "it has launched its kernel")
    killed.kill()
    killed.wait()
    killed.stdout.close()
    check(not list(place.iterdir()), list(place.iterdir()))


def main():
    with tempfile.TemporaryDirectory(prefix="forewarp-run-") as name:
        for test in (data_that_does_not_matter, results_that_nobody_reads, data_that_decides, launches_that_the_gpu_refuses,
                     programs_that_crash, timelines, several_devices, other_engine, offsets_and_images, processes_and_threads, nothing_stays):
            test(pathlib.Path(name))
            print("passed:", test.__name__)


main()
