"""`torch.nn` of the stand-in for torch, as far as scripts around Triton kernels compare with it: shapes only."""
from __future__ import annotations

from typing import Any

from .fake_tensor import ELEMENTWISE, KINDS, Tensor, launched, new


def _unary(x: Tensor, *words: Any, **named: Any) -> Tensor:
    """An element of the result for each of x's; weights and the like are read, too."""
    made = new(x.shape, x.dtype)
    launched("pass", [x, *words, *named.values()], [made])
    return made


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    made = new((*x.shape[:-1], weight.shape[0]), x.dtype)
    launched("matmul", [x, weight, bias], [made])
    return made


def _embedding(words: Tensor, weight: Tensor, *_: Any, **__: Any) -> Tensor:
    made = new((*words.shape, weight.shape[-1]), weight.dtype)
    launched("pass", [words, weight], [made])
    return made


def _loss(x: Tensor, target: Any = None, *_: Any, reduction: str = "mean", **__: Any) -> Tensor:
    made = new(() if reduction != "none" else x.shape[:1], x.dtype)
    launched("sum", [x, target], [made])
    return made


def _attention(q: Tensor, k: Tensor, v: Tensor, *_: Any, **__: Any) -> Tensor:
    made = new((*q.shape[:-1], v.shape[-1]), q.dtype)
    launched("matmul", [q, k, v], [made])
    return made


FUNCTIONS: dict[str, Any] = {
    **{name: _unary for name in (*ELEMENTWISE, "gelu", "silu", "elu", "leaky_relu", "softplus", "dropout", "normalize", "layer_norm", "rms_norm",
                                 "group_norm", "batch_norm")},
    **{name: _loss for name in ("cross_entropy", "mse_loss", "l1_loss", "nll_loss", "kl_div", "binary_cross_entropy")},
    "linear": _linear, "embedding": _embedding, "scaled_dot_product_attention": _attention,
}


def parameter(data: Tensor, requires_grad: bool = True) -> Tensor:
    return data.requires_grad_(requires_grad)


class Module:
    training = True

    def __init__(self) -> None:
        pass

    def __call__(self, *words: Any, **named: Any) -> Any:
        return self.forward(*words, **named)  # type: ignore[attr-defined]

    def children(self) -> list["Module"]:
        return [each for each in vars(self).values() if isinstance(each, Module)]

    def parameters(self) -> list[Tensor]:
        own = [each for each in vars(self).values() if isinstance(each, Tensor) and each.requires_grad]
        return own + [each for child in self.children() for each in child.parameters()]

    def to(self, *what: Any, **named: Any) -> "Module":
        for name, each in vars(self).items():
            if isinstance(each, Tensor):
                setattr(self, name, each.to(*what, **named).requires_grad_(each.requires_grad))
        for child in self.children():
            child.to(*what, **named)
        return self

    def half(self) -> "Module":
        return self.to(KINDS["float16"])

    def register_buffer(self, name: str, value: Any, **_: Any) -> None:
        setattr(self, name, value)

    def _same(self, *_: Any, **__: Any) -> "Module":
        return self

    cuda = eval = train = requires_grad_ = zero_grad = _same
    register_parameter = register_buffer


class Linear(Module):
    def __init__(self, inputs: int, outputs: int, bias: bool = True, dtype: Any = None, **_: Any) -> None:
        super().__init__()
        kind = dtype or KINDS["float32"]
        self.weight = parameter(new((outputs, inputs), kind))
        self.bias = parameter(new((outputs,), kind)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return _linear(x, self.weight, self.bias)


class LayerNorm(Module):
    def __init__(self, shape: Any, eps: float = 1e-5, dtype: Any = None, **_: Any) -> None:
        super().__init__()
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        self.normalized_shape, self.eps = sizes, eps
        self.weight, self.bias = (parameter(new(sizes, dtype or KINDS["float32"])) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        return x._like()


CLASSES: dict[str, Any] = {"Module": Module, "Parameter": parameter, "Linear": Linear, "LayerNorm": LayerNorm, "RMSNorm": LayerNorm}
