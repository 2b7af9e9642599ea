"""forewarp.triton: without Triton what stands on no compiler; with it, launches, ranking and a script."""
import importlib.util
import math
import pathlib
import struct
import subprocess
import sys

import forewarp
from forewarp.triton import fake_torch
from forewarp.recorder.cubin import frame_of, registers_of
from forewarp.triton.gpus import gpu_named
from forewarp.recorder.launches import Launch, LaunchNotModelled
from forewarp.recorder.room import with_room
from forewarp.triton.launches import as_buffer as launch_buffer, kernel_values
from forewarp.triton.ranking import Ranked, Ranking

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "triton"


def check_buffers():
    x = forewarp.buffer("fp16", (64, 32))
    assert x.dtype == "float16" and x.stride() == (32, 1) and x.numel() == 2048 and x.argument() == "buffer:f16[2048]"
    assert x.T.shape == (32, 64) and x.T.stride() == (1, 32) and x.T.data_ptr() == x.data_ptr()
    assert forewarp.buffer("bf16", 8, contents="zeros").argument() == "buffer:u16[8]:zeros"
    assert forewarp.buffer("fp32", (4, 8), strides=(100, 2)).elements == 1 + 3 * 100 + 7 * 2
    assert x.data_ptr() % 16 == 0 and forewarp.buffer("fp16", 1).data_ptr() != x.data_ptr()
    for wrong in ("fp12", "float1"):
        try:
            forewarp.buffer(wrong, 4)
        except ValueError as error:
            assert wrong in str(error) and "float16" in str(error)
        else:
            raise AssertionError(wrong)


def check_gpus():
    a100 = gpu_named("a100-sxm4-80gb")
    assert (a100.backend, a100.arch, a100.warp_width) == ("cuda", 80, 32) and a100.max_shared_bytes == 166912
    assert gpu_named("b200").arch == 100  # LLVM 19 knows no such target: the GPU file's is sm_90
    mi300 = gpu_named("mi300x")
    assert (mi300.backend, mi300.arch, mi300.warp_width) == ("hip", "gfx942", 64)
    for name, code in (("k620", "unsupported"), ("nothing-like-it", "not_found")):
        try:
            gpu_named(name)
        except forewarp.Error as error:
            assert error.code == code, error
        else:
            raise AssertionError(name)


def check_values():
    x = forewarp.buffer("fp32", 16)
    names, signature = ["x", "n", "scale", "BLOCK", "one"], {"x": "*fp32", "n": "i32", "scale": "fp32", "BLOCK": "constexpr", "one": "constexpr"}
    assert kernel_values(names, signature, [x, 16, 0.5, 1024, 1], []) == ["buffer:f32[16]", "16", "0.5"]
    assert kernel_values(["t", "n"], {"t": ("*fp32", ("i32", "constexpr")), "n": "i32"}, [(x, (2, 1)), 5], []) == ["buffer:f32[16]", "2", "5"]
    try:
        kernel_values(["t"], {"t": "*fp32"}, [object()], [])
    except LaunchNotModelled as error:
        assert "forewarp.buffer" in str(error)
    else:
        raise AssertionError("an object")

    class Descriptor:
        base, shape, strides = forewarp.buffer("fp16", (512, 4096)), [512, 4096], [4096, 1]

    meta = {"swizzle": 3, "block_size": [128, 64], "fp4_padded": False, "is_im2col": False}
    kinds = {"d": "tensordesc<fp16[128,64]>"}
    assert kernel_values(["d"], kinds, [Descriptor()], [meta]) == [
        "tensormap:f16[512x4096]:box=128x64:swizzle=128", "512", "4096", "4096", "1"]
    assert kernel_values(["d"], kinds, [Descriptor()], [])[0] == "buffer:f16[2097152]"
    Descriptor.strides = [8192, 1]
    try:
        kernel_values(["d"], kinds, [Descriptor()], [meta])
    except LaunchNotModelled as error:
        assert "one behind the other" in str(error)
    else:
        raise AssertionError("rows apart")


def little_cubin(registers):
    """An ELF file of two sections: names, and .nv.info with one count of registers."""
    names, info = b"\0.nv.info\0.names\0", struct.pack("<BBHII", 4, 0x2F, 8, 3, registers)
    table = 64 + len(names) + len(info)

    def section(name, offset, size):
        return struct.pack("<IIQQQQIIQQ", name, 0, 0, 0, offset, size, 0, 0, 0, 0)

    header = b"\x7fELF\x02" + bytes(35) + struct.pack("<Q", table) + bytes(10) + struct.pack("<HHH", 64, 2, 1)
    return header + names + info + section(1, 64 + len(names), len(info)) + section(10, 64, len(names))


