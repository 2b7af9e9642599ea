"""An ordinary script: torch's tensors, an autotuner, a benchmark. `python3 -m forewarp.triton --gpu a100 torch_script.py`"""
import torch
import triton
from kernels import add, autotuned_matmul, matmul_grid

x = torch.rand(1 << 24, device="cuda")
y = torch.rand_like(x)
out = torch.empty_like(x)
add[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)

a = torch.randn((2048, 2048), device="cuda", dtype=torch.float16)
b = torch.randn((2048, 2048), device="cuda", dtype=torch.float16)
c = torch.empty((2048, 2048), device="cuda", dtype=torch.float16)


def multiply():
    autotuned_matmul[matmul_grid](a, b, c, 2048, 2048, 2048, *a.stride(), *b.stride(), *c.stride())


multiply()
milliseconds = triton.testing.do_bench(multiply)
print(f"best: {autotuned_matmul.best_config}")
print(f"{2 * 2048**3 / milliseconds * 1e-9:.0f} TFLOPS")