def check_registers():
    assert registers_of(little_cubin(198)) == 198
    assert frame_of(little_cubin(198)) is None
    for broken in (b"", b"\x7fELF\x02", little_cubin(198)[:100], b"x" * 200):
        assert registers_of(broken) is None


def check_ranking():
    def ranked(time, reason=""):
        return Ranked("c", time, (time, time), 32, 0, "tensor", reason)

    ranking = Ranking("G", (ranked(1.0), ranked(1.2), ranked(1.3), ranked(math.nan, "shared memory: 200 needed, 100 there")))
    assert ranking.to_measure(0.1) == 2  # 1.2 * 0.9 = 1.08 <= 1.1; 1.3 * 0.9 = 1.17 is not
    assert "shared memory: 200 needed" in ranking.table() and "measure the first 2 of 4" in ranking.table()


def check_fake_torch():
    torch = fake_torch.module(gpu_named("a100-sxm4-80gb"))
    x = torch.randn((8, 1, 4), device="cuda", dtype=torch.float16)
    assert str(x.dtype) == "torch.float16" and (x + torch.ones(3, 1)).shape == (8, 3, 4)
    assert x.view(2, -1).shape == (2, 16) and x.sum(dim=0).shape == (1, 4) and x.half() is x and x.float().dtype == torch.float32
    for call in (lambda: x.item(), lambda: torch.fft):
        try:
            call()
        except (RuntimeError, AttributeError) as error:
            assert "no contents" in str(error) or "torch.fft" in str(error)
        else:
            raise AssertionError("a value out of nothing")


def check_fake_values():
    """Lengths and starts that a script makes have their values; results of kernels have none."""
    torch = fake_torch.module(gpu_named("a100-sxm4-80gb"))
    lengths = torch.tensor([3, 5, 2], dtype=torch.int32, device="cuda")
    starts = torch.zeros(4, dtype=torch.int32)
    starts[1:] = torch.cumsum(lengths, 0)
    assert starts.tolist() == [0, 3, 8, 10] and int(lengths.max()) == 5 and lengths.sum().item() == 10
    assert (lengths * 2 + lengths).tolist() == [9, 15, 6] and lengths[1].item() == 5 and torch.cat([lengths, starts[:1]]).tolist() == [3, 5, 2, 0]
    assert torch.arange(6).view(2, 3).tolist() == [[0, 1, 2], [3, 4, 5]] and bool(lengths[0] > 2)
    starts.copy_(torch.empty(4, dtype=torch.int32))
    try:
        starts.tolist()
        raise AssertionError("values of a tensor that was written")
    except RuntimeError as error:
        assert "no contents" in str(error)
    assert math.isnan(torch.randn(4).sum().item())


def check_room():
    """An access behind a small array is one of the allocator's segment; far away it is an error."""
    def predicted(launch):
        elements = int(launch.words[0].split("[")[1].split("]")[0])
        if elements <= index:
            raise forewarp.Error(f"out-of-bounds load from '0' by work-item (0, 0, 0): index {index} (byte {4 * index}), but it has {elements} "
                                 "elements of 4 bytes", "k.py:3:1", "", "launch", 6)
        return {"elements": elements}

    launch = Launch("k", (1, 1, 1), {}, {}, 0, None, pathlib.Path(), ("--arg=0=buffer:f32[4]",))
    index = 100
    assert with_room(predicted, launch) == {"elements": (2 << 20) // 4, "beyond_the_end": "  past the end of argument 0: k.py:3:1"}
    index = 1 << 20
    try:
        with_room(predicted, launch)
        raise AssertionError("an access of another segment")
    except forewarp.Error as error:
        assert "index 1048576" in str(error)


def check_autograd():
    torch = fake_torch.module(gpu_named("a100-sxm4-80gb"))

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(x)
            return torch.empty_like(x)

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient + x, None

    seen = []
    with fake_torch.watched(lambda kind, reads, writes: seen.append((kind, len(reads), writes[0].shape))):
        x = torch.empty(4, 8, requires_grad=True)
        y = Twice.apply(Twice.apply(x, 2), 2)
        y.backward(torch.zeros(4, 8))
        x.sum(dim=0)
    assert x.grad.shape == (4, 8) and seen == [
        ("fill", 0, (4, 8)), ("pass", 2, (4, 8)), ("pass", 2, (4, 8)), ("sum", 1, (8,))], seen
    x.grad = None
    (y.view(-1) + y[0, 0]).sum().backward()  # through torch's own operations to the functions
    assert x.grad.shape == (4, 8)
    try:
        (x.detach() + 1).backward()
    except RuntimeError as error:
        assert "requires a gradient" in str(error)
    else:
        raise AssertionError("a gradient of nothing")
    with torch.no_grad():
        assert (x + x).grad_fn is None
    words = torch.randint(0, 50, (8,))
    assert launch_buffer(words.view(2, 4)).argument().startswith("buffer:i64[8]:@")  # small: the values themselves
    assert launch_buffer(torch.randint(0, 50, (1 << 20,))).argument() == "buffer:i64[1048576]:random(1,0,50)"


def check_launches():
    import kernels
    x = forewarp.buffer("fp32", 1 << 24)
    fast, slow = forewarp.triton.predict(kernels.add, (1 << 14,), x, x, x, 1 << 24, BLOCK=1024, gpu="h100,a100")
    assert fast["gpu"].startswith("H100") and slow["gpu"].startswith("A100")
    again = forewarp.triton.predict(kernels.add, (1 << 13,), x, x, x, 1 << 23, BLOCK=1024, gpu="a100")[0]
    assert again["launch_of_triton"].grid == (1 << 13, 1, 1) and again["time_ms"] < slow["time_ms"]
    launch = slow["launch_of_triton"]
    assert launch.options["num_warps"] == 4 and launch.registers == slow["registers_per_thread"] > 0
    # Three arrays of 64 MiB at no more than the peak of 1555 GB/s, at no less than half of it.
    least = 3 * 4 * 2**24 / 1555e6
    assert least < slow["time_ms"] < 2 * least, slow["time_ms"]


def check_products():
    import kernels
    import triton
    n = 1024
    tile = {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP": 8}
    configs = [triton.Config(tile, num_stages=4, num_warps=8), *kernels.autotuned_matmul.configs[2:4]]
    tuned = triton.autotune(configs=configs, key=["M"])(kernels.matmul)
    a, b, c = (forewarp.buffer("fp16", (n, n)) for _ in range(3))
    ranking = forewarp.triton.rank(tuned, kernels.matmul_grid, a, b, c, n, n, n, n, 1, n, 1, n, 1, gpu="rtx-4090")
    assert len(ranking.configurations) == 3
    refused = [each for each in ranking.configurations if not each.valid]
    # 128 x 64 and 64 x 256 halves are 48 KiB; three of them in flight are more than the 99 KiB of compute capability 8.9.
    assert [each.config for each in refused] == [configs[0]] and refused[0].reason == "shared memory: 147456 needed, 101376 there", refused
    assert ranking.configurations[-1].config == configs[0]
    times = [each.time_ms for each in ranking.configurations if each.valid]
    assert times and times == sorted(times) and all(low < time < high for time, (low, high) in
                                                     ((each.time_ms, each.interval_ms) for each in ranking.configurations if each.valid))
    # Compiled and predicted side by side or alone: the same.
    best = ranking.best
    alone = forewarp.triton.predict(kernels.matmul, kernels.matmul_grid, a, b, c, n, n, n, n, 1, n, 1, n, 1, gpu="rtx-4090", **best.all_kwargs())
    assert alone[0]["time_ms"] == times[0], alone[0]["time_ms"]
    # 2 * 1024^3 operations at no more than the tensor cores' 330 Tops of halves.
    assert times[0] > 2 * n**3 / 330e9


def check_gluon():
    """Two buffers let the next tiles' loads run beside the product under way: a step takes the longer of the two, not both."""
    import gluon_kernels
    m, n, k = 2048, 2048, 8192

    def answer(depth, buffers, **options):
        a, b, c = (gluon_kernels.descriptor(forewarp.buffer("fp16", shape), block)
                   for shape, block in (((m, k), [128, depth]), ((k, n), [depth, 256]), ((m, n), [128, 256])))
        return forewarp.triton.predict(gluon_kernels.matmul_ring, (128,), a, b, c, k, BUFFERS=buffers, GROUP=8, num_warps=8, gpu="h100-sxm",
                                       options={"cache": "warm", **options})[0]

    two, four = answer(128, 2), answer(64, 4)
    tensor = next(unit["bound_ms"] for unit in two["units"] if unit["unit"] == "tensor")
    # L2 gives an SM 35 bytes a cycle (family-hopper.toml): 64 steps of 96 KiB at 1980 MHz.
    loads = 64 * 96 * 1024 / 35 / 1980e3
    assert max(tensor, loads) < two["time_ms"] < tensor + loads, (tensor, loads, two["time_ms"])
    assert max(tensor, loads) < four["time_ms"] < two["time_ms"], (loads, four["time_ms"])


def has_gluon():
    """As examples/triton/gluon_kernels.py is written for it."""
    try:
        from triton.experimental.gluon.language.nvidia.hopper import tma
    except ImportError:
        return False
    return hasattr(tma, "async_load")


def check_two_gpus():
    """An autotuner chooses for each GPU anew: Triton's keeps the first driver's benchmark."""
    import kernels
    n = 1024
    a, b, c = (forewarp.buffer("fp16", (n, n)) for _ in range(3))
    given = (a, b, c, n, n, n, n, 1, n, 1, n, 1)
    both = forewarp.triton.predict(kernels.autotuned_matmul, kernels.matmul_grid, *given, gpu="a100,h100")
    assert len(both) == 2
    for answer in both:
        alone = forewarp.triton.rank(kernels.autotuned_matmul, kernels.matmul_grid, *given, gpu="h100" if answer["gpu"].startswith("H100") else "a100")
        assert answer["time_ms"] == alone.configurations[0].time_ms, (answer["time_ms"], alone.table())


def check_script():
    done = subprocess.run([sys.executable, "-m", "forewarp.triton", "--gpu", "a100", str(EXAMPLES / "torch_script.py")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "add[16384, 1, 1]" in done.stdout, done.stdout
    assert "best: BLOCK_M" in done.stdout and "A100" in done.stdout and " ms " in done.stdout, done.stdout


def check_real_torch():
    """torch without a GPU: small tensors have their values, large ones their shapes, all are on the GPU."""
    import torch
    from forewarp.triton import real_torch

    with real_torch.posing(gpu_named("a100-sxm4-80gb")) as known:
        lengths = torch.tensor([3, 5, 2], dtype=torch.int32, device="cuda")
        assert lengths.device.type == "cuda" and lengths.is_cuda and torch.cumsum(lengths, 0).tolist() == [3, 8, 10] and known.reads == 0
        assert launch_buffer(lengths).argument().startswith("buffer:i32[3]:@")
        large = torch.randn(1 << 14, 1 << 14, device="cuda", dtype=torch.float16)  # 4 * 10^12 multiply-adds below
        product = (large @ large).cuda()
        assert product.shape == (1 << 14, 1 << 14) and known.unknown(product) and launch_buffer(product).contents == ""
        weight = torch.nn.Linear(8, 8, device="cuda").weight
        (weight * 2).sum().backward()
        assert weight.grad.tolist() == [[2.0] * 8] * 8
        counts = torch.zeros(4, dtype=torch.int32, device="cuda")
        known.launched((counts, lengths))
        assert counts.sum().item() == 0 and known.reads == 1 and lengths.sum().item() == 10 and known.reads == 1
        assert torch.cuda.is_available() and torch.cuda.get_device_properties(0).multi_processor_count == 108
    assert not torch.cuda.is_available() or torch.cuda.device_count() > 0
    assert launch_buffer(torch.empty(4)).argument() == "buffer:f32[4]" and not hasattr(torch.Tensor, "forewarp_contents")


def main():
    checks = [check_buffers, check_gpus, check_values, check_registers, check_ranking, check_fake_torch, check_fake_values, check_room, check_autograd]
    if importlib.util.find_spec("triton"):
        sys.path.insert(0, str(EXAMPLES))
        checks += [check_real_torch] if importlib.util.find_spec("torch") else []
        checks += [check_launches, check_products, check_two_gpus, check_script]
        if has_gluon():
            checks.append(check_gluon)
    for check in checks:
        check()
    print(f"{len(checks)} checks" + ("" if importlib.util.find_spec("triton") else "; those with the module 'triton' were not run"))


if __name__ == "__main__":
    main()
